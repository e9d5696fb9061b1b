"""Newton polyhedron of an ideal, and the points in two variables where it is degenerate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlct.certificate.proof import Proof
from rlct.engine.leaves import programme
from rlct.engine.step import Bounds, Step
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import FaceZeros, face_zeros
from rlct.newton.polyhedron import TooManyFacesError, iter_compact_faces, principal_face
from rlct.pair import Pair
from rlct.polynomial import Polynomial, make_ring, terms_of
from rlct.problem import Germ

__all__ = ["apply"]

_MOST_FACES = 2_000
_LARGEST = 400  # terms of all generators together, for the list of faces
_HIGHEST_DEGREE = 400  # of a chart


def apply(germ: Germ, *, hurry: bool = False) -> Step | Proof | None:
    """Newton polyhedron of an ideal whose compact faces are all decided.

    ``theory/newton.md`` states and proves the rule: with no torus zeros the value of the
    linear programme is exact; zeros where s initial forms have independent differentials
    add the candidate s/2, which is a pole if the generators are exactly those s coordinates;
    zeros of order at most k allow a pole at 1/(2k) or later.
    In two variables the other zeros are points of a toric blow-up, and the germs there are
    the children: the pair is the least of all.  In a hurry, give up at the first face that
    rules out an exact answer.
    """
    generators = [terms_of(g) for g in germ.generators]
    if sum(map(len, generators)) > _LARGEST:
        return None
    exponents = sorted(set().union(*generators))
    optimum = monomial_optimum(exponents, germ.prior)
    enough = optimum.pair.lam if hurry and len(generators) > 1 else None
    verdicts = _verdicts(generators, exponents, enough)
    if verdicts is None:
        return None
    central = set(principal_face(exponents, optimum))
    bounds = _bounds(optimum.pair, verdicts, central, principal=len(generators) == 1)
    data = {
        **programme(optimum, [list(m) for m in exponents]),
        "faces": [v.evidence for v in verdicts if v.evidence],
    }
    charts = [(v, root, chart_at(v)) for v in verdicts for root in v.roots]
    if not charts:
        return Proof("newton", *bounds, data)
    if any(_chart_degree(g, chart) > _HIGHEST_DEGREE for *_, chart in charts for g in generators):
        return None
    data["points"] = [{"chart": chart, "root": str(root)} for _, root, chart in charts]
    children = tuple(_germ_at(germ, chart, root) for _, root, chart in charts)

    def combine(found: Sequence[Bounds]) -> Bounds:
        uppers = [upper for _, upper in [bounds, *found] if upper is not None]
        return min(lower for lower, _ in [bounds, *found]), min(uppers)

    return Step("newton", children, combine, data)


def _verdicts(
    generators: Sequence[dict[tuple[int, ...], Fraction]],
    exponents: list[tuple[int, ...]],
    enough: Fraction | None,
) -> list[FaceZeros] | None:
    """What the compact faces do; None if undecided, or if one has a threshold below `enough`."""
    single = {next(iter(g)) for g in generators if len(g) == 1}
    banned = [i for i, m in enumerate(exponents) if m in single]
    verdicts = []
    try:
        for face in iter_compact_faces(exponents, excluding=banned, limit=_MOST_FACES):
            if face.dimension:
                # In the plane a zero on an edge is one point, which can be looked at.
                verdict = face_zeros(generators, face, set_aside=len(exponents[0]) == 2)
                if verdict is None:
                    return None
                threshold = verdict.threshold
                if enough is not None and threshold is not None and threshold < enough:
                    return None
                verdicts.append(verdict)
    except TooManyFacesError:
        return None
    return verdicts


def _bounds(
    toric: Pair, verdicts: list[FaceZeros], central: set[int], *, principal: bool
) -> tuple[Pair, Pair]:
    lower, upper = toric, toric
    for verdict in verdicts:
        if verdict.threshold is None:
            continue
        candidate = Pair(verdict.threshold, 1)
        if candidate.lam == toric.lam and central.issuperset(verdict.face.rows):
            # The strict transform crosses all the divisors that attain λ: one more factor.
            candidate = Pair(toric.lam, toric.theta + 1)
        lower = min(lower, candidate)
        if principal and verdict.exist:
            upper = min(upper, candidate)
    return lower, upper


Chart = list[list[int]]


def chart_at(verdict: FaceZeros) -> Chart:
    """Exponents of x = s^p t^a, y = s^q t^b: (p, q) the weight, and t = x^direction.

    The least a, b ≥ 0 with direction·(a, b) = 1; the determinant is then ±1, so the chart is
    an isomorphism of real tori.
    """
    p, q = verdict.face.weight
    u, v = verdict.direction
    a, b = next(
        (a, (1 - u * a) // v)
        for a in range(abs(v) + 1)
        if (1 - u * a) % v == 0 and (1 - u * a) // v >= 0
    )
    return [[p, q], [a, b]]


def _chart_degree(g: dict[tuple[int, ...], Fraction], chart: Chart) -> int:
    (p, q), (a, b) = chart
    return max((p + a) * m + (q + b) * n for m, n in g)


def _germ_at(germ: Germ, chart: Chart, root: Fraction) -> Germ:
    """Germ at s = 0, t = root, in coordinates s and t − root."""
    (p, q), (a, b) = chart
    ring = make_ring(["s", "t"])
    s, t = ring.gens
    moved = t + ring.domain(root.numerator, root.denominator)
    powers: dict[int, Polynomial] = {0: ring.one}

    def power(exponent: int) -> Polynomial:
        if exponent not in powers:
            powers[exponent] = power(exponent - 1) * moved
        return powers[exponent]

    generators = []
    for g in germ.generators:
        low = min(a * m + b * n for m, n in g.itermonoms())
        total = ring.zero
        for (m, n), c in g.terms():
            # t is a unit at the point: the common power of it is left out.
            total += s ** (p * m + q * n) * power(a * m + b * n - low) * c
        generators.append(total)
    h, k = germ.prior
    return Germ(tuple(generators), (p * (1 + h) + q * (1 + k) - 1, Fraction(0)), True)
