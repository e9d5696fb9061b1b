"""Cullen et al., appendix F: reparametrisation."""

from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, close, exact, row


@row("002-theorem-f.1")
def theorem_f1() -> Facts:
    target = rlct.ideal(["a", "b"]).lam
    immersed = rlct.poly("w**2").lam
    yield exact("λ through the immersion", immersed, Fraction(1, 2), printed=target)
    submersed = rlct.ideal(["(x+y**2)**2", "z**3"]).pair
    yield exact("(λ, θ) through a submersion", submersed, rlct.ideal(["a**2", "b**3"]).pair)


@row("002-corollary-f.2")
def corollary_f2() -> Facts:
    found = rlct.ideal(["x+y**2", "z+x*y"]).pair
    yield exact("(λ, θ)", found, rlct.Pair(1, 1), control=rlct.Pair(Fraction(3, 2), 1))


@row("002-equation-15")
def equation_15() -> Facts:
    r, s = sympy.symbols("r s", positive=True)
    plain = sympy.integrate(2 * sympy.pi * r * sympy.exp(-(r**2)), (r, 0, sympy.oo))
    squared = sympy.integrate(
        2 * sympy.pi * sympy.sqrt(s) * sympy.exp(-s) / (2 * sympy.sqrt(s)), (s, 0, sympy.oo)
    )
    yield exact("∫ e^{−r²} over the plane, fibres r", plain, sympy.pi)
    yield exact("fibres r²", squared, sympy.pi, control=2 * sympy.pi)


@row("002-fubini")
def fubini() -> Facts:
    x, y = sympy.symbols("x y")
    f = x**2 * y
    one = sympy.integrate(f, (x, 0, 1), (y, 0, 1))
    yield exact("orders agree", one, sympy.integrate(f, (y, 0, 1), (x, 0, 1)))
    yield exact("value", one, sympy.Rational(1, 6), control=sympy.Rational(1, 3))


@row("002-coarea-sketch")
def coarea_sketch() -> Facts:
    yield exact("λ of (x + y)²", rlct.poly("(x+y)**2").lam, Fraction(1, 2))
    moved = rlct.poly("x**2", prior="x**2").lam
    yield exact("λ of v² with ρ = v²", moved, Fraction(3, 2))


@row("002-equations-16-19")
def equations_16_19() -> Facts:
    x, y, v = sympy.symbols("x y v", positive=True)
    for z in (1, 2):
        left_side = sympy.integrate(sympy.expand((x + y) ** (2 * z)), (x, 0, 1), (y, 0, 1))
        right = sympy.integrate(v ** (2 * z) * v, (v, 0, 1)) + sympy.integrate(
            sympy.expand(v ** (2 * z) * (2 - v)), (v, 1, 2)
        )
        yield exact(f"ζ({z})", left_side, right)


@row("002-composition")
def composition() -> Facts:
    x, y, v = sympy.symbols("x y v")
    K, phi, tilde = (x + y) ** 2, x + y, v**2
    yield exact("K − K̃∘φ", sympy.expand(K - tilde.subs(v, phi)), 0)
    arguments, values = len(K.free_symbols), 1
    yield exact("K can take φ's value as argument", arguments == values, False, printed=True)


@row("002-remark-i")
def remark_i() -> Facts:
    yield exact(
        "2λ of w⁴ is an integer", (rlct.poly("w**4").lam or 0) * 2 == 1, False, printed=True
    )
    yield exact("λ of x² + y⁴", rlct.poly("x**2+y**4").lam, Fraction(3, 4), printed=Fraction(1))


@row("002-remark-ii")
def remark_ii() -> Facts:
    at = rlct.poly("(a*b)**2", at={"a": 1, "b": 0}).pair
    yield exact("(λ, θ) at (1, 0)", at, rlct.Pair(Fraction(1, 2), 1))
    yield exact("θ at (0, 0)", rlct.poly("(a*b)**2").theta, 2, control=1)


@row("002-zeta-weight")
def zeta_weight() -> Facts:
    residues = [sympy.Rational(-1, 2), sympy.Rational(-1)]
    z = sympy.Symbol("z")
    zeta = sympy.together(1 / (2 * z + 1) + 1 / (2 * z + 2))
    found = sorted(sympy.solve(sympy.denom(zeta), z), reverse=True)
    yield exact("poles", found, residues)
    yield close("value at z = 1 by quadrature", 1 / 3 + 1 / 4, float(zeta.subs(z, 1)), 1e-12)
