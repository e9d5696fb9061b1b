"""What is done with each kind of question, and the one way in which all of them ask the engine.

`polynomial_kinds`, `model_kinds` and their like register functions with `routes` and, where
that applies, `sampled_form` and `pieces`; a subclass has what its base has.  Only the first
imports sympy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rlct.answers.refused_proof import refusal_note, refusal_reason
from rlct.answers.result import Route
from rlct.errors import InputError
from rlct.system.time_limit import Budget

if TYPE_CHECKING:
    from rlct.proof.tree import Proof
    from rlct.questions.problem import Problem
    from rlct.sampling.targets.target import Target

_BESIDE_SECONDS: Final = 3.0  # seconds for the engine beside a theorem that has the answer
_ALONE_SECONDS: Final = 15.0  # where none has it
FEW_PARAMETERS: Final = 10  # parameters of a model up to which the engine is asked as well
FEW_WEIGHTS: Final = 30  # of a network at given weights
#: Kinds of a module of their own; all others are in `model_kinds`.
_FAMILY_KINDS: Final = {
    "polynomial": {"BoxProblem", "Problem"},
    "generic": {"FactorAnalysis", "GenericMap", "LatentClass"},
    "network": {
        *("LinearNetwork", "LinearPoint", "QuadraticArchitecture", "QuadraticNetwork"),
        *("ReluDataFibre", "ReluFibre", "ReluNetwork"),
    },
}


@dataclass(frozen=True)
class EngineEffort:
    """The seconds of the user, if there are any, and options as of `solve`.

    The clock runs from the beginning of the question: theorems, writing out and all searches
    share it.  ``earlier`` proves bounds on the same question, which hold beside new ones.
    """

    seconds: float | None = None
    progress: Callable[[int], object] | None = None
    resolution: bool = False
    clock: Budget = field(default_factory=lambda: Budget(None))
    earlier: Proof | None = None

    @property
    def timeout(self) -> float | None:
        """Seconds that are left of the user's."""
        return self.clock.seconds_left

    def joined(self, proof: Proof) -> Proof:
        """The better of both bounds, if there are earlier ones."""
        if self.earlier is None:
            return proof
        from rlct.engine.germs.bounds import tighter_bounds

        return tighter_bounds(proof, self.earlier)

    def beside(self, by_theorems: Sequence[Route]) -> float:
        """Seconds for the engine on a network."""
        is_known = any(route.exact for route in by_theorems)
        default_limit = _BESIDE_SECONDS if is_known else _ALONE_SECONDS
        return default_limit if self.timeout is None else self.timeout


@dataclass(frozen=True)
class Routes:
    """All routes to the pair of a question, the certificate of the answer, and notes."""

    routes: Sequence[Route]
    certificate: Mapping[str, Any] | None = None
    notes: Sequence[str] = ()


def load_kind(question: object) -> None:
    """Import what registers the kind of a question, before it is given to one of the below."""
    names = {base.__name__ for base in type(question).__mro__}
    family = next((name for name, kinds in _FAMILY_KINDS.items() if names & kinds), "model")
    import_module(f"rlct.answers.{family}_kinds")


@singledispatch
def routes(question: object, by_theorems: Sequence[Route], effort: EngineEffort) -> Routes:
    """Add to what theorems prove what the engine does; InputError if the question has no λ."""
    kind = type(question).__name__
    raise InputError(f"{kind} is no question: give Problem.poly(…), a network or a model")


@singledispatch
def sampled_form(question: Any) -> Problem | Target:
    """Return what is sampled to estimate λ: a polynomial at a point, or a target."""
    if not hasattr(question, "problem"):
        raise InputError(
            f"{type(question).__name__} is no question that can be sampled: give rlct.poly(…), "
            "rlct.ideal(…), a network of the catalogue, or a torch module with data"
        )
    problem: Problem = question.problem()
    return problem


@singledispatch
def pieces(question: Any) -> Sequence[Problem | None]:
    """Return the polynomial questions whose least pair is asked, if any; None where K is 0."""
    return [question.problem()] if hasattr(question, "problem") else []


@dataclass(frozen=True)
class EngineAnswer:
    """What the engine says, and whether it was stopped before it had the pair."""

    problem: Problem
    proof: Proof
    route: Route
    stopped: bool
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, problem: Problem, limit: float | None, effort: EngineEffort, where: str = ""
    ) -> EngineAnswer:
        """Ask the engine at one place, for at most so many seconds."""
        from rlct.engine.strategy import prove_problem

        began, budget = time.monotonic(), Budget(limit)
        search_start = time.process_time()
        proof = prove_problem(problem, None, effort.progress, effort.resolution, budget)
        if effort.resolution and not (proof.exact or budget.spent):
            shorter = prove_problem(problem, None, effort.progress, budget=budget)
            proof = shorter if shorter.exact else proof
        proof = effort.joined(proof)
        late = limit is not None and time.monotonic() - began >= limit
        found = cls(problem, proof, engine_route(proof, where), late and not proof.exact)
        reason = refusal_reason(found.certificate, effort.clock, search_start)
        return found._weaker(reason, effort, where) if reason else found

    def _weaker(self, reason: str, effort: EngineEffort, where: str) -> EngineAnswer:
        """The bounds with a short proof, where the checker refuses the other one."""
        from rlct.engine.strategy import bounds_by_exponents

        proof = effort.joined(bounds_by_exponents(self.problem.local))
        route = engine_route(proof, where)
        return EngineAnswer(self.problem, proof, route, False, (refusal_note(self.proof, reason),))

    @cached_property
    def certificate(self) -> Mapping[str, Any]:
        """JSON-able proof."""
        from rlct.answers.document import problem_document

        return problem_document(self.problem, self.proof)

    def after(
        self,
        by_theorems: Sequence[Route],
        *,
        decides: bool,
        certificate: Mapping[str, Any] | None = None,
        notes: Sequence[str] = (),
    ) -> Routes:
        """Put it after the theorems; if it decides, its certificate is that of the answer."""
        notes = (*self.notes, *notes)
        if decides:
            return Routes([*by_theorems, self.route], self.certificate, notes)
        own_route = replace(self.route, certificate=self.certificate)
        return Routes([*by_theorems, own_route], certificate, notes)


def written_problem(
    question: Any, by_theorems: Sequence[Route]
) -> tuple[Problem | None, tuple[str, ...]]:
    """Write a question out for the engine; where theorems answer, None and a note on why not."""
    try:
        return question.problem(), ()
    except InputError as error:
        if not by_theorems:
            raise
        return None, (f"the engine was not asked: {error}",)


def engine_route(proof: Proof, where: str = "") -> Route:
    """Wrap a proof of the engine in a route."""
    from rlct.engine.rules import sources_of

    method = f"engine{where and f' {where}'}: {', '.join(proof.rules())}"
    return Route(method, proof.lower, proof.upper, sources_of(proof))


def least_of(pieces: Sequence[Problem], limit: float, effort: EngineEffort | None = None) -> Route:
    """Let the engine find the least pair of several pieces, in `limit` seconds altogether."""
    ends = time.monotonic() + limit
    asked = []
    for k, piece in enumerate(pieces):
        share = max(ends - time.monotonic(), 0) / (len(pieces) - k)
        asked.append(EngineAnswer.of(piece, share, effort or EngineEffort()))
    uppers = [answer.proof.upper for answer in asked if answer.proof.upper is not None]
    rules = ", ".join(dict.fromkeys(rule for answer in asked for rule in answer.proof.rules()))
    sources = dict.fromkeys(source for answer in asked for source in answer.route.sources)
    method = f"engine, the least of {len(pieces)} pieces: {rules}"
    lower = min(answer.proof.lower for answer in asked)
    return Route(method, lower, min(uppers, default=None), tuple(sources))
