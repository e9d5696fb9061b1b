"""Cullen et al., sections 4 and 5.2, appendix G.2: quadratic networks with p outputs."""

from __future__ import annotations

from fractions import Fraction

import sympy

import rlct
from validation.audit._exact import (
    integers,
    modular_inputs,
    quadratic_features,
    quadratic_jacobian,
    quadratic_rank,
    rank,
)
from validation.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []

_NEEDS = "the inputs' quadratic features have rank d(d+1)/2 (as for a density)"


def _spanning() -> Facts:
    for d, p in ((2, 1), (2, 3), (3, 2)):
        D = d * (d + 1) // 2
        right = p * D
        yield exact(f"rank of J, d = {d}, p = {p}, K = {D + 1}", quadratic_rank(d, p, D + 1), right)
    inputs = modular_inputs(3)
    features = rank([quadratic_features(x) for x in inputs])
    yield exact(
        "on modular data, p = 3: twice the largest possible λ", 3 * features, 27, printed=3 * 21
    )


@row(
    "002-theorem-4.1",
    Verdict.CORRECTED,
    claim="Theorem 4.1, (2): K ≥ d(d+1)/2 and {w_iw_iᵀ} spanning: λ = p·d(d+1)/4",
    statement=f"True where {_NEEDS}. On modular-addition data it fails: λ ≤ p·p²/2.",
    evidence="Exact ranks of the Jacobian at random integer parameters, and of the quadratic "
    "features of modular data, p = 3 (d = 6).",
    direct='rlct theorem eval quadratic-spanning "hidden=1,0;0,1;1,1" outer=1,-1,2',
)
def theorem_4_1() -> Facts:
    yield from _spanning()


@row(
    "002-theorem-g.5",
    Verdict.CORRECTED,
    claim="Theorem G.5: the same as 4.1; proof by varying V alone",
    statement=f"True where {_NEEDS}; the proof is then right: ΔV alone reaches every ΔQ.",
    evidence="Rank of the V columns of the Jacobian alone is pD; on modular data see 4.1.",
    direct="rlct theorem show quadratic-spanning",
)
def theorem_g5() -> Facts:
    d, p, K = 2, 2, 3
    J = quadratic_jacobian(integers(1, K, d), integers(2, p, K))
    yield exact("rank of the V columns, d = 2, p = 2, K = 3", rank([r[K * d :] for r in J]), 6)
    yield from _spanning()


def _conditions(d: int, p: int, K: int) -> tuple[bool, int]:
    """Whether hypotheses 1 to 3 of Theorem 4.2 hold at a random parameter, and the rank of J."""
    W, V = integers(7, K, d), integers(8, p, K)
    active = all(map(any, W)) and all(any(V[k][j] for k in range(p)) for j in range(K))
    independent = rank([[w[a] * w[b] for a in range(d) for b in range(a, d)] for w in W]) == K
    J = quadratic_jacobian(W, V)
    # u_j ⊥ w_j: a basis of each orthogonal complement, pushed through the w columns of J.
    complements = []
    for j, w in enumerate(W):
        for u in sympy.Matrix([w]).nullspace():
            complements.append((j, list(u)))
    images = [[sum(r[j * d + a] * u[a] for a in range(d)) for r in J] for j, u in complements]
    rational = [
        [Fraction(int(v.p), int(v.q)) for v in map(sympy.Rational, line)] for line in images
    ]
    injective = rank(rational) == len(complements)
    return active and independent and injective, rank(J)


@row(
    "002-theorem-4.2",
    Verdict.REFUTED,
    claim="Theorem 4.2, (3): under hypotheses 1 to 3, λ = K(d + p − 1)/2",
    statement="The hypotheses do not exclude a smaller rank. λ = ½ rank J where J has constant "
    "rank, and that is K(d + p − 1)/2 exactly if (u, Δv̂) ↦ ΔQ is injective jointly. In "
    "v3, as quoted, it is about non-defective architectures: 002-v3-corollary-4.2.",
    evidence="Generic integer parameters that satisfy all three hypotheses: (d, p, K) = (2, 1, 2) "
    "has rank 3, λ = 3/2 and not 2; also (3, 2, 5) and (4, 3, 5). The first by blow-ups as well.",
    direct="rlct net quadratic --inputs 2 --units 2 --outputs 1",
)
def theorem_4_2() -> Facts:
    for (d, p, K), right in (((2, 1, 2), 3), ((3, 2, 5), 12), ((4, 3, 5), 29), ((3, 2, 3), 12)):
        holds, found = _conditions(d, p, K)
        yield exact(f"hypotheses 1-3 at a random {(d, p, K)}", holds, True)
        printed = K * (d + p - 1)
        if found == printed:
            yield exact(f"2λ = rank J, {(d, p, K)}", found, right)
        else:
            yield exact(f"2λ = rank J, {(d, p, K)}", found, right, printed=printed)
    a, b, c, e, s, t = sympy.symbols("a b c e s t")
    W = sympy.Matrix([[1 + a, b], [c, 1 + e]])  # rows w_j; v = (1 + s, 1 + t); Q* = I
    Q = W.T * sympy.diag(1 + s, 1 + t) * W - sympy.eye(2)
    engine = rlct.ideal([Q[0, 0], Q[0, 1], Q[1, 1]]).lam
    yield exact("λ of (2, 1, 2) by the engine", engine, Fraction(3, 2), printed=Fraction(2))


@row(
    "002-theorem-g.6",
    Verdict.REFUTED,
    claim="Theorem G.6: the same as 4.2",
    statement="False as stated, like 4.2; its own Theorem G.2 (with no bias) gives K(2d − K + 1)/2 "
    "for p = 1. In v3, as quoted, it is about non-defective architectures: "
    "002-v3-corollary-4.2.",
    evidence="(d, p, K) = (3, 1, 2): rank 5 = K(2d − K + 1)/2, and not K(d + p − 1) = 6.",
    direct="rlct net quadratic --inputs 3 --units 2 --outputs 1",
)
def theorem_g6() -> Facts:
    holds, found = _conditions(3, 1, 2)
    yield exact("hypotheses 1-3", holds, True)
    yield exact("2λ = rank J, (3, 1, 2)", found, 5, printed=6)


@row(
    "002-theorem-g.6-proof",
    Verdict.REFUTED,
    claim="0 = Σ v_kj(u_jw_jᵀ + w_ju_jᵀ) + Δv̂_kj w_jw_jᵀ and independent w_jw_jᵀ imply Δv̂ = 0",
    statement="The first sum can cancel the second: the two spans meet.",
    evidence="d = 2, p = 1, w = (1, 0), (1, 1), v = (1, 1): the linear system solved exactly has "
    "kernel vectors with Δv̂ ≠ 0.",
)
def theorem_g6_proof() -> Facts:
    r, s, x, y = sympy.symbols("r s x y")
    w = [sympy.Matrix([1, 0]), sympy.Matrix([1, 1])]
    u = [r * sympy.Matrix([0, 1]), s * sympy.Matrix([1, -1])]
    total = sum(
        (u[j] * w[j].T + w[j] * u[j].T + (x, y)[j] * w[j] * w[j].T for j in range(2)),
        sympy.zeros(2),
    )
    solution = sympy.solve([total[0, 0], total[0, 1], total[1, 1]], [r, x, y], dict=True)[0]
    kernel = [solution[x].subs(s, 1), solution[y].subs(s, 1)]
    yield exact("Δv̂ in the kernel with s = 1 is 0", kernel == [0, 0], False, printed=True)
    at = total.subs({k: v.subs(s, 1) for k, v in solution.items()}).subs(s, 1)
    yield exact("ΔQ there", at, sympy.zeros(2))
    same = rank([[1, 0, 0], [1, 1, 1]])
    yield exact("w_jw_jᵀ independent", same, 2)


@row(
    "002-equation-35",
    Verdict.CONFIRMED,
    claim="(35) Δw_j = εw_j, Δv_kj = −2εv_kj leaves every Q_k to first order",
    statement="As printed: the tangent of the scaling symmetry.",
    evidence="Jacobian times that direction, in integers.",
)
def equation_35() -> Facts:
    d, p, K = 3, 2, 2
    W, V = integers(1, K, d), integers(2, p, K)
    direction = [*W[0], *([0] * d), *[v for k in range(p) for v in (-2 * V[k][0], 0)]]
    J = quadratic_jacobian(W, V)
    image = [sum(a * b for a, b in zip(r, direction, strict=True)) for r in J]
    yield exact("J·(direction)", set(image), {0})


@row(
    "002-parallel-decomposition",
    Verdict.CONFIRMED,
    claim="with Δw_j = u_j + α_jw_j the linearisation is v(uwᵀ + wuᵀ) + (Δv + 2αv)wwᵀ",
    statement="As printed (no assumption Δw_j ≠ 0 is involved).",
    evidence="Expanded by sympy.",
)
def parallel_decomposition() -> Facts:
    w, u = sympy.Matrix(sympy.symbols("w1 w2")), sympy.Matrix(sympy.symbols("u1 u2"))
    v, dv, alpha = sympy.symbols("v dv alpha")
    dw = u + alpha * w
    full = v * (dw * w.T + w * dw.T) + dv * w * w.T
    stated = v * (u * w.T + w * u.T) + (dv + 2 * alpha * v) * w * w.T
    yield exact("difference", (full - stated).expand(), sympy.zeros(2))


@row(
    "002-q-outputs",
    Verdict.CONFIRMED,
    claim="f_k(x) = Σ_j v_kj (w_j·x)² = xᵀQ_kx, Q_k = Σ_j v_kj w_jw_jᵀ",
    statement="As printed.",
    evidence="Expanded by sympy.",
)
def q_outputs() -> Facts:
    w, x = sympy.Matrix(sympy.symbols("w1 w2")), sympy.Matrix(sympy.symbols("x1 x2"))
    v = sympy.Symbol("v")
    gap = v * w.dot(x) ** 2 - (x.T * (v * w * w.T) * x)[0]
    yield exact("difference", sympy.expand(gap), 0)


@row(
    "002-generic-rank",
    Verdict.CORRECTED,
    claim="section 4 as a whole: λ is K(d + p − 1)/2 or p·d(d+1)/4 at generic parameters",
    statement="2λ is the dimension of a secant variety: min(K(d+p−1), pD, and K(p+D−K) if K ≤ "
    "min(p, D)) for p ≥ 2 and K(2d−K+1)/2 for p = 1, K ≤ d, one less in the defective "
    "cases such as (d, p, K) = (4, 3, 5). v3, as quoted, takes the dimension of the "
    "secant variety: 002-v3-corollary-4.2.",
    evidence="Exact ranks at random integer parameters, all d, p ≤ 4 and K ≤ d(d+1)/2.",
    slow=True,
    direct="rlct net quadratic --inputs 4 --units 5 --outputs 3",
)
def generic() -> Facts:
    wrong_printed = wrong = other = 0
    for d in range(1, 5):
        D = d * (d + 1) // 2
        for p in range(1, 5):
            for K in range(1, D + 1):
                found = quadratic_rank(d, p, K)
                if p == 1:
                    expected = min(K, d) * (2 * d - min(K, d) + 1) // 2
                else:
                    expected = min(K * (d + p - 1), p * D)
                    if min(p, D) >= K:
                        expected = min(expected, K * (p + D - K))
                    expected -= (d, p, K) == (4, 3, 5)
                wrong += found != expected
                sizes = {"inputs": d, "outputs": p, "units": K}
                other += rlct.theorem("quadratic-generic", **sizes).lam != Fraction(found, 2)
                wrong_printed += found != (p * D if K >= D else K * (d + p - 1))
    yield exact("triples where the statement fails", wrong, 0)
    yield exact("triples where the catalogue's theorem differs", other, 0)
    yield exact("the printed formulas fail somewhere", wrong_printed > 0, True, printed=False)
