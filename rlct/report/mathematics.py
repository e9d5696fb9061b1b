"""Formulas in sentences: written once as Unicode, shown as text, Markdown, LaTeX or HTML.

A sentence of an explanation holds its formulas between backticks, as in
``"so `λ = 1/4`"``.  In a terminal they stand as they are; LaTeX and HTML are made from them.
A sentence of a theory page has them as LaTeX between dollars, and the text is made from that.
"""

import re
from collections.abc import Callable
from functools import partial
from html import escape

from rlct.errors import InputError
from rlct.report.formulas import Piece, is_product, split_name, tokens, typeset_formula
from rlct.report.plain_formula import plain_formula
from rlct.report.symbols import (
    LATEX_ACCENTS,
    LATEX_FUNCTIONS,
    LATEX_MACROS,
    LOWERED_SIGNS,
    RAISED_SIGNS,
)

#: Indices that are words.
_INDEX_WORDS = {"in", "out", "max", "min"}


def _shown(
    sentence: str,
    written: Callable[[str], str],
    prose: Callable[[str], str] = lambda t: t,
    from_latex: Callable[[str], str] = lambda t: f"${t}$",
) -> str:
    """Prose, formulas in one line of Unicode, and those in LaTeX, each in its way."""
    shown = []
    for piece in re.split(r"(`[^`]*`|\$[^$]*\$)", sentence):
        before, dollar, after = piece.partition("$")
        if dollar and (before or piece[-1:] != "$" or not after):
            raise InputError(f"a formula has no closing dollar: {dollar}{after[:40]}")
        show = written if piece[:1] == "`" else from_latex if piece[:1] == "$" else prose
        shown.append(prose(piece) if show is prose else show(piece[1:-1]))
    return "".join(shown)


def text(sentence: str) -> str:
    r"""Show a sentence in a terminal.

    >>> text(r"so `λ = 1/4` and $\theta = m^{2}$")
    'so λ = 1/4 and θ = m²'
    """
    return _shown(sentence, str, from_latex=plain_formula).replace("∗", "*")


def markdown(sentence: str) -> str:
    r"""Show a sentence in Markdown with formulas between dollars.

    >>> print(markdown("K = `x^12*u1_` and M_1"))
    K = $x^{12}\,u_{1}'$ and M\_1
    """
    marked_prose = partial(re.sub, r"([*_\\<>|#\[\]])", r"\\\1")
    return _shown(sentence, lambda f: f"${latex_math(f)}$", marked_prose)


def latex(sentence: str) -> str:
    r"""Show a sentence in LaTeX.

    >>> print(latex("50 % of `λ`, θ"))
    50 \% of $\lambda$, $\theta$
    """
    return _shown(sentence, lambda f: f"${latex_math(f)}$", _plain_latex)


_LATEX_CHARACTERS = {
    **{c: f"\\{c}" for c in "%&#_{}$"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
}


def _plain_latex(prose: str) -> str:
    pieces: list[str] = []
    for c in prose:
        if c in LATEX_ACCENTS:
            pieces[-1] = rf"$\{LATEX_ACCENTS[c]}{{{pieces[-1].strip('$')}}}$"
        elif c in _LATEX_CHARACTERS:
            pieces.append(_LATEX_CHARACTERS[c])
        elif c in LATEX_MACROS:
            pieces.append(f"${LATEX_MACROS[c]}$")
        elif c in RAISED_SIGNS:
            pieces.append(f"$^{RAISED_SIGNS[c]}$")
        elif c in LOWERED_SIGNS:
            pieces.append(f"$_{LOWERED_SIGNS[c]}$")
        else:
            pieces.append(c)
    return "".join(pieces).replace("$$", "")  # two formulas side by side are one


def latex_math(formula: str) -> str:
    r"""Write a formula in the language of LaTeX.

    >>> print(latex_math("1/2*x^2*u12 - |y|^(3/2) ≤ λ"))
    \frac{1}{2}\,x^{2}\,u_{12} - |y|^{3/2} \leq \lambda
    >>> print(latex_math("t^(v·c/2), α^2 = 2 with 1 < α"))
    t^{v\cdot c/2}, \alpha^{2} = 2 \ \mathrm{with}\  1 < \alpha
    """
    parts: list[str] = []
    for token in tokens(formula):
        piece = token.text
        if token.kind == "fraction":
            top, bottom = piece.split("/")
            parts.append(rf"\frac{{{top}}}{{{bottom}}}")
        elif token.kind == "name":
            parts.append(_latex_name(piece))
        elif token.kind == "power":
            # A fraction that is raised stays on its line.
            above = "*" if piece == "*" else "/".join(map(latex_math, piece.split("/")))
            parts.append(f"^{{{above}}}")
        elif token.kind == "index":
            parts.append(f"_{{{_latex_index(piece)}}}")
        elif token.kind == "space":
            parts.append(" ")
        elif piece in LATEX_ACCENTS and parts:
            parts[-1] = rf"\{LATEX_ACCENTS[piece]}{{{parts[-1]}}}"
        elif piece == "*":
            parts.append(r"\,")
        elif piece in "{}%#&$":
            parts.append(f"\\{piece}")
        else:
            parts.append(LATEX_MACROS.get(piece, piece))
    return _joined(parts)


def _latex_index(index: str) -> str:
    return rf"\mathrm{{{index}}}" if index in _INDEX_WORDS else latex_math(index)


def _joined(parts: list[str]) -> str:
    """A macro and a letter after it need a space between them.

    TeX wants one power and one index: a prime after a power is in it, as is a second index.
    """
    joined_text, last_part = "", ""
    for part in parts:
        if last_part == r"\surd" and part[:1] not in "(|":
            # The root is that of the next letter or number.
            joined_text, part = joined_text.removesuffix(last_part), rf"\sqrt{{{part}}}"
        if part.startswith("^{") and last_part.startswith("^{"):
            joined_text = joined_text[:-1] + part[2:]
        elif part in ("'", "′") and last_part.startswith("^{"):
            joined_text = f"{joined_text[:-1]}'}}"
        elif part.startswith("_{") and re.search(r"_\{[^{}]*\}(\^\{[^{}]*\})?\Z", joined_text):
            nested = part[2:-1].isdigit() or last_part.startswith("^{")
            inner = part if nested else rf"\,{part[2:-1]}"
            joined_text = f"{joined_text[:-1]}{inner}}}"
        else:
            letter = part[:1].isalpha() and re.search(r"\\[A-Za-z]+\Z", joined_text)
            joined_text += f" {part}" if letter else part
        last_part = part
    return re.sub(r"\\surd(\|[^|]*\|)", r"\\sqrt{\1}", joined_text)


def _latex_name(name: str) -> str:
    letter_run, index, prime_marks = split_name(name)
    index_text = f"_{{{_latex_index(index)}}}" if index else ""
    if letter_run in LATEX_FUNCTIONS:
        return rf"\{letter_run}{index_text}"
    if letter_run == "with":
        return rf"\ \mathrm{{{name}}}\ "
    if len(letter_run) > 1 and not is_product(letter_run):
        shown = rf"\mathrm{{{letter_run}}}".replace("_", r"\_")
    else:
        shown = _joined([LATEX_MACROS.get(c, c) for c in letter_run])
    return shown + index_text + prime_marks


def html(sentence: str) -> str:
    """Show a sentence in HTML that needs no script: powers and indices are raised and lowered.

    >>> print(html("K = `x^2*u1` < 1"))
    K = <span class="math"><i>x</i><sup>2</sup>\u2009<i>u</i><sub>1</sub></span> &lt; 1
    >>> print(html("`t^λ·log(n)`"))
    <span class="math"><i>t</i><sup><i>λ</i></sup>·log(<i>n</i>)</span>
    """

    def written(formula: str) -> str:
        return f'<span class="math">{_html_math(typeset_formula(formula))}</span>'

    return _shown(sentence, written, escape, lambda f: written(plain_formula(f)))


_HTML_TAGS = {"italic": "i", "sub": "sub", "sup": "sup"}


def _html_math(pieces: tuple[Piece, ...]) -> str:
    elements = []
    for style, content in pieces:
        inner = escape(content) if isinstance(content, str) else _html_math(content)
        tag = _HTML_TAGS.get(style)
        elements.append(f"<{tag}>{inner}</{tag}>" if tag else inner)
    return "".join(elements)
