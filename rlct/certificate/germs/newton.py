"""The rule of Newton polyhedra; ``theory/newton.md`` proves it."""

from collections.abc import Iterable, Mapping
from typing import Any

from rlct.certificate import cost
from rlct.certificate.germs.leaves import exponents_of, linear_programme
from rlct.certificate.numbers.arithmetic import is_one_signed
from rlct.certificate.numbers.linear import scalar_product
from rlct.certificate.rules import Sign, checked_rule
from rlct.certificate.statement import Data, PairBounds, SolveChild, Statement, need
from rlct.certificate.torus import faces
from rlct.certificate.torus.points import read_blowup_point
from rlct.pair import Pair


def _sign(step: Mapping[str, Any], below: Iterable[Sign]) -> Sign:
    faces = step["data"].get("faces", [])
    zeros = step.get("children") or any("rank" in face or "order" in face for face in faces)
    return Sign.OPEN if zeros else Sign.NOWHERE_ZERO


@checked_rule(
    "newton",
    "{weights: weights, multipliers: multipliers, faces?: [face], points?: [point]}",
    sign=_sign,
)
def newton_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """Newton pair ≥ pair ≥ the least of it and, over faces with zeros, of (s/2, 1) or (1/(2k), 1).

    If on each compact face the initial forms have no zero in (R∖0)^d, or zeros where differentials
    have rank ≥ s or the order is ≤ k, or, in the plane, zeros that are listed: their germs are the
    children (``theory/newton.md``).
    """
    exponents = exponents_of(statement)
    toric_pair, weights = linear_programme(statement.prior, data, exponents)
    optimal_exponents = {m for m in exponents if all(scalar_product(v, m) == 1 for v in weights)}
    lower, upper = toric_pair, toric_pair
    points = [read_blowup_point(statement, point) for point in data.get("points", [])]
    points_on_edges = 0
    # A face with a term of such a generator has no zero where all coordinates are non-zero.
    banned = {m for g in statement.generators if is_one_signed(g) for m in g}
    evidence = faces.evidence_by_face(statement.generators, data.get("faces", []))
    # The checker lists the compact faces itself, so that none can be left out.
    for face in faces.list_compact_faces(sorted(exponents), banned):
        item = evidence.pop(frozenset(face), None)
        u = faces.direction_of(face)
        cost.charge(10 + 10 * len(points), "the points of an edge")
        edge_points = [p for p in points if p.direction in (u, tuple(-x for x in u))]
        points_on_edges += len(edge_points)
        zeros = faces.zeros_on_face(statement.generators, face, item, edge_points)
        if zeros.threshold is None:
            continue
        # At a zero s forms are coordinates beside the toric ones: one more factor (s/2, 1).
        candidate = Pair(zeros.threshold, 1)
        # On a face of all optimal weights it may meet θ rays of the same quotient, else fewer.
        if candidate.lam == toric_pair.lam and optimal_exponents.issuperset(face):
            candidate = Pair(toric_pair.lam, toric_pair.theta + 1)
        lower = min(lower, candidate)
        # A smooth zero of the only form is a point with this pair, or a smaller one.
        if zeros.exist and len(statement.generators) == 1:
            upper = min(upper, candidate)
    need(not evidence, "newton: evidence for a face that needs none")
    need(points_on_edges == len(points), "newton: a point on no edge")
    for point in points:
        low, high = solve_child(point.germ(statement))
        lower = min(lower, low)
        upper = upper if high is None else min(upper, high)
    return lower, upper
