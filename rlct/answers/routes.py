"""From a question to its answer: every route that applies."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from rlct.answers.at_weights import (
    engine_seconds,
    solve_linear_point,
    solve_relu,
    solve_relu_data_fibre,
    solve_relu_fibre,
)
from rlct.answers.result import Result, Route
from rlct.certificate.document import network_document, problem_document, quadratic_document
from rlct.errors import InputError
from rlct.models.base import Model
from rlct.models.linear import LinearNetwork
from rlct.models.linear_point import LinearPoint
from rlct.models.quadratic import QuadraticNetwork
from rlct.models.quadratic_generic import QuadraticArchitecture
from rlct.models.relu import ReluNetwork
from rlct.models.relu_data_fibre import ReluDataFibre
from rlct.models.relu_fibre import ReluFibre
from rlct.system.options import callback, seconds
from rlct.theorems import all_theorems
from rlct.theorems._arguments import text_of
from rlct.theorems.base import Application

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

__all__ = ["Question", "monomial", "solve", "theorem_route", "theorem_routes"]

_SMALL_NETWORK: Final = 10  # parameters up to which the engine is asked as well
_GENERIC: Final = 1.0  # seconds for the engine on a generic network
_SMALL_QUADRATIC: Final = 30
_MOST_MONOMIALS = 200

Question: TypeAlias = (
    "Problem | LinearNetwork | LinearPoint | QuadraticNetwork | QuadraticArchitecture | "
    "ReluNetwork | ReluFibre | ReluDataFibre | Model"
)


def solve(
    question: Question,
    *,
    timeout: float | None = None,
    progress: Callable[[int], object] | None = None,
    resolution: bool = False,
) -> Result:
    """Answer a `Problem` or a model by every route that applies.

    Parameters
    ----------
    question : Problem or a model
        `LinearNetwork`, `LinearPoint`, `QuadraticNetwork`, `QuadraticArchitecture`,
        `ReluNetwork`, `ReluFibre`, `ReluDataFibre` or a `Model`.
    timeout : float, optional
        Seconds after which the engine returns the best bounds so far, as it does at Ctrl-C.
    progress : callable, optional
        Called with the number of germs over exceptional divisors looked at so far.
    resolution : bool
        Whether the engine blows up first where polyhedra would be enough (`Problem` only).

    Raises
    ------
    InputError
        If the question is an answer, or none that can be answered.
    RoutesDisagreeError
        If two routes contradict each other, which is a bug.
    """
    timeout, progress = seconds(timeout), callback(progress)
    if isinstance(question, Result):
        raise InputError("this is an answer already: solve takes a Problem, such as Problem.poly")
    routes = theorem_routes(question)
    if isinstance(question, LinearNetwork):
        return _solve_network(question, routes, timeout)
    if isinstance(question, (QuadraticNetwork, QuadraticArchitecture)):
        return _solve_quadratic(question, routes, timeout)
    if isinstance(question, LinearPoint):
        return solve_linear_point(question, routes, timeout)
    if isinstance(question, ReluNetwork):
        return solve_relu(question, routes, timeout, progress)
    if isinstance(question, ReluFibre):
        return solve_relu_fibre(question, routes, theorem_routes(question.network))
    if isinstance(question, ReluDataFibre):
        return solve_relu_data_fibre(question, routes, theorem_routes(question.network))
    if isinstance(question, Model):
        return _solve_model(question, routes, timeout, progress)
    from rlct.questions.problem import Problem

    if not isinstance(question, Problem):
        kind = type(question).__name__
        raise InputError(f"{kind} is no question: give Problem.poly(…), a network or a model")
    return _solve_problem(question, routes, timeout, progress, resolution)


def theorem_routes(question: object) -> list[Route]:
    """Return what the theorems of the catalogue prove about a question, without the engine."""
    return [
        theorem_route(application)
        for application in _applications(question)
        if application.exact or application.bounds
    ]


def monomial(asked: Model) -> bool:
    """Whether a model is an ideal of monomials, so that asking the engine costs next to nothing."""
    try:
        found = asked.polynomials()
    except InputError:
        return False
    if found.at or len(found.generators) > _MOST_MONOMIALS:
        return False
    return not any(sign in text for text in found.generators for sign in "+-(")


def _applications(question: object) -> list[Application]:
    found = []
    for candidate in all_theorems():
        arguments = candidate.recognise(question)
        if arguments is not None:
            found.append(candidate.apply(**arguments))
    return found


def theorem_route(application: Application) -> Route:
    """Turn an applied theorem into a route."""
    bounds = application.bounds
    return Route(
        f"theorem {application.theorem.id}" + (f" ({bounds.rule})" if bounds else ""),
        bounds.lower if bounds else application.pair,
        bounds.upper if bounds else application.pair,
        application.theorem.sources,
        tuple(finding.to_dict() for finding in application.findings),
        application.theorem.title,
        {name: text_of(value) for name, value in application.arguments.items()},
        application.working,
    )


def _solve_problem(
    problem: Problem,
    routes: list[Route],
    timeout: float | None,
    progress: Callable[[int], object] | None,
    resolution: bool,
) -> Result:
    from rlct.engine.nonnegative import nonnegativity
    from rlct.engine.sources import sources_of
    from rlct.engine.strategy import prove
    from rlct.system.time_limit import Budget

    began = time.monotonic()
    budget = Budget(timeout)
    proof = prove(problem, progress=progress, resolution=resolution, budget=budget)
    if resolution and not (proof.exact or budget.spent):
        shorter = prove(problem, progress=progress, budget=budget)
        proof = shorter if shorter.exact else proof
    notes = nonnegativity(problem, proof)
    settled = any(route.exact for route in routes)
    if timeout is not None and not proof.exact and time.monotonic() - began >= timeout:
        sharper = "a certificate of the pair" if settled else "sharper bounds"
        notes = (*notes, f"stopped after {timeout:g} s: more time may give {sharper}")
    if settled and not proof.exact:
        notes = (*notes, "the certificate proves only the bounds of the engine, not the theorem")
    engine = Route(
        f"engine: {', '.join(proof.rules())}", proof.lower, proof.upper, sources_of(proof)
    )
    certificate = problem_document(problem, proof)
    return Result.of([engine, *routes], problem.where, certificate, problem, notes)


def _solve_network(network: LinearNetwork, routes: list[Route], timeout: float | None) -> Result:
    first = next(route for route in routes if route.exact)
    assert first.lower is not None
    theorem_id = first.method.removeprefix("theorem ")
    certificate = network_document(network, theorem_id, first.lower)
    if network.dimension <= _SMALL_NETWORK:
        from rlct.engine.sources import sources_of
        from rlct.engine.strategy import prove

        usual = engine_seconds(None, proved=True)
        problem = network.problem()
        proof = prove(problem, usual if timeout is None else min(timeout, usual))
        method = f"engine at the deepest parameter: {', '.join(proof.rules())}"
        bounds = (proof.lower, proof.upper, sources_of(proof))
        routes = [*routes, Route(method, *bounds, certificate=problem_document(problem, proof))]
    return Result.of(routes, network.where, certificate, network)


def _solve_quadratic(
    question: QuadraticNetwork | QuadraticArchitecture,
    routes: list[Route],
    timeout: float | None,
) -> Result:
    """Ask the engine too if the network is small; a generic one at small weights."""
    generic = isinstance(question, QuadraticArchitecture)
    certificate = (
        quadratic_document(question) if isinstance(question, QuadraticArchitecture) else None
    )
    network = None
    if question.parameters <= _SMALL_QUADRATIC:
        network = question.example() if isinstance(question, QuadraticArchitecture) else question
    if network is not None:
        from rlct.engine.sources import sources_of
        from rlct.engine.strategy import prove

        try:
            problem = network.problem()
        except InputError as error:
            if not routes:
                raise
            notes = (f"the engine was not asked: {error}",)
            return Result.of(routes, question.where, certificate, question, notes)
        usual = engine_seconds(None, any(route.exact for route in routes))
        if generic:  # what is not settled at once would need the implicit function
            usual = min(usual, _GENERIC)
        proof = prove(problem, usual if timeout is None else timeout)
        place = " at small weights of this rank" if generic else ""
        method = f"engine{place}: {', '.join(proof.rules())}"
        document = problem_document(problem, proof)
        decides = proof.exact and not generic
        bounds = (proof.lower, proof.upper, sources_of(proof))
        engine = Route(method, *bounds, certificate=None if decides else document)
        # At a generic parameter a bound at one parameter proves nothing.
        if proof.exact or not generic:
            routes = [*routes, engine]
        if decides:
            certificate = document
    return Result.of(routes, question.where, certificate, question)


def _solve_model(
    asked: Model,
    routes: list[Route],
    timeout: float | None,
    progress: Callable[[int], object] | None,
) -> Result:
    """Answer by the theorems; by the engine if none is exact, or if that is cheap.

    Beside bounds of a theorem the engine has a limited time, which a note tells.
    """
    from rlct.engine.sources import sources_of
    from rlct.engine.strategy import prove

    proved = any(route.exact for route in routes)
    try:
        problem = asked.problem()
    except InputError as error:
        if not routes:
            raise
        return Result.of(routes, asked.asked, None, asked, [f"the engine was not asked: {error}"])
    if proved and len(problem.variables) > _SMALL_NETWORK and not monomial(asked):
        return Result.of(routes, asked.asked, None, asked)
    limit = engine_seconds(timeout, proved) if routes else timeout
    began = time.monotonic()
    proof = prove(problem, limit, progress)
    notes = []
    if limit is not None and not (proved or proof.exact) and time.monotonic() - began >= limit:
        notes = [f"the engine was stopped after {limit:g} s: more time may give sharper bounds"]
    # Elsewhere on the fibre λ may be smaller, unless this is proved to be the deepest point.
    lower, place = (proof.lower, "") if asked.deepest else (None, asked.where)
    method = f"engine{place and f' {place}'}: {', '.join(proof.rules())}"
    document = problem_document(problem, proof)
    decides = proof.exact or not proved
    bounds = (lower, proof.upper, sources_of(proof))
    engine = Route(method, *bounds, place=place, certificate=None if decides else document)
    return Result.of([*routes, engine], asked.asked, document if decides else None, asked, notes)
