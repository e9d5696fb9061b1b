"""Seyoum's survey: linear networks, the additive rules and the worked example."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import sympy

import rlct
from rlct.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


def _aoyagi(widths: tuple[int, ...], r: int, divisor: bool) -> Fraction:
    """Definition 4, the second term over 4 or, as printed, over 4ℓ; widths output to input."""
    M = sorted(h - r for h in widths)
    head = Fraction(-r * r + r * (widths[0] + widths[-1]), 2)
    for ell in range(1, len(M)):
        S = sum(M[: ell + 1])
        fits = ell + 1 == len(M) or ell * M[ell + 1] >= S
        if ell * M[ell] < S and fits:
            top = -(-S // ell)
            a = S - (top - 1) * ell
            middle = Fraction(top * a + (top - 1) * S, 4 * ell if divisor else 4)
            return head + middle - Fraction(sum(m * m for m in M[: ell + 1]), 4)
    return head  # some excess width is 0


def _matrix(name: str, rows: int, columns: int) -> sympy.Matrix:
    return sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{name}{i}{j}"))


def _three_layers() -> tuple[list[sympy.Matrix], list[sympy.Matrix]]:
    shapes = ((1, 2), (2, 2), (2, 1))
    A = [_matrix(f"a{s}_", *shape) for s, shape in enumerate(shapes)]
    B = [_matrix(f"b{s}_", shape[0], 1) for s, shape in enumerate(shapes)]
    return A, B


@row(
    "000-linear-layers",
    Verdict.CORRECTED,
    claim="linear network with L hidden layers, widths H^(1) … H^(L+1) from output to input",
    statement="These are L layers of weights and L − 1 hidden layers.",
    evidence="The formula h = F^(1) ∘ … ∘ F^(L) has L maps; the survey's own example with one "
    "hidden layer has L = 2 and widths H^(1), H^(2), H^(3).",
)
def linear_layers() -> Facts:
    widths = ("output", "hidden", "input")  # the worked example
    L = len(widths) - 1
    yield exact("hidden layers of the example with L = 2", widths.count("hidden"), L - 1, printed=L)


@row(
    "000-linear-expansion",
    Verdict.CONFIRMED,
    claim="h = (Π A^(s)) x + Σ_{S≥2} (Π_{s<S} A^(s)) B^(S) + B^(1)",
    statement="As printed.",
    evidence="Three layers of widths 1, 2, 2, 1, expanded by sympy.",
)
def linear_expansion() -> Facts:
    A, B = _three_layers()
    x = sympy.Matrix([sympy.Symbol("x")])
    h = A[0] * (A[1] * (A[2] * x + B[2]) + B[1]) + B[0]
    stated = A[0] * A[1] * A[2] * x + A[0] * B[1] + A[0] * A[1] * B[2] + B[0]
    yield exact("difference", (h - stated).expand(), sympy.zeros(1))


@row(
    "000-linear-kl",
    Verdict.CONFIRMED,
    claim="K(w) = ½ ∫ ‖h(x, w) − h(x, w*)‖² q(x) dx",
    statement="As printed, for Gaussian noise of unit variance.",
    evidence="Divergence of N(m₁, 1) from N(m₀, 1), integrated by sympy.",
)
def linear_kl() -> Facts:
    y, m = sympy.symbols("y m", real=True)
    density = sympy.exp(-(y**2) / 2) / sympy.sqrt(2 * sympy.pi)
    K = sympy.integrate(density * ((y - m) ** 2 / 2 - y**2 / 2), (y, -sympy.oo, sympy.oo))
    yield exact("K", sympy.simplify(K), m**2 / 2, control=m**2)


@row(
    "000-theorem-3",
    Verdict.CONFIRMED,
    claim="Theorem 3: α₁‖v(w)‖² ≤ ∫ h² q ≤ α₂‖v(w)‖² for the coefficients v of a polynomial h",
    statement="As printed, for a density with the moments; an input law on a hypersurface (a "
    "finite data set) has no α₁ > 0 in general.",
    evidence="Moment matrix of (1, x, x²) for the uniform law on [0, 1] is positive definite, "
    "for two points it is singular; exactly.",
)
def theorem_3() -> Facts:
    uniform = sympy.Matrix(3, 3, lambda i, j: sympy.Rational(1, i + j + 1))
    yield exact("determinant, uniform", uniform.det(), sympy.Rational(1, 2160), control=0)
    yield exact("positive definite", uniform.is_positive_definite, True)
    two = sympy.Matrix(3, 3, lambda i, j: sympy.Rational(1 + (-1) ** (i + j), 2))
    yield exact("determinant, two points ±1", two.det(), 0)


@row(
    "000-linear-difference",
    Verdict.CONFIRMED,
    claim="h(x, w) − h(x, w*) = (Π A − Π A*) x + (Σ (Π A B − Π A* B*) + B^(1) − B*^(1))",
    statement="As printed.",
    evidence="Three layers, expanded by sympy against substituted true parameters.",
)
def linear_difference() -> Facts:
    A, B = _three_layers()
    x = sympy.Matrix([sympy.Symbol("x")])
    h = A[0] * (A[1] * (A[2] * x + B[2]) + B[1]) + B[0]
    P, bias = A[0] * A[1] * A[2], A[0] * B[1] + A[0] * A[1] * B[2] + B[0]
    truth = {s: i + 1 for i, s in enumerate(sorted(h.free_symbols - {x[0]}, key=str))}
    stated = (P - P.subs(truth)) * x + bias - bias.subs(truth)
    yield exact("difference", (h - h.subs(truth) - stated).expand(), sympy.zeros(1))


@row(
    "000-theorem-4-equivalence",
    Verdict.CONFIRMED,
    claim="K has the learning coefficients of ‖ΠA − ΠA*‖² + ‖Bias − Bias*‖²",
    statement="As printed, when (1, x) has a positive definite second moment.",
    evidence="Widths 1-1-1 with biases at the truth 0: K on three inputs against the two "
    "generators, both by the engine.",
    direct='rlct ideal "a*b" "a*d+c"',
)
def theorem_4_equivalence() -> Facts:
    generators = rlct.ideal(["a*b", "a*d+c"]).pair
    data = rlct.ideal([f"a*(b*({x})+d)+c" for x in (-1, 0, 2)]).pair
    yield exact("(λ, θ) from three inputs", data, generators)
    yield exact("(λ, θ)", generators, rlct.Pair(1, 2), control=rlct.Pair(1, 1))


@row(
    "000-theorem-4",
    Verdict.CONFIRMED,
    claim="Theorem 4: biases add H^(1)/2 to λ and leave θ",
    statement="As printed: the total bias is a free coordinate. 'It is easy to see that the bias "
    "terms are B^(1) − B*^(1)' is true after that change of coordinates.",
    evidence="Engine on networks with biases against the formula, widths 1-1-1, 1-2-1, 2-1-1.",
    direct="rlct net linear 5 3 5 --rank 1 --bias",
)
def theorem_4() -> Facts:
    for a, h, o in ((1, 1, 1), (1, 2, 1), (2, 1, 1)):
        A, B = _matrix("a", o, h), _matrix("b", h, a)
        b1, b2 = _matrix("p", o, 1), _matrix("q", h, 1)
        generators = [*(A * B), *(A * b2 + b1)]
        found = rlct.ideal(generators).pair
        plain = rlct.linear([a, h, o], 0).pair
        assert plain is not None
        yield exact(
            f"(λ, θ), widths {a}-{h}-{o}", found, rlct.Pair(plain.lam + Fraction(o, 2), plain.theta)
        )


@row(
    "000-matrix-normal-form",
    Verdict.CONFIRMED,
    claim="blow-ups bring ‖ΠA − ΠA*‖² to Π u_j^{2k_j} with positive exponents k_j",
    statement="To Π u_j^{2k_j} times a unit, in every chart; some k_j are 0.",
    evidence="The engine resolves AB = 0 for 2×2 matrices, λ = 3/2, and the separate checker "
    "replays the tree.",
    direct='rlct ideal "a*e+b*g" "a*f+b*h" "c*e+d*g" "c*f+d*h"',
)
def matrix_normal_form() -> Facts:
    A, B = _matrix("a", 2, 2), _matrix("b", 2, 2)
    result = rlct.ideal(list(A * B))
    yield exact("(λ, θ)", result.pair, rlct.Pair(Fraction(3, 2), 1))
    yield exact("certificate valid", rlct.verify(result.certificate), True)


@row(
    "000-definition-4",
    Verdict.CORRECTED,
    claim="λ = [−r² + r(H₁+H_{L+1})]/2 + [Ma + (M−1)ΣM^(S_j)]/(4ℓ) − ¼Σ(M^(S_j))²",
    statement="The second term is over 4, not 4ℓ.",
    evidence="All networks of two to four layers with widths up to 3, both formulas against rank "
    "patterns of the partial products, a separate route; 2-2-2 of rank 0 also by blow-ups.",
    direct="rlct net linear 2 2 2 --rank 0",
)
def definition_4() -> Facts:
    ours = printed = total = 0
    for length in (3, 4, 5):
        for widths in product((1, 2, 3), repeat=length):
            for r in range(min(widths) + 1):
                truth = rlct.theorem("deep-linear-rank-paths", widths=widths, rank=r).lam
                ours += _aoyagi(widths[::-1], r, False) == truth
                printed += _aoyagi(widths[::-1], r, True) == truth
                total += 1
    yield exact("networks where the formula over 4 is right", ours, total, printed=printed)
    found = rlct.ideal(list(_matrix("a", 2, 2) * _matrix("b", 2, 2))).lam
    yield exact(
        "λ of 2-2-2, rank 0, by blow-ups",
        found,
        _aoyagi((2, 2, 2), 0, False),
        printed=_aoyagi((2, 2, 2), 0, True),
    )


@row(
    "000-rank-part",
    Verdict.CONFIRMED,
    claim="the terms [−r² + r(H₁+H_{L+1})]/2 come from the matrices of rank r",
    statement="Half the dimension of the manifold of matrices of rank r.",
    evidence="Rank of the Jacobian of (A, B) ↦ AB at generic integer A (m×r), B (r×n).",
)
def rank_part() -> Facts:
    from rlct.audit._exact import generic_rank

    for m, r, n in ((2, 1, 3), (3, 2, 3), (4, 2, 3)):
        A, B = _matrix("a", m, r), _matrix("b", r, n)
        found = generic_rank(list(A * B), [*A, *B])
        yield exact(
            f"dimension, {m}×{n} of rank {r}", found, r * (m + n) - r * r, control=r * (m + n)
        )


@row(
    "000-depth",
    Verdict.CONFIRMED,
    claim="λ decreases with network depth",
    statement="At equal widths λ never increases with depth; it decreases strictly from one "
    "layer to two wherever the excess width is at least 2, and can then stay equal.",
    evidence="Widths up to 8, every rank, depth 1 to 12, by the formula.",
    direct="rlct net linear 4 4 4 4 4 --rank 1",
)
def depth() -> Facts:
    rises, strict = 0, True
    for width in range(1, 9):
        for r in range(width + 1):
            values = [_aoyagi((width,) * (L + 1), r, False) for L in range(1, 13)]
            values[0] = Fraction(width * width, 2)  # one layer is regular
            rises += sum(b > a for a, b in pairwise(values))
            if width - r >= 2:
                strict &= values[1] < values[0]
    yield exact("times that λ rises with depth", rises, 0)
    yield exact("strict from one layer to two at excess ≥ 2", strict, True)


@row(
    "000-theorem-5",
    Verdict.CORRECTED,
    claim="Theorem 5: the coefficients of independent components (different variables or "
    "different branches of a singular set) are summed or combined",
    statement="Disjoint variables, K₁ + K₂: λ₁ + λ₂ and θ₁ + θ₂ − 1. Branches of the zero set: "
    "the smallest λ, not a sum.",
    evidence="Engine: (xy, z²) in disjoint variables; the two lines of x²y² = 0, each with λ = ½.",
    direct='rlct ideal "x*y" "z**2"',
)
def theorem_5() -> Facts:
    both = rlct.ideal(["x*y", "z**2"]).pair
    yield exact(
        "disjoint variables",
        both,
        rlct.Pair(Fraction(3, 4), 2),
        control=rlct.Pair(Fraction(3, 4), 3),
    )
    branches = rlct.poly("x**2*y**2").lam
    yield exact("two branches of λ = ½ each", branches, Fraction(1, 2), printed=Fraction(1))


def _theorem_6_point() -> Fraction:
    return _aoyagi((1, 2, 2), 1, False)  # one output, two units, one input and the bias


@row(
    "000-theorem-6",
    Verdict.CORRECTED,
    claim="Theorem 6: λ of a three-layer ReLU network is a sum of those of linear networks",
    statement="True for a finite input set with no point on a boundary and enough points in each "
    "region. With a density on a boundary that two active units share, moving the boundaries "
    "apart costs |t|³ and λ is larger at that parameter.",
    evidence="One input on [−1, 1], target ReLU(x), two units of output ½: the loss along "
    "boundaries ∓t is t³/12 exactly, so K ≍ u² + v² + |t|³ and λ = 4/3; on four points λ = 1.",
    direct='rlct poly "u**2+v**2+t**3" --nonneg t',
)
def theorem_6() -> Facts:
    x, t = sympy.symbols("x t", positive=True)
    # ½ReLU(x−t) + ½ReLU(x+t) − ReLU(x) is ½(t − |x|) on |x| < t and 0 elsewhere; density ½.
    loss = sympy.integrate(((t - x) / 2) ** 2, (x, 0, t))
    yield exact("loss of ∓t", sympy.simplify(loss), t**3 / 12)
    density = rlct.poly("u**2+v**2+t**3", nonneg=["t"]).lam
    yield exact("λ with a density", density, Fraction(4, 3), printed=_theorem_6_point())
    units = [f"(1/2+p{i})*((1+w{i})*({{x}})+b{i})" for i in (1, 2)]
    finite = rlct.ideal([f"{units[0]}+{units[1]}-({{x}})".format(x=v) for v in ("1/2", "1")]).lam
    yield exact("λ on data (inputs −1, −½, ½, 1)", finite, _theorem_6_point())


@row(
    "000-theorem-6-multiplicity",
    Verdict.CONFIRMED,
    claim="θ = Σ (θ_i − 1) + 1 over the regions",
    statement="As printed, under the same condition on the inputs.",
    evidence="The rule for ideals in disjoint variables; engine on two copies of (ab).",
    direct='rlct ideal "a*b" "c*d"',
)
def theorem_6_multiplicity() -> Facts:
    single = rlct.ideal(["a*b"]).pair
    double = rlct.ideal(["a*b", "c*d"]).pair
    assert single is not None
    right = rlct.Pair(2 * single.lam, 2 * (single.theta - 1) + 1)
    yield exact("two copies", double, right, control=rlct.Pair(1, 4))


@row(
    "000-example-widths",
    Verdict.CONFIRMED,
    claim="(1, m, d), r = 1: excess widths 0, m − 1, d − 1",
    statement="As printed.",
    evidence="Subtraction.",
)
def example_widths() -> Facts:
    m, d = sympy.symbols("m d")
    yield exact("excess widths", [h - 1 for h in (1, m, d)], [0, m - 1, d - 1])


@row(
    "000-example",
    Verdict.REFUTED,
    claim="(1, m, d), r = 1, with bias: λ = d/2 + (m−1)/4, θ = 1",
    statement="λ = (d + 1)/2, θ = 1, independent of m: the model is regular in the product and "
    "the bias.",
    evidence="Engine for m, d ≤ 3 at a true parameter, and the formula for m, d ≤ 6.",
    direct="rlct net linear 3 4 1 --rank 1 --bias",
)
def example() -> Facts:
    for m, d in product((1, 2, 3), repeat=2):
        printed = Fraction(d, 2) + Fraction(m - 1, 4)
        A, B = _matrix("a", 1, m), _matrix("b", m, d)
        true = {A[0]: 1 + A[0], B[0, 0]: 1 + B[0, 0]}
        P = (A * B).subs(true, simultaneous=True)
        bias = (A * _matrix("q", m, 1)).subs(true, simultaneous=True)[0] + sympy.Symbol("p")
        found = rlct.ideal([P[0] - 1, *P[1:], bias]).lam
        yield exact(
            f"λ by the engine, m = {m}, d = {d}", found, Fraction(d + 1, 2), printed=printed
        )
    right = all(
        rlct.linear([d, m, 1], 1, bias=True).pair == rlct.Pair(Fraction(d + 1, 2), 1)
        for m, d in product(range(1, 7), repeat=2)
    )
    yield exact("λ = (d + 1)/2, θ = 1 for m, d ≤ 6", right, True)


@row(
    "000-example-slopes",
    Verdict.REFUTED,
    claim="one more hidden unit raises λ by 1/4, one more input by 1/2",
    statement="One more input raises λ by 1/2; hidden units do not change it.",
    evidence="Differences of the network's λ.",
    direct="rlct net linear 3 5 1 --rank 1 --bias",
)
def example_slopes() -> Facts:
    base, wide, deep = (rlct.linear(w, 1, bias=True).lam for w in ([3, 4, 1], [3, 5, 1], [4, 4, 1]))
    assert base is not None
    assert wide is not None
    assert deep is not None
    yield exact("one more hidden unit", wide - base, Fraction(0), printed=Fraction(1, 4))
    yield exact("one more input", deep - base, Fraction(1, 2))


@row(
    "000-wbic-criterion",
    Verdict.CORRECTED,
    claim="criteria with λ log n in place of (d/2) log n (WBIC) are asymptotically unbiased",
    statement="Right to leading order: E_w^β[nL_n] at β = 1/log n is nL_n(w₀) + λ log n + "
    "O_p(√log n), and it misses the −(θ−1) log log n of the free energy.",
    evidence="K = x²y² at n = 10²⁰, β = 1/log n: nβ E K is λ − (θ−1)/log(nβ) + …, by quadrature.",
)
def wbic_criterion() -> Facts:
    import math

    from rlct.audit._posterior import mean_nk_square

    n = 1e20
    found = mean_nk_square(n / math.log(n))
    size = math.log(n / math.log(n))
    # The next term is known to be below 2/log².
    yield close("β E[nK]", found, 0.5 - 1 / size, 2 / size**2, printed=0.5)
