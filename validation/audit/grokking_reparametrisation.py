"""Cullen et al., appendix F: reparametrisation."""

from __future__ import annotations

from fractions import Fraction

import sympy

import rlct
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


@row(
    "002-theorem-f.1",
    Verdict.CORRECTED,
    claim="Theorem F.1: K = K̃∘φ with the Jacobian of φ of full rank at w₀: λ_{w₀} = λ_{φ(w₀)}",
    statement="For a submersion (full row rank) and a prior that is positive at w₀. For full "
    "column rank it is false.",
    evidence="φ(w) = (w, 0) and K̃ = a² + b²: λ = 1 for K̃ and ½ for K = w². Submersion "
    "φ(x, y, z) = (x + y², z): equal.",
    direct='rlct ideal "x+y**2" "z"',
)
def theorem_f1() -> Facts:
    target = rlct.ideal(["a", "b"]).lam
    immersed = rlct.poly("w**2").lam
    yield exact("λ through the immersion", immersed, Fraction(1, 2), printed=target)
    submersed = rlct.ideal(["(x+y**2)**2", "z**3"]).pair
    yield exact("(λ, θ) through a submersion", submersed, rlct.ideal(["a**2", "b**3"]).pair)


@row(
    "002-corollary-f.2",
    Verdict.CONFIRMED,
    claim="Corollary F.2: if the reparametrised model is regular, λ = dim(V)/2",
    statement="As printed, for submersions.",
    evidence="Engine: (x + y², z + xy) in three variables.",
    direct='rlct ideal "x+y**2" "z+x*y"',
)
def corollary_f2() -> Facts:
    found = rlct.ideal(["x+y**2", "z+x*y"]).pair
    yield exact("(λ, θ)", found, rlct.Pair(1, 1), control=rlct.Pair(Fraction(3, 2), 1))


@row(
    "002-equation-15",
    Verdict.CONFIRMED,
    claim="(15) ∫_X f dV = ∫_Y (∫_{φ⁻¹(y)} f/J_φ dV) dV, J_φ the normal Jacobian",
    statement="As printed.",
    evidence="φ(x, y) = √(x² + y²) (J = 1) and φ = x² + y² (J = 2r), f = e^{−r²}: both give π.",
)
def equation_15() -> Facts:
    r, s = sympy.symbols("r s", positive=True)
    plain = sympy.integrate(2 * sympy.pi * r * sympy.exp(-(r**2)), (r, 0, sympy.oo))
    squared = sympy.integrate(
        2 * sympy.pi * sympy.sqrt(s) * sympy.exp(-s) / (2 * sympy.sqrt(s)), (s, 0, sympy.oo)
    )
    yield exact("∫ e^{−r²} over the plane, fibres r", plain, sympy.pi)
    yield exact("fibres r²", squared, sympy.pi, control=2 * sympy.pi)


@row(
    "002-fubini",
    Verdict.CONFIRMED,
    claim="Fubini as the co-area formula of a projection",
    statement="As printed: J = 1.",
    evidence="x²y over the unit square, both orders.",
)
def fubini() -> Facts:
    x, y = sympy.symbols("x y")
    f = x**2 * y
    one = sympy.integrate(f, (x, 0, 1), (y, 0, 1))
    yield exact("orders agree", one, sympy.integrate(f, (y, 0, 1), (x, 0, 1)))
    yield exact("value", one, sympy.Rational(1, 6), control=sympy.Rational(1, 3))


@row(
    "002-coarea-sketch",
    Verdict.CONFIRMED,
    claim="∫ K^z dw = ∫ K̃(v)^z ∫_{φ⁻¹(v)} J_φ⁻¹ dV dv; the inner factor ρ does not move the poles",
    statement="As printed where ρ(φ(w₀)) > 0.",
    evidence="φ = x + y on |y| ≤ 1, K̃ = v²: ρ is constant; a ρ that vanishes at v₀ would move the "
    "pole (row 000-invariance).",
    direct='rlct poly "(x+y)**2"',
)
def coarea_sketch() -> Facts:
    yield exact("λ of (x + y)²", rlct.poly("(x+y)**2").lam, Fraction(1, 2))
    moved = rlct.poly("x**2", prior="x**2").lam
    yield exact("λ of v² with ρ = v²", moved, Fraction(3, 2))


@row(
    "002-equations-16-19",
    Verdict.CONFIRMED,
    claim="(16)-(19) ζ(z) = ∫ K̃(v)^z ρ(v) dV(v), ρ(v) = ∫_{φ⁻¹(v)} φ(w)/J_φ dV",
    statement="As printed; ρ is positive near φ(w₀) for a submersion.",
    evidence="K = (x + y)², uniform on the unit square, z = 1 and 2: ρ is the tent function.",
)
def equations_16_19() -> Facts:
    x, y, v = sympy.symbols("x y v", positive=True)
    for z in (1, 2):
        left = sympy.integrate(sympy.expand((x + y) ** (2 * z)), (x, 0, 1), (y, 0, 1))
        right = sympy.integrate(v ** (2 * z) * v, (v, 0, 1)) + sympy.integrate(
            sympy.expand(v ** (2 * z) * (2 - v)), (v, 1, 2)
        )
        yield exact(f"ζ({z})", left, right)


@row(
    "002-composition",
    Verdict.CORRECTED,
    claim="proof of F.1: K̃ = K∘φ",
    statement="K = K̃∘φ, as the theorem says; K∘φ is not defined, φ: W → V and K: W → R.",
    evidence="φ: R² → R, φ = x + y, K = (x + y)², K̃ = v²: variables of K and of φ's values.",
)
def composition() -> Facts:
    x, y, v = sympy.symbols("x y v")
    K, phi, tilde = (x + y) ** 2, x + y, v**2
    yield exact("K − K̃∘φ", sympy.expand(K - tilde.subs(v, phi)), 0)
    arguments, values = len(K.free_symbols), 1
    yield exact("K can take φ's value as argument", arguments == values, False, printed=True)


@row(
    "002-remark-i",
    Verdict.REFUTED,
    claim="Remark I: if W₀ has no singularities one need only reparametrise to a regular model",
    statement="W₀ smooth is not enough: K must be quadratic across it (Morse-Bott). Then "
    "λ = codim/2.",
    evidence="K = w⁴ and K = x² + y⁴: W₀ is a point, smooth, and λ = ¼ and ¾ are not half the "
    "codimension.",
    direct='rlct poly "w**4"',
)
def remark_i() -> Facts:
    yield exact(
        "2λ of w⁴ is an integer", (rlct.poly("w**4").lam or 0) * 2 == 1, False, printed=True
    )
    yield exact("λ of x² + y⁴", rlct.poly("x**2+y**4").lam, Fraction(3, 4), printed=Fraction(1))


@row(
    "002-remark-ii",
    Verdict.CONFIRMED,
    claim="Remark II: it is enough that K factors through φ",
    statement="As printed.",
    evidence="K = (ab)² through v = ab: a submersion at (1, 0), where λ = ½, θ = 1; at (0, 0) it "
    "is none, and θ = 2.",
    direct='rlct poly "(a*b)**2" --at a=1,b=0',
)
def remark_ii() -> Facts:
    at = rlct.poly("(a*b)**2", at={"a": 1, "b": 0}).pair
    yield exact("(λ, θ) at (1, 0)", at, rlct.Pair(Fraction(1, 2), 1))
    yield exact("θ at (0, 0)", rlct.poly("(a*b)**2").theta, 2, control=1)


@row(
    "002-zeta-weight",
    Verdict.CONFIRMED,
    claim="an analytic positive weight neither creates nor moves the largest pole",
    statement="As printed for the largest; others can appear or vanish.",
    evidence="∫₀¹ s^{2z}(1 + s) ds = 1/(2z+1) + 1/(2z+2): a new pole at −1, the largest stays.",
)
def zeta_weight() -> Facts:
    residues = [sympy.Rational(-1, 2), sympy.Rational(-1)]
    z = sympy.Symbol("z")
    zeta = sympy.together(1 / (2 * z + 1) + 1 / (2 * z + 2))
    found = sorted(sympy.solve(sympy.denom(zeta), z), reverse=True)
    yield exact("poles", found, residues)
    yield close("value at z = 1 by quadrature", 1 / 3 + 1 / 4, float(zeta.subs(z, 1)), 1e-12)
