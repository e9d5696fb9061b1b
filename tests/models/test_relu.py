"""ReLU networks: density against data, exact integration, gradients, volumes, input errors."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product

import numpy as np
import pytest
import sympy

import rlct
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError
from rlct.models.kit.dichotomies import dichotomies
from rlct.models.relu_networks.relu import EXAMPLE_NETWORKS, ReluNetwork
from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.models.relu_networks.relu_regions import on_sampled_inputs, regions
from rlct.pair import Pair
from rlct.sampling.targets.relu import ReluTarget
from rlct.theorems import get_theorem

HALF = sympy.Rational(1, 2)


def outputs(hidden, outer, x):
    """The network by its definition."""
    z = np.array([*x, 1.0])
    return np.asarray(outer, float) @ np.maximum(np.asarray(hidden, float) @ z, 0)


def test_two_units_on_data_and_on_a_density() -> None:
    data, density = (rlct.relu(example=name) for name in EXAMPLE_NETWORKS)
    assert data.pair == Pair(1, 1)
    assert density.pair == Pair(Fraction(4, 3), 1)
    assert rlct.verify(data.certificate)


@pytest.mark.parametrize(
    ("kinks", "least"), [(("-a", "b"), Fraction(4, 3)), (("a", "a+b"), Fraction(3, 2))]
)
def test_two_units_cell_by_cell(kinks, least) -> None:
    """K integrated by sympy where the kinks have a known order, and the engine on it."""
    x, p, q, a, b = sympy.symbols("x p q a b")
    first, second = (sympy.sympify(kink, {"a": a, "b": b}) for kink in kinks)
    zero = sympy.Integer(0)
    order = [first, zero, second] if kinks[0] == "-a" else [zero, first, second]
    jumps = {first: HALF + p, second: HALF + q, zero: sympy.Integer(-1)}
    ends = [sympy.Integer(-1), *order, sympy.Integer(1)]
    K = zero
    for k, (low, high) in enumerate(pairwise(ends)):
        f = sum((jumps[t] * (x - t) for t in order[:k]), zero)
        K += sympy.integrate(sympy.expand(f**2), (x, low, high)) / 2
    K = sympy.expand(K)
    # The sampler's exact integration agrees with sympy.
    target = ReluTarget([(1, 0), (1, 0)], [(0.5, 0.5)], (-1, 1))
    at = {p: 0.1, q: -0.07, a: 0.2, b: 0.15}
    moves = [float(-kink.subs(at)) for kink in (first, second)]
    w = np.array([[0, moves[0], 0.1, 0, moves[1], -0.07]])
    assert target.divergence(w)[0] == pytest.approx(float(K.subs(at)), rel=1e-12)
    if kinks[0] != "-a":
        assert rlct.poly(K, nonneg=["a", "b"]).lam == least
        return
    # ∫ of the square of a linear function is comparable with length·(values at the ends)².
    pieces = ["p+q", "(1/2+p)*a**2-(1/2+q)*b**2", "a**3*(1/2+p)", "b*a**2*(1/2+p)"]
    ideal = [*pieces, "b*((1/2+p)*a**2+(p-1/2)*b**2)"]
    assert rlct.ideal(ideal, prior="a*b").lam == least
    rng = np.random.default_rng(0)
    value = sympy.lambdify((p, q, a, b), K)
    squares = sympy.lambdify((p, q, a, b), sum(sympy.sympify(g) ** 2 for g in ideal))
    for size in (1e-1, 1e-2, 1e-3):
        draws = rng.uniform(0, size, (2000, 4)) * [size**0.5, size**0.5, 1, 1]
        draws[::2, 1] = -draws[::2, 0]
        ratio = [value(p, q, r * r, s * s) / squares(p, q, r, s) for p, q, r, s in draws]
        assert min(ratio) > 1e-3
        assert max(ratio) < 10


def test_gradient_is_the_derivative() -> None:
    rng = np.random.default_rng(1)
    target = ReluTarget(
        [(1, 0), (-2, 0.5), (1, 0.2)], [(1, -1, 2), (0, 1, 1)], (-1, 2), output_bias=True
    )
    w = rng.uniform(-0.2, 0.2, (5, target.dimension))
    slopes = target.gradient(w)
    for i in range(target.dimension):
        step = np.zeros(target.dimension)
        step[i] = 1e-6
        change = (target.divergence(w + step) - target.divergence(w - step)) / 2e-6
        assert change == pytest.approx(slopes[:, i], rel=1e-5, abs=1e-7)
    folded = target.reflect(3 * w)
    assert (np.abs(folded) <= target.radius).all()
    assert target.reflect(w) == pytest.approx(w)


def test_divergence_is_that_of_the_network() -> None:
    """Against a fine grid, by the definition of the network."""
    hidden, outer = [(1, 0), (-2, 0.5)], [(1, -1)]
    target = ReluTarget(hidden, outer, (-1, 2))
    w = np.array([[0.1, -0.2, 0.05, -0.1, 0.15, 0.2]])
    moved = target.truth + w[0]
    new = (moved.reshape(2, 3)[:, :2], moved.reshape(2, 3)[:, 2][None])
    grid = (np.arange(20_000) + 0.5) / 20_000 * 3 - 1
    gaps = [outputs(*new, [x])[0] - outputs(hidden, outer, [x])[0] for x in grid]
    assert target.divergence(w)[0] == pytest.approx(np.mean(np.square(gaps)), rel=1e-6)


def test_polynomials_are_those_of_the_network() -> None:
    rng = random.Random(3)
    for _ in range(10):
        hidden = [[rng.randint(-3, 3) for _ in range(3)] for _ in range(3)]
        outer = [[rng.randint(-2, 2) for _ in range(3)] for _ in range(2)]
        data = [[rng.randint(-4, 4), rng.randint(-4, 4)] for _ in range(5)]
        network = ReluNetwork(hidden, outer, data)
        inside = network.without_boundary()
        if inside is None or not inside.groups:
            continue
        problem = inside.problem()
        assert inside.rank == np.linalg.matrix_rank(np.array(inside.jacobian, float))
        step = {name: Fraction(rng.randint(-9, 9), 1000) for name in problem.variables}
        point = dict(zip(problem.variables, problem.point, strict=True))
        moved = {name: point[name] + step[name] for name in problem.variables}
        exact = {name: sympy.Rational(v.numerator, v.denominator) for name, v in moved.items()}
        values = sorted(float(g.as_expr().subs(exact)) for g in problem.generators)
        new_hidden = [
            [
                float(moved.get(f"w{j + 1}_{i + 1}" if i < 2 else f"b{j + 1}", hidden[j][i]))
                for i in range(3)
            ]
            for j in range(3)
        ]
        new_outer = [
            [float(moved.get(f"v{k + 1}_{j + 1}", outer[k][j])) for j in range(3)] for k in range(2)
        ]
        gaps = [
            gap
            for x in inside.data
            for gap in outputs(new_hidden, new_outer, [float(v) for v in x])
            - outputs(hidden, outer, [float(v) for v in x])
        ]
        gaps = sorted(gap for gap in gaps if abs(gap) > 1e-12)
        assert [v for v in values if abs(v) > 1e-12] == pytest.approx(gaps, abs=1e-9)


def test_theorem_and_engine_agree_on_random_networks() -> None:
    """Whatever both prove must be the same; bounds must hold."""
    rng = random.Random(5)
    exact = 0
    for _ in range(60):
        units, p, d = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 2)
        hidden = [[rng.randint(-1, 1) for _ in range(d + 1)] for _ in range(units)]
        outer = [[rng.randint(-1, 1) for _ in range(units)] for _ in range(p)]
        points = rng.randint(1, 6)
        data = [[rng.choice((-3, -2, 2, 3)) for _ in range(d)] for _ in range(points)]
        network = ReluNetwork(hidden, outer, data)
        if network.on_boundary or not network.groups:
            continue
        proof = prove_problem(network.problem(), 2)
        for name in ("relu-data", "relu-bound"):
            arguments = get_theorem(name).recognise(network)
            if arguments is None:
                continue
            answer = get_theorem(name).apply(**arguments)
            if answer.exact and proof.exact:
                exact += 1
                assert answer.pair == proof.lower, (hidden, outer, data)
            elif answer.bounds and proof.exact:
                assert answer.bounds.hold(proof.lower), (hidden, outer, data)
            elif answer.exact:
                assert proof.lower <= answer.pair, (hidden, outer, data)
                assert proof.upper is None or answer.pair <= proof.upper
    assert exact >= 15


def test_density_is_never_below_data() -> None:
    rng = random.Random(8)
    for _ in range(40):
        units, p = rng.randint(1, 4), rng.randint(1, 2)
        hidden = [[rng.choice((-2, -1, 1)), rng.randint(-2, 2)] for _ in range(units)]
        outer = [[rng.choice((-1, 1, 2)) for _ in range(units)] for _ in range(p)]
        network = ReluNetwork(hidden, outer, box=((-1, 1),))
        arguments = get_theorem("relu-density").recognise(network)
        if arguments is None:
            continue
        bounds = get_theorem("relu-density").apply(**arguments).bounds
        data = [[Fraction(k, 7)] for k in range(-6, 7)]
        seen = ReluNetwork(hidden, outer, data).without_boundary()
        assert bounds.upper >= Pair(Fraction(max(seen.rank, 1), 2), 1)
        assert bounds.lower is None or bounds.lower <= bounds.upper
        assert bounds.upper.lam <= Fraction(units * (p + 1), 2)


def test_regions() -> None:
    network = ReluNetwork(
        ((1, 1, 0), (2, 2, 0), (-1, -1, 0), (1, 0, 2), (1, 0, -2), (1, 0, 1), (0, 0, 0)),
        ((1,) * 7,),
        box=((-1, 1), (-1, 1)),
    )
    found = regions(network)
    (boundary,) = found.boundaries
    assert boundary.sides == ((0, 1), (2,))
    assert boundary.jumps == ((1,), (2,), (1,))
    assert found.everywhere == (3,)
    assert found.edge == (5, 6)
    assert not boundary.may_cancel()
    assert found.two_sided == 1


def on_wall(hidden, outer, box, bias=True, output_bias=False):
    return ReluNetwork(hidden, outer, None, box, bias, output_bias)


@pytest.mark.parametrize("scale", [1, "1/3"])
def test_one_boundary_on_the_wall(scale) -> None:
    """Inside it is a linear function: the engine's value of its two coefficients."""
    network = on_wall(((1, 0),), ((scale,),), ((0, 1),))
    linear = rlct.ideal(["v*w - 1", "v*b"], at={"v": "1", "w": "1", "b": "0"}).pair
    assert rlct.solve(network).pair == linear == Pair(1, 1)
    # A second unit that shares it: at least what inputs inside see, and 4/3 is between.
    shared = rlct.solve(on_wall(((1, 0), (1, 0)), ((scale, scale),), ((0, 1),)))
    assert (shared.lower, shared.upper) == (1, 2)


def test_units_that_vanish_at_the_input_0_only_are_linear() -> None:
    for box, w, v in (((0, 1),), (1,), (1,)), (((0, 1), (-2, 0)), (3, -1), (1, 2)):
        network = on_wall((w, w), tuple((x, x) for x in v), box, bias=False)
        assert regions(network).everywhere == (0, 1)
        linear = rlct.linear(weights=[[w, w], [[x, x] for x in v]])
        assert rlct.solve(network).pair == linear.pair
    edge = on_wall(((1, 0),), ((1,),), ((0, 1), (0, 1)), bias=False)
    assert regions(edge).edge == (0,)  # (1, ε) has its boundary inside for ε < 0


@pytest.mark.parametrize(
    ("hidden", "box", "bias"),
    [
        (((-1, 0),), ((0, 1),), True),
        (((0, 0),), ((-1, 1),), True),
        (((-1,),), ((0, 1),), False),
        (((0, 0),), ((0, 1), (1, 2)), False),
    ],
)
def test_no_lambda_where_all_units_can_die(hidden, box, bias) -> None:
    with pytest.raises(InputError, match="open set of weights"):
        rlct.solve(on_wall(hidden, ((1,),), box, bias))
    with_constant = rlct.solve(on_wall(hidden, ((1,),), box, bias, output_bias=True))
    assert with_constant.upper >= Fraction(1, 2)


def test_a_zero_unit_may_not_die() -> None:
    """K ≍ w²: ReLU(wx) is active on half of [−1, 1] for every w ≠ 0."""
    found = rlct.solve(on_wall(((0,),), ((1,),), ((-1, 1),), bias=False))
    assert found.upper == Fraction(1, 2)
    dead_side = rlct.solve(on_wall(((-1, 0),), ((1,),), ((0, 1), (-1, 1)), bias=False))
    assert dead_side.upper == 1


def test_cancelling_jumps_are_noticed() -> None:
    network = ReluNetwork(((1, 0), (2, 0), (1, 0)), ((2, -2, 2),), box=((-1, 1),))
    (boundary,) = regions(network).boundaries
    assert boundary.may_cancel()  # 2 − 4 + 2
    assert (
        rlct.relu(
            {"hidden": [[1], [2], [1]], "bias": [0, 0, 0], "outer": [[2, -2, 2]]}, density=[[-1, 1]]
        ).status
        == "bounds"
    )


def test_many_units_may_share_a_boundary() -> None:
    ones = ((1, 0),) * 16
    same = ReluNetwork(ones, ((1,) * 16,), box=((-1, 1),))
    assert rlct.solve(same).pair == Pair(6, 1)
    mixed = ReluNetwork(ones, ((3,) * 8 + (-1,) * 8,), box=((-1, 1),))
    assert rlct.solve(mixed).status == "bounds"


def test_input_on_a_boundary_has_no_polynomial() -> None:
    weights = {"hidden": [[1], [1]], "bias": [0, 0], "outer": [["1/2", "1/2"]]}
    found = rlct.relu(weights, data=[[-1], [0], ["1/2"], [1]])
    assert "boundary" in found.notes[0]
    with pytest.raises(InputError, match="lies on a boundary"):
        found.question.problem()


def test_floats_are_doubted() -> None:
    plain = {"hidden": [[1.5], [0.5]], "bias": [0.0, 1.0], "outer": [[1.0, 1.0]]}
    assert rlct.relu(plain, density=[[-3, 3]]).pair == Pair(2, 1)
    near = {"hidden": [[1.0], [1.0]], "bias": [0.0, 1e-9], "outer": [[1.0, 1.0]]}
    found = rlct.relu(near, density=[[-1, 1]])
    assert found.status == "bounds"
    assert "coincide" in found.notes[-1]
    close = rlct.relu({"hidden": [[1.0]], "outer": [[1.0]]}, data=[[1.0], [1e-9]])
    assert close.status == "exact"  # |w·x| is relative to |w||x|
    shifted = rlct.relu(
        {"hidden": [[1.0, -1.0]], "outer": [[1.0]]}, data=[[1.0, 0.0], [1.0, 1.0 - 1e-9]]
    )
    assert shifted.status == "bounds"
    assert "almost lies on a boundary" in shifted.notes[-1]


def test_floats_are_doubted_where_only_the_ranks_of_a_group_tell() -> None:
    # 0.9 · 0.1 − 0.3 · 0.3 is not 0 in floats; as decimals VW = 0 and the pair is (3/2, 1).
    hidden, outer = [[0.1, 0.2], [0.3, 0.6]], [[0.9, -0.3], [0.9, -0.3]]
    data = [[1, 0], [0, 1], [1, 1]]
    decimals = [[[str(x) for x in row] for row in rows] for rows in (hidden, outer)]
    meant = rlct.relu({"hidden": decimals[0], "outer": decimals[1]}, data=data)
    assert meant.pair == Pair.of("3/2")
    found = rlct.relu({"hidden": hidden, "outer": outer}, data=data)
    assert found.status == "bounds"
    assert found.lower == Fraction(3, 2)
    assert "VW 0; as exact numbers" in found.notes[-1]
    plain = rlct.relu({"hidden": hidden, "outer": [[0.9, 0.3], [0.9, 0.3]]}, data=data)
    assert plain.pair == Pair.of(2, 2)
    assert "W 1, V 1, VW 1, as well as exactly" in plain.notes[-1]


def test_floats_are_doubted_where_jumps_almost_cancel() -> None:
    weights = {"hidden": [[1], [1], [1]], "bias": [0, 0, 0], "outer": [[0.1, 0.2, -0.3]]}
    found = rlct.relu(weights, density=[[-1, 1]])
    assert found.status == "bounds"
    assert "almost cancel" in found.notes[-1]
    weights["outer"] = [[0.1, 0.2, -0.25]]
    assert rlct.relu(weights, density=[[-1, 1]]).pair == Pair.of("5/3")


def test_large_floats_have_a_pattern() -> None:
    weights = {"hidden": [[9e149], [9e149]], "outer": [[9e149, -9e149]]}
    assert "VW 0, as well as exactly" in rlct.relu(weights, data=[[9e149]]).notes[-1]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({}, "weights are missing"),
        ({"example": "three"}, "two-units-data"),
        ({"example": "two-units-data", "data": [[1]]}, "give no others"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}}, "either data or density"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "data": [[1, 2]]}, "needs 2 weights"),
        ({"weights": {"hidden": [[1]], "outer": [[1, 1]]}, "data": [[1]]}, "1 weights"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "data": [[-1]]}, "K is 0"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "data": []}, "rows of numbers"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "density": [[1, 0]]}, "low < high"),
        ({"weights": {"hidden": [[1]], "outer": [[1]]}, "density": [[-2, -1]]}, "K is 0"),
        ({"weights": "{", "data": [[1]]}, "not JSON"),
    ],
)
def test_bad_input(keywords, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.relu(**keywords)


def test_command_line(tmp_path, capsys) -> None:
    from rlct.cli.main import main

    weights, data = tmp_path / "weights.json", tmp_path / "data.json"
    weights.write_text('{"hidden": [[1], [1]], "bias": [0, 0], "outer": [["1/2", "1/2"]]}')
    data.write_text('[[-1], ["-1/2"], ["1/2"], [1]]')
    start = ["net", "relu", "--weights", str(weights)]
    assert main([*start, "--data", str(data), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lambda"] == "1"
    assert main([*start, "--density", "x=-1:1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lambda"] == "4/3"
    assert main([*start, "--density", "x=-1"]) == 2
    assert capsys.readouterr().err.startswith("rlct: error: --density")
    data.write_text("[[-1], [0], [1]]")
    assert main([*start, "--data", str(data)]) == 0
    assert "piece by piece" in capsys.readouterr().out


def random_parameter(rng, kinks, jumps, spare):
    """A parameter of the function with these kinks: units split, inactive, or with v = 0."""
    hidden, outer = [], []
    for form, jump in zip(kinks, jumps, strict=True):
        share = Fraction(rng.randint(1, 5), 7)
        for part in (share, 1 - share):
            size = Fraction(rng.randint(1, 4))
            hidden.append(tuple(size * value for value in form))
            outer.append(part * jump / size)
    for _ in range(spare):
        inactive = rng.random() < 0.5
        hidden.append((0, 0, -3) if inactive else (1, rng.randint(2, 9), 0))
        outer.append(rng.randint(1, 3) if inactive else 0)
    return tuple(hidden), (tuple(outer),)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_rank_is_nowhere_smaller_on_the_fibre(seed) -> None:
    """The lower bound of relu-fibre at random parameters of one function, by exact ranks."""
    rng = random.Random(seed)
    kinks = ((1, 0, Fraction(1, 3)), (1, -1, 0), (-1, -2, Fraction(1, 2)))
    jumps = (Fraction(2), Fraction(-1), Fraction(3))
    hidden, outer = random_parameter(rng, kinks, jumps, rng.randint(0, 3))
    net = ReluNetwork(hidden, outer, box=((-1, 1), (-1, 1)))
    least = rlct.solve(ReluFibre(net))
    assert least.pair == Pair(Fraction(9, 2), 1)
    assert on_sampled_inputs(net).rank >= 9
    example = ReluFibre(net).example()
    for _ in range(20):
        x = [rng.uniform(-1, 1), rng.uniform(-1, 1)]
        one = outputs([list(map(float, w)) for w in hidden], outer, x)
        assert np.allclose(one, outputs(example.hidden, example.outer, x))


def lines(rng, size) -> tuple[list, list]:
    """Units on [−1, 1] with one output; boundaries inside, on the wall and outside."""
    hidden = [[rng.choice((-2, -1, 1, 2)), rng.choice((-4, -1, 0, 0, 1, 4))] for _ in range(size)]
    return hidden, [rng.choice((-2, -1, 1, 2)) for _ in range(size)]


@pytest.mark.slow
@pytest.mark.parametrize("output_bias", [False, True])
def test_the_minimum_does_not_depend_on_how_a_function_is_written(output_bias) -> None:
    """Identities of ReLU: the same minimum, nowhere a smaller rank, and an example of it."""
    rng = random.Random(int(output_bias) + 5)
    met = more = 0
    while met < 60:
        hidden, outer = lines(rng, rng.randint(1, 3))
        net = ReluNetwork(hidden, [outer], None, ((-1, 1),), True, output_bias)
        asked = ReluFibre(net, 6)
        if asked.constant or not asked.equations:
            continue
        j = rng.randrange(len(hidden))
        w, v = hidden[j], outer[j]
        large = [0, 2]
        lift = [[w[0], w[1] + 9], [0, 9]]
        other = {
            # v ReLU(ω) = v ReLU(−ω) + v ω, and ω = (ω + 9) − 9 or ReLU(ω) − ReLU(−ω).
            "flip": ([[-x for x in w], *lift], [v, v, -v]),
            "split": ([w, [3 * x for x in w]], [v - 3, 1]),
            "dead": ([w, [0, -1], large], [v, 7, 0]),
        }[rng.choice(("flip", "split", "dead"))]
        rows, ends = hidden[:j] + other[0] + hidden[j + 1 :], outer[:j] + other[1] + outer[j + 1 :]
        again = ReluNetwork(rows, [ends], None, ((-1, 1),), True, output_bias)
        found = rlct.solve(asked)
        assert rlct.solve(ReluFibre(again, 6)).pair == found.pair
        for one in (net, again):
            assert on_sampled_inputs(one).rank >= asked.equations
        example = asked.example()
        assert 2 * found.pair.lam == on_sampled_inputs(example).rank
        xs = np.linspace(-1, 1, 9)
        gaps = [
            outputs(one.hidden, one.outer, [x])[0] - outputs(example.hidden, example.outer, [x])[0]
            for x in xs
            for one in (net, again)
        ]
        assert np.ptp(gaps) < 1e-9
        assert output_bias or abs(gaps[0]) < 1e-9
        met += 1
        more += asked.equations > 2 * len(asked.kinks) + output_bias
    assert more > 15


def test_minimum_over_all_parameters_in_words_and_errors() -> None:
    assert "minimum over all parameters" in str(rlct.relu(example="two-units-density", fibre=True))
    folded = {"hidden": [[1], [-1]], "bias": [0, 0], "outer": [[1, 1]]}
    assert rlct.relu(folded, density=[[-1, 1]], fibre=True).pair == Pair.of(2)
    rest = {"hidden": [[1], [1], [0]], "bias": [0, 2, 1], "outer": [[1, 1, 0], [0, 0, 1]]}
    open_ = rlct.relu(rest, density=[[-1, 1]], fibre=True)
    assert (open_.status, open_.lower, open_.upper) == ("bounds", 3, Fraction(7, 2))
    flat = {"hidden": [[1, 0]], "outer": [[1]]}
    box = [[-1, 1], [-1, 1]]
    assert rlct.relu(flat, density=box, fibre=True).pair == Pair.of(1)
    assert rlct.relu(flat, density=box, fibre=True, units=2).lower == 1
    two = {"hidden": [[1], [1]], "bias": [0, "1/2"], "outer": [[1, 1]]}
    for options, message in [
        ({"example": "two-units-density", "units": 3}, "say fibre"),
        ({"example": "two-units-density", "fibre": True, "units": 0}, "positive"),
        ({"weights": folded, "density": [[-1.5, 1]], "fibre": True}, "exact numbers"),
        ({"weights": two, "density": [[-1, 1]], "fibre": True, "units": 1}, "2 kinks, more than 1"),
    ]:
        with pytest.raises(InputError, match=message):
            rlct.relu(**options)
    with pytest.raises(InputError, match="not constant"):
        get_theorem("relu-fibre").apply(hidden=((1, -2),), outer=((1,),), box=((-1, 1),))


def test_dichotomies_are_those_that_random_directions_meet() -> None:
    rng = random.Random(11)
    whole = 0
    for _ in range(25):
        width = rng.randint(1, 3)
        points = [[rng.randint(-2, 2) for _ in range(width)] for _ in range(rng.randint(1, 6))]
        points = [z for z in points if any(z)]
        found = dichotomies(points)
        for chosen, w in found.items():
            values = [sum(a * b for a, b in zip(w, z, strict=True)) for z in points]
            assert all(values)
            assert chosen == {i for i, value in enumerate(values) if value > 0}
        turns = np.random.default_rng(len(points)).normal(size=(2000, width))
        signs = turns @ np.array(points, float).reshape(-1, width).T > 0
        met = {frozenset(map(int, np.flatnonzero(row))) for row in signs}
        assert met <= set(found)
        whole += met == set(found)
    assert whole > 20  # a narrow cell may be missed by 2000 directions


@pytest.mark.slow
def test_minimum_over_the_values_on_data() -> None:
    """At random parameters: the example has the same values and the rank; none has less."""
    rng = random.Random(12)
    exact = smaller = 0
    for _ in range(100):
        width, bias, output_bias = rng.randint(1, 2), rng.random() < 0.7, rng.random() < 0.3
        units = rng.randint(1, 3)
        data = [[rng.randint(-3, 3) for _ in range(width)] for _ in range(rng.randint(1, 5))]
        hidden = [
            [Fraction(rng.randint(-4, 4), 2) for _ in range(width + bias)] for _ in "x" * units
        ]
        outer = [[rng.randint(-2, 2) for _ in range(units)]]
        given = ReluNetwork(hidden, outer, data, None, bias, output_bias)
        try:
            asked = ReluDataFibre(given, units + rng.randint(0, 2))
        except InputError:
            assert not any(asked_values(given)), given
            continue
        found = asked.search
        assert found.least is not None
        if not given.on_boundary:
            assert found.least <= given.rank
            smaller += found.least < given.rank
        example = asked.example()
        if example is not None:
            assert example.units == asked.size
            assert example.rank == found.reached
            kept = [
                x for x, z in zip(given.data, given.inputs, strict=True) if any(z) or output_bias
            ]
            moved = {
                a - b
                for a, b in zip(asked_values(example, kept), asked_values(given, kept), strict=True)
            }
            assert len(moved) == 1 if output_bias else moved == {0}
            exact += found.least == found.reached
    assert exact > 30
    assert smaller > 2


def asked_values(network: ReluNetwork, data=None) -> list[Fraction]:
    """Values without the output bias, as the formula of the network says."""
    last = [Fraction(1)] * network.bias
    return [
        sum(
            v * max(sum(a * b for a, b in zip(w, [*x, *last], strict=True)), Fraction(0))
            for v, w in zip(network.outer[0], network.hidden, strict=True)
        )
        for x in (network.data if data is None else data)
    ]


def test_no_parameter_has_less_than_the_minimum_on_data() -> None:
    """All parameters of two units with small integer weights, by their values."""
    data = ((-1,), (1,), (2,))
    weights = list(product((-2, -1, 1, 2), (-3, -1, 1, 3)))
    ranks: dict[tuple[Fraction, ...], int] = {}
    for one, two in combinations_with_replacement(weights, 2):
        for outer in product((-1, 1), repeat=2):
            given = ReluNetwork((one, two), (outer,), data)
            if not given.on_boundary:
                values = tuple(asked_values(given))
                ranks[values] = min(given.rank, ranks.get(values, 9))
    checked = 0
    for one, two in combinations_with_replacement(weights[::3], 2):
        given = ReluNetwork((one, two), ((1, -1),), data)
        values = tuple(asked_values(given))
        if any(values) and values in ranks:
            assert ReluDataFibre(given).search.least <= ranks[values]
            checked += 1
    assert checked > 5


def test_several_outputs_on_data_are_bounded_by_each() -> None:
    weights = {"hidden": [[1], [1]], "bias": [0, -1], "outer": [[1, 0], [0, 1], [0, 0]]}
    found = rlct.relu(weights, data=[[-1], [2], [3]], fibre=True)
    assert (found.status, found.lower, found.upper) == ("bounds", 1, 3)
    assert rlct.relu(weights, data=[[-1], [2], [3]]).pair == Pair(3, 1)


@pytest.mark.parametrize(
    ("weights", "inputs", "message"),
    [
        ({"hidden": [[1]], "outer": [[0]]}, {"data": [[1]]}, "is 0 on the data"),
        (
            {"hidden": [[1], [-1]], "outer": [[1, 1]]},
            {"data": [[-1], [1]], "units": 1},
            "no network",
        ),
        (
            {"hidden": [[1], [-1]], "bias": [0, 0], "outer": [[1, 1]]},
            {"density": [[-1, 1]], "units": 1},
            "affine function",
        ),
    ],
)
def test_minimum_that_nothing_has(weights, inputs, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.relu(weights, **inputs, fibre=True)


@pytest.mark.slow
def test_too_many_ways_to_see_the_data_leave_bounds() -> None:
    data = [[i % 4 - 2, i * i % 5 - 2] for i in range(12)]
    hidden = [[1, 2], [3, -1], [0, 1], [-1, -1]]
    weights = {"hidden": hidden, "bias": [0, 1, -1, "1/3"], "outer": [[1, 2, -1, 3]]}
    found = rlct.relu(weights, data=data, fibre=True)
    assert found.status == "bounds"
    assert (found.lower, found.upper) == (Fraction(3, 2), 5)


def _density_in_fractions(weights: list[Fraction], truth: list[Fraction]) -> Fraction:
    """E|f − f*|² on [−1, 1] for one output and units (w, b, v)."""
    both = [[row[j : j + 3] for j in range(0, len(row), 3)] for row in (weights, truth)]
    kinks = {-b / w for units in both for w, b, _ in units if w}
    nodes = sorted({Fraction(-1), Fraction(1)} | {x for x in kinks if -1 < x < 1})
    f, right = (
        [sum(v * max(w * x + b, Fraction(0)) for w, b, v in units) for x in nodes] for units in both
    )
    gap = [p - q for p, q in zip(f, right, strict=True)]
    sides = zip(gap[:-1], gap[1:], nodes[:-1], nodes[1:], strict=True)
    return sum((y - x) * (p * p + p * q + q * q) for p, q, x, y in sides) / 6


def test_rounding_leaves_k_its_value_up_to_the_resolution() -> None:
    """Two units, scaled along the fibre and moved a little, against fractions."""
    truth = np.array([1.0, 0.25, 1.0, -1.0, 0.5, 0.75])
    target = ReluTarget([(1, 0.25), (-1, 0.5)], [[1, 0.75]], (-1, 1))
    rng = np.random.default_rng(3)
    errors = {}
    for size in (1e-10, 1e-15):
        scale = np.exp(0.1 * rng.standard_normal((40, 2)))
        factors = np.stack([scale, scale, 1 / scale], axis=2).reshape(40, 6)
        w = truth * (factors - 1) + size * rng.standard_normal((40, 6))
        found = target.divergence(w)
        exact = [
            _density_in_fractions(
                [Fraction(a) + Fraction(b) for a, b in zip(truth, row, strict=True)],
                [Fraction(a) for a in truth],
            )
            for row in w
        ]
        assert np.median(found) == pytest.approx(size**2, rel=1.0)
        errors[size] = max(abs(k / float(x) - 1) for k, x in zip(found, exact, strict=True))
    assert 1 / target.resolution == pytest.approx(1e-20)
    assert errors[1e-10] < 1e-4
    assert errors[1e-15] > 1e-2  # control: here rounding hides K
