"""Points of toric blow-ups of the plane, rational or algebraic, as certificates give them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, read_fraction, read_number, taylor_shift
from rlct.certificate.numbers.field import FieldElement, RealField, RealNumber
from rlct.certificate.numbers.univariate import DensePoly, dense_value, real_field
from rlct.certificate.statement import Data, Statement, ideal_of, need
from rlct.certificate.torus.identities import read_integers

_MOST_BITS = 512  # of enclosures that are to be disjoint


@dataclass(frozen=True)
class Point:
    """The point s = 0, t = root ≠ 0 of a chart x = s^p t^a, y = s^q t^b."""

    #: (p, q, a, b), with determinant ±1.
    chart: tuple[int, int, int, int]
    root: RealNumber
    #: Field of the root and of the germ there; None for Q.
    field: RealField | None
    #: The generator of the statement's field in `field`, if that is another field than Q and the
    #: statement's.
    image: FieldElement | None

    @property
    def direction(self) -> tuple[int, int]:
        """The u with t = x^u."""
        p, q, a, b = self.chart
        determinant = p * b - q * a
        return -q * determinant, p * determinant

    def is_zero_of(self, p: DensePoly, direction: tuple[int, ...]) -> bool:
        """Whether the point is a zero of a polynomial in x^direction."""
        x = self.root if direction == self.direction else 1 / self.root
        return not dense_value([self.lift(c) for c in p], x)

    def lift(self, c: RealNumber) -> RealNumber:
        """Take a number of the statement's field to the field of the point."""
        if self.image is None or isinstance(c, Fraction):
            return c
        return dense_value(c.top, self.image) / c.bottom

    def germ(self, statement: Statement) -> Statement:
        """The ideal in s and t − root; the common power of t is a unit there."""
        p, q, a, b = self.chart
        generators = []
        for g in statement.generators:
            degrees = [a * m + b * n for m, n in g]
            low = min(degrees)
            moved: Poly = {
                (p * m + q * n, a * m + b * n - low): self.lift(c) for (m, n), c in g.items()
            }
            generators.append(taylor_shift(moved, [Fraction(0), self.root]))
        h, k = statement.prior
        prior = (p * (1 + h) + q * (1 + k) - 1, Fraction(0))
        return ideal_of(Statement((), prior, True, self.field), generators)


def read_blowup_point(statement: Statement, data: Data) -> Point:
    """Read a point of the blow-up of a statement in two variables."""
    need(statement.width == 2, "newton: points need two variables")
    (p, q), (a, b) = (read_integers(row, 2) for row in data["chart"])
    need(
        min(p, q) > 0 and min(a, b) >= 0 and abs(p * b - q * a) == 1,
        "newton: not a chart at a point over the origin",
    )
    field, generator_image = statement.field, None
    if "field" in data:
        field = read_field(data["field"])
    need(("image" in data) == (field is not statement.field is not None), "newton: the image")
    if "image" in data:
        old_field = statement.field
        assert field is not None
        assert old_field is not None
        generator_image = field.element([read_fraction(text) for text in data["image"]])
        need(len(data["image"]) == field.degree, "newton: the image is not in the field")
        need(
            not dense_value(old_field.minimal, generator_image),
            "newton: the image of γ is no root of its polynomial",
        )
        need(
            old_field.low < generator_image < old_field.high,
            "newton: the image of γ is another conjugate",
        )
    root = read_number(data["root"], field)
    need(bool(root), "newton: not a chart at a point over the origin")
    return Point((p, q, a, b), root, field, generator_image)


def read_field(data: Data) -> RealField:
    """Read a polynomial and an interval that isolates one of its roots."""
    minimal = read_integers(data["minimal"], len(data["minimal"]))
    low, high = (read_fraction(text) for text in data["interval"])
    return real_field(minimal, low, high)


def are_distinct(points: Sequence[Point], direction: tuple[int, ...]) -> bool:
    """Whether the points of one edge are certainly different."""
    values = [p.root if p.direction == direction else 1 / p.root for p in points]
    for x, y in combinations(values, 2):
        cost.charge(30, "the points of an edge")
        bits = 32
        while True:
            (a, b), (c, d) = _between(x, bits), _between(y, bits)
            if b < c or d < a:
                break
            if a == b == c == d or bits > _MOST_BITS:
                return False
            bits *= 2
    return True


def _between(x: RealNumber, bits: int) -> tuple[Fraction, Fraction]:
    return (x, x) if isinstance(x, Fraction) else x.between(bits)
