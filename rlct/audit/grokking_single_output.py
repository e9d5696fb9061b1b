"""Cullen et al., appendix G.1: quadratic networks with one output and biases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from rlct.audit._exact import integers, rank
from rlct.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []


def _jacobian(W: Any, v: Any, b: Any) -> list[list[int]]:
    """Derivative of Q = Σ v wwᵀ (entries a ≤ b), r = Σ v b w, s = Σ v b² + c in (w, b, v), c."""
    K, d = len(W), len(W[0])
    rows = []
    for p in range(d):
        for q in range(p, d):
            line = []
            for j in range(K):
                part = [0] * d
                part[p] += v[j] * W[j][q]
                part[q] += v[j] * W[j][p]
                line += [*part, 0, W[j][p] * W[j][q]]
            rows.append([*line, 0])
    for p in range(d):
        line = []
        for j in range(K):
            part = [v[j] * b[j] if q == p else 0 for q in range(d)]
            line += [*part, v[j] * W[j][p], b[j] * W[j][p]]
        rows.append([*line, 0])
    line = []
    for j in range(K):
        line += [*([0] * d), 2 * v[j] * b[j], b[j] ** 2]
    rows.append([*line, 1])
    return rows


def _dimension(d: int, K: int) -> int:
    return K * (2 * d - K + 1) // 2 + K + 1


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
)
def theorem_g1() -> Facts:
    for d in range(1, 5):
        for K in (d, d + 1):
            found = rank(_jacobian(integers(1, K, d), integers(2, K), integers(3, K)))
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
)
def theorem_g2() -> Facts:
    for d in range(2, 6):
        for K in range(1, d):
            found = rank(_jacobian(integers(4, K, d), integers(5, K), integers(6, K)))
            yield exact(f"2λ, d = {d}, K = {K}", found, _dimension(d, K), control=K * (d + 2) + 1)


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
        found = rank(_jacobian(integers(4, 2, d), [2, -2], integers(6, 2)))
        yield exact(f"2λ, d = {d}, v = (2, −2)", found, _dimension(d, 2))
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


def _tangent(d: int, K: int) -> int:
    """Dimension of the ΔQ of (26): W S Wᵀ + W V Uᵀ + U V Wᵀ."""
    W = sympy.Matrix(integers(1, d, K))
    V = sympy.diag(*integers(2, K))
    lines = []
    for i in range(d):
        for j in range(K):
            U = sympy.zeros(d, K)
            U[i, j] = 1
            lines.append(list(W * V * U.T + U * V * W.T))
    for i in range(K):
        for j in range(K):
            S = sympy.zeros(K, K)
            S[i, j] += 1
            S[j, i] += 1
            lines.append(list(W * S * W.T))
    return rank(lines)


@row(
    "002-equation-25",
    Verdict.CONFIRMED,
    claim="(25) dim T_Q Sym_d^{(K)} = K(2d − K + 1)/2",
    statement="As printed.",
    evidence="Rank of the tangent maps at integer points, d ≤ 4.",
)
def equation_25() -> Facts:
    for d in (2, 3, 4):
        for K in range(1, d):
            yield exact(
                f"d = {d}, K = {K}", _tangent(d, K), K * (2 * d - K + 1) // 2, control=K * d + 1
            )


@row(
    "002-equation-26",
    Verdict.CONFIRMED,
    claim="(26) every tangent ΔQ is WSWᵀ + WVUᵀ + UVWᵀ",
    statement="As printed.",
    evidence="These span as many dimensions as the tangent space has, and are tangent: the "
    "curve W + tU, V + tS stays of rank K (its 3×3 minors vanish), d = 3, K = 2.",
)
def equation_26() -> Facts:
    yield exact("dimension, d = 3, K = 2", _tangent(3, 2), 5)
    t = sympy.Symbol("t")
    W, U = sympy.Matrix(integers(1, 3, 2)), sympy.Matrix(integers(2, 3, 2))
    middle = sympy.diag(*integers(3, 2)) + t * sympy.Matrix([[1, 2], [2, 5]])
    Q = (W + t * U) * middle * (W + t * U).T
    yield exact("det of the curve", sympy.expand(Q.det()), 0)


@row(
    "002-equation-27",
    Verdict.CONFIRMED,
    claim="(27) (I − P)Δr = Uα with α = v∘b",
    statement="As printed: Δr = ΔWα + W(Δv∘b + v∘Δb), and I − P kills W.",
    evidence="d = 2, K = 1, exact projection.",
)
def equation_27() -> Facts:
    W, U = sympy.Matrix([1, 2]), sympy.Matrix([2, -1])  # U ⊥ W
    v, b, dv, db, beta = 3, 5, 7, 11, 13
    P = W * (W.T * W).inv() * W.T
    dr = (U + W * beta) * v * b + W * (dv * b + v * db)
    yield exact("(I − P)Δr", (sympy.eye(2) - P) * dr, U * v * b)


@row(
    "002-equation-28",
    Verdict.CONFIRMED,
    claim="(28) dim T_u M_K = K(2d − K + 1)/2 + K + 1",
    statement="As printed.",
    evidence="The same rank as in Theorem G.2: J is onto the tangent space, d = 4, K = 1, 2, 3.",
)
def equation_28() -> Facts:
    for K in (1, 2, 3):
        found = rank(_jacobian(integers(7, K, 4), integers(8, K), integers(9, K)))
        yield exact(f"dimension, d = 4, K = {K}", found, _tangent(4, K) + K + 1)


@row(
    "002-equation-29",
    Verdict.CONFIRMED,
    claim="(29) ΔQ_j, Δr_j, Δs_j, with r = Σ v_jb_jw_j",
    statement="As printed (r without the factor 2 of (23)).",
    evidence="Differentiated by sympy, one dimension.",
)
def equation_29() -> Facts:
    w, v, b = sympy.symbols("w v b")
    dw, dv, db = sympy.symbols("dw dv db")
    for name, value, stated in (
        ("Q", v * w**2, 2 * v * w * dw + dv * w**2),
        ("r", v * b * w, dv * b * w + v * db * w + v * b * dw),
        ("s", v * b**2, dv * b**2 + 2 * v * b * db),
    ):
        found = sum(sympy.diff(value, a) * d for a, d in ((w, dw), (v, dv), (b, db)))
        yield exact(f"Δ{name}", sympy.expand(found - stated), 0)


@row(
    "002-equation-30",
    Verdict.CONFIRMED,
    claim="(30) rank(I^{1/2}J) = D(K)",
    statement="As printed, when I is nonsingular on the tangent space.",
    evidence="Outputs of a network with d = 2, K = 1 on twelve integer inputs: rank 4 = D(1).",
)
def equation_30() -> Facts:
    J = _jacobian([[2, 3]], [5], [7])
    inputs = [(i, j) for i in range(4) for j in range(3)]
    design = [[x * x, 2 * x * y, y * y, 2 * x, 2 * y, 1] for x, y in inputs]
    product = [[sum(p * r[k] for p, r in zip(q, J, strict=True)) for k in range(5)] for q in design]
    yield exact("rank", rank(product), _dimension(2, 1))


@row(
    "002-example-g.3",
    Verdict.CONFIRMED,
    claim="Example G.3, (31)-(34): d = 4, K = 2: dimension 3 + 4 + 2 + 1 = 10, λ = 5",
    statement="As printed (a + is missing in (34)).",
    evidence="Rank of the Jacobian, and of the Fisher form of the uniform law on S³ pulled back "
    "to the parameters, in rational moments.",
)
def example_g3() -> Facts:
    W = [[1, 0, 0, 0], [0, 1, 0, 0]]
    J = _jacobian(W, [2, 3], [1, -2])
    yield exact("rank J", rank(J), 10)
    yield exact("rank of the Fisher form", rank(_fisher(J)), 10)


def _moment(*powers: int) -> Fraction:
    """Mean of a monomial in x on S³."""
    if any(p % 2 for p in powers):
        return Fraction(0)
    top = 1
    for p in powers:
        for k in range(p - 1, 0, -2):
            top *= k
    bottom = 1
    for k in range(sum(powers) // 2):
        bottom *= 4 + 2 * k
    return Fraction(top, bottom)


def _basis() -> list[tuple[int, tuple[int, ...]]]:
    """Features x_p x_q (p ≤ q), x_p, 1 with the factor that pairs them with (Q, r, s)."""
    found = []
    for p in range(4):
        for q in range(p, 4):
            powers = [0] * 4
            powers[p] += 1
            powers[q] += 1
            found.append((1 if p == q else 2, tuple(powers)))
    found += [(2, tuple(int(i == p) for i in range(4))) for p in range(4)]
    return [*found, (1, (0, 0, 0, 0))]


def _gram() -> list[list[Fraction]]:
    features = _basis()
    return [
        [c * d * _moment(*(a + b for a, b in zip(p, q, strict=True))) for d, q in features]
        for c, p in features
    ]


def _fisher(J: list[list[int]]) -> list[list[Fraction]]:
    G, M = sympy.Matrix(_gram()), sympy.Matrix(J)
    product = M.T * G * M
    return [[Fraction(int(v.p), int(v.q)) for v in product.row(i)] for i in range(product.rows)]


@row(
    "002-sphere-kernel",
    Verdict.CONFIRMED,
    claim="on S³ the only quadratic functions that vanish are multiples of (I₄, 0, −1)",
    statement="As printed.",
    evidence="Gram matrix of the 15 features in rational moments: rank 14, kernel (I, 0, −1).",
)
def sphere_kernel() -> Facts:
    G = _gram()
    yield exact("rank", rank(G), 14)
    vector = [1 if c == 1 and sum(p) == 2 else -1 if sum(p) == 0 else 0 for c, p in _basis()]
    image = {sum(a * b for a, b in zip(r, vector, strict=True)) for r in G}
    yield exact("G·(I, 0, −1)", image, {0})


@row(
    "002-proposition-g.4",
    Verdict.CONFIRMED,
    claim="Proposition G.4: the Fisher form is positive definite on the tangent space",
    statement="As printed.",
    evidence="rank(JᵀGJ) = rank J = 10 for W = (e₁, e₂), exactly.",
)
def proposition_g4() -> Facts:
    J = _jacobian([[1, 0, 0, 0], [0, 1, 0, 0]], [1, 4], [3, 2])
    yield exact("(rank JᵀGJ, rank J)", (rank(_fisher(J)), rank(J)), (10, 10))
