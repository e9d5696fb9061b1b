"""Quadratic networks: ranks against other code, bounds against the engine, input errors."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy

import rlct
from rlct.algebra.exact_rank import matrix_rank, rank_modulo_prime, reduced_echelon, row_basis
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError
from rlct.explain.explanation import Explanation
from rlct.models.quadratic_networks.generic import QuadraticArchitecture
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures, square_terms
from rlct.models.quadratic_networks.quadratic_reading import read_weights
from rlct.models.quadratic_networks.rank_bounds import secant_dimension
from rlct.pair import Pair
from rlct.theorems import get_theorem

P = 1_000_003  # small enough for products of three residues


def modular_rank(table: np.ndarray) -> int:
    """Rank modulo `P` by plain elimination, sharing nothing with the package."""
    table, found = table % P, 0
    for column in range(table.shape[1]):
        rows = [r for r in range(found, len(table)) if table[r, column]]
        if not rows:
            continue
        table[[found, rows[0]]] = table[[rows[0], found]]
        table[found] = table[found] * pow(int(table[found, column]), -1, P) % P
        below = table[found + 1 :, column].copy()
        table[found + 1 :] = (table[found + 1 :] - np.outer(below, table[found])) % P
        found += 1
    return found


def tangent_rank(d: int, p: int, K: int) -> int:
    """Rank of the derivative of Σ v ⊗ w ⊗ w at a random point, from full tensors."""
    rng = np.random.default_rng([d, p, K])
    W, V = rng.integers(1, P, (K, d)), rng.integers(1, P, (K, p))
    rows = []
    for w, v in zip(W, V, strict=True):
        for e in np.eye(d, dtype=np.int64):
            change = (np.outer(w, e) + np.outer(e, w)) % P
            rows.append(np.multiply.outer(v, change).ravel() % P)
        whole = np.outer(w, w) % P
        rows += [np.multiply.outer(e, whole).ravel() for e in np.eye(p, dtype=np.int64)]
    return modular_rank(np.array(rows))


@pytest.mark.slow
def test_formula_for_all_small_sizes() -> None:
    """d, p ≤ 6 and every K: the formula of `quadratic-generic` against the tangent space."""
    defective = []
    for d, p in product(range(1, 7), repeat=2):
        forms = d * (d + 1) // 2
        for K in range(1, forms + 1):
            found = tangent_rank(d, p, K)
            assert secant_dimension(d, p, K)[0] == found, (d, p, K)
            least = [K * (d + p - 1), p * forms]
            least += [K * (p + forms - K)] if min(p, forms) >= K else []
            if p > 1 and found < min(least):
                defective.append((d, p, K))
    assert defective == [(4, 3, 5), (4, 5, 6), (6, 3, 8)]


def test_the_statement_with_biases() -> None:
    """Its bounds hold at random parameters, and nearly always one of them is reached."""
    below = []
    for d, p in product(range(1, 4), range(1, 5)):
        forms = d * (d + 1) // 2
        for K in range(1, forms + d + 2):
            stated = [K * (d + p) + p, p * (forms + d + 1)]
            stated += [K * (p + forms + d - K) + p] if min(p, forms + d) >= K else []
            stated += [K * (2 * d - K + 1) // 2 + K + 1] if p == 1 and d >= K else []
            net = QuadraticArchitecture(K, p, QuadraticFeatures.density(d, bias=True))
            found = rank_modulo_prime(net.sample(11).jacobian)
            assert found <= min(stated), (d, p, K)
            if found < min(stated):
                below.append((d, p, K))
    assert below == [(3, 4, 5)]  # the exception of the statement
    for P, p in ((2, 2), (3, 2), (3, 3)):
        for K in range(1, 2 * P):
            net = QuadraticArchitecture(K, p, QuadraticFeatures.modular(P, bias=True))
            stated = [K * (2 * P + p - 2) + p, p * P**2]
            stated += [K * (p + P**2 - 1 - K) + p] if min(p, P**2 - 1) >= K else []
            assert rank_modulo_prime(net.sample(11).jacobian) <= min(stated), (P, p, K)
            centred = QuadraticArchitecture(K, p, QuadraticFeatures.modular(P, True, True))
            plain = QuadraticArchitecture(K, p, QuadraticFeatures.modular(P, False, True))
            assert centred.upper == plain.upper


def test_the_argument_with_biases_speaks_of_them() -> None:
    told = " ".join(rlct.quadratic(inputs=2, units=1, outputs=2, bias=True).explain().split())
    assert "Σ_j v_kj z_j z_jᵀ + c_k e eᵀ" in told
    assert "integer weights and biases of 1 unit and" in told
    assert "biases" not in "".join(
        step.words.text[0]
        for step in Explanation.of(rlct.quadratic(inputs=2, units=1, outputs=2)).walk()
        if step.rule
    )


def test_the_package_proves_the_small_sizes() -> None:
    for d, p in product(range(1, 5), range(1, 6)):
        for K in range(1, d * (d + 1) // 2 + 2):
            bounds = QuadraticArchitecture(K, p, QuadraticFeatures.density(d)).rank
            assert bounds.lower == bounds.upper, (d, p, K)


def test_lower_bounds_without_computation() -> None:
    """Units that each serve one output: never above the rank, often equal to it."""
    equal = 0
    for d, p in product(range(1, 6), range(1, 5)):
        for K in range(1, d * (d + 1) // 2 + 2):
            lower = QuadraticArchitecture(K, p, QuadraticFeatures.density(d))._known()[0]
            found = tangent_rank(d, p, K)
            assert lower <= found, (d, p, K)
            assert lower == found or min(d, p) < K
            equal += lower == found
            biased = QuadraticArchitecture(K, p, QuadraticFeatures.density(d, bias=True))
            whole = rank_modulo_prime(biased.sample(3).jacobian) if d < 4 else biased.upper[0]
            assert biased._known()[0] <= whole <= biased.upper[0]
            assert biased._known()[0] == whole or d < K
    assert equal > 60
    for modulus, centred in product((2, 3, 4), (False, True)):
        law = QuadraticFeatures.modular(modulus, centred=centred)
        for K in range(1, modulus**2 + 1):
            lower = QuadraticArchitecture(K, modulus, law)._known()[0]
            found = modular_rank_by_values(modulus, K, centred)
            assert lower <= found, (modulus, K)
            assert lower == found or not modulus <= K >= law.count - law.dimension + 1
    assert rlct.quadratic(units=2705, data="modular:53").lam == Fraction(53**3, 2)


def test_bounds_of_the_generic_rank_on_random_data() -> None:
    """Deficient, repeated, constant and proportional inputs, with biases and centred outputs."""
    rng, seen = random.Random(8), 0
    for _ in range(80):
        d, p, K = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 5)
        rows = [[rng.randint(-2, 2) for _ in range(d)] for _ in range(rng.randint(1, 14))]
        kind = rng.random()
        for row in rows:
            row[-1] = 1 if kind < 0.2 else sum(row[:-1]) if kind < 0.5 and d > 1 else row[-1]
        try:
            law = QuadraticFeatures.dataset(rows, rng.random() < 0.5, rng.random() < 0.4)
        except InputError:
            continue
        net = QuadraticArchitecture(K, p, law)
        found = max(matrix_rank(net.sample(seed, 1000).jacobian) for seed in (91, 92))
        assert net._known()[0] <= found, (net, found)
        assert net.rank.lower <= found <= net.rank.upper, (net, found)
        seen += 1
    assert seen > 60


@pytest.mark.parametrize(
    ("sizes", "lam"), [((2, 1, 2), "3/2"), ((3, 2, 5), "6"), ((4, 3, 5), "29/2")]
)
def test_values_that_the_source_has_wrong(sizes: tuple[int, int, int], lam: str) -> None:
    d, p, K = sizes
    assert rlct.quadratic(inputs=d, outputs=p, units=K).pair == Pair.of(lam)
    assert Fraction(K * (d + p - 1), 2) > Fraction(lam)


def modular_rank_by_values(modulus: int, K: int, centred: bool) -> int:
    """Rank of the derivative of all outputs at all pairs, from the network itself."""
    rng = np.random.default_rng([modulus, K])
    u, t = rng.integers(1, P, (2, K, modulus))
    V = rng.integers(1, P, (K, modulus))
    rows = []
    for j in range(K):
        f = (u[j][:, None] + t[j][None, :]) % P
        for a in range(modulus):
            for axis in (0, 1):
                e = np.zeros((modulus, modulus), dtype=np.int64)
                e[(a, slice(None)) if axis == 0 else (slice(None), a)] = 1
                rows.append(np.multiply.outer(V[j], 2 * f * e % P).reshape(modulus, -1) % P)
        square_ = (f * f % P).ravel()
        for k in range(modulus):
            row = np.zeros((modulus, modulus**2), dtype=np.int64)
            row[k] = square_
            rows.append(row)
    table = np.array(rows)
    if centred:
        table = (table * modulus**2 - table.sum(axis=2, keepdims=True)) % P
    return modular_rank(table.reshape(len(table), -1))


@pytest.mark.slow
@pytest.mark.parametrize("centred", [False, True])
def test_modular_arithmetic(centred: bool) -> None:
    for modulus, K in [(2, 1), (2, 3), (3, 2), (3, 4), (3, 7), (3, 9), (4, 3), (5, 4), (5, 6)]:
        found = rlct.quadratic(units=K, data=f"modular:{modulus}", centred=centred)
        assert 2 * found.lam == modular_rank_by_values(modulus, K, centred), (modulus, K)
    assert rlct.quadratic(units=4, data="modular:5", centred=centred).lam == 26
    assert rlct.quadratic(units=4, data="modular:5", bias=True, centred=centred).status == "exact"


def test_modular_data_written_out_or_not() -> None:
    """The analytic description of large moduli, against the dataset of a small one."""
    small = QuadraticFeatures.modular(7, centred=True)
    import rlct.models.quadratic_networks.quadratic_features as module

    limit = module._LARGEST_WRITTEN
    try:
        module._LARGEST_WRITTEN = 6
        large = QuadraticFeatures.modular(7, centred=True)
    finally:
        module._LARGEST_WRITTEN = limit
    assert (large.dimension, large.count) == (small.dimension, small.count) == (13, 48)
    with pytest.raises(InputError, match="too many"):
        large.features([1])


def random_network(rng: random.Random, bias: bool, data: bool) -> QuadraticNetwork:
    d, p, K = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 3)
    if data:
        rows = [[rng.randint(-2, 2) for _ in range(d)] for _ in range(rng.randint(1, 4))]
        rows[0][0] = 1
        rows.append([2] * d)
        law = QuadraticFeatures.dataset(rows, bias, centred=rng.random() < 0.3)
    else:
        law = QuadraticFeatures.density(d, bias)
    entries = (-1, 0, 0, 1, 2)
    hidden = [[rng.choice(entries) for _ in range(d + bias)] for _ in range(K)]
    outer = [[rng.choice(entries) for _ in range(K)] for _ in range(p)]
    return QuadraticNetwork(hidden, outer, law)


@pytest.mark.slow
def test_jacobian_is_the_derivative_of_the_question() -> None:
    rng = random.Random(4)
    seen = 0
    for trial in range(12):
        network = random_network(rng, bool(trial % 2), trial % 3 == 0)
        try:
            problem = network.problem()
        except InputError:
            continue  # nothing is determined
        names = [sympy.Symbol(name) for name in problem.variables]
        at = dict(zip(names, map(sympy.Rational, problem.point), strict=True))
        texts = [sympy.sympify(str(g).replace("^", "**")) for g in problem.generators]
        jacobian = sympy.Matrix(texts).jacobian(names).subs(at)
        assert jacobian.rank() == network.rank
        seen += 1
    assert seen >= 8


@pytest.mark.slow
def test_bounds_at_random_weights_hold_the_engine_s_value() -> None:
    rng = random.Random(5)
    theorem, exact, open_ = get_theorem("quadratic-point"), 0, 0
    for trial in range(30):
        network = random_network(rng, bool(trial % 2), trial % 3 == 0)
        try:
            proof = prove_problem(network.problem(), 2.0)
        except InputError:
            continue
        answer = theorem.apply(**theorem.recognise(network))
        bounds = answer.bounds
        if proof.exact:
            assert bounds.hold(proof.lower), network
            exact += answer.exact
            open_ += not answer.exact
        else:
            assert proof.upper is None or bounds.lower is None or bounds.lower <= proof.upper
    assert exact >= 5
    assert open_ >= 3


def test_hypotheses_of_the_source_hold_at_the_counterexamples() -> None:
    """Theorem 4.2 / G.6 of Cullen et al.: its three hypotheses, at our counterexamples to it."""
    theorem, seen = get_theorem("quadratic-injective"), 0
    for example in theorem.counterexamples:
        if "injectivity" not in example.hypothesis:
            continue
        seen += 1
        bound = theorem.bind(example.arguments)
        hidden, outer = bound["hidden"], bound["outer"]
        K, d = len(hidden), len(hidden[0])
        assert all(map(any, hidden))
        assert all(map(any, zip(*outer, strict=True)))
        assert matrix_rank([square_terms(w) for w in hidden]) == K
        # u_j in a basis of the complement of w_j: the map u ↦ Σ v_kj (u wᵀ + w uᵀ) is injective.
        rows = []
        for j, w in enumerate(hidden):
            complement = sympy.Matrix([list(map(sympy.Rational, w))]).nullspace()
            for u in complement:
                form = [
                    Fraction(int(a.p), int(a.q))
                    for a in (u * sympy.Matrix([w]) + sympy.Matrix([w]).T * u.T)
                ]
                rows.append([row[j] * value for row in outer for value in form])
        assert matrix_rank(rows) == K * (d - 1) == len(rows)
        assert theorem.formula(**example.arguments) != example.truth
    assert seen == 2


def test_inactive_units_add_to_the_rank() -> None:
    """v_j = 0, w_j ≠ 0: p more for each unit, where the source counts nothing."""
    rng = random.Random(6)
    hidden = [[rng.randint(-4, 4) for _ in range(6)] for _ in range(4)]
    outer = [[rng.randint(1, 5), rng.randint(1, 5), 0, 0] for _ in range(5)]
    network = QuadraticNetwork(hidden, outer, QuadraticFeatures.density(6))
    assert network.only([0, 1]).rank == 2 * (6 + 5 - 1)
    assert network.rank == 20 + 2 * 5


def test_ranks() -> None:
    rng = random.Random(7)
    for _ in range(40):
        rows = [[rng.choice((0, 0, 1, -2, Fraction(1, 3))) for _ in range(5)] for _ in range(6)]
        expected = sympy.Matrix(rows).rank()
        assert matrix_rank(rows) == rank_modulo_prime(rows) == expected
        basis, pivots = reduced_echelon(rows)
        assert len(basis) == expected
        for i, row in enumerate(basis):
            assert [row[c] for c in pivots] == [int(i == k) for k in range(expected)]
        assert matrix_rank([*rows, *basis]) == expected
    assert matrix_rank([]) == rank_modulo_prime([]) == matrix_rank([[0, 0]]) == 0


def test_inputs_that_span_less() -> None:
    """d is the rank of the inputs, and a plane in R³ is like R²."""
    rows = [[1, 0, 1], [0, 1, 1], [1, 1, 2], [2, 1, 3]]
    flat = rlct.quadratic(units=2, outputs=1, data=rows)
    assert flat.pair == rlct.quadratic(inputs=2, units=2, outputs=1).pair
    for K, p, bias in product((1, 2, 3), (1, 2), (False, True)):
        wide = QuadraticFeatures.dataset([*rows, [1, -1, 0], [0, 0, 0]], bias)
        assert (wide.forms is None, wide.dimension) == (True, 2 + bias)
        same = QuadraticArchitecture(K, p, QuadraticFeatures.density(2, bias))
        assert QuadraticArchitecture(K, p, wide).rank.lower == same.rank.lower == same.rank.upper
    weights = {"hidden": [[1, 2, 0]], "outer": [[1], [0]]}
    assert rlct.quadratic(weights=weights, data=rows).lam == Fraction(2 + 2 - 1, 2)


def test_floats_are_exact_numbers_beside_a_pattern() -> None:
    exact = rlct.quadratic(weights={"hidden": [[1.5, 0.25], [1, -2]], "outer": [[1, 1], [1, 0]]})
    assert exact.pair == Pair.of(3)
    assert "rank 6 at tolerance 1e-06" in exact.notes[0]
    near = {"hidden": [[1, 0], [1e-9, 0]], "outer": [[1, 1e-8], [1, 0]]}
    doubtful = rlct.quadratic(weights=near)
    assert (doubtful.status, doubtful.lower, doubtful.upper) == (
        "bounds",
        Fraction(3, 2),
        Fraction(4),
    )
    assert "inactive units: 2" in doubtful.notes[0]
    fine = rlct.quadratic(weights=near, tolerance=1e-30)
    assert fine.lower == 2
    text = '{"hidden": [["3/2", "0.25"], [1, -2]], "outer": [[1, 1], [1, 0]]}'
    assert rlct.quadratic(weights=text).notes == ()
    assert rlct.quadratic(weights={"hidden": np.eye(2), "outer": np.ones((1, 2))}).lam is not None
    assert read_weights('{"hidden": [[1.0]], "outer": [[1]]}').rounded


def test_sizes_of_any_magnitude() -> None:
    huge = 10**60
    assert rlct.quadratic(inputs=huge, units=1, outputs=1).lam == Fraction(huge, 2)
    forms = 50_000 * 50_001 // 2
    assert rlct.quadratic(inputs=50_000, units=forms, outputs=huge).lam == Fraction(forms * huge, 2)
    wide = {"hidden": [[1] * 3000], "outer": [[1]]}
    with pytest.raises(InputError, match="too large"):
        rlct.quadratic(weights=wide)


def test_rounded_data() -> None:
    plain = rlct.quadratic(units=2, outputs=1, data=[[1.5, 0], [0, 1.0], [1, 1.25]])
    assert plain.lam == Fraction(3, 2)
    assert "rank 2, quadratic features of rank 3" in plain.notes[0]
    near = [[0.1, 0.3], [0.2, 0.6], [0.3, 0.9]]  # proportional, but not as binary numbers
    with pytest.raises(InputError, match="ranks 1 and 1"):
        rlct.quadratic(units=2, outputs=1, data=near)
    texts = [[str(value) for value in row] for row in near]
    assert rlct.quadratic(units=2, outputs=1, data=texts).lam == Fraction(1, 2)
    for bias, centred in [(True, False), (True, True), (False, True)]:
        rows = [[1.5, 0], [0, 1.0], [1, 1.25], [2, -1]]
        found = rlct.quadratic(units=1, outputs=1, data=rows, bias=bias, centred=centred)
        assert "as well as exactly" in found.notes[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "units is missing"),
        ({"units": 2}, "inputs is missing"),
        ({"inputs": 2, "units": 2}, "outputs is missing"),
        ({"inputs": 0, "units": 1, "outputs": 1}, "positive"),
        ({"inputs": 2, "units": 0, "outputs": 1}, "positive"),
        ({"inputs": 2, "units": 1, "outputs": 1, "centred": True}, "need data"),
        ({"units": 1, "data": "modular:x"}, "modular:5"),
        ({"units": 1, "data": "modular:1"}, "from 2 to 200"),
        ({"units": 1, "data": "modular:99999"}, "from 2 to 200"),
        ({"units": 1, "data": "[[1,", "outputs": 1}, "not JSON"),
        ({"units": 1, "data": [[0, 0]], "outputs": 1}, "are zero"),
        ({"units": 1, "data": [[1]], "outputs": 1, "centred": True}, "determine no weights"),
        ({"units": 1, "data": [[1, 0], [1]], "outputs": 1}, "different lengths"),
        ({"units": 1, "data": [["a"]], "outputs": 1}, "finite numbers"),
        ({"units": 1, "data": [[float("nan")]], "outputs": 1}, "finite numbers"),
        ({"units": 1, "data": [[1, 0]], "inputs": 3, "outputs": 1}, "have 2 inputs"),
        ({"units": 1, "data": 7, "outputs": 1}, "rows of numbers"),
        ({"weights": "[]"}, "object with hidden"),
        ({"weights": {"hidden": [[1]]}}, "need hidden and outer"),
        ({"weights": {"hidden": [[1]], "outer": [[1]], "c": 0}}, "'c'"),
        ({"weights": {"hidden": [[1]], "outer": [[1, 2]]}}, "one per hidden unit"),
        ({"weights": {"hidden": [[1]], "outer": [[1]], "bias": [1, 2]}}, "bias has 2"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "bias": True}, "no bias"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "units": 2}, "1 units, not 2"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "inputs": 2}, "1 inputs, not 2"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "data": [[1, 2]]}, "1 inputs, not 2"),
        ({"weights": {"hidden": [[0.5]], "outer": [[1]]}, "tolerance": 2}, "tolerance"),
        ({"weights": {"hidden": [[1e300]], "outer": [[1]]}}, "finite numbers"),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        rlct.quadratic(**arguments)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


@pytest.mark.parametrize("seed", range(3))
def test_no_rank_exceeds_what_units_of_one_direction_add(seed):
    """The bound with which a rank modulo a prime is the rank; mostly it is reached."""
    rng, reached, count = random.Random(seed), 0, 60
    for _ in range(count):
        d, K, p = rng.randint(1, 4), rng.randint(2, 5), rng.randint(1, 4)
        hidden = [[rng.randint(-1, 2) for _ in range(d)] for _ in range(K)]
        hidden[1] = [rng.choice([0, 1, 2, -1]) * x for x in hidden[0]]
        outer = [[rng.randint(-1, 1) for _ in range(K)] for _ in range(p)]
        network = QuadraticNetwork(hidden, outer, QuadraticFeatures.density(d))
        rank = len(row_basis(network.jacobian))
        assert network.rank == rank <= network._most_rank
        reached += rank == min(
            network._most_rank, *map(len, (network.jacobian, network.jacobian[0]))
        )
    assert reached > count / 2
