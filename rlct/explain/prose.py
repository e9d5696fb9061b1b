"""Formulas in plain sentences: where they begin and end.

Statements, hypotheses and theory pages are written for a terminal, with formulas in the middle
of a sentence.  Signs decide what is one: operators, Greek letters, indices, powers and single
letters; words, names with underscores, files and options never are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rlct.report.formulas import INDEX
from rlct.report.symbols import (
    GREEK_LETTERS,
    LATEX_ACCENTS,
    LATEX_FUNCTIONS,
    LOWERED_SIGNS,
    RAISED_SIGNS,
    ROMAN_NAMES,
)

__all__ = ["formulas_of", "mark_formulas"]

_LETTER = f"A-Za-z{GREEK_LETTERS}"
_AFTER = (
    rf"(?:[{''.join(LATEX_ACCENTS)}′″°]|[{''.join(RAISED_SIGNS)}{''.join(LOWERED_SIGNS)}]+"
    rf"|_(?:\{{[^{{}}]*\}}|\([^()]*\)|{INDEX}|[0-9{_LETTER}]{{1,3}}(?![{_LETTER}_])|[≥≤]\d+)"
    rf"|\^(?:-?\d+(?:/\d+)?|[{_LETTER}∗⁺∞½](?![A-Za-z])|\{{[^{{}}]*\}}|\((?:[^()]|\([^()]*\))*\))"
    rf"|∗|\*(?![0-9{_LETTER}(*])|'(?![A-Za-z])|±(?=[\s,.;)]))"
)
#: A function in a formula is followed by its argument or an index.
_NO_FUNCTION = rf"(?!(?:{'|'.join(sorted(LATEX_FUNCTIONS | ROMAN_NAMES))})[_(^])"
_TOKEN = re.compile(
    # Options, files, addresses, arguments and words with hyphens.
    r"(?P<word>(?=[^\W\d_]{3})[A-Za-z]*[À-ɏ][^\W\d_]*(?:['’]s)?|e\.g\.|i\.e\.|--?[a-z][\w-]+|\S*(?:://|arXiv:|\.md|\.py|\.toml|\.json)\S*"
    r"|[A-Za-z]\w+=[^\s,;]*|\d+(?:st|nd|th)\b"
    rf"|[{_LETTER}]\w*(?:[-–'’][A-Za-z]+)+|{_NO_FUNCTION}(?:[A-Za-z]{{2,}}_\w+|[A-Za-z]{{4,}}\w*))"
    rf"|(?P<atom>(?:[{_LETTER}ÊŶỸÃãℓℝℂ∇∂∫ΣΠ∞∅]+|\d+(?:\.\d+)?(?:/\d+)?|[½¼¾⅓⅔])(?:{_AFTER})*)"
    r"|(?P<operator>:=|[=<>≤≥≠≈∼≍∝∈∉⊂⊆⊃∪∩∖∧∨+−±∓·×/→↦⟺≪⊕⊗∘√∣~⊥]|(?<=\s)[-*](?=\s)"
    rf"|[|‖∥](?:{_AFTER})*)"
    r"|(?P<dots>[…⋯])"
    r"|(?P<open>[(\[{⌈⌊⟨])|(?P<close>[)\]}⌉⌋⟩](?:" + _AFTER + r")*)"
    r"|(?P<comma>,)"
    r"|(?P<space>[^\S\n]+|\n)"
    r"|(?P<word2>.)",
    re.DOTALL,
)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "of at is if or and for all the in by to on as be no so we it an are has not its per any "
        "one two but was can may see out up do new odd row set sum off own few let say yes nor "
        "too ten who how why way end my go vs cf mod If In At It Is No On Or So To We As By For "
        "All The An One Two Let Its Any How Not Are See Of Do",
    )
)
_ARTICLES = {"a", "A", "I"}
#: Words after which no term follows, so that an article before them is a letter.
_JOINTS = {
    *("for", "and", "if", "with", "is", "at", "or", "of", "by", "on", "in", "then", "where"),
    *("are", "both", "all", "as", "when", "to"),
}
_SUMS = set("ΣΠ∑∏∫")
_LEADING = set("−±≤≥<>=≠√|‖∥")
_BARS = tuple("|‖∥")


@dataclass(frozen=True)
class _Sign:
    kind: str
    text: str


def _signs(sentence: str) -> list[_Sign]:
    found = []
    for match in _TOKEN.finditer(sentence):
        kind = str(match.lastgroup)
        found.append(_Sign("word" if kind == "word2" else kind, match[0]))
    return [_Sign(_kind(found, k), sign.text) for k, sign in enumerate(found)]


def _base(text: str) -> str:
    match = re.match(rf"[{_LETTER}]+", text)
    return match[0] if match else ""


def _kind(signs: list[_Sign], k: int) -> str:
    """``"atom"`` of a formula for sure, ``"weak"`` if it may be one, or ``"word"``."""
    sign = signs[k]
    if sign.kind != "atom":
        return sign.kind
    text, base_letters = sign.text, _base(sign.text)
    if not base_letters:
        return "weak" if re.fullmatch(r"[\d./½¼¾⅓⅔]+", text) else "atom"
    if base_letters in LATEX_FUNCTIONS or base_letters in ROMAN_NAMES:
        after, touches = _beside(signs, k, 1)
        called = touches and after is not None and after.kind == "open"
        return (
            "atom"
            if text != base_letters
            else "weak"
            if base_letters in LATEX_FUNCTIONS or called
            else "word"
        )
    if text in _ARTICLES:
        return "atom" if _is_letter(signs, k) else "word"
    if len(base_letters) == 1 or not base_letters.isascii():
        return "atom"
    if base_letters in _WORDS:
        return "word"
    if text != base_letters:
        return (
            "atom"
            if len(base_letters) <= 3 and "_" not in text[: len(base_letters) + 1]
            else "word"
        )
    return "atom" if _between_operators(signs, k) else "word"


def _beside(signs: list[_Sign], k: int, step: int) -> tuple[_Sign | None, bool]:
    """The next sign that is no space, and whether it touches."""
    at = k + step
    while 0 <= at < len(signs) and signs[at].kind == "space":
        at += step
    return (signs[at] if 0 <= at < len(signs) else None), at == k + step


def _is_letter(signs: list[_Sign], k: int) -> bool:
    """Whether what may be an article is a letter of a formula."""
    (previous_sign, touches_previous), (next_sign, touches_next) = (
        _beside(signs, k, -1),
        _beside(signs, k, 1),
    )
    if next_sign is not None and (
        next_sign.kind == "operator" or (touches_next and next_sign.kind == "open")
    ):
        return True
    if previous_sign is None:
        return False
    if touches_previous and previous_sign.kind == "atom":
        return True
    operator = previous_sign.kind == "operator" or previous_sign.text in _SUMS
    if not operator and previous_sign.kind not in ("open", "comma"):
        return False
    if next_sign is None or next_sign.kind in ("close", "comma"):
        return True
    if (
        operator
        and next_sign.kind == "atom"
        and (len(next_sign.text) == 1 or next_sign.text != _base(next_sign.text))
    ):
        return True
    return next_sign.text in _JOINTS or (touches_next and next_sign.text in ".;:")


def _between_operators(signs: list[_Sign], k: int) -> bool:
    """Letters side by side are a product next to an operator."""
    if any(c.islower() for c in signs[k].text[1:]) and len(signs[k].text) > 2:
        return False
    (before, left), (after, right) = _beside(signs, k, -1), _beside(signs, k, 1)
    if left and right and before is not None and before.kind == "open" and after is not None:
        short = len(signs[k].text) == 2 and not set(signs[k].text) <= set("iv")
        if after.kind == "open" or (short and after.kind in ("comma", "close")):
            return True
    for sign, touches in ((before, left), (after, right)):
        if sign is None:
            continue
        if sign.kind == "operator" and (touches or sign.text not in "/|<>"):
            return True
        if touches and sign.kind == "atom" and not _base(sign.text):
            return True
    return False


def formulas_of(sentence: str) -> Iterator[tuple[bool, str]]:
    """Prose and formulas in turn.

    >>> list(formulas_of("So a_i ≤ 1/2 for a true_hidden unit."))
    [(False, 'So '), (True, 'a_i ≤ 1/2'), (False, ' for a true_hidden unit.')]
    """
    prose, sign_run = "", []
    for sign in [*_signs(sentence), _Sign("word", "")]:
        if sign.kind != "word":
            sign_run.append(sign)
            continue
        for inside, text in _cut(sign_run):
            if not inside:
                prose += text
                continue
            if prose:
                yield False, prose
            yield True, text
            prose = ""
        sign_run, prose = [], prose + sign.text
    if prose:
        yield False, prose


def _cut(sign_run: list[_Sign]) -> Iterator[tuple[bool, str]]:
    """Cut a run of signs at brackets without a partner and at commas outside brackets."""
    bracket_partners: dict[int, int] = {}
    waiting: list[int] = []
    for k, sign in enumerate(sign_run):
        if sign.kind == "open":
            waiting.append(k)
        elif sign.kind == "close" and waiting:
            bracket_partners[waiting.pop()] = k
    matched = {*bracket_partners, *bracket_partners.values()}
    part: list[_Sign] = []
    k = 0
    for k, sign in enumerate(sign_run):
        inside = any(a < k < b for a, b in bracket_partners.items())
        lonely = sign.kind in ("open", "close") and k not in matched
        if lonely or (sign.kind == "comma" and not inside):
            yield from _trimmed(part)
            yield False, sign.text
            part = []
        else:
            part.append(sign)
    yield from _trimmed(part)


def _trimmed(part: list[_Sign]) -> Iterator[tuple[bool, str]]:
    """Leave spaces and loose operators at the ends outside."""
    start, end = 0, len(part)
    while start < end and (
        part[start].kind in ("space", "comma")
        or (part[start].kind == "operator" and not _leads(part[start:end]))
    ):
        start += 1
    while start < end and (
        part[end - 1].kind in ("space", "comma")
        or (part[end - 1].kind == "operator" and not part[end - 1].text.startswith(_BARS))
        or (part[end - 1].kind == "weak" and part[end - 1].text in LATEX_FUNCTIONS | ROMAN_NAMES)
    ):
        end -= 1
    middle = part[start:end]
    kinds = [sign.kind for sign in middle]
    terms = kinds.count("atom") + kinds.count("weak") + kinds.count("close")
    if "atom" in kinds or ("operator" in kinds and terms):
        for inside, signs in ((False, part[:start]), (True, middle), (False, part[end:])):
            if signs:
                yield inside, "".join(sign.text for sign in signs)
    elif part:
        yield False, "".join(sign.text for sign in part)


def _leads(part: list[_Sign]) -> bool:
    return part[0].text in _LEADING and len(part) > 1


def mark_formulas(sentence: str) -> str:
    """Put the formulas of a sentence between backticks.

    Nothing is multiplied by a star here: one marks what is true, and is written ∗ in formulas.

    >>> mark_formulas("θ = a(ℓ−a) + 1 for a_ij, and λ(K) of the N-dimensional model")
    '`θ = a(ℓ−a) + 1` for `a_ij`, and `λ(K)` of the N-dimensional model'
    """
    pieces = formulas_of(sentence.replace("*", "∗"))
    return "".join(f"`{text}`" if inside else text.replace("∗", "*") for inside, text in pieces)
