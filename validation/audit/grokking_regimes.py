"""Cullen et al., section 5.1 and appendix D: linearised and frozen-feature regimes."""

from __future__ import annotations

from fractions import Fraction

import sympy

import rlct
from validation.audit._exact import integers, modular_inputs, quadratic_features, rank
from validation.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []


@row(
    "002-ntk-model",
    Verdict.CORRECTED,
    claim="linearised model f_θ = f_θ₀ + φ(x)ᵀθ with φ = ∇f at θ₀",
    statement="f_θ₀ + φ(x)ᵀ(θ − θ₀); the printed one is it with θ − θ₀ renamed θ.",
    evidence="f = θ² at θ₀ = 3: at θ = θ₀ the printed form gives 27 and not 9.",
)
def ntk_model() -> Facts:
    theta0 = 3
    phi = 2 * theta0
    yield exact(
        "model at θ₀", theta0**2 + phi * (theta0 - theta0), 9, printed=theta0**2 + phi * theta0
    )


@row(
    "002-theorem-5.1",
    Verdict.CONFIRMED,
    claim="Theorem 5.1: the linearised model has λ = r/2, r the rank of E[wφφᵀ]",
    statement="As printed, for K analytic (or C² with flat null directions, as here).",
    evidence="Three parameters, features (1, x, 1 + x) on four inputs: r = 2, λ = 1 by the engine.",
    direct='rlct theorem eval linearised "features=1,2,0;2,4,0"',
)
def theorem_5_1() -> Facts:
    inputs = (0, 1, -1, 2)
    features = [(1, x, 1 + x) for x in inputs]
    lam = rlct.ideal([f"{u}*a+({v})*b+({w})*c" for u, v, w in features]).lam
    yield exact("λ", lam, Fraction(rank(features), 2), control=Fraction(3, 2))


@row(
    "002-ntk-stationary",
    Verdict.CORRECTED,
    claim="appendix D: because f_θ* is a minimiser, ∂ℓ(Y, f)/∂θ = 0 at θ*",
    statement="Only its mean is 0: E[∂ℓ/∂f | X] = 0. Pointwise it is −(Y − f*)φ.",
    evidence="Square loss with Y = ±1 and f* = 0: gradients ∓φ, mean 0.",
)
def ntk_stationary() -> Facts:
    gradients = [-(y - 0) * 1 for y in (1, -1)]
    yield exact("mean gradient", sum(gradients), 0)
    yield exact("gradient at Y = 1", gradients[0], -1, printed=0)


@row(
    "002-ntk-hessian",
    Verdict.CONFIRMED,
    claim="appendix D: ∂²ℓ/∂θ∂θᵀ = ℓ″(f) φφᵀ, K = ½(θ − θ*)ᵀI(θ − θ*) + o(…)",
    statement="As printed, in mean.",
    evidence="Logistic loss log(1 + e^f) − yf with f = aφ₁ + bφ₂, by sympy.",
)
def ntk_hessian() -> Facts:
    a, b, f = sympy.symbols("a b f")
    y, phi = sympy.Symbol("y"), (2, 3)
    loss = sympy.log(1 + sympy.exp(f)) - y * f
    line = a * phi[0] + b * phi[1]
    hessian = sympy.hessian(loss.subs(f, line), (a, b))
    outer = sympy.Matrix(2, 2, lambda i, j: phi[i] * phi[j])
    gap = hessian - sympy.diff(loss, f, 2).subs(f, line) * outer
    yield exact("difference", sympy.simplify(gap), sympy.zeros(2))


@row(
    "002-ntk-remainder",
    Verdict.CORRECTED,
    claim="appendix D: K = ½zᵀΛz + o(‖z‖² + ‖w‖²), hence λ = r/2",
    statement="The remainder must be o(‖z‖²) uniformly in w: it is, since f and so K depend on z "
    "alone. With the printed remainder the conclusion would be false.",
    evidence="z² + w⁴ has this form with r = 1 and λ = 3/4.",
    direct='rlct poly "z**2 + w**4"',
)
def ntk_remainder() -> Facts:
    yield exact("λ of z² + w⁴", rlct.poly("z**2+w**4").lam, Fraction(3, 4), printed=Fraction(1, 2))
    flat = rlct.ideal(["z"]).lam
    yield exact("λ of z² with w free", flat, Fraction(1, 2))


@row(
    "002-ntk-integral",
    Verdict.CORRECTED,
    claim="appendix D: Z_n = φ(θ*) ∫_{R^{d−r}} dw ∫_{R^r} exp(−(n/2)zᵀΛz) dz (1 + o(1)), the "
    "w-integral finite",
    statement="∫ dw is infinite. The prior must stay inside: ∫ φ(z = 0, w) dw.",
    evidence="∫_{−R}^{R} dw = 2R grows without bound; with the prior N(0, 1) it is at most 1.",
)
def ntk_integral() -> Facts:
    w = sympy.Symbol("w", real=True)
    plain = sympy.integrate(1, (w, -sympy.oo, sympy.oo))
    with_prior = sympy.integrate(sympy.exp(-(w**2) / 2), (w, -sympy.oo, sympy.oo))
    yield exact("the printed w-integral is finite", bool(plain.is_finite), False, printed=True)
    yield exact(
        "with the prior, over √(2π)", sympy.simplify(with_prior / sympy.sqrt(2 * sympy.pi)), 1
    )


@row(
    "002-ntk-gaussian",
    Verdict.CONFIRMED,
    claim="appendix D: the z-integral is (2π)^{r/2} n^{−r/2} (det Λ)^{−1/2}",
    statement="As printed.",
    evidence="r = 1, and products, by sympy.",
)
def ntk_gaussian() -> Facts:
    z = sympy.Symbol("z", real=True)
    n, c = sympy.symbols("n c", positive=True)
    value = sympy.integrate(sympy.exp(-n * c * z**2 / 2), (z, -sympy.oo, sympy.oo))
    stated = sympy.sqrt(2 * sympy.pi) / sympy.sqrt(n * c)
    yield exact("ratio", sympy.simplify(value / stated), 1)


def _kinked_rank(weights: tuple[int, int]) -> int:
    """Rank of σ(XW) for X = (1, −1)ᵀ and σ(t) = t for t < 0, 2t for t ≥ 0."""
    return rank([[2 * t if t >= 0 else t for t in (x * w for w in weights)] for x in (1, -1)])


@row(
    "002-theorem-5.2",
    Verdict.CORRECTED,
    claim="Theorem 5.2: λ = ½ p min{l, K} almost surely, for piecewise injective σ",
    statement="λ = ½ p·rank F always (centred: of PF); rank F = min(l, K) almost surely if σ is "
    "real-analytic. For piecewise injective σ it can fail with positive probability.",
    evidence="σ(t) = t for t < 0 and 2t for t ≥ 0, X = (1, −1)ᵀ, K = 2: l = 2, and rank F = 1 "
    "whenever both weights have one sign.",
    direct='rlct theorem eval frozen-features "features=1,2;3,4;5,6" outputs=2',
)
def theorem_5_2() -> Facts:
    yield exact("rank F, weights of different signs: l = 2", _kinked_rank((1, -1)), 2)
    yield exact("rank F, weights 1 and 3", _kinked_rank((1, 3)), 1, printed=2)
    F = [[1, 2], [3, 4], [5, 6]]
    lam = rlct.ideal([f"{u}*a{k}+{v}*b{k}" for k in (0, 1) for u, v in F]).lam
    yield exact("λ for p = 2 and rank F = 2", lam, Fraction(2))


@row(
    "002-theorem-5.2-proof",
    Verdict.CONFIRMED,
    claim="appendix E: λ = ½ rank E[(I⊗F)ᵀ(I⊗F)] = ½ p rank(FᵀF) = ½ p rank F",
    statement="As printed.",
    evidence="Integer F of rank 2 with three columns, p = 2.",
)
def theorem_5_2_proof() -> Facts:
    F = sympy.Matrix([[1, 2, 3], [4, 5, 9], [7, 8, 15], [1, 0, 1]])
    both = sympy.kronecker_product(sympy.eye(2), F)
    yield exact("ranks", ((both.T * both).rank(), 2 * (F.T * F).rank(), 2 * F.rank()), (4, 4, 4))


@row(
    "002-vectorised-loss",
    Verdict.CONFIRMED,
    claim="appendix E: ℓ = ½‖vec Y − (I⊗F) vec V‖², Hessian (I⊗F)ᵀ(I⊗F)",
    statement="As printed.",
    evidence="Random integers, column-wise vectorisation.",
)
def vectorised_loss() -> Facts:
    F, V = sympy.Matrix(integers(1, 3, 2)), sympy.Matrix(integers(2, 2, 2))
    left = (F * V).vec()
    yield exact("vec(FV)", left, sympy.kronecker_product(sympy.eye(2), F) * V.vec())


@row(
    "002-loss-derivative",
    Verdict.CORRECTED,
    claim="appendix E: ∂ℓ/∂v = (I⊗F)ᵀ(y − (I⊗F)v)",
    statement="With a minus sign; the value at the minimum, 0, is not affected.",
    evidence="ℓ = ½(y − fv)², f = 2, y = 3 at v = 1.",
)
def loss_derivative() -> Facts:
    v = sympy.Symbol("v")
    found = sympy.diff((3 - 2 * v) ** 2 / 2, v).subs(v, 1)
    yield exact("∂ℓ/∂v", found, -2, printed=2)


@row(
    "002-corollary-5.3",
    Verdict.CORRECTED,
    claim="Corollary 5.3: ½ p min{2p−1, K} ≤ λ ≤ ½ p min{p(2p−1), K}",
    statement="λ = ½ p min{p², K} on the full data (p² − 1 when centred): the span l of the "
    "features is p², and l ≤ n = p² in any case. v3, as quoted, has the bounds of remark "
    "5.4: 002-v3-corollary-5.3.",
    evidence="Rank of the quadratic features of modular data, p = 3, 5, and of F at K = p² + 2 "
    "random units, p = 3.",
    direct="rlct theorem eval modular-features modulus=3 units=11",
)
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


@row(
    "002-remark-5.4",
    Verdict.CORRECTED,
    claim="Remark 5.4: for K ≪ p², ½ p(2p−1) ≤ λ ≤ ½ pK",
    statement="λ = ½ pK for all K ≤ p² (uncentred); the lower bound is false for K < 2p − 1. v3, as"
    " quoted, supposes 2p − 1 < K: 002-v3-corollary-5.3.",
    evidence="p = 3, K = 2 and 4, rank of F on the full data.",
)
def remark_5_4() -> Facts:
    p, inputs = 3, modular_inputs(3)
    for K in (2, 4):
        W = integers(K, K, 6)
        F = [[sum(a * b for a, b in zip(w, x, strict=True)) ** 2 for w in W] for x in inputs]
        yield exact(f"2λ/p at K = {K}", rank(F), K)
        yield exact(f"lower bound holds at K = {K}", rank(F) >= 2 * p - 1, False, printed=True)
