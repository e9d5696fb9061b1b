"""The checker's own list of compact faces, and what their initial forms do on the torus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd as integer_gcd
from operator import mul
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import Poly, one_signed, undivided
from rlct.certificate.identities import Zeros, identity, integers
from rlct.certificate.linear import feasible_weight, over_one_denominator, rank
from rlct.certificate.points import Point, distinct
from rlct.certificate.univariate import Dense, count_nonzero_real_roots, derivative, gcd
from rlct.errors import CertificateError

__all__ = ["compact_faces", "direction_of", "evidence_by_face", "zeros_on_face"]

Exponent = tuple[int, ...]


def compact_faces(points: Sequence[Exponent], banned: set[Exponent]) -> Iterator[list[Exponent]]:
    """All sets {argmin w·α : w > 0} of at least two points that avoid `banned`.

    For each choice of a first point, every later point is put on the face or above it; a
    branch is dropped only if exact arithmetic finds no weight for it, so none is missed.
    """
    minimal = sorted(undivided(points), key=lambda a: (a in banned, a))
    known: list[list[int]] = []
    for first, origin in enumerate(minimal):
        if origin in banned:
            continue
        others = [
            (tuple(x - y for x, y in zip(a, origin, strict=True)), a, k > first and a not in banned)
            for k, a in enumerate(minimal)
            if k != first
        ]
        # Points that must lie above come first: they prune the most.
        others.sort(key=lambda item: item[2])
        forced = [d for d, _, free in others if not free]
        choices = [(d, a) for d, a, free in others if free]
        yield from _branch([], forced, [origin], choices, known)


def _branch(
    zero: list[Exponent],
    positive: list[Exponent],
    face: list[Exponent],
    choices: list[tuple[Exponent, Exponent]],
    known: list[list[int]],
) -> Iterator[list[Exponent]]:
    if not _feasible(zero, positive, len(face[0]), known):
        return
    if not choices:
        if len(face) > 1:
            yield face
        return
    (difference, point), rest = choices[0], choices[1:]
    yield from _branch([*zero, difference], positive, [*face, point], rest, known)
    yield from _branch(zero, [*positive, difference], face, rest, known)


def _feasible(
    zero: list[Exponent], positive: list[Exponent], width: int, known: list[list[int]]
) -> bool:
    for w in reversed(known):
        if all(_times(w, a) > 0 for a in positive) and not any(_times(w, a) for a in zero):
            return True
    weight = feasible_weight(zero, positive, width)
    if weight is not None:
        known.append(over_one_denominator(weight)[1])
    return weight is not None


def _times(w: list[int], a: Exponent) -> int:
    cost.charge(10 + len(w) * cost.integer(64 + cost.length(w)), "the weights of a face")
    return sum(map(mul, w, a))


def evidence_by_face(
    generators: Sequence[Poly], items: Sequence[dict[str, Any]]
) -> dict[frozenset[Exponent], dict[str, Any]]:
    """Evidence by the points of the face that its weight exposes."""
    exponents = {a for g in generators for a in g}
    found: dict[frozenset[Exponent], dict[str, Any]] = {}
    for item in items:
        weight = integers(item["weight"], len(next(iter(exponents))))
        steps = cost.table(len(exponents), 10 + 2 * len(weight), cost.integer(cost.length(weight)))
        cost.charge(steps, "the evidence of a face")
        values = {a: sum(w * e for w, e in zip(weight, a, strict=True)) for a in exponents}
        least = min(values.values())
        points = frozenset(a for a, v in values.items() if v == least)
        if min(weight) <= 0 or points in found:
            raise CertificateError(f"{list(weight)} is not the weight of a face of its own")
        found[points] = item
    return found


def zeros_on_face(
    generators: Sequence[Poly],
    face: list[Exponent],
    item: dict[str, Any] | None,
    looked_at: Sequence[Point] = (),
) -> Zeros:
    """Decide the torus zeros of the initial forms of a face, or raise.

    `item` holds the identity of a face of dimension two and more, and what is recorded of an
    edge.  On an edge some zeros may be left to the caller, who looks at these points.
    """
    terms = sum(map(len, generators))
    cost.charge(5 * terms + len(face) * (10 + len(face[0])), "the forms of a face")
    points = set(face)
    forms = [form for g in generators if (form := {m: c for m, c in g.items() if m in points})]
    if any(one_signed(form) for form in forms):
        if item is not None or looked_at:
            raise CertificateError(f"the face through {sorted(points)} needs no evidence")
        return Zeros(None, False)
    differences = [tuple(x - y for x, y in zip(a, face[0], strict=True)) for a in face]
    if rank(differences) == 1:
        order = _edge(forms, face, looked_at)
        recorded = {0: {}, 1: {"rank": 1}}.get(order, {"order": order})
        noted = {} if item is None else {k: v for k, v in item.items() if k != "weight"}
        if noted != recorded:
            raise CertificateError(f"the edge through {sorted(points)} has zeros of order {order}")
        return Zeros(Fraction(1, 2 * order) if order else None, order == 1)
    if item is None:
        raise CertificateError(f"nothing is said about the face through {sorted(points)}")
    return identity(forms, sorted(points), item)


def _edge(forms: Sequence[Poly], face: list[Exponent], looked_at: Sequence[Point]) -> int:
    """Find the highest order of a real zero: t = x^u, u primitive, takes every value but 0."""
    origin = min(face)
    u = direction_of(face)
    pivot = next(i for i, x in enumerate(u) if x)
    dense: list[Dense] = []
    for form in forms:
        places = {(m[pivot] - origin[pivot]) // u[pivot]: c for m, c in form.items()}
        cost.charge(10 * max(places), "a polynomial in one variable")
        dense.append([places.get(k, Fraction(0)) for k in range(max(places) + 1)])
    common = gcd(dense)
    if not all(point.is_zero_of(common, u) for point in looked_at) or not distinct(looked_at, u):
        raise CertificateError("the points of a blow-up are not distinct zeros of initial forms")
    order = 0
    # Zeros of higher order are those of the gcd with the derivative.
    while count_nonzero_real_roots(common) > sum(p.is_zero_of(common, u) for p in looked_at):
        order += 1
        common = gcd([common, derivative(common)])
    return order


def direction_of(face: list[Exponent]) -> Exponent:
    """Primitive vector along an edge."""
    u = tuple(x - y for x, y in zip(max(face), min(face), strict=True))
    content = integer_gcd(*u)
    return tuple(x // content for x in u)
