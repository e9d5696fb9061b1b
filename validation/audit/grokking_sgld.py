"""Cullen et al., appendix C: stochastic gradients and the posterior."""

from fractions import Fraction
from itertools import combinations

import sympy

from validation.audit.row import Facts, exact, row

_SAMPLE_GRADIENTS = (
    Fraction(3),
    Fraction(-1),
    Fraction(4),
    Fraction(1),
    Fraction(-5),
    Fraction(-2),
)


def _batch_variance(B: int) -> tuple[Fraction, Fraction]:
    """Variance of the mean of a batch without replacement, exactly, and C = (1/n) Σ g²."""
    means = [sum(c, Fraction(0)) / B for c in combinations(_SAMPLE_GRADIENTS, B)]  # Σ g = 0
    C = sum((g * g for g in _SAMPLE_GRADIENTS), Fraction(0)) / 6
    return sum((m * m for m in means), Fraction(0)) / len(means), C


@row("002-equation-11")
def equation_11() -> Facts:
    n, lam, t = 50, Fraction(1, 10), sympy.Symbol("t")
    precision = sympy.diff(n * sympy.Rational(1, 10) * t**2, t, 2)
    yield exact("precision of the prior", precision, 2 * n * lam, printed=2 * lam)


@row("002-equation-12")
def equation_12() -> Facts:
    for B in (1, 2, 3):
        batches = list(combinations(range(6), B))
        total = sum(sum(_SAMPLE_GRADIENTS[i] + 7 for i in c) for c in batches)
        yield exact(f"mean of the batch gradient, B = {B}", total / (B * len(batches)), 7)


@row("002-gradient-noise")
def gradient_noise() -> Facts:
    for B in (2, 3):
        found, C = _batch_variance(B)
        right = Fraction(6 - B, 5 * B)
        yield exact(f"Cov/C, n = 6, B = {B}", found / C, right, printed=Fraction(6 - B, B - 1))


@row("002-equation-13")
def equation_13() -> Facts:
    eta = Fraction(1, 100)
    for B in (2, 3):
        found, C = _batch_variance(B)
        yield exact(
            f"T, n = 6, B = {B}",
            eta * found / C,
            eta * Fraction(6 - B, 5 * B),
            printed=eta * Fraction(6 - B, 2 * B),
        )


@row("002-equation-14")
def equation_14() -> Facts:
    n, T = 4, Fraction(1, 10)
    loglik = sympy.Symbol("loglik")
    exponent = sympy.diff(-(-loglik / n) / sympy.Rational(1, 10), loglik)
    yield exact("power of p(D|θ)", exponent, 1 / (n * T), printed=1 / T)


@row("002-langevin-stationary")
def langevin_stationary() -> Facts:
    t, T = sympy.symbols("t T", positive=True)
    L = t**4 + t**2

    def flow(density: sympy.Expr) -> sympy.Expr:
        return sympy.simplify(
            sympy.diff(sympy.diff(L, t) * density + T * sympy.diff(density, t), t)
        )

    yield exact("∂(∇L π + T∇π)", flow(sympy.exp(-L / T)), 0)
    yield exact("at 2T it vanishes", flow(sympy.exp(-L / (2 * T))) == 0, False)


@row("002-wasserstein")
def wasserstein() -> Facts:
    eta, B, sigma, v = sympy.symbols("eta B sigma v", positive=True)
    (variance,) = sympy.solve(sympy.Eq(v, (1 - eta) ** 2 * v + eta**2 * sigma**2 / B), v)
    stated = eta * sigma**2 / (B * (2 - eta))
    yield exact("variance, less what is stated", sympy.simplify(variance - stated), 0)
    yield exact("its limit as η → 0", sympy.limit(variance, eta, 0), 0)
    share = sympy.limit(variance * B / eta, eta, 0)
    yield exact("W₂² to the point mass over η/B, η → 0", share, sigma**2 / 2, control=0)
