"""Cullen et al., v3: what is quoted of its section 4 and 5, judged like the claims of v1."""

from fractions import Fraction

import rlct
from validation.audit._exact import (
    integers,
    modular_inputs,
    quadratic_features,
    quadratic_jacobian,
    quadratic_rank,
    rank,
    rank_on,
)
from validation.audit.row import Facts, exact, row


def _expected(d: int, p: int, K: int) -> int:
    """The dimension that v3 expects of a secant variety."""
    return min(K * (d + p - 1), p * d * (d + 1) // 2)


@row("002-v3-corollary-4.2")
def corollary_4_2() -> Facts:
    for d, p, K in ((2, 1, 2), (3, 2, 5), (3, 2, 3)):
        rank_value = quadratic_rank(d, p, K)
        yield exact(f"2λ, {(d, p, K)}", rank_value, _expected(d, p, K), control=rank_value + 1)
        stated = rlct.theorem("quadratic-generic", inputs=d, outputs=p, units=K).lam
        yield exact("λ by the catalogue's theorem", stated, Fraction(rank_value, 2))
    for d, p, K in ((3, 1, 2), (4, 3, 5)):
        rank_value = quadratic_rank(d, p, K)
        yield exact(f"expected less found, {(d, p, K)}", _expected(d, p, K) - rank_value, 1)


@row("002-v3-remark-4.3")
def remark_4_3() -> Facts:
    d, p, K = 4, 5, 3
    W, V = integers(1, K, d), integers(2, p, K)
    for line in V:
        line[2] = 0
    J = quadratic_jacobian(W, V)
    yield exact("2λ = rank J, d = 4, p = 5", rank(J), 21, printed=_expected(d, p, 2))
    yield exact("the two active units alone", quadratic_rank(d, p, 2), _expected(d, p, 2))
    directions = []
    for j in range(2):  # (w_j, v_j) ↦ (c w_j, v_j/c²)
        scaled = [x if k == j else 0 for k in range(K) for x in W[k]]
        directions.append([*scaled, *(-2 * line[k] * (k == j) for line in V for k in range(K))])
    for a in range(d):  # any w of the idle unit
        directions.append([int(k == 2 * d + a) for k in range(K * (d + p))])
    yield exact("independent directions of solutions", rank(directions), K * (d + p) - 21)
    images = {sum(x * y for x, y in zip(r, v, strict=True)) for r in J for v in directions}
    yield exact("J along them", images, {0})


@row("002-v3-corollary-5.3")
def corollary_5_3() -> Facts:
    p = 5
    for K in (10, 12):
        W = integers(K, K, 2 * p)
        F = [
            [sum(a * b for a, b in zip(w, x, strict=True)) ** 2 for w in W]
            for x in modular_inputs(p)
        ]
        yield exact(f"2λ/p at K = {K}", rank(F), K, control=2 * p - 1)
        stated = rlct.theorem("modular-features", modulus=p, units=K).lam
        yield exact("λ by the catalogue's theorem", stated, Fraction(p * K, 2))


@row("002-v3-corollary-5.4")
def corollary_5_4() -> Facts:
    inputs = modular_inputs(3)
    features = rank([quadratic_features(x) for x in inputs])
    yield exact("rank of the features, p = 3", features, 9, control=21)
    for p, K in ((3, 1), (3, 2), (5, 3)):
        W, V = integers(p, K, 2 * p), integers(p + 1, p, K)
        yield exact(
            f"2λ for all inputs, p = {p}, K = {K}",
            rank(quadratic_jacobian(W, V)),
            _expected(2 * p, p, K),
        )
        found = rank_on(modular_inputs(p), W, V)
        yield exact("2λ for the pairs", found, K * (3 * p - 2), printed=K * (3 * p - 1))
