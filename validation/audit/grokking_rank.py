"""Cullen et al., sections 4 and 5.2, appendix G.2: quadratic networks with p outputs."""

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
from validation.audit.row import Facts, exact, row


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


@row("002-theorem-4.1")
def theorem_4_1() -> Facts:
    yield from _spanning()


@row("002-theorem-g.5")
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


@row("002-theorem-4.2")
def theorem_4_2() -> Facts:
    for (d, p, K), right in (((2, 1, 2), 3), ((3, 2, 5), 12), ((4, 3, 5), 29), ((3, 2, 3), 12)):
        holds, rank_value = _conditions(d, p, K)
        yield exact(f"hypotheses 1-3 at a random {(d, p, K)}", holds, True)
        printed = K * (d + p - 1)
        if rank_value == printed:
            yield exact(f"2λ = rank J, {(d, p, K)}", rank_value, right)
        else:
            yield exact(f"2λ = rank J, {(d, p, K)}", rank_value, right, printed=printed)
    a, b, c, e, s, t = sympy.symbols("a b c e s t")
    W = sympy.Matrix([[1 + a, b], [c, 1 + e]])  # rows w_j; v = (1 + s, 1 + t); Q* = I
    Q = W.T * sympy.diag(1 + s, 1 + t) * W - sympy.eye(2)
    engine = rlct.ideal([Q[0, 0], Q[0, 1], Q[1, 1]]).lam
    yield exact("λ of (2, 1, 2) by the engine", engine, Fraction(3, 2), printed=Fraction(2))


@row("002-theorem-g.6")
def theorem_g6() -> Facts:
    holds, found = _conditions(3, 1, 2)
    yield exact("hypotheses 1-3", holds, True)
    yield exact("2λ = rank J, (3, 1, 2)", found, 5, printed=6)


@row("002-theorem-g.6-proof")
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


@row("002-equation-35")
def equation_35() -> Facts:
    d, p, K = 3, 2, 2
    W, V = integers(1, K, d), integers(2, p, K)
    direction = [*W[0], *([0] * d), *[v for k in range(p) for v in (-2 * V[k][0], 0)]]
    J = quadratic_jacobian(W, V)
    image = [sum(a * b for a, b in zip(r, direction, strict=True)) for r in J]
    yield exact("J·(direction)", set(image), {0})


@row("002-parallel-decomposition")
def parallel_decomposition() -> Facts:
    w, u = sympy.Matrix(sympy.symbols("w1 w2")), sympy.Matrix(sympy.symbols("u1 u2"))
    v, dv, alpha = sympy.symbols("v dv alpha")
    dw = u + alpha * w
    full = v * (dw * w.T + w * dw.T) + dv * w * w.T
    stated = v * (u * w.T + w * u.T) + (dv + 2 * alpha * v) * w * w.T
    yield exact("difference", (full - stated).expand(), sympy.zeros(2))


@row("002-q-outputs")
def q_outputs() -> Facts:
    w, x = sympy.Matrix(sympy.symbols("w1 w2")), sympy.Matrix(sympy.symbols("x1 x2"))
    v = sympy.Symbol("v")
    gap = v * w.dot(x) ** 2 - (x.T * (v * w * w.T) * x)[0]
    yield exact("difference", sympy.expand(gap), 0)


@row("002-generic-rank")
def generic() -> Facts:
    wrong_printed = wrong = disagreeing = 0
    for d in range(1, 5):
        D = d * (d + 1) // 2
        for p in range(1, 5):
            for K in range(1, D + 1):
                rank_value = quadratic_rank(d, p, K)
                if p == 1:
                    expected = min(K, d) * (2 * d - min(K, d) + 1) // 2
                else:
                    expected = min(K * (d + p - 1), p * D)
                    if min(p, D) >= K:
                        expected = min(expected, K * (p + D - K))
                    expected -= (d, p, K) == (4, 3, 5)
                wrong += rank_value != expected
                sizes = {"inputs": d, "outputs": p, "units": K}
                disagreeing += rlct.theorem("quadratic-generic", **sizes).lam != Fraction(
                    rank_value, 2
                )
                wrong_printed += rank_value != (p * D if K >= D else K * (d + p - 1))
    yield exact("triples where the statement fails", wrong, 0)
    yield exact("triples where the catalogue's theorem differs", disagreeing, 0)
    yield exact("the printed formulas fail somewhere", wrong_printed > 0, True, printed=False)
