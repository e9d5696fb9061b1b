"""Seyoum's survey: why networks are singular, and the estimation of λ."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy

import rlct
from validation.audit._exact import rank
from validation.audit._relu import basis, derivative, random_network, scaling_direction
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


def _points(count: int, dimension: int) -> list[list[Fraction]]:
    return [
        [Fraction(17 * (i + 1) * (j + 2) % 101 - 50, 13) for j in range(dimension)]
        for i in range(count)
    ]


@row(
    "000-linear-dependence",
    Verdict.CONFIRMED,
    claim="I(w₀) is singular iff Σ v_i ∂_i f(x, w₀) = 0 for q-almost all x and some v ≠ 0",
    statement="As printed: I is a Gram matrix.",
    evidence="f = ab·x at (a, b) = (2, 3): kernel (2, −3); exactly, with E x² = 1.",
)
def linear_dependence() -> Facts:
    gram = [[9, 6], [6, 4]]  # gradients (b, a)·x
    yield exact("rank of I at (2, 3)", rank(gram), 1)
    product = [sum(a * v for a, v in zip(r, (2, -3), strict=True)) for r in gram]
    yield exact("I·(2, −3)", product, [0, 0])


@row(
    "000-relu-equation",
    Verdict.CONFIRMED,
    claim="Lemma 1: (Σ w_jk ∂/∂w_jk + b_j ∂/∂b_j − Σ w_ij ∂/∂w_ij) f = 0 off the boundaries",
    statement="As printed: the generator of the positive scaling of a hidden unit.",
    evidence="A random 2-4-3-2 network in rational numbers, every hidden unit, nine inputs; with "
    "+ in place of − the derivative is not 0.",
)
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


@row(
    "000-relu-degenerate",
    Verdict.CONFIRMED,
    claim="Lemma 2: Σ_s v_s I(w)_rs = 0, so I(w) is degenerate for a non-trivial ReLU network",
    statement="As printed; each non-trivial hidden unit gives a kernel vector.",
    evidence="2-3-2-1 network in rational numbers, 80 inputs: rank of the Jacobian at most "
    "20 − 5 hidden units.",
)
def relu_degenerate() -> Facts:
    network = random_network((2, 3, 2, 1), 3)
    directions = basis(network)
    jacobian = [[derivative(network, v, x)[0] for v in directions] for x in _points(80, 2)]
    yield exact("parameters", len(directions), 20)
    yield exact("rank at most 15", rank(jacobian) <= 15, True)


@row(
    "000-silu-degenerate",
    Verdict.REFUTED,
    claim="Lemma 2 gives such a kernel vector for ReLU and SiLU networks",
    statement="Only for ReLU: the lemma rests on the scaling symmetry, which SiLU lacks. A SiLU "
    "network has a non-degenerate Fisher information at generic weights.",
    evidence="f = c + q·SiLU(wx + b) at (w, b, q, c) = (1, ½, 2, 0): the determinant of the 4×4 "
    "Jacobian at four inputs, to 40 digits.",
)
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


@row(
    "000-hessian",
    Verdict.CONFIRMED,
    claim="D²K = ∫⟨∂_r f, ∂_s f⟩q + ∫⟨f − f₀, ∂_r∂_s f⟩q; at a true parameter only the first",
    statement="As printed.",
    evidence="f = a·x² + ab·x on inputs −1, 1, 2: differentiated by sympy.",
)
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


@row(
    "000-algorithm",
    Verdict.CONFIRMED,
    claim="Ê_j = (1/R) Σ nL_n(w_r); λ̂(D_n) is the slope of Ê against T, averaged over data sets",
    statement="As printed, for exact posterior means and large T: the slope carries −ν′(T), and "
    "for θ > 1 a bias of order 1/log n.",
    evidence="Exact posterior means of w⁴/2 at n = 10⁶ and z = 0: βE[nL_n] = λ = 1/4 at every T, "
    "so the fit returns 1/4.",
)
def algorithm() -> Facts:
    import numpy as np

    from validation.audit._posterior import power_posterior

    temperatures = np.array([8.0, 10, 12, 14, 16])
    energy = [float(power_posterior(2, 1 / t, 0.0)[1]) / 2 for t in temperatures]
    slope = float(np.polyfit(temperatures, energy, 1)[0])
    yield close("slope of E[nK] against T", slope, 0.25, 1e-8, control=0.5)


@row(
    "000-table-2-value",
    Verdict.CORRECTED,
    claim="λ̂ ≈ 0.55, way lower than d/2 = 10.5, validates the theory",
    statement="Not by that much, if at all: with five hidden units and m = 5 λ is half the rank "
    "of the derivative at the truth, 8 for ReLU and d/2 = 21/2 for SiLU, where it has full rank.",
    evidence="See row 001-table-2.",
    place="000-table-2",
)
def table_2_value() -> Facts:
    from validation.audit.singular_tables import star_rank

    found = Fraction(star_rank(5, 5), 2)
    yield exact("half the rank at m = 5", found, Fraction(8), printed=Fraction(555, 1000))
    found = Fraction(star_rank(5, 5, "silu"), 2)
    yield exact("the same for SiLU", found, Fraction(21, 2), printed=Fraction(556, 1000))


@row(
    "000-figure-1-slopes",
    Verdict.CORRECTED,
    claim="n·G(n) converges to a value that matches the independently estimated λ̂ (Table 1)",
    statement="E n·G(n) → λ is a theorem, but Table 1 is no independent estimate: it is the slope "
    "of the curves of Figure 1, which matches them whatever λ is. Its 9.71 stands for λ = 9/2.",
    evidence="The caption of Table 1: a companion to Figure 1, the slope of 1/n against E G(n). "
    "The slope of G = a/n is a for any a, λ or not; 9/2 by the formula, over the ranks.",
    place="000-printed-slopes",
)
def figure_1() -> Facts:
    largest = max(rlct.linear([3, 3, 3], r).lam or 0 for r in range(4))
    yield exact("largest λ of BAx, 3×3", largest, Fraction(9, 2), printed=Fraction("9.709027"))
    sizes = [Fraction(n) for n in (100, 200, 400)]
    for a in (largest, 2 * largest):
        slope = sum(a / n / n for n in sizes) / sum(1 / n / n for n in sizes)
        yield exact(f"slope of G = {a}/n in 1/n", slope, a)


@row(
    "000-wbic-experiment",
    Verdict.REFUTED,
    claim="WBIC with the estimated λ̂ identifies the best-generalising models",
    statement="Not in general; and no such experiment: the paper 001 only reviews WBIC in its "
    "section 3.",
    evidence="A statement about an experiment that the cited paper does not contain. Of N(0, 1) "
    "and N(w, 1) with n = 1000 observations of mean √(3/n) the second generalises better, 1/(2n) "
    "against 3/(2n), and the first has the lower WBIC on average, by (log n − 4)/2.",
    beside="000-best-models: whether it is so in general, and shown where it is said to be; the "
    "experiment has one kind of model, and there it depends on n",
)
def wbic_experiment() -> Facts:
    n = 1000
    yield exact("E G, first minus second", Fraction(3, 2 * n) - Fraction(1, 2 * n), Fraction(1, n))
    # n(L(0) − L(mean of x)) is n·(mean of x)²/2, of expectation (3 + 1)/2.
    found = Fraction(3 + 1, 2) - math.log(n) / 2
    yield close("E WBIC, first minus second", found, -1.4539, 1e-4, control=0.0)
    yield exact("the model of lower WBIC generalises better", found > 0, False, printed=True)
