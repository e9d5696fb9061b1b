"""Formulas in strings of the code, which are for a terminal: where they begin and end.

Hypotheses, places and the working of theorems are one line of Unicode each.  The pages of the
theory mark their formulas themselves.
"""

import re
from typing import Final

from rlct.report.symbols import GREEK_LETTERS, LATEX_FUNCTIONS, ROMAN_NAMES

_LETTER_CLASS: Final = f"A-Za-z{GREEK_LETTERS}"
_ROUND_BRACKETS: Final = r"\((?:[^()]|\([^()]*\))*\)"
#: Indices, powers and marks of a letter or a bracket.
_AFTER_LETTER: Final = (
    r"(?:[\u0302-\u0304′″'∗₀-₉₊₋ᵢⱼ⁰¹²³⁴-⁹⁺⁻ⁿᵐᵀˢ]"
    rf"|[_^](?:\{{[^{{}}]*\}}|{_ROUND_BRACKETS}|[-−]?\d+(?:/\d+)?(?!\d)"
    rf"|[{_LETTER_CLASS}\d∗]{{1,3}}(?![{_LETTER_CLASS}])|[≤≥]\d+))*"
)
_FUNCTION_WORD: Final = "|".join(sorted(LATEX_FUNCTIONS | ROMAN_NAMES))
_SYMBOL_NAME: Final = (
    rf"(?:(?<![A-Za-z])(?:{_FUNCTION_WORD}|pair(?=\())(?![A-Za-z])|[{GREEK_LETTERS}ℓℝ∂∇∞]"
    r"|(?<![A-Za-z])(?!(?:At|By|If|In|It|No|On|Or|So|To|We)\b)"
    r"(?:[A-Z]{1,3}[a-z]?|[a-z][A-Z]?)(?![a-z]|[-’.]\w))"
)
#: Between brackets stand names, numbers and signs; with words they are those of the sentence.
_BARE_CONTENT: Final = (
    r"(?:[^()\[\]{}A-Za-z:]"
    rf"|(?<![A-Za-z])(?:[A-Za-z][A-Z]?|[A-Z][a-z]|{_FUNCTION_WORD})(?![A-Za-z]))"
)
_NESTED_CONTENT: Final = rf"(?:{_BARE_CONTENT}|\((?:{_BARE_CONTENT}|\({_BARE_CONTENT}*\))*\))*"
_BRACKET_GROUP: Final = (
    rf"(?:\({_NESTED_CONTENT}\)|\[{_NESTED_CONTENT}\]|\{{{_NESTED_CONTENT}\}}"
    rf"|⌈{_NESTED_CONTENT}⌉|⌊{_NESTED_CONTENT}⌋)"
)
_PLAIN_NUMBER: Final = r"(?:\d+(?:\.\d+)?(?!\d|st\b|nd\b|rd\b|th\b|-)|[½¼¾⅓⅔…⋯])"
_BINARY_SIGN: Final = r"(?::=|[-=<>≤≥≠≈∼≍∝∈∉⊂∪∩∖+−±·×/→↦⊗∘∗~⊥|])"
_FORMULA_ATOM: Final = (
    rf"√?(?:{_SYMBOL_NAME}|{_PLAIN_NUMBER}|{_BRACKET_GROUP}"
    rf"|[|‖](?:{_BARE_CONTENT}|{_BRACKET_GROUP})+?[|‖]){_AFTER_LETTER}"
)
_WHOLE_FORMULA: Final = re.compile(
    rf"(?<![\w'/.-])(?:[=≤≥−±]\s?)?{_FORMULA_ATOM}"
    rf"(?:(?:[ ]?|\s*{_BINARY_SIGN}\s*[−±]?){_FORMULA_ATOM})*(?!\w|[-.]\w)"
)
#: Numbers, an article, an acronym, a name of a function by itself.
_PROSE_WORDS: Final = re.compile(
    rf"[\d\s.,½¼¾⅓⅔…/()\[\]-]+|[aAI]|[A-Z]{{2,3}}|[aA] \w+|(?:{_FUNCTION_WORD})(?: \d+)?"
)


def mark_formulas(sentence: str) -> str:
    """Put the formulas of a sentence between backticks.

    Nothing is multiplied by a star here: one marks what is true, and is written ∗ in formulas.

    >>> mark_formulas("θ = a(ℓ−a) + 1 for a_ij, and λ(K) of the N-dimensional model")
    '`θ = a(ℓ−a) + 1` for `a_ij`, and `λ(K)` of the N-dimensional model'
    """
    pieces, end = [], 0
    sentence = sentence.replace("*", "∗")
    for match in _WHOLE_FORMULA.finditer(sentence):
        if not _PROSE_WORDS.fullmatch(match[0]):
            pieces += [sentence[end : match.start()].replace("∗", "*"), f"`{match[0]}`"]
            end = match.end()
    return "".join([*pieces, sentence[end:].replace("∗", "*")])
