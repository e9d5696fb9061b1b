"""Closed forms of the literature against programmes, recursions and exhaustive searches."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod

import pytest
import sympy

import rlct
from rlct.algebra.exact_rank import matrix_rank
from rlct.answers.kinds import least_of
from rlct.errors import InputError
from rlct.models.activations.tanh import scaling_value
from rlct.models.latent_variables.forest import edges_of, path_between
from rlct.models.latent_variables.rbm import BoltzmannMachine
from rlct.pair import Pair
from rlct.questions.problem import Problem
from rlct.theorems import get_theorem
from rlct.theorems.activations.tanh_network import network_pair
from rlct.theorems.activations.three_layer_bound import spare_units_bound, zero_units_bound
from rlct.theorems.activations.vandermonde import vandermonde_pair
from rlct.theorems.evidence import TheoremBounds
from rlct.theorems.latent_variables.rbm import row_products_pair


@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_vandermonde_is_the_least_of_a_programme(step: int) -> None:
    for units, outputs in product(range(1, 40), range(1, 6)):
        pair = vandermonde_pair(units, outputs, step)
        assert pair == scaling_value(units, outputs, step), (units, outputs)
        assert pair.lam == zero_units_bound(units, 1, outputs, step)


def test_vandermonde_for_tanh_is_the_square_root_formula() -> None:
    for units in range(1, 200):
        i = int(units**0.5)
        pair = vandermonde_pair(units, 1, 2)
        assert pair.lam == Fraction(units + i * i + i, 4 * i + 2)
        assert pair.theta == (2 if i * i == units else 1)


def distributions(spare: int, places: int) -> list[tuple[int, ...]]:
    if places == 0:
        return [(spare,)]
    return [
        (first, *rest)
        for first in range(spare + 1)
        for rest in distributions(spare - first, places - 1)
    ]


def three_units(outputs: int, inputs: int, step: int) -> Fraction:
    """Aoyagi (2019), Entropy 21:561, theorem 6 for H = 3, as it circulates."""
    M, N, Q = outputs, inputs, step
    found = [Fraction(b * N + (3 - b) * M, 2) for b in range(4)]
    for a, b in combinations(range(1, 4), 2):
        whole = b * N + (3 - b) * M + Q * (a * (N + a - b) + (3 - a) * M)
        found.append(Fraction(whole, 2 * (Q + 1)))
    return min(*found, Fraction(3 * N + Q * (3 * N - 3 + 3 * M), 2 * (2 * Q + 1)))


@pytest.mark.parametrize("step", [1, 2, 3])
def test_bounds_of_few_spare_units_are_the_values(step: int) -> None:
    smaller = 0
    for inputs, outputs in product(range(1, 7), repeat=2):
        sizes = {"inputs": inputs, "outputs": outputs, "step": step}
        two = rlct.theorem("two-hidden-units", **sizes).lam
        assert spare_units_bound(2, **sizes) == two
        assert spare_units_bound(3, **sizes) == three_units(**sizes)
        smaller += spare_units_bound(3, **sizes) < zero_units_bound(3, **sizes)
    assert smaller  # units in all directions would not do
    for units, outputs in product(range(1, 12), range(1, 5)):
        assert (
            spare_units_bound(units, 1, outputs, step) == vandermonde_pair(units, outputs, step).lam
        )


@pytest.mark.parametrize("true", range(5))
def test_spare_units_are_best_in_one_place(true: int) -> None:
    for hidden, outputs, step in product(range(max(true, 1), 11), range(1, 4), (1, 2, 3)):
        found = []
        for *shared, zero in distributions(hidden - true, true):
            groups = [
                Pair.of(f"{outputs}/2") + vandermonde_pair(more + 1, outputs, 1)
                if more
                else Pair.of(f"{outputs + 1}/2")
                for more in shared
            ]
            groups += [vandermonde_pair(zero, outputs, step)] if zero else []
            found.append(Pair.sum(groups))
        assert network_pair(hidden, true, outputs, step) == min(found)


@pytest.mark.parametrize(
    ("inputs", "outputs", "step"), list(product((1, 2, 3), (1, 2, 3, 4), (1, 2)))
)
def test_two_units_by_the_programme(inputs: int, outputs: int, step: int) -> None:
    """All vertices of the exponent F have coordinates in multiples of 1/(Q + 1)."""
    N, M, Q = inputs, outputs, step
    grid = [Fraction(k, Q + 1) for k in range(2 * (Q + 1) + 1)]

    def apart(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
        return N * (x + y) + (N - 1) * z + M * max(0, 1 - x) + M * max(0, 1 - y - min(z, Q * x))

    def close(x: Fraction, z: Fraction, w: Fraction) -> Fraction:
        rest = max(0, 1 - x - min(z, Q * x + w))
        return 2 * N * x + (N - 1) * z + w + M * max(0, 1 - x) + M * rest

    far = [Fraction(100)] if N == 1 else grid  # one input has no angle: φ = 0
    values = [apart(x, y, z) for x in grid for y in grid if y >= x for z in far]
    values += [close(x, z, w) for x in grid for z in far for w in grid]
    least = min(values)
    pair = get_theorem("two-hidden-units").apply(inputs=N, outputs=M, step=Q).pair
    assert pair is not None
    assert 2 * pair.lam == least
    corner = Fraction(1, Q + 1)
    vertices = [(0, 0, 0), (0, 1, 0), (1, 1, 0), (corner, corner, Q * corner)]
    reached = sum(
        apart(*(Fraction(c) for c in (x, y, 100 if N == 1 else z))) == least for x, y, z in vertices
    )
    assert pair.theta == max(reached, 1)


def test_row_products_follow_from_the_recursion() -> None:
    def recursion(p: int, k: int) -> Pair | None:
        if p == 1 or k == 0:
            return None
        rest = recursion(p - 1, k - 1)
        chart = Pair.of(f"{p - 1}/2")
        return Pair.of(f"{p * k}/4") * (chart if rest is None else chart + rest)

    for p, k in product(range(2, 9), range(1, 10)):
        assert row_products_pair(p, k) == recursion(p, k), (p, k)


@pytest.mark.parametrize(("visible", "hidden"), [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1)])
def test_products_of_rows_are_enough(visible: int, hidden: int) -> None:
    """The exact coefficients of the Boltzmann machine have the pair of the products of rows."""
    raw = least_of([Problem.ideal(BoltzmannMachine(visible, hidden).coefficients())], 60)
    assert raw.exact  # by the engine alone, to which no theorem is known
    assert raw.lower == row_products_pair(visible, hidden)


def test_four_orthogonal_rows_show_the_fourth_moment() -> None:
    """Where all products of two rows vanish the product of four does not."""
    rows = [(1, 1, 1, 1), (1, 1, -1, -1), (1, -1, 1, -1), (1, -1, -1, 1)]
    for one, two in combinations(rows, 2):
        assert sum(x * y for x, y in zip(one, two, strict=True)) == 0
    assert sum(a * b * c * d for a, b, c, d in zip(*rows, strict=True)) == 4
    bounds = get_theorem("rbm").apply(visible=4, hidden=4).bounds
    assert bounds == TheoremBounds(bounds.rule if bounds else "", Pair.of(3), Pair.of("7/2"))


def even_moments(columns: list[list[Fraction]]) -> list[Fraction]:
    """Coefficients of x_S, S ≠ ∅, in Π_j Σ_{|S| even} t_Sj x_S: of polynomials in x_i² = 1."""
    size = len(columns[0])
    even = [m for m in range(1 << size) if m.bit_count() % 2 == 0]
    product_ = {0: Fraction(1)}
    for column in columns:
        factor = {m: prod(t for i, t in enumerate(column) if m >> i & 1) for m in even}
        whole = dict.fromkeys(even, Fraction(0))
        for (one, a), (two, b) in product(product_.items(), factor.items()):
            whole[one ^ two] += a * b
        product_ = whole
    return [product_[m] for m in even if m]


@pytest.mark.parametrize(("visible", "hidden"), [(3, 2), (4, 4), (5, 8)])
def test_signs_as_columns_move_every_even_moment(visible: int, hidden: int) -> None:
    """Exact rank 2^(M−1) − 1 at a point of the fibre: 2^(M−2) columns, the last row 0."""
    size = Fraction(1, 7)
    signs = [(1, *rest) for rest in product((1, -1), repeat=visible - 2)]
    columns = [[*(size * s for s in column), Fraction(0)] for column in signs]
    assert len(columns) == hidden
    here = even_moments(columns)
    assert not any(here)
    jacobian = []
    for j, i in product(range(hidden), range(visible)):
        moved = [list(column) for column in columns]
        moved[j][i] += 1  # every moment is affine in t_ij
        jacobian.append(even_moments(moved))
    moments = 2 ** (visible - 1) - 1
    assert matrix_rank(jacobian) == moments
    assert matrix_rank(jacobian[:-visible]) < moments  # a column less is not enough
    if visible > 3:
        bounds = get_theorem("rbm").apply(visible=visible, hidden=hidden).bounds
        assert bounds is not None
        assert bounds.upper == Pair(Fraction(min(moments * 2, visible * hidden), 4), 1)
        fewer = get_theorem("rbm").apply(visible=visible, hidden=10**6).bounds
        assert fewer is not None
        assert fewer.upper == Pair(Fraction(moments, 2), 1)


@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (3, 3), (2, 2, 2), (2, 3, 2)])
def test_many_latent_classes_move_every_cell(sizes: tuple[int, ...]) -> None:
    """Exact rank of the table at the classes of the proof, for a random positive truth."""
    rng = random.Random(len(sizes))
    last = max(range(len(sizes)), key=sizes.__getitem__)
    others = [m for i, m in enumerate(sizes) if i != last]
    cells = list(product(*map(range, others)))
    near = Fraction(1, 20)
    basis = [
        [
            prod(
                1 - (m - 1) * near if c == h else near
                for c, h, m in zip(cell, own, others, strict=True)
            )
            for cell in cells
        ]
        for own in cells
    ]
    truth = [[Fraction(rng.randint(5, 9)) for _ in cells] for _ in range(sizes[last])]
    # Σ_h T_h(x') M_h(x) = P*(x', x): each column of M is positive, as the proof says.
    whole = sympy.Matrix(basis).T
    for column in truth:
        found = whole.LUsolve(sympy.Matrix(column))
        assert min(found) > 0
    # The derivative by M_h(x) is T_h ⊗ e_x: together they span all tables, those of sum 0 too.
    spanned = [
        [t if x == y else Fraction(0) for y in range(sizes[last]) for t in row]
        for row in basis
        for x in range(sizes[last])
    ]
    assert matrix_rank(spanned) == prod(sizes)
    bounds = get_theorem("latent-class-bound").apply(classes=50, true=3, categories=sizes).bounds
    assert bounds is not None
    assert bounds.upper == Pair(Fraction(prod(sizes) - 1, 2), 1)


def test_large_factorisations_have_as_many_equations_as_entries() -> None:
    for dims, terms in (((2, 2, 2), 40), ((2, 3, 4), 40), ((3, 3), 9)):
        for true in (0, 1, 2):
            bounds = get_theorem("cp-bound").apply(dims=dims, terms=terms, true=true).bounds
            assert bounds is not None
            assert bounds.upper is not None
            assert bounds.upper.lam == Fraction(prod(dims), 2)
    few = get_theorem("cp-bound").apply(dims=(2, 3, 4), terms=5, true=4).bounds
    assert few is not None
    assert few.upper == Pair.of("15")  # (2·3 > 5: 4·7/2 + 1)
    for rows, inner, columns, true in product((1, 2, 3), (1, 2, 3, 5), (1, 2, 3), (1, 2)):
        if true <= min(rows, inner, columns):
            sizes = {"rows": rows, "inner": inner, "columns": columns, "true": true}
            exact = rlct.theorem("nmf-positive", **sizes)
            bounds = get_theorem("nmf-bound").apply(**sizes).bounds
            assert bounds is not None
            assert bounds.upper is not None
            assert exact.lam <= bounds.upper.lam
            if min(rows, columns) <= inner:
                assert bounds.upper.lam <= Fraction(rows * columns, 2)


def random_forest(rng: random.Random) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]:
    """A forest whose hidden nodes have degree ≥ 2, and a sub-forest of the same kind."""
    leaves = rng.randint(2, 6)
    hidden = rng.randint(1, 4)
    inner = list(range(leaves + 1, leaves + hidden + 1))
    edges = [(rng.choice(inner[:k]), node) for k, node in enumerate(inner) if k]
    edges += [(leaf, rng.choice(inner)) for leaf in range(1, leaves + 1)]
    return leaves, pruned(edges, leaves), []


def pruned(edges: list[tuple[int, int]], leaves: int) -> list[tuple[int, int]]:
    """Remove hidden nodes of degree one until there are none."""
    while True:
        degree: dict[int, int] = {}
        for edge in edges:
            for node in edge:
                degree[node] = degree.get(node, 0) + 1
        kept = [e for e in edges if all(degree[n] > 1 or n <= leaves for n in e)]
        if len(kept) == len(edges):
            return edges
        edges = kept


def subdivided(edges: list[tuple[int, int]], rng: random.Random) -> list[tuple[int, int]]:
    """Put up to two hidden nodes of degree two on some of the edges."""
    found, new = [], max(node for edge in edges for node in edge)
    for one, two in edges:
        chain = [one]
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            new += 1
            chain.append(new)
        found += list(pairwise([*chain, two]))
    return found


def path_programme(leaves: int, edges: str, true: str) -> Pair:
    """The value by the path monomials, and a rank for the paths within the truth."""
    all_edges, true_edges = edges_of(edges), set(edges_of(true))
    spare = [e for e in all_edges if e not in true_edges]
    rows, known = set(), []
    for i, j in combinations(range(1, leaves + 1), 2):
        path = path_between(i, j, all_edges)
        row = tuple(int(e in path) for e in spare)
        if path and any(row):
            rows.add(row)
        elif path:
            known.append([int(e in path) for e in sorted(true_edges)])
    # Paths within the truth: their logarithms are linear, so the rank counts coordinates.
    import sympy

    value = Pair.of(f"{leaves + (sympy.Matrix(known).rank() if known else 0)}/2")
    # Edges that no path uses integrate to a constant, and do not occur in a pruned forest.
    if rows:
        texts = ["*".join(f"x{k}" for k, e in enumerate(row) if e) for row in sorted(rows)]
        monomials = rlct.ideal(texts).pair
        assert monomials is not None
        value = value + monomials
    return value


def all_of_degree_two(leaves: int, edges: str, true: str) -> int:
    """θ if every node of degree two outside V₀ counted, between two hubs as well."""
    ends = [node for edge in edges_of(edges) for node in edge]
    kept = {node for edge in edges_of(true) for node in edge} | set(range(1, leaves + 1))
    return 1 + sum(ends.count(node) == 2 for node in set(ends) - kept)


@pytest.mark.slow
def test_forests_by_the_linear_programme() -> None:
    """λ and θ of the path monomials are those of the monomial ideal theorem."""
    rng = random.Random(0)
    refuted = 0
    for _ in range(400):
        leaves, edges, _ = random_forest(rng)
        edges = subdivided(edges, rng)
        true = pruned([e for e in edges if rng.random() < rng.choice((0, 0.4, 0.7))], leaves)
        text, true_text = (",".join(f"{min(e)}-{max(e)}" for e in es) for es in (edges, true))
        theorem = get_theorem("gaussian-latent-forest")
        pair = theorem.apply(leaves=leaves, edges=text, true_edges=true_text).pair
        expected = path_programme(leaves, text, true_text)
        assert pair == expected, (leaves, text, true_text)
        refuted += all_of_degree_two(leaves, text, true_text) != expected.theta
    # Control: a chain between two hubs does not count, and the forests tell.
    assert refuted >= 20


def test_bounds_hold_where_the_value_is_known() -> None:
    for m, h, n in product((1, 2, 3), repeat=3):
        for r in range(min(m, h, n) + 1):
            name = "nmf-positive" if r else "nmf-zero"
            sizes = {"rows": m, "inner": h, "columns": n}
            exact = get_theorem(name).apply(**sizes, **({"true": r} if r else {})).pair
            bounds = get_theorem("nmf-bound").apply(**sizes, true=r).bounds
            assert bounds is not None
            assert exact is not None
            assert bounds.hold(exact)
    units = {2: "two-hidden-units", 3: "three-hidden-units"}
    for n, h, m, r, q in product((1, 2, 3), (1, 2, 3), (1, 2, 3), (0, 1), (1, 2)):
        sizes = {"hidden": h, "outputs": m, "true_hidden": r, "step": q}
        bounds = get_theorem("three-layer-bound").apply(inputs=n, **sizes).bounds
        assert bounds is not None
        if n == 1:
            exact = get_theorem("tanh-network").apply(**sizes).pair
        elif h in units and r == 0:
            exact = get_theorem(units[h]).apply(inputs=n, outputs=m, step=q).pair
        else:
            continue
        assert exact is not None
        assert bounds.hold(exact)


def test_more_true_factors_than_variables_leave_a_regular_model() -> None:
    """Two variables: near such a truth all three entries of the covariance move freely, d = 3."""
    found = get_theorem("factor-analysis").apply(variables=2, factors=9, true_factors=3)
    assert found.pair == Pair.of("3/2")  # the bound of spare loadings would be 1


def test_table_of_drton_and_plummer() -> None:
    """Factor analysis with six variables, up to three factors (sBIC): bounds that are attained."""
    table = [["3"], ["9/2", "6"], ["6", "29/4", "17/2"], ["15/2", "17/2", "19/2", "21/2"]]
    for k, row in enumerate(table):
        for r, value in enumerate(row):
            found = get_theorem("factor-analysis").apply(variables=6, factors=k, true_factors=r)
            assert found.pair == Pair.of(value)


def test_hypotheses_can_fail_by_computation() -> None:
    for name, arguments, message in [
        ("vandermonde", {"hidden": 0}, "≥ 1"),
        ("tanh-network", {"hidden": 1, "true_hidden": 2}, "true_hidden 2"),
        ("binomial-mixture", {"components": 2, "true": 2, "trials": 3}, "3 trials"),
        ("multinomial-mixture", {"components": 1, "true": 1, "categories": 1, "trials": 2}, "cat"),
        ("mixture", {"components": 1, "true": 1, "concentration": "-1"}, "α = -1"),
        ("naive-bayes", {"features": 3, "dependent": 1}, "dependent 1"),
        ("gaussian-latent-forest", {"leaves": 2, "edges": "1-2,1-2"}, "twice"),
        ("cp-zero", {"dims": [2, 2], "terms": 3}, "non-negative"),
        ("cp-bound", {"dims": [2], "terms": 2}, "two positive"),
        ("tucker-bound", {"dims": [2, 2], "core": [1]}, "equally many"),
        ("nmf-positive", {"rows": 2, "inner": 1, "columns": 2, "true": 2}, "rank 2"),
        ("latent-dirichlet-allocation", {"words": 1, "topics": 1, "documents": 1}, "two words"),
        ("softmax-network", {"inputs": 1, "hidden": 1, "classes": 1}, "two classes"),
        ("concept-bottleneck", {"inputs": 1, "concepts": 2, "outputs": 1, "rank": 2}, "rank 2"),
        ("hidden-markov-bound", {"states": 1, "symbols": 2, "true_states": 2}, "true_states 2"),
    ]:
        with pytest.raises(InputError, match=message) as error:
            get_theorem(name).apply(**arguments)
        assert "\n" not in str(error.value)
