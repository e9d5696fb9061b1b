"""The candidate poles of a question, each decided or open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import terms_of
from rlct.blowup.decide import LocalZeta
from rlct.blowup.pole import Pole
from rlct.blowup.poles import PoleCandidates
from rlct.blowup.replay import Node, replay_proof
from rlct.blowup.tree_poles import tree_candidates
from rlct.certificate.numbers.arithmetic import Poly
from rlct.certificate.statement import Statement
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget, made_in_time

_MOST_CANDIDATES = 12  # of a tree, that are listed
_MOST_STEPS = 200  # of one progression that are listed


def proof_root(problem: Any, certificate: Mapping[str, Any] | None) -> Node:
    """The proof of an answer about a rational point, with the statement at every step."""
    if not isinstance(problem, Problem) or certificate is None:
        raise InputError("a blow-up needs a polynomial or an ideal at a point")
    if problem.field is not None:
        raise InputError("the tree is shown for rational coordinates and coefficients only")
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
    problem: Problem, pair: Pair | None, root: Node, clock: Budget, *, degree: float = -1.0
) -> tuple[Pole, ...]:
    """Decide in the time of a clock, functionals up to a degree, if it reaches; `BlowUp.poles`."""
    orders, poles = dict[Fraction, int](), list[Pole]()

    def decide_all() -> None:
        zeta, tree = LocalZeta.of(problem), None
        if zeta is None:
            zeta, tree = LocalZeta.of(problem, Fraction(0)), tree_candidates(root)
            orders.update(_largest(tree))
        else:
            orders.update((z, len(problem.variables)) for z in zeta.candidates)
        for z, order in orders.items():
            own = zeta and (zeta.decide(z) if tree is None else _of_edge(zeta, tree, z))
            poles.append(own or Pole(z, order, "open", "a candidate of the tree"))
        for k, pole in enumerate(poles if degree >= 0 else ()):
            poles[k] = zeta.with_functional(pole, degree) if zeta else pole

    made_in_time(decide_all, clock)
    for z, order in [*orders.items()][len(poles) :]:
        poles.append(Pole(z, order, "open", "out of time"))
    if pair is not None:
        top = [pole for pole in poles if pole.z == -pair.lam and pole.status == "pole"]
        first = top or [Pole(-pair.lam, pair.theta, "pole", "λ and θ")]
        poles = [*first, *(pole for pole in poles if pole.z < -pair.lam)]
    return tuple(poles)


def _largest(tree: PoleCandidates | None) -> list[tuple[Fraction, int]]:
    if tree is None:
        return []
    progressions = [p for cone in tree.cones for p in cone]
    window = min(Fraction(1), _MOST_STEPS / max(p.divisor for p in progressions))
    return tree.down_to(max(p.first for p in progressions) - window)[:_MOST_CANDIDATES]


def _of_edge(zeta: LocalZeta, tree: PoleCandidates, z: Fraction) -> Pole | None:
    """Decide a candidate of the one edge of a degenerate plane germ, if it is of that alone."""
    germ, s = zeta.germ, z * zeta.power
    if germ is None or len(germ.edges) != 1 or germ.is_off_origin(s):
        return None
    ((edge,), (i, j), (k, n)) = germ.edges, germ.vertices[-1], germ.vertices[0]
    first, second = (1 + h for h in germ.prior)
    if i * second <= j * first or n * first <= k * second:
        return None  # one over an end of the edge may have the same numbers
    own = (-edge.order_at(Fraction(0), germ.prior), edge.least * zeta.power)
    # Those over a root of the edge have larger orders.
    met = {(p.start, p.divisor) for cone in tree.cones for p in cone if z in p.down_to(z)}
    return replace(germ.on_faces(s), z=z) if met == {own} else None


def pole_evidence(problem: Problem, poles: Sequence[Pole]) -> dict[str, Any]:
    """What a certificate says of the poles: reasons, and the primitives of exact forms."""
    zeta = LocalZeta.of(problem)
    germ = None if zeta is None else zeta.germ
    if zeta is None or germ is None or tuple(problem.powers) != germ.sides:
        return {}
    if any(orders - {1} for orders in germ.edge_curves):
        return {}
    entries = []
    for pole in poles:
        entry: dict[str, Any] = replace(pole, functional=None).to_dict()
        for face, _ in germ.even_faces(pole.z * zeta.power) if not pole.order else ():
            for (i, _), form in face.homogeneous.forms():
                primitive, first = face.homogeneous.primitive(form) or {}, min(form)
                row = [[k - first, str(c)] for k, c in primitive.items()]
                entry.setdefault("forms", []).append([[germ.edges.index(face.edge), i], row])
        entries.append(entry)
    function = [[str(c), list(m)] for m, c in germ.terms.items()]
    return {"poles": {"function": function, "power": int(zeta.power), "list": entries}}
