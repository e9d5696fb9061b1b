"""Cullen et al., appendix B: estimating the local learning coefficient."""

import math
from typing import Any

import numpy as np
import sympy

from validation.audit._posterior import mean_nk_square
from validation.audit.row import Facts, close, exact, row


def _log_z(a: float) -> float:
    """Log ∫∫ exp(−a x²y²) over [0, 1]²."""
    import mpmath as mp

    s = a**-0.5
    points = [0, s / 50, s, 6 * s, 1]
    return float(mp.log(mp.quad(lambda u: mp.exp(-a * u * u) * mp.log(1 / u), points)))


@row("002-equation-7")
def equation_7() -> Facts:
    n, mean = 100, 0.1
    w = np.linspace(-1, 1, 400001)
    gap = n * (w**2 - mean) ** 2 / 2
    beta = 1e4
    weight = np.exp(-beta * gap)
    mean_value = float(beta * (weight @ gap) / weight.sum())
    yield close("nβ E[L_n − L_n(θ̂)] at β = 10⁴", mean_value, 0.5, 1 / beta, printed=0.25)
    population = n * w**4 / 2
    weight = np.exp(-100 * population)
    mean_value = float(100 * (weight @ population) / weight.sum())
    yield close("the same of the population loss", mean_value, 0.25, 1e-6)


@row("002-equation-8")
def equation_8() -> Facts:
    remainders = []
    for k in (8, 12):
        a = 10.0**k
        size = math.log(a)
        remainders.append(
            (_log_z(a) + size / 2 - math.log(size) - math.log(math.sqrt(math.pi) / 4)) * size
        )
    yield close(
        "rest·log(nβ), 10¹² against 10⁸", remainders[1] / remainders[0], 1, 0.05, control=1.5
    )


@row("002-log-derivative")
def log_derivative() -> Facts:
    beta = sympy.Symbol("beta")
    losses = (3, sympy.Rational(1, 2))
    Z = sum(sympy.exp(-beta * v) for v in losses)
    mean = sum(v * sympy.exp(-beta * v) for v in losses) / Z
    yield exact("sum", sympy.simplify(sympy.diff(sympy.log(Z), beta) + mean), 0)


@row("002-free-energy-beta")
def free_energy_beta() -> Facts:
    beta = sympy.Symbol("beta", positive=True)
    losses = (3, sympy.Rational(1, 2))
    Z = sum(sympy.exp(-beta * v) for v in losses)
    mean = sum(v * sympy.exp(-beta * v) for v in losses) / Z
    F = -sympy.log(Z) / beta
    yield exact("∂(βF)/∂β − E", sympy.simplify(sympy.diff(beta * F, beta) - mean), 0)


@row("002-equation-9")
def equation_9() -> Facts:
    size = 40 * math.log(10)
    found = (0.5 - mean_nk_square(1e40)) * size
    yield close("(λ − nβ E K)·log(nβ)", found, 1, 3 / size, control=2)


@row("002-equation-10")
def equation_10() -> Facts:
    for k in (6, 20):
        size = k * math.log(10)
        mean_value = mean_nk_square(10.0**k)
        yield close(f"nβ E K at 10^{k}", mean_value, 0.5 - 1 / size, 2 / size**2, control=0.5)
    a, w = sympy.symbols("a w", positive=True)
    top = sympy.integrate(a * w**2 * sympy.exp(-a * w**2), (w, 0, sympy.oo))
    mean_value = top / sympy.integrate(sympy.exp(-a * w**2), (w, 0, sympy.oo))
    yield exact("K = w²", sympy.simplify(mean_value), sympy.Rational(1, 2))


@row("002-chain-estimator")
def chain_estimator() -> Facts:
    draws = np.random.default_rng(1).gamma(0.25, size=40000)  # nβw⁴ under exp(−nβw⁴) dw
    error = 5 * 0.5 / math.sqrt(40000)
    yield close("mean of nβK", float(draws.mean()), 0.25, error, control=0.27)


@row("002-intercept")
def intercept() -> Facts:
    sizes = np.array([k * math.log(10) for k in (4, 5, 6, 7, 8)])
    means = np.array([mean_nk_square(math.exp(v)) for v in sizes])
    found = float(np.polyfit(1 / sizes, means, 1)[1])
    yield close("intercept", found, 0.5, 0.02, control=float(means[-1]))
    sizes = np.array([k * math.log(10) for k in (4, 4.5, 5, 5.5, 6)])
    means = np.array([_mean_of_x2y4(math.exp(v)) for v in sizes])
    last, end = (abs(float(v) - 0.25) for v in (means[-1], np.polyfit(1 / sizes, means, 1)[1]))
    yield exact("x²y⁴: the intercept is nearer to ¼ than the last mean", end < last, False,
                printed=True)  # fmt: skip


def _mean_of_x2y4(n_beta: float) -> float:
    """E[nβK] of K = x²y⁴ on [0, 1]²: the integral over x is an error function."""
    from scipy.integrate import quad
    from scipy.special import erf

    def log_z(log_n: float) -> float:
        root = math.exp(log_n / 2)
        whole, _ = quad(lambda y: erf(root * y * y) / (root * y * y), 0, 1, limit=400,
                        points=[root**-0.5])  # fmt: skip
        return math.log(whole)

    step = 1e-3
    return (log_z(math.log(n_beta) - step) - log_z(math.log(n_beta) + step)) / (2 * step)


@row("002-bias-rate")
def bias_rate() -> Facts:
    import mpmath as mp

    def bias(a: Any) -> Any:
        # t = nβx²y⁴; the density of s = xy² is s^{−1/2} − 1.
        edge = a ** mp.mpf("-0.5")
        points = [0, edge / 100, edge, 6 * edge, 1]

        def weigh(s: Any) -> Any:
            return mp.exp(-a * s * s) * (1 / mp.sqrt(s) - 1)

        top = mp.quad(lambda s: a * s * s * weigh(s), points)
        return top / mp.quad(weigh, points) - mp.mpf(1) / 4

    with mp.workdps(25):
        ratio = float(bias(mp.mpf(10) ** 13) / bias(mp.mpf(10) ** 12))
    yield close("bias(10¹³)/bias(10¹²)", ratio, 10**-0.25, 1e-3, printed=12 / 13)


@row("002-localisation")
def localisation() -> Facts:
    a, g = sympy.symbols("a g", positive=True)
    w = sympy.Symbol("w", real=True)
    weight = sympy.exp(-(a + g) * w**2 / 2)
    top = sympy.integrate(a * w**2 / 2 * weight, (w, -sympy.oo, sympy.oo))
    found = sympy.simplify((top / sympy.integrate(weight, (w, -sympy.oo, sympy.oo))).subs(g, a))
    yield exact("λ̂ at γ = nβ", found, sympy.Rational(1, 4), control=sympy.Rational(1, 2))


@row("002-figure-6")
def figure_6() -> Facts:
    def estimate(g: float) -> float:
        return 0.5 * 1 / (1 + g)

    slope = math.log(estimate(1e6) / estimate(1e5)) / math.log(10)
    yield close("slope in log-log, γ ≫ nβ", slope, -1, 1e-4, control=0)
