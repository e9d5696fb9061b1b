"""Tables of networks with biases: against polynomials at single parameters of the truth."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
import sympy

import rlct
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.selection.families import get_family


def quadratic_pair(units, truth) -> Pair:
    """Σ a (w x + b)² − Σ_true at one parameter, by the engine: a unit is (a, w, b)."""
    generators = []
    for exponents in ((2, 0), (1, 1), (0, 2)):  # of w and b
        terms = [f"a{k}*w{k}**{exponents[0]}*b{k}**{exponents[1]}" for k in range(len(units))]
        true = sum(a * w ** exponents[0] * b ** exponents[1] for a, w, b in truth)
        generators.append(" + ".join(terms) + f" - ({true})")
    at = {
        f"{name}{k}": value
        for k, unit in enumerate(units)
        for name, value in zip("awb", unit, strict=True)
    }
    return rlct.ideal(generators, at={name: value for name, value in at.items() if value}).pair


@pytest.mark.parametrize(
    ("units", "true_units"),
    [
        ([(0, 0, 0)], []),
        ([(1, 1, 0), (0, 0, 0)], [(1, 1, 0)]),
        ([(0, 0, 0), (0, 0, 0)], []),
        ([(1, 1, 0), (-1, 0, 1)], [(1, 1, 0), (-1, 0, 1)]),
    ],
)
def test_quadratic_units_with_biases(units, true_units) -> None:
    cell = get_family("quadratic-network").cell(
        {"inputs": 1, "biases": "units"}, len(units), len(true_units)
    )
    assert cell.exact
    assert cell.lower == quadratic_pair(units, true_units)


@pytest.mark.parametrize(
    ("units", "true_units"),
    [
        ([(2, 1, 0), (-1, 1, 0)], [(1, 1, 0)]),  # two units share the true one
        ([(1, 1, 0), (0, 1, 1)], [(1, 1, 0)]),  # an idle unit elsewhere
        ([(1, 1, 0), (1, 0, 0)], [(1, 1, 0)]),
        ([(1, 1, 1), (-1, 1, 1)], []),  # they cancel
        ([(0, 1, 0), (0, 0, 1)], []),
        ([(-1, 0, 1), (0, 0, 0)], [(-1, 0, 1)]),  # a truth of the other sign
    ],
)
def test_no_parameter_of_a_quadratic_truth_is_deeper(units, true_units) -> None:
    cell = get_family("quadratic-network").cell(
        {"inputs": 1, "biases": "units"}, len(units), len(true_units)
    )
    assert cell.lower <= quadratic_pair(units, true_units)


def test_quadratic_bounds_hold_what_the_engine_finds() -> None:
    """Three idle units in two dimensions have 5/4; a value below is no lower bound there."""
    family = get_family("quadratic-network")
    for inputs, size, truth in combinations_with_replacement(range(1, 6), 3):
        if truth <= inputs:
            cell = family.cell({"inputs": inputs}, max(size, truth), truth)
            assert cell.lower.lam <= cell.upper.lam <= (inputs + 1) * max(size, truth) / 2
    open_cell = family.cell({"inputs": 3, "biases": "units"}, 5, 2)
    assert open_cell.exact  # 7/2 + Z(3, 2)
    assert open_cell.lower == Pair.of("19/4")
    assert not family.cell({"inputs": 3}, 4, 0).exact


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"inputs": 2, "biases": "some"}, "biases is none or units, not 'some'"),
        ({"inputs": 1}, "no function needs 2 units: leave out sizes above 1"),
        ({"biases": "units"}, "inputs is missing"),
        ({"inputs": 0}, "inputs must be an integer from 1 on, not '0'"),
    ],
)
def test_what_a_quadratic_family_refuses(facts, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.select({1: -30.0, 2: -20.0}, "quadratic-network", n=50, **facts)


TANH = get_family("tanh")
TRUE_UNIT = (1.0, 0.3)  # b* and c*


def place(true_hidden, output_bias, scale, rng):
    """Two units (a, b, c) at which the orders 0 and 1 vanish, and the names of their values."""
    a, u, v = rng.uniform(1, 2, size=(3, 2)) * scale * rng.choice([-1, 1], size=(3, 2))
    if true_hidden:
        a[0] = 1 - a[1]
        u[0], v[0] = -a[1] * u[1] / a[0], -a[1] * v[1] / a[0]
        names = {f"u{h + 1}_{j + 1}": (u, v)[j][h] for h in range(2) for j in range(2)}
        return a, TRUE_UNIT[0] + u, TRUE_UNIT[1] + v, names
    slopes = 1 - np.tanh(v) ** 2
    if not output_bias:
        a[0] = -a[1] * np.tanh(v[1]) / np.tanh(v[0])
    u[0] = -a[1] * slopes[1] * u[1] / (a[0] * slopes[0])
    return (
        a,
        u,
        v,
        {
            f"{k}{h + 1}{end}": value
            for k, end, values in (("b", "_1", u), ("t", "", np.tanh(v)))
            for h, value in enumerate(values)
        },
    )


@pytest.mark.parametrize(("true_hidden", "output_bias"), [(1, False), (0, True), (0, False)])
def test_the_polynomials_are_comparable_with_the_loss_of_the_network(
    true_hidden, output_bias
) -> None:
    """E|f − f*|² over inputs in (−2, 2) by Σ g², where low orders vanish; without others it fails.

    The bias of the output is such that the constant is 0.
    """
    network = rlct.models.get_model("tanh-bias")(1, 2, true_hidden, output_bias)
    generators = network.polynomials().generators
    symbols = sorted(set().union(*(sympy.sympify(g).free_symbols for g in generators)), key=str)
    written = sympy.lambdify(symbols, generators)
    rng = np.random.default_rng(5)
    x = np.linspace(-2, 2, 401)
    ratios, low_orders = [], []
    for scale in np.repeat([0.1, 0.03, 0.01], 40):
        a, b, c, names = place(true_hidden, output_bias, scale, rng)
        error = a @ np.tanh(np.outer(b, x) + c[:, None])
        error -= np.tanh(TRUE_UNIT[0] * x + TRUE_UNIT[1]) if true_hidden else 0
        error -= a @ np.tanh(c) if output_bias else 0
        names |= {"a1": a[0], "a2": a[1], "d": 0.0}
        squares = np.array(written(*(names[str(symbol)] for symbol in symbols))) ** 2
        ratios.append((error**2).mean() / squares.sum())
        low_orders.append((error**2).mean() / (squares[: 3 if true_hidden else 2].sum() + 1e-300))
    assert 1e-4 < min(ratios) < max(ratios) < 20
    if not output_bias:  # there the second polynomial is the one that is left
        assert min(low_orders) > 1e3


@pytest.mark.parametrize(
    ("facts", "rows"),
    [
        ({"inputs": 1}, {1: ["3/2"], 2: ["2 (2)", "3"], 3: ["5/2 (4)", "7/2 (2)", "9/2"]}),
        ({"inputs": 2}, {1: ["2"], 2: ["5/2", "4"], 3: ["3", "9/2", "6"]}),
    ],
)
def test_tanh_units_with_biases(facts, rows) -> None:
    """Written by hand from the theory page; the engine recomputes the germs with the theorem."""
    for size, row in rows.items():
        cells = [TANH.cell({**facts, "biases": "units"}, size, truth + 1) for truth in range(size)]
        assert [str(cell) for cell in cells] == row
    seen = [str(TANH.cell({**facts, "biases": "all"}, 3, truth)) for truth in (1, 2, 3)]
    two = {1: ["11/4", "4 (2)", "5"], 2: ["7/2", "5", "13/2"]}
    assert seen == two[facts["inputs"]]
    assert TANH.parameter_count({**facts, "biases": "all"}, 3) == 3 * (facts["inputs"] + 2) + 1
    bounds = TANH.cell({**facts, "biases": "units"}, 5, 1)
    assert not bounds.exact
    assert bounds.lower.lam < bounds.upper.lam


@pytest.mark.parametrize(
    ("output_bias", "place"),
    [
        (False, {"t1": "1/3"}),  # one unit has a constant
        (False, {"a1": 1, "a2": -1, "t1": "1/2", "t2": "1/2", "b1_1": 1, "b2_1": 1}),
        (True, {"t1": "1/2", "t2": "1/2"}),
        (True, {"a1": 1, "a2": -1}),  # weights that are not 0
    ],
)
def test_no_place_of_the_zero_function_is_deeper(output_bias, place) -> None:
    sizes = {"inputs": 1, "hidden": 2, "output_bias": output_bias}
    here = rlct.ideal(
        rlct.models.get_model("tanh-bias")(**sizes).polynomials().generators, at=place
    )
    assert rlct.theorem("tanh-network-with-biases", **sizes).pair <= here.pair


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"inputs": 1, "biases": "some"}, "biases is none or units or all, not 'some'"),
        ({"inputs": 1, "outputs": 2, "biases": "all"}, "is known for one output: leave biases"),
        ({"outputs": 1}, "inputs is missing"),
        ({"inputs": 0, "biases": "all"}, "inputs must be at least 1, not 0"),
    ],
)
def test_what_a_tanh_family_refuses(facts, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.select({1: -30.0, 2: -20.0}, "tanh", n=50, **facts)
