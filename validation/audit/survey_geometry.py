"""Seyoum's survey: volumes, zeta functions, and normal crossings."""

from fractions import Fraction

import sympy

from validation.audit.row import Facts, close, exact, row

_z, _e, _u = sympy.symbols("z e u", positive=True)


@row("000-quadratic-kl")
def quadratic_kl() -> Facts:
    m, v = sympy.symbols("m v", positive=True)
    K = sympy.log(v) / 2 + (1 + m**2) / (2 * v) - sympy.Rational(1, 2)
    hessian = sympy.hessian(K, (m, v)).subs({m: 0, v: 1})
    fisher = sympy.Matrix([[1, 0], [0, sympy.Rational(1, 2)]])
    yield exact("Hessian of K for N(m, v)", hessian, fisher, control=2 * fisher)


@row("000-laplace")
def laplace() -> Facts:
    n, w = sympy.symbols("n w", positive=True)
    value = 2 * sympy.integrate(sympy.exp(-n * w**2 / 2), (w, 0, sympy.oo))
    exponent = sympy.simplify(n * sympy.diff(sympy.log(value), n))
    yield exact("exponent of n, d = 1", exponent, -sympy.Rational(1, 2), control=-1)


@row("000-regular-evidence")
def regular_evidence() -> Facts:
    n = sympy.Symbol("n", positive=True)
    rest = sympy.log(1 + n) / 2 - n / (2 * (n + 1))
    found = sympy.limit(rest - sympy.log(n) / 2, n, sympy.oo)
    yield exact("limit of the rest − ½ log n", found, -sympy.Rational(1, 2))


@row("000-regular-volume")
def regular_volume() -> Facts:
    import rlct

    for d in range(1, 5):
        found = rlct.ideal([f"x{i}" for i in range(d)]).pair
        yield exact(f"(λ, θ) for d = {d}", found, rlct.Pair(Fraction(d, 2), 1))


@row("000-volume-and-pole")
def volume_and_pole() -> Facts:
    import rlct

    x = sympy.Symbol("x", positive=True)
    volume = sympy.sqrt(_e) + sympy.integrate(sympy.sqrt(_e) / x, (x, sympy.sqrt(_e), 1))
    stated = sympy.sqrt(_e) * (1 + sympy.log(1 / _e) / 2)
    yield exact("volume", sympy.simplify(sympy.expand_log(volume - stated)), 0)
    zeta = sympy.integrate(x ** (2 * _z), (x, 0, 1)) ** 2
    yield exact("ζ(z)·(2z + 1)²", sympy.simplify(zeta * (2 * _z + 1) ** 2), 1)
    found = rlct.poly("x**2*y**2").pair
    yield exact("engine", found, rlct.Pair(Fraction(1, 2), 2), control=rlct.Pair(Fraction(1, 2), 1))


@row("000-normal-form")
def normal_form() -> Facts:
    import rlct

    yield exact("λ of x²", rlct.poly("x**2").lam, Fraction(1, 2), printed=Fraction(1, 4))


@row("000-lambda")
def lam() -> Facts:
    import rlct

    yield exact("λ of x²y⁴", rlct.poly("x**2*y**4").lam, Fraction(1, 4), printed=Fraction(1, 2))
    y = sympy.Symbol("y", positive=True)
    edge = _e ** sympy.Rational(1, 4)
    volume = edge + sympy.integrate(sympy.sqrt(_e) / y**2, (y, edge, 1))
    yield exact("limit of volume/ε^{1/4}", sympy.limit(volume / edge, _e, 0, "+"), 2, control=0)
    yield exact("θ of x²y²z⁴", rlct.poly("x**2*y**2*z**4").theta, 1)


@row("000-invariance")
def invariance() -> Facts:
    import rlct

    with_prior = rlct.poly("x**2", prior="x").lam
    yield exact("λ of x² with prior |x|", with_prior, Fraction(1), printed=Fraction(1, 2))
    moved = rlct.poly("((x+y**2)**2 - (y-x)**3)**2").lam
    yield exact("λ after a change of coordinates", moved, rlct.poly("(x**2 - y**3)**2").lam)


@row("000-jacobian-form")
def jacobian_form() -> Facts:
    u, v = sympy.symbols("u v")
    found = sympy.Matrix([u, u * v]).jacobian([u, v]).det()
    yield exact("Jacobian of the blow-up", found, u, control=v)


@row("000-poles")
def poles() -> Facts:
    for k, h in ((1, 0), (2, 1), (3, 5)):
        value = sympy.integrate(_u ** (2 * k * _z + h), (_u, 0, 1))
        found = sympy.solve((1 / value).subs(_z, sympy.Symbol("s")), sympy.Symbol("s"))
        yield exact(f"poles for k = {k}, h = {h}", found, [-sympy.Rational(h + 1, 2 * k)])


@row("000-bic-volume")
def bic_volume() -> Facts:
    import rlct

    yield exact("λ of x⁴ + y²", rlct.poly("x**4+y**2").lam, Fraction(3, 4), control=Fraction(1))
    import mpmath as mp

    def volume(e: float) -> float:
        return float(mp.quad(lambda x: mp.sqrt(abs(e - x**4)), [0, e**0.25]))

    slope = float(mp.log(volume(1e-6) / volume(1e-4)) / mp.log(1e-2))
    yield close("exponent of the volume", slope, 0.75, 1e-6, control=1.0)
