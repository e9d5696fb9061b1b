"""A formula in one line of Unicode as pieces: letters, indices, powers and other signs."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rlct.report.symbols import (
    GREEK_LETTERS,
    LATEX_FUNCTIONS,
    LOWERED_SIGNS,
    RAISED_SIGNS,
    ROMAN_NAMES,
)

_LETTER_CLASS = f"A-Za-z{GREEK_LETTERS}"
#: Round brackets within round brackets, once.
_ROUND_BRACKETS = r"\((?:[^()]|\([^()]*\))*\)"
#: What is below a letter before the next one with an index, or a capital: b_1b_2, δ_ipδ_jq, A_1P.
INDEX_BELOW = rf"(?:(?:[0-9]+|[a-z]{{1,2}}?)(?=[{_LETTER_CLASS}]_)|[0-9]+(?=[A-ZΑ-Ω]))"
_TOKEN_PATTERN = re.compile(
    r"(?P<fraction>\d+/\d+(?![\d/]))"
    r"|(?P<number>\d+)"
    # The marks at the end are primes, unless a group follows.
    rf"|(?P<name>[{_LETTER_CLASS}]+[0-9]*(?:_(?:{INDEX_BELOW}|[0-9{_LETTER_CLASS}]+))*(?:_+(?![{{(≥≤]))?)"
    rf"|(?P<power>\^(?:-?\d+(?:/\d+)?|[{_LETTER_CLASS}∗∞½](?:_[0-9{_LETTER_CLASS}]+)?|\{{[^{{}}]*\}}|{_ROUND_BRACKETS}))"
    rf"|(?P<raised>[{''.join(RAISED_SIGNS)}]+)|(?P<lowered>[{''.join(LOWERED_SIGNS)}]+)"
    rf"|(?P<index>_(?:\{{[^{{}}]*\}}|{_ROUND_BRACKETS}|{INDEX_BELOW}|[0-9{_LETTER_CLASS}]+|[≥≤]\d+))"
    # A star with nothing to multiply marks what is true.
    rf"|(?P<star>∗|\*(?![0-9{_LETTER_CLASS}(√{{∂]|\|[0-9{_LETTER_CLASS}]))"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_DERIVATIVE_LENGTH = len("^(j)")  # where brackets are needed for no other reason
_LONGEST_PRODUCT = 3  # letters without a sign between them


@dataclass(frozen=True)
class Token:
    """A sign or name of a formula."""

    #: ``"fraction"``, ``"number"``, ``"name"``, ``"power"``, ``"index"``, ``"space"`` or
    #: ``"other"``.
    kind: str
    #: Of a power or an index what is raised or lowered.
    text: str


def tokens(formula: str) -> Iterator[Token]:
    """Read a formula.

    >>> [(t.kind, t.text) for t in tokens("k_{j-1}^(1/2)")]
    [('name', 'k'), ('index', 'j-1'), ('power', '1/2')]
    """
    # Accents stand apart from their letters.
    letters = (unicodedata.normalize("NFD", c) if c.isalpha() else c for c in formula)
    for match in _TOKEN_PATTERN.finditer("".join(letters)):
        kind, text = str(match.lastgroup), match[0]
        if kind == "power":
            grouped = text[1] == "{" or (text[1] == "(" and len(text) > _DERIVATIVE_LENGTH)
            yield Token("power", text[2:-1] if grouped else text[1:].replace("∗", "*"))
        elif kind == "raised":
            yield Token("power", "".join(RAISED_SIGNS[c] for c in text))
        elif kind == "lowered":
            yield Token("index", "".join(LOWERED_SIGNS[c] for c in text))
        elif kind == "index":
            # Round brackets belong to it: M_(1) is the least of several.
            yield Token("index", text[2:-1] if text[1] == "{" else text[1:])
        elif kind == "star":
            yield Token("power", "*")
        else:
            yield Token(kind, text)


def split_name(name: str) -> tuple[str, str, str]:
    """Letters, index and primes of a name.

    >>> split_name("u12"), split_name("w_1_2__"), split_name("log")
    (('u', '12', ''), ('w', '1,2', "''"), ('log', '', ''))
    """
    match = re.fullmatch(r"(.*?)(_*)", name)
    assert match is not None
    primes = "'" * len(match[2])
    # A letter is an index only after a "_": log is no o with index g.
    parts = re.fullmatch(rf"([^\d_]+)(?:_?([0-9][0-9_]*)|_([0-9{_LETTER_CLASS}]+))?", match[1])
    if parts is None:
        return match[1], "", primes
    return parts[1], (parts[2] or parts[3] or "").replace("_", ","), primes


def is_product(letters: str) -> bool:
    """Whether letters side by side are factors, and no word.

    >>> is_product("MN"), is_product("min"), is_product("alpha")
    (True, False, False)
    """
    if letters in LATEX_FUNCTIONS or letters in ROMAN_NAMES:
        return False
    return len(letters) <= _LONGEST_PRODUCT or not letters.isascii()


#: A style, "plain", "italic", "sub" or "sup", and a text, or pieces that are raised or lowered.
Piece: TypeAlias = "tuple[str, str | tuple[Piece, ...]]"


def typeset_formula(formula: str) -> tuple[Piece, ...]:
    """The pieces of a formula for a page that raises and lowers.

    >>> typeset_formula("x_i^2 ≤ 1")
    (('italic', 'x'), ('sub', (('italic', 'i'),)), ('sup', (('plain', '2'),)), ('plain', ' ≤ 1'))
    """
    pieces: list[Piece] = []

    def plain(text: str) -> None:
        if pieces and pieces[-1][0] == "plain":
            text = f"{pieces.pop()[1]}{text}"
        pieces.append(("plain", text))

    for token in tokens(formula):
        if token.kind == "name":
            letters, index, prime_marks = split_name(token.text)
            if letters in LATEX_FUNCTIONS or letters in ROMAN_NAMES:
                plain(letters)
            else:
                slanted = letters.lstrip("ΣΠ")
                if slanted != letters:
                    plain(letters.removesuffix(slanted))
                if slanted:
                    pieces.append(("italic", slanted))
            if index:
                pieces.append(("sub", typeset_formula(index)))
            if prime_marks:
                plain("′" * len(prime_marks))
        elif token.kind in ("power", "index"):
            inner = (("plain", "∗"),) if token.text == "*" else typeset_formula(token.text)
            pieces.append(("sup" if token.kind == "power" else "sub", inner))
        elif token.text == "*":
            plain("\u2009")
        else:
            plain(token.text.replace("-", "−"))
    return tuple(pieces)
