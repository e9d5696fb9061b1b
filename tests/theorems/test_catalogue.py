"""What every theorem owes: instances, counterexamples, a page, and agreement with other routes."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from rlct.errors import InputError
from rlct.models.linear import LinearNetwork
from rlct.pair import Pair
from rlct.problem import Problem
from rlct.theorems import all_theorems, get
from rlct.theorems._arguments import Kind, Truth
from rlct.theorems.base import Counterexample, Instance, Theorem

THEOREMS = all_theorems()
INSTANCES = [(theorem, instance) for theorem in THEOREMS for instance in theorem.instances]
COUNTEREXAMPLES = [
    (theorem, example) for theorem in THEOREMS for example in theorem.counterexamples
]


def test_the_founding_theorems_are_there() -> None:
    assert {theorem.id for theorem in THEOREMS} >= {
        "deep-linear",
        "deep-linear-rank-paths",
        "monomial-ideal",
        "normal-crossing",
        "reduced-rank-regression",
        "regular",
        "sum-of-powers",
    }


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.id)
def test_dues(theorem: Theorem) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", theorem.id)
    assert theorem.kind in ("exact", "bound")
    assert theorem.sources
    assert all(re.search(r"\((19|20)\d\d\)", source) for source in theorem.sources)
    assert len(theorem.instances) >= 3
    assert theorem.counterexamples
    assert theorem.statement.endswith(".")
    names = [parameter.name for parameter in theorem.parameters]
    assert len(set(names)) == len(names)
    for instance in theorem.instances:
        assert instance.origin


@pytest.mark.parametrize(("theorem", "instance"), INSTANCES)
def test_instance(theorem: Theorem, instance: Instance) -> None:
    answer = theorem.apply(**instance.arguments)
    assert answer.exact
    assert answer.pair == instance.pair
    assert all(finding.truth is Truth.TRUE for finding in answer.findings)


def polynomials(theorem: Theorem, instance: Instance) -> Problem:
    """The question of an instance, written out if it is a model."""
    question = theorem.question(theorem.bind(instance.arguments))
    if isinstance(question, LinearNetwork):
        question = question.problem()
    assert isinstance(question, Problem)
    return question


@pytest.mark.parametrize(("theorem", "instance"), INSTANCES)
def test_the_problem_of_an_instance_is_recognised_or_refused(
    theorem: Theorem, instance: Instance
) -> None:
    """Whatever theorem recognises the polynomials of an instance must give its pair."""
    problem = polynomials(theorem, instance)
    for other in THEOREMS:
        arguments = other.recognise(problem)
        if arguments is not None:
            assert other.apply(**arguments).pair == instance.pair, other.id


@pytest.mark.parametrize(("theorem", "example"), COUNTEREXAMPLES)
def test_counterexample(theorem: Theorem, example: Counterexample) -> None:
    assert theorem.formula(**example.arguments) != example.truth
    assert example.arguments[example.hypothesis] is Truth.FALSE
    with pytest.raises(InputError, match=f"given: {example.hypothesis}"):
        theorem.apply(**example.arguments)
    # The question that the counterexample is really about must not be recognised wrongly.
    problem = Problem.ideal(example.generators, prior=example.prior, nonneg=example.nonneg)
    for other in THEOREMS:
        arguments = other.recognise(problem)
        if arguments is not None:
            assert other.apply(**arguments).pair == example.truth, other.id


def engine_agrees(problem: Problem, expected: Pair) -> None:
    """Whatever the public answer claims must hold the pair; needs the engine."""
    import rlct

    if not hasattr(rlct, "ideal"):
        pytest.skip("no engine in this build")
    if len(problem.variables) > 8:
        pytest.skip("left to the closed form")
    walls = zip(problem.variables, problem.nonneg, strict=True)
    result = rlct.ideal(
        [str(generator) for generator in problem.generators],
        prior=dict(zip(problem.variables, problem.prior, strict=True)),
        nonneg=[name for name, wall in walls if wall],
    )
    if result.status == "exact":
        assert (result.lam, result.theta) == (expected.lam, expected.theta)
    assert result.lower <= expected.lam
    assert result.upper is None or expected.lam <= result.upper


@pytest.mark.parametrize(("theorem", "instance"), INSTANCES)
def test_instance_by_the_engine(theorem: Theorem, instance: Instance) -> None:
    problem = polynomials(theorem, instance)
    engine_agrees(problem, instance.pair)


@pytest.mark.parametrize(("theorem", "example"), COUNTEREXAMPLES)
def test_counterexample_by_the_engine(theorem: Theorem, example: Counterexample) -> None:
    engine_agrees(
        Problem.ideal(example.generators, prior=example.prior, nonneg=example.nonneg),
        example.truth,
    )


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.id)
def test_an_open_hypothesis_gives_no_value(theorem: Theorem) -> None:
    arguments = theorem.instances[0].arguments
    for parameter in theorem.parameters:
        if parameter.kind is Kind.GIVEN:
            answer = theorem.apply(**arguments, **{parameter.name: "undecided"})
            assert answer.pair is None
            assert not answer.exact
            assert answer.to_dict()["lambda"] is None
            with pytest.raises(InputError, match=parameter.name):
                theorem.apply(**arguments, **{parameter.name: False})


def test_unknown_theorem_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"nearest: .*deep-linear"):
        get("deep-linaer")
    with pytest.raises(InputError, match="there are: deep-linear"):
        get("x" * 10_000)


def test_discovery_is_light() -> None:
    """Listing theorems imports neither sympy nor numpy."""
    code = (
        "import sys, rlct.theorems as t, rlct.cli.theorem; t.all_theorems();"
        "print(*(m for m in ('sympy', 'numpy', 'scipy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_theorem_is_one_file(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """A module with ``THEOREM`` put on the package path is found without any edit."""
    import rlct.theorems as package

    (tmp_path / "extra.py").write_text(
        "from dataclasses import replace\n"
        "from rlct.theorems.regular import THEOREM as REGULAR\n"
        "THEOREM = replace(REGULAR, id='extra')\n",
        encoding="utf-8",
    )
    (tmp_path / "_helper.py").write_text("raise RuntimeError\n", encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    try:
        found = package.all_theorems.__wrapped__()
        assert "extra" in {theorem.id for theorem in found}
    finally:
        sys.modules.pop("rlct.theorems.extra", None)


def test_hypotheses_can_fail_by_computation() -> None:
    for name, arguments, message in [
        ("deep-linear", {"widths": [5, 2, 5], "rank": 3}, "rank 3, smallest width 2"),
        ("deep-linear", {"widths": [5, 2, 5], "rank": -1}, "rank -1"),
        ("deep-linear", {"widths": [5], "rank": 0}, "at least one layer"),
        ("deep-linear", {"widths": [], "rank": 0}, "at least one layer"),
        ("deep-linear", {"widths": [5, 0, 5], "rank": 0}, "smallest 0"),
        ("deep-linear", {"widths": [5, 5], "rank": 3, "input_rank": 2}, "smallest width 2"),
        ("deep-linear", {"widths": [5, 5], "rank": 0, "input_rank": 6}, "input rank 6"),
        ("reduced-rank-regression", {"inputs": 2, "hidden": 1, "outputs": 2, "rank": 2}, "rank 2"),
        ("regular", {"dimension": 0}, "dimension 0"),
        ("normal-crossing", {"exponents": [0, 0]}, "vanishes"),
        ("normal-crossing", {"exponents": [1, -1]}, "negative"),
        ("normal-crossing", {"exponents": [1], "prior": [-1]}, "integrable"),
        ("normal-crossing", {"exponents": [1], "prior": [0, 0]}, "2 exponents, 1 variables"),
        ("sum-of-powers", {"powers": [1, 0]}, "positive"),
        ("sum-of-powers", {"powers": []}, "positive"),
        ("monomial-ideal", {"exponents": [[1, 0], [1]]}, "as long as"),
        ("monomial-ideal", {"exponents": [[0, 0], [1, 1]]}, "1 rows are zero"),
        ("monomial-ideal", {"exponents": []}, "as long as"),
    ]:
        with pytest.raises(InputError, match=message) as error:
            get(name).apply(**arguments)
        assert "\n" not in str(error.value)


def test_large_and_deep_are_instant() -> None:
    theorem = get("deep-linear")
    assert theorem.apply(widths=[784, 128, 64, 10], rank=10).pair == Pair(3920, 1)
    assert theorem.apply(widths=[100] * 1001, rank=3).pair is not None
    huge = 10**200
    assert theorem.apply(widths=[huge, huge], rank=1).pair == Pair.of(huge**2 // 2)
