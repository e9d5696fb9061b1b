"""Checking charts by substitution, and that they cover everything."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

from sympy.polys.matrices import DomainMatrix

from rlct.algebra.polynomial import Ring, Terms, make_ring, terms_of
from rlct.blowup.regular import integer_determinant
from rlct.blowup.toric import ToricChart


class ChartError(ArithmeticError):
    """A chart is not what it says, or charts are missing."""


def check_charts(
    generators: Sequence[Terms], prior: Sequence[Fraction], charts: Sequence[ToricChart]
) -> None:
    """Check toric charts of an ideal from nothing but their matrices and exponents.

    The generators are of the ideal, in d variables; the prior, of length d, has h > −1.
    ChartError, whose message names the statement, if one below fails.

    In each chart every generator and the map are expanded as polynomials in y:

    - the Jacobian determinant is ±Π y_j^(…), and with the prior it is |y|^h;
    - y^k divides every generator, and some quotient has a constant term, so that
      K∘π = y^(2k)·unit at y = 0; for one-term generators this quotient is a constant, and
      the unit is positive everywhere.

    Together the cones cover the orthant once, see ``theory/toric.md``: each wall of a cone
    that is not in a coordinate plane has exactly one more cone, on its other side, and
    Σ Π_j |v_j|⁻¹ = 1 over the cones, |v| the sum of the entries of a ray (the volumes of
    their parts of the unit simplex).

    >>> from rlct.blowup.toric import toric_blow_up
    >>> charts = toric_blow_up([[2, 0], [0, 3]]).charts
    >>> generators = [{(2, 0): Fraction(1)}, {(0, 3): Fraction(1)}]
    >>> check_charts(generators, [0, 0], charts)
    >>> check_charts(generators, [0, 0], charts[1:])
    Traceback (most recent call last):
    ...
    rlct.blowup.check.ChartError: the charts do not cover: a wall of cone 0 has no other side
    """
    width = len(prior)
    ring = make_ring([f"y{j + 1}" for j in range(width)])
    for number, chart in enumerate(charts):
        _need(
            len(chart.matrix) == len(chart.k) == len(chart.h) == width
            and all(len(row) == width and min(row) >= 0 for row in chart.matrix),
            f"chart {number} is no matrix of exponents",
        )
        images = [_monomial(ring, row) for row in chart.matrix]
        _check_prior(ring, images, prior, chart.h, number)
        _check_generators(ring, images, generators, chart.k, number)
    _check_cover([chart.rays for chart in charts])


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise ChartError(message)


def _monomial(ring: Ring, exponents: Sequence[int]) -> Any:
    return prod((y**e for y, e in zip(ring.gens, exponents, strict=True)), start=ring.one)


def _check_prior(
    ring: Ring, images: list[Any], prior: Sequence[Fraction], h: Sequence[Fraction], number: int
) -> None:
    size = len(images)
    rows = [[image.diff(y) for y in ring.gens] for image in images]
    jacobian = DomainMatrix(rows, (size, size), ring.to_domain()).det()
    _need(
        len(jacobian) == 1 and abs(jacobian.LC) == 1,
        f"the map of chart {number} is not invertible over the integers",
    )
    # |x|^prior·|Jacobian| = |y|^h, times |x|·|y|, to a power that makes exponents integers.
    power = lcm(*(Fraction(e).denominator for e in (*prior, *h)))
    left_side = prod(
        (image ** int(power * (1 + e)) for image, e in zip(images, prior, strict=True)),
        start=(jacobian * prod(ring.gens)) ** power,
    )
    right_side = _monomial(ring, [int(power * (1 + e)) for e in h]) * prod(images) ** power
    _need(
        left_side in (right_side, -right_side),
        f"the prior exponents of chart {number} are not {', '.join(map(str, h))}",
    )


def _check_generators(
    ring: Ring,
    images: list[Any],
    generators: Sequence[Terms],
    k: Sequence[int],
    number: int,
) -> None:
    units = 0
    for g in generators:
        pulled = ring.zero
        for exponents, c in g.items():
            image = prod((x**e for x, e in zip(images, exponents, strict=True)), start=ring.one)
            pulled += image * ring.domain(c.numerator, c.denominator)
        quotient, rest = pulled.div(_monomial(ring, k))
        _need(not rest, f"y^k does not divide the ideal in chart {number}")
        units += (0,) * len(k) in terms_of(quotient)
    _need(units > 0, f"K is not y^(2k) times a unit at the origin of chart {number}")


def _check_cover(cones: Sequence[tuple[tuple[int, ...], ...]]) -> None:
    walls: dict[frozenset[tuple[int, ...]], list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for number, rays in enumerate(cones):
        for ray in rays:
            walls[frozenset(rays) - {ray}].append((number, ray))
    for wall, sides in walls.items():
        number, ray = sides[0]
        if any(all(other_ray[j] == 0 for other_ray in wall) for j in range(len(ray))):
            _need(len(sides) == 1, f"two charts overlap at a wall of cone {number}")
            continue
        _need(len(sides) > 1, f"the charts do not cover: a wall of cone {number} has no other side")
        base = sorted(wall)
        signs = {integer_determinant([*base, other_ray]) > 0 for _, other_ray in sides}
        _need(len(sides) == 2 and len(signs) == 2, f"two charts overlap beside cone {number}")
    volume = sum(Fraction(1, prod(sum(ray) for ray in rays)) for rays in cones)
    _need(volume == 1, f"the cones cover {volume} of the orthant, not all of it once")
