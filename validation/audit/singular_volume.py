"""Murfet et al., section 4: volume codimension and flatness."""

from __future__ import annotations

from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []

_t, _a = sympy.symbols("t a", positive=True)
_c1, _c2 = sympy.symbols("c1 c2", positive=True)


@row(
    "001-equation-4",
    Verdict.CONFIRMED,
    claim="K = Σ_{i ≤ d′} c_i w_i²: minimally singular, λ = d′/2",
    statement="As printed; W₀ is then a manifold of codimension d′.",
    evidence="Engine on x² + 2y² in three variables.",
    direct='rlct poly "x**2 + 2*y**2 + 0*z"',
)
def equation_4() -> Facts:
    yield exact("λ", rlct.poly("x**2+2*y**2").pair, rlct.Pair(1, 1), control=rlct.Pair(1, 2))


@row(
    "001-equation-5",
    Verdict.CONFIRMED,
    claim="V(t) ∝ t^{d′/2}/√(c₁ ⋯ c_d′)",
    statement="As printed: the volume of an ellipsoid.",
    evidence="Area of {c₁x² + c₂y² < t}, integrated by sympy.",
)
def equation_5() -> Facts:
    x = sympy.Symbol("x", positive=True)
    half = sympy.integrate(2 * sympy.sqrt((_t - x**2) / _c2), (x, 0, sympy.sqrt(_t)))
    area = sympy.simplify(2 * half / sympy.sqrt(_c1))
    yield exact("area·√(c₁c₂)/t", sympy.simplify(area * sympy.sqrt(_c1 * _c2) / _t), sympy.pi)


@row(
    "001-equation-6",
    Verdict.CONFIRMED,
    claim="d′ = 2 lim log{V(at)/V(t)}/log a",
    statement="As printed; for every singular model the limit is λ, so its double is 2λ. The "
    "later sentence that the right-hand side of (6) equals λ means the limit without the 2.",
    evidence="V = t^λ (log 1/t)^{θ−1} with λ = ½, θ = 2: the limit is ½.",
    place="001-equation-6",
)
def equation_6() -> Facts:
    V = sympy.sqrt(_t) * (1 + sympy.log(1 / _t) / 2)  # of x²y² on [0, 1]²
    ratio = sympy.log(V.subs(_t, 2 * _t) / V) / sympy.log(2)
    s = sympy.Symbol("s", positive=True)
    found = sympy.limit(ratio.subs(_t, sympy.exp(-s)), s, sympy.oo)
    yield exact("limit for x²y²", sympy.simplify(found), sympy.Rational(1, 2), control=1)
    plain = sympy.simplify(2 * sympy.log(3 ** sympy.Rational(5, 2)) / sympy.log(3))
    yield exact("2·limit for d′ = 5, a = 3", plain, 5)


@row(
    "001-multiplicity-1",
    Verdict.REFUTED,
    claim="V(t) = c t^λ + o(t^λ): if the point λ at v₀ is at most that of all nearby points, the "
    "multiplicity is 1",
    statement="The assumption does not give θ = 1: V(t) ~ c t^λ (log 1/t)^{θ−1} in general. What "
    "is needed is θ = 1 itself.",
    evidence="x²y² at the origin: λ = ½ there and at every nearby zero, and θ = 2; the area of "
    "{x²y² < t} is √t(1 + ½ log 1/t).",
    direct='rlct poly "x**2*y**2"',
)
def multiplicity_1() -> Facts:
    origin = rlct.poly("x**2*y**2").pair
    nearby = rlct.poly("x**2*y**2", at={"x": 0, "y": "1/10"}).lam
    assert origin is not None
    yield exact("λ nearby", nearby, origin.lam)
    yield exact("θ at the origin", origin.theta, 2, printed=1)


@row(
    "001-equation-7",
    Verdict.CORRECTED,
    claim="−log[V(t₀)/t₀^{d/2}] = (d − d′)/2 log t₀ + ½ Σ_{i=1}^{d} log c_i",
    statement="The sum runs to d′ (there are no more c_i); a constant is left out.",
    evidence="d = 3, d′ = 2, from equation (5): the derivative in log c counts the terms.",
)
def equation_7() -> Facts:
    V = _t / sympy.sqrt(_c1 * _c2)
    value = sympy.expand_log(-sympy.log(V / _t ** sympy.Rational(3, 2)), force=True)
    terms = sum(sympy.simplify(2 * c * sympy.diff(value, c)) for c in (_c1, _c2))
    yield exact("number of terms ½ log c_i, d = 3, d′ = 2", terms, 2, printed=3)
    slope = sympy.simplify(_t * sympy.diff(value, _t))
    yield exact("coefficient of log t₀", slope, sympy.Rational(1, 2), control=-sympy.Rational(1, 2))


@row(
    "001-entropy",
    Verdict.CONFIRMED,
    claim="for d = d′, −½ Σ log c_i measures the entropy of the true parameters near v₀; for "
    "d′ < d it depends on t₀",
    statement="As printed: log of the volume over its standard.",
    evidence="From equation (5), exactly.",
)
def entropy() -> Facts:
    full = sympy.expand_log(sympy.log(1 / sympy.sqrt(_c1 * _c2)), force=True)
    stated = -(sympy.log(_c1) + sympy.log(_c2)) / 2
    yield exact("log volume ratio at d = d′ = 2", sympy.simplify(full - stated), 0)


@row(
    "001-half-integers",
    Verdict.CONFIRMED,
    claim="2λ need not be an integer",
    statement="As printed; it is a positive rational number.",
    evidence="Engine: the cusp (x² − y³)² has 2λ = 5/6.",
    direct='rlct poly "(x**2 - y**3)**2"',
)
def half_integers() -> Facts:
    lam = rlct.poly("(x**2-y**3)**2").lam
    yield exact("λ of (x² − y³)²", lam, Fraction(5, 12), control=Fraction(1, 2))


@row(
    "001-figure-cubic",
    Verdict.CONFIRMED,
    claim="Example A.4: K(b) = −⅔b³ + b²N for b ≥ 0 and −⅓b³ + b²N for b ≤ 0, up to a factor: "
    "C² and not C³",
    statement="As printed, up to the density 1/(2N).",
    evidence="The integral of (ReLU(x − b) − ReLU(x))² piece by piece, by sympy.",
)
def example_a4() -> Facts:
    x, b, N = sympy.symbols("x b N", positive=True)
    right = sympy.integrate(x**2, (x, 0, b)) + sympy.integrate(b**2, (x, b, N))
    left = sympy.integrate((x + b) ** 2, (x, -b, 0)) + sympy.integrate(b**2, (x, 0, N))
    yield exact("b ≥ 0", sympy.expand(right), -2 * b**3 / 3 + b**2 * N)
    yield exact("b ≤ 0, b replaced by −b", sympy.expand(left), b**3 / 3 + b**2 * N)
    jump = sympy.diff(right, b, 3) - (-sympy.diff(left, b, 3))
    yield exact("jump of the third derivative", sympy.expand(jump), -2, control=0)


@row(
    "001-kl-smooth",
    Verdict.CONFIRMED,
    claim="the RLCT of K in a regular or minimally singular model is read off its quadratic form",
    statement="As printed.",
    evidence="A volume by quadrature for 3x² + y²/2: exponent 1.",
)
def quadratic_volume() -> Facts:
    import mpmath as mp

    def volume(t: float) -> float:
        edge = mp.sqrt(t / 3)
        return float(4 * mp.quad(lambda x: mp.sqrt(abs(2 * (t - 3 * x * x))), [0, edge]))

    slope = float(mp.log(volume(1e-6) / volume(1e-3)) / mp.log(1e-3))
    yield close("exponent of the volume", slope, 1, 1e-9, control=0.5)
