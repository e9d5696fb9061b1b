"""The checker on questions over a box in the plane; ``theory/points.md`` proves the rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    at,
    partial_derivative,
    poly_exact_quotient,
    poly_power,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    read_number,
    read_polynomial,
    taylor_shift,
    total_degree,
    value_at_origin,
)
from rlct.certificate.numbers.field import RealField, RealNumber
from rlct.certificate.numbers.isolate import IsolatedRoot, eliminant, enclose_value, roots_between
from rlct.certificate.rules import RuleScope, Sign, checked_rule
from rlct.certificate.statement import PairBounds, Statement, need, read_index
from rlct.certificate.torus.points import read_field
from rlct.errors import CertificateError
from rlct.pair import Pair

_ENCLOSURE_BITS = (24, 64, 160, 400, 1000)  # bits of enclosures, tried in turn

BoxPoint = tuple[RealNumber, ...]


@dataclass(frozen=True)
class Box:
    """Generators over Q with a prior on a box; `scale` is 2 for an ideal and 1 for K = |g|."""

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    sides: tuple[tuple[Fraction, Fraction], ...]
    is_ideal: bool

    @property
    def scale(self) -> int:
        """λ of K against that of √K."""
        return 2 if self.is_ideal else 1


def read_box_point(box: Box, data: Mapping[str, Any]) -> tuple[BoxPoint, RealField | None]:
    """Read a point in the box."""
    field = read_field(data["field"]) if "field" in data else None
    box_point = tuple(
        read_number(a, field) if isinstance(a, list) else read_fraction(a) for a in data["at"]
    )
    need(len(box_point) == len(box.sides), "box: a point has the wrong length")
    for a, (low, high) in zip(box_point, box.sides, strict=True):
        need(not (a < low or a > high), "box: a point is outside")
    return box_point, field


def statement_at(box: Box, box_point: BoxPoint, field: RealField | None) -> Statement:
    """The question at a point of the box, with x = a ± y^q where it lies on a wall."""
    nonzero = tuple(g for g in box.generators if g)
    moved_generators = [taylor_shift(g, box_point) for g in nonzero]
    prior = []
    for i, (a, h, (low, high)) in enumerate(zip(box_point, box.prior, box.sides, strict=True)):
        wall = a in (low, high)
        q = substitution_exponent(h if a == 0 else Fraction(0), wall=wall)
        prior.append(q * (h + 1) - 1 if a == 0 else Fraction(q - 1))
        sign = -1 if a == high else 1
        if q > 1:
            terms = sum(map(len, moved_generators))
            cost.charge(terms * (15 + len(box.sides) // 3), "a change of coordinates")
            moved_generators = [
                {(*m[:i], q * m[i], *m[i + 1 :]): c * sign ** m[i] for m, c in g.items()}
                for g in moved_generators
            ]
    need(
        not any(c for g in moved_generators for m, c in g.items() if not any(m)),
        "box: K does not vanish at a point",
    )
    return Statement(tuple(moved_generators), tuple(prior), box.is_ideal, field)


def substitution_exponent(h: Fraction, *, wall: bool) -> int:
    """The least q with x = ±y^q onto one side of 0, or both, and q(h + 1) − 1 ≥ 0."""
    q = max(1, ceil(1 / (h + 1)))
    return q + (q % 2 == wall)


def sign_on(
    sides: Sequence[tuple[Fraction, Fraction]], m: tuple[int, ...], c: RealNumber
) -> tuple[bool, frozenset[int]]:
    """The sign of a term in a box, times those of some variables."""
    odd = [i for i, e in enumerate(m) if e % 2]
    negative = [i for i in odd if sides[i][1] <= 0]
    both = frozenset(i for i in odd if sides[i][0] < 0 < sides[i][1])
    return (c > 0) is (len(negative) % 2 == 0), both


def bounds_at_points(
    box: Box, proof: Mapping[str, Any], replay_child: Callable[..., PairBounds], first: int = 0
) -> list[tuple[BoxPoint, PairBounds]]:
    """The listed points of the box, each with what its proof gives; proofs begin at `first`."""
    items, children = proof["data"].get("points", []), proof.get("children", [])[first:]
    need(len(items) == len(children), "box: as many points as proofs are needed")
    at_points = []
    for item, child in zip(items, children, strict=True):
        place, field = read_box_point(box, item)
        at_points.append((place, replay_child(statement_at(box, place, field), child)))
    return at_points


def powers_of_factors(step: Mapping[str, Any]) -> list[tuple[Any, int]]:
    """The factors of K that a step lists, with exponents: their product divides it."""
    data = step.get("data", {})
    if "groups" in data:
        return [(factor, 1) for factor in data["factors"]]
    items = data.get("factors", [])
    return [(f["factor"], f["exponent"]) if isinstance(f, Mapping) else tuple(f) for f in items]


def sign_of_powers(step: Mapping[str, Any], below: Iterable[Sign]) -> Sign:
    """Even powers; whether K is a positive multiple of them, `rlct.certificate.sign` compares."""
    exponents = [m for _, m in powers_of_factors(step)]
    return Sign.OPEN if not exponents or any(m % 2 for m in exponents) else Sign.NONNEGATIVE


@checked_rule(
    "plane",
    "{factors: [(polynomial, positive)], combinations?: [[integer]] | null, points?: "
    "[place], order?: natural, crossed?: [(index, [[rational]])]}",
    RuleScope.BOX,
    sign=sign_of_powers,
)
def plane_rule(
    box: Box,
    proof: Mapping[str, Any],
    replay_child: Callable[[Statement, Mapping[str, Any]], PairBounds],
) -> PairBounds:
    """The least pair over a box in the plane is the least over the critical points of the zero set.

    If every pair of roots of the eliminants is a listed point, or one of its conditions is not 0
    there, or the order of K is at most k there, which bounds by (1/k, 1) (``theory/points.md``).
    """
    data = proof["data"]
    need(len(box.sides) == 2, "box: the rule is for two variables")
    factors, cofactors = read_factors(box, data["factors"])
    at_points = bounds_at_points(box, proof, replay_child)
    recorded_order = data.get("order", 0)
    need(type(recorded_order) is int and recorded_order >= 0, "box: the order is no integer")
    listed = [place for place, _ in at_points]
    order_used = False
    # A critical point is a common zero of one of these systems, and among its candidates.
    for system, vanishing_polynomials in _systems(
        box, factors, cofactors, data.get("combinations")
    ):
        for x, y in _candidates(box, system):
            cost.charge(50 * (1 + len(listed)), "the points of a box")
            if not any(x.equals(a) and y.equals(b) for a, b in listed):
                # A derivative bounds the pair only where the prior is bounded.
                large = any(
                    h < 0 and root.equals(Fraction(0))
                    for h, root in zip(box.prior, (x, y), strict=True)
                )
                order_used |= _bounded(
                    vanishing_polynomials, factors, cofactors, x, y, 0 if large else recorded_order
                )
    lowers = [low for _, (low, _) in at_points]
    if order_used:
        lowers.append(Pair(Fraction(1, box.scale * recorded_order), 1))
    uppers = [high for _, (_, high) in at_points if high is not None]
    uppers += [_crossed(box, factors, item) for item in data.get("crossed", [])]
    need(bool(lowers), "box: K has no zero in the box")
    return min(lowers), min(uppers) if uppers else None


def read_factors(box: Box, items: Sequence[Any]) -> tuple[list[tuple[Poly, int]], list[Poly]]:
    """Common factors with exponents, and what is left of the generators."""
    width = len(box.sides)
    factors: list[tuple[Poly, int]] = []
    factors_product: Poly = {(0,) * width: Fraction(1)}
    least = min(map(total_degree, box.generators))
    for terms, m in items:
        p = read_polynomial(terms, width)
        need(type(m) is int and m >= 1 and total_degree(p) >= 1, "box: a factor has no exponent")
        need(m * total_degree(p) <= least, "box: the degree of a factor is too high")
        factors.append((p, m))
        factors_product = poly_product(factors_product, poly_power(p, m, width))
    return factors, [poly_exact_quotient(g, factors_product) for g in box.generators]


def _systems(
    box: Box, factors: list[tuple[Poly, int]], cofactors: list[Poly], combination_rows: Any
) -> list[tuple[tuple[Poly, Poly], list[Poly]]]:
    """Pairs of polynomials, finitely many common zeros each, and all that vanishes there."""
    critical_systems: list[tuple[tuple[Poly, Poly], list[Poly]]] = []
    walls: list[list[Poly]] = [
        [{_unit(i): Fraction(1), (0, 0): -a} if a else {_unit(i): Fraction(1)} for a in side]
        for i, side in enumerate(box.sides)
    ]
    axes: list[Poly] = [{_unit(i): Fraction(1)} for i, h in enumerate(box.prior) if h < 0]
    for p, _ in factors:
        slope = partial_derivative(p, 1)
        if slope:
            critical_systems.append(((p, slope), [p, slope]))
        else:
            # Vertical lines, each of which meets the lower wall.
            flat = eliminant(p, partial_derivative(p, 0), 0)
            need(len(flat) == 1, "box: a factor is not squarefree")
        for wall in walls[0] + walls[1] + axes:
            if not _proportional(p, wall):
                critical_systems.append(((p, wall), [p, wall]))
    critical_systems += [((p, q), [p, q]) for (p, _), (q, _) in combinations(factors, 2)]
    critical_systems += [((v, w), list(box.generators)) for v in walls[0] for w in walls[1]]
    if all(total_degree(c) for c in cofactors):
        need(combination_rows is not None, "box: the common zeros of the cofactors are left out")
        need(len(combination_rows) == 2, "box: two combinations are needed")
        pair = []
        for row in combination_rows:
            need(
                len(row) == len(cofactors) and all(type(a) is int for a in row),
                "box: a combination has the wrong length",
            )
            pair.append(poly_sum(*(poly_scale(c, a) for c, a in zip(cofactors, row, strict=True))))
        need(all(pair), "box: a combination is zero")
        critical_systems.append(((pair[0], pair[1]), cofactors))
    return critical_systems


def _unit(axis: int) -> tuple[int, int]:
    return (1, 0) if axis == 0 else (0, 1)


def _proportional(p: Poly, q: Poly) -> bool:
    lead = max(q)
    return lead in p and poly_scale(q, p[lead] / q[lead]) == p


def _candidates(box: Box, system: tuple[Poly, Poly]) -> list[tuple[IsolatedRoot, IsolatedRoot]]:
    """Pairs of coordinates among which are those of all common zeros in the box."""
    rows: list[list[IsolatedRoot]] = []
    for axis, (low, high) in enumerate(box.sides):
        # Not identically 0: the common zeros are finitely many, and their coordinates are roots.
        p = eliminant(*system, axis)
        need(bool(p), "box: two polynomials share a factor, or one has a double one")
        rows.append(roots_between(p, low, high))
        if not rows[-1]:
            return []
    return [(x, y) for x in rows[0] for y in rows[1]]


def _bounded(
    conditions: Sequence[Poly],
    factors: Sequence[tuple[Poly, int]],
    cofactors: Sequence[Poly],
    x: IsolatedRoot,
    y: IsolatedRoot,
    most: int,
) -> bool:
    """Show that a candidate is no critical point (False), or that K has an order of at most `most`.

    The first if an enclosure of one of its conditions excludes 0; the second if enclosures of
    derivatives do.  Finer enclosures are tried before the rule refuses.
    """
    for bits in _ENCLOSURE_BITS:
        if any(_nonzero(p, x, y, bits) for p in conditions):
            return False
        if most:
            total = min((_order(c, x, y, bits, most) for c in cofactors), default=0)
            for p, m in factors:
                total += m * _order(p, x, y, bits, most // m)
            if total <= most:
                return True
    raise CertificateError("box: a critical point is missing, or its order is too high")


def _nonzero(p: Poly, x: IsolatedRoot, y: IsolatedRoot, bits: int) -> bool:
    low, high = enclose_value(p, x, y, bits)
    return low > 0 or high < 0


def _order(p: Poly, x: IsolatedRoot, y: IsolatedRoot, bits: int, most: int) -> int:
    """A bound on the order of vanishing; more than `most` if none is found."""
    layer = [p]
    for k in range(most + 1):
        if any(_nonzero(q, x, y, bits) for q in layer):
            return k
        following = [partial_derivative(layer[0], 0), *(partial_derivative(q, 1) for q in layer)]
        layer = [q for q in following if q]
        if not layer:
            break
    return most + 1


def check_sign_change(p: Poly, points: Any, sides: Sequence[tuple[Fraction, Fraction]]) -> None:
    """A polynomial has opposite signs at two rational points inside a box."""
    values = []
    for texts in points:
        point = [read_fraction(a) for a in texts]
        need(
            len(point) == len(sides)
            and all(low < a < high for a, (low, high) in zip(point, sides, strict=True)),
            "box: a point of a sign change is not inside",
        )
        values.append(value_at_origin(at(p, dict(enumerate(point)))))
    need(len(values) == 2 and values[0] * values[1] < 0, "box: the signs are not opposite")


def _crossed(box: Box, factors: Sequence[tuple[Poly, int]], item: Any) -> Pair:
    """A factor that takes both signs inside the box vanishes there along a curve."""
    chosen, points = item
    p, m = factors[read_index(chosen, len(factors), "box: no such factor")]
    # Zeros separate the two points: a curve of them, with a smooth point off the critical ones.
    check_sign_change(p, points, box.sides)
    axes = [box.prior[i] for i in (0, 1) if all(e[i] for e in p)]
    h = axes[0] if axes and total_degree(p) == 1 else max([Fraction(0), *axes])
    return Pair((1 + h) / (box.scale * m), 1)
