"""The rule of Newton polyhedra; ``theory/newton.md`` proves it."""

from __future__ import annotations

from fractions import Fraction

from rlct.certificate import faces
from rlct.certificate.arithmetic import Poly, fraction, shift
from rlct.certificate.leaves import dot, exponents_of, programme
from rlct.certificate.statement import Bounds, Data, Solve, Statement, ideal_of, need
from rlct.pair import Pair

__all__ = ["newton"]

_HIGHEST = 5_000  # degree of a chart; expanding about a root takes its square


def newton(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Newton polyhedron with its compact faces decided over R."""
    exponents = exponents_of(statement)
    toric, weights = programme(statement.prior, data, exponents)
    central = {m for m in exponents if all(dot(v, m) == 1 for v in weights)}
    lower, upper = toric, toric
    points = [_chart(statement, point) for point in data.get("points", [])]
    roots = [(direction, root) for direction, root, _ in points]
    single = {next(iter(g)) for g in statement.generators if len(g) == 1}
    evidence = faces.evidence_by_face(statement.generators, data.get("faces", []))
    for face in faces.compact_faces(sorted(exponents), single):
        item = evidence.pop(frozenset(face), None)
        zeros = faces.zeros_on_face(statement.generators, face, item, roots)
        if zeros.threshold is None:
            continue
        candidate = Pair(zeros.threshold, 1)
        if candidate.lam == toric.lam and central.issuperset(face):
            candidate = Pair(toric.lam, toric.theta + 1)
        lower = min(lower, candidate)
        if zeros.exist and len(statement.generators) == 1:
            upper = min(upper, candidate)
    need(not evidence, "newton: evidence for a face that needs none")
    for *_, child in points:
        low, high = solve(child)
        lower = min(lower, low)
        upper = upper if high is None else min(upper, high)
    return lower, upper


def _chart(statement: Statement, point: Data) -> tuple[tuple[int, ...], Fraction, Statement]:
    """Direction, root and germ of a point of the toric blow-up of the plane.

    x = s^p t^a, y = s^q t^b with p, q > 0 and determinant ±1; at s = 0, t = root ≠ 0.
    """
    need(statement.width == 2, "newton: points need two variables")
    (p, q), (a, b) = point["chart"]
    need(set(point) == {"chart", "root"}, "newton: a point is a chart and a root")
    root = fraction(point["root"])
    need(all(type(e) is int for e in (p, q, a, b)), "newton: a chart has integer exponents")
    determinant = p * b - q * a
    need(
        min(p, q) > 0 and min(a, b) >= 0 and abs(determinant) == 1 and root != 0,
        "newton: not a chart at a point over the origin",
    )
    generators = []
    for g in statement.generators:
        low = min(a * m + b * n for m, n in g)
        need(max(a * m + b * n for m, n in g) <= _HIGHEST, "newton: the degree of a chart")
        moved: Poly = {(p * m + q * n, a * m + b * n - low): c for (m, n), c in g.items()}
        generators.append(shift(moved, [Fraction(0), root]))
    h, k = statement.prior
    prior = (p * (1 + h) + q * (1 + k) - 1, Fraction(0))
    # t = x^(−q/det) y^(p/det): the exponents of t in terms of x and y.
    direction = (-q * determinant, p * determinant)
    return direction, root, ideal_of(Statement((), prior, True), generators)
