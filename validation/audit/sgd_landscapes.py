"""Corlouer and Macé: stochastic gradient descent on degenerate losses.

The copy that was read has lost its formulas. They are rebuilt: h is the model's polynomial, the
data are y = noise·ε (the truth is 0, footnote 7), the model h(w)·x, x and ε standard normal.
"""

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._posterior import limit
from validation.audit.row import Facts, close, exact, row

_x, _y = sympy.symbols("x y")


@row("003-critical-points")
def critical_points() -> Facts:
    for k in (1, 2, 3):
        yield exact(f"λ of w^{2 * k}", rlct.poly(f"w**{2 * k}").lam, Fraction(1, 2 * k))


@row("003-volume")
def volume() -> Facts:
    e = sympy.Symbol("e", positive=True)
    V = 2 * e ** sympy.Rational(1, 4)
    yield exact("exponent", sympy.simplify(e * sympy.diff(sympy.log(V), e)), sympy.Rational(1, 4))
    yield exact("engine", rlct.poly("w**4").lam, Fraction(1, 4), control=Fraction(1, 2))


@row("003-lower-lambda")
def lower_lambda() -> Facts:
    found = [limit(power, 1.0).bayes_generalisation for power in (2, 4)]
    yield close("n·E Bg, N(w², 1)", found[0], 0.25, 1e-9, control=0.5)
    yield close("n·E Bg, N(w⁴, 1)", found[1], 0.125, 1e-9, control=0.25)


@row("003-landscape-1d")
def landscape_1d() -> Facts:
    import mpmath as mp

    for at, right in ((1, Fraction(1, 2)), (0, Fraction(1, 4))):
        yield exact(f"λ at {at}", rlct.poly("((w-1)*w**2)**2", at={"w": at}).lam, right)

    def ratio(n: float) -> float:
        def weigh(w: float) -> float:
            return float(mp.exp(-n * ((w - 1) * w * w) ** 2))

        a, b = n**-0.25, n**-0.5
        flat = mp.quad(weigh, [-0.5, -3 * a, 0, 3 * a, 0.5])
        return float(flat / mp.quad(weigh, [0.5, 1 - 4 * b, 1, 1 + 4 * b, 1.5]))

    slope = math.log(ratio(1e14) / ratio(1e12)) / math.log(100)
    yield close("exponent of n", slope, 0.25, 1e-5, control=0)


@row("003-landscape-1d-degenerate")
def landscape_1d_degenerate() -> Facts:
    for at, right in ((1, Fraction(1, 4)), (0, Fraction(1, 6))):
        yield exact(f"λ at {at}", rlct.poly("((w-1)**2*w**3)**2", at={"w": at}).lam, right)


@row("003-landscape-2d")
def landscape_2d() -> Facts:
    K = "(x*(x**2+y**2))**2"
    yield exact("λ on the line", rlct.poly(K, at={"x": 0, "y": 1}).lam, Fraction(1, 2))
    yield exact("λ at the origin", rlct.poly(K).lam, Fraction(1, 3))


@row("003-origin-coefficient")
def origin_coefficient() -> Facts:
    K = "(x**2*(x**2+y**2)**2)**2"
    line = rlct.poly(K, at={"x": 0, "y": 1}).lam
    origin = rlct.poly(K).lam
    yield exact("λ on the line, at the origin", (line, origin), (Fraction(1, 4), Fraction(1, 6)))
    assert line is not None
    assert origin is not None
    yield exact("λ at the origin is higher", origin > line, False, printed=True)


@row("003-stuck")
def stuck() -> Facts:
    u, v = sympy.symbols("u v")
    for h, flat in ((u**2 * (u**2 + v**2) ** 2, True), (u * (u**2 + v**2), False)):
        g = [sympy.diff((_y - h * _x) ** 2 / 2, t).subs(u, 0) for t in (u, v)]
        yield exact(f"gradient of {h} is 0 on the line", sympy.expand(g[0]) == 0, flat)
        yield exact("along the line", sympy.expand(g[1]), 0)


@row("003-slower")
def slower() -> Facts:
    t = sympy.Symbol("t", positive=True)
    for k in (2, 3):
        p = sympy.Rational(1, 2 * k - 2)
        w = (1 + 2 * k * (2 * k - 2) * t) ** (-p)
        rest = sympy.simplify(sympy.diff(w, t) + 2 * k * w ** (2 * k - 1))
        yield exact(f"solution of the flow, k = {k}", rest, 0)


@row("003-distributions")
def distributions() -> Facts:
    slope = [sympy.diff(_x**2 * _y**4, v) for v in (_x, _y)]
    yield exact("gradient on y = 0", [g.subs(_y, 0) for g in slope], [0, 0])
    beside = [g.subs({_x: 1, _y: 1}) for g in slope]
    yield exact("it vanishes at (1, 1)", beside == [0, 0], False)


@row("003-footnote-5")
def footnote_5() -> Facts:
    yield exact("λ of w⁶", rlct.poly("w**6").lam, Fraction(1, 6))
