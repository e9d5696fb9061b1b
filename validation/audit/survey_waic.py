"""Seyoum's survey: cumulants, WAIC and its equivalence with cross-validation."""

from __future__ import annotations

from math import factorial, log
from typing import Any

import sympy

from validation.audit._posterior import finite_sample, limit
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []

# Data in exact proportions: mean 0, variance 1, third moment 3/2, so that Y_3 does not vanish.
_VALUES, _WEIGHTS = (-0.5, 2.0), (0.8, 0.2)
_MODEL = (
    "Model N(w², 1) with data of mean 0 and third moment 3/2, by quadrature: λ = 1/4 and Y₃ ≠ 0. "
)


def _sample(n: int, beta: float) -> Any:
    return finite_sample(n, beta, _VALUES, _WEIGHTS)


def _slope(values: list[float], factor: float) -> float:
    """Exponent of a power law from its last two values, n growing by the factor."""
    return log(abs(values[-1] / values[-2])) / log(factor)


@row(
    "000-waic",
    Verdict.REFUTED,
    claim="WAIC = BtL − (β/n) V",
    statement="WAIC = BtL + (β/n) V with BtL = −(1/n) Σ log E_w p(X_i|w). The plus sign is right "
    "for the pair of Gibbs losses as well, never the minus.",
    evidence="Limits in the model N(w², 1), by quadrature: the mean of n times the criterion's "
    "error must be that of n times the generalisation error; it is with +, for both pairs of "
    "losses, and with − it is not for any choice.",
)
def waic() -> Facts:
    for beta in (0.5, 1.0, 2.0):
        found = limit(2, beta)
        penalty = beta * found.variance
        for name, train, test in (
            ("Bayes", found.bayes_training, found.bayes_generalisation),
            ("Gibbs", found.gibbs_training, found.gibbs_generalisation),
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
            found.bayes_generalisation,
            found.bayes_training + penalty,
            1e-9,
            printed=found.gibbs_training - penalty,
        )


@row(
    "000-waic-unbiased",
    Verdict.CONFIRMED,
    claim="E[WAIC] estimates E[BGL] up to o(1/n), singular or regular",
    statement="True of WAIC with the plus sign and of Bayes losses.",
    evidence="Limits in N(w², 1) (λ = 1/4) and N(w⁴, 1) (λ = 1/8) by quadrature; exactly, in the "
    "regular model N(w, 1) with flat prior.",
)
def waic_unbiased() -> Facts:
    for power in (2, 4):
        found = limit(power, 1.0)
        estimate = found.bayes_training + found.variance
        yield close(
            f"n·E WAIC error, N(w^{power}, 1)",
            estimate,
            found.bayes_generalisation,
            1e-9,
            control=found.bayes_generalisation + 0.01,
        )
    n = sympy.Symbol("n", positive=True)
    # Flat prior, posterior N(mean, 1/n): E over data of each loss minus E_X f(X, w_0).
    # E z² = 1 for z = √n·(mean − truth), and E Σ(x_i − mean)² = n − 1.
    test = sympy.log(1 + 1 / n) / 2 + (1 + 1 / n) / (2 * (1 + 1 / n)) - sympy.Rational(1, 2)
    train = sympy.log(1 + 1 / n) / 2 + (1 - 1 / n) / (2 * (1 + 1 / n)) - sympy.Rational(1, 2)
    variance = (n - 1) / n + 1 / (2 * n)
    gap = sympy.limit(n * (train + variance / n - test), n, sympy.oo)
    yield exact("limit of n(E WAIC − E BGL), regular", gap, 0)


@row(
    "000-cumulant-function",
    Verdict.CONFIRMED,
    claim="F(α) = (1/n) Σ log E_w exp(−α f(X_i, w))",
    statement="As printed; BtL = −F(1) and CvL = F(−β) − F(1−β).",
    evidence="Definition; with f = −log p, exp(−αf) = p^α, so both losses are values of F. "
    + _MODEL,
)
def cumulant_function() -> Facts:
    # The quadrature builds CvL from F; here it is rebuilt from densities, at β = 2.
    import numpy as np

    n, beta = 50, 2.0
    found = _sample(n, beta)
    w = np.linspace(-4, 4, 40001)
    density = np.exp(-((np.array(_VALUES)[:, None] - w**2) ** 2) / 2) / np.sqrt(2 * np.pi)
    post = (density[0] ** _WEIGHTS[0] * density[1] ** _WEIGHTS[1]) ** (n * beta)
    post /= post.sum()
    terms = np.log((density ** (1 - beta)) @ post / ((density ** (-beta)) @ post))
    cvl = -float(np.array(_WEIGHTS) @ terms)
    yield close("F(−β) − F(1−β)", found.cvl, cvl, 1e-9, control=cvl + 1e-4)
    bt = -float(np.array(_WEIGHTS) @ np.log(density @ post))
    yield close("−F(1)", found.bayes_training, bt, 1e-9, control=cvl)


@row(
    "000-cumulant-series",
    Verdict.CONFIRMED,
    claim="log E_w exp(−αf) = Σ_k (−α)^k κ_k / k!",
    statement="As printed, with κ_k the cumulants of f under the posterior.",
    evidence="f ~ exponential of rate 1: E e^{−αf} = 1/(1+α) and κ_k = (k−1)!, exactly.",
)
def cumulant_series() -> Facts:
    a = sympy.Symbol("a")
    series = sympy.series(-sympy.log(1 + a), a, 0, 6).removeO()
    for k in range(1, 6):
        right = sympy.Rational((-1) ** k * factorial(k - 1), factorial(k))
        yield exact(f"coefficient of α^{k}", series.coeff(a, k), right, control=-right)


@row(
    "000-cumulant-1",
    Verdict.CORRECTED,
    claim="Y₁ = (1/n) Σ E_w f(X_i, w) = BtL",
    statement="It is the Gibbs training loss, not −(1/n) Σ log E_w p; and the expansions of WAIC "
    "and CvL that follow need the cumulants of log p, Y₁ = (1/n) Σ E_w log p.",
    evidence=_MODEL + "Y₁ differs from the Bayes training loss by about Y₂/2, of order 1/n.",
)
def cumulant_1() -> Facts:
    found = _sample(5000, 1.0)
    gap = found.gibbs_training - found.bayes_training
    yield close("(Y₁ − BtL)/(Y₂/2)", gap / (found.Y[1] / 2), 1, 0.01, printed=0)


@row(
    "000-cumulant-2",
    Verdict.CONFIRMED,
    claim="Y₂ = V/n",
    statement="As printed, for the cumulants of f or of log p alike.",
    evidence="The second cumulant is the variance; recomputed by quadrature.",
)
def cumulant_2() -> Facts:
    for beta in (1.0, 2.0):
        found = _sample(500, beta)
        yield close(f"Y₂ n/V, β = {beta}", found.Y[1] * 500 / found.V, 1, 1e-12, control=2)


@row(
    "000-cumulant-expansion",
    Verdict.CONFIRMED,
    claim="F(α) = −Y₁ α + Y₂ α²/2 − Y₃ α³/6 + O_p(n⁻²)",
    statement="As printed, for cumulants Y_k of f = −log p; the remainder is O_p(n⁻²) because "
    "Y_k = O_p(n^{−k/2}).",
    evidence=_MODEL + "n²·remainder at α = 1 tends to a constant.",
)
def cumulant_expansion() -> Facts:
    scaled = []
    for n in (5000, 50000):
        s = _sample(n, 1.0)
        f1, f2, f3 = -s.Y[0], s.Y[1], -s.Y[2]
        scaled.append((-s.bayes_training - (-f1 + f2 / 2 - f3 / 6)) * n**2)
    yield close(
        "ratio of n²·remainder, n = 50000 to 5000", scaled[1] / scaled[0], 1, 0.05, control=3
    )


@row(
    "000-cumulant-order",
    Verdict.REFUTED,
    claim="Y_k = O_p(n^{1−k/2}), so Y₃ = O_p(n^{−1/2})",
    statement="Y_k = O_p(n^{−k/2}), so Y₃ = O_p(n^{−3/2}). With the printed order the conclusion "
    "CvL − WAIC = O_p(n^{−3/2}) would not follow.",
    evidence=_MODEL + "Exponents of n from n = 5·10³ to 5·10⁵; log p has mean square n⁻¹.",
)
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


@row(
    "000-waic-expansion",
    Verdict.CORRECTED,
    claim="WAIC = −Y₁ + (2β−1)/2 Y₂ − Y₃/6 + O_p(n⁻²)",
    statement="Right if Y_k are the cumulants of log p (and WAIC has its plus sign); with the "
    "text's own Y_k, the cumulants of f = −log p, it is Y₁ + (2β−1)/2 Y₂ + Y₃/6.",
    evidence=_MODEL + "Compared at n = 50000 to a tenth of n^{−3/2}.",
)
def waic_expansion() -> Facts:
    n = 50000
    for beta in (1.0, 2.0):
        found, ours, text = _expansion("waic", beta, n)
        yield close(f"WAIC, β = {beta}", found, ours, 0.01 * n**-1.5, printed=text)


@row(
    "000-cvl-expansion",
    Verdict.CORRECTED,
    claim="CvL = −Y₁ + (2β−1)/2 Y₂ − (3β²−3β+1)/6 Y₃ + O_p(n⁻²)",
    statement="Right for the cumulants of log p; with the text's own Y_k the signs of Y₁ and Y₃ "
    "are the opposite.",
    evidence=_MODEL,
)
def cvl_expansion() -> Facts:
    n = 50000
    for beta in (1.0, 2.0):
        found, ours, text = _expansion("cvl", beta, n)
        yield close(f"CvL, β = {beta}", found, ours, 0.01 * n**-1.5, printed=text)


@row(
    "000-cvl-minus-waic",
    Verdict.CORRECTED,
    claim="CvL − WAIC = −β(β−1)/2 Y₃ + O_p(n⁻²)",
    statement="Right for Y₃ the third cumulant of log p; with the text's cumulant of f the sign "
    "is the opposite.",
    evidence=_MODEL + "β = 2 and 3, relative to β(β−1)/2 times the cumulant of log p.",
)
def cvl_minus_waic() -> Facts:
    for beta in (2.0, 3.0):
        s = _sample(500000, beta)
        ratio = (s.cvl - s.waic) / (beta * (beta - 1) / 2 * s.Y[2])
        yield close(f"(CvL − WAIC)/(β(β−1)/2 κ₃(log p)), β = {beta}", ratio, -1, 0.02, printed=1)


@row(
    "000-equation-1",
    Verdict.CONFIRMED,
    claim="CvL − WAIC = O_p(n^{−3/2}), and O_p(n⁻²) when β = 1",
    statement="As printed.",
    evidence=_MODEL + "Exponents of n between n = 5·10³ and 5·10⁴.",
    place="000-equation-1",
)
def equation_1() -> Facts:
    for beta, right in ((2.0, -1.5), (1.0, -2.0)):
        gaps = [(s := _sample(n, beta)).cvl - s.waic for n in (5000, 50000)]
        yield close(f"exponent at β = {beta}", _slope(gaps, 10), right, 0.03, control=-1)
