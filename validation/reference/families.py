"""Cases from families: generators written out by small loops, values from closed forms."""

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import sympy
from formulas import (
    Value,
    arrangement,
    deep_linear,
    matrix_product,
    mixture_simplex,
    off_diagonal,
    vandermonde,
)

Case = dict[str, Any]


def case(
    id: str,
    given: str | Sequence[str],
    value: tuple[Any, int | None],
    source: str,
    tags: str,
    **options: Any,
) -> Case:
    """Return one entry of the corpus."""
    kind = "poly" if isinstance(given, str) else "ideal"
    return {
        "id": id,
        "kind": kind,
        "expr" if kind == "poly" else "generators": given if kind == "poly" else list(given),
        "options": options,
        "lambda": str(Fraction(value[0])),
        "theta": value[1],
        "source": source,
        "tags": tags.split(),
    }


def _sum(terms: Sequence[str]) -> str:
    return " + ".join(terms) or "0"


def _squares(generators: Sequence[str]) -> str:
    return _sum([f"({g})**2" for g in generators])


def _matrix(letter: str, rows: int, columns: int) -> list[list[str]]:
    return [[f"{letter}{i}{j}" for j in range(1, columns + 1)] for i in range(1, rows + 1)]


def _times(left_matrix: list[list[str]], right_matrix: list[list[str]]) -> list[list[str]]:
    columns = list(zip(*right_matrix, strict=True))
    return [
        [_sum([f"{_atom(a)}*{_atom(b)}" for a, b in zip(r, c, strict=True)]) for c in columns]
        for r in left_matrix
    ]


def _atom(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def products(widths: Sequence[int], rank: int) -> tuple[list[str], dict[str, str]]:
    """Entries of A_L⋯A_1 − diag(I_r, 0) and the deepest point of the fibre."""
    result: list[list[str]] = []
    at = {}
    for layer in range(1, len(widths)):
        matrix = _matrix("abcde"[layer - 1], widths[layer], widths[layer - 1])
        at |= {matrix[i][i]: "1" for i in range(rank)}
        result = _times(matrix, result) if result else matrix
    for i in range(rank):
        result[i][i] += " - 1"
    return [entry for row in result for entry in row], at


LINEAR_SOURCE = "deep-linear formula (Aoyagi 2024), rank paths agree"


def matrix_products() -> Iterator[Case]:
    """Products of matrices near a true map of given rank, as ideals and as K."""
    shapes = [
        ((1, 1, 1, 1), 0), ((2, 1, 2), 0), ((1, 2, 1), 0), ((2, 2, 1), 0), ((2, 2, 2), 0),
        ((2, 2, 2), 1), ((2, 2, 2), 2), ((2, 3, 2), 0), ((2, 3, 2), 1), ((3, 2, 3), 0),
        ((3, 2, 3), 1), ((3, 2, 2), 1), ((3, 3, 3), 0), ((3, 3, 2), 0), ((1, 2, 2, 1), 0),
        ((2, 1, 1, 2), 0), ((2, 2, 2, 2), 0), ((2, 2, 2, 2), 1), ((3, 2, 2, 2), 1),
        ((2, 3, 2, 2), 0), ((2, 2, 2, 2, 2), 0), ((3, 3, 3, 3), 0),
    ]  # fmt: skip
    for widths, rank in shapes:
        generators, at = products(widths, rank)
        name = "product_" + "_".join(map(str, widths)) + f"_r{rank}"
        options = {"at": at} if at else {}
        value = matrix_product(widths, rank)
        yield case(name, generators, value, LINEAR_SOURCE, "matrix", **options)
    for widths, rank in [((2, 2, 2), 0), ((2, 2, 2), 1), ((2, 3, 2), 0), ((2, 2, 2, 2), 0)]:
        generators, at = products(widths, rank)
        name = "square_" + "_".join(map(str, widths)) + f"_r{rank}"
        options = {"at": at} if at else {}
        value = matrix_product(widths, rank)
        yield case(name, _squares(generators), value, LINEAR_SOURCE, "matrix", **options)
    generators, _ = products((2, 2, 2), 0)
    yield case(
        "product_2_2_2_at_rank_1", generators, ("3/2", 1),
        "two-layer formula at ranks a=1, b=0: (2+0-0)/2 + [2,1,1] = 1 + 1/2", "matrix",
        at={"a11": "1"},
    )  # fmt: skip
    generators, _ = products((2, 2, 2, 2), 0)
    yield case(
        "product_2_2_2_2_at_rank_1", generators, ("3/2", 3),
        "c1 a1^T + eps c2 a2^T: volume given a1, a2, eps: t^(3/2) log^2, README", "matrix derived",
        at={"b11": "1"},
    )  # fmt: skip


def vandermondes() -> Iterator[Case]:
    """Σ a_kh b_h^(1+qn): units with a nonlinear activation, signed weights, truth 0."""
    for m, h, q in [
        (1, 2, 1), (1, 3, 1), (1, 4, 1), (1, 2, 2), (1, 3, 2), (1, 4, 2), (1, 5, 2),
        (2, 2, 1), (2, 3, 1), (2, 4, 1), (2, 2, 2), (2, 3, 2), (3, 3, 1), (1, 3, 3),
    ]:  # fmt: skip
        generators = [
            _sum([f"a{k}{i}*b{i}**{1 + q * n}" for i in range(1, h + 1)])
            for k in range(1, m + 1)
            for n in range(h)
        ]
        name = f"vandermonde_m{m}_h{h}_q{q}"
        source = "Aoyagi-Watanabe 2005, Aoyagi 2009: signed Vandermonde, one input"
        yield case(name, generators, vandermonde(m, h, q), source, "vandermonde")
    for q, lam in [(1, "7/4"), (2, "5/3")]:
        degrees = [1 + q * n for n in range(2)]
        generators = [
            _sum([f"a{k}{i}*x{i}**{d - j}*y{i}**{j}" for i in (1, 2)])
            for k in (1, 2)
            for d in degrees
            for j in range(d + 1)
        ]
        source = (
            "Aoyagi 2019, two inputs and outputs; volume scaling 1.76, 1.69; no source for theta"
        )
        yield case(f"vandermonde_m2_n2_h2_q{q}", generators, (lam, 1), source, "vandermonde")
    three = [_sum([f"a{i}*b{i}**{n}" for i in (1, 2, 3)]) for n in (1, 3, 5)]
    yield case(
        "kurumadani_tanh_4_1", ["u", "v", *three], ("11/6", 1),
        "one true unit, three at 0: two regular coordinates and vandermonde(1,3,2)",
        "vandermonde kurumadani",
    )  # fmt: skip
    raw = [
        f"c*d**{n} - 1 + " + _sum([f"a{i}*b{i}**{n}" for i in (1, 2, 3)]) for n in (1, 3, 5, 7, 9)
    ]
    yield case(
        "kurumadani_tanh_4_1_raw", raw, ("11/6", 1),
        "the same before elimination: moments 7 and 9 determine c and d", "vandermonde kurumadani",
        at={"c": "1", "d": "1"},
    )  # fmt: skip
    yield case(
        "shared_unit",
        ["p + q", "(1/2 + p)*x + (1/2 + q)*y", "(1/2 + p)*x**2 + (1/2 + q)*y**2"],
        ("5/4", 1), "two units share one true unit: u, v, x^2: 1/2+1/2+1/4",
        "vandermonde kurumadani",
    )  # fmt: skip
    for h, m, value in [(2, 2, ("1/2", 2)), (2, 3, ("1/3", 1)), (3, 2, ("1/2", 1))]:
        generator = _sum([f"a{i}*b{i}**{m}" for i in range(1, h + 1)])
        yield case(
            f"power_activation_h{h}_m{m}", [generator], value,
            "programme gives H/m, non-degenerate, strict transform 1: min(1, H/m)/2", "vandermonde",
        )  # fmt: skip


def factor_models() -> Iterator[Case]:
    """Restricted Boltzmann machines, factor analysis, latent forests."""
    source = "Aoyagi 2010: off-diagonal of A A^T"
    shapes = [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3)]
    for p, k in shapes:
        rows = _matrix("a", p, k)
        generators = [
            _sum([f"{a}*{b}" for a, b in zip(rows[i], rows[j], strict=True)])
            for i, j in combinations(range(p), 2)
        ]
        yield case(f"rbm_{p}_{k}", generators, off_diagonal(p, k), source, "rbm")
    for p, k in [(3, 1), (3, 2), (4, 2)]:
        rows = _matrix("a", p, k)
        diagonal = [f"d{i + 1} + " + _sum([f"{a}**2" for a in rows[i]]) for i in range(p)]
        generators = diagonal + [
            _sum([f"{a}*{b}" for a, b in zip(rows[i], rows[j], strict=True)])
            for i, j in combinations(range(p), 2)
        ]
        lam, theta = off_diagonal(p, k)
        source = "diagonal entries are free coordinates: p/2 + RBM; Drton et al. 2025, sampling"
        name = f"factor_{p}_{k}"
        yield case(name, generators, (lam + Fraction(p, 2), theta), source, "factor-analysis")
    diagonal = ["d1 + a1**2 - 1", "d2 + a2**2 - 1", "d3 + a3**2"]
    yield case(
        "factor_3_1_one_covariance", [*diagonal, "a1*a2 - 1", "a1*a3", "a2*a3"], ("5/2", 1),
        "a3 and a1*a2 are coordinates: 3/2 + 1/2 + 1/2; p - 1/2", "factor-analysis",
        at={"a1": "1", "a2": "1"},
    )  # fmt: skip
    forests = {
        "star_4": ([["e1"], ["e2"], ["e3"], ["e4"]], {}, (1, 1)),
        "tree_5": (
            [["e1"], ["e2"], ["f1", "e3"], ["f1", "f2", "e4"], ["f1", "f2", "e5"]],
            {(3, 4): "e4*e5", (2, 3): "f2*e3*e4", (2, 4): "f2*e3*e5"},
            (Fraction(5, 4), 1),
        ),
        "quartet": (
            [["e1"], ["e2"], ["f", "e3"], ["f", "e4"]], {(2, 3): "e3*e4"}, (1, 1)
        ),
        "quartet_degree_2": (
            [["e1", "g"], ["e2"], ["f", "e3"], ["f", "e4"]], {(2, 3): "e3*e4"}, (1, 2)
        ),
        "path": ([["e1", "f1", "f2"], ["e5"]], {}, (Fraction(1, 2), 4)),
    }  # fmt: skip
    for name, (leaves, shared, value) in forests.items():
        generators = [
            shared.get((i, j), "*".join([*leaves[i], *leaves[j]]))
            for i, j in combinations(range(len(leaves)), 2)
        ]
        source = "Drton, Lin, Weihs, Zwiernik 2017: leaf edges / 4, one more per node of degree 2"
        yield case(f"forest_{name}", generators, value, source, "forest")


def naive_bayes() -> Iterator[Case]:
    """Two classes, n binary features, the independent truth."""
    for n in (2, 3, 4):
        u = [f"u{i}" for i in range(1, n + 1)]
        v = [f"v{i}" for i in range(1, n + 1)]
        moments = [
            f"a*{'*'.join(u[i] for i in s)} + (1 - a)*{'*'.join(v[i] for i in s)}"
            for size in range(1, n + 1)
            for s in combinations(range(n), size)
        ]
        edge = (Fraction(n + 1, 2), 3 if n == 2 else 1)
        middle = (Fraction(n, 2) + Fraction(n, 4), 2 if n == 2 else 1)
        source = "Rusakov-Geiger 2005; n means, then a(1-a) x_i x_j: n/2 + min(1/2, n/4)"
        yield case(
            f"bayes_{n}_edge", moments, edge, source, "naive-bayes", nonneg=["a"], at={"a": "0"}
        )
        inner = "n means, then the x_i x_j: n/2 + n/4"
        yield case(f"bayes_{n}_inside", moments, middle, inner, "naive-bayes", at={"a": "1/2"})
        if n == 4:
            continue
        cells = []
        for x in product((0, 1), repeat=n):
            one = "*".join(p if bit else f"(1 - {p})" for p, bit in zip(u, x, strict=True))
            two = "*".join(p if bit else f"(1 - {p})" for p, bit in zip(v, x, strict=True))
            cells.append(f"a*{one} + (1 - a)*{two} - 1/{2**n}")
        half = dict.fromkeys(u + v, "1/2")
        yield case(
            f"bayes_{n}_cells_edge", cells, edge, source, "naive-bayes raw",
            nonneg=["a"], at={"a": "0", **half},
        )  # fmt: skip
        yield case(
            f"bayes_{n}_cells_inside", cells, middle, inner, "naive-bayes raw",
            at={"a": "1/2", **half},
        )  # fmt: skip


def mixtures() -> Iterator[Case]:
    """Moments of mixtures, signed and on the simplex."""
    for h in (2, 3, 4):
        weights = [f"a{i}" for i in range(2, h + 1)]
        first = "(1 - " + " - ".join(weights) + ")"
        moments = [
            _sum([f"{first}*b1**{n}", *(f"a{i}*b{i}**{n}" for i in range(2, h + 1))])
            for n in range(1, h + 1)
        ]
        signed = vandermonde(1, h, 1)
        yield case(
            f"mixture_{h}_signed", moments, signed,
            "the Vandermonde germ on the ray through (1,0,..,0), homogeneous in a; "
            "upper bound there by b = s (1, d, ..): README",
            "mixture signed",
        )  # fmt: skip
        value = mixture_simplex(h, 1, 1)
        yield case(
            f"mixture_{h}_simplex", moments, value,
            "Sato-Watanabe 2019; a_h >= 0 makes the sum of a_h b_h^2 dominate: 1/2 + (H-1)/4",
            "mixture simplex", nonneg=weights,
        )  # fmt: skip
        at = dict.fromkeys(weights, f"1/{h}")
        yield case(
            f"mixture_{h}_inside", moments, value,
            "positive weights: mean and the b_h^2: 1/2 + (H-1)/4", "mixture simplex", at=at,
        )  # fmt: skip
    yield case(
        "mixture_2_dirichlet",
        ["(1 - a)*b1 + a*b2", "(1 - a)*b1**2 + a*b2**2"], mixture_simplex(2, 1, 1, Fraction(1, 4)),
        "prior a^(-3/4): 1/2 + min(1/8, 1/4)", "mixture simplex prior",
        nonneg=["a"], prior="a**(-3/4)",
    )  # fmt: skip
    yield case(
        "mixture_3_true_2",
        [f"a1*b1**{n} + a2*b2**{n} + (1 - a1 - a2)*b3**{n} - 1/2" for n in range(1, 5)],
        mixture_simplex(3, 2, 1), "three regular coordinates and a square: 3/2 + 1/4",
        "mixture simplex", at={"a1": "1/4", "a2": "1/4", "b3": "1"},
    )  # fmt: skip
    yield case(
        "mixture_3_true_2_edge",
        [f"a1*b1**{n} + a2*b2**{n} + (1 - a1 - a2)*b3**{n} - 1/2" for n in range(1, 5)],
        mixture_simplex(3, 2, 1), "a2 >= 0 small at b2 = b1: 3/2 + 1/4",
        "mixture simplex", nonneg=["a2"], at={"a1": "1/2", "a2": "0", "b3": "1"},
    )  # fmt: skip
    for d, h in [(2, 2), (3, 2), (2, 3)]:
        weights = [f"a{i}" for i in range(2, h + 1)]
        first = "(1 - " + " - ".join(weights) + ")"
        generators = []
        for degree in (1, 2):
            for index in combinations_with_replacement("xyz"[:d], degree):
                parts = [f"{first}*" + "*".join(f"{c}1" for c in index)]
                parts += [f"a{i}*" + "*".join(f"{c}{i}" for c in index) for i in range(2, h + 1)]
                generators.append(_sum(parts))
        yield case(
            f"mixture_{h}_dim_{d}", generators, mixture_simplex(h, 1, d),
            "d/2 + (H-1) min(1/2, d/4), sum rule over the components", "mixture simplex",
            nonneg=weights,
        )  # fmt: skip
    hermite = ["m", "m**2 + v", "m**3 + 3*m*v", "m**4 + 6*m**2*v + 3*v**2"]

    def located(a: str, b: str) -> list[str]:
        rows = []
        for h in hermite:
            one, two = (h.replace("m", f"m{i}").replace("v", f"v{i}") for i in (1, 2))
            rows.append(f"{a}*({one}) + {b}*({two})")
        return rows

    source = "p1, p2 are coordinates; closure of the rest (m d, d^2, m^4): 1 + 1/2; derived"
    yield case("locscale_half", located("1/2", "1/2"), ("3/2", 2), source, "mixture locscale")
    yield case(
        "locscale_inside", located("a", "(1 - a)"), ("3/2", 2), source, "mixture locscale",
        at={"a": "1/2"},
    )  # fmt: skip
    yield case(
        "locscale_edge", located("a", "(1 - a)"), ("3/2", 3),
        "the same ideal times a(1-a): product rule (1/2,1), (1/2,2)", "mixture locscale",
        nonneg=["a"], at={"a": "0"},
    )  # fmt: skip


def factorisations() -> Iterator[Case]:
    """Nonnegative matrices, stochastic matrices, tensors, attention."""
    for m, h, n in [(2, 1, 2), (2, 2, 2), (2, 2, 3), (3, 3, 3)]:
        u, v = _matrix("u", m, h), _matrix("v", h, n)
        generators = [entry for row in _times(u, v) for entry in row]
        value = (Fraction(h * min(m, n), 2), h + 1 if m == n else 1)
        names = [name for row in u + v for name in row]
        yield case(
            f"nmf_{m}_{h}_{n}_zero", generators, value,
            "no cancellation: H blocks of monomials u_i v_j; Hayashi-Watanabe 2017", "nmf nonneg",
            nonneg=names,
        )  # fmt: skip
    u, v = _matrix("u", 2, 1), _matrix("v", 1, 2)
    generators = [f"{entry} - 1" for row in _times(u, v) for entry in row]
    ones = {name: "1" for row in u + v for name in row}
    yield case(
        "nmf_2_1_2_rank_1", generators, ("3/2", 1), "rank 3 everywhere nearby", "nmf", at=ones
    )
    for m, n in [(2, 2), (3, 3)]:
        u, v = _matrix("u", m, 2), _matrix("v", 2, n)
        generators = [f"{entry} - 1" for row in _times(u, v) for entry in row]
        at = {name: "1" for row in u for name in row} | {name: "1/2" for row in v for name in row}
        yield case(
            f"nmf_{m}_2_{n}_inside", generators, deep_linear((n, 2, m), 1),
            "inside the orthant: U, V of rank 1; reduced-rank regression of rank 1",
            "nmf matrix hidden", at=at,
        )  # fmt: skip
    for m, h, n in [(3, 2, 2), (3, 3, 2), (3, 3, 3)]:
        a = _matrix("a", m - 1, h)
        b = _matrix("b", h - 1, n)
        last = [" - ".join(["1", *(b[i][j] for i in range(h - 1))]) for j in range(n)]
        generators = [f"{entry} - 1/{m}" for row in _times(a, [*b, last]) for entry in row]
        at = {name: f"1/{m}" for row in a for name in row}
        at |= {name: f"1/{h}" for row in b for name in row}
        rest = deep_linear((n - 1, h - 1, m - 1), 0)
        value = (rest[0] + Fraction(m - 1, 2), rest[1])
        yield case(
            f"lda_{m}_{h}_{n}", generators, value,
            "Hayashi 2021: (M-1)/2 + reduced-rank regression (M-1, H-1, N-1), rank 0", "lda hidden",
            at=at,
        )  # fmt: skip
    for dims, h, value, tags, note in [
        ((2, 2, 2), 1, (1, 3), "cp", "product rule: (1,1) three times"),
        ((2, 2, 3), 1, (1, 2), "cp", "product rule: (1,1), (1,1), (3/2,1)"),
        ((2, 2, 2), 2, (2, 5), "cp nonneg", "no cancellation: (1,3) + (1,3)"),
        ((2, 2, 3), 2, (2, 3), "cp nonneg", "no cancellation: (1,2) + (1,2)"),
        ((2, 2, 2), 2, (2, 6), "cp", "C = r1 r2 r3 has density C log^2: volume = int over C1+C2 "
         "< e, C2 D < e of C1 C2 log^4 dD^3 = e^4 log^5"),
    ]:  # fmt: skip
        letters = "abc"
        generators = [
            _sum(["*".join(f"{x}{k}{t}" for x, k in zip(letters, index, strict=True))
                  for t in range(1, h + 1)])
            for index in product(*(range(1, d + 1) for d in dims))
        ]  # fmt: skip
        names = [f"{x}{k}{t}" for x, d in zip(letters, dims, strict=True)
                 for k in range(1, d + 1) for t in range(1, h + 1)]  # fmt: skip
        nonneg = "nonneg" in tags
        name = f"cp_{'x'.join(map(str, dims))}_h{h}" + ("_nonneg" if nonneg else "")
        options = {"nonneg": names} if nonneg else {}
        yield case(name, generators, value, note, tags, **options)
    generators = [f"a{i}*b{j}*c{k} - {int(i == j == k == 1)}"
                  for i, j, k in product((1, 2), repeat=3)]  # fmt: skip
    yield case(
        "cp_2x2x2_h1_rank_1", generators, (2, 1), "Segre cone of dimension 4, smooth", "cp",
        at={"a1": "1", "b1": "1", "c1": "1"},
    )  # fmt: skip
    generators = [f"{s}*v{k}" for s in ("q11", "(q12 + q21)", "q22") for k in (1, 2)]
    yield case(
        "attention_2", generators, (1, 1), "product rule: (3/2,1), (1,1)", "attention hidden"
    )
    generators = [f"(b{i}1 - b31)*a1{j} + (b{i}2 - b32)*a2{j}" for i in (1, 2) for j in (1, 2, 3)]
    yield case(
        "softmax_3_2_3", generators, deep_linear((3, 2, 2), 0),
        "rows of B minus the last one: a product of 2x2 and 2x3", "matrix hidden",
    )  # fmt: skip


def quadratic_networks() -> Iterator[Case]:
    """Two inputs, Σ c_h (w_h·x)² with truth 0."""
    values: dict[int, tuple[Value | tuple[str, int], str]] = {
        1: (("1/2", 2), "product rule: c (1/2,1), |w|^4 (1/2,1)"),
        2: (("1", 4), "C = c |w|^2 has density log: volume = int of log^2 over C1+C2 < e, "
                      "C2 D < e is e^2 log^3; derived"),
        3: (("5/4", 1), "1/2 + vandermonde(1,2,1), reached where no C_h is small; sampling 1.254"),
        4: (("3/2", 2), "1/2 + min over s of 3s+(1-s)+(1-2s), constant up to s = 1/2; derived"),
        5: (("3/2", 1), "1/2 + min over s of 4s+(1-s)+(1-2s), at s = 0; derived"),
    }  # fmt: skip
    for h, (value, source) in values.items():
        generators = [
            _sum([f"c{i}*{form.format(i)}" for i in range(1, h + 1)])
            for form in ("x{0}**2", "x{0}*y{0}", "y{0}**2")
        ]
        tags = "quadratic" if h in (1, 3) else "quadratic derived"
        yield case(f"quadratic_{h}", generators, value, source, tags)
    generators = ["x1**2 + x2**2", "x1*y1 + x2*y2", "y1**2 + y2**2"]
    yield case("quadratic_fixed", generators, (1, 1), "|W^T W|^2 ~ |W|^4: 4/4", "quadratic real")


def arrangements() -> Iterator[Case]:
    """Central real hyperplanes."""
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    four = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    braid_4 = four + [
        tuple(a - b for a, b in zip(p, q, strict=True)) for p, q in combinations(four, 2)
    ]
    table: dict[str, tuple[list[tuple[int, ...]], list[int] | None]] = {
        "generic_4": ([x, y, z, (1, 1, 1)], None),
        "generic_5": ([x, y, z, (1, 1, 1), (1, 2, 4)], None),
        "generic_6": ([x, y, z, (1, 1, 1), (1, 2, 4), (1, 3, 9)], None),
        "braid_3": ([(1, -1, 0), (0, 1, -1), (1, 0, -1)], None),
        "braid_4": ([x, y, z, (1, -1, 0), (0, 1, -1), (1, 0, -1)], None),
        "b3": ([x, y, z, *((1, s, 0) for s in (1, -1)), *((0, 1, s) for s in (1, -1)),
                *((1, 0, s) for s in (1, -1))], None),
        "pencil_and_plane": ([x, y, (1, 1, 0), z], None),
        "pencil_and_power": ([x, y, (1, 1, 0), z], [2, 2, 2, 3]),
        "line_in_point": ([x, y, (1, -1, 0), (1, 1, 0), z, (-1, 0, 1)], None),
        "braid_5": (braid_4, None),
    }  # fmt: skip
    for name, (planes, powers) in table.items():
        letters = "xyzw"
        factors = []
        for plane, s in zip(planes, powers or [1] * len(planes), strict=True):
            form = "+".join(f"{c}*{v}" for c, v in zip(plane, letters, strict=False) if c)
            factors.append(f"({form.replace('+-', '-').replace('1*', '')})" + f"**{s}" * (s > 1))
        expression = f"({'*'.join(factors)})**2"
        source = "Kosta-Windisch 2024: least codim/number over the flats, longest chain"
        yield case(f"planes_{name}", expression, arrangement(planes, powers), source, "arrangement")


NORMAL_FORMS: dict[str, tuple[str, list[str], tuple[str, int]]] = {
    "cusp": ("xy", ["x**2 - y**3"], ("5/12", 1)),
    "node": ("xy", ["x*y"], ("1/2", 2)),
    "a6": ("xy", ["x**2 - y**7"], ("9/28", 1)),
    "powers": ("xy", ["x**2", "y**3"], ("5/12", 1)),
    "whitney": ("xyz", ["x**2 - y**2*z"], ("1/2", 2)),
    "pairs": ("xyz", ["x*y", "y*z", "z*x"], ("3/4", 1)),
    "corner": ("xyz", ["x*y*z"], ("1/2", 3)),
    "mixed": ("xyz", ["x**2*y", "z**3"], ("5/12", 1)),
    "powers_246": ("xyz", ["x", "y**2", "z**3"], ("11/12", 1)),
    "rank_1": ("xyzw", ["x*z", "x*w", "y*z", "y*w"], ("1", 2)),
}
"""Germs with a monomial or known ideal, and their pair."""


def hidden() -> Iterator[Case]:
    """Normal forms in random linear and triangular coordinates, expanded."""
    moves: dict[str, Callable[[list[sympy.Symbol], random.Random], list[sympy.Expr]]] = {
        "linear": _linear, "nonlinear": _nonlinear, "both": _both,
    }  # fmt: skip
    for number, (name, (letters, forms, value)) in enumerate(NORMAL_FORMS.items()):
        symbols = list(sympy.symbols(" ".join(letters)))
        for offset, (kind, move) in enumerate(moves.items()):
            seed = 100 * number + offset
            images = move(symbols, random.Random(seed))
            old = dict(zip(symbols, images, strict=True))
            generators = [
                str(sympy.expand(sympy.sympify(f).subs(old, simultaneous=True))) for f in forms
            ]
            given: str | list[str] = generators
            if len(generators) == 1:
                given = f"({generators[0]})**2"
                if kind == "linear":  # K itself expanded: no square is visible
                    given = str(sympy.expand(sympy.sympify(generators[0]) ** 2))
            source = f"{_form(forms)} in {', '.join(map(str, images))} (seed {seed})"
            yield case(f"hidden_{name}_{kind}", given, value, source, f"hidden {kind}")


def _form(forms: list[str]) -> str:
    return f"({forms[0]})^2" if len(forms) == 1 else f"({', '.join(forms)})"


def _linear(symbols: list[sympy.Symbol], rng: random.Random) -> list[sympy.Expr]:
    size = len(symbols)
    while True:
        matrix = sympy.Matrix(size, size, lambda *_: rng.randint(-2, 2))
        if matrix.det() != 0 and all(sum(map(bool, matrix.row(i))) > 1 for i in range(size)):
            return list(matrix * sympy.Matrix(symbols))


def _nonlinear(symbols: list[sympy.Symbol], rng: random.Random) -> list[sympy.Expr]:
    """Identity plus a quadratic term in each coordinate: invertible near 0."""
    images = []
    for symbol in symbols:
        one, two = rng.choice(symbols), rng.choice(symbols)
        images.append(symbol + rng.choice([-2, -1, 1, 2]) * one * two)
    return images


def _both(symbols: list[sympy.Symbol], rng: random.Random) -> list[sympy.Expr]:
    bent = dict(zip(symbols, _nonlinear(symbols, rng), strict=True))
    return [sympy.expand(e.subs(bent, simultaneous=True)) for e in _linear(symbols, rng)]


CASE_FAMILIES = (
    matrix_products, vandermondes, factor_models, naive_bayes, mixtures, factorisations,
    quadratic_networks, arrangements, hidden,
)  # fmt: skip
