"""Cullen et al., section 5.1 and appendix D: linearised and frozen-feature regimes."""

from fractions import Fraction

import sympy

import rlct
from validation.audit._exact import integers, modular_inputs, quadratic_features, rank
from validation.audit.row import Facts, exact, row


@row("002-ntk-model")
def ntk_model() -> Facts:
    theta0 = 3
    phi = 2 * theta0
    yield exact(
        "model at θ₀", theta0**2 + phi * (theta0 - theta0), 9, printed=theta0**2 + phi * theta0
    )


@row("002-theorem-5.1")
def theorem_5_1() -> Facts:
    inputs = (0, 1, -1, 2)
    features = [(1, x, 1 + x) for x in inputs]
    lam = rlct.ideal([f"{u}*a+({v})*b+({w})*c" for u, v, w in features]).lam
    yield exact("λ", lam, Fraction(rank(features), 2), control=Fraction(3, 2))


@row("002-ntk-stationary")
def ntk_stationary() -> Facts:
    gradients = [-(y - 0) * 1 for y in (1, -1)]
    yield exact("mean gradient", sum(gradients), 0)
    yield exact("gradient at Y = 1", gradients[0], -1, printed=0)


@row("002-ntk-hessian")
def ntk_hessian() -> Facts:
    a, b, f = sympy.symbols("a b f")
    y, phi = sympy.Symbol("y"), (2, 3)
    loss = sympy.log(1 + sympy.exp(f)) - y * f
    line = a * phi[0] + b * phi[1]
    hessian = sympy.hessian(loss.subs(f, line), (a, b))
    outer = sympy.Matrix(2, 2, lambda i, j: phi[i] * phi[j])
    gap = hessian - sympy.diff(loss, f, 2).subs(f, line) * outer
    yield exact("difference", sympy.simplify(gap), sympy.zeros(2))


@row("002-ntk-remainder")
def ntk_remainder() -> Facts:
    yield exact("λ of z² + w⁴", rlct.poly("z**2+w**4").lam, Fraction(3, 4), printed=Fraction(1, 2))
    flat = rlct.ideal(["z"]).lam
    yield exact("λ of z² with w free", flat, Fraction(1, 2))


@row("002-ntk-integral")
def ntk_integral() -> Facts:
    w = sympy.Symbol("w", real=True)
    plain = sympy.integrate(1, (w, -sympy.oo, sympy.oo))
    with_prior = sympy.integrate(sympy.exp(-(w**2) / 2), (w, -sympy.oo, sympy.oo))
    yield exact("the printed w-integral is finite", bool(plain.is_finite), False, printed=True)
    yield exact(
        "with the prior, over √(2π)", sympy.simplify(with_prior / sympy.sqrt(2 * sympy.pi)), 1
    )


@row("002-ntk-gaussian")
def ntk_gaussian() -> Facts:
    z = sympy.Symbol("z", real=True)
    n, c = sympy.symbols("n c", positive=True)
    value = sympy.integrate(sympy.exp(-n * c * z**2 / 2), (z, -sympy.oo, sympy.oo))
    stated = sympy.sqrt(2 * sympy.pi) / sympy.sqrt(n * c)
    yield exact("ratio", sympy.simplify(value / stated), 1)


def _kinked_rank(weights: tuple[int, int]) -> int:
    """Rank of σ(XW) for X = (1, −1)ᵀ and σ(t) = t for t < 0, 2t for t ≥ 0."""
    return rank([[2 * t if t >= 0 else t for t in (x * w for w in weights)] for x in (1, -1)])


@row("002-theorem-5.2")
def theorem_5_2() -> Facts:
    yield exact("rank F, weights of different signs: l = 2", _kinked_rank((1, -1)), 2)
    yield exact("rank F, weights 1 and 3", _kinked_rank((1, 3)), 1, printed=2)
    F = [[1, 2], [3, 4], [5, 6]]
    lam = rlct.ideal([f"{u}*a{k}+{v}*b{k}" for k in (0, 1) for u, v in F]).lam
    yield exact("λ for p = 2 and rank F = 2", lam, Fraction(2))


@row("002-theorem-5.2-proof")
def theorem_5_2_proof() -> Facts:
    F = sympy.Matrix([[1, 2, 3], [4, 5, 9], [7, 8, 15], [1, 0, 1]])
    both = sympy.kronecker_product(sympy.eye(2), F)
    yield exact("ranks", ((both.T * both).rank(), 2 * (F.T * F).rank(), 2 * F.rank()), (4, 4, 4))


@row("002-vectorised-loss")
def vectorised_loss() -> Facts:
    F, V = sympy.Matrix(integers(1, 3, 2)), sympy.Matrix(integers(2, 2, 2))
    left = (F * V).vec()
    yield exact("vec(FV)", left, sympy.kronecker_product(sympy.eye(2), F) * V.vec())


@row("002-loss-derivative")
def loss_derivative() -> Facts:
    v = sympy.Symbol("v")
    found = sympy.diff((3 - 2 * v) ** 2 / 2, v).subs(v, 1)
    yield exact("∂ℓ/∂v", found, -2, printed=2)


@row("002-corollary-5.3")
def corollary_5_3() -> Facts:
    for p in (3, 5):
        inputs = modular_inputs(p)
        l = rank([quadratic_features(x) for x in inputs])  # noqa: E741 (as in the source)
        yield exact(f"l at p = {p}", l, p * p, printed=p * (2 * p - 1))
    inputs, W = modular_inputs(3), integers(1, 11, 6)
    F = [[sum(a * b for a, b in zip(w, x, strict=True)) ** 2 for w in W] for x in inputs]
    yield exact("rank F at K = 11, p = 3", rank(F), 9, printed=11)
    means = [Fraction(sum(c), 9) for c in zip(*F, strict=True)]
    centred = [[v - m for v, m in zip(r, means, strict=True)] for r in F]
    yield exact("rank of the centred F", rank(centred), 8)


@row("002-remark-5.4")
def remark_5_4() -> Facts:
    p, inputs = 3, modular_inputs(3)
    for K in (2, 4):
        W = integers(K, K, 6)
        F = [[sum(a * b for a, b in zip(w, x, strict=True)) ** 2 for w in W] for x in inputs]
        yield exact(f"2λ/p at K = {K}", rank(F), K)
        yield exact(f"lower bound holds at K = {K}", rank(F) >= 2 * p - 1, False, printed=True)
