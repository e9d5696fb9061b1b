"""Zeros of the initial forms of a face of dimension two and more, proved by identities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    at,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    read_polynomial,
    value_at_origin,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.linear import matrix_rank
from rlct.errors import CertificateError

Exponent = tuple[int, ...]


@dataclass(frozen=True)
class TorusZeros:
    """What the torus zeros allow.

    ``threshold`` is None without zeros, s/2 for differentials of rank s at every zero, and
    1/(2k) for zeros of order at most k; ``exist`` if there are smooth ones.
    """

    threshold: Fraction | None
    exist: bool


def check_identity(
    forms: Sequence[Poly], points: list[Exponent], item: dict[str, Any]
) -> TorusZeros:
    """Check Σ c_i p_i = a monomial, which proves that the p_i have no common torus zero.

    The p_i are the forms in torus coordinates; with ``rank`` s also the s × s minors of their
    matrix of derivatives t_j ∂/∂t_j; with ``order`` k all such derivatives up to order k.
    """
    polynomials, k = _in_torus_coordinates(forms, points, item)
    smooth_rank, order = item.get("rank"), item.get("order")
    if smooth_rank is not None and order is not None:
        raise CertificateError("a face has both a rank and an order")
    if order is not None:
        polynomials = _derivatives(polynomials, k, order)
    if smooth_rank is not None:
        polynomials += _minors(polynomials, k, smooth_rank)
    cofactors = [read_polynomial(c, k) for c in _listed(item.get("cofactors"))]
    if len(cofactors) != len(polynomials):
        raise CertificateError("a face has the wrong number of cofactors")
    total = poly_sum(*(poly_product(c, p) for c, p in zip(cofactors, polynomials, strict=True)))
    # Where all p_i vanish, a monomial would: it has no zero on the torus.
    if len(total) != 1:
        raise CertificateError(f"the identity for the face through {points} does not hold")
    if order is not None:
        return TorusZeros(Fraction(1, 2 * order), False)
    if smooth_rank is None:
        return TorusZeros(None, False)
    signs = item.get("signs")
    if signs is not None:
        check_signs(forms, signs)
    return TorusZeros(Fraction(smooth_rank, 2), signs is not None)


def _in_torus_coordinates(
    forms: Sequence[Poly], points: list[Exponent], item: dict[str, Any]
) -> tuple[list[Poly], int]:
    """The forms as polynomials in the k monomials of a basis, up to monomials."""
    basis = [read_integers(row, len(points[0])) for row in _listed(item.get("basis"))]
    k = len(basis)
    coordinates = [read_integers(row, k) for row in _listed(item.get("coordinates"))]
    if matrix_rank(basis) != k or len(coordinates) != len(points):
        raise CertificateError("the coordinates of a face are not those of its points")
    steps = cost.of_table(len(points), len(points[0]), 5 + 2 * k)
    cost.charge(steps, "the coordinates of a face")
    for point, c in zip(points, coordinates, strict=True):
        image = [
            sum(x * row[j] for x, row in zip(c, basis, strict=True)) for j in range(len(point))
        ]
        if image != [x - y for x, y in zip(point, points[0], strict=True)]:
            raise CertificateError(f"the coordinates of {point} are wrong")
    where = dict(zip(points, coordinates, strict=True))
    polynomials: list[Poly] = []
    for form in forms:
        least = [min(where[m][j] for m in form) for j in range(k)]
        polynomials.append(
            {tuple(x - y for x, y in zip(where[m], least, strict=True)): c for m, c in form.items()}
        )
    return polynomials, k


def _derivatives(polynomials: list[Poly], k: int, order: Any) -> list[Poly]:
    """What the operators t_j ∂/∂t_j, up to an order, make of polynomials in k variables."""
    if type(order) is not int or order < 1:
        raise CertificateError(f"zeros cannot have order {order}")
    terms = sum(map(len, polynomials))
    highest = max((e for p in polynomials for m in p for e in m), default=0)
    each = k * (5 + cost.of_integer(order * highest.bit_length()))
    cost.charge(cost.of_table(*[order + 1] * k, terms + 10, each), "the derivatives of forms")
    return [
        {m: value for m, c in p.items() if (value := c * _operate(m, a))}
        for p in polynomials
        for a in _operators(k, order)
    ]


def _minors(polynomials: list[Poly], k: int, size: Any) -> list[Poly]:
    """All minors of a size of the matrix of derivatives t_j ∂/∂t_j."""
    if type(size) is not int or not 1 <= size <= min(len(polynomials), k):
        raise CertificateError(f"the differentials cannot have rank {size}")
    jacobian = [
        [{m: c * m[j] for m, c in p.items() if m[j]} for j in range(k)] for p in polynomials
    ]
    return [
        poly_determinant([[jacobian[i][j] for j in columns] for i in rows])
        for rows in combinations(range(len(polynomials)), size)
        for columns in combinations(range(k), size)
    ]


def _operators(width: int, order: int) -> list[tuple[int, ...]]:
    """Exponents of the operators t_j ∂/∂t_j, of order up to `order`."""
    return [a for a in product(range(order + 1), repeat=width) if sum(a) <= order]


def _operate(exponents: Sequence[int], operator: Sequence[int]) -> int:
    """Factor by which an operator multiplies a monomial."""
    return prod(e**k for e, k in zip(exponents, operator, strict=True))


def poly_determinant(matrix: list[list[Poly]]) -> Poly:
    """Determinant, expanded along the first row."""
    cost.charge(30 + 2 * len(matrix) ** 2, "a determinant")
    if len(matrix) == 1:
        return matrix[0][0]
    return poly_sum(
        *(
            poly_scale(
                poly_product(
                    entry, poly_determinant([[*row[:j], *row[j + 1 :]] for row in matrix[1:]])
                ),
                (-1) ** j,
            )
            for j, entry in enumerate(matrix[0])
        )
    )


def check_signs(forms: Sequence[Poly], signs: Any) -> None:
    """Two points of one orthant with opposite signs of the only form."""
    points = [[read_fraction(v) for v in _listed(point)] for point in _listed(signs)]
    if any(len(point) != len(m) for point in points for m in forms[0]):
        raise CertificateError("a point of a sign change has the wrong length")
    values = [value_at_origin(at(forms[0], dict(enumerate(point)))) for point in points]
    if not (
        len(forms) == 1
        and len(points) == 2
        and values[0] * values[1] < 0
        and all(x * y > 0 for x, y in zip(*points, strict=True))
    ):
        raise CertificateError("the points of a sign change prove nothing")


def has_both_signs(form: Mapping[Exponent, RealNumber], signs: Sequence[int]) -> bool:
    """Whether terms of both signs are there on the orthant with these signs of variables."""
    sides = set()
    for a, c in form.items():
        odd = sum(e for e, s in zip(a, signs, strict=True) if s < 0) % 2
        sides.add((c > 0) != bool(odd))
    return len(sides) == 2


def _listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise CertificateError("a list is missing in the evidence of a face")
    return data


def read_integers(data: Any, length: int) -> tuple[int, ...]:
    """Read integers, as many as they must be."""
    row = tuple(_listed(data))
    if len(row) != length or any(type(x) is not int for x in row):
        raise CertificateError(f"{data} are not {length} integers")
    return row
