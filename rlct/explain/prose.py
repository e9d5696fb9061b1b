"""Formulas in plain sentences: where they begin and end.

Statements, hypotheses and theory pages are written for a terminal, with formulas in the middle
of a sentence.  Signs decide what is one: operators, Greek letters, indices, powers and single
letters; words, names with underscores, files and options never are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rlct.explain.formulas import INDEX
from rlct.explain.symbols import ACCENTS, FUNCTIONS, GREEK, LOWERED, NAMED, RAISED

__all__ = ["formulas_of", "marked"]

_LETTER = f"A-Za-z{GREEK}"
_AFTER = (
    rf"(?:[{''.join(ACCENTS)}′″°]|[{''.join(RAISED)}{''.join(LOWERED)}]+"
    rf"|_(?:\{{[^{{}}]*\}}|\([^()]*\)|{INDEX}|[0-9{_LETTER}]{{1,3}}(?![{_LETTER}_])|[≥≤]\d+)"
    rf"|\^(?:-?\d+(?:/\d+)?|[{_LETTER}∗⁺∞½](?![A-Za-z])|\{{[^{{}}]*\}}|\((?:[^()]|\([^()]*\))*\))"
    rf"|∗|\*(?![0-9{_LETTER}(*])|'(?![A-Za-z])|±(?=[\s,.;)]))"
)
#: A function in a formula is followed by its argument or an index.
_NO_FUNCTION = rf"(?!(?:{'|'.join(sorted(FUNCTIONS | NAMED))})[_(^])"
_TOKEN = re.compile(
    # Options, files, addresses, arguments and words with hyphens.
    r"(?P<word>(?=[^\W\d_]{3})[A-Za-z]*[À-ɏ][^\W\d_]*(?:['’]s)?|e\.g\.|i\.e\.|--?[a-z][\w-]+|\S*(?:://|arXiv:|\.md|\.py|\.toml|\.json)\S*"
    r"|[A-Za-z]\w+=[^\s,;]*|\d+(?:st|nd|th)\b"
    rf"|[{_LETTER}]\w*(?:[-–'’][A-Za-z]+)+|{_NO_FUNCTION}(?:[A-Za-z]{{2,}}_\w+|[A-Za-z]{{4,}}\w*))"
    rf"|(?P<atom>(?:[{_LETTER}ÊŶỸÃãℓℝℂ∇∂∫ΣΠ∞∅]+|\d+(?:\.\d+)?(?:/\d+)?|[½¼¾⅓⅔])(?:{_AFTER})*)"
    r"|(?P<operator>[=<>≤≥≠≈∼≍∝∈∉⊂⊆⊃∪∩∖∧∨+−±∓·×/→↦⟺≪⊕⊗∘√∣~⊥]|(?<=\s)[-*](?=\s)"
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
    text, base = sign.text, _base(sign.text)
    if not base:
        return "weak" if re.fullmatch(r"[\d./½¼¾⅓⅔]+", text) else "atom"
    if base in FUNCTIONS or base in NAMED:
        after, touches = _beside(signs, k, 1)
        called = touches and after is not None and after.kind == "open"
        return "atom" if text != base else "weak" if base in FUNCTIONS or called else "word"
    if text in _ARTICLES:
        return "atom" if _is_letter(signs, k) else "word"
    if len(base) == 1 or not base.isascii():
        return "atom"
    if base in _WORDS:
        return "word"
    if text != base:
        return "atom" if len(base) <= 3 and "_" not in text[: len(base) + 1] else "word"
    return "atom" if _between_operators(signs, k) else "word"


def _beside(signs: list[_Sign], k: int, step: int) -> tuple[_Sign | None, bool]:
    """The next sign that is no space, and whether it touches."""
    at = k + step
    while 0 <= at < len(signs) and signs[at].kind == "space":
        at += step
    return (signs[at] if 0 <= at < len(signs) else None), at == k + step


def _is_letter(signs: list[_Sign], k: int) -> bool:
    """Whether what may be an article is a letter of a formula."""
    (before, left), (after, right) = _beside(signs, k, -1), _beside(signs, k, 1)
    if after is not None and (after.kind == "operator" or (right and after.kind == "open")):
        return True
    if before is None:
        return False
    if left and before.kind == "atom":
        return True
    operator = before.kind == "operator" or before.text in _SUMS
    if not operator and before.kind not in ("open", "comma"):
        return False
    if after is None or after.kind in ("close", "comma"):
        return True
    if (
        operator
        and after.kind == "atom"
        and (len(after.text) == 1 or after.text != _base(after.text))
    ):
        return True
    return after.text in _JOINTS or (right and after.text in ".;:")


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
    prose, run = "", []
    for sign in [*_signs(sentence), _Sign("word", "")]:
        if sign.kind != "word":
            run.append(sign)
            continue
        for inside, text in _cut(run):
            if not inside:
                prose += text
                continue
            if prose:
                yield False, prose
            yield True, text
            prose = ""
        run, prose = [], prose + sign.text
    if prose:
        yield False, prose


def _cut(run: list[_Sign]) -> Iterator[tuple[bool, str]]:
    """Cut a run of signs at brackets without a partner and at commas outside brackets."""
    partners: dict[int, int] = {}
    waiting: list[int] = []
    for k, sign in enumerate(run):
        if sign.kind == "open":
            waiting.append(k)
        elif sign.kind == "close" and waiting:
            partners[waiting.pop()] = k
    matched = {*partners, *partners.values()}
    part: list[_Sign] = []
    k = 0
    for k, sign in enumerate(run):
        inside = any(a < k < b for a, b in partners.items())
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
    low, high = 0, len(part)
    while low < high and (
        part[low].kind in ("space", "comma")
        or (part[low].kind == "operator" and not _leads(part[low:high]))
    ):
        low += 1
    while low < high and (
        part[high - 1].kind in ("space", "comma")
        or (part[high - 1].kind == "operator" and not part[high - 1].text.startswith(_BARS))
        or (part[high - 1].kind == "weak" and part[high - 1].text in FUNCTIONS | NAMED)
    ):
        high -= 1
    middle = part[low:high]
    kinds = [sign.kind for sign in middle]
    terms = kinds.count("atom") + kinds.count("weak") + kinds.count("close")
    if "atom" in kinds or ("operator" in kinds and terms):
        for inside, some in ((False, part[:low]), (True, middle), (False, part[high:])):
            if some:
                yield inside, "".join(sign.text for sign in some)
    elif part:
        yield False, "".join(sign.text for sign in part)


def _leads(part: list[_Sign]) -> bool:
    return part[0].text in _LEADING and len(part) > 1


def marked(sentence: str) -> str:
    """Put the formulas of a sentence between backticks.

    Nothing is multiplied by a star here: one marks what is true, and is written ∗ in formulas.

    >>> marked("θ = a(ℓ−a) + 1 for a_ij, and λ(K) of the N-dimensional model")
    '`θ = a(ℓ−a) + 1` for `a_ij`, and `λ(K)` of the N-dimensional model'
    """
    pieces = formulas_of(sentence.replace("*", "∗"))
    return "".join(f"`{text}`" if inside else text.replace("∗", "*") for inside, text in pieces)
