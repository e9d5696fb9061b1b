"""Corlouer and Macé: stochastic gradient descent on degenerate losses.

The copy that was read has lost its formulas. They are rebuilt: h is the model's polynomial, the
data are y = noise·ε (the truth is 0, footnote 7), the model h(w)·x, x and ε standard normal.
"""

from __future__ import annotations

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._posterior import limit
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []

_x, _y, _s = sympy.symbols("x y s")


@row(
    "003-critical-points",
    Verdict.CONFIRMED,
    claim="a critical point is degenerate if the Hessian has a zero eigenvalue; w*: L ≈ w^{2k} has "
    "local learning coefficient 1/(2k)",
    statement="As stated (rebuilt).",
    evidence="Engine for k = 1, 2, 3.",
    direct='rlct poly "w**6"',
)
def critical_points() -> Facts:
    for k in (1, 2, 3):
        yield exact(f"λ of w^{2 * k}", rlct.poly(f"w**{2 * k}").lam, Fraction(1, 2 * k))


@row(
    "003-volume",
    Verdict.CONFIRMED,
    claim="V(ε) ∝ ε^λ (log 1/ε)^{m−1}, λ unique rational, m unique integer",
    statement="As stated (rebuilt).",
    evidence="Volumes of w⁴ < ε, exactly 2ε^{1/4}.",
    direct='rlct poly "w**4"',
)
def volume() -> Facts:
    e = sympy.Symbol("e", positive=True)
    V = 2 * e ** sympy.Rational(1, 4)
    yield exact("exponent", sympy.simplify(e * sympy.diff(sympy.log(V), e)), sympy.Rational(1, 4))
    yield exact("engine", rlct.poly("w**4").lam, Fraction(1, 4), control=Fraction(1, 2))


@row(
    "003-lower-lambda",
    Verdict.CONFIRMED,
    claim="of minima with the same loss, the lower learning coefficient has the lower Bayes "
    "generalisation error",
    statement="As stated: λ/n to leading order.",
    evidence="N(w, 1): ½; N(w², 1): ¼; N(w⁴, 1): 1/8 times 1/n, by quadrature.",
)
def lower_lambda() -> Facts:
    found = [limit(power, 1.0).bayes_generalisation for power in (2, 4)]
    yield close("n·E Bg, N(w², 1)", found[0], 0.25, 1e-9, control=0.5)
    yield close("n·E Bg, N(w⁴, 1)", found[1], 0.125, 1e-9, control=0.25)


@row(
    "003-landscape-1d",
    Verdict.CONFIRMED,
    claim="first 1-D potential: a non-degenerate and a degenerate minimum, the posterior "
    "concentrates at the degenerate one",
    statement="As stated; rebuilt as h = (w − 1)w²: λ = ½ at 1 and ¼ at 0.",
    evidence="Engine; mass of exp(−nh²) near the two minima by quadrature, n = 10¹² and 10¹⁴: "
    "the ratio grows like n^{1/4}.",
    direct='rlct poly "((w-1)*w**2)**2" --at w=1',
)
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


@row(
    "003-landscape-1d-degenerate",
    Verdict.CONFIRMED,
    claim="second 1-D potential: two degenerate minima; the posterior concentrates at the more "
    "degenerate one",
    statement="As stated; rebuilt as h = (w − 1)²w³: λ = ¼ at 1 and 1/6 at 0.",
    evidence="Engine.",
    direct='rlct poly "((w-1)**2*w**3)**2"',
)
def landscape_1d_degenerate() -> Facts:
    for at, right in ((1, Fraction(1, 4)), (0, Fraction(1, 6))):
        yield exact(f"λ at {at}", rlct.poly("((w-1)**2*w**3)**2", at={"w": at}).lam, right)


@row(
    "003-landscape-2d",
    Verdict.CONFIRMED,
    claim="first 2-D potential: a line of minima, quadratic across, and a more degenerate origin; "
    "the posterior ends at the origin",
    statement="As stated; rebuilt as h = x(x² + y²): λ = ½ on the line x = 0, 1/3 at the origin.",
    evidence="Engine; at x = 0, y = 1 and at the origin.",
    direct='rlct poly "(x*(x**2+y**2))**2"',
)
def landscape_2d() -> Facts:
    K = "(x*(x**2+y**2))**2"
    yield exact("λ on the line", rlct.poly(K, at={"x": 0, "y": 1}).lam, Fraction(1, 2))
    yield exact("λ at the origin", rlct.poly(K).lam, Fraction(1, 3))


@row(
    "003-origin-coefficient",
    Verdict.REFUTED,
    claim="second 2-D potential: the origin has a higher local learning coefficient (i.e. it is "
    "more degenerate) than minima on the line",
    statement="More degenerate means a lower coefficient, by the essay's own definition; at a "
    "limit of minima it is never higher.",
    evidence="h = x²(x² + y²)², rebuilt: λ = ¼ on the line x = 0 and 1/6 at the origin; the "
    "volume near a point contains those near its neighbours.",
    direct='rlct poly "(x**2*(x**2+y**2)**2)**2"',
)
def origin_coefficient() -> Facts:
    K = "(x**2*(x**2+y**2)**2)**2"
    line = rlct.poly(K, at={"x": 0, "y": 1}).lam
    origin = rlct.poly(K).lam
    yield exact("λ on the line, at the origin", (line, origin), (Fraction(1, 4), Fraction(1, 6)))
    assert line is not None
    assert origin is not None
    yield exact("λ at the origin is higher", origin > line, False, printed=True)


@row(
    "003-stuck",
    Verdict.CONFIRMED,
    claim="where h and ∇h vanish, empirical gradients vanish: trajectories on the line are stuck; "
    "where ∇h ≠ 0 they are pushed off",
    statement="As stated: the one-sample gradient is −x(y − hx)∇h, exactly 0 or −xy∇h there.",
    evidence="h = x²(x² + y²)² and h = x(x² + y²) on the line x = 0, every sample.",
)
def stuck() -> Facts:
    u, v = sympy.symbols("u v")
    for h, flat in ((u**2 * (u**2 + v**2) ** 2, True), (u * (u**2 + v**2), False)):
        g = [sympy.diff((_y - h * _x) ** 2 / 2, t).subs(u, 0) for t in (u, v)]
        yield exact(f"gradient of {h} is 0 on the line", sympy.expand(g[0]) == 0, flat)
        yield exact("along the line", sympy.expand(g[1]), 0)


@row(
    "003-slower",
    Verdict.CONFIRMED,
    claim="convergence to a critical point is slower the more degenerate it is",
    statement="Gradient flow on w^{2k}: exponential for k = 1, t^{−1/(2k−2)} for k ≥ 2.",
    evidence="ẇ = −2kw^{2k−1} solved exactly for k = 2: w ~ (8t)^{−1/2}.",
)
def slower() -> Facts:
    t = sympy.Symbol("t", positive=True)
    for k in (2, 3):
        p = sympy.Rational(1, 2 * k - 2)
        w = (1 + 2 * k * (2 * k - 2) * t) ** (-p)
        rest = sympy.simplify(sympy.diff(w, t) + 2 * k * w ** (2 * k - 1))
        yield exact(f"solution of the flow, k = {k}", rest, 0)


@row(
    "003-distributions",
    Verdict.UNVERIFIABLE,
    claim="Figures 2 to 6: the densities of trajectories and posterior, as they are drawn",
    statement="Settings and formulas are lost in the copy that was read; what is said of them in "
    "words is rerun on rebuilt landscapes (rlct validate 003). That trajectories on a fully "
    "degenerate line do not move is exact (row 003-stuck).",
    evidence="Not recomputable, but for that: the gradient of (xy²)² on y = 0.",
    beside="003-figure-2: the densities as drawn; the experiments rerun what is said of "
    "the figures",
)
def distributions() -> Facts:
    slope = [sympy.diff(_x**2 * _y**4, v) for v in (_x, _y)]
    yield exact("gradient on y = 0", [g.subs(_y, 0) for g in slope], [0, 0])
    beside = [g.subs({_x: 1, _y: 1}) for g in slope]
    yield exact("it vanishes at (1, 1)", beside == [0, 0], False)


@row(
    "003-footnote-5",
    Verdict.UNVERIFIABLE,
    claim="footnote 5: of two one-dimensional potentials (formulas lost) one is more degenerate at "
    "0 and both are degenerate",
    statement="For w⁴ and w⁶, for example: λ = ¼ and 1/6.",
    evidence="The formulas are lost.",
)
def footnote_5() -> Facts:
    yield exact("λ of w⁶", rlct.poly("w**6").lam, Fraction(1, 6))
