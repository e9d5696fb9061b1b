"""Cullen et al., appendix E: ranks of random feature matrices."""

from math import comb

import sympy

from validation.audit._exact import integers, modular_inputs, rank
from validation.audit.row import Facts, close, exact, row

Matrix = list[list[int]]


def _product(X: Matrix, W: Matrix) -> Matrix:
    """X (n×d) times the columns W (K×d, one unit a line)."""
    return [[sum(a * b for a, b in zip(x, w, strict=True)) for w in W] for x in X]


def _kinked(t: int) -> int:
    return 2 * t if t >= 0 else t


@row("002-theorem-e.1")
def theorem_e1() -> Facts:
    X = [[1], [-1]]
    signs = [(a, b) for a in (-2, 5) for b in (-3, 7)]
    ranks = [rank([[_kinked(z) for z in r] for r in _product(X, [[a], [b]])]) for a, b in signs]
    yield exact("ranks over the four sign patterns", ranks, [1, 2, 2, 1], printed=[2, 2, 2, 2])
    X3, W3 = integers(1, 5, 2), integers(2, 4, 2)
    cubes = [[z**3 for z in r] for r in _product(X3, W3)]
    yield exact("σ = t³, five inputs of rank 2, K = 4: l = 4", rank(cubes), 4)


@row("002-lemma-e.2")
def lemma_e2() -> Facts:
    for d, K in ((3, 5), (4, 4), (6, 2)):
        yield exact(f"rank, d = {d}, K = {K}", rank(integers(d, d, K)), min(d, K))


@row("002-lemma-e.3")
def lemma_e3() -> Facts:
    X = modular_inputs(3)
    for K in (2, 5, 8):
        yield exact(f"rank XW, K = {K}", rank(_product(X, integers(K, K, 6))), min(5, K))


@row("002-lemma-e.4")
def lemma_e4() -> Facts:
    import mpmath as mp

    def density(y: float) -> float:
        return float(mp.npdf(mp.log(y)) / y)  # f_Z(σ⁻¹(y)) |(σ⁻¹)′(y)|

    ends = [1e-6, 0.1, 1, 3, 10, 100, 4000]
    total = mp.quad(density, ends)
    yield close("integral of the density", total, 1, 1e-8, control=2)
    mean = mp.quad(lambda y: y * density(y), ends)
    yield close("mean", mean, float(mp.exp(0.5)), 1e-6, control=1)


@row("002-lemma-e.5")
def lemma_e5() -> Facts:
    y = sympy.Symbol("y", positive=True)
    density = 2 * sympy.exp(-y / 2) / sympy.sqrt(2 * sympy.pi) / (2 * sympy.sqrt(y))
    yield exact("total", sympy.simplify(sympy.integrate(density, (y, 0, sympy.oo))), 1)
    yield exact("mean", sympy.simplify(sympy.integrate(y * density, (y, 0, sympy.oo))), 1)


@row("002-theorem-e.1-proof")
def theorem_e1_proof() -> Facts:
    columns = [[z**2 for z in (w, 2 * w)] for w in (1, 3, -5)]
    yield exact("dimension of the support", rank(columns), 1, printed=2)


@row("002-remark-e.6")
def remark_e6() -> Facts:
    u, v = sympy.symbols("u v")
    det = sympy.Matrix([[u, v], [u**2, v**2]]).det()
    yield exact("determinant", sympy.expand(det - u * v * (v - u)), 0)
    yield exact("rank XW", rank(_product([[1], [2]], [[3], [5]])), 1)


@row("002-proposition-e.7")
def proposition_e7() -> Facts:
    for r, s in ((2, 2), (2, 3), (3, 2), (2, 9)):
        X, W = integers(r, 8, r), integers(s, 14, r)
        F = [[z**s for z in line] for line in _product(X, W)]
        yield exact(f"l, n = 8, r = {r}, s = {s}", rank(F), min(8, comb(r + s - 1, s)))
    eye = [[int(i == j) for j in range(3)] for i in range(3)]
    F = [[z**2 for z in line] for line in _product(eye, integers(1, 6, 3))]
    yield exact("l for inputs e_i, r = 3", rank(F), 3)
    M = [[z**2 for z in line] for line in _product(modular_inputs(3), integers(1, 12, 6))]
    yield exact("l for modular inputs, p = 3: 5 ≤ 9 ≤ 9", rank(M), 9)


@row("002-multinomial")
def multinomial() -> Facts:
    a, b, u, v = sympy.symbols("a b u v")
    stated = sum(comb(3, i) * a**i * b ** (3 - i) * u**i * v ** (3 - i) for i in range(4))
    yield exact("difference", sympy.expand((a * u + b * v) ** 3 - stated), 0)


@row("002-continuity")
def continuity() -> Facts:
    import mpmath as mp

    found = mp.quad(lambda t: mp.npdf(t) * mp.npdf(-t), [-8, 0, 8])
    yield close("density of w₁ + w₂ at 0", found, float(1 / mp.sqrt(4 * mp.pi)), 1e-10, control=0.4)
