"""Cullen et al., appendix G.1: quadratic networks with one output and biases."""

from fractions import Fraction

import sympy

from validation.audit._biased import dimension, jacobian
from validation.audit._exact import integers, rank
from validation.audit.row import Facts, exact, row


@row("002-equation-20")
def equation_20() -> Facts:
    K = 3
    V, u = sympy.diag(1, 2, 3), sympy.Matrix([1, 1, 1])
    yield exact("entries of V(Wᵀx + b)²", len(V * u), K, printed=1)


@row("002-equation-21")
def equation_21() -> Facts:
    W = sympy.Matrix(2, 2, sympy.symbols("w0:4"))
    v, b = sympy.symbols("v1 v2"), sympy.Matrix(sympy.symbols("b1 b2"))
    x, c = sympy.Matrix(sympy.symbols("x1 x2")), sympy.Symbol("c")
    V = sympy.diag(*v)
    u = W.T * x + b
    f = sum(v[j] * u[j] ** 2 for j in range(2)) + c
    stated = (x.T * W * V * W.T * x)[0] + (2 * W * V * b).dot(x) + (b.T * V * b)[0] + c
    yield exact("difference", sympy.expand(f - stated), 0)


@row("002-rank-constraint")
def rank_constraint() -> Facts:
    for K in (1, 2, 3):
        W, v = sympy.Matrix(integers(K, 4, K)), integers(9, K)
        yield exact(f"rank Q, d = 4, K = {K}", rank((W * sympy.diag(*v) * W.T).tolist()), K)


@row("002-macro-map")
def macro_map() -> Facts:
    w, v, b, r = sympy.symbols("w v b r")
    yield exact("∂r/∂b", sympy.diff(2 * w * v * b, b), 2 * w * v, printed=sympy.diff(r, b))


@row("002-theorem-g.1")
def theorem_g1() -> Facts:
    for d in range(1, 5):
        for K in (d, d + 1):
            found = rank(jacobian(integers(1, K, d), integers(2, K), integers(3, K)))
            yield exact(f"2λ, d = {d}, K = {K}", found, (d + 1) * (d + 2) // 2)


@row("002-linearisation-g.1")
def linearisation_g1() -> Facts:
    w, v, b, c = sympy.symbols("w v b c")
    dw, dv, db, dc = sympy.symbols("dw dv db dc")
    for name, value, stated in (
        ("Q", v * w**2, 2 * v * w * dw + dv * w**2),
        ("r", 2 * w * v * b, 2 * (v * (dw * b + w * db) + dv * w * b)),
        ("s", v * b**2 + c, 2 * v * b * db + dv * b**2 + dc),
    ):
        pairs = ((w, dw), (v, dv), (b, db), (c, dc))
        found = sum(sympy.diff(value, a) * d for a, d in pairs)
        yield exact(f"Δ{name}", sympy.expand(found - stated), 0)


@row("002-off-diagonal")
def off_diagonal() -> Facts:
    vi, vj, R = Fraction(1), Fraction(3), Fraction(6)
    right = vj * (R / (2 * vj)) + vi * (R / (2 * vi))
    printed = vj * (R / (2 * vi)) + vi * (R / (2 * vj))
    yield exact("R from the right choice", right, R)
    yield exact("the printed choice solves the equation", printed == R, False, printed=True)


@row("002-theorem-g.2")
def theorem_g2() -> Facts:
    for d in range(2, 6):
        for K in range(1, d):
            found = rank(jacobian(integers(4, K, d), integers(5, K), integers(6, K)))
            yield exact(f"2λ, d = {d}, K = {K}", found, dimension(d, K), control=K * (d + 2) + 1)


@row("002-theorem-g.2-hypothesis")
def theorem_g2_hypothesis() -> Facts:
    for d in (3, 4):
        found = rank(jacobian(integers(4, 2, d), [2, -2], integers(6, 2)))
        yield exact(f"2λ, d = {d}, v = (2, −2)", found, dimension(d, 2))
    B12, B21, S = Fraction(1, 2), Fraction(-1, 2), Fraction(-2)
    yield exact("B₁₂v₂ + v₁B₂₁ at v = (2, −2)", B12 * -2 + 2 * B21, S)
    yield exact("S₁₂ ≠ 0 is out of reach at v₁ + v₂ = 0", S == 0, False, printed=True)


@row("002-exactly-flat")
def exactly_flat() -> Facts:
    e = sympy.Symbol("e")
    value = sympy.expand((1 + e) ** 2 * (1 - 2 * e))
    yield exact("first order", value.coeff(e, 1), 0)
    yield exact("second order", value.coeff(e, 2), -3, printed=0)
