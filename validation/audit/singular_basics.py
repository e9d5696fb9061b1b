"""Murfet et al., section 3: definitions and criteria."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []

_y, _w = sympy.symbols("y w", real=True)
_NORMAL = sympy.exp(-(_y**2) / 2) / sympy.sqrt(2 * sympy.pi)


def _expect(expression: sympy.Expr) -> sympy.Expr:
    """Mean over y ~ N(0, 1)."""
    return sympy.simplify(sympy.integrate(_NORMAL * expression, (_y, -sympy.oo, sympy.oo)))


@row(
    "001-fisher",
    Verdict.CORRECTED,
    claim="I(w)_ij = ∫∫ ∂_i log p ∂_j log p q(y|x) q(x), the mean taken over the truth q",
    statement="The Fisher information takes the mean over p(y|x, w). Both agree on W₀; elsewhere "
    "the printed one gains the squared misfit, and equation (13) does not hold for it.",
    evidence="p = N(f, 1) with f = w, truth 0: the printed integral is 1 + w², the Fisher "
    "information 1.",
)
def fisher() -> Facts:
    score = sympy.diff(-((_y - _w) ** 2) / 2, _w)
    over_truth = _expect(score**2)
    over_model = _expect(score.subs(_y, _y + _w) ** 2)
    yield exact("mean over the model at w = 2", over_model, 1, printed=over_truth.subs(_w, 2))
    yield exact("both at w = 0", over_truth.subs(_w, 0), 1)


@row(
    "001-equation-1",
    Verdict.CONFIRMED,
    claim="K(w) = ∫∫ q(y|x) log(q(y|x)/p(y|x, w)) q(x) dx dy",
    statement="Definition of the divergence.",
    evidence="Consistent with equation (11): for N(f, 1) it is half the squared difference.",
)
def equation_1() -> Facts:
    K = _expect((_y - _w) ** 2 / 2 - _y**2 / 2)
    yield exact("K for f = w, truth 0", K, _w**2 / 2, control=_w**2)


@row(
    "001-rlct",
    Verdict.CONFIRMED,
    claim="ζ(z) = ∫ K^z φ dw; λ is minus its largest pole",
    statement="Definition; on a neighbourhood of a zero, or on the whole parameter set.",
    evidence="K = x²y⁴: ∫∫ over [0, 1]² is 1/((2z + 1)(4z + 1)); the engine finds 1/4.",
    direct='rlct poly "x**2*y**4"',
)
def definition() -> Facts:
    z = sympy.Symbol("z")
    largest = max(sympy.solve((2 * z + 1) * (4 * z + 1), z))
    found = rlct.poly("x**2*y**4").lam
    yield exact("λ of x²y⁴", found, Fraction(-largest.p, largest.q), control=Fraction(1, 2))


@row(
    "001-bound",
    Verdict.CONFIRMED,
    claim="λ = d/2 in regular models, λ ≤ d/2 in strictly singular ones, if q is realisable",
    statement="As printed, for priors positive at the true parameters.",
    evidence="Engine on six divergences in up to three variables; for a prior that vanishes it "
    "fails: x² with prior |x| has λ = 1 > ½.",
)
def bound() -> Facts:
    cases = (
        ("x**2", 1),
        ("x**2+y**4", 2),
        ("x**2*y**2", 2),
        ("(x*y+z)**2+z**2", 3),
        ("x**2+y**2+z**2", 3),
        ("(x**2+y**2)**2", 2),
    )
    within = all((rlct.poly(K).lam or 99) <= Fraction(d, 2) for K, d in cases)
    yield exact("λ ≤ d/2 in six cases", within, True)
    regular = rlct.poly("x**2+y**2+z**2").lam
    yield exact("regular, d = 3", regular, Fraction(3, 2), control=Fraction(1))
    yield exact("with prior |x|", rlct.poly("x**2", prior="x").lam, Fraction(1))


@row(
    "001-equation-2",
    Verdict.CONFIRMED,
    claim="p(y|x, w) = (2π)^{−M/2} exp(−½‖y − f(x, w)‖²)",
    statement="A density in y ∈ R^M.",
    evidence="Definition; integrates to 1 (M = 1, and products).",
)
def equation_2() -> Facts:
    yield exact("integral", _expect(sympy.Integer(1)), 1, control=sympy.sqrt(2))


@row(
    "001-equation-3",
    Verdict.CONFIRMED,
    claim="L_n(w) = −(1/n) Σ log p(y_i|x_i, w), p(D_n|w) = exp(−nL_n(w))",
    statement="Definition; consistent.",
    evidence="Product against exponential for three observations of N(w, 1).",
)
def equation_3() -> Facts:
    data = (1, -2, 3)
    density = [sympy.exp(-((x - _w) ** 2) / 2) / sympy.sqrt(2 * sympy.pi) for x in data]
    loss = sum((x - _w) ** 2 / 2 + sympy.log(2 * sympy.pi) / 2 for x in data) / 3
    ratio = sympy.simplify(sympy.prod(density) / sympy.exp(-3 * loss))
    yield exact("p(D|w)/exp(−nL_n)", ratio, 1)


@row(
    "001-bic",
    Verdict.CONFIRMED,
    claim="BIC = nL_n(w_MLE) + (d/2) log n, from the Laplace approximation",
    statement="As printed, for regular models.",
    evidence="N(w, 1) with prior N(0, 1), exactly: −log p(D_n) − nL_n(w_MLE) is ½ log(1 + n) + "
    "mean²·n/(2(n + 1)).",
)
def bic() -> Facts:
    import mpmath as mp

    n, mean = sympy.symbols("n mean", positive=True)
    # ∫ exp(−n(w − mean)²/2) φ(w) dw at n = 3, mean = 2, against its closed form.
    found = mp.quad(lambda w: mp.exp(-3 * (w - 2) ** 2 / 2 - w * w / 2), [-8, 0, 2, 10])
    stated = math.exp(-3 * 4 / (2 * 4)) / 2
    value = float(found / mp.sqrt(2 * mp.pi))
    yield close("integral at n = 3, mean = 2", value, stated, 1e-12, control=2 * stated)
    rest = sympy.log(n + 1) / 2 + n * mean**2 / (2 * (n + 1))
    slope = sympy.limit(rest / sympy.log(n), n, sympy.oo)
    yield exact("coefficient of log n", slope, sympy.Rational(1, 2), control=1)


@row(
    "001-singular-bic",
    Verdict.CONFIRMED,
    claim="the criterion for regular and singular models is nL_n(w₀) + λ log n",
    statement="As printed to leading order; the free energy has −(θ−1) log log n besides.",
    evidence="−log ∫ e^{−nw⁴} dw has slope ¼ in log n, −log ∫∫ e^{−nx²y²} slope ½ − 1/log n + …, "
    "by quadrature.",
)
def singular_bic() -> Facts:
    from validation.audit._posterior import mean_nk_square

    n, w = sympy.symbols("n w", positive=True)
    value = sympy.integrate(sympy.exp(-n * w**4), (w, 0, sympy.oo))
    slope = sympy.simplify(-n * sympy.diff(sympy.log(value), n))
    yield exact("slope for K = w⁴", slope, sympy.Rational(1, 4), control=sympy.Rational(1, 2))
    size = 30 * math.log(10)
    found = mean_nk_square(1e30)  # the derivative of −log Z in log n is n·E K
    yield close("slope for K = x²y² at n = 10³⁰", found, 0.5 - 1 / size, 2 / size**2, control=0.5)


@row(
    "001-energy",
    Verdict.CONFIRMED,
    claim="E(T) = E_w[½ Σ ‖y_i − f(x_i, w)‖²] + (nM/2) log 2π",
    statement="As printed.",
    evidence="−log p of equation (2), by sympy.",
)
def energy() -> Facts:
    loss = sympy.expand_log(-sympy.log(_NORMAL.subs(_y, _y - _w)), force=True)
    stated = (_y - _w) ** 2 / 2 + sympy.log(2 * sympy.pi) / 2
    yield exact("difference", sympy.simplify(sympy.expand_log(loss - stated, force=True)), 0)


@row(
    "001-energy-constant",
    Verdict.REFUTED,
    claim="L_n(v₀) ≈ (M/2) log 2π for v₀ ∈ W₀, so E(T) ≈ (nM/2) log 2π at T ≈ 0",
    statement="L_n(v₀) ≈ (M/2)(log 2π + 1): the noise itself costs M/2 an observation.",
    evidence="E ½‖y − f(x, v₀)‖² = M/2 for unit noise, exactly.",
)
def energy_constant() -> Facts:
    half = sympy.log(2 * sympy.pi) / 2
    found = sympy.simplify(_expect(_y**2 / 2 + half) - half)
    yield exact("E L_n(v₀) − ½ log 2π, M = 1", found, sympy.Rational(1, 2), printed=0)


@row(
    "001-energy-slope",
    Verdict.CONFIRMED,
    claim="ΔE ≈ λ ΔT",
    statement="As printed, for large T (β = β₀/log n); at T near 1 the singular fluctuation's "
    "change enters too.",
    evidence="Limit of N(w², 1), λ = ¼, by quadrature: slope between T = 400 and 401.",
)
def energy_slope() -> Facts:
    from validation.audit._posterior import limit

    low, high = (limit(2, 1 / t).gibbs_training for t in (400, 401))
    yield close("slope", high - low, 0.25, 1e-6, control=0.2501)
