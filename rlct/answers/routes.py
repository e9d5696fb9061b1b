"""From a question to its answer: every route that applies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from rlct.answers.kinds import EngineEffort, Routes, load_kind, routes
from rlct.answers.plain_bounds import notes_without_upper_end, with_upper_end
from rlct.answers.result import Result, Route, theorem_route
from rlct.errors import InputError, OutOfTimeError
from rlct.models.base import Model
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.system.options import check_callback, explain_options, seconds
from rlct.system.time_limit import Budget, late_seconds, time_limit
from rlct.theorems import recognising_theorems
from rlct.theorems.base import AppliedTheorem

if TYPE_CHECKING:
    from rlct.models.generic.generic_map import GenericMap
    from rlct.models.linear_networks.linear_point import LinearPoint
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
    from rlct.models.relu_networks.relu import ReluNetwork
    from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
    from rlct.models.relu_networks.relu_fibre import ReluFibre
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.problem import Problem

_THEOREM_SHARE = 0.5  # of the time, for the theorems: nearly all take milliseconds
_THEOREM_SECONDS = 1.0  # at least, for them

Question: TypeAlias = (
    "Problem | BoxProblem | LinearNetwork | LinearPoint | QuadraticNetwork | "
    "QuadraticArchitecture | ReluNetwork | ReluFibre | ReluDataFibre | GenericMap | Model"
)


@explain_options
def solve(
    question: Question,
    *,
    timeout: float | None = None,
    progress: Callable[[int], object] | None = None,
    resolution: bool = False,
    earlier: Mapping[str, Any] | str | Path | None = None,
) -> Result:
    """Answer a `Problem` or a model by every route that applies.

    Parameters
    ----------
    question : Problem, BoxProblem, a network or a model
    timeout : float, optional
        Seconds after which the engine returns the best bounds so far, as it does at Ctrl-C.
    progress : callable, optional
        Called with the number of germs over exceptional divisors examined so far.
    resolution : bool
        Whether the engine blows up first where polyhedra would be enough.
    earlier : mapping, JSON text or path, optional
        A certificate of bounds on the same polynomial or ideal.  It is verified, and the better of
        both lower and of both upper bounds is returned, in one certificate.

    Raises
    ------
    InputError
        If the question is an answer, or none that can be answered; or the certificate is one of
        another question, or of an exact answer.
    CertificateError
        If a step of the certificate does not hold.
    RoutesDisagreeError
        If two routes contradict each other, which is a bug.
    """
    clock = Budget(seconds(timeout))
    effort = EngineEffort(clock.seconds, check_callback(progress), resolution, clock)
    if isinstance(question, Result):
        raise InputError("this is an answer already: solve takes a Problem, such as Problem.poly")
    if earlier is not None:
        from rlct.answers.resume import earlier_proof

        effort = replace(effort, earlier=earlier_proof(question, earlier, effort.clock))
    by_theorems = theorem_routes(question, effort.clock)
    load_kind(question)
    found = _with_engine(question, by_theorems, effort)
    found_routes = with_upper_end(question, found.routes)
    notes = (*found.notes, *notes_without_upper_end(question, found_routes))
    result = Result.of(found_routes, place_of(question), found.certificate, question, notes)
    return result.assuming(getattr(question, "comparable_if", ""))


def _with_engine(question: object, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Ask the engine, if it loads: a browser may lack numpy, which theorems do not need."""
    if by_theorems and find_spec("numpy") is None and not isinstance(question, LinearNetwork):
        return Routes(by_theorems, notes=("the engine was not asked: numpy does not load here",))
    return _in_time(question, by_theorems, effort)


def _in_time(question: object, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Ask the engine; what it does after its time is over has an end, too."""
    if effort.seconds is None or effort.timeout is None:
        return routes(question, by_theorems, effort)
    budget = Budget(effort.timeout)
    grace = late_seconds(effort.seconds)
    try:
        with time_limit(budget.seconds_left, budget, hears_interrupts=False, grace_seconds=grace):
            answer = routes(question, by_theorems, effort)
    except OutOfTimeError:
        budget.stop()
        answer = Routes(by_theorems)
    if budget.stopped or not answer.routes:
        note = f"stopped after {effort.seconds:g} s, before the engine had a bound"
        nothing = Route("engine", None, None)
        return Routes(list(answer.routes) or [nothing], answer.certificate, (*answer.notes, note))
    return answer


def place_of(question: Any) -> str:
    """At which point, or over which parameters, λ is asked, in words."""
    where: str = question.asked if isinstance(question, Model) else question.where
    return where


def theorem_routes(question: object, clock: Budget | None = None) -> list[Route]:
    """Return what the theorems of the catalogue prove about a question, without the engine.

    What is not decided when half of the time of the clock is over is left out.
    """
    found_routes = list[Route]()
    left = None if clock is None else clock.seconds_left
    budget = Budget(None if left is None else max(_THEOREM_SHARE * left, _THEOREM_SECONDS))
    try:
        with nullcontext() if left is None else time_limit(budget.seconds_left, budget):
            for application in _applied_theorems(question):
                if application.exact or application.bounds:
                    found_routes.append(theorem_route(application))
    except OutOfTimeError:
        budget.stop()
    return found_routes


def _applied_theorems(question: object) -> Iterator[AppliedTheorem]:
    """Theorems that recognise the question, and that of an ideal under other names."""
    # The class is not loaded for other questions: it imports sympy.
    is_polynomial = type(question).__name__ == "Problem"
    for candidate in recognising_theorems(question):
        arguments = candidate.recognise(question)
        if arguments is not None:
            application = candidate.apply(**arguments)
            yield application.of_polynomial() if is_polynomial else application
    if is_polynomial:
        from rlct.answers.renamed_ideal import renamed_theorem

        renamed = renamed_theorem(cast("Problem", question))
        if renamed is not None:
            yield renamed.of_polynomial()
