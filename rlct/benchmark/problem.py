"""The problems of the reference set: how each is asked, what is proved, what is computed."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.pair import Pair

if TYPE_CHECKING:
    from rlct.sampling.targets.target import Target

_CHAIN_GROUPS = 12  # of chains, from whose scatter the errors of their means come


@dataclass(frozen=True)
class ReferenceMean:
    """E[nβK] under exp(−nβK)·prior at one nβ, with its error."""

    n_beta: float
    mean: float
    #: Bound on the numerical error of quadrature, or one standard error.
    error: float
    #: ``"quadrature"``, ``"independent draws"`` or ``"markov chain"``.
    method: str

    @property
    def degrees(self) -> int | None:
        """Degrees of freedom of the error, from groups of chains; None where it is as known.

        >>> [get_problem(name).means[-1].degrees for name in ("xy", "linear-32-32-32-r8")]
        [None, 11]
        """
        return _CHAIN_GROUPS - 1 if self.method == "markov chain" else None


@dataclass(frozen=True)
class ReferenceProblem:
    """A sampling target whose λ and θ are proved."""

    id: str
    #: ``{"ideal": [...]}`` or ``{"poly": ...}``, perhaps with ``at``, ``prior``, ``nonneg``,
    #: ``copies`` (the sum of that many copies in separate variables); or ``{"theorem": id,
    #: "arguments": {...}}`` for the question of a theorem.
    ask: Mapping[str, Any]
    pair: Pair
    dimension: int
    #: The route that proves the pair; the tests ask it again.
    proof: str
    #: Empty where none was computed.
    means: tuple[ReferenceMean, ...] = ()

    def question(self) -> Any:
        """Return the question that `rlct.solve` answers."""
        if "theorem" in self.ask:
            from rlct.theorems import get_theorem as theorem_of

            theorem = theorem_of(self.ask["theorem"])
            given = [f"{name}={value}" for name, value in self.ask["arguments"].items()]
            return theorem.question(theorem.bind(theorem.parse(given)))
        from rlct.questions.problem import Problem  # imports sympy

        asked_place = {
            name: self.ask[name] for name in ("at", "prior", "nonneg") if name in self.ask
        }
        if "poly" in self.ask:
            return Problem.poly(self.ask["poly"], **asked_place)
        return Problem.ideal(_copied(self.ask["ideal"], self.ask.get("copies", 1)), **asked_place)

    def target(self) -> Target:
        """Compile the question for samplers, with the default prior and box.

        Where K is far from order one it is multiplied by a number; the means are of that K.

        >>> get_problem("xy2").target().dimension
        2
        """
        from rlct.answers.targets import target_of

        return target_of(self.question())

    def block(self) -> ReferenceProblem | None:
        """Return one of the copies that the problem is the sum of, if it is such a sum."""
        if "copies" not in self.ask:
            return None
        ask = {name: value for name, value in self.ask.items() if name != "copies"}
        count = self.ask["copies"]
        pair = Pair(self.pair.lam / count, 1 + (self.pair.theta - 1) // count)
        return ReferenceProblem(f"{self.id}:1", ask, pair, self.dimension // count, self.proof)


def _copied(generators: list[str], count: int) -> list[str]:
    if count == 1:
        return generators
    return [re.sub(r"[a-z]+", rf"\g<0>{k}", g) for k in range(1, count + 1) for g in generators]


@cache
def all_problems() -> tuple[ReferenceProblem, ...]:
    """Return every problem of the set, by dimension.

    >>> len(all_problems()) >= 60, max(p.dimension for p in all_problems()) > 1000
    (True, True)
    """
    folder = files("rlct.benchmark")
    rows = json.loads(folder.joinpath("problems.json").read_text(encoding="utf-8"))
    means = json.loads(folder.joinpath("means.json").read_text(encoding="utf-8"))["means"]
    return tuple(
        ReferenceProblem(
            row["id"],
            row["ask"],
            Pair(Fraction(row["lambda"]), row["theta"]),
            row["dimension"],
            row["proof"],
            tuple(ReferenceMean(*mean) for mean in means.get(row["id"], [])),
        )
        for row in sorted(rows, key=itemgetter("dimension"))
    )


def get_problem(name: str) -> ReferenceProblem:
    """Return the problem with this id.

    >>> get_problem("xy2").pair
    Pair(1/4, 1)
    """
    by_id = {problem.id: problem for problem in all_problems()}
    if name not in by_id:
        close = difflib.get_close_matches(name, by_id, 1)
        hint = f"; do you mean {close[0]}?" if close else "; see 'rlct reference list'"
        raise InputError(f"no reference problem {name[:60]!r}{hint}")
    return by_id[name]
