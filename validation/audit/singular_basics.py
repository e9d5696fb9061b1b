"""Murfet et al., section 3: definitions and criteria."""

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, close, exact, row

_y, _w = sympy.symbols("y w", real=True)
_NORMAL_DENSITY = sympy.exp(-(_y**2) / 2) / sympy.sqrt(2 * sympy.pi)


def _expect(expression: sympy.Expr) -> sympy.Expr:
    """Mean over y ~ N(0, 1)."""
    return sympy.simplify(sympy.integrate(_NORMAL_DENSITY * expression, (_y, -sympy.oo, sympy.oo)))


@row("001-fisher")
def fisher() -> Facts:
    score = sympy.diff(-((_y - _w) ** 2) / 2, _w)
    over_truth = _expect(score**2)
    over_model = _expect(score.subs(_y, _y + _w) ** 2)
    yield exact("mean over the model at w = 2", over_model, 1, printed=over_truth.subs(_w, 2))
    yield exact("both at w = 0", over_truth.subs(_w, 0), 1)


@row("001-equation-1")
def equation_1() -> Facts:
    K = _expect((_y - _w) ** 2 / 2 - _y**2 / 2)
    yield exact("K for f = w, truth 0", K, _w**2 / 2, control=_w**2)


@row("001-rlct")
def definition() -> Facts:
    z = sympy.Symbol("z")
    largest = max(sympy.solve((2 * z + 1) * (4 * z + 1), z))
    found = rlct.poly("x**2*y**4").lam
    yield exact("λ of x²y⁴", found, Fraction(-largest.p, largest.q), control=Fraction(1, 2))


@row("001-bound")
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


@row("001-equation-2")
def equation_2() -> Facts:
    yield exact("integral", _expect(sympy.Integer(1)), 1, control=sympy.sqrt(2))


@row("001-equation-3")
def equation_3() -> Facts:
    data = (1, -2, 3)
    density = [sympy.exp(-((x - _w) ** 2) / 2) / sympy.sqrt(2 * sympy.pi) for x in data]
    loss = sum((x - _w) ** 2 / 2 + sympy.log(2 * sympy.pi) / 2 for x in data) / 3
    ratio = sympy.simplify(sympy.prod(density) / sympy.exp(-3 * loss))
    yield exact("p(D|w)/exp(−nL_n)", ratio, 1)


@row("001-bic")
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


@row("001-singular-bic")
def singular_bic() -> Facts:
    from validation.audit._posterior import mean_nk_square

    n, w = sympy.symbols("n w", positive=True)
    value = sympy.integrate(sympy.exp(-n * w**4), (w, 0, sympy.oo))
    slope = sympy.simplify(-n * sympy.diff(sympy.log(value), n))
    yield exact("slope for K = w⁴", slope, sympy.Rational(1, 4), control=sympy.Rational(1, 2))
    size = 30 * math.log(10)
    found = mean_nk_square(1e30)  # the derivative of −log Z in log n is n·E K
    yield close("slope for K = x²y² at n = 10³⁰", found, 0.5 - 1 / size, 2 / size**2, control=0.5)


@row("001-energy")
def energy() -> Facts:
    loss = sympy.expand_log(-sympy.log(_NORMAL_DENSITY.subs(_y, _y - _w)), force=True)
    stated = (_y - _w) ** 2 / 2 + sympy.log(2 * sympy.pi) / 2
    yield exact("difference", sympy.simplify(sympy.expand_log(loss - stated, force=True)), 0)


@row("001-energy-constant")
def energy_constant() -> Facts:
    half = sympy.log(2 * sympy.pi) / 2
    found = sympy.simplify(_expect(_y**2 / 2 + half) - half)
    yield exact("E L_n(v₀) − ½ log 2π, M = 1", found, sympy.Rational(1, 2), printed=0)


@row("001-energy-slope")
def energy_slope() -> Facts:
    from validation.audit._posterior import limit

    low, high = (limit(2, 1 / t).gibbs_training for t in (400, 401))
    yield close("slope", high - low, 0.25, 1e-6, control=0.2501)
