"""Points of the plane given by roots on the axes, in one number field."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from rlct.algebra.number_field import NumberField, field_number
from rlct.algebra.polynomial import Polynomial, terms_of, value_at
from rlct.algebra.real_algebraic import AlgebraicNumber, Coordinate
from rlct.engine import limits
from rlct.engine.zeros.axis_roots import AxisRoot
from rlct.newton.real_roots import real_roots
from rlct.newton.univariate import DensePolynomial, gcd_over_field
from rlct.questions.points import mapped_to


def common_point(
    roots: tuple[AxisRoot, AxisRoot], polynomials: Sequence[Polynomial]
) -> tuple[Coordinate, ...] | None:
    """The point in one field; () if a polynomial does not vanish there, None if too large.

    Over the field of one coordinate the other is a root of the greatest common divisor of its
    minimal polynomial and the polynomials.
    """
    exact = [r.rational for r in roots]
    if exact[0] is not None and exact[1] is not None:
        point = (exact[0], exact[1])
        return () if any(value_at(terms_of(p), point) for p in polynomials) else point
    base_axis = 0 if len(roots[0].minimal) <= len(roots[1].minimal) else 1
    base_root, other_root = roots[base_axis], roots[1 - base_axis]
    if len(base_root.minimal) - 1 > limits.LARGEST_POINT_FIELD:
        return None
    field, start = _field_of(base_root)
    common: DensePolynomial = [field.integer(c) for c in other_root.minimal]
    for p in polynomials:
        dense = _at(p, base_axis, start, field)
        if dense:
            common = gcd_over_field(field, dense, common)
    if len(common) == 1:
        return ()
    other_values = real_roots(field, common, limits.LARGEST_POINT_FIELD)
    if other_values is None:
        return None
    low, high = other_root.interval()
    for candidate in other_values:
        larger, value = candidate.field, candidate.value
        if larger.compare(value, low) >= 0 >= larger.compare(value, high):
            moved = start
            if candidate.image is not None:
                moved = mapped_to(start, candidate.image, larger)
            ordered = [moved, AlgebraicNumber(larger, value)]
            point_ = [_simplest(a) for a in (ordered if base_axis == 0 else ordered[::-1])]
            return tuple(point_)
    return ()


def _field_of(root: AxisRoot) -> tuple[NumberField, AlgebraicNumber]:
    """The field of a root, and the root in it."""
    d, c = len(root.minimal) - 1, root.minimal[-1]
    low, high = root.interval()
    if d == 1:
        field = NumberField((0, 1), Fraction(0), Fraction(0))
        return field, AlgebraicNumber(field, field_number([low]))
    # c·ξ is an algebraic integer.
    modulus = (*(e * c ** (d - 1 - i) for i, e in enumerate(root.minimal[:-1])), 1)
    field = NumberField(modulus, low * c, high * c)
    parts = [Fraction(int(i == 1), c) for i in range(d)]
    return field, AlgebraicNumber(field, field_number(parts))


def _at(p: Polynomial, axis: int, value: AlgebraicNumber, field: NumberField) -> DensePolynomial:
    """A multiple of the polynomial in the other variable; [] if it vanishes identically."""
    top = max(m[axis] for m in p.itermonoms())
    powers = [value**0]
    for _ in range(top):
        powers.append(powers[-1] * value)
    coefficient_of: dict[int, AlgebraicNumber] = {}
    for m, c in terms_of(p).items():
        k = m[1 - axis]
        coefficient_of[k] = coefficient_of.get(k, value * 0) + powers[m[axis]] * c
    if not any(coefficient_of.values()):
        return []
    highest = max(k for k, c in coefficient_of.items() if c)
    bottom = lcm(*(c.value.bottom for c in coefficient_of.values()))
    zero = field.integer(0)
    return [
        tuple(e * (bottom // coefficient_of[k].value.bottom) for e in coefficient_of[k].value.top)
        if k in coefficient_of
        else zero
        for k in range(highest + 1)
    ]


def _simplest(value: AlgebraicNumber) -> Coordinate:
    rational = value.rational
    return value if rational is None else rational
