"""The checker's own list of compact faces, and what their initial forms do on the torus."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd as integer_gcd
from operator import mul
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, is_one_signed, minimal_monomials
from rlct.certificate.numbers.linear import feasible_weight, matrix_rank, over_one_denominator
from rlct.certificate.numbers.univariate import (
    DensePoly,
    count_nonzero_real_roots,
    dense_derivative,
    dense_gcd,
)
from rlct.certificate.torus.identities import TorusZeros, check_identity, read_integers
from rlct.certificate.torus.points import Point, are_distinct
from rlct.errors import CertificateError

Exponent = tuple[int, ...]


def list_compact_faces(
    points: Sequence[Exponent], banned_points: set[Exponent]
) -> Iterator[list[Exponent]]:
    """All sets {argmin w·α : w > 0} of at least two points that avoid `banned_points`.

    A face is spanned by its corners.  For each choice of a first corner, every later one is put on
    the face or above it; a branch is dropped only if exact arithmetic finds no weight for it, so
    none is missed.
    """
    minimal_points = minimal_monomials(points)
    known_weights: list[list[int]] = []
    corners = sorted(_corners(minimal_points, known_weights), key=lambda a: (a in banned_points, a))
    for first, origin in enumerate(corners):
        if origin in banned_points:
            continue
        other_edges = [
            (_minus(a, origin), k > first and a not in banned_points)
            for k, a in enumerate(corners)
            if k != first
        ]
        # Corners that must lie above come first: they prune the most.
        forced = [d for d, free in other_edges if not free]
        choices = [d for d, free in other_edges if free]
        for weight in _branch([], forced, choices, known_weights):
            values = [_times(weight, a) for a in minimal_points]
            least = min(values)
            face = [a for a, value in zip(minimal_points, values, strict=True) if value == least]
            if len(face) > 1 and banned_points.isdisjoint(face):
                yield face


def _corners(minimal_points: list[Exponent], known_weights: list[list[int]]) -> list[Exponent]:
    """The points that are alone where some w > 0 is least."""
    width = len(minimal_points[0])
    cost.charge(len(minimal_points) ** 2 * (10 + 3 * width), "the corners of a polyhedron")
    listed = set(minimal_points)
    # None is halfway between two others.
    outer_points = [
        a
        for a in minimal_points
        if not any(
            b != a and tuple(2 * x - y for x, y in zip(a, b, strict=True)) in listed
            for b in minimal_points
        )
    ]
    return [
        a
        for a in outer_points
        if _weight([], [_minus(b, a) for b in outer_points if b != a], width, known_weights)
        is not None
    ]


def _minus(a: Exponent, b: Exponent) -> Exponent:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _branch(
    zero: list[Exponent],
    positive: list[Exponent],
    choices: list[Exponent],
    known_weights: list[list[int]],
) -> Iterator[list[int]]:
    """Weights of all faces with these differences, one for each choice of the others."""
    weight = _weight(zero, positive, len(known_weights[0]), known_weights)
    if weight is None:
        return
    if not choices:
        yield weight
        return
    difference, *choices_left = choices
    yield from _branch([*zero, difference], positive, choices_left, known_weights)
    yield from _branch(zero, [*positive, difference], choices_left, known_weights)


def _weight(
    zero: list[Exponent], positive: list[Exponent], width: int, known_weights: list[list[int]]
) -> list[int] | None:
    """Find w > 0 with w·a = 0 for the first and w·a > 0 for the others; None if there is none."""
    for w in reversed(known_weights):
        if all(_times(w, a) > 0 for a in positive) and not any(_times(w, a) for a in zero):
            return w
    weight = feasible_weight(zero, positive, width)
    if weight is None:
        return None
    known_weights.append(over_one_denominator(weight)[1])
    return known_weights[-1]


def _times(w: list[int], a: Exponent) -> int:
    cost.charge(15 + len(w) * cost.of_integer(64 + cost.bits_in(w)), "the weights of a face")
    return sum(map(mul, w, a))


def evidence_by_face(
    generators: Sequence[Poly], items: Sequence[dict[str, Any]]
) -> dict[frozenset[Exponent], dict[str, Any]]:
    """Evidence by the points of the face that its weight exposes."""
    exponents = {a for g in generators for a in g}
    items_by_face: dict[frozenset[Exponent], dict[str, Any]] = {}
    for item in items:
        weight = read_integers(item["weight"], len(next(iter(exponents))))
        steps = cost.of_table(
            len(exponents), 10 + 2 * len(weight), cost.of_integer(cost.bits_in(weight))
        )
        cost.charge(steps, "the evidence of a face")
        values = {a: sum(w * e for w, e in zip(weight, a, strict=True)) for a in exponents}
        least = min(values.values())
        points = frozenset(a for a, v in values.items() if v == least)
        if min(weight) <= 0 or points in items_by_face:
            raise CertificateError(f"{list(weight)} is not the weight of a face of its own")
        items_by_face[points] = item
    return items_by_face


def zeros_on_face(
    generators: Sequence[Poly],
    face: list[Exponent],
    item: dict[str, Any] | None,
    listed_points: Sequence[Point] = (),
) -> TorusZeros:
    """Decide the torus zeros of the initial forms of a face, or raise.

    `item` holds the identity of a face of dimension two and more, and what is recorded of an
    edge.  On an edge the caller bounds the pair at the listed points itself.
    """
    terms = sum(map(len, generators))
    cost.charge(5 * terms + len(face) * (10 + len(face[0])), "the forms of a face")
    points = set(face)
    forms = [form for g in generators if (form := {m: c for m, c in g.items() if m in points})]
    if any(is_one_signed(form) for form in forms):
        if item is not None or listed_points:
            raise CertificateError(f"the face through {sorted(points)} needs no evidence")
        return TorusZeros(None, False)
    differences = [tuple(x - y for x, y in zip(a, face[0], strict=True)) for a in face]
    if matrix_rank(differences) == 1:
        order = _edge(forms, face, listed_points)
        recorded = {0: {}, 1: {"rank": 1}}.get(order, {"order": order})
        noted = {} if item is None else {k: v for k, v in item.items() if k != "weight"}
        if noted != recorded:
            raise CertificateError(f"the edge through {sorted(points)} has zeros of order {order}")
        return TorusZeros(Fraction(1, 2 * order) if order else None, order == 1)
    if item is None:
        raise CertificateError(f"nothing is said about the face through {sorted(points)}")
    return check_identity(forms, sorted(points), item)


def _edge(forms: Sequence[Poly], face: list[Exponent], listed_points: Sequence[Point]) -> int:
    """Find the highest order of a real zero: t = x^u, u primitive, takes every value but 0."""
    origin = min(face)
    u = direction_of(face)
    pivot = next(i for i, x in enumerate(u) if x)
    dense: list[DensePoly] = []
    for form in forms:
        places = {(m[pivot] - origin[pivot]) // u[pivot]: c for m, c in form.items()}
        cost.charge(10 * max(places), "a polynomial in one variable")
        dense.append([places.get(k, Fraction(0)) for k in range(max(places) + 1)])
    common_factor = dense_gcd(dense)
    if not all(point.is_zero_of(common_factor, u) for point in listed_points) or not are_distinct(
        listed_points, u
    ):
        raise CertificateError("the points of a blow-up are not distinct zeros of initial forms")
    order = 0
    # Zeros of higher order are those of the gcd with the derivative.
    while count_nonzero_real_roots(common_factor) > sum(
        p.is_zero_of(common_factor, u) for p in listed_points
    ):
        order += 1
        common_factor = dense_gcd([common_factor, dense_derivative(common_factor)])
    return order


def direction_of(face: list[Exponent]) -> Exponent:
    """Primitive vector along an edge."""
    u = tuple(x - y for x, y in zip(max(face), min(face), strict=True))
    content = integer_gcd(*u)
    return tuple(x // content for x in u)
