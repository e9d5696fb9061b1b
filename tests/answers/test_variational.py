"""λ_VB: formulas against minima over patterns of use, λ ≤ λ_VB, bad input, the command, slopes."""

import json
import shlex
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import rlct
from rlct.answers.variational import NOT_LAM
from rlct.cli.main import main
from rlct.errors import InputError
from validation.variational.rates import RESULTS_FILE, STUDY_CASES, agrees, measured

HALF = Fraction(1, 2)
SHAPES = [Fraction(text) for text in ("1/4", "1/2", "1", "3/2", "5/2", "4")]
ROWS = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))


def block(width, used, shape):
    """What a row of `width` probabilities costs of which `used` are used, by Stirling's formula.

    Minus log Γ(wφ)/Γ(wφ + n) Π Γ(φ + n_i)/Γ(φ), less −log Π (n_i/n)^n_i: (wφ − ½) of the row and
    ½ − φ of each count that grows, times log n.
    """
    return width * shape - HALF + used * (HALF - shape)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("components", "true", "parameters"), [(3, 1, 2), (4, 2, 1), (2, 2, 5)])
def test_mixtures_are_the_least_over_numbers_of_used_components(
    shape, components, true, parameters
):
    sizes = {"components": components, "true": true}
    found = rlct.variational("mixture", **sizes, parameters=parameters, concentration=shape)
    used = range(true, components + 1)
    costs = [block(components, m, shape) + m * Fraction(parameters, 2) for m in used]
    assert found.lower == found.upper == min(costs)
    other = rlct.variational("gaussian-mixture", **sizes, dimension=parameters, concentration=shape)
    assert other.upper == found.upper


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("states", "true", "symbols"), [(3, 1, 2), (3, 2, 4), (2, 2, 2)])
def test_hidden_markov_models_are_the_least_over_patterns_of_use(shape, states, true, symbols):
    found = rlct.variational(
        "hidden-markov", states=states, true=true, symbols=symbols, concentration=shape
    )
    full, sparse = [], []
    for m in range(true, states + 1):
        row = Fraction(symbols - 1, 2)
        full.append(m * (block(states, m, shape) + row))
        sparse += [m * (block(states, u, shape) + row) for u in range(1, m + 1)]
    assert found.upper == min(full)
    assert found.lower == min(full if shape >= HALF else sparse)


@pytest.mark.parametrize("shapes", list(product(SHAPES, repeat=2)))
def test_factorisations_are_the_least_over_scales_of_spare_factors(shapes):
    rows, inner, columns, true = 3, 3, 4, 1
    found = rlct.variational(
        "nmf",
        **{"rows": rows, "inner": inner, "columns": columns, "true": true},
        **{"row_shape": shapes[0], "column_shape": shapes[1]},
    )
    grid = [Fraction(i, 4) for i in range(5)]
    # Means n^−u and n^−v: an entry of mean n^−u and rate n^(1−v) costs (φ − ½)u + (1 − v)/2.
    spare = min(
        rows * ((shapes[0] - HALF) * u + (1 - v) / 2)
        + columns * ((shapes[1] - HALF) * v + (1 - u) / 2)
        for u, v in product(grid, repeat=2)
        if u + v <= 1
    )
    assert found.upper == true * Fraction(rows + columns, 2) + (inner - true) * spare
    assert found.exact is (min(shapes) >= HALF)


@pytest.mark.parametrize(("inputs", "outputs"), [(5, 4), (2, 4), (3, 3)])
def test_linear_networks_are_the_least_over_scales_of_spare_units(inputs, outputs):
    for true in range(3):
        found = rlct.variational("linear", inputs=inputs, hidden=3, outputs=outputs, true=true)
        # Variances n^−s and n^−(1−s) of the factors of a spare unit.
        scales = [Fraction(i, 4) for i in range(5)]
        spare = min((inputs * s + outputs * (1 - s)) / 2 for s in scales)
        wanted = true * Fraction(inputs + outputs, 2) + (3 - true) * spare
        assert (found.lower, found.upper) == (wanted, wanted)


@pytest.mark.parametrize("visible", [2, 3, 4])
def test_boltzmann_machines_are_the_least_over_scales_of_weights(visible):
    """Weights of a unit have deviations n^−s, and s + s′ ≥ 1/2 for each two of them."""
    scales = [Fraction(i, 4) for i in range(3)]
    spare = min(
        sum(chosen)
        for chosen in product(scales, repeat=visible)
        if all(s + t >= HALF for s, t in combinations(chosen, 2))
    )
    for hidden, true in ((1, 0), (3, 0), (3, 2)):
        found = rlct.variational("boltzmann", visible=visible, hidden=hidden, true=true)
        assert found.lower == hidden * spare
        assert found.upper == true * visible * HALF + (hidden - true) * spare
        assert found.exact is (true == 0)


def test_of_one_visible_unit_every_weight_is_free():
    assert rlct.variational("boltzmann", visible=1, hidden=3, true=0).upper == 0


def test_what_a_variance_of_two_weights_costs():
    """theory/variational.md: the variance of a correlation is at least c Var(a) Var(b)."""
    rng = np.random.default_rng(1)
    signs = np.array(list(product((-1, 1), repeat=3)))
    for _ in range(20):
        centre, width = rng.uniform(-1, 1, 3), 10 ** rng.uniform(-3, 0, 3)
        weights = centre + width * rng.uniform(-1, 1, (4000, 3))
        moment = np.log(np.cosh(weights @ signs.T)) @ (signs[:, 0] * signs[:, 1]) / 8
        least = 1 / np.cosh(np.abs(weights).sum(1)).max() ** 4  # c² of the smallest sech²
        assert moment.var() > 0.9 * least * weights[:, 0].var() * weights[:, 1].var()


@pytest.mark.parametrize("case", STUDY_CASES, ids=lambda case: case[0])
def test_it_is_no_less_than_the_bayesian_coefficient(case):
    found = rlct.variational(case[0], **case[1])
    assert found.lower <= found.upper
    if found.bayesian is not None:
        bayesian = found.bayesian
        least = bayesian.lower if bayesian.lam is None else bayesian.lam
        assert least <= found.upper


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["family"])
def test_slopes_of_simulations_agree_and_planted_values_do_not(row):
    found = rlct.variational(row["family"], **row["arguments"])
    assert (str(found.lower), str(found.upper)) == (row["lower"], row["upper"])
    assert agrees(row["slope"], row["lower"], row["upper"])
    assert not agrees(row["slope"], row["planted"], row["planted"])


def test_the_study_is_the_one_recorded():
    assert [(row["family"], row["arguments"], row["planted"]) for row in ROWS] == list(STUDY_CASES)
    linear = next(row for row in ROWS if row["family"] == "linear")
    assert abs(measured("linear", linear["arguments"]) - linear["slope"]) < 0.05


def test_the_command_says_what_it_is(capsys):
    words = "variational gaussian-mixture --components 3 --true 1 --dimension 2"
    assert main(shlex.split(words)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["λ_VB = 3", NOT_LAM]
    assert lines[2].startswith("Bayesian: λ = 2, θ = 3")
    assert main([*shlex.split(words), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["quantity"], found["lower"], found["upper"]) == ("lambda_VB", "3", "3")
    assert (found["warning"], found["bayesian"]["lambda"]) == (NOT_LAM, "2")
    words = "variational nmf --rows 2 --inner 2 --columns 2 --true 1 --row-shape 1/4"
    assert main(shlex.split(words)) == 3
    assert capsys.readouterr().out.startswith("λ_VB in [")


@pytest.mark.parametrize(
    ("family", "given", "message"),
    [
        ("perceptron", {}, "no family 'perceptron'; there are gaussian-mixture"),
        ("linear", {"depth": 1}, "linear has no argument depth; it has inputs"),
        ("linear", {"inputs": 2, "hidden": 2, "outputs": 2}, "linear needs true: H0"),
        ("mixture", {"components": 2, "true": 3, "parameters": 1}, "true is at most 2"),
        ("mixture", {"components": 2, "true": 0, "parameters": 1}, "true is an integer of at"),
        ("mixture", {"components": 10**7, "true": 1, "parameters": 1}, "at most 1000000"),
        ("mixture", {"components": 2.0, "true": 1, "parameters": 1}, "integer of at least 1"),
        *(
            (
                "mixture",
                {"components": 2, "true": 1, "parameters": 1, "concentration": wrong},
                "concentration is a positive number such as 1/2",
            )
            for wrong in ("x", "0", "-1", "1/0", "nan", "9" * 200, None, "1e99999999", "1e5000")
        ),
    ],
)
def test_bad_input_is_one_line(family, given, message):
    with pytest.raises(InputError, match=message) as caught:
        rlct.variational(family, **given)
    assert "\n" not in str(caught.value)
