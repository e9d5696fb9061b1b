"""Cullen et al., appendix G.1: the tangent space of Theorem G.2 and Example G.3."""

from fractions import Fraction

import sympy

from validation.audit._biased import dimension, jacobian
from validation.audit._exact import integers, rank
from validation.audit.row import Facts, exact, row


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


@row("002-equation-25")
def equation_25() -> Facts:
    for d in (2, 3, 4):
        for K in range(1, d):
            yield exact(
                f"d = {d}, K = {K}", _tangent(d, K), K * (2 * d - K + 1) // 2, control=K * d + 1
            )


@row("002-equation-26")
def equation_26() -> Facts:
    yield exact("dimension, d = 3, K = 2", _tangent(3, 2), 5)
    t = sympy.Symbol("t")
    W, U = sympy.Matrix(integers(1, 3, 2)), sympy.Matrix(integers(2, 3, 2))
    middle = sympy.diag(*integers(3, 2)) + t * sympy.Matrix([[1, 2], [2, 5]])
    Q = (W + t * U) * middle * (W + t * U).T
    yield exact("det of the curve", sympy.expand(Q.det()), 0)


@row("002-equation-27")
def equation_27() -> Facts:
    W, U = sympy.Matrix([1, 2]), sympy.Matrix([2, -1])  # U ⊥ W
    v, b, dv, db, beta = 3, 5, 7, 11, 13
    P = W * (W.T * W).inv() * W.T
    dr = (U + W * beta) * v * b + W * (dv * b + v * db)
    yield exact("(I − P)Δr", (sympy.eye(2) - P) * dr, U * v * b)


@row("002-equation-28")
def equation_28() -> Facts:
    for K in (1, 2, 3):
        found = rank(jacobian(integers(7, K, 4), integers(8, K), integers(9, K)))
        yield exact(f"dimension, d = 4, K = {K}", found, _tangent(4, K) + K + 1)


@row("002-equation-29")
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


@row("002-equation-30")
def equation_30() -> Facts:
    J = jacobian([[2, 3]], [5], [7])
    inputs = [(i, j) for i in range(4) for j in range(3)]
    design = [[x * x, 2 * x * y, y * y, 2 * x, 2 * y, 1] for x, y in inputs]
    product = [[sum(p * r[k] for p, r in zip(q, J, strict=True)) for k in range(5)] for q in design]
    yield exact("rank", rank(product), dimension(2, 1))


@row("002-example-g.3")
def example_g3() -> Facts:
    W = [[1, 0, 0, 0], [0, 1, 0, 0]]
    J = jacobian(W, [2, 3], [1, -2])
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
    vectors = []
    for p in range(4):
        for q in range(p, 4):
            powers = [0] * 4
            powers[p] += 1
            powers[q] += 1
            vectors.append((1 if p == q else 2, tuple(powers)))
    vectors += [(2, tuple(int(i == p) for i in range(4))) for p in range(4)]
    return [*vectors, (1, (0, 0, 0, 0))]


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


@row("002-sphere-kernel")
def sphere_kernel() -> Facts:
    G = _gram()
    yield exact("rank", rank(G), 14)
    vector = [1 if c == 1 and sum(p) == 2 else -1 if sum(p) == 0 else 0 for c, p in _basis()]
    image = {sum(a * b for a, b in zip(r, vector, strict=True)) for r in G}
    yield exact("G·(I, 0, −1)", image, {0})


@row("002-proposition-g.4")
def proposition_g4() -> Facts:
    J = jacobian([[1, 0, 0, 0], [0, 1, 0, 0]], [1, 4], [3, 2])
    yield exact("(rank JᵀGJ, rank J)", (rank(_fisher(J)), rank(J)), (10, 10))


@row("002-pulled-back-hessian")
def pulled_back_hessian() -> Facts:
    w, b, v, c = theta = sympy.symbols("w b v c")
    at = {w: 2, b: 1, v: 3, c: -1}
    inputs = (-1, 0, 1, 3)

    def f(x: int) -> sympy.Expr:
        return v * (w * x + b) ** 2 + c

    K = sum((f(x) - f(x).subs(at)) ** 2 for x in inputs) / 8
    J = sympy.Matrix(jacobian([[2]], [3], [1]))
    features = sympy.Matrix([[x * x, 2 * x, 1] for x in inputs])
    pulled = J.T * (features.T * features / 4) * J
    yield exact("difference", sympy.hessian(K, theta).subs(at) - pulled, sympy.zeros(4))
