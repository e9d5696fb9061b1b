"""Corlouer and Macé: gradient noise and the Hessian, in the notation of `sgd_landscapes`."""

from fractions import Fraction
from itertools import combinations

import sympy

from validation.audit.row import Facts, exact, row

_x, _y, _s = sympy.symbols("x y s")


def _expect(expression: sympy.Expr) -> sympy.Expr:
    """Mean of a polynomial in the independent normal x and y = s·ε, by their moments."""
    total = sympy.Integer(0)
    for (i, j), c in sympy.Poly(sympy.expand(expression), _x, _y).terms():
        if i % 2 == 0 and j % 2 == 0:
            total += c * sympy.factorial2(i - 1) * sympy.factorial2(j - 1) * _s**j
    return sympy.expand(total)


def _moments(h: sympy.Expr, w: tuple[sympy.Symbol, ...]) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Covariance of the one-sample gradient, and the Hessian of the potential ½h² + const."""
    loss = (_y - h * _x) ** 2 / 2
    g = [sympy.diff(loss, v) for v in w]
    mean = [_expect(v) for v in g]
    d = len(w)
    C = sympy.Matrix(d, d, lambda i, j: sympy.expand(_expect(g[i] * g[j]) - mean[i] * mean[j]))
    return C, sympy.hessian(_expect(loss), w)


@row("003-potential")
def potential() -> Facts:
    h = sympy.Symbol("h")
    found = _expect((_y - h * _x) ** 2 / 2)
    yield exact("E ½(y − hx)²", sympy.expand(found - h**2 / 2 - _s**2 / 2), 0)


@row("003-noise-zero-mean")
def noise_zero_mean() -> Facts:
    w = sympy.Symbol("w")
    h = w**3 - w
    mean = _expect(sympy.diff((_y - h * _x) ** 2 / 2, w))
    yield exact("difference", sympy.expand(mean - sympy.diff(h**2 / 2, w)), 0)


@row("003-isserlis")
def isserlis() -> Facts:
    u, v = sympy.symbols("u v")
    h = u * v + u**2
    C, _ = _moments(h, (u, v))
    grad = sympy.Matrix([sympy.diff(h, t) for t in (u, v)])
    yield exact("C", (C - (2 * h**2 + _s**2) * grad * grad.T).expand(), sympy.zeros(2))


@row("003-hessian")
def hessian() -> Facts:
    u, v = sympy.symbols("u v")
    h = u * v + u**3
    _, H = _moments(h, (u, v))
    grad = sympy.Matrix([sympy.diff(h, t) for t in (u, v)])
    yield exact("H", (H - grad * grad.T - h * sympy.hessian(h, (u, v))).expand(), sympy.zeros(2))


@row("003-proportional-at-zeros")
def proportional_at_zeros() -> Facts:
    u, v = sympy.symbols("u v")
    C, H = _moments(u**2 + v**2 - 1, (u, v))
    at = {u: sympy.Rational(3, 5), v: sympy.Rational(4, 5)}
    yield exact("C − s²H", (C - _s**2 * H).subs(at).expand(), sympy.zeros(2))
    yield exact("H = 0", H.subs(at).is_zero_matrix, False)


@row("003-proportional-at-critical")
def proportional_at_critical() -> Facts:
    w = sympy.Symbol("w")
    C, H = _moments(w**3 / 3 - w, (w,))
    yield exact("C at w = 1", C[0].subs(w, 1), 0)
    yield exact("H at w = 1", H[0].subs(w, 1), -sympy.Rational(4, 3), printed=0)


@row("003-proportional-nearby")
def proportional_nearby() -> Facts:
    w, u, v, t = sympy.symbols("w u v t")
    for k in (1, 2, 3):
        C, H = _moments(w**k, (w,))
        ratio = sympy.limit(C[0] / H[0], w, 0)
        yield exact(f"C/H as w → 0, k = {k}", ratio, _s**2 * sympy.Rational(k, 2 * k - 1))
    C, H = _moments(u * v, (u, v))
    along = {u: t, v: t}
    C0 = (C.subs(along) / t**2).applyfunc(lambda c: sympy.limit(sympy.expand(c), t, 0)) / _s**2
    H0 = (H.subs(along) / t**2).applyfunc(sympy.expand)
    yield exact("(C, H)/t² at (t, t)", (C0, H0), (sympy.ones(2), sympy.Matrix([[1, 2], [2, 1]])))
    yield exact("proportional", C0[0, 0] * H0[0, 1] == C0[0, 1] * H0[0, 0], False, printed=True)


@row("003-batch-size")
def batch_size() -> Facts:
    g = [Fraction(v) for v in (3, -1, 4, 1, -5, -2)]
    C = sum(v * v for v in g) / 6
    for B in (1, 2, 3):
        means = [sum(c) / B for c in combinations(g, B)]
        found = sum(m * m for m in means) / len(means) / C
        yield exact(f"Cov/C, n = 6, B = {B}", found, Fraction(6 - B, 5 * B), control=Fraction(2))


@row("003-shift")
def shift() -> Facts:
    w, a = sympy.symbols("w a")
    h = w**2
    shifted = sympy.diff((_y - (h - a) * _x) ** 2, w)
    yield exact("difference", sympy.expand(sympy.diff((_y + a * _x - h * _x) ** 2, w) - shifted), 0)
