"""Formulas as MathML, which browsers typeset themselves."""

import re
from html import escape
from typing import Final

from rlct.report.formulas import Token, split_name, tokens

_TERM_GAP: Final = re.compile(r" (?=[+−-] )|(?<=[,;]) ")
_PLAIN_WORDS: Final = {"and", "at", "for", "in", "or", "where", "with"}
_LONGEST_FORMULA: Final = 400  # characters typeset; longer ones are read as code or not at all


def formula_html(formula: str) -> str:
    """Write a formula, in pieces between which a line may end.

    >>> formula_html("x = u1^2")[:50]
    '<math><mi>x</mi><mo>=</mo><msup><msub><mi>u</mi><m'
    """
    if len(formula) > _LONGEST_FORMULA:
        return f"<code>{escape(formula[:_LONGEST_FORMULA])}…</code>"
    parts = [formula] if "(" in formula else _TERM_GAP.split(formula)
    return " ".join(f"<math>{_row(part)}</math>" for part in parts)


def _row(formula: str) -> str:
    parts: list[str] = []
    for token in tokens(formula):
        if token.kind in ("power", "index") and parts:
            tag = "msup" if token.kind == "power" else "msub"
            parts[-1] = f"<{tag}>{parts[-1]}<mrow>{_row(token.text)}</mrow></{tag}>"
        elif token.kind != "space":
            parts.append(_sign(token))
    return "".join(parts)


def _sign(token: Token) -> str:
    if token.kind == "fraction":
        top, bottom = token.text.split("/")
        return f"<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac>"
    if token.kind == "number":
        return f"<mn>{token.text}</mn>"
    if token.text in _PLAIN_WORDS:
        return f"<mtext>\u00a0{token.text}\u00a0</mtext>"
    if token.kind == "name":
        letters, index, primes = split_name(token.text)
        name = f"<mi>{escape(letters)}</mi>"
        if primes:
            name = f"<msup>{name}<mo>{primes.replace(chr(39), chr(0x2032))}</mo></msup>"
        return f"<msub>{name}<mn>{escape(index)}</mn></msub>" if index else name
    # An invisible product; a sign that begins a line stands between terms all the same.
    sign = {"*": "\u2062", "-": "−"}.get(token.text, token.text)
    style = ' form="infix"' if sign in "+−" else ' stretchy="false"' if sign in "()|" else ""
    return f"<mo{style}>{escape(sign)}</mo>"
