"""Models and networks at truths that are not zero: the least pair over all their parameters."""

import json
import re
import shlex
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest
import sympy

import rlct
from rlct.cli.main import main
from rlct.models import get_model

CASES = Path(__file__).parents[2] / "validation" / "fibres" / "cases.json"
#: Cases with other derivations (``validation/fibres``) that are not exact yet.
OPEN = {
    "cp-222-3-0",
    "fa-4-2-1",
    "fa-5-3-1",
    "fa-6-3-2",
}
ROWS = {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(ROWS) - OPEN))
def test_cases(name, capsys, tmp_path):
    """λ and θ with a certificate that is replayed, each derived by hand before."""
    case, path = ROWS[name], tmp_path / "certificate.json"
    theorems = name in ("cp-222-2-0",)
    options = [] if theorems else ["--certificate", str(path)]
    code = main([*shlex.split(case["command"]), "--json", "--timeout", "60", *options])
    answer = json.loads(capsys.readouterr().out)
    assert (code, answer["status"]) == (0, "exact")
    assert (answer["lambda"], answer["theta"]) == (case["lambda"], case["theta"])
    assert theorems or rlct.verify(path)


def test_the_record_of_simulations_is_of_these_values():
    """Each value agreed with the data, and one larger by 1/2 was refuted by them."""
    record = json.loads(CASES.with_name("simulations.json").read_text("utf-8"))
    assert len(record) == 8
    for name, row in record.items():
        case, right, planted = ROWS[name], row["right"], row["planted"]
        words = shlex.split(case["command"])
        assert shlex.split(right["command"])[:-4] == ["rlct", "check", *words]
        assert f"--claim {case['lambda']},{case['theta']} " in right["command"]
        assert (right["verdict"], planted["verdict"]) == ("agrees", "refuted")
        _, high = right["interval"]
        assert high < Fraction(case["lambda"]) + Fraction(1, 2), "what is planted lies outside"
        assert abs(planted["z"]) > 2.6 > abs(right["z"])


def moments_of_all_paths(states, length):
    """Moments of the deviations d from the uniform law, over all paths of a hidden chain."""
    d = {i: sympy.Symbol(f"d{i}_1") for i in range(1, states + 1)}

    def move(i, j):
        spare = [sympy.Symbol(f"a{k}" if i == 1 else f"c{i}_{k}") for k in range(2, states + 1)]
        return spare[j - 2] if j > 1 else 1 - sum(spare)

    for seen in product((False, True), repeat=length):
        if any(seen):
            total = 0
            for path in product(range(1, states + 1), repeat=length - 1):
                term = sympy.Integer(1)
                for i, j in pairwise((1, *path)):
                    term *= move(i, j)
                for i, here in zip((1, *path), seen, strict=True):
                    term *= d[i] if here else 1
                total += term
            yield sympy.expand(total)


@pytest.mark.parametrize("states", [2, 3])
def test_paths_in_the_spare_states_give_the_ideal_of_all(states):
    """Both ideals have the same Gröbner basis."""
    (equations,) = get_model("hidden-markov")(states, 2, 3).whole_fibre()
    ours = [sympy.sympify(g) for g in equations.generators]
    theirs = list(moments_of_all_paths(states, 3))
    variables = sorted(set().union(*(g.free_symbols for g in [*ours, *theirs])), key=str)
    first, second = (sympy.groebner(g, *variables, order="grevlex") for g in (ours, theirs))
    assert set(first.exprs) == set(second.exprs)


@pytest.mark.parametrize("hidden", [2, 3, 4])
def test_every_unit_of_a_tanh_network_is_in_one_group(hidden):
    """Weights of each case are those of all units, and one input has its theorem already."""
    cases = get_model("tanh")(2, hidden, 1, 1).whole_fibre()
    for equations in cases:
        text = " ".join(equations.generators)
        assert {f"a1_{h}" for h in range(1, hidden + 1)} <= set(re.findall(r"a\d_\d", text))
    assert len({tuple(equations.generators) for equations in cases}) == len(cases)
    assert not get_model("tanh")(1, hidden, 1, 1).whole_fibre()


@pytest.mark.slow
@pytest.mark.parametrize("categories", [(2, 2), (3, 2)])
def test_two_true_classes_are_no_less_than_half_the_rank_of_their_tables(categories):
    """A table of rank 2 has the tangent space of the rank-two matrices in that of each fibre point.

    Its dimension is 2(m + n − 2), less one for the sum of the entries.
    """
    found = rlct.model("latent-class", classes=3, true=2, categories=categories, timeout=30)
    m, n = categories
    assert found.lower >= sympy.Rational(2 * (m + n - 2) - 1, 2)
    assert found.status == "exact"
    assert rlct.verify(found.certificate)


def test_a_prior_that_is_not_bounded_is_not_left_out():
    assert not get_model("latent-class")(3, 1, (2, 2), concentration="1/2").whole_fibre()
    assert get_model("latent-class")(3, 1, (2, 2)).whole_fibre()


def test_zeros_that_are_no_parameters_bound_nothing_from_above():
    """Weights of any sign reach zeros that a simplex does not have."""
    (equations,) = get_model("latent-class")(3, 1, (2, 2)).whole_fibre()
    assert not equations.complete
