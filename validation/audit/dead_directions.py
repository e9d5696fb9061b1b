"""Shirodkar, Dead directions: the results on λ, θ and ν that its machine-checked ledger states."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


@row(
    "005-multi-component-rates",
    Verdict.CONFIRMED,
    claim="Theorem multi_component_rates: the volume of {Π x_i < δ} in (0, 1)^r is "
    "δ Σ_{j<r} (−log δ)^j/j!; (Π x_i)^{2k} has λ = 1/(2k), with multiplicity r",
    statement="As printed.",
    evidence="r = 2 and 3 integrated by sympy; the engine at r = 3, k = 2. The distinct case "
    "x²y⁴ has (1/4, 1).",
    direct='rlct poly "x**4*y**4*z**4"',
)
def multi_component_rates() -> Facts:
    delta, x = sympy.symbols("delta x", positive=True)
    volume = delta
    for r in (2, 3):  # ∫ V(δ/x) dx over (δ, 1), and δ from x < δ
        inner = sympy.integrate(volume.subs(delta, delta / x).expand(), (x, delta, 1))
        volume = sympy.expand_log(delta + inner, force=True).expand()
        printed = delta * sum((-sympy.log(delta)) ** j / math.factorial(j) for j in range(r))
        yield exact(f"volume less the printed one, r = {r}", sympy.expand(volume - printed), 0)
    tied = rlct.poly("x**4*y**4*z**4")
    yield exact("(λ, θ), r = 3, k = 2", (tied.lam, tied.theta), (Fraction(1, 4), 3))
    distinct = rlct.poly("x**2*y**4")
    yield exact("(λ, θ) of x²y⁴", (distinct.lam, distinct.theta), (Fraction(1, 4), 1))


@row(
    "005-weighted-crossing",
    Verdict.CONFIRMED,
    claim="the weight Π x_i^h moves the coefficient of a tied crossing to (h + 1)/(2k), with the "
    "multiplicity as before",
    statement="As printed.",
    evidence="The engine at r = 2, k = 2, h = 1 and 2.",
    direct='rlct poly "x**4*y**4" --prior x*y',
)
def weighted_crossing() -> Facts:
    for h in (1, 2):
        result = rlct.poly("x**4*y**4", prior=f"x**{h}*y**{h}")
        yield exact(f"(λ, θ), h = {h}", (result.lam, result.theta), (Fraction(h + 1, 4), 2))


@row(
    "005-volume-multi",
    Verdict.CONFIRMED,
    claim="Proposition volume_multi: Σ u_i^{2k_i} and m squares more have V(ε) = "
    "ε^{Σ 1/(2k_i) + m/2} V(1)",
    statement="As printed: λ = Σ 1/(2k_i) + m/2, θ = 1.",
    evidence="Scaling of the coordinates; the engine at k = (2, 3), m = 1.",
    direct='rlct poly "x**4+y**6+z**2"',
)
def volume_multi() -> Facts:
    result = rlct.poly("x**4+y**6+z**2")
    yield exact("(λ, θ)", (result.lam, result.theta), (Fraction(11, 12), 1))


@row(
    "005-determinantal-width-one",
    Verdict.CONFIRMED,
    claim="Proposition determinantal_resolution at width one: a chain of L scalar layers has "
    "λ = ½ with multiplicity L at rank zero, and (½, 1) at rank one",
    statement="As printed. The ledger leaves general widths and ranks out of what is checked.",
    evidence="The theorem of deep linear networks at L = 3, and the engine at rank zero.",
    direct="rlct net linear 1 1 1 1 --rank 0",
)
def determinantal() -> Facts:
    for product_rank, theta in ((0, 3), (1, 1)):
        stated = rlct.linear([1, 1, 1, 1], rank=product_rank)
        found = (stated.lam, stated.theta)
        yield exact(f"(λ, θ) at rank {product_rank}", found, (Fraction(1, 2), theta))
    engine = rlct.ideal(["x*y*z"])
    yield exact("by the engine", (engine.lam, engine.theta), (Fraction(1, 2), 3))


def _moment(power: int, k: int) -> sympy.Expr:
    """∫ over η > 0 of η^power·exp(−η^{2k}), over that with power 0."""
    eta = sympy.Symbol("eta", positive=True)
    weight = sympy.exp(-(eta ** (2 * k)))
    top = sympy.integrate(eta**power * weight, (eta, 0, sympy.oo))
    return sympy.simplify(top / sympy.integrate(weight, (eta, 0, sympy.oo)))


@row(
    "005-nu-frozen",
    Verdict.CONFIRMED,
    claim="Theorem nu_universality, frozen part: under exp(−η^{2k}) the mean of η^{2k} is "
    "λ = 1/(2k), and the variance of η^k is λ for odd k and λ − (Γ(λ + ½)/Γ(λ))² for even k",
    statement="As printed.",
    evidence="Integrals by sympy, k = 1, 2, 3.",
)
def nu_frozen() -> Facts:
    for k in (1, 2, 3):
        lam = sympy.Rational(1, 2 * k)
        yield exact(f"mean, k = {k}", _moment(2 * k, k), lam)
        mean = _moment(k, k) if k % 2 == 0 else sympy.Integer(0)
        half = sympy.Rational(1, 2)
        right = lam - (sympy.gamma(lam + half) / sympy.gamma(lam)) ** 2 * int(k % 2 == 0)
        found = sympy.N(_moment(2 * k, k) - mean**2, 20)
        yield close(f"variance, k = {k}", float(found), float(right), 1e-12)


def _fluctuation(k: int) -> float:
    """The mean over Z ~ N(0, 2) of the variance of η^k under exp(Zη^k − η^{2k})."""
    import numpy as np

    eta, z = np.linspace(-6.0, 6.0, 6001), np.linspace(-9.0, 9.0, 1801)
    power = eta**k
    shift = z[:, None] * power - power**2
    weight = np.exp(shift - shift.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    variance = weight @ power**2 - (weight @ power) ** 2
    normal = np.exp(-(z**2) / 4)
    return float(normal @ variance / normal.sum())


@row(
    "005-nu-averaged",
    Verdict.CONFIRMED,
    claim="Theorem nu_universality and proposition nu_even: averaged over Z ~ N(0, 2), ν(1) = ½, "
    "and ν(k) exceeds the frozen variance for k ≥ 2",
    statement="As printed at k = 1, 2, 3, 4; ν(k) is the singular fluctuation of K = w^{2k} with "
    "a flat prior, which the audit's own models have as ½ E Var t.",
    evidence="Trapezoidal rule in η and Z.",
)
def nu_averaged() -> Facts:
    yield close("ν(1)", _fluctuation(1), 0.5, 1e-6, control=0.51)
    for k in (2, 3, 4):
        lam = 1 / (2 * k)
        frozen = lam - (math.gamma(lam + 0.5) / math.gamma(lam)) ** 2 * (k % 2 == 0)
        yield exact(f"ν({k}) above {frozen:.6f}", _fluctuation(k) > frozen + 1e-4, True)


@row(
    "005-ln-finite-t",
    Verdict.CONFIRMED,
    claim="Theorem ln_finite_t_mlp: with Gaussian channels E[1/σ₀²] is finite exactly for d ≥ 4, "
    "σ₀² the variance in layer normalisation of d channels of which one is dead",
    statement="As printed: σ₀² is a positive form in d − 1 independent Gaussians, and E 1/‖y‖² is "
    "finite exactly from three on.",
    evidence="The eigenvalues of the form at d = 3, 4, 5, and the radial integral near 0.",
)
def ln_finite_t() -> Facts:
    r = sympy.Symbol("r", positive=True)
    for d in (3, 4, 5):
        m = d - 1
        # the mean of squares less the square of the mean, of d channels with the last at 0
        form = sympy.eye(m) / d - sympy.ones(m, m) / sympy.Integer(d) ** 2
        yield exact(f"positive, d = {d}", form.is_positive_definite, True)
        finite = sympy.integrate(r ** (m - 3), (r, 0, 1)) != sympy.oo
        yield exact(f"E 1/σ₀² finite, d = {d}", bool(finite), d >= 4)


@row(
    "005-ln-kernel",
    Verdict.CONFIRMED,
    claim="Propositions ln_kernel and rmsnorm_no_kernel: γ⁻¹ is in the kernel of the covariance "
    "after layer normalisation with scale γ; after RMSNorm no direction always is",
    statement="As printed.",
    evidence="Four inputs in three channels, exactly up to the common root; the ±e_i for RMSNorm.",
)
def ln_kernel() -> Facts:
    gamma = sympy.Matrix([2, 3, 5])
    inputs = [sympy.Matrix(x) for x in ((1, 2, 4), (0, 1, 5), (3, -1, 2), (1, 1, -6))]
    outputs = []
    for x in inputs:
        centred = x - sympy.ones(3, 1) * sum(x) / 3
        outputs.append(gamma.multiply_elementwise(centred) / sympy.sqrt(centred.dot(centred) / 3))
    mean = sum(outputs, sympy.zeros(3, 1)) / len(outputs)
    readings = {sympy.simplify(sum((y - mean)[i] / gamma[i] for i in range(3))) for y in outputs}
    yield exact("readings of γ⁻¹", readings, {sympy.Integer(0)})
    v = sympy.Matrix(sympy.symbols("v1 v2 v3"))
    basis = [sympy.eye(3)[:, i] * s for i in range(3) for s in (1, -1)]
    squares = [v.dot(gamma.multiply_elementwise(e) / sympy.sqrt(e.dot(e) / 3)) ** 2 for e in basis]
    right = sum((v[i] * gamma[i]) ** 2 for i in range(3))
    yield exact("variance of v after RMSNorm", sympy.expand(sum(squares) / 6 - right), 0)


@row(
    "005-swiglu-rate",
    Verdict.CONFIRMED,
    claim="Proposition swiglu_rate: the dead output t³x²σ(tx) has second moment of order t⁶ with "
    "coefficient E[x⁴]/4",
    statement="As printed, σ the logistic function.",
    evidence="The limit t → 0 under the integral, at three points.",
)
def swiglu_rate() -> Facts:
    t, x = sympy.symbols("t x", real=True)
    output = t**3 * x**2 / (1 + sympy.exp(-t * x))
    limit = sympy.simplify(sympy.limit(output**2 / t**6, t, 0))
    for value in (1, -2, 3):
        yield exact(f"at x = {value}", limit.subs(x, value), sympy.Rational(value**4, 4))


@row(
    "005-orders-alone",
    Verdict.UNVERIFIABLE,
    claim="abstract: a selection rule on smooth fibres turns the order of a dead direction into "
    "its part of λ; closed-form (λ, m, ν) for each architecture",
    statement="The rule's hypotheses and the table of architectures were not at hand. Orders along "
    "the axes alone do not decide: (x − y²)² and x² + y⁴ have the same, and λ = ½ and ¾.",
    evidence="The engine on both.",
    direct='rlct poly "(x-y**2)**2"',
)
def orders_alone() -> Facts:
    yield exact("λ of (x − y²)²", rlct.poly("(x-y**2)**2").lam, Fraction(1, 2))
    yield exact("λ of x² + y⁴", rlct.poly("x**2+y**4").lam, Fraction(3, 4))
