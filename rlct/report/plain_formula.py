r"""Formulas of the theory pages, which are LaTeX, as one line of Unicode for a terminal.

The subset that the pages use is small: signs, powers, indices, fractions, roots and accents.
Spaces are those of the source, less the ones that only end a macro.
"""

import re
import unicodedata
from typing import Final

from rlct.errors import InputError
from rlct.report.symbols import LATEX_ACCENTS, LATEX_FUNCTIONS, LATEX_MACROS

_TOKEN_PATTERN: Final = re.compile(r"\\(?:[A-Za-z]+|.)|\s+|.", re.DOTALL)
_FUNCTION_NAMES: Final = {f"\\{name}": name for name in LATEX_FUNCTIONS}
_SUM_SIGNS: Final = {r"\sum": "Σ", r"\prod": "Π", r"\int": "∫"}
_SIGN_OF: Final = {
    **{macro: sign for sign, macro in LATEX_MACROS.items() if macro.startswith("\\")},
    **{r"\Sigma": "Σ", r"\Pi": "Π", r"\Psi": "Ψ", r"\Xi": "Ξ", r"\sim": "~", r"\Vert": "‖"},
    **{r"\lbrace": "{", r"\rbrace": "}", r"\vert": "|", r"\mid": "|", r"\ast": "∗"},
    **{r"\succeq": "⪰", r"\qquad": " ", r"\quad": " ", "\\ ": " ", r"\ldots": "…"},
    **{"-": "−", "'": "′", "*": "∗", r"\%": "%", r"\#": "#", r"\left": "", r"\right": ""},
    **_FUNCTION_NAMES,
    **_SUM_SIGNS,
}
_ACCENT_SIGNS: Final = {f"\\{name}": sign for sign, name in LATEX_ACCENTS.items()}
_RAISED_DIGITS: Final = str.maketrans("0123456789+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_LOWERED_DIGITS: Final = str.maketrans("0123456789+−", "₀₁₂₃₄₅₆₇₈₉₊₋")
_RAISED_SIGNS: Final = {"T": "ᵀ", "∘": "°", "∗": "∗", "′": "′"}
_SMALL_FRACTIONS: Final = {"1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}
_BLACKBOARD_LETTERS: Final = {"R": "ℝ", "C": "ℂ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ"}
#: After these a sign is that of one term.
_BEFORE_SIGN: Final = re.compile(r"(?:^|[=(,<≤≠]|[ΣΠ]\S*)\s*$")
_OPENING_BRACKETS: Final = "{⌈⌊⟨"
_CLOSING_BRACKETS: Final = "}⌉⌋⟩"
_ATOM_PATTERN: Final = re.compile(
    r"[\d.]+|\w[̂̃̄]?[₀-₉′∗]*(?:_\w+)?|[^\W\d]\(\w+\)|\|[^|]*\||\([^()]*\)"
)


def plain_formula(latex: str) -> str:
    r"""Write a formula in Unicode.

    The formula comes without dollars.  InputError if it has a macro that is not known here, or a
    brace without its partner.

    >>> plain_formula(r"\lambda = \frac{M a + r}{4} \leq x_{ij}^{2} e^{-nK}")
    'λ = (M a + r)/4 ≤ x_ij² e^(−nK)'
    >>> plain_formula(r"\sum_{j\leq\ell+1} M_{(j)}^{1/2}, H_{0} \hat{\alpha} b")
    'Σ_{j≤ℓ+1} M_(j)^(1/2), H₀ α̂ b'
    """
    return _Reader(latex).row()


class _Reader:
    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.ahead = _TOKEN_PATTERN.findall(latex)[::-1]

    def row(self, end: str = "") -> str:
        """Read what stands before a closing brace, or all."""
        text = ""
        while self.ahead:
            token = self.ahead.pop()
            if token == end:
                return text
            sign = self._sign(token)
            if token in _SIGN_OF and token[0] == "\\" and self.ahead and self.ahead[-1].isspace():
                self._end_macro(token, sign, text)
            text += sign
        if end:
            raise InputError(f"no closing brace in the formula {self.latex}")
        return re.sub(" +", " ", text.replace("′′", "″"))

    def _sign(self, token: str) -> str:
        if token in _SIGN_OF:
            return _SIGN_OF[token]
        if token in "^_":
            return (_power if token == "^" else _index)(self._argument())
        if token in _ACCENT_SIGNS:
            return unicodedata.normalize("NFC", self._argument() + _ACCENT_SIGNS[token])
        if token in (r"\mathrm", r"\text"):
            return self._argument()
        if token == r"\mathbb":
            return _BLACKBOARD_LETTERS.get(letter := self._argument(), letter)
        if token == r"\sqrt":
            return f"√{_bracketed(self._argument())}"
        if token in (r"\frac", r"\tfrac"):
            return _fraction(self._argument(), self._argument(), token == r"\tfrac")
        if token == "{":
            return self.row("}")
        if token.startswith("\\") or token in "}$":
            raise InputError(f"{token} is unknown in the formula {self.latex}")
        return token

    def _argument(self) -> str:
        while self.ahead and self.ahead[-1].isspace():
            self.ahead.pop()
        if not self.ahead:
            raise InputError(f"the formula {self.latex} ends too early")
        return self._sign(self.ahead.pop())

    def _end_macro(self, token: str, sign: str, before: str) -> None:
        """Drop the space after a macro if it only ends it: a λ b has it on both sides."""
        if token in _FUNCTION_NAMES or token in _SUM_SIGNS or sign in _CLOSING_BRACKETS:
            return
        letter = len(self.ahead) > 1 and re.match("[A-Za-z]", self.ahead[-2])
        after = before[-1:] not in ("", " ")
        bar = token == r"\vert"
        close = letter if sign.isalpha() or sign in "∂∇∞‖" else after and (letter or not bar)
        # A bar that no other one closes is that of a condition.
        opens = sign in _OPENING_BRACKETS or (
            bar and before.count("|") % 2 == 0 and token in self.ahead
        )
        if close or opens or (sign in "±∓⊗" and _BEFORE_SIGN.search(before)):
            self.ahead.pop()


def _power(inner: str) -> str:
    if re.fullmatch(r"[\d+−]+", inner):
        return inner.translate(_RAISED_DIGITS)
    if inner in _RAISED_SIGNS:
        return _RAISED_SIGNS[inner]
    if inner.startswith("∗"):
        return f"∗{_power(inner[1:].strip())}"
    plain = len(inner) == 1 or re.fullmatch(r"\([^()]*\)", inner)
    return f"^{inner if plain else f'({inner})'}"


def _index(inner: str) -> str:
    if re.fullmatch(r"[\d+−]+", inner):
        return inner.translate(_LOWERED_DIGITS)
    plain = re.fullmatch(r"[^\W_]+|[≤≥]\d+|±|\([^()]*\)", inner)
    return f"_{inner if plain else f'{{{inner}}}'}"


def _fraction(top: str, bottom: str, small: bool) -> str:
    if small and f"{top}/{bottom}" in _SMALL_FRACTIONS:
        return _SMALL_FRACTIONS[f"{top}/{bottom}"]
    outside = re.sub(r"\((?:[^()]|\([^()]*\))*\)", "", top)
    return f"{f'({top})' if re.search('[ +−]', outside) else top}/{_bracketed(bottom)}"


def _bracketed(text: str) -> str:
    return text if _ATOM_PATTERN.fullmatch(text) else f"({text})"
