"""Linear networks, as the audit compares them."""

from fractions import Fraction

import sympy

__all__ = ["aoyagi", "matrix"]


def aoyagi(widths: tuple[int, ...], r: int, divisor: bool) -> Fraction:
    """Definition 4, the second term over 4 or, as printed, over 4ℓ; widths output to input."""
    M = sorted(h - r for h in widths)
    head = Fraction(-r * r + r * (widths[0] + widths[-1]), 2)
    for ell in range(1, len(M)):
        S = sum(M[: ell + 1])
        fits = ell + 1 == len(M) or ell * M[ell + 1] >= S
        if ell * M[ell] < S and fits:
            top = -(-S // ell)
            a = S - (top - 1) * ell
            middle = Fraction(top * a + (top - 1) * S, 4 * ell if divisor else 4)
            return head + middle - Fraction(sum(m * m for m in M[: ell + 1]), 4)
    return head  # some excess width is 0


def matrix(name: str, rows: int, columns: int) -> sympy.Matrix:
    return sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{name}{i}{j}"))
