"""Shirodkar, Dead directions: the results on λ, θ and ν that its machine-checked ledger states."""

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, close, exact, row


@row("005-multi-component-rates")
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


@row("005-weighted-crossing")
def weighted_crossing() -> Facts:
    for h in (1, 2):
        result = rlct.poly("x**4*y**4", prior=f"x**{h}*y**{h}")
        yield exact(f"(λ, θ), h = {h}", (result.lam, result.theta), (Fraction(h + 1, 4), 2))


@row("005-volume-multi")
def volume_multi() -> Facts:
    result = rlct.poly("x**4+y**6+z**2")
    yield exact("(λ, θ)", (result.lam, result.theta), (Fraction(11, 12), 1))


@row("005-determinantal-width-one")
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


@row("005-nu-frozen")
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


@row("005-nu-averaged")
def nu_averaged() -> Facts:
    yield close("ν(1)", _fluctuation(1), 0.5, 1e-6, control=0.51)
    for k in (2, 3, 4):
        lam = 1 / (2 * k)
        frozen = lam - (math.gamma(lam + 0.5) / math.gamma(lam)) ** 2 * (k % 2 == 0)
        yield exact(f"ν({k}) above {frozen:.6f}", _fluctuation(k) > frozen + 1e-4, True)


@row("005-ln-finite-t")
def ln_finite_t() -> Facts:
    r = sympy.Symbol("r", positive=True)
    for d in (3, 4, 5):
        m = d - 1
        # the mean of squares less the square of the mean, of d channels with the last at 0
        form = sympy.eye(m) / d - sympy.ones(m, m) / sympy.Integer(d) ** 2
        yield exact(f"positive, d = {d}", form.is_positive_definite, True)
        finite = sympy.integrate(r ** (m - 3), (r, 0, 1)) != sympy.oo
        yield exact(f"E 1/σ₀² finite, d = {d}", bool(finite), d >= 4)


@row("005-ln-kernel")
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


@row("005-swiglu-rate")
def swiglu_rate() -> Facts:
    t, x = sympy.symbols("t x", real=True)
    output = t**3 * x**2 / (1 + sympy.exp(-t * x))
    limit = sympy.simplify(sympy.limit(output**2 / t**6, t, 0))
    for value in (1, -2, 3):
        yield exact(f"at x = {value}", limit.subs(x, value), sympy.Rational(value**4, 4))


@row("005-orders-alone")
def orders_alone() -> Facts:
    yield exact("λ of (x − y²)²", rlct.poly("(x-y**2)**2").lam, Fraction(1, 2))
    yield exact("λ of x² + y⁴", rlct.poly("x**2+y**4").lam, Fraction(3, 4))
