"""Seyoum's survey: cumulants, WAIC and its equivalence with cross-validation."""

from math import factorial, log
from typing import Any

import sympy

from validation.audit._posterior import finite_sample, limit
from validation.audit.row import Facts, close, exact, row

# Data in exact proportions: mean 0, variance 1, third moment 3/2, so that Y_3 does not vanish.
_DATA_VALUES, _DATA_WEIGHTS = (-0.5, 2.0), (0.8, 0.2)


def _sample(n: int, beta: float) -> Any:
    return finite_sample(n, beta, _DATA_VALUES, _DATA_WEIGHTS)


def _slope(values: list[float], factor: float) -> float:
    """Exponent of a power law from its last two values, n growing by the factor."""
    return log(abs(values[-1] / values[-2])) / log(factor)


@row("000-waic")
def waic() -> Facts:
    for beta in (0.5, 1.0, 2.0):
        limits = limit(2, beta)
        penalty = beta * limits.variance
        for name, train, test in (
            ("Bayes", limits.bayes_training, limits.bayes_generalisation),
            ("Gibbs", limits.gibbs_training, limits.gibbs_generalisation),
        ):
            yield close(
                f"{name} generalisation error, β = {beta}",
                test,
                train + penalty,
                1e-9,
                printed=train - penalty,
            )
        yield close(
            f"Bayes error against Gibbs training − βV, β = {beta}",
            limits.bayes_generalisation,
            limits.bayes_training + penalty,
            1e-9,
            printed=limits.gibbs_training - penalty,
        )


@row("000-waic-unbiased")
def waic_unbiased() -> Facts:
    for power in (2, 4):
        limits = limit(power, 1.0)
        estimate = limits.bayes_training + limits.variance
        yield close(
            f"n·E WAIC error, N(w^{power}, 1)",
            estimate,
            limits.bayes_generalisation,
            1e-9,
            control=limits.bayes_generalisation + 0.01,
        )
    n = sympy.Symbol("n", positive=True)
    # Flat prior, posterior N(mean, 1/n): E over data of each loss minus E_X f(X, w_0).
    # E z² = 1 for z = √n·(mean − truth), and E Σ(x_i − mean)² = n − 1.
    test = sympy.log(1 + 1 / n) / 2 + (1 + 1 / n) / (2 * (1 + 1 / n)) - sympy.Rational(1, 2)
    train = sympy.log(1 + 1 / n) / 2 + (1 - 1 / n) / (2 * (1 + 1 / n)) - sympy.Rational(1, 2)
    variance = (n - 1) / n + 1 / (2 * n)
    gap = sympy.limit(n * (train + variance / n - test), n, sympy.oo)
    yield exact("limit of n(E WAIC − E BGL), regular", gap, 0)


@row("000-cumulant-function")
def cumulant_function() -> Facts:
    # The quadrature builds CvL from F; here it is rebuilt from densities, at β = 2.
    import numpy as np

    n, beta = 50, 2.0
    sample = _sample(n, beta)
    w = np.linspace(-4, 4, 40001)
    density = np.exp(-((np.array(_DATA_VALUES)[:, None] - w**2) ** 2) / 2) / np.sqrt(2 * np.pi)
    post = (density[0] ** _DATA_WEIGHTS[0] * density[1] ** _DATA_WEIGHTS[1]) ** (n * beta)
    post /= post.sum()
    terms = np.log((density ** (1 - beta)) @ post / ((density ** (-beta)) @ post))
    cvl = -float(np.array(_DATA_WEIGHTS) @ terms)
    yield close("F(−β) − F(1−β)", sample.cvl, cvl, 1e-9, control=cvl + 1e-4)
    bt = -float(np.array(_DATA_WEIGHTS) @ np.log(density @ post))
    yield close("−F(1)", sample.bayes_training, bt, 1e-9, control=cvl)


@row("000-cumulant-series")
def cumulant_series() -> Facts:
    a = sympy.Symbol("a")
    series = sympy.series(-sympy.log(1 + a), a, 0, 6).removeO()
    for k in range(1, 6):
        right = sympy.Rational((-1) ** k * factorial(k - 1), factorial(k))
        yield exact(f"coefficient of α^{k}", series.coeff(a, k), right, control=-right)


@row("000-cumulant-1")
def cumulant_1() -> Facts:
    found = _sample(5000, 1.0)
    gap = found.gibbs_training - found.bayes_training
    yield close("(Y₁ − BtL)/(Y₂/2)", gap / (found.Y[1] / 2), 1, 0.01, printed=0)


@row("000-cumulant-2")
def cumulant_2() -> Facts:
    for beta in (1.0, 2.0):
        found = _sample(500, beta)
        yield close(f"Y₂ n/V, β = {beta}", found.Y[1] * 500 / found.V, 1, 1e-12, control=2)


@row("000-cumulant-expansion")
def cumulant_expansion() -> Facts:
    scaled = []
    for n in (5000, 50000):
        s = _sample(n, 1.0)
        f1, f2, f3 = -s.Y[0], s.Y[1], -s.Y[2]
        scaled.append((-s.bayes_training - (-f1 + f2 / 2 - f3 / 6)) * n**2)
    yield close(
        "ratio of n²·remainder, n = 50000 to 5000", scaled[1] / scaled[0], 1, 0.05, control=3
    )


@row("000-cumulant-order")
def cumulant_order() -> Facts:
    samples = [_sample(n, 1.0) for n in (50000, 500000)]
    second, third = (_slope([s.Y[k] for s in samples], 10) for k in (1, 2))
    yield close("exponent of Y₂", second, -1, 1e-3, printed=0)
    yield close("exponent of Y₃", third, -1.5, 0.01, printed=-0.5)


def _expansion(name: str, beta: float, n: int) -> tuple[float, float, float]:
    """The criterion, and its expansion with the cumulants of log p and with those of f."""
    s = _sample(n, beta)
    c3 = 1.0 if name == "waic" else 3 * beta**2 - 3 * beta + 1
    y1, y2, y3 = s.Y
    ours = -y1 + (2 * beta - 1) / 2 * y2 - c3 / 6 * y3
    text = y1 + (2 * beta - 1) / 2 * y2 + c3 / 6 * y3
    return getattr(s, name), ours, text


@row("000-waic-expansion")
def waic_expansion() -> Facts:
    n = 50000
    for beta in (1.0, 2.0):
        found, ours, text = _expansion("waic", beta, n)
        yield close(f"WAIC, β = {beta}", found, ours, 0.01 * n**-1.5, printed=text)


@row("000-cvl-expansion")
def cvl_expansion() -> Facts:
    n = 50000
    for beta in (1.0, 2.0):
        found, ours, text = _expansion("cvl", beta, n)
        yield close(f"CvL, β = {beta}", found, ours, 0.01 * n**-1.5, printed=text)


@row("000-cvl-minus-waic")
def cvl_minus_waic() -> Facts:
    for beta in (2.0, 3.0):
        s = _sample(500000, beta)
        ratio = (s.cvl - s.waic) / (beta * (beta - 1) / 2 * s.Y[2])
        yield close(f"(CvL − WAIC)/(β(β−1)/2 κ₃(log p)), β = {beta}", ratio, -1, 0.02, printed=1)


@row("000-equation-1")
def equation_1() -> Facts:
    for beta, right in ((2.0, -1.5), (1.0, -2.0)):
        gaps = [(s := _sample(n, beta)).cvl - s.waic for n in (5000, 50000)]
        yield close(f"exponent at β = {beta}", _slope(gaps, 10), right, 0.03, control=-1)
