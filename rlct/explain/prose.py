"""Formulas in strings of the code, which are for a terminal: where they begin and end.

Hypotheses, places and the working of theorems are one line of Unicode each.  The pages of the
theory mark their formulas themselves.
"""

from __future__ import annotations

import re
from typing import Final

from rlct.report.symbols import GREEK_LETTERS, LATEX_FUNCTIONS, ROMAN_NAMES

__all__ = ["mark_formulas"]

_LETTER: Final = f"A-Za-z{GREEK_LETTERS}"
_ROUND: Final = r"\((?:[^()]|\([^()]*\))*\)"
#: Indices, powers and marks of a letter or a bracket.
_AFTER: Final = (
    r"(?:[\u0302-\u0304′″'∗₀-₉₊₋ᵢⱼ⁰¹²³⁴-⁹⁺⁻ⁿᵐᵀˢ]"
    rf"|[_^](?:\{{[^{{}}]*\}}|{_ROUND}|[-−]?\d+(?:/\d+)?(?!\d)"
    rf"|[{_LETTER}\d∗]{{1,3}}(?![{_LETTER}])|[≤≥]\d+))*"
)
_FUNCTIONS: Final = "|".join(sorted(LATEX_FUNCTIONS | ROMAN_NAMES))
_NAME: Final = (
    rf"(?:(?<![A-Za-z])(?:{_FUNCTIONS}|pair(?=\())(?![A-Za-z])|[{GREEK_LETTERS}ℓℝ∂∇∞]"
    r"|(?<![A-Za-z])(?!(?:At|By|If|In|It|No|On|Or|So|To|We)\b)"
    r"(?:[A-Z]{1,3}[a-z]?|[a-z][A-Z]?)(?![a-z]|[-’.]\w))"
)
#: Between brackets stand names, numbers and signs; with words they are those of the sentence.
_INSIDE: Final = (
    rf"(?:[^()\[\]{{}}A-Za-z:]|(?<![A-Za-z])(?:[A-Za-z][A-Z]?|[A-Z][a-z]|{_FUNCTIONS})(?![A-Za-z]))"
)
_INNER: Final = rf"(?:{_INSIDE}|\((?:{_INSIDE}|\({_INSIDE}*\))*\))*"
_GROUP: Final = rf"(?:\({_INNER}\)|\[{_INNER}\]|\{{{_INNER}\}}|⌈{_INNER}⌉|⌊{_INNER}⌋)"
_NUMBER: Final = r"(?:\d+(?:\.\d+)?(?!\d|st\b|nd\b|rd\b|th\b|-)|[½¼¾⅓⅔…⋯])"
_SIGN: Final = r"(?::=|[-=<>≤≥≠≈∼≍∝∈∉⊂∪∩∖+−±·×/→↦⊗∘∗~⊥|])"
_ATOM: Final = rf"√?(?:{_NAME}|{_NUMBER}|{_GROUP}|[|‖](?:{_INSIDE}|{_GROUP})+?[|‖]){_AFTER}"
_FORMULA: Final = re.compile(
    rf"(?<![\w'/.-])(?:[=≤≥−±]\s?)?{_ATOM}(?:(?:[ ]?|\s*{_SIGN}\s*[−±]?){_ATOM})*(?!\w|[-.]\w)"
)
#: Numbers, an article, an acronym, a name of a function by itself.
_PROSE: Final = re.compile(
    rf"[\d\s.,½¼¾⅓⅔…/()\[\]-]+|[aAI]|[A-Z]{{2,3}}|[aA] \w+|(?:{_FUNCTIONS})(?: \d+)?"
)


def mark_formulas(sentence: str) -> str:
    """Put the formulas of a sentence between backticks.

    Nothing is multiplied by a star here: one marks what is true, and is written ∗ in formulas.

    >>> mark_formulas("θ = a(ℓ−a) + 1 for a_ij, and λ(K) of the N-dimensional model")
    '`θ = a(ℓ−a) + 1` for `a_ij`, and `λ(K)` of the N-dimensional model'
    """
    pieces, end = [], 0
    sentence = sentence.replace("*", "∗")
    for match in _FORMULA.finditer(sentence):
        if not _PROSE.fullmatch(match[0]):
            pieces += [sentence[end : match.start()].replace("∗", "*"), f"`{match[0]}`"]
            end = match.end()
    return "".join([*pieces, sentence[end:].replace("∗", "*")])
