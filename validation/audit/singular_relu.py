"""Murfet et al., appendix A.1: neural networks are strictly singular."""

from fractions import Fraction

import sympy

from validation.audit._exact import rank
from validation.audit._relu import basis, derivative, random_network, scaling_direction
from validation.audit.row import Facts, close, exact, row

_X = [[Fraction(17 * (i + 1) * (j + 2) % 101 - 50, 13) for j in range(2)] for i in range(60)]


@row("001-equation-11")
def equation_11() -> Facts:
    y, a, b = sympy.symbols("y a b", real=True)
    normal = sympy.exp(-(y**2) / 2) / sympy.sqrt(2 * sympy.pi)
    K = sum(
        sympy.integrate(sympy.expand(normal * (m**2 / 2 - y * m)), (y, -sympy.oo, sympy.oo))
        for m in (a, b)
    )
    yield exact("K", sympy.simplify(K - (a**2 + b**2) / 2), 0)


@row("001-equation-12")
def equation_12() -> Facts:
    a, b = w = sympy.symbols("a b")
    truth = {a: 1, b: 2}
    gap = sympy.zeros(2)
    for x in (1, 3):
        f = sympy.sin(a * x) + b**2 * x
        delta = f - f.subs(truth)
        g = sympy.Matrix([f]).jacobian(w)
        gap += sympy.hessian(delta**2 / 2, w) - g.T * g - delta * sympy.hessian(f, w)
    yield exact("difference", sympy.simplify(gap), sympy.zeros(2))


@row("001-equation-13")
def equation_13() -> Facts:
    y, w = sympy.symbols("y w", real=True)
    normal = sympy.exp(-(y**2) / 2) / sympy.sqrt(2 * sympy.pi)
    second = sympy.integrate(normal * y**2, (y, -sympy.oo, sympy.oo))
    for M in (1, 2):
        f = [w, 3 * w][:M]
        gram = sum(sympy.diff(v, w) ** 2 for v in f)
        # score Σ (y_k − f_k) f_k′; components of y are independent with unit variance
        information = sum(second * sympy.diff(v, w) ** 2 for v in f)
        printed = 2 ** sympy.Rational(3 - M, 2) * sympy.pi ** sympy.Rational(2 - M, 2)
        yield exact(f"factor at M = {M}", sympy.simplify(information / gram), 1, printed=printed)


@row("001-forward-equations")
def forward() -> Facts:
    network = random_network((2, 2), 1)
    (A, b) = network[0]
    x = _X[0]
    value = [sum(p * q for p, q in zip(r, x, strict=True)) + c for r, c in zip(A, b, strict=True)]
    yield exact("derivative along w", derivative(network, network, x), value)


@row("001-lemma-a.1")
def lemma_a1() -> Facts:
    network = random_network((2, 3, 4, 2), 11)
    total = Fraction(0)
    for layer, width in ((0, 3), (1, 4)):
        for unit in range(width):
            v = scaling_direction(network, layer, unit)
            total += sum(sum(map(abs, derivative(network, v, x))) for x in _X)
    yield exact("sum of |derivative|", total, 0)
    wrong = scaling_direction(network, 0, 0, 1)
    moved = any(any(derivative(network, wrong, x)) for x in _X)
    yield exact("with the wrong sign some derivative is nonzero", moved, True)


@row("001-lemma-a.1-proof")
def lemma_a1_proof() -> Facts:
    q, w, b, x = sympy.symbols("q w b x", positive=True)
    f = q * (w * x + b)  # u > 0, H = 1
    derivatives = [sympy.diff(f, v) for v in (q, w, b)]
    yield exact("∂f", [sympy.expand(d) for d in derivatives], [sympy.expand(w * x + b), q * x, q])
    total = w * derivatives[1] + b * derivatives[2] - q * derivatives[0]
    yield exact("the combination of the lemma", sympy.expand(total), 0)


@row("001-lemma-a.2")
def lemma_a2() -> Facts:
    network = random_network((2, 3, 1), 5)
    directions = basis(network)
    jacobian = [[derivative(network, v, x)[0] for v in directions] for x in _X]
    yield exact("parameters", len(directions), 13)
    yield exact("rank at most 10", rank(jacobian) <= 10, True)
    linear = random_network((2, 1), 5)
    affine = [[derivative(linear, v, x)[0] for v in basis(linear)] for x in _X]
    yield exact("an affine model, without hidden nodes, is not degenerate", rank(affine), 3)


@row("001-remark-a.3")
def remark_a3() -> Facts:
    network = random_network((2, 2, 1), 9)
    directions = basis(network)
    jacobian = [[derivative(network, v, x)[0] for v in directions] for x in _X]
    yield exact("Hessian singular", rank(jacobian) < len(directions), True)


@row("001-remark-a.3-degeneracy")
def remark_a3_degeneracy() -> Facts:
    from validation.audit.singular_tables import star_rank

    yield exact("2λ at m = H = 5", star_rank(5, 5), 21 - 5, printed=2 * Fraction("0.555303"))


@row("001-relu-kink")
def relu_kink() -> Facts:
    import numpy as np

    x = (np.arange(2_000_000) + 0.5) / 1_000_000 - 1
    sizes = []
    for t in (0.1, 0.2):
        gap = np.maximum(x - t, 0) / 2 + np.maximum(x + t, 0) / 2 - np.maximum(x, 0)
        sizes.append(float((gap**2).mean()))
    yield close("loss at t = 0.1 over t³/12", sizes[0] / (1e-3 / 12), 1, 1e-6, control=2)
    yield close("loss(0.2)/loss(0.1)", sizes[1] / sizes[0], 8, 1e-5, control=4)
