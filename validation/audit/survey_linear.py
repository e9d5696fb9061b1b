"""Seyoum's survey: linear networks, the additive rules and the worked example."""

from fractions import Fraction
from itertools import pairwise, product

import sympy

import rlct
from validation.audit._linear import aoyagi, matrix
from validation.audit.row import Facts, exact, row


def _three_layers() -> tuple[list[sympy.Matrix], list[sympy.Matrix]]:
    shapes = ((1, 2), (2, 2), (2, 1))
    A = [matrix(f"a{s}_", *shape) for s, shape in enumerate(shapes)]
    B = [matrix(f"b{s}_", shape[0], 1) for s, shape in enumerate(shapes)]
    return A, B


@row("000-linear-layers")
def linear_layers() -> Facts:
    widths = ("output", "hidden", "input")  # the worked example
    L = len(widths) - 1
    yield exact("hidden layers of the example with L = 2", widths.count("hidden"), L - 1, printed=L)


@row("000-linear-expansion")
def linear_expansion() -> Facts:
    A, B = _three_layers()
    x = sympy.Matrix([sympy.Symbol("x")])
    h = A[0] * (A[1] * (A[2] * x + B[2]) + B[1]) + B[0]
    stated = A[0] * A[1] * A[2] * x + A[0] * B[1] + A[0] * A[1] * B[2] + B[0]
    yield exact("difference", (h - stated).expand(), sympy.zeros(1))


@row("000-linear-kl")
def linear_kl() -> Facts:
    y, m = sympy.symbols("y m", real=True)
    density = sympy.exp(-(y**2) / 2) / sympy.sqrt(2 * sympy.pi)
    K = sympy.integrate(density * ((y - m) ** 2 / 2 - y**2 / 2), (y, -sympy.oo, sympy.oo))
    yield exact("K", sympy.simplify(K), m**2 / 2, control=m**2)


@row("000-theorem-3")
def theorem_3() -> Facts:
    uniform = sympy.Matrix(3, 3, lambda i, j: sympy.Rational(1, i + j + 1))
    yield exact("determinant, uniform", uniform.det(), sympy.Rational(1, 2160), control=0)
    yield exact("positive definite", uniform.is_positive_definite, True)
    two = sympy.Matrix(3, 3, lambda i, j: sympy.Rational(1 + (-1) ** (i + j), 2))
    yield exact("determinant, two points ±1", two.det(), 0)


@row("000-linear-difference")
def linear_difference() -> Facts:
    A, B = _three_layers()
    x = sympy.Matrix([sympy.Symbol("x")])
    h = A[0] * (A[1] * (A[2] * x + B[2]) + B[1]) + B[0]
    P, bias = A[0] * A[1] * A[2], A[0] * B[1] + A[0] * A[1] * B[2] + B[0]
    truth = {s: i + 1 for i, s in enumerate(sorted(h.free_symbols - {x[0]}, key=str))}
    stated = (P - P.subs(truth)) * x + bias - bias.subs(truth)
    yield exact("difference", (h - h.subs(truth) - stated).expand(), sympy.zeros(1))


@row("000-theorem-4-equivalence")
def theorem_4_equivalence() -> Facts:
    generators = rlct.ideal(["a*b", "a*d+c"]).pair
    data = rlct.ideal([f"a*(b*({x})+d)+c" for x in (-1, 0, 2)]).pair
    yield exact("(λ, θ) from three inputs", data, generators)
    yield exact("(λ, θ)", generators, rlct.Pair(1, 2), control=rlct.Pair(1, 1))


@row("000-theorem-4")
def theorem_4() -> Facts:
    for a, h, o in ((1, 1, 1), (1, 2, 1), (2, 1, 1)):
        A, B = matrix("a", o, h), matrix("b", h, a)
        b1, b2 = matrix("p", o, 1), matrix("q", h, 1)
        generators = [*(A * B), *(A * b2 + b1)]
        pair = rlct.ideal(generators).pair
        plain = rlct.linear([a, h, o], 0).pair
        assert plain is not None
        yield exact(
            f"(λ, θ), widths {a}-{h}-{o}", pair, rlct.Pair(plain.lam + Fraction(o, 2), plain.theta)
        )


@row("000-matrix-normal-form")
def matrix_normal_form() -> Facts:
    A, B = matrix("a", 2, 2), matrix("b", 2, 2)
    result = rlct.ideal(list(A * B))
    yield exact("(λ, θ)", result.pair, rlct.Pair(Fraction(3, 2), 1))
    yield exact("certificate valid", rlct.verify(result.certificate), True)


@row("000-definition-4")
def definition_4() -> Facts:
    ours = printed = total = 0
    for length in (3, 4, 5):
        for widths in product((1, 2, 3), repeat=length):
            for r in range(min(widths) + 1):
                truth = rlct.theorem("deep-linear-rank-paths", widths=widths, rank=r).lam
                ours += aoyagi(widths[::-1], r, False) == truth
                printed += aoyagi(widths[::-1], r, True) == truth
                total += 1
    yield exact("networks where the formula over 4 is right", ours, total, printed=printed)
    found = rlct.ideal(list(matrix("a", 2, 2) * matrix("b", 2, 2))).lam
    yield exact(
        "λ of 2-2-2, rank 0, by blow-ups",
        found,
        aoyagi((2, 2, 2), 0, False),
        printed=aoyagi((2, 2, 2), 0, True),
    )


@row("000-rank-part")
def rank_part() -> Facts:
    from validation.audit._exact import generic_rank

    for m, r, n in ((2, 1, 3), (3, 2, 3), (4, 2, 3)):
        A, B = matrix("a", m, r), matrix("b", r, n)
        found = generic_rank(list(A * B), [*A, *B])
        yield exact(
            f"dimension, {m}×{n} of rank {r}", found, r * (m + n) - r * r, control=r * (m + n)
        )


@row("000-depth")
def depth() -> Facts:
    before, after = aoyagi((4, 4, 4), 0, False), aoyagi((4, 4, 9, 4), 0, False)
    yield exact("λ of (4, 4, 9, 4) at r = 0", after, before, control=Fraction(11, 2))
    yield exact("less than λ of (4, 4, 4)", after < before, False, printed=True)
    grows = 0
    for layers in (2, 3):
        for widths in product(range(1, 5), repeat=layers + 1):
            for r in range(min(widths) + 1):
                old = aoyagi(widths, r, False)
                for place, new in product(range(1, layers + 1), range(max(r, 1), 7)):
                    longer = (*widths[:place], new, *widths[place:])
                    grows += aoyagi(longer, r, False) > old
    yield exact("times that λ rises with a layer", grows, 0)
    rises, strict, constant = 0, True, True
    for width in range(1, 9):
        for r in range(width + 1):
            values = [aoyagi((width,) * (L + 1), r, False) for L in range(1, 13)]
            values[0] = Fraction(width * width, 2)  # one layer is regular
            rises += sum(b > a for a, b in pairwise(values))
            if width - r >= 2:
                strict &= values[1] < values[0]
            # `values` starts with one layer.
            constant &= len(set(values[max(width - r, 1) - 1 :])) == 1
    yield exact("times that λ rises with depth at equal widths", rises, 0)
    yield exact("strict from one layer to two at excess ≥ 2", strict, True)
    yield exact("constant from as many layers as the excess width on", constant, True)
