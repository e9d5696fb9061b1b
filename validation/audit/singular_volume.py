"""Murfet et al., section 4: volume codimension and flatness."""

from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, close, exact, row

_t = sympy.Symbol("t", positive=True)
_c1, _c2 = sympy.symbols("c1 c2", positive=True)


@row("001-equation-4")
def equation_4() -> Facts:
    yield exact("λ", rlct.poly("x**2+2*y**2").pair, rlct.Pair(1, 1), control=rlct.Pair(1, 2))


@row("001-equation-5")
def equation_5() -> Facts:
    x = sympy.Symbol("x", positive=True)
    half = sympy.integrate(2 * sympy.sqrt((_t - x**2) / _c2), (x, 0, sympy.sqrt(_t)))
    area = sympy.simplify(2 * half / sympy.sqrt(_c1))
    yield exact("area·√(c₁c₂)/t", sympy.simplify(area * sympy.sqrt(_c1 * _c2) / _t), sympy.pi)


@row("001-equation-6")
def equation_6() -> Facts:
    V = sympy.sqrt(_t) * (1 + sympy.log(1 / _t) / 2)  # of x²y² on [0, 1]²
    ratio = sympy.log(V.subs(_t, 2 * _t) / V) / sympy.log(2)
    s = sympy.Symbol("s", positive=True)
    found = sympy.limit(ratio.subs(_t, sympy.exp(-s)), s, sympy.oo)
    yield exact("limit for x²y²", sympy.simplify(found), sympy.Rational(1, 2), control=1)
    plain = sympy.simplify(2 * sympy.log(3 ** sympy.Rational(5, 2)) / sympy.log(3))
    yield exact("2·limit for d′ = 5, a = 3", plain, 5)


@row("001-multiplicity-1")
def multiplicity_1() -> Facts:
    origin = rlct.poly("x**2*y**2").pair
    nearby = rlct.poly("x**2*y**2", at={"x": 0, "y": "1/10"}).lam
    assert origin is not None
    yield exact("λ nearby", nearby, origin.lam)
    yield exact("θ at the origin", origin.theta, 2, printed=1)


@row("001-equation-7")
def equation_7() -> Facts:
    V = _t / sympy.sqrt(_c1 * _c2)
    value = sympy.expand_log(-sympy.log(V / _t ** sympy.Rational(3, 2)), force=True)
    terms = sum(sympy.simplify(2 * c * sympy.diff(value, c)) for c in (_c1, _c2))
    yield exact("number of terms ½ log c_i, d = 3, d′ = 2", terms, 2, printed=3)
    slope = sympy.simplify(_t * sympy.diff(value, _t))
    yield exact("coefficient of log t₀", slope, sympy.Rational(1, 2), control=-sympy.Rational(1, 2))


@row("001-entropy")
def entropy() -> Facts:
    full = sympy.expand_log(sympy.log(1 / sympy.sqrt(_c1 * _c2)), force=True)
    stated = -(sympy.log(_c1) + sympy.log(_c2)) / 2
    yield exact("log volume ratio at d = d′ = 2", sympy.simplify(full - stated), 0)


@row("001-half-integers")
def half_integers() -> Facts:
    lam = rlct.poly("(x**2-y**3)**2").lam
    yield exact("λ of (x² − y³)²", lam, Fraction(5, 12), control=Fraction(1, 2))


@row("001-figure-cubic")
def example_a4() -> Facts:
    x, b, N = sympy.symbols("x b N", positive=True)
    right = sympy.integrate(x**2, (x, 0, b)) + sympy.integrate(b**2, (x, b, N))
    left = sympy.integrate((x + b) ** 2, (x, -b, 0)) + sympy.integrate(b**2, (x, 0, N))
    yield exact("b ≥ 0", sympy.expand(right), -2 * b**3 / 3 + b**2 * N)
    yield exact("b ≤ 0, b replaced by −b", sympy.expand(left), b**3 / 3 + b**2 * N)
    jump = sympy.diff(right, b, 3) - (-sympy.diff(left, b, 3))
    yield exact("jump of the third derivative", sympy.expand(jump), -2, control=0)


@row("001-kl-smooth")
def quadratic_volume() -> Facts:
    import mpmath as mp

    def volume(t: float) -> float:
        edge = mp.sqrt(t / 3)
        return float(4 * mp.quad(lambda x: mp.sqrt(abs(2 * (t - 3 * x * x))), [0, edge]))

    slope = float(mp.log(volume(1e-6) / volume(1e-3)) / mp.log(1e-3))
    yield close("exponent of the volume", slope, 1, 1e-9, control=0.5)
