"""Seyoum's survey: the additive rules, ReLU networks and the worked example."""

from fractions import Fraction
from itertools import product

import sympy

import rlct
from validation.audit._linear import aoyagi, matrix
from validation.audit.row import Facts, close, exact, row


@row("000-theorem-5")
def theorem_5() -> Facts:
    both = rlct.ideal(["x*y", "z**2"]).pair
    yield exact(
        "disjoint variables",
        both,
        rlct.Pair(Fraction(3, 4), 2),
        control=rlct.Pair(Fraction(3, 4), 3),
    )
    branches = rlct.poly("x**2*y**2").lam
    yield exact("two branches of λ = ½ each", branches, Fraction(1, 2), printed=Fraction(1))


def _theorem_6_point() -> Fraction:
    return aoyagi((1, 2, 2), 1, False)  # one output, two units, one input and the bias


@row("000-theorem-6")
def theorem_6() -> Facts:
    x, t = sympy.symbols("x t", positive=True)
    # ½ReLU(x−t) + ½ReLU(x+t) − ReLU(x) is ½(t − |x|) on |x| < t and 0 elsewhere; density ½.
    loss = sympy.integrate(((t - x) / 2) ** 2, (x, 0, t))
    yield exact("loss of ∓t", sympy.simplify(loss), t**3 / 12)
    density = rlct.poly("u**2+v**2+t**3", nonneg=["t"]).lam
    yield exact("λ with a density", density, Fraction(4, 3), printed=_theorem_6_point())
    units = [f"(1/2+p{i})*((1+w{i})*({{x}})+b{i})" for i in (1, 2)]
    finite = rlct.ideal([f"{units[0]}+{units[1]}-({{x}})".format(x=v) for v in ("1/2", "1")]).lam
    yield exact("λ on data (inputs −1, −½, ½, 1)", finite, _theorem_6_point())


@row("000-theorem-6-multiplicity")
def theorem_6_multiplicity() -> Facts:
    single = rlct.ideal(["a*b"]).pair
    double = rlct.ideal(["a*b", "c*d"]).pair
    assert single is not None
    right = rlct.Pair(2 * single.lam, 2 * (single.theta - 1) + 1)
    yield exact("two copies", double, right, control=rlct.Pair(1, 4))


@row("000-example-widths")
def example_widths() -> Facts:
    m, d = sympy.symbols("m d")
    yield exact("excess widths", [h - 1 for h in (1, m, d)], [0, m - 1, d - 1])


@row("000-example")
def example() -> Facts:
    for m, d in product((1, 2, 3), repeat=2):
        printed = Fraction(d, 2) + Fraction(m - 1, 4)
        A, B = matrix("a", 1, m), matrix("b", m, d)
        true = {A[0]: 1 + A[0], B[0, 0]: 1 + B[0, 0]}
        P = (A * B).subs(true, simultaneous=True)
        bias = (A * matrix("q", m, 1)).subs(true, simultaneous=True)[0] + sympy.Symbol("p")
        found = rlct.ideal([P[0] - 1, *P[1:], bias]).lam
        yield exact(
            f"λ by the engine, m = {m}, d = {d}", found, Fraction(d + 1, 2), printed=printed
        )
    right = all(
        rlct.linear([d, m, 1], 1, bias=True).pair == rlct.Pair(Fraction(d + 1, 2), 1)
        for m, d in product(range(1, 7), repeat=2)
    )
    yield exact("λ = (d + 1)/2, θ = 1 for m, d ≤ 6", right, True)


@row("000-example-slopes")
def example_slopes() -> Facts:
    base, wide, deep = (rlct.linear(w, 1, bias=True).lam for w in ([3, 4, 1], [3, 5, 1], [4, 4, 1]))
    assert base is not None
    assert wide is not None
    assert deep is not None
    yield exact("one more hidden unit", wide - base, Fraction(0), printed=Fraction(1, 4))
    yield exact("one more input", deep - base, Fraction(1, 2))


@row("000-wbic-criterion")
def wbic_criterion() -> Facts:
    import math

    from validation.audit._posterior import mean_nk_square

    n = 1e20
    found = mean_nk_square(n / math.log(n))
    size = math.log(n / math.log(n))
    # The next term is known to be below 2/log².
    yield close("β E[nK]", found, 0.5 - 1 / size, 2 / size**2, printed=0.5)
