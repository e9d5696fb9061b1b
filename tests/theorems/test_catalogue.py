"""What every theorem owes: instances, counterexamples, a page, and agreement with other routes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rlct.answers.confirm_theorem import confirm_case, question_of
from rlct.errors import InputError
from rlct.explain.pages import failure_reasons, theorem_statement
from rlct.pair import Pair
from rlct.questions.problem import Problem
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.arguments import Kind, Truth
from rlct.theorems.base import Counterexample, Instance, Theorem
from rlct.theorems.evidence import (
    BY_ENGINE,
    ConfirmationKind,
    TheoremBounds,
    by_simulation,
    claims_contradict,
)

RECORDS = Path(__file__).parents[2] / "validation" / "theorems"

THEOREMS = all_theorems()


def label(value: object) -> str | None:
    """Name a test after its theorem, so that ``-k ID`` finds them all."""
    return value.id if isinstance(value, Theorem) else None


INSTANCES = [(theorem, instance) for theorem in THEOREMS for instance in theorem.instances]
COUNTEREXAMPLES = [
    (theorem, example) for theorem in THEOREMS for example in theorem.counterexamples
]
CASES = INSTANCES + COUNTEREXAMPLES


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
    assert re.search(r"(λ|pair|value).*\.$", theorem_statement(theorem.id))
    names = [parameter.name for parameter in theorem.parameters]
    assert len(set(names)) == len(names)
    assert all(instance.confirmed for instance in theorem.instances)
    assert all(failure_reasons(theorem.id))
    for example in theorem.counterexamples:
        assert example.confirmed
    ways = {c.way for instance in theorem.instances for c in instance.confirmed}
    assert ConfirmationKind.IMPOSSIBLE in ways or ways & {
        ConfirmationKind.ENGINE,
        ConfirmationKind.RANK,
    }
    assert ConfirmationKind.IMPOSSIBLE in ways or ConfirmationKind.SIMULATION in ways
    for _, case in CASES:
        for confirmation in case.confirmed:
            assert bool(confirmation.reason) == (confirmation.way is ConfirmationKind.IMPOSSIBLE)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.id)
def test_each_given_hypothesis_is_needed(theorem: Theorem) -> None:
    given = {p.name for p in theorem.parameters if p.kind is Kind.GIVEN}
    denied = {example.hypothesis for example in theorem.counterexamples}
    assert given <= denied


@pytest.mark.parametrize(("theorem", "instance"), INSTANCES, ids=label)
def test_instance(theorem: Theorem, instance: Instance) -> None:
    answer = theorem.apply(**instance.arguments)
    assert all(finding.truth.held for finding in answer.findings)
    if theorem.kind == "exact":
        assert instance.bounds is None
        assert answer.exact
        assert answer.pair == instance.pair
        return
    found, stated = answer.bounds, instance.bounds
    assert found is not None
    assert stated is not None
    assert (found.lower, found.upper) == (stated.lower, stated.upper)
    if instance.pair is not None:
        assert found.hold(instance.pair)
    else:
        assert [c.way for c in instance.confirmed] == [ConfirmationKind.IMPOSSIBLE]


def polynomials(theorem: Theorem, case: Instance | Counterexample) -> Problem:
    """The question of a case, written out if it is a model."""
    question = question_of(theorem, case)
    build = getattr(question, "problem", None)
    try:
        question = build() if build else question
    except InputError as error:
        known = ("too many", "too large", "lies on a boundary", "no polynomial")
        assert any(words in str(error) for words in known)  # noqa: PT017
        pytest.skip("left to the rank, or asked piece by piece")
    if not isinstance(question, Problem):
        pytest.skip("no polynomial question")
    return question


def consistent(other: Theorem, problem: Problem, expected: Pair | TheoremBounds | None) -> None:
    """Whatever a theorem that recognises the question says must hold the pair."""
    arguments = other.recognise(problem)
    if arguments is None or not isinstance(expected, Pair):
        return
    answer = other.apply(**arguments)
    if answer.exact:
        assert answer.pair == expected, other.id
    assert answer.bounds is None or answer.bounds.hold(expected), other.id


@pytest.mark.slow
@pytest.mark.parametrize(("theorem", "instance"), INSTANCES, ids=label)
def test_the_problem_of_an_instance_is_recognised_or_refused(
    theorem: Theorem, instance: Instance
) -> None:
    """Whatever theorem recognises the polynomials of an instance must give its pair."""
    problem = polynomials(theorem, instance)
    for other in THEOREMS:
        consistent(other, problem, instance.pair)


@pytest.mark.parametrize(("theorem", "example"), COUNTEREXAMPLES, ids=label)
def test_counterexample(theorem: Theorem, example: Counterexample) -> None:
    assert claims_contradict(theorem.formula(**example.arguments), example.truth)
    if example.hypothesis in {parameter.name for parameter in theorem.parameters}:
        assert example.arguments[example.hypothesis] is Truth.FALSE
        message = f"{example.hypothesis}=false"
    else:
        failing = [f for f in theorem.findings(**example.arguments) if f.truth is Truth.FALSE]
        assert any(example.hypothesis in finding.statement for finding in failing)
        message = "does not apply"
    with pytest.raises(InputError, match=message):
        theorem.apply(**example.arguments)


def test_what_contradicts_what() -> None:
    low = TheoremBounds("r", upper=Pair.of("1/2"))
    high = TheoremBounds("r", lower=Pair.of(1, 2))
    assert claims_contradict(low, high)
    assert claims_contradict(high, low)
    assert not claims_contradict(low, low)
    assert claims_contradict(low, Pair.of(1))
    assert claims_contradict(Pair.of(1, 3), high)
    assert not claims_contradict(Pair.of(1, 2), high)
    assert claims_contradict(Pair.of(1, 2), Pair.of(1, 1))


@pytest.mark.parametrize(("theorem", "example"), COUNTEREXAMPLES, ids=label)
def test_the_problem_of_a_counterexample_is_not_recognised_wrongly(
    theorem: Theorem, example: Counterexample
) -> None:
    problem = polynomials(theorem, example)
    for other in THEOREMS:
        if example.generators:
            consistent(other, problem, example.truth)


def named(way: ConfirmationKind) -> list[tuple[Theorem, Instance | Counterexample]]:
    return [(theorem, case) for theorem, case in CASES if way in {c.way for c in case.confirmed}]


@pytest.mark.slow
@pytest.mark.parametrize(("theorem", "case"), named(ConfirmationKind.ENGINE), ids=label)
def test_by_the_engine(theorem: Theorem, case: Instance | Counterexample) -> None:
    assert confirm_case(theorem, case, BY_ENGINE).verdict == "confirmed"


@pytest.mark.parametrize(("theorem", "case"), named(ConfirmationKind.RANK), ids=label)
def test_by_exact_rank(theorem: Theorem, case: Instance | Counterexample) -> None:
    (confirmation,) = [c for c in case.confirmed if c.way is ConfirmationKind.RANK]
    assert confirm_case(theorem, case, confirmation).verdict == "confirmed"


@pytest.mark.parametrize(("theorem", "case"), named(ConfirmationKind.SIMULATION), ids=label)
def test_by_simulation_is_recorded(theorem: Theorem, case: Instance | Counterexample) -> None:
    """``python validation/theorems/run.py ID`` ran it; a changed claim must run again."""
    record = json.loads((RECORDS / f"{theorem.id}.json").read_text(encoding="utf-8"))
    known = case.pair if isinstance(case, Instance) else case.truth
    shown = {name: str(value) for name, value in theorem.bind(case.arguments).items()}
    for confirmation in case.confirmed:
        if confirmation.way is ConfirmationKind.SIMULATION:
            (row,) = [
                row
                for row in record["rows"]
                if row["way"] == "simulation"
                and row["seed"] == confirmation.seed
                and row["claim"] == str(known)
                and {
                    name: str(value)
                    for name, value in theorem.bind(theorem.parse(row["case"].split())).items()
                }
                == shown
            ]
            assert row["verdict"] == "confirmed"


def test_a_wrong_pair_is_not_confirmed() -> None:
    """The confirmations can fail."""
    theorem = get_theorem("normal-crossing")
    wrong = replace(theorem.instances[0], pair=Pair.of("1/2", 1))
    assert confirm_case(theorem, wrong, BY_ENGINE).verdict == "refuted"
    far = replace(theorem.instances[0], pair=Pair.of("1/4", 1))
    assert confirm_case(theorem, far, by_simulation(0)).verdict == "refuted"


def test_a_counterexample_names_what_it_denies() -> None:
    example = get_theorem("normal-crossing").counterexamples[0]
    assert example.hypothesis == "coordinates"
    assert example.arguments["coordinates"] is Truth.FALSE
    with pytest.raises(TypeError, match="hypothesis"):
        Counterexample(arguments=example.arguments, truth=example.truth)  # type: ignore[call-arg]


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.id)
def test_an_open_hypothesis_gives_no_value(theorem: Theorem) -> None:
    arguments = theorem.instances[0].arguments
    for parameter in theorem.parameters:
        if parameter.kind is Kind.GIVEN:
            answer = theorem.apply(**arguments, **{parameter.name: "undecided"})
            assert answer.pair is None
            assert not answer.exact
            assert answer.to_dict()["status"] == "bounds"
            # What is said without the hypothesis must hold when it is true.
            known = theorem.instances[0].pair
            assert answer.bounds is None or known is None or answer.bounds.hold(known)
            with pytest.raises(InputError, match=parameter.name):
                theorem.apply(**arguments, **{parameter.name: False})


def test_unknown_theorem_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"nearest: .*deep-linear"):
        get_theorem("deep-linaer")
    with pytest.raises(InputError, match=r"there are: .*deep-linear"):
        get_theorem("x" * 10_000)


def test_discovery_is_light() -> None:
    """Listing theorems imports neither sympy nor numpy."""
    code = (
        "import sys, rlct.theorems as t, rlct.cli.theorems.theorem; t.all_theorems();"
        "print(*(m for m in ('sympy', 'numpy', 'scipy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_theorem_is_one_file(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """A module with ``THEOREM`` put on the package path is found without any edit."""
    import rlct.theorems as package

    (tmp_path / "extra.py").write_text(
        "from dataclasses import replace\n"
        "from rlct.theorems.polynomials.regular import THEOREM as REGULAR\n"
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
            get_theorem(name).apply(**arguments)
        assert "\n" not in str(error.value)


def test_large_and_deep_are_instant() -> None:
    theorem = get_theorem("deep-linear")
    assert theorem.apply(widths=[784, 128, 64, 10], rank=10).pair == Pair(3920, 1)
    assert theorem.apply(widths=[100] * 1001, rank=3).pair is not None
    huge = 10**200
    assert theorem.apply(widths=[huge, huge], rank=1).pair == Pair.of(huge**2 // 2)
