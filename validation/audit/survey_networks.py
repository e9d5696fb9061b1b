"""Seyoum's survey: why networks are singular, and the estimation of λ."""

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._exact import rank
from validation.audit._relu import basis, derivative, random_network, scaling_direction
from validation.audit.row import Facts, close, exact, row


def _points(count: int, dimension: int) -> list[list[Fraction]]:
    return [
        [Fraction(17 * (i + 1) * (j + 2) % 101 - 50, 13) for j in range(dimension)]
        for i in range(count)
    ]


@row("000-linear-dependence")
def linear_dependence() -> Facts:
    gram = [[9, 6], [6, 4]]  # gradients (b, a)·x
    yield exact("rank of I at (2, 3)", rank(gram), 1)
    product = [sum(a * v for a, v in zip(r, (2, -3), strict=True)) for r in gram]
    yield exact("I·(2, −3)", product, [0, 0])


@row("000-relu-equation")
def relu_equation() -> Facts:
    network = random_network((2, 4, 3, 2), 7)
    total = wrong = Fraction(0)
    for layer, width in ((0, 4), (1, 3)):
        for unit in range(width):
            for x in _points(9, 2):
                right = derivative(network, scaling_direction(network, layer, unit), x)
                other = derivative(network, scaling_direction(network, layer, unit, 1), x)
                total += sum(map(abs, right))
                wrong += sum(map(abs, other))
    yield exact("sum of |derivative| over units and inputs", total, 0)
    yield exact("with the wrong sign it is nonzero", wrong > 0, True)


@row("000-relu-degenerate")
def relu_degenerate() -> Facts:
    network = random_network((2, 3, 2, 1), 3)
    directions = basis(network)
    jacobian = [[derivative(network, v, x)[0] for v in directions] for x in _points(80, 2)]
    yield exact("parameters", len(directions), 20)
    yield exact("rank at most 15", rank(jacobian) <= 15, True)


@row("000-silu-degenerate")
def silu_degenerate() -> Facts:
    import mpmath as mp

    with mp.workdps(40):
        rows = []
        for x in (-2, -1, 1, 2):
            t = mp.mpf(x) + mp.mpf(1) / 2
            s = 1 / (1 + mp.exp(-t))
            slope = 2 * (s + t * s * (1 - s))
            rows.append([slope * x, slope, t * s, 1])
        size = abs(mp.det(mp.matrix(rows)))
    yield exact(
        "determinant exceeds 10⁻³ (0 if degenerate)", bool(size > 1e-3), True, printed=False
    )


@row("000-hessian")
def hessian() -> Facts:
    a, b = w = sympy.symbols("a b")
    inputs, truth = (-1, 1, 2), {a: 1, b: 3}

    def f(x: int) -> sympy.Expr:
        return a * x**2 + a * b * x

    K = sum((f(x) - f(x).subs(truth)) ** 2 for x in inputs) / 6
    full = sympy.hessian(K, w)
    first = (
        sum(
            (sympy.Matrix([f(x)]).jacobian(w).T * sympy.Matrix([f(x)]).jacobian(w) for x in inputs),
            sympy.zeros(2),
        )
        / 3
    )
    second = (
        sum(((f(x) - f(x).subs(truth)) * sympy.hessian(f(x), w) for x in inputs), sympy.zeros(2))
        / 3
    )
    yield exact("D²K minus both terms", (full - first - second).expand(), sympy.zeros(2))
    yield exact("D²K at the truth minus the first term", (full - first).subs(truth), sympy.zeros(2))
    off = (full - first).subs({a: 2, b: 3})
    yield exact("off the truth the second term is needed", off.is_zero_matrix, False)


@row("000-algorithm")
def algorithm() -> Facts:
    import numpy as np

    from validation.audit._posterior import power_posterior

    temperatures = np.array([8.0, 10, 12, 14, 16])
    energy = [float(power_posterior(2, 1 / t, 0.0)[1]) / 2 for t in temperatures]
    slope = float(np.polyfit(temperatures, energy, 1)[0])
    yield close("slope of E[nK] against T", slope, 0.25, 1e-8, control=0.5)


@row("000-table-2-value")
def table_2_value() -> Facts:
    from validation.audit.singular_tables import star_rank

    found = Fraction(star_rank(5, 5), 2)
    yield exact("half the rank at m = 5", found, Fraction(8), printed=Fraction(555, 1000))
    found = Fraction(star_rank(5, 5, "silu"), 2)
    yield exact("the same for SiLU", found, Fraction(21, 2), printed=Fraction(556, 1000))


@row("000-figure-1-slopes")
def figure_1() -> Facts:
    largest = max(rlct.linear([3, 3, 3], r).lam or 0 for r in range(4))
    yield exact("largest λ of BAx, 3×3", largest, Fraction(9, 2), printed=Fraction("9.709027"))
    sizes = [Fraction(n) for n in (100, 200, 400)]
    for a in (largest, 2 * largest):
        slope = sum(a / n / n for n in sizes) / sum(1 / n / n for n in sizes)
        yield exact(f"slope of G = {a}/n in 1/n", slope, a)


@row("000-wbic-experiment")
def wbic_experiment() -> Facts:
    n = 1000
    yield exact("E G, first minus second", Fraction(3, 2 * n) - Fraction(1, 2 * n), Fraction(1, n))
    # n(L(0) − L(mean of x)) is n·(mean of x)²/2, of expectation (3 + 1)/2.
    found = Fraction(3 + 1, 2) - math.log(n) / 2
    yield close("E WBIC, first minus second", found, -1.4539, 1e-4, control=0.0)
    yield exact("the model of lower WBIC generalises better", found > 0, False, printed=True)
