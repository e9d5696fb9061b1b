"""Formulas in sentences: written once as Unicode, shown as text, Markdown, LaTeX or HTML.

A sentence of an explanation holds its formulas between backticks, as in
``"so `λ = 1/4`"``.  In a terminal they stand as they are; LaTeX and HTML are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

__all__ = ["html", "latex", "latex_math", "markdown", "text"]

_POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLACES = "₀₁₂₃₄₅₆₇₈₉"
_MACROS = {
    "α": r"\alpha",
    "β": r"\beta",
    "γ": r"\gamma",
    "δ": r"\delta",
    "ε": r"\varepsilon",
    "ζ": r"\zeta",
    "η": r"\eta",
    "θ": r"\theta",
    "κ": r"\kappa",
    "λ": r"\lambda",
    "μ": r"\mu",
    "ν": r"\nu",
    "ξ": r"\xi",
    "π": r"\pi",
    "ρ": r"\rho",
    "σ": r"\sigma",
    "τ": r"\tau",
    "φ": r"\varphi",
    "χ": r"\chi",
    "ψ": r"\psi",
    "ω": r"\omega",
    "Γ": r"\Gamma",
    "Δ": r"\Delta",
    "Θ": r"\Theta",
    "Λ": r"\Lambda",
    "Π": r"\prod",
    "Σ": r"\sum",
    "Φ": r"\Phi",
    "Ω": r"\Omega",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "∼": r"\sim",
    "∈": r"\in",
    "∞": r"\infty",
    "∂": r"\partial",
    "√": r"\surd",
    "·": r"\cdot",
    "×": r"\times",
    "±": r"\pm",
    "→": r"\to",
    "↦": r"\mapsto",
    "⊂": r"\subset",
    "⊆": r"\subseteq",
    "⌈": r"\lceil",
    "⌉": r"\rceil",
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "…": r"\ldots",
    "⋯": r"\cdots",
    "ℓ": r"\ell",
    "−": "-",
    "‖": r"\Vert",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "½": r"\frac{1}{2}",
    "¼": r"\frac{1}{4}",
    "∖": r"\setminus",
    "₊": "_{+}",
    "₋": "_{-}",
    "⁺": "^{+}",
    "∘": r"\circ",
    "∅": r"\emptyset",
    "′": "'",
    "⊗": r"\otimes",
    "∪": r"\cup",
    "∩": r"\cap",
    "∥": r"\Vert",
    "⊥": r"\perp",
    "∑": r"\sum",
    "∫": r"\int",
    "∏": r"\prod",
    "ᵢ": "_{i}",
    "ⱼ": "_{j}",
    "ᵀ": "^{T}",
    "ⁿ": "^{n}",
    "ᵐ": "^{m}",
    "⁻": "^{-}",
    "ℝ": r"\mathbb{R}",
    "ℂ": r"\mathbb{C}",
}
_GREEK = "α-ωΑ-Ω"
_TOKEN = re.compile(
    r"(?P<fraction>\d+/\d+(?![\d/]))"
    r"|(?P<number>\d+)"
    rf"|(?P<name>[A-Za-z{_GREEK}]+[0-9]*(?:_[0-9a-z]+)*_*)"
    rf"|(?P<power>\^(?:-?\d+(?:/\d+)?|[A-Za-z{_GREEK}]|\([^()]*\)))"
    rf"|(?P<raised>[{_POWERS}]+)|(?P<lowered>[{_PLACES}]+)"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
#: Names of functions stand upright.
_UPRIGHT = {"log", "min", "max", "exp", "deg", "dim"}
#: Words between formulas keep the spaces around them.
_WORDS = {"with"}


def _pieces(sentence: str) -> Iterator[tuple[bool, str]]:
    """Prose and formulas in turn."""
    for k, piece in enumerate(sentence.split("`")):
        if piece:
            yield k % 2 == 1, piece


def _shown(
    sentence: str, formula: Callable[[str], str], prose: Callable[[str], str] = lambda t: t
) -> str:
    return "".join(formula(p) if inside else prose(p) for inside, p in _pieces(sentence))


def text(sentence: str) -> str:
    """Show a sentence in a terminal.

    >>> text("so `λ = 1/4`")
    'so λ = 1/4'
    """
    return sentence.replace("`", "")


def markdown(sentence: str) -> str:
    r"""Show a sentence in Markdown with formulas between dollars.

    >>> print(markdown("K = `x^12*u1_` and M_1"))
    K = $x^{12}\,u_{1}'$ and M\_1
    """
    return _shown(sentence, lambda f: f"${latex_math(f)}$", _marked)


def _marked(prose: str) -> str:
    return re.sub(r"([*_\\<>|#\[\]])", r"\\\1", prose)


def latex(sentence: str) -> str:
    r"""Show a sentence in LaTeX.

    >>> print(latex("50 % of `λ`, θ"))
    50 \% of $\lambda$, $\theta$
    """
    return _shown(sentence, lambda f: f"${latex_math(f)}$", _plain_latex)


_SPECIAL = {
    **{c: f"\\{c}" for c in "%&#_{}$"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
}


_ACCENTS = {"\u0302": "hat", "\u0303": "tilde"}


def _plain_latex(prose: str) -> str:
    shown: list[str] = []
    for c in prose:
        if c in _ACCENTS:
            shown[-1] = rf"$\{_ACCENTS[c]}{{{shown[-1].strip('$')}}}$"
        elif c in _SPECIAL:
            shown.append(_SPECIAL[c])
        elif c in _MACROS:
            shown.append(f"${_MACROS[c]}$")
        elif c in _POWERS:
            shown.append(f"$^{_POWERS.index(c)}$")
        elif c in _PLACES:
            shown.append(f"$_{_PLACES.index(c)}$")
        else:
            shown.append(c)
    return "".join(shown).replace("$$", "")  # two formulas side by side are one


def latex_math(formula: str) -> str:
    r"""Write a formula in the language of LaTeX.

    >>> print(latex_math("1/2*x^2*u12 - |y|^(3/2) ≤ λ"))
    \frac{1}{2}\,x^{2}\,u_{12} - |y|^{3/2} \leq \lambda
    >>> print(latex_math("t^(v·c/2), α^2 = 2 with 1 < α"))
    t^{v\cdot c/2}, \alpha^{2} = 2 \ \mathrm{with}\  1 < \alpha
    """
    parts: list[str] = []
    for match in _TOKEN.finditer(formula):
        kind, piece = match.lastgroup, match[0]
        if kind == "fraction":
            top, bottom = piece.split("/")
            parts.append(rf"\frac{{{top}}}{{{bottom}}}")
        elif kind == "name":
            parts.append(_latex_name(piece))
        elif kind == "power":
            # A fraction that is raised stays on its line.
            above = "/".join(map(latex_math, _inside(piece).split("/")))
            parts.append(f"^{{{above}}}")
        elif kind == "raised":
            parts.append(f"^{{{_digits(piece, _POWERS)}}}")
        elif kind == "lowered":
            parts.append(f"_{{{_digits(piece, _PLACES)}}}")
        elif kind == "space":
            parts.append(" ")
        elif piece == "*":
            parts.append(r"\,")
        elif piece in "{}%#&$":
            parts.append(f"\\{piece}")
        elif piece in _MACROS:
            parts.append(_MACROS[piece])
        else:
            parts.append(piece)
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """A macro and a letter after it need a space between them."""
    whole = ""
    for part in parts:
        if re.search(r"\\[A-Za-z]+\Z", whole) and part[:1].isalpha():
            whole += " "
        whole += part
    return whole


def _inside(power: str) -> str:
    found = power[1:]
    return found[1:-1] if found.startswith("(") else found


def _digits(piece: str, alphabet: str) -> str:
    return "".join(str(alphabet.index(c)) for c in piece)


def _split(name: str) -> tuple[str, str, str]:
    """Letters, index and primes of a name."""
    match = re.fullmatch(r"(.*?)(_*)", name)
    assert match is not None
    primes = "'" * len(match[2])
    # A letter is an index only after a "_": log is no o with index g.
    parts = re.fullmatch(r"(\D+?)(?:_?([0-9][0-9_]*)|_([a-z]+))?", match[1]) if match[1] else None
    if parts is None:
        return match[1], "", primes
    return parts[1], (parts[2] or parts[3] or "").replace("_", ","), primes


def _latex_name(name: str) -> str:
    if name in _UPRIGHT:
        return rf"\{name}"
    if name in _WORDS:
        return rf"\ \mathrm{{{name}}}\ "
    if len(name) > 1 and name.isalpha() and name.islower() and name.isascii():
        return rf"\mathrm{{{name}}}"
    letters, index, primes = _split(name)
    shown = "".join(_MACROS.get(c, c) + (" " if c in _MACROS else "") for c in letters).strip()
    if len(letters) > 1:
        shown = rf"\mathrm{{{letters}}}" if letters.isascii() else shown
    shown = shown.replace("_", r"\_")
    return shown + (f"_{{{index}}}" if index else "") + primes


def html(sentence: str) -> str:
    """Show a sentence in HTML that needs no script: powers and indices are raised and lowered.

    >>> print(html("K = `x^2*u1` < 1"))
    K = <span class="math"><i>x</i><sup>2</sup>\u2009<i>u</i><sub>1</sub></span> &lt; 1
    >>> print(html("`t^λ·log(n)`"))
    <span class="math"><i>t</i><sup><i>λ</i></sup>·log(<i>n</i>)</span>
    """
    return _shown(sentence, lambda f: f'<span class="math">{_html_math(f)}</span>', escape)


def _html_math(formula: str) -> str:
    parts = []
    for match in _TOKEN.finditer(formula):
        kind, piece = match.lastgroup, match[0]
        if kind == "name":
            letters, index, primes = _split(piece)
            slanted = letters if piece in _UPRIGHT else f"<i>{escape(letters)}</i>"
            parts.append(slanted + (f"<sub>{index}</sub>" if index else "") + "′" * len(primes))
        elif kind == "power":
            parts.append(f"<sup>{_html_math(_inside(piece))}</sup>")
        elif kind == "raised":
            parts.append(f"<sup>{_digits(piece, _POWERS)}</sup>")
        elif kind == "lowered":
            parts.append(f"<sub>{_digits(piece, _PLACES)}</sub>")
        elif piece == "*":
            parts.append("\u2009")
        else:
            parts.append(escape(piece.replace("-", "−")))
    return "".join(parts)
