"""Cullen et al., appendix G.1: quadratic networks with one output and biases."""

from __future__ import annotations

from fractions import Fraction

import sympy

from validation.audit._biased import dimension, jacobian
from validation.audit._exact import integers, rank
from validation.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []


@row(
    "002-equation-20",
    Verdict.CORRECTED,
    claim="(20) f = V(Wᵀx + b)² + c with V = diag(v₁, …, v_K), c ∈ R",
    statement="f = Σ_j v_j (w_j·x + b_j)² + c: the printed V(…)² is a vector of K entries.",
    evidence="Shapes for K = 3.",
)
def equation_20() -> Facts:
    K = 3
    V, u = sympy.diag(1, 2, 3), sympy.Matrix([1, 1, 1])
    yield exact("entries of V(Wᵀx + b)²", len(V * u), K, printed=1)


@row(
    "002-equation-21",
    Verdict.CONFIRMED,
    claim="(21)-(24) f = xᵀQx + rᵀx + s, Q = WVWᵀ, r = 2WVb, s = bᵀVb + c",
    statement="As printed.",
    evidence="Two units in two dimensions, expanded by sympy.",
)
def equation_21() -> Facts:
    W = sympy.Matrix(2, 2, sympy.symbols("w0:4"))
    v, b = sympy.symbols("v1 v2"), sympy.Matrix(sympy.symbols("b1 b2"))
    x, c = sympy.Matrix(sympy.symbols("x1 x2")), sympy.Symbol("c")
    V = sympy.diag(*v)
    u = W.T * x + b
    f = sum(v[j] * u[j] ** 2 for j in range(2)) + c
    stated = (x.T * W * V * W.T * x)[0] + (2 * W * V * b).dot(x) + (b.T * V * b)[0] + c
    yield exact("difference", sympy.expand(f - stated), 0)


@row(
    "002-rank-constraint",
    Verdict.CONFIRMED,
    claim="rank Q ≤ K",
    statement="As printed.",
    evidence="Rank of WVWᵀ at integer points, d = 4.",
)
def rank_constraint() -> Facts:
    for K in (1, 2, 3):
        W, v = sympy.Matrix(integers(K, 4, K)), integers(9, K)
        yield exact(f"rank Q, d = 4, K = {K}", rank((W * sympy.diag(*v) * W.T).tolist()), K)


@row(
    "002-macro-map",
    Verdict.CORRECTED,
    claim="parameter map Φ(W, V, r, s) = (Q, r, s)",
    statement="Φ(W, V, b, c) = (Q, r, s).",
    evidence="As a function of (W, V, r, s), Φ would keep r and s: b would not act on r. It does.",
)
def macro_map() -> Facts:
    w, v, b, r = sympy.symbols("w v b r")
    yield exact("∂r/∂b", sympy.diff(2 * w * v * b, b), 2 * w * v, printed=sympy.diff(r, b))


@row(
    "002-theorem-g.1",
    Verdict.CONFIRMED,
    claim="Theorem G.1: K ≥ d and rank Q* = d: λ = (d + 1)(d + 2)/4",
    statement="As printed ('H ≥ d' means K ≥ d), where 1, x, xxᵀ are linearly independent under "
    "the input law.",
    evidence="Rank of the Jacobian of (Q, r, s), exact, d ≤ 4, K = d and d + 1.",
    direct='rlct theorem eval quadratic-single-spanning "hidden=1,0,2;0,1,-1" outer=1,-1',
)
def theorem_g1() -> Facts:
    for d in range(1, 5):
        for K in (d, d + 1):
            found = rank(jacobian(integers(1, K, d), integers(2, K), integers(3, K)))
            yield exact(f"2λ, d = {d}, K = {K}", found, (d + 1) * (d + 2) // 2)


@row(
    "002-linearisation-g.1",
    Verdict.CONFIRMED,
    claim="proof of G.1: ΔQ, Δr, Δs to first order",
    statement="As printed, with b_jΔb_j and b_j² where bᵀΔb and b² stand in the sum for Δs.",
    evidence="One unit in one dimension, differentiated by sympy.",
)
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


@row(
    "002-off-diagonal",
    Verdict.REFUTED,
    claim="proof of G.1: R_ij = v_jX_ij + v_iX_ji is solved by X_ij = R_ij/(2v_i), "
    "X_ji = R_ij/(2v_j)",
    statement="By X_ij = R_ij/(2v_j), X_ji = R_ij/(2v_i); the printed choice works only if "
    "v_i = v_j. The theorem is not affected.",
    evidence="v = (1, 3), R = 6.",
)
def off_diagonal() -> Facts:
    vi, vj, R = Fraction(1), Fraction(3), Fraction(6)
    right = vj * (R / (2 * vj)) + vi * (R / (2 * vi))
    printed = vj * (R / (2 * vi)) + vi * (R / (2 * vj))
    yield exact("R from the right choice", right, R)
    yield exact("the printed choice solves the equation", printed == R, False, printed=True)


@row(
    "002-theorem-g.2",
    Verdict.CONFIRMED,
    claim="Theorem G.2: K < d: λ = D(K)/2, D(K) = K(2d − K + 1)/2 + K + 1",
    statement="As printed, bias count included: K for Δr in col(W) and 1 for s.",
    evidence="Rank of the Jacobian of (Q, r, s) at integer points, d ≤ 5, every K < d.",
    direct="rlct theorem eval quadratic-single hidden=1,2,1 outer=-1",
)
def theorem_g2() -> Facts:
    for d in range(2, 6):
        for K in range(1, d):
            found = rank(jacobian(integers(4, K, d), integers(5, K), integers(6, K)))
            yield exact(f"2λ, d = {d}, K = {K}", found, dimension(d, K), control=K * (d + 2) + 1)


@row(
    "002-theorem-g.2-hypothesis",
    Verdict.CORRECTED,
    claim="Theorem G.2 needs v_i + v_j ≠ 0; then (v_i + v_j)B_ij = S_ij",
    statement="Not needed: the equation is B_ijv_j + v_iB_ji = S_ij, solvable whenever v ≠ 0. "
    "The printed one takes B symmetric.",
    evidence="v = (2, −2): the rank is D(K) all the same, d = 3, 4.",
)
def theorem_g2_hypothesis() -> Facts:
    for d in (3, 4):
        found = rank(jacobian(integers(4, 2, d), [2, -2], integers(6, 2)))
        yield exact(f"2λ, d = {d}, v = (2, −2)", found, dimension(d, 2))
    B12, B21, S = Fraction(1, 2), Fraction(-1, 2), Fraction(-2)
    yield exact("B₁₂v₂ + v₁B₂₁ at v = (2, −2)", B12 * -2 + 2 * B21, S)
    yield exact("S₁₂ ≠ 0 is out of reach at v₁ + v₂ = 0", S == 0, False, printed=True)


@row(
    "002-exactly-flat",
    Verdict.CORRECTED,
    claim="proof of G.2: directions in ker J keep u fixed to all orders and are exactly flat",
    statement="To first order. Where J has constant rank there are curved fibres tangent to them "
    "along which u is fixed, which is what the proof needs.",
    evidence="The scaling direction (w, −2v): v w² at (1 + ε)²(1 − 2ε) = 1 − 3ε² − 2ε³.",
)
def exactly_flat() -> Facts:
    e = sympy.Symbol("e")
    value = sympy.expand((1 + e) ** 2 * (1 - 2 * e))
    yield exact("first order", value.coeff(e, 1), 0)
    yield exact("second order", value.coeff(e, 2), -3, printed=0)
