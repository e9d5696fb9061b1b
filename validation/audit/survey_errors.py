"""Seyoum's survey: error asymptotics, equations (2) and (3), and the free energy."""

from fractions import Fraction

import sympy

from validation.audit._posterior import limit, mean_nk_square, power_posterior
from validation.audit.row import Facts, close, exact, row

_n, _z, _s = sympy.symbols("n z s", positive=True)
_ONE_HALF = sympy.Rational(1, 2)
# N(w, 1) with a flat prior at the truth 0: z = √n·mean, s = Σ(x_i − mean)²/n → 1.
_BG = sympy.log(1 + 1 / _n) / 2 + (1 + _z**2 / _n) / (2 * (1 + 1 / _n)) - _ONE_HALF
_CV = sympy.log(_n / (_n - 1)) / 2 + _s / (2 * (_n - 1)) - _z**2 / (2 * _n)


def _at_infinity(expression: sympy.Expr) -> sympy.Expr:
    return sympy.simplify(sympy.limit(expression.subs(_s, 1), _n, sympy.oo))


@row("000-equation-star")
def equation_star() -> Facts:
    total = _at_infinity(_n * (_BG + _CV))
    yield exact("limit of n(Bg + Cv), regular, any data", total, 1, control=_ONE_HALF)


@row("000-equation-2-generalisation")
def equation_2_generalisation() -> Facts:
    for power in (2, 4):
        lam = 1 / (2 * power)
        for beta in (0.5, 1.0, 2.0):
            limits = limit(power, beta)
            nu = beta * limits.variance / 2
            right = (lam - nu) / beta + nu
            wrong = lam / beta + nu
            what = f"n·E Bg, N(w^{power}, 1), β = {beta}"
            yield close(what, limits.bayes_generalisation, right, 1e-9, control=wrong)


@row("000-equation-2-training")
def equation_2_training() -> Facts:
    for power in (2, 4):
        lam = 1 / (2 * power)
        for beta in (0.5, 1.0, 2.0):
            limits = limit(power, beta)
            nu = beta * limits.variance / 2
            right = (lam - nu) / beta - nu
            what = f"n·E Bt, N(w^{power}, 1), β = {beta}"
            yield close(what, limits.bayes_training, right, 1e-9, control=lam / beta - nu)


@row("000-equation-of-state")
def equation_of_state() -> Facts:
    for power in (2, 4):
        for beta in (0.5, 1.0, 2.0):
            residual = limit(power, beta).state_residual
            yield close(f"largest deviation, N(w^{power}, 1), β = {beta}", residual, 0, 1e-9)


@row("000-equation-3")
def equation_3() -> Facts:
    for power in (2, 4):
        for beta in (0.5, 2.0):
            found = limit(power, beta)
            total = found.bayes_generalisation + found.bayes_training + beta * found.variance
            right = (beta - 1) * found.variance + 1 / (power * beta)
            what = f"N(w^{power}, 1), β = {beta}"
            yield close(what, total, right, 1e-9, control=1 / (power * beta))


@row("000-equation-3-beta-1")
def equation_3_beta_1() -> Facts:
    for z in (-1.5, 0.0, 2.0):
        first, second = power_posterior(2, 1.0, z)
        total = float(first**2 - z * first + (second - first**2))
        yield close(f"n(Bg + CvL) at z = {z}", total, 0.5, 1e-9, control=0.25)
    yield exact("limit, regular", _at_infinity(_n * (_BG + _CV)), 1)


@row("000-cross-validation-bias")
def cross_validation_bias() -> Facts:
    mean = (_CV - _BG).subs(_s, (_n - 1) / _n).subs(_z, 1)  # both are linear in z²
    bias = sympy.limit(_n * mean, _n, sympy.oo)
    yield exact("limit of n(E CvL − E BGL)", bias, 0, printed=1)


@row("000-cross-validation-variance")
def cross_validation_variance() -> Facts:
    yield exact("limit of n·Bg", _at_infinity(_n * _BG), _z**2 / 2)
    yield exact("limit of n·Cv", sympy.expand(_at_infinity(_n * _CV)), 1 - _z**2 / 2)


@row("000-free-energy-expectation")
def free_energy() -> Facts:
    beta = sympy.Symbol("beta", positive=True)
    entropy = _ONE_HALF * sympy.log(2 * sympy.pi) + _ONE_HALF
    # −log Z = β Σ x²/2 + (nβ/2) log 2π + ½ log(1 + nβ) − (nβ)² mean²/(2(1 + nβ)), E mean² = 1/n.
    energy = (
        _n * beta * entropy
        + _ONE_HALF * sympy.log(1 + _n * beta)
        - _n * beta**2 / (2 * (1 + _n * beta))
    )
    ratio = sympy.simplify(sympy.limit(energy / _n, _n, sympy.oo).subs(beta, 2) / entropy)
    yield exact("coefficient of n at β = 2, over E f(X, w₀)", ratio, 2, printed=1)
    rest = (energy - _n * beta * entropy) / sympy.log(_n * beta)
    yield exact("coefficient of log(nβ)", sympy.limit(rest, _n, sympy.oo), _ONE_HALF, control=1)


@row("000-partition-scaling")
def partition_scaling() -> Facts:
    import mpmath as mp

    def integral(c: float) -> float:
        # ∫₀¹ e^{−Cu²} log(1/u) du
        points = [0, c**-0.5 / 50, c**-0.5, 6 * c**-0.5, 1]
        return float(mp.quad(lambda u: mp.exp(-c * u * u) * mp.log(1 / u), points))

    low, high = (integral(c) * c**0.5 for c in (1e6, 1e8))
    growth = (high - low) / float(mp.log(100))
    yield close(
        "growth of C^½·∫ per unit of log C", growth, float(mp.sqrt(mp.pi)) / 4, 1e-5, printed=0
    )


@row("000-energy-derivative")
def energy_derivative() -> Facts:
    beta = sympy.Symbol("beta")
    losses = (sympy.Rational(3, 2), sympy.Rational(1, 4))  # Σ f at the two parameters
    Z = sum(sympy.exp(-beta * loss) / 2 for loss in losses)
    mean = sum(loss * sympy.exp(-beta * loss) / 2 for loss in losses) / Z
    slope = sympy.diff(-sympy.log(Z), beta)
    ratio = sympy.simplify(mean / slope)
    yield exact("E Σ f ÷ ∂(−log Z)/∂β", ratio, 1, printed=-1)


@row("000-derivative-of-log")
def derivative_of_log() -> Facts:
    lam, beta, n = sympy.symbols("lam beta n", positive=True)
    found = sympy.diff(lam * sympy.log(n * beta), beta)
    yield exact("derivative", found, lam / beta, control=lam / (n * beta))


@row("000-tempered-energy")
def tempered_energy() -> Facts:
    for beta in (1.0, 0.5):
        limits = limit(2, beta)
        right = 0.25 / beta - beta * limits.variance / 2
        yield close(
            f"E − n·E f at T = {1 / beta:g}",
            limits.gibbs_training,
            right,
            1e-9,
            printed=0.25 / beta,
        )
    low, high = (limit(2, beta) for beta in (1 / 400, 1 / 401))
    yield close(
        "slope at T = 400", high.gibbs_training - low.gibbs_training, 0.25, 1e-6, control=0.2501
    )


@row("000-generalisation-rate")
def generalisation_rate() -> Facts:
    import rlct

    for power in (2, 4):
        lam = rlct.poly(f"w**{2 * power}").lam or Fraction(0)
        found = limit(power, 1.0).bayes_generalisation
        yield close(f"n·E Bg, K = w^{2 * power}/2", found, lam, 1e-9, control=0.5)


@row("000-evidence-expansion")
def evidence_expansion() -> Facts:
    import math

    # With a second correction c/log², two temperatures determine λ and θ − 1 nearly exactly.
    logs = [k * math.log(10) for k in (20, 30, 40)]
    values = [mean_nk_square(math.exp(v)) for v in logs]
    matrix = [[1, -1 / v, 1 / v**2] for v in logs]
    solution = [float(v) for v in sympy.Matrix(matrix).LUsolve(sympy.Matrix(values))]
    yield close("λ", solution[0], 0.5, 1e-4, control=0.501)
    yield close("θ − 1", solution[1], 1, 0.01, control=0)
