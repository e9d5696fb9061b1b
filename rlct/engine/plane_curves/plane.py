"""Ideals in two variables over a real number field, at infinitely near points."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rlct.algebra.division import exact_quotient
from rlct.algebra.factoring import squarefree_factors
from rlct.algebra.number_field import RATIONAL_FIELD, FieldElement, FieldNumber, NumberField
from rlct.algebra.polynomial import Polynomial
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.plane_curves.curve import (
    Curve,
    embed_curve,
    from_polynomial,
    power_product,
    translate_curve,
)
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.polygon import lower_hull, minkowski_sum
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Exponent = tuple[int, int]


@dataclass(frozen=True)
class PlaneGerm:
    """An ideal (h·g_1, …, h·g_r) at the origin of the plane, h = s^a t^b Π f^m."""

    field: NumberField
    #: The exponents a and b.
    axes: Exponent
    #: Squarefree f without common factors, none divisible by s or t, and their exponents m.
    factors: tuple[tuple[Curve, int], ...]
    #: The g, without a common factor; a single one is a unit.
    cofactors: tuple[Curve, ...]
    #: Exponents of |s| and |t|.
    prior: tuple[Fraction, ...]

    @property
    def vertices(self) -> list[Exponent]:
        """Vertices of the Newton polygon; all are exponents of generators."""
        together = lower_hull(m for g in self.cofactors for m in g.hull)
        return minkowski_sum(
            [([self.axes], 1), (together, 1), *((f.hull, m) for f, m in self.factors)]
        )


def from_germ(germ: Germ) -> PlaneGerm:
    """Split an ideal with rational coefficients into its common factors and the rest.

    >>> from rlct.questions.problem import Problem
    >>> found = from_germ(Problem.ideal(["x**2*(x-y)**3*y", "x**2*(x-y)**3*x**5"]).germ())
    >>> found.axes, [m for _, m in found.factors], found.vertices
    ((2, 0), [3], [(2, 4), (5, 1), (10, 0)])
    """
    axes, factors, cofactors = common_factors(germ.generators)
    return PlaneGerm(
        RATIONAL_FIELD,
        axes,
        tuple((from_polynomial(f), m) for f, m in factors),
        tuple(map(from_polynomial, cofactors)),
        germ.prior,
    )


def common_factors(
    generators: Sequence[Polynomial],
) -> tuple[Exponent, list[tuple[Polynomial, int]], list[Polynomial]]:
    """Common powers of the variables, other common squarefree factors, and what is left."""
    ring = generators[0].ring
    common = ring.zero
    for g in generators:
        common = common.gcd(g)
    i, j = (int(min(column)) for column in zip(*common.itermonoms(), strict=True))
    monomial = ring.from_dict({(i, j): ring.domain.one})
    factors = [] if len(common) == 1 else squarefree_factors(exact_quotient(common, monomial))
    whole = monomial
    for f, m in factors:
        whole = whole * f**m
    return (i, j), [(f, int(m)) for f, m in factors], [exact_quotient(g, whole) for g in generators]


def at_point(
    generators: Sequence[Polynomial],
    point: tuple[FieldNumber, FieldNumber],
    field: NumberField,
    powers: tuple[int, int],
    prior: tuple[Fraction, ...],
) -> PlaneGerm:
    """Germ of an ideal over Q at x = a + s^p, y = b + t^q with (a, b) over a field.

    What is coprime or squarefree over Q is so over the field; and if s does not divide a
    squarefree f(s, t), then f(s^p, t) is squarefree, x = s^p being étale where s ≠ 0.

    >>> from rlct.questions.problem import Problem
    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))
    >>> (K,) = Problem.poly("(x**2-2)**2*y**2", at={"y": 0, "x": "sqrt(2)"}).generators
    >>> root, zero = FieldNumber((0, 1), 1), FieldNumber((0, 0), 1)
    >>> found = at_point([K], (root, zero), field, (1, 1), (Fraction(0),) * 2)
    >>> found.axes, [(f.terms, m) for f, m in found.factors]
    ((2, 2), [({(0, 0): (0, 2), (1, 0): (1, 0)}, 2)])
    """
    (i, j), factors, cofactors = common_factors(generators)
    ring_variables = generators[0].ring.gens
    axes = [0, 0]

    def local(polynomial: Polynomial) -> Curve:
        curve = translate_curve(embed_curve(from_polynomial(polynomial), field), point, field)
        terms = {(m * powers[0], n * powers[1]): c for (m, n), c in curve.terms.items()}
        return Curve(terms, curve.scale)

    local_factors = []
    for f, m in [(ring_variables[0], i), (ring_variables[1], j), *factors]:
        if not m:
            continue
        curve = local(f)
        low = [min(column) for column in zip(*curve.terms, strict=True)]
        axes = [a + m * e for a, e in zip(axes, low, strict=True)]
        terms = {(p - low[0], q - low[1]): c for (p, q), c in curve.terms.items()}
        if terms.keys() != {(0, 0)} or curve.scale != 1 or terms[0, 0] != field.one:
            local_factors.append((Curve(terms, curve.scale), m))
    return PlaneGerm(
        field, (axes[0], axes[1]), tuple(local_factors), tuple(map(local, cofactors)), prior
    )


def simplify_plane_germ(germ: PlaneGerm) -> tuple[list[dict[str, object]], PlaneGerm] | None:
    """Divide by the factors that are units, and drop all generators but one if that is enough."""
    units = [(f, m) for f, m in germ.factors if (0, 0) in f.terms]
    proper_factors = tuple((f, m) for f, m in germ.factors if (0, 0) not in f.terms)
    index = next((i for i, g in enumerate(germ.cofactors) if (0, 0) in g.terms), None)
    if len(germ.cofactors) > 1 and index is not None:
        # h·g with a unit g generates the ideal.
        unit = power_product([*units, (germ.cofactors[index], 1)], germ.field)
        operations: list[dict[str, object]] = [{"divide": index, "by": unit.encode()}]
        for j, g in enumerate(germ.cofactors):
            if j != index:
                times = power_product([*units, (g, 1)], germ.field)
                operations.append({"subtract": index, "times": times.encode(), "from": j})
        one = Curve({(0, 0): germ.field.one}, Fraction(1))
        return operations, PlaneGerm(germ.field, germ.axes, proper_factors, (one,), germ.prior)
    if not units:
        return None
    by = power_product(units, germ.field).encode()
    operations = [{"divide": i, "by": by} for i in range(len(germ.cofactors))]
    return operations, PlaneGerm(germ.field, germ.axes, proper_factors, germ.cofactors, germ.prior)


def plane_crossings(germ: PlaneGerm) -> Proof | None:
    """Read off the pair where all factors and the variables of the prior are coordinates.

    >>> from rlct.questions.problem import Problem
    >>> plane_crossings(from_germ(Problem.ideal(["x**2*(y-x**2)**3"]).germ())).lower
    Pair(1/6, 1)
    """
    field = germ.field
    if len(germ.cofactors) > 1:
        return None
    units = [(germ.cofactors[0], 1)]
    zero = field.integer(0)
    rows: list[tuple[FieldElement, FieldElement]] = []
    coordinate_factors: list[tuple[Curve, int, Fraction]] = []
    for i, (a, h) in enumerate(zip(germ.axes, germ.prior, strict=True)):
        row = (field.one, zero) if i == 0 else (zero, field.one)
        if a:
            axis = Curve({(1 - i, i): field.one}, Fraction(1))
            coordinate_factors.append((axis, a, h))
        if a or h:
            rows.append(row)
    for f, m in germ.factors:
        if (0, 0) in f.terms:
            units.append((f, m))
            continue
        rows.append(f.linear(field))
        coordinate_factors.append((f, m, Fraction(0)))
    if not independent(rows, field):
        return None
    if not coordinate_factors:
        return None
    pair = Pair.product(Pair((1 + h) / (2 * m), 1) for _, m, h in coordinate_factors)
    data = {
        "factors": [[f.encode(), m] for f, m, _ in coordinate_factors],
        "unit": power_product(units, field).encode(),
    }
    return Proof("crossings", pair, pair, data)


def independent(rows: Sequence[tuple[FieldElement, FieldElement]], field: NumberField) -> bool:
    """Whether at most two vectors of the plane are linearly independent."""
    if len(rows) > 2 or not all(any(x) or any(y) for x, y in rows):
        return False
    return len(rows) < 2 or any(determinant(rows[0], rows[1], field))


def determinant(
    unit: tuple[FieldElement, FieldElement],
    two: tuple[FieldElement, FieldElement],
    field: NumberField,
) -> FieldElement:
    """Determinant of two vectors."""
    left, right = field.multiply(unit[0], two[1]), field.multiply(unit[1], two[0])
    return tuple(a - b for a, b in zip(left, right, strict=True))


def plane_hull(germ: PlaneGerm) -> Proof:
    """Bounds from the terms alone, as `rlct.engine.germs.leaves.hull_bounds`.

    >>> from rlct.questions.problem import Problem
    >>> proof = plane_hull(from_germ(Problem.ideal(["(x**2-2*y**2)**2+y**5"]).germ()))
    >>> proof.lower, proof.upper
    (Pair(1/8, 1), Pair(1/4, 1))
    """
    optimum = monomial_optimum(germ.vertices, germ.prior)
    data = encode_programme(optimum, [list(m) for m in germ.vertices])
    return Proof("hull", _floor(germ), optimum.pair, data)


def _floor(germ: PlaneGerm) -> Pair:
    common = sum(germ.axes) + sum(f.order * m for f, m in germ.factors)
    lowest = common + min(g.order for g in germ.cofactors)
    if lowest > 1:
        return Pair(Fraction(1, 2 * lowest), 1)
    if common:  # all differentials are multiples of that of h
        return Pair(Fraction(1, 2), 1)
    # The common factors are units.
    rows = [g.linear(germ.field) for g in germ.cofactors]
    rank = max(
        [1]
        + [2 for i, x in enumerate(rows) for y in rows[:i] if any(determinant(x, y, germ.field))]
    )
    return Pair(Fraction(rank, 2), 1)
