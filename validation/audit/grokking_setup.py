"""Cullen et al., sections 3 and 5: task, network, gradients and effective width."""

from __future__ import annotations

from fractions import Fraction

import sympy

from validation.audit._exact import integers, modular_inputs, quadratic_features, rank
from validation.audit.row import Facts, Verdict, exact, row

__all__: list[str] = []


@row(
    "002-modular-task",
    Verdict.CONFIRMED,
    claim="D = {(a, b, c): c = a + b mod p}, |D| = p²",
    statement="As printed.",
    evidence="Counted for p = 3, 5, 7; the inputs have rank 2p − 1.",
)
def modular_task() -> Facts:
    for p in (3, 5, 7):
        inputs = modular_inputs(p)
        yield exact(
            f"(pairs, rank of the inputs), p = {p}", (len(inputs), rank(inputs)), (p * p, 2 * p - 1)
        )


@row(
    "002-sample-index",
    Verdict.CORRECTED,
    claim="D_N = {(a_i, b_i, c_i)}_{i=0}^N is a collection of N triples",
    statement="The index runs from 1 to N.",
    evidence="Counted.",
)
def sample_index() -> Facts:
    N = 7
    yield exact("indices from 0 to N", len(range(0, N + 1)), N + 1, printed=N)


@row(
    "002-equation-1",
    Verdict.CONFIRMED,
    claim="(1) Ŷ = Vσ(WᵀX), W: 2p×K, V: p×K, X: 2p×N, σ(x) = x²",
    statement="As printed; section 5 uses the transposed layout.",
    evidence="Shapes, and f_k(x) = Σ_j v_kj (w_j·x)² by multiplication.",
)
def equation_1() -> Facts:
    W, V = sympy.Matrix(integers(1, 6, 4)), sympy.Matrix(integers(2, 3, 4))
    X = sympy.Matrix(modular_inputs(3)).T
    Y = V * (W.T * X).applyfunc(lambda t: t**2)
    yield exact("shape", Y.shape, (3, 9))
    direct = sum(V[1, j] * (W[:, j].dot(X[:, 4])) ** 2 for j in range(4))
    yield exact("f_2(x_5)", Y[1, 4], direct)


@row(
    "002-projection",
    Verdict.CORRECTED,
    claim="loss ½‖P₁^⊥(Y_N − Ŷ_N)‖² with Y p×N, P = I − 11ᵀ/n along the sample dimension",
    statement="With Y of shape p×N the projection stands on the right, (Y − Ŷ)P.",
    evidence="Shapes: P is N×N, N = 9, and Y is 3×9.",
)
def projection() -> Facts:
    N, p = 9, 3
    yield exact("P·(Y − Ŷ) is defined", p == N, False, printed=True)
    P = sympy.eye(N) - sympy.ones(N, N) / N
    Y = sympy.Matrix(integers(3, p, N))
    yield exact("row sums of (Y − Ŷ)P", list((Y * P) * sympy.ones(N, 1)), [0] * p)


@row(
    "002-output-form",
    Verdict.CORRECTED,
    claim="f_{θ,k}(X_N) = X_Nᵀ(Σ_j v_kj w_j w_jᵀ)X_N = X_NᵀQ_kX_N",
    statement="Holds for one input, f_k(x) = xᵀQ_kx; for a data matrix the outputs are the "
    "diagonal of X_NᵀQ_kX_N.",
    evidence="A random integer network on nine inputs.",
)
def output_form() -> Facts:
    W, v = sympy.Matrix(integers(1, 6, 4)), integers(2, 4)
    X = sympy.Matrix(modular_inputs(3)).T
    Q = W * sympy.diag(*v) * W.T
    outputs = [sum(v[j] * (W[:, j].dot(X[:, i])) ** 2 for j in range(4)) for i in range(9)]
    full = X.T * Q * X
    yield exact("outputs", outputs, [full[i, i] for i in range(9)])
    yield exact("numbers in f_k(X_N)", len(outputs), 9, printed=len(full))


@row(
    "002-equivalent-parametrisation",
    Verdict.CORRECTED,
    claim="the network may equivalently be parametrised by (Q₁, …, Q_p)",
    statement="Only if the data determine quadratic forms. On modular data they do not: the "
    "quadratic features have rank p² (p² − 1 centred), less than p(2p + 1).",
    evidence="Exact ranks for p = 3, 5.",
)
def equivalent_parametrisation() -> Facts:
    for p in (3, 5):
        features = [quadratic_features(x) for x in modular_inputs(p)]
        yield exact(
            f"rank of the quadratic features, p = {p}",
            rank(features),
            p * p,
            printed=p * (2 * p + 1),
        )


@row(
    "002-objective-gradient",
    Verdict.CONFIRMED,
    claim="G_F = −∂J/∂F = P₁^⊥(Y − FV)Vᵀ = (Ỹ − F̃V)Vᵀ",
    statement="As printed (P is an orthogonal projection).",
    evidence="Differentiated by sympy for n = 3, K = 2, p = 1.",
)
def objective_gradient() -> Facts:
    n, K = 3, 2
    F = sympy.Matrix(n, K, sympy.symbols("f0:6"))
    Y, V = sympy.Matrix([1, 4, 2]), sympy.Matrix([3, -1])
    P = sympy.eye(n) - sympy.ones(n, n) / n
    R = P * (Y - F * V)
    J = (R.T * R)[0] / 2
    gradient = sympy.Matrix(n, K, lambda i, j: -sympy.diff(J, F[i, j]))
    yield exact("difference", (gradient - R * V.T).expand(), sympy.zeros(n, K))


@row(
    "002-equation-4",
    Verdict.CONFIRMED,
    claim="(4) V_ridge = (F̃ᵀF̃ + ηI)⁻¹F̃ᵀỸ",
    statement="As printed: the minimiser of ½‖Ỹ − F̃V‖² + (η/2)‖V‖².",
    evidence="Gradient at V_ridge is 0, in rational numbers.",
)
def equation_4() -> Facts:
    F, Y = sympy.Matrix(integers(1, 4, 2)), sympy.Matrix(integers(2, 4, 1))
    eta = sympy.Rational(1, 3)
    V = (F.T * F + eta * sympy.eye(2)).inv() * F.T * Y
    yield exact("gradient", F.T * (F * V - Y) + eta * V, sympy.zeros(2, 1))


@row(
    "002-ridge-interpolation",
    Verdict.REFUTED,
    claim="if the model is wide enough the ridge solution interpolates: Ỹ − F̃V_ridge = 0",
    statement="Never for η > 0 unless Ỹ = 0: the residual is η(F̃F̃ᵀ + ηI)⁻¹Ỹ. Interpolation is "
    "the limit η → 0.",
    evidence="Square invertible F̃ in rational numbers, the easiest case.",
)
def ridge_interpolation() -> Facts:
    F, Y = sympy.Matrix([[2, 1], [1, 3]]), sympy.Matrix([1, 2])
    eta = sympy.Rational(1, 10)
    V = (F.T * F + eta * sympy.eye(2)).inv() * F.T * Y
    residual = Y - F * V
    yield exact("residual", residual, eta * (F * F.T + eta * sympy.eye(2)).inv() * Y)
    yield exact("interpolates", residual.is_zero_matrix, False, printed=True)


@row(
    "002-stage-2-gradient",
    Verdict.CONFIRMED,
    claim="G_F ≈ c_η ỸỸᵀF̃ after the top layer has fitted",
    statement="Exact with c_η = η/(s + η)² when F̃F̃ᵀ = sI; otherwise "
    "G_F = ηA⁻¹ỸỸᵀA⁻¹F̃ with A = F̃F̃ᵀ + ηI.",
    evidence="Both forms in rational numbers.",
)
def stage_2_gradient() -> Facts:
    eta = sympy.Rational(1, 2)
    Y = sympy.Matrix([[1, 2], [3, 1], [0, 2]])
    for name, F in (("general F̃", sympy.Matrix(integers(5, 3, 4))), ("F̃F̃ᵀ = 4I", 2 * sympy.eye(3))):
        V = (F.T * F + eta * sympy.eye(F.cols)).inv() * F.T * Y
        G = (Y - F * V) * V.T
        A = (F * F.T + eta * sympy.eye(3)).inv()
        yield exact(f"G_F, {name}", G, eta * A * Y * Y.T * A * F)
        if name != "general F̃":
            yield exact("c_η", G, eta / (4 + eta) ** 2 * Y * Y.T * F, control=Y * Y.T * F)


@row(
    "002-neuron-energy",
    Verdict.CONFIRMED,
    claim="each neuron climbs E(w_j) = ½‖Ỹᵀf_j‖²",
    statement="As printed: its gradient in f_j is the column ỸỸᵀf_j of the matrix above.",
    evidence="Differentiated by sympy.",
)
def neuron_energy() -> Facts:
    f = sympy.Matrix(sympy.symbols("f0:3"))
    Y = sympy.Matrix([[1, 2], [3, 1], [0, 2]])
    E = ((Y.T * f).T * (Y.T * f))[0] / 2
    gradient = sympy.Matrix([sympy.diff(E, v) for v in f])
    yield exact("gradient", (gradient - Y * Y.T * f).expand(), sympy.zeros(3, 1))


@row(
    "002-equation-5",
    Verdict.CONFIRMED,
    claim="(5) K_eff = number of units with output weights V_j ≠ 0",
    statement="Definition. It is not the number that determines λ: see row 002-theorem-5.5.",
    evidence="Units with v_j ≠ 0, w_j = 0 count as active here, and do not act: the output is 0.",
)
def equation_5() -> Facts:
    v, w, x = 3, (0, 0), (2, 5)
    output = v * sum(a * b for a, b in zip(w, x, strict=True)) ** 2
    yield exact("output of a unit with w = 0", output, 0)


@row(
    "002-gsm",
    Verdict.CONFIRMED,
    claim="GSM = 1{a_V(T) ≥ 0.95} (1/T) Σ_x |a_T(x) − a_V(x)|",
    statement="Definition, in [0, 1]. It is 0 both for immediate generalisation and for none, so "
    "it compares only runs that generalise.",
    evidence="Three accuracy curves.",
)
def gsm() -> Facts:
    def value(train: list[Fraction], test: list[Fraction]) -> Fraction:
        done = test[-1] >= Fraction(95, 100)
        gap = sum((abs(a - b) for a, b in zip(train, test, strict=True)), Fraction(0))
        return gap / len(train) if done else Fraction(0)

    one, none = [Fraction(1)] * 4, [Fraction(0)] * 4
    late = [Fraction(0), Fraction(0), Fraction(1), Fraction(1)]
    yield exact("generalising half-way", value(one, late), Fraction(1, 2))
    yield exact("at once, never", (value(one, one), value(one, none)), (0, 0))


@row(
    "002-figure-1",
    Verdict.UNVERIFIABLE,
    claim="Figure 1: the final LLC is linear in p",
    statement="λ = K(3p − 2)/2 at generic parameters is, up to p³/2. λ̂ of trained networks is near "
    "to a line as well, far below that one; so is what a walk gives that does not know the loss.",
    evidence="The second difference of K(3p − 2)/2 in p. No numbers are printed; trained networks "
    "and the walk by rlct validate grokking-size.",
    place="002-figure-1",
)
def linear_in_p() -> Facts:
    def second(power: int) -> Fraction:
        values = [Fraction(4 * (3 * p**power - 2), 2) for p in (5, 6, 7)]
        return values[0] - 2 * values[1] + values[2]

    yield exact("second difference in p", second(1), 0, control=second(2))


@row(
    "002-figure-2",
    Verdict.UNVERIFIABLE,
    claim="Figure 2: the final LLC is linear in the number K of hidden units",
    statement="λ = K(3p − 2)/2 at generic parameters is, up to p³/2, where wide networks end.",
    evidence="No numbers are printed; the estimator is said to be comparable only up to scale. "
    "The least K at which p³/2 is reached, for p = 53, is below the source's 1024.",
    place="002-figure-2",
)
def linear_in_units() -> Facts:
    p = 53
    least = -(-(p**3) // (3 * p - 2))
    yield exact("least K with K(3p − 2) ≥ p³, p = 53", least, 949, control=1024)


@row(
    "002-width-needed",
    Verdict.UNVERIFIABLE,
    claim="Remark 5.4: modular addition needs about K ≥ 2p − 1 units",
    statement="At least p: the p outputs are linearly independent functions on the data, and lie "
    "in the span of K features.",
    evidence="The exact least width is not derived in the source; the rank p is computed.",
)
def width_needed() -> Facts:
    p = 5
    outputs = [[int((a + b) % p == c) for c in range(p)] for a in range(p) for b in range(p)]
    yield exact("rank of the targets, p = 5", rank(outputs), p)


@row(
    "002-scaling-data",
    Verdict.UNVERIFIABLE,
    claim="the boundary of grokking collapses at N ≈ 2.5 to 3 times M log M",
    statement="An experiment; nothing in the source can be recomputed without training.",
    evidence="N/(M log M) of the full data set is M/log M, so the critical fraction of the data "
    "would be 2.5 (log M)/M to 3 (log M)/M: 0.19 to 0.22 at M = 53.",
    place="002-figure-14",
)
def scaling_data() -> Facts:
    import math

    for factor, share in ((2.5, 0.19), (3, 0.22)):
        yield exact(f"{factor} log(53)/53, rounded", round(factor * math.log(53) / 53, 2), share)
