"""Cullen et al., sections 3 and 5: task, network, gradients and effective width."""

from fractions import Fraction

import sympy

from validation.audit._exact import integers, modular_inputs, quadratic_features, rank
from validation.audit.row import Facts, exact, row


@row("002-modular-task")
def modular_task() -> Facts:
    for p in (3, 5, 7):
        inputs = modular_inputs(p)
        yield exact(
            f"(pairs, rank of the inputs), p = {p}", (len(inputs), rank(inputs)), (p * p, 2 * p - 1)
        )


@row("002-sample-index")
def sample_index() -> Facts:
    N = 7
    yield exact("indices from 0 to N", len(range(0, N + 1)), N + 1, printed=N)


@row("002-equation-1")
def equation_1() -> Facts:
    W, V = sympy.Matrix(integers(1, 6, 4)), sympy.Matrix(integers(2, 3, 4))
    X = sympy.Matrix(modular_inputs(3)).T
    Y = V * (W.T * X).applyfunc(lambda t: t**2)
    yield exact("shape", Y.shape, (3, 9))
    direct = sum(V[1, j] * (W[:, j].dot(X[:, 4])) ** 2 for j in range(4))
    yield exact("f_2(x_5)", Y[1, 4], direct)


@row("002-projection")
def projection() -> Facts:
    N, p = 9, 3
    yield exact("P·(Y − Ŷ) is defined", p == N, False, printed=True)
    P = sympy.eye(N) - sympy.ones(N, N) / N
    Y = sympy.Matrix(integers(3, p, N))
    yield exact("row sums of (Y − Ŷ)P", list((Y * P) * sympy.ones(N, 1)), [0] * p)


@row("002-output-form")
def output_form() -> Facts:
    W, v = sympy.Matrix(integers(1, 6, 4)), integers(2, 4)
    X = sympy.Matrix(modular_inputs(3)).T
    Q = W * sympy.diag(*v) * W.T
    outputs = [sum(v[j] * (W[:, j].dot(X[:, i])) ** 2 for j in range(4)) for i in range(9)]
    full = X.T * Q * X
    yield exact("outputs", outputs, [full[i, i] for i in range(9)])
    yield exact("numbers in f_k(X_N)", len(outputs), 9, printed=len(full))


@row("002-equivalent-parametrisation")
def equivalent_parametrisation() -> Facts:
    for p in (3, 5):
        features = [quadratic_features(x) for x in modular_inputs(p)]
        yield exact(
            f"rank of the quadratic features, p = {p}",
            rank(features),
            p * p,
            printed=p * (2 * p + 1),
        )


@row("002-objective-gradient")
def objective_gradient() -> Facts:
    n, K = 3, 2
    F = sympy.Matrix(n, K, sympy.symbols("f0:6"))
    Y, V = sympy.Matrix([1, 4, 2]), sympy.Matrix([3, -1])
    P = sympy.eye(n) - sympy.ones(n, n) / n
    R = P * (Y - F * V)
    J = (R.T * R)[0] / 2
    gradient = sympy.Matrix(n, K, lambda i, j: -sympy.diff(J, F[i, j]))
    yield exact("difference", (gradient - R * V.T).expand(), sympy.zeros(n, K))


@row("002-equation-4")
def equation_4() -> Facts:
    F, Y = sympy.Matrix(integers(1, 4, 2)), sympy.Matrix(integers(2, 4, 1))
    eta = sympy.Rational(1, 3)
    V = (F.T * F + eta * sympy.eye(2)).inv() * F.T * Y
    yield exact("gradient", F.T * (F * V - Y) + eta * V, sympy.zeros(2, 1))


@row("002-ridge-interpolation")
def ridge_interpolation() -> Facts:
    F, Y = sympy.Matrix([[2, 1], [1, 3]]), sympy.Matrix([1, 2])
    eta = sympy.Rational(1, 10)
    V = (F.T * F + eta * sympy.eye(2)).inv() * F.T * Y
    residual = Y - F * V
    yield exact("residual", residual, eta * (F * F.T + eta * sympy.eye(2)).inv() * Y)
    yield exact("interpolates", residual.is_zero_matrix, False, printed=True)


@row("002-stage-2-gradient")
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


@row("002-neuron-energy")
def neuron_energy() -> Facts:
    f = sympy.Matrix(sympy.symbols("f0:3"))
    Y = sympy.Matrix([[1, 2], [3, 1], [0, 2]])
    E = ((Y.T * f).T * (Y.T * f))[0] / 2
    gradient = sympy.Matrix([sympy.diff(E, v) for v in f])
    yield exact("gradient", (gradient - Y * Y.T * f).expand(), sympy.zeros(3, 1))


@row("002-equation-5")
def equation_5() -> Facts:
    v, w, x = 3, (0, 0), (2, 5)
    output = v * sum(a * b for a, b in zip(w, x, strict=True)) ** 2
    yield exact("output of a unit with w = 0", output, 0)


@row("002-gsm")
def gsm() -> Facts:
    def value(train: list[Fraction], test: list[Fraction]) -> Fraction:
        done = test[-1] >= Fraction(95, 100)
        gap = sum((abs(a - b) for a, b in zip(train, test, strict=True)), Fraction(0))
        return gap / len(train) if done else Fraction(0)

    one, none = [Fraction(1)] * 4, [Fraction(0)] * 4
    late = [Fraction(0), Fraction(0), Fraction(1), Fraction(1)]
    yield exact("generalising half-way", value(one, late), Fraction(1, 2))
    yield exact("at once, never", (value(one, one), value(one, none)), (0, 0))


@row("002-figure-1")
def linear_in_p() -> Facts:
    def second(power: int) -> Fraction:
        values = [Fraction(4 * (3 * p**power - 2), 2) for p in (5, 6, 7)]
        return values[0] - 2 * values[1] + values[2]

    yield exact("second difference in p", second(1), 0, control=second(2))


@row("002-figure-2")
def linear_in_units() -> Facts:
    p = 53
    least = -(-(p**3) // (3 * p - 2))
    yield exact("least K with K(3p − 2) ≥ p³, p = 53", least, 949, control=1024)


@row("002-width-needed")
def width_needed() -> Facts:
    p = 5
    outputs = [[int((a + b) % p == c) for c in range(p)] for a in range(p) for b in range(p)]
    yield exact("rank of the targets, p = 5", rank(outputs), p)


@row("002-scaling-data")
def scaling_data() -> Facts:
    import math

    for factor, share in ((2.5, 0.19), (3, 0.22)):
        yield exact(f"{factor} log(53)/53, rounded", round(factor * math.log(53) / 53, 2), share)
