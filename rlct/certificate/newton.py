"""The rule of Newton polyhedra; ``theory/newton.md`` proves it."""

from __future__ import annotations

from rlct.certificate import cost, faces
from rlct.certificate.arithmetic import one_signed
from rlct.certificate.leaves import exponents_of, programme
from rlct.certificate.linear import dot
from rlct.certificate.points import read_point
from rlct.certificate.statement import Bounds, Data, Solve, Statement, need
from rlct.pair import Pair

__all__ = ["newton_bounds"]


def newton_bounds(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Newton polyhedron with its compact faces decided over R."""
    exponents = exponents_of(statement)
    toric, weights = programme(statement.prior, data, exponents)
    central = {m for m in exponents if all(dot(v, m) == 1 for v in weights)}
    lower, upper = toric, toric
    points = [read_point(statement, point) for point in data.get("points", [])]
    used = 0
    # A face with a term of such a generator has no zero where all coordinates are non-zero.
    banned = {m for g in statement.generators if one_signed(g) for m in g}
    evidence = faces.evidence_by_face(statement.generators, data.get("faces", []))
    for face in faces.compact_faces(sorted(exponents), banned):
        item = evidence.pop(frozenset(face), None)
        u = faces.direction_of(face)
        cost.charge(10 + 10 * len(points), "the points of an edge")
        mine = [p for p in points if p.direction in (u, tuple(-x for x in u))]
        used += len(mine)
        zeros = faces.zeros_on_face(statement.generators, face, item, mine)
        if zeros.threshold is None:
            continue
        candidate = Pair(zeros.threshold, 1)
        if candidate.lam == toric.lam and central.issuperset(face):
            candidate = Pair(toric.lam, toric.theta + 1)
        lower = min(lower, candidate)
        if zeros.exist and len(statement.generators) == 1:
            upper = min(upper, candidate)
    need(not evidence, "newton: evidence for a face that needs none")
    need(used == len(points), "newton: a point on no edge")
    for point in points:
        low, high = solve(point.germ(statement))
        lower = min(lower, low)
        upper = upper if high is None else min(upper, high)
    return lower, upper
