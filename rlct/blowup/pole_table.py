"""The candidate poles of a question, each decided or open."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import terms_of
from rlct.blowup.decide import decided_poles
from rlct.blowup.pole import Pole
from rlct.blowup.poles import PoleCandidates
from rlct.blowup.replay import Node, replay_proof
from rlct.blowup.tree_poles import tree_candidates
from rlct.certificate.numbers.arithmetic import Poly
from rlct.certificate.statement import Statement
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget

_MOST_CANDIDATES = 12  # of a tree, that are listed
_MOST_STEPS = 200  # of one progression that are listed


def proof_root(problem: Any, certificate: Mapping[str, Any] | None) -> Node:
    """The proof of an answer with the statement at every step.

    Raises
    ------
    InputError
        If the answer is not about a polynomial question at a rational point.
    """
    if not isinstance(problem, Problem) or certificate is None:
        raise InputError("a blow-up needs a polynomial or an ideal at a point")
    if problem.field is not None:
        raise InputError("the tree is shown at points with rational coordinates only")
    germ = problem.local
    generators: tuple[Poly, ...] = tuple({**terms_of(g)} for g in germ.generators)
    statement = Statement(generators, germ.prior, germ.is_ideal)
    names: list[str] = []
    for name, value, q in zip(problem.variables, problem.point, problem.powers, strict=True):
        moved = name
        while (moved == name and (value or q > 1)) or moved in {*problem.variables} - {name}:
            moved += "_"
        names.append(moved)
    return replay_proof(certificate["proof"], statement, names)


def pole_table(
    problem: Problem,
    pair: Pair | None,
    root: Node,
    clock: Budget,
    *,
    functional: bool = False,
) -> tuple[Pole, ...]:
    """The largest candidates, each a pole, none or open, decreasing.

    All above −2 and at least twenty of a monomial, or of a germ of two variables that is not
    degenerate over R; else twelve.  Only the largest where the others do not follow from
    the tree, and none while λ is open.
    """
    poles = decided_poles(problem, clock, functional=functional)
    if poles is None:
        poles = _open_candidates(tree_candidates(root))
    if pair is not None:
        top = [pole for pole in poles if pole.z == -pair.lam and pole.status == "pole"]
        first = top or [Pole(-pair.lam, pair.theta, "pole", "λ and θ")]
        poles = [*first, *(pole for pole in poles if pole.z < -pair.lam)]
    return tuple(poles)


def _open_candidates(candidates: PoleCandidates | None) -> list[Pole]:
    if candidates is None:
        return []
    progressions = [p for cone in candidates.cones for p in cone]
    top = max(p.first for p in progressions)
    window = min(Fraction(1), _MOST_STEPS / max(p.divisor for p in progressions))
    largest = candidates.down_to(top - window)[:_MOST_CANDIDATES]
    return [Pole(z, order, "open", "a candidate of the tree") for z, order in largest]
