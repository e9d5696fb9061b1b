"""The checker's own list of compact faces, and what their initial forms do on the torus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd as integer_gcd
from typing import Any

from rlct.certificate.arithmetic import Poly, add, fraction, multiply, read, scale
from rlct.certificate.linear import feasible_weight, rank
from rlct.certificate.univariate import Dense, derivative, gcd, has_nonzero_real_root, without_root
from rlct.errors import CertificateError

__all__ = ["Zeros", "compact_faces", "zeros_on_face"]

Exponent = tuple[int, ...]


@dataclass(frozen=True)
class Zeros:
    """Rank of the differentials at the torus zeros (None: no zeros), and whether some exist."""

    rank: int | None
    exist: bool


def compact_faces(points: Sequence[Exponent], banned: set[Exponent]) -> Iterator[list[Exponent]]:
    """All sets {argmin w·α : w > 0} of at least two points that avoid `banned`.

    For each choice of a first point, every later point is put on the face or above it; a
    branch is dropped only if exact arithmetic finds no weight for it, so none is missed.
    """
    minimal = [
        a
        for a in set(points)
        if not any(b != a and all(x <= y for x, y in zip(b, a, strict=True)) for b in points)
    ]
    minimal.sort(key=lambda a: (a in banned, a))
    known: list[list[Fraction]] = []
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
    known: list[list[Fraction]],
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
    zero: list[Exponent], positive: list[Exponent], width: int, known: list[list[Fraction]]
) -> bool:
    for w in reversed(known):
        if all(_dot(w, a) > 0 for a in positive) and all(_dot(w, a) == 0 for a in zero):
            return True
    weight = feasible_weight(zero, positive, width)
    if weight is not None:
        known.append(weight)
    return weight is not None


def _dot(w: Sequence[Fraction], a: Exponent) -> Fraction:
    return sum((x * y for x, y in zip(w, a, strict=True) if y), Fraction(0))


def zeros_on_face(
    generators: Sequence[Poly],
    face: list[Exponent],
    evidence: Sequence[dict[str, Any]],
    roots: Sequence[tuple[Exponent, Fraction]] = (),
) -> Zeros:
    """Decide the torus zeros of the initial forms of a face, or raise.

    `evidence` holds the identities for faces of dimension two and more, by weight.  On an edge
    the zeros t = x^direction of `roots`, given as (direction, t), are left to the caller.
    """
    points = set(face)
    forms = [form for g in generators if (form := {m: c for m, c in g.items() if m in points})]
    if any(_one_signed(form) for form in forms):
        return Zeros(None, False)
    differences = [tuple(x - y for x, y in zip(a, face[0], strict=True)) for a in face]
    if rank(differences) == 1:
        return _edge(forms, face, roots)
    for item in evidence:
        weight = _integers(item.get("weight"), len(face[0]))
        values = {
            a: sum(w * e for w, e in zip(weight, a, strict=True)) for g in generators for a in g
        }
        least = min(values.values())
        if all(w > 0 for w in weight) and {a for a, v in values.items() if v == least} == points:
            return _identity(forms, sorted(points), item)
    raise CertificateError(f"nothing is said about the face through {sorted(points)}")


def _one_signed(form: Poly) -> bool:
    """One term, or terms of one sign on each orthant: no zero with all coordinates non-zero."""
    (first, c), *others = form.items()
    return all(
        c * e > 0 and all((a - b) % 2 == 0 for a, b in zip(first, m, strict=True))
        for m, e in others
    )


def _edge(
    forms: Sequence[Poly], face: list[Exponent], roots: Sequence[tuple[Exponent, Fraction]]
) -> Zeros:
    """Count real roots: t = x^u with u primitive takes every non-zero real value."""
    origin = min(face)
    u = tuple(x - y for x, y in zip(max(face), origin, strict=True))
    content = integer_gcd(*u)
    u = tuple(x // content for x in u)
    pivot = next(i for i, x in enumerate(u) if x)
    dense: list[Dense] = []
    for form in forms:
        places = {(m[pivot] - origin[pivot]) // u[pivot]: c for m, c in form.items()}
        dense.append([places.get(k, Fraction(0)) for k in range(max(places) + 1)])
    common = gcd(dense)
    for direction, root in roots:
        if direction == u:
            common = without_root(common, root)
        elif direction == tuple(-x for x in u):
            common = without_root(common, 1 / root)
    if not has_nonzero_real_root(common):
        return Zeros(None, False)
    if has_nonzero_real_root(gcd([common, *map(derivative, dense)])):
        raise CertificateError(f"the initial forms on {sorted(face)} have a singular real zero")
    return Zeros(1, True)


def _identity(forms: Sequence[Poly], points: list[Exponent], item: dict[str, Any]) -> Zeros:
    """Check Σ c_i p_i = a monomial for the forms, or for the forms and their derivatives."""
    basis = [_integers(row, len(points[0])) for row in _list(item.get("basis"))]
    k = len(basis)
    coordinates = [_integers(row, k) for row in _list(item.get("coordinates"))]
    if rank(basis) != k or len(coordinates) != len(points):
        raise CertificateError("the coordinates of a face are not those of its points")
    for point, c in zip(points, coordinates, strict=True):
        image = tuple(
            sum(x * row[j] for x, row in zip(c, basis, strict=True)) for j in range(len(point))
        )
        if image != tuple(x - y for x, y in zip(point, points[0], strict=True)):
            raise CertificateError(f"the coordinates of {point} are wrong")
    where = dict(zip(points, coordinates, strict=True))
    polynomials: list[Poly] = []
    for form in forms:
        least = [min(where[m][j] for m in form) for j in range(k)]
        polynomials.append(
            {tuple(x - y for x, y in zip(where[m], least, strict=True)): c for m, c in form.items()}
        )
    smooth = item.get("rank")
    if smooth is not None:
        if type(smooth) is not int or not 1 <= smooth <= min(len(forms), k):
            raise CertificateError(f"the differentials cannot have rank {smooth}")
        jacobian = [
            [{m: c * m[j] for m, c in p.items() if m[j]} for j in range(k)] for p in polynomials
        ]
        polynomials += [
            _determinant([[jacobian[i][j] for j in columns] for i in rows])
            for rows in combinations(range(len(forms)), smooth)
            for columns in combinations(range(k), smooth)
        ]
    cofactors = [read(c, k) for c in _list(item.get("cofactors"))]
    if len(cofactors) != len(polynomials):
        raise CertificateError("a face has the wrong number of cofactors")
    total = add(*(multiply(c, p) for c, p in zip(cofactors, polynomials, strict=True)))
    if len(total) != 1:
        raise CertificateError(f"the identity for the face through {points} does not hold")
    if smooth is None:
        return Zeros(None, False)
    signs = item.get("signs")
    if signs is not None:
        _check_signs(forms, signs)
    return Zeros(smooth, signs is not None)


def _determinant(matrix: list[list[Poly]]) -> Poly:
    if len(matrix) == 1:
        return matrix[0][0]
    return add(
        *(
            scale(
                multiply(entry, _determinant([[*row[:j], *row[j + 1 :]] for row in matrix[1:]])),
                (-1) ** j,
            )
            for j, entry in enumerate(matrix[0])
        )
    )


def _check_signs(forms: Sequence[Poly], signs: Any) -> None:
    """Two points of one orthant with opposite signs of the only form."""
    points = [[fraction(v) for v in _list(point)] for point in _list(signs)]
    values = []
    for point in points:
        total = Fraction(0)
        for m, c in forms[0].items():
            if len(point) != len(m):
                raise CertificateError("a point of a sign change has the wrong length")
            for x, e in zip(point, m, strict=True):
                c *= x**e
            total += c
        values.append(total)
    if not (
        len(forms) == 1
        and len(points) == 2
        and values[0] * values[1] < 0
        and all(x * y > 0 for x, y in zip(*points, strict=True))
    ):
        raise CertificateError("the points of a sign change prove nothing")


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise CertificateError("a list is missing in the evidence of a face")
    return data


def _integers(data: Any, length: int) -> tuple[int, ...]:
    row = tuple(_list(data))
    if len(row) != length or any(type(x) is not int for x in row):
        raise CertificateError(f"{data} are not {length} integers")
    return row
