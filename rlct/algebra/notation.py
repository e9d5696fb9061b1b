"""What may have been meant by a polynomial in the notation of paper, LaTeX or other programs."""

import re
from typing import Final

from rlct.algebra.names import implied_product

_LONGEST_TEXT: Final = 300  # characters of a text that is worth a guess
_TEX_GAPS = re.compile(r"\\(?:[,;:! ]|quad\b|qquad\b|left\b|right\b|displaystyle\b)|[$]|\\[()\[\]]")
_TEX_FRACTION = re.compile(r"\\[dt]?frac\s*(\{[^{}]*\}|\w)\s*(\{[^{}]*\}|\w)")
_UP_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_REPLACED_SIGNS = {
    **{letter: f"^{digit}" for digit, letter in enumerate(_UP_DIGITS)},
    **dict.fromkeys(("\\cdot", "\\times", "\\ast", "·", "⋅", "×"), "*"),
    **{"−": "-", "–": "-", "{": "(", "}": ")", "[": "(", "]": ")"},
}
_TEXT_PIECE = re.compile(r"\*\*|\d+(?:\.\d+)?|[^\W\d]+[\d_]*|\S")


def plain_notation(text: str) -> str:
    r"""Rewrite a text with ``*`` between factors and ``^`` before exponents; a guess.

    >>> plain_notation("2xy + x^2 y^4"), plain_notation(r"\frac{1}{2} x^{2}\left(y+1\right)")
    ('2*x*y+x^2*y^4', '1/2*x^2*(y+1)')
    >>> plain_notation("K = x(y+1)")
    'x*(y+1)'
    """
    if len(text) > _LONGEST_TEXT or re.search(r"\d[jJ]\b", text):
        return ""
    text = re.sub(r"={1,2}\s*0\s*$", "", text)
    text = re.sub(r"^\s*\w+(?:\([\w\s,]*\))?\s*=(?!=)", "", text)
    text = _TEX_FRACTION.sub(r"(\1/\2)", _TEX_GAPS.sub(" ", re.sub(r"_\{(\w+)\}", r"_\1", text)))
    text = re.sub(rf"(?<=[{_UP_DIGITS}])(?=[{_UP_DIGITS}])", "\0", text)  # digits of one exponent
    for old, new in _REPLACED_SIGNS.items():
        text = text.replace(f"\0{old}", new[1:]).replace(old, new)
    pieces: list[str] = []
    for piece in _TEXT_PIECE.findall(text):
        follows = bool(pieces) and (pieces[-1] == ")" or pieces[-1][-1].isalnum())
        if follows and (piece == "(" or piece[0].isalnum()):
            pieces.append("*")
        pieces.append(implied_product(piece) or piece)
    found = "".join(pieces)
    while found != (simple := re.sub(r"(?<![\w)])\((\w+|\(\w+/\w+\))\)(?!\w)", r"\1", found)):
        found = simple
    return re.sub(r"(?<![\w)^*/-])\((\w+/\w+)\)(?=\*)", r"\1", found)
