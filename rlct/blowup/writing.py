"""Polynomials, numbers and names of coordinates as text."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.numbers.arithmetic import Poly

ROOT_LETTER = "γ"
"""The generator of a number field."""
_LONG_INTERVAL = 40  # characters


def field_text(field: Mapping[str, Any]) -> str:
    """Say which root generates a number field.

    >>> field_text({"minimal": ["-2", "0", "1"], "interval": ["1", "2"]})
    '-2 + γ^2 = 0 with 1 < γ < 2'
    """
    minimal: Poly = {(n,): Fraction(c) for n, c in enumerate(field["minimal"]) if Fraction(c)}
    low, high = field["interval"]
    where = f"{low} < {ROOT_LETTER} < {high}"
    if len(where) > _LONG_INTERVAL:
        # The ends isolate the root; whoever reads wants to know which one it is.
        where = f"{ROOT_LETTER} ≈ {float((Fraction(low) + Fraction(high)) / 2):.6g}"
    return f"{polynomial_text(minimal, [ROOT_LETTER])} = 0 with {where}"


def fresh_letter(names: Sequence[str]) -> str:
    """Return a letter with which none of the names begins."""
    free = (c for c in "uvstpqabcdefgh" if not any(name.startswith(c) for name in names))
    return next(free, f"{max(names, default='u')}_")


def fresh_names(names: Sequence[str], width: int) -> list[str]:
    """Names of new coordinates, other than those given and the same for all siblings."""
    letter = fresh_letter(names)
    return [f"{letter}{j + 1}" for j in range(width)]


def power_text(name: str, exponent: int) -> str:
    """Write name^exponent; the exponent 1 is left out."""
    return name if exponent == 1 else f"{name}^{exponent}"


def polynomial_text(polynomial: Poly, names: Sequence[str]) -> str:
    """Terms by increasing degree.

    >>> polynomial_text({(0, 3): Fraction(-1), (2, 0): Fraction(1, 2)}, ["x", "y"])
    '1/2*x^2 - y^3'
    """
    parts = []
    for m, c in sorted(polynomial.items(), key=lambda term: (sum(term[0]), [-e for e in term[0]])):
        powers = [power_text(name, e) for name, e in zip(names, m, strict=True) if e]
        text = number_text(c)
        sign, size = ("-", text[1:]) if text.startswith("-") else ("+", text)
        parts.append(f"{sign} {'*'.join(powers if size == '1' and powers else [size, *powers])}")
    whole = " ".join(parts) or "+ 0"
    return whole[2:] if whole.startswith("+") else f"-{whole[2:]}"


def number_text(value: Any) -> str:
    """Write a rational, or Σ c_i γ^i in a number field: as a list, or as numerators over one.

    >>> number_text("1/2"), number_text(["0", "1"]), number_text(["1", "-1/2"])
    ('1/2', 'γ', '(1 - 1/2*γ)')
    """
    if isinstance(value, (str, int, Fraction)):
        return str(value)
    parts = value if isinstance(value, list) else [Fraction(c, value.bottom) for c in value.top]
    terms: Poly = {(n,): Fraction(c) for n, c in enumerate(parts) if Fraction(c)}
    text = polynomial_text(terms, [ROOT_LETTER])
    return f"({text})" if " " in text else text
