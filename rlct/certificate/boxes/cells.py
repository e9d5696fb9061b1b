"""The checker on boxes in any dimension: small boxes on which derivatives decide."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from rlct.certificate import cost
from rlct.certificate.boxes.plane_box import (
    Box,
    BoxPoint,
    bounds_at_points,
    check_sign_change,
    read_factors,
    sign_of_powers,
    sign_on,
)
from rlct.certificate.numbers.arithmetic import (
    Poly,
    minimal_monomials,
    over_integers,
    partial_derivative,
    read_fraction,
    taylor_shift,
    total_degree,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.linear import over_one_denominator
from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import PairBounds, need, read_index
from rlct.certificate.torus.identities import poly_determinant
from rlct.errors import CertificateError
from rlct.pair import Pair

_MOST_CELLS = 4_000  # four times those that the engine makes
_DEEPEST_CELL = 200  # halvings of one cell, whose ends get so many more bits
_WIDEST_HESSIAN = 5  # variables of a Hessian matrix

Interval = tuple[Fraction, Fraction]
Cell = tuple[Interval, ...]
Factors = list[tuple[Poly, int]]


@checked_rule(
    "cells",
    "{target: pair, factors?: [(polynomial, positive)], points?: [place], smooth?: [smooth]}",
    RuleScope.BOX,
    sign=sign_of_powers,
)
def cells_rule(
    box: Box, proof: Mapping[str, Any], replay_child: Callable[..., PairBounds]
) -> PairBounds:
    """τ ≤ least pair over the box ≤ the pairs at listed points and at smooth zeros.

    If the box divides into cells on each of which K ≠ 0, or a minor of differentials that is not 0
    or a listed point bounds the pair at zeros by τ (``theory/points.md``).
    """
    data = proof["data"]
    lam, theta = data["target"]
    need(type(theta) is int and theta >= 1, "box: the bound is no pair")
    target = Pair(read_fraction(lam), theta)
    need(target.lam > 0, "box: the bound is no pair")
    factors = factors_of(box, data.get("factors", []))
    need(bool(factors) or box.is_ideal, "box: K is not split into factors")
    at_points = bounds_at_points(box, proof, replay_child)
    upper_pairs = [upper for _, (_, upper) in at_points if upper is not None]
    nodes = [place for place, (low, _) in at_points if low >= target]
    _Search(box, factors, target, nodes).run()
    upper_pairs += [smooth_zero(box, factors, item) for item in data.get("smooth", [])]
    return target, min(upper_pairs) if upper_pairs else None


def factors_of(box: Box, items: Sequence[Any]) -> Factors:
    """K = c·Π p^m; empty if the question is left as it is."""
    if not items:
        return []
    need(len(box.generators) == 1, "box: more than one generator")
    factors, (cofactor,) = read_factors(box, items)
    need(total_degree(cofactor) == 0, "box: the factors do not multiply to K")
    return factors


class _Search:
    """Subdivide until the bound of every cell is at least the target."""

    def __init__(self, box: Box, factors: Factors, target: Pair, nodes: Sequence[BoxPoint]) -> None:
        self.box, self.factors, self.target, self.nodes = box, factors, target, nodes
        width = len(box.sides)
        rows = [p for p, _ in factors] or list(box.generators)
        self.polynomials = rows
        self.jacobian = [[partial_derivative(p, i) for i in range(width)] for p in rows]
        self.minors: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Poly]] = {}

    def run(self) -> None:
        """Raise if a cell stays below the target."""
        pending_cells: list[tuple[Cell, int]] = [(self.box.sides, 0)]
        done = 0
        while pending_cells:
            cell, depth = pending_cells.pop()
            done += 1
            if self.settled(cell):
                continue
            if done > _MOST_CELLS or depth > _DEEPEST_CELL:
                raise CertificateError("box: a cell has no bound")
            cost.charge(100 * len(cell), "a division of a box")
            # The longest side in terms of the box's.
            i = max(
                range(len(cell)),
                key=lambda k: (
                    (cell[k][1] - cell[k][0]) / (self.box.sides[k][1] - self.box.sides[k][0])
                ),
            )
            low, high = cell[i]
            middle = (low + high) / 2
            pending_cells.append(((*cell[:i], (low, middle), *cell[i + 1 :]), depth + 1))
            pending_cells.append(((*cell[:i], (middle, high), *cell[i + 1 :]), depth + 1))

    def settled(self, cell: Cell) -> bool:
        """Whether every zero in the cell has a pair of at least the target."""
        may_vanish = [not _nonzero(p, cell) for p in self.polynomials]
        if self.factors:
            vanishing_factors = tuple(j for j, z in enumerate(may_vanish) if z)
            if not vanishing_factors:
                return True
            pair = self.crossing(vanishing_factors)
            named = {e.index(1) for j in vanishing_factors if (e := self.axis_of(j))}
            walls = tuple(i for i in self.unbounded(cell) if i not in named)
            if len(vanishing_factors) == 1 and self.one_corner(vanishing_factors, cell):
                return True
            # Coordinates in the whole cell: K is a unit times a monomial in them, or in fewer.
            return pair >= self.target and (
                self.independent(vanishing_factors, cell, walls)
                or (
                    len(vanishing_factors) == 1
                    and not walls
                    and self.one_node(vanishing_factors[0], cell)
                )
            )
        if not all(may_vanish):
            return True
        if self.one_corner(range(len(self.polynomials)), cell):
            return True
        # An ideal: r generators that are coordinates give at least (r/2, 1).
        most_rows = min(len(self.polynomials), len(cell))
        ranks = (r for r in range(1, most_rows + 1) if Pair(Fraction(r, 2), 1) >= self.target)
        r = next(ranks, None)
        if r is None:
            return False
        walls = self.unbounded(cell)
        return any(
            self.independent(rows, cell, walls)
            for rows in combinations(range(len(self.polynomials)), r)
        )

    def unbounded(self, cell: Cell) -> tuple[int, ...]:
        """Variables that may be 0 in the cell and have a negative exponent in the prior."""
        sides = zip(self.box.prior, cell, strict=True)
        return tuple(i for i, (h, (a, b)) in enumerate(sides) if h < 0 and a <= 0 <= b)

    def axis_of(self, j: int) -> tuple[int, ...]:
        """The exponent of a factor that is a variable, up to a number."""
        p, _ = self.factors[j]
        return next(iter(p)) if len(p) == 1 and total_degree(p) == 1 else ()

    def crossing(self, vanishing: Sequence[int]) -> Pair:
        """Pair of the monomial in these factors, as coordinates."""
        product_pair: Pair | None = None
        for j in vanishing:
            _, m = self.factors[j]
            e = self.axis_of(j)
            h = self.box.prior[e.index(1)] if e else Fraction(0)
            candidate = Pair((1 + h) / (self.box.scale * m), 1)
            product_pair = candidate if product_pair is None else product_pair * candidate
        assert product_pair is not None
        return product_pair

    def one_corner(self, rows: Iterable[int], cell: Cell) -> bool:
        """Whether, seen from a listed point, no terms of these polynomials cancel on the cell.

        Then no zero in the cell is worse than this point, if the prior is bounded.
        """
        if self.unbounded(cell):
            return False
        cost.charge(20 * len(self.nodes) * len(cell), "the points in a box")
        for node in self.nodes:
            corner = [x for x in node if isinstance(x, Fraction)]
            sides = [(a - x, b - x) for x, (a, b) in zip(corner, cell, strict=False)]
            if len(corner) == len(cell) and all(a <= 0 <= b for a, b in sides):
                seen = (taylor_shift(self.polynomials[j], corner) for j in rows)
                if all(_cannot_cancel(p, sides) for p in seen):
                    return True
        return False

    def one_node(self, j: int, cell: Cell) -> bool:
        """Whether a listed point is the only singular zero of a factor in the cell.

        If no matrix between the bounds of the Hessian matrix is singular then the gradient is
        injective on the cell, by the mean value theorem for each of its components.
        """
        cost.charge(20 * len(self.nodes) * len(cell), "the points in a box")
        nodes_inside = [
            place
            for place in self.nodes
            if all(not (x < a or x > b) for x, (a, b) in zip(place, cell, strict=True))
        ]
        width = len(cell)
        if not nodes_inside or width > _WIDEST_HESSIAN:
            return False
        p, _ = self.factors[j]
        at_node = taylor_shift(p, nodes_inside[0])
        if any(sum(m) <= 1 for m in at_node):
            return False
        hessian = [
            [_enclosure(partial_derivative(d, i), cell) for i in range(width)]
            for d in self.jacobian[j]
        ]
        # No matrix between these bounds is singular: the gradient is 0 at the listed point only.
        low, high = _determinant(hessian)
        return low > 0 or high < 0

    def independent(self, rows: tuple[int, ...], cell: Cell, walls: tuple[int, ...] = ()) -> bool:
        """Whether a minor of the differentials, without those columns, is nowhere 0 on the cell."""
        columns_left = [i for i in range(len(cell)) if i not in walls]
        cost.charge(20 + len(cell) + len(rows), "the minors on a cell")
        if len(rows) > len(columns_left):
            return False
        count = comb(len(columns_left), len(rows))
        if (rows, walls) not in self.minors:
            cost.charge(100 * count * len(rows) ** 2, "the minors of differentials")
            self.minors[rows, walls] = [
                poly_determinant([[self.jacobian[r][c] for c in columns] for r in rows])
                for columns in combinations(columns_left, len(rows))
            ]
        cost.charge(2 * count, "the minors on a cell")
        return any(p and _nonzero(p, cell) for p in self.minors[rows, walls])


def _cannot_cancel(p: Poly, sides: Sequence[Interval]) -> bool:
    """Whether |p| is comparable with the sum of its minimal monomials.

    If these have one sign, and the terms of another sign are multiples of them whose sizes, in
    terms of theirs, add to less than 1.
    """
    minimal = minimal_monomials(p)
    (sign, *further_signs) = {sign_on(sides, m, p[m]) for m in minimal}
    sizes: dict[tuple[int, ...], RealNumber] = dict.fromkeys(minimal, Fraction(0))
    cost.charge(len(p) * (20 + len(minimal) * len(sides)), "the terms on a cell")
    for m, c in p.items():
        if sign_on(sides, m, c) != sign:
            least = next(k for k in minimal if all(a <= b for a, b in zip(k, m, strict=True)))
            powers = zip(sides, m, least, strict=True)
            size = c / p[least]
            for (low, high), e, k in powers:
                size = size * max(-low, high) ** (e - k)
            sizes[least] = sizes[least] + max(size, -size)
    return not further_signs and all(size < 1 for size in sizes.values())


def smooth_zero(box: Box, factors: Factors, item: Mapping[str, Any]) -> Pair:
    """(1/(s·m), 1) bounds the least pair over the box from above; s = 2 for an ideal.

    If in a cell inside the box p changes its sign, a derivative of p and all other factors are not
    0, and no variable of the prior is 0: K is there a unit times p^m (``theory/points.md``).
    """
    need(bool(factors), "box: K is not split into factors")
    j = read_index(item["factor"], len(factors), "box: no such factor")
    cell = tuple((read_fraction(a), read_fraction(b)) for a, b in item["cell"])
    need(len(cell) == len(box.sides), "box: a cell has the wrong length")
    for (a, b), (low, high) in zip(cell, box.sides, strict=True):
        need(low <= a < b <= high, "box: a cell is outside")
    p, m = factors[j]
    check_sign_change(p, item["points"], cell)
    need(
        any(d and _nonzero(d, cell) for d in (partial_derivative(p, i) for i in range(len(cell)))),
        "box: a zero may be singular",
    )
    others = [q for k, (q, _) in enumerate(factors) if k != j]
    need(all(_nonzero(q, cell) for q in others), "box: another factor may vanish")
    # K is p^m times a unit at the zero, and the prior is positive there.
    axes = [h for h, (a, b) in zip(box.prior, cell, strict=True) if h and a <= 0 <= b]
    need(not axes, "box: the prior may vanish")
    return Pair(Fraction(1, box.scale * m), 1)


def _nonzero(p: Poly, cell: Cell) -> bool:
    """Whether interval arithmetic shows that a polynomial vanishes nowhere on a cell."""
    low, high = _enclosure(p, cell)
    return low > 0 or high < 0


def _determinant(matrix: list[list[Interval]]) -> Interval:
    """Enclose the determinants of all matrices between bounds, along the first row."""
    if len(matrix) == 1:
        return matrix[0][0]
    bits = len(matrix) * cost.bits_in(x for row in matrix for side in row for x in side)
    cost.charge(20 * len(matrix) * cost.of_rational(2 * bits), "a determinant")
    low = high = Fraction(0)
    for j, (a, b) in enumerate(matrix[0]):
        c, d = _determinant([[*row[:j], *row[j + 1 :]] for row in matrix[1:]])
        ends = [x * y * (-1) ** j for x in (a, b) for y in (c, d)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _enclosure(p: Poly, cell: Cell) -> Interval:
    """Bounds of a polynomial on a cell, in integers over the denominators of p and of the cell."""
    cell_denominator, cell_ends = over_one_denominator([x for side in cell for x in side])
    terms, scale = over_integers(p)
    degree, used = total_degree(p), sum(1 for m in p for e in m if e)
    bits = cost.bits_in(terms.values()) + degree * max(
        cost.bits_in(cell_ends), cell_denominator.bit_length()
    )
    steps = len(p) * (20 + 2 * len(cell)) + (len(p) + used) * (10 + 4 * cost.of_integer(bits))
    cost.charge(steps, "the bounds of a polynomial")
    tables: dict[tuple[int, int], tuple[int, int]] = {}
    low = high = 0
    for m, c in terms.items():
        a = b = c * cell_denominator ** (degree - sum(m))
        for i, e in enumerate(m):
            if e:
                if (i, e) not in tables:
                    tables[i, e] = _power(cell_ends[2 * i], cell_ends[2 * i + 1], e)
                products = [x * y for x in (a, b) for y in tables[i, e]]
                a, b = min(products), max(products)
        low, high = low + a, high + b
    scale *= cell_denominator**degree
    return Fraction(low, scale), Fraction(high, scale)


def _power(low: int, high: int, e: int) -> tuple[int, int]:
    a, b = low**e, high**e
    if e % 2:
        return a, b
    return (0 if low <= 0 <= high else min(a, b)), max(a, b)
