"""Murfet et al., appendix A.2: reduced rank regression."""

from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, exact, row


def _product(truth: sympy.Matrix) -> list[sympy.Expr]:
    """Entries of BA − B₀A₀ with B near the identity times B₀ = truth's left factor."""
    names = [sympy.Symbol(f"{c}{i}{j}") for c in "ab" for i in range(2) for j in range(2)]
    A, B = sympy.Matrix(2, 2, names[:4]), sympy.Matrix(2, 2, names[4:])
    return list((B + truth) * (A + sympy.eye(2)) - truth) if truth.rank() == 2 else list(B * A)


@row("001-rrr-shapes")
def shapes() -> Facts:
    M, H, N = 2, 3, 4

    def composes(A: tuple[int, int], B: tuple[int, int]) -> bool:
        return A[1] == M and B[1] == A[0] and B[0] == N

    yield exact("A: H×M, B: N×H composes", composes((H, M), (N, H)), True)
    yield exact("A: M×H, B: H×N composes", composes((M, H), (H, N)), False, printed=True)


@row("001-rrr-kl")
def kl() -> Facts:
    x, D = sympy.symbols("x D")
    K = sympy.integrate((D * x) ** 2 / 2 / 2, (x, -1, 1))
    yield exact("limit of K/D²", sympy.simplify(K / D**2), sympy.Rational(1, 6), printed=1)


@row("001-rrr-zero-set")
def zero_set() -> Facts:
    claimed = rlct.Pair(2, 1)
    for r, right in ((0, rlct.Pair(Fraction(3, 2), 1)), (1, rlct.Pair(2, 2))):
        yield exact(f"(λ, θ) at rank {r}", rlct.linear([2, 2, 2], r).pair, right, printed=claimed)
    yield exact("(λ, θ) at rank 2", rlct.linear([2, 2, 2], 2).pair, claimed)
    engine = rlct.ideal(_product(sympy.zeros(2))).pair
    yield exact("by blow-ups at A = B = 0", engine, rlct.Pair(Fraction(3, 2), 1), printed=claimed)
    yield exact("by blow-ups at A = B = 1", rlct.ideal(_product(sympy.eye(2))).pair, claimed)


@row("001-rrr-coordinates")
def coordinates() -> Facts:
    B = sympy.Matrix(2, 2, sympy.symbols("b0:4"))
    u = sympy.Matrix(2, 2, sympy.symbols("u0:4"))
    T = sympy.Matrix([[1, 2], [2, 5]])
    gap = B * (B.inv() * T + u) - T - B * u
    yield exact("difference", sympy.simplify(gap), sympy.zeros(2))


@row("001-rrr-smooth-factor")
def smooth_factor() -> Facts:
    def a(u: tuple[int, int]) -> Fraction:
        return Fraction(u[0] ** 2 + 4 * u[1] ** 2, u[0] ** 2 + u[1] ** 2)

    yield exact("a along the two axes agree", a((1, 0)) == a((0, 1)), False, printed=True)
    yield exact("values", (a((1, 0)), a((0, 1))), (1, 4))
