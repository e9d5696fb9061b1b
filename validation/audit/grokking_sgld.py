"""Cullen et al., appendix C: stochastic gradients and the posterior."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import sympy

from validation.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []

_GRADIENTS = (Fraction(3), Fraction(-1), Fraction(4), Fraction(1), Fraction(-5), Fraction(-2))


def _batch_variance(B: int) -> tuple[Fraction, Fraction]:
    """Variance of the mean of a batch without replacement, exactly, and C = (1/n) Σ g²."""
    means = [sum(c, Fraction(0)) / B for c in combinations(_GRADIENTS, B)]  # Σ g = 0
    C = sum((g * g for g in _GRADIENTS), Fraction(0)) / 6
    return sum((m * m for m in means), Fraction(0)) / len(means), C


@row(
    "002-equation-11",
    Verdict.CORRECTED,
    claim="(11) L = −(1/n) Σ log p + λ‖θ‖² is the negative log posterior for the prior "
    "N(0, (2λ)⁻¹I)",
    statement="nL is, for the prior N(0, (2nλ)⁻¹I).",
    evidence="Second derivative of nL's penalty, n·2λ, is the precision of the prior: n = 50, "
    "λ = 1/10.",
)
def equation_11() -> Facts:
    n, lam, t = 50, Fraction(1, 10), sympy.Symbol("t")
    precision = sympy.diff(n * sympy.Rational(1, 10) * t**2, t, 2)
    yield exact("precision of the prior", precision, 2 * n * lam, printed=2 * lam)


@row(
    "002-equation-12",
    Verdict.CONFIRMED,
    claim="(12) θ_{k+1} = θ_k − η(∇L + ξ_k), E ξ_k = 0",
    statement="As printed: the batch gradient is unbiased.",
    evidence="Mean over all batches of a finite population, exactly.",
)
def equation_12() -> Facts:
    for B in (1, 2, 3):
        batches = list(combinations(range(6), B))
        total = sum(sum(_GRADIENTS[i] + 7 for i in c) for c in batches)
        yield exact(f"mean of the batch gradient, B = {B}", total / (B * len(batches)), 7)


@row(
    "002-gradient-noise",
    Verdict.REFUTED,
    claim="Cov(ξ) ≈ (n − B)/(B − 1)·C, C = (1/n) Σ g_ig_iᵀ, batches without replacement",
    statement="Cov(ξ) = (n − B)/((n − 1)B)·C with C centred: about C/B. The printed factor is "
    "about n/B, and infinite at B = 1.",
    evidence="Six centred gradients, every batch of 2 and 3, exactly.",
)
def gradient_noise() -> Facts:
    for B in (2, 3):
        found, C = _batch_variance(B)
        right = Fraction(6 - B, 5 * B)
        yield exact(f"Cov/C, n = 6, B = {B}", found / C, right, printed=Fraction(6 - B, B - 1))


@row(
    "002-equation-13",
    Verdict.CORRECTED,
    claim="(13) dθ = −∇L dt + √(2TΣ) dW, T = η(n − B)/(2B), Σ = ½C",
    statement="With Σ = ½C the noise of (12) needs TC = η Cov(ξ): T = η(n − B)/((n − 1)B).",
    evidence="η Cov/(2Σ) in the same finite population, η = 1/100.",
)
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


@row(
    "002-equation-14",
    Verdict.CORRECTED,
    claim="(14) π_T ∝ exp(−L/T) = p(D|θ)^{1/T} p(θ)",
    statement="exp(−L/T) = p(D|θ)^{1/(nT)} e^{−λ‖θ‖²/T}: the power is 1/(nT), and the prior is "
    "tempered too.",
    evidence="n = 4, T = 1/10, Bernoulli: exponent of p(D|θ) in exp(−L/T).",
)
def equation_14() -> Facts:
    n, T = 4, Fraction(1, 10)
    loglik = sympy.Symbol("loglik")
    exponent = sympy.diff(-(-loglik / n) / sympy.Rational(1, 10), loglik)
    yield exact("power of p(D|θ)", exponent, 1 / (n * T), printed=1 / T)


@row(
    "002-langevin-stationary",
    Verdict.CONFIRMED,
    claim="for Σ = I, dθ = −∇L dt + √(2T) dW has density exp(−L/T)",
    statement="As printed.",
    evidence="Stationary Fokker-Planck equation for L = θ⁴ + θ², by sympy; at twice the "
    "temperature it is not satisfied.",
)
def langevin_stationary() -> Facts:
    t, T = sympy.symbols("t T", positive=True)
    L = t**4 + t**2

    def flow(density: sympy.Expr) -> sympy.Expr:
        return sympy.simplify(
            sympy.diff(sympy.diff(L, t) * density + T * sympy.diff(density, t), t)
        )

    yield exact("∂(∇L π + T∇π)", flow(sympy.exp(-L / T)), 0)
    yield exact("at 2T it vanishes", flow(sympy.exp(-L / (2 * T))) == 0, False)


@row(
    "002-wasserstein",
    Verdict.UNVERIFIABLE,
    claim="W₂(law(θ_k), π_T) = O(√η + B⁻¹)",
    statement="Cannot hold as a statement about a fixed target: π_T itself collapses to the "
    "minimum as T ∝ η/B → 0, and Σ is not constant.",
    evidence="No hypotheses or constants are given. On L = θ²/2 with gradient noise σ²/B the "
    "stationary variance is ησ²/(B(2 − η)), by its recursion: the point mass at the minimum is "
    "within O(√(η/B)) too, so that no bound of this order tells π_T from it.",
)
def wasserstein() -> Facts:
    eta, B, sigma, v = sympy.symbols("eta B sigma v", positive=True)
    (found,) = sympy.solve(sympy.Eq(v, (1 - eta) ** 2 * v + eta**2 * sigma**2 / B), v)
    stated = eta * sigma**2 / (B * (2 - eta))
    yield exact("variance, less what is stated", sympy.simplify(found - stated), 0)
    yield exact("its limit as η → 0", sympy.limit(found, eta, 0), 0)
    share = sympy.limit(found * B / eta, eta, 0)
    yield exact("W₂² to the point mass over η/B, η → 0", share, sigma**2 / 2, control=0)
