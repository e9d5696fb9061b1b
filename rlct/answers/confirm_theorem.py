"""Evaluate a theorem where its value is known, and confirm those values without its formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlct.answers.kinds import load_kind, pieces
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import text_of
from rlct.theorems.base import Counterexample, Instance, Theorem
from rlct.theorems.evidence import ConfirmationKind, ValueConfirmation, claims_contradict

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

_ENGINE_SECONDS = 240.0  # by the clock, of a machine that may be busy


@dataclass(frozen=True)
class CaseOutcome:
    """What became of a confirmation."""

    #: ``"confirmed"``, ``"refuted"``, ``"inconclusive"`` or ``"impossible"``.
    verdict: str
    #: What was computed, in one line.
    evidence: str
    #: Of a simulation: estimate, interval, z, negative control and diagnostics, as
    #: `rlct.sampling.comparison.Comparison.to_dict` has them.
    check: dict[str, Any] | None = None


def evaluate_case(theorem: Theorem, case: Instance | Counterexample) -> CaseOutcome:
    """Compare the formula with a known value, or with the truth where a hypothesis fails.

    An instance must give its value, every hypothesis found true; a counterexample must be
    refused, and its formula be wrong.

    >>> from rlct.theorems import get_theorem
    >>> theorem = get_theorem("normal-crossing")
    >>> evaluate_case(theorem, theorem.instances[0])
    CaseOutcome(verdict='confirmed', evidence='λ = 1/2, θ = 2', check=None)
    """
    if isinstance(case, Counterexample):
        formula = theorem.formula(**case.arguments)
        try:
            theorem.apply(**case.arguments)
        except InputError:
            wrong = claims_contradict(formula, case.truth)
            return CaseOutcome("confirmed" if wrong else "refuted", f"refused; it says {formula}")
        return CaseOutcome("refuted", "the theorem applies although a hypothesis fails")
    answer = theorem.apply(**case.arguments)
    if theorem.kind == "exact":
        formula_agrees = answer.pair == case.pair
        return CaseOutcome("confirmed" if formula_agrees else "refuted", str(answer.pair))
    bounds, stated = answer.bounds, case.bounds
    formula_agrees = (
        bounds is not None
        and stated is not None
        and (bounds.lower, bounds.upper) == (stated.lower, stated.upper)
        and (case.pair is None or bounds.hold(case.pair))
    )
    return CaseOutcome("confirmed" if formula_agrees else "refuted", str(bounds))


def evaluate_all(theorem: Theorem) -> Iterator[dict[str, Any]]:
    """Evaluate a theorem at its instances and counterexamples.

    As `confirm_all`; the way is ``"formula"``.
    """
    for case in _cases(theorem):
        yield _row(case, "formula", None, evaluate_case(theorem, case))


def confirm_case(
    theorem: Theorem,
    case: Instance | Counterexample,
    confirmation: ValueConfirmation,
    *,
    timeout: float = _ENGINE_SECONDS,
) -> CaseOutcome:
    """Carry out one confirmation of an instance or a counterexample.

    The engine has ``timeout`` seconds.  InputError if the case has no known pair, or no question of
    the kind that is needed.

    >>> from rlct.theorems import get_theorem
    >>> theorem = get_theorem("normal-crossing")
    >>> confirm_case(theorem, theorem.instances[0], theorem.instances[0].confirmed[0]).verdict
    'confirmed'
    """
    if confirmation.way is ConfirmationKind.IMPOSSIBLE:
        return CaseOutcome("impossible", confirmation.reason)
    expected = case.pair if isinstance(case, Instance) else case.truth
    if not isinstance(expected, Pair):
        raise InputError(f"{theorem.id}: nothing is known that could be confirmed")
    if confirmation.way is ConfirmationKind.RANK:
        return _by_rank(theorem, case, expected)
    question = question_of(theorem, case)
    if confirmation.way is ConfirmationKind.ENGINE:
        return _by_engine(_polynomials(theorem, question), expected, timeout)
    return _by_simulation(question, expected, confirmation.seed)


def confirm_all(theorem: Theorem, *, timeout: float = _ENGINE_SECONDS) -> Iterator[dict[str, Any]]:
    """Carry out every confirmation that a theorem names, counterexamples included.

    Each has ``case``, ``claim``, ``way``, ``seed`` (of a simulation), ``verdict``, ``evidence``,
    and ``check`` of a simulation, see `CaseOutcome`.
    """
    for case in _cases(theorem):
        for confirmation in case.confirmed:
            seed = confirmation.seed if confirmation.way is ConfirmationKind.SIMULATION else None
            outcome = confirm_case(theorem, case, confirmation, timeout=timeout)
            yield _row(case, confirmation.way.value, seed, outcome)


def _cases(theorem: Theorem) -> tuple[Instance | Counterexample, ...]:
    return (*theorem.instances, *theorem.counterexamples)


def _row(
    case: Instance | Counterexample, way: str, seed: int | None, outcome: CaseOutcome
) -> dict[str, Any]:
    known = case.truth if isinstance(case, Counterexample) else case.pair or case.bounds
    row = {
        "case": _shown(case),
        "claim": str(known),
        "way": way,
        "seed": seed,
        "verdict": outcome.verdict,
        "evidence": outcome.evidence,
    }
    return row if outcome.check is None else {**row, "check": outcome.check}


def question_of(theorem: Theorem, case: Instance | Counterexample) -> object | None:
    """Return the question that a case is about: generators, a model or a sampling target."""
    if isinstance(case, Counterexample) and case.generators:
        from rlct.questions.problem import Problem  # imports sympy

        return Problem.ideal(case.generators, prior=case.prior, nonneg=case.nonneg)
    return theorem.question(theorem.bind(case.arguments))


def _polynomials(theorem: Theorem, question: object | None) -> list[Problem]:
    """Return the polynomial question, or those of the pieces on which K is a polynomial."""
    load_kind(question)
    found = pieces(question)
    asked = [problem for problem in found if problem is not None]
    if not asked or len(asked) < len(found):
        raise InputError(f"{theorem.id}: no polynomial question for the engine here")
    return asked


def _by_rank(theorem: Theorem, case: Instance | Counterexample, expected: Pair) -> CaseOutcome:
    rank = theorem.rank(theorem.bind(case.arguments))
    if rank is None:
        raise InputError(f"{theorem.id} has no Jacobian at {_shown(case)}")
    agrees = 2 * expected.lam == rank and expected.theta == 1
    return CaseOutcome("confirmed" if agrees else "refuted", f"exact rank {rank}")


def _by_engine(pieces: Sequence[Problem], expected: Pair, timeout: float) -> CaseOutcome:
    from rlct.answers.kinds import least_of

    answer = least_of(pieces, timeout)
    assert answer.lower is not None
    if answer.exact:
        agrees = answer.lower == expected
        rules = answer.method.partition(": ")[2]
        return CaseOutcome("confirmed" if agrees else "refuted", f"{answer.lower} by {rules}")
    within = answer.lower <= expected and (answer.upper is None or expected <= answer.upper)
    shown = f"between {answer.lower} and {answer.upper}"
    return CaseOutcome("inconclusive" if within else "refuted", shown)


def _by_simulation(question: Any, known_pair: Pair, seed: int) -> CaseOutcome:
    from rlct.answers.check import check
    from rlct.answers.targets import sampled_question

    if question is None:
        raise InputError("no question that could be sampled here")
    # Not the question itself, which theory would answer by the theorem on trial.
    outcome = check(sampled_question(question), known_pair, seed=seed)
    low, high = outcome.estimate.interval
    verdict = {"agrees": "confirmed", "refuted": "refuted"}.get(outcome.verdict, "inconclusive")
    control = "rejected" if outcome.control.rejected else "not rejected"
    return CaseOutcome(
        verdict,
        f"λ̂ = {outcome.estimate.lam:.4g} [{low:.4g}, {high:.4g}] by {outcome.estimate.method}, "
        f"seed {seed}; planted wrong λ = {outcome.control.lam:.4g} {control}",
        outcome.to_dict(),
    )


def _shown(case: Instance | Counterexample) -> str:
    return " ".join(f"{name}={text_of(value)}" for name, value in case.arguments.items())
