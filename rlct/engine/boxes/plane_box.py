"""The minimum over a box in the plane, at the critical points of the zero set."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from rlct.algebra.division import exact_quotient
from rlct.algebra.polynomial import Polynomial, support, terms_of, total_degree, value_at
from rlct.algebra.real_algebraic import Coordinate
from rlct.engine import limits
from rlct.engine.boxes.exact_points import common_point
from rlct.engine.zeros.axis_roots import (
    AxisRoot,
    in_increasing_order,
    rationals_between,
    real_roots_in,
)
from rlct.engine.zeros.vanishing import may_vanish_at, order_at
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

ProveAt = Callable[[tuple[Coordinate, ...]], Proof]


@dataclass(frozen=True)
class _System:
    """Two polynomials with finitely many common zeros, and all that vanishes where it matters."""

    pair: tuple[Polynomial, Polynomial]
    conditions: tuple[Polynomial, ...]


@dataclass(frozen=True)
class _FactoredIdeal:
    """Common factors with exponents and what is left of the generators."""

    factors: list[tuple[Polynomial, int]]
    cofactors: list[Polynomial]


def prove_plane(problem: BoxProblem, prove_at: ProveAt, budget: Budget) -> Proof | None:
    """The least pair over a box in two variables is the least over its critical points.

    These are finitely many: singular points of factors and vertical tangents, common zeros of two
    factors, zeros on walls and at corners, common zeros of the cofactors (``theory/points.md``,
    Boxes in the plane).  None if the question is too large.  InputError if K has no zero in the
    box, or is negative there.
    """
    if max(map(total_degree, problem.generators)) > limits.HIGHEST_EXPANDED_DEGREE:
        return None
    ideal = _factored(problem)
    distinct = sum(total_degree(p) for p, _ in ideal.factors) + max(
        map(total_degree, ideal.cofactors)
    )
    if distinct > limits.HIGHEST_PLANE_BOX_DEGREE:
        return None
    rows = _combinations(ideal)
    if len(ideal.factors) > limits.MOST_PLANE_BOX_FACTORS or rows is None:
        return None
    crossed_curves = _crossings(problem, ideal)
    if not problem.is_ideal:
        _check_sign(problem, ideal, crossed_curves)
    scale = 2 if problem.is_ideal else 1
    uppers = [_generic(problem, ideal.factors[j], scale) for j, _ in crossed_curves]
    critical_points = _candidates(problem, ideal, rows)
    if critical_points is None:
        return None
    least_upper = min(uppers) if uppers else None
    proofs: list[tuple[tuple[Coordinate, ...], Proof]] = []
    highest_order = 0
    for root_pair in sorted(critical_points, key=lambda c: -critical_points[c].order):
        order = critical_points[root_pair].order
        floor = Pair(Fraction(1, scale * order), 1)
        # A derivative bounds the pair only where the prior is bounded.
        prior_unbounded = any(
            h < 0 and root.rational == 0 for h, root in zip(problem.prior, root_pair, strict=True)
        )
        if least_upper is not None and floor >= least_upper and not prior_unbounded:
            highest_order = max(highest_order, order)
            continue
        point: tuple[Coordinate, ...] | None = None if budget.spent else ()
        for conditions in critical_points[root_pair].conditions:
            if point == ():
                point = common_point(root_pair, conditions)
        if point == ():
            continue  # no critical point after all: exact arithmetic says so
        if point is None and prior_unbounded:
            return None
        if point is None:
            highest_order = max(highest_order, order)
            continue
        proof = prove_at(point)
        proofs.append((point, proof))
        if proof.upper is not None:
            least_upper = proof.upper if least_upper is None else min(least_upper, proof.upper)
    if not proofs and not highest_order:
        raise InputError("K has no zero in the box")
    return _proof(ideal, rows, crossed_curves, proofs, highest_order, least_upper, scale)


def _proof(
    ideal: _FactoredIdeal,
    rows: list[list[int]],
    crossed_curves: list[tuple[int, list[list[str]]]],
    proofs: list[tuple[tuple[Coordinate, ...], Proof]],
    highest_order: int,
    least_upper: Pair | None,
    scale: int,
) -> Proof:
    points = [encode_place(point) for point, _ in proofs]
    data: dict[str, Any] = {"factors": [[encode_polynomial(p), m] for p, m in ideal.factors]}
    if rows:
        data["combinations"] = rows
    if crossed_curves:
        data["crossed"] = [list(item) for item in crossed_curves]
    if points:
        data["points"] = points
    lowers = [proof.lower for _, proof in proofs]
    if highest_order:
        data["order"] = highest_order
        lowers.append(Pair(Fraction(1, scale * highest_order), 1))
    return Proof("plane", min(lowers), least_upper, data, tuple(proof for _, proof in proofs))


def _factored(problem: BoxProblem) -> _FactoredIdeal:
    ring = problem.generators[0].ring
    common = ring.zero
    for g in problem.generators:
        common = common.gcd(g)
    factors = [] if common.is_ground else [(p, int(m)) for p, m in common.factor_list()[1]]
    common_divisor = prod((p**m for p, m in factors), start=ring.one)
    return _FactoredIdeal(factors, [exact_quotient(g, common_divisor) for g in problem.generators])


def _combinations(ideal: _FactoredIdeal) -> list[list[int]] | None:
    """Integer combinations of the cofactors that are coprime; [] if a cofactor is a number."""
    cofactors = ideal.cofactors
    if any(c.is_ground for c in cofactors):
        return []
    size = len(cofactors)
    rows = [[int(i == k) for i in range(size)] for k in range(size)]
    rows += [
        [(i + 1) ** k for i in range(size)] for k in range(1, limits.MOST_COFACTOR_TRIES // size)
    ]
    for first_row, second_row in combinations(rows, 2):
        p, q = (_combined(cofactors, row) for row in (first_row, second_row))
        if p and q and p.gcd(q).is_ground:
            return [first_row, second_row]
    return None


def _combined(polynomials: Sequence[Polynomial], row: Sequence[int]) -> Polynomial:
    total = polynomials[0].ring.zero
    for p, a in zip(polynomials, row, strict=True):
        total = total + p * a
    return total


def _walls(problem: BoxProblem) -> list[list[Polynomial]]:
    ring = problem.generators[0].ring
    return [
        [x - ring.domain(a.numerator, a.denominator) for a in side]
        for x, side in zip(ring.gens, problem.sides, strict=True)
    ]


def _unbounded_axes(problem: BoxProblem) -> list[Polynomial]:
    """Variables with a negative exponent in the prior."""
    gens = problem.generators[0].ring.gens
    return [x for x, h in zip(gens, problem.prior, strict=True) if h < 0]


def _systems(
    problem: BoxProblem, ideal: _FactoredIdeal, rows: list[list[int]]
) -> Iterator[_System]:
    """Systems whose zeros together are the critical points."""
    walls = _walls(problem)
    y = problem.generators[0].ring.gens[1]
    axes = _unbounded_axes(problem)
    for p, _ in ideal.factors:
        slope = p.diff(y)
        if slope:
            yield _System((p, slope), (p, slope))
        for wall in walls[0] + walls[1] + axes:
            if p.monic() != wall.monic():
                yield _System((p, wall), (p, wall))
    for (p, _), (q, _) in combinations(ideal.factors, 2):
        yield _System((p, q), (p, q))
    for pair in product(*walls):
        yield _System(pair, (*pair, *problem.generators))
    if rows:
        one, two = (_combined(ideal.cofactors, row) for row in rows)
        yield _System((one, two), tuple(ideal.cofactors))


@dataclass(frozen=True)
class _CriticalPoint:
    """What vanishes at a candidate if it is critical, for one reason or another; order of K."""

    conditions: list[tuple[Polynomial, ...]]
    order: int


def _candidates(
    problem: BoxProblem, ideal: _FactoredIdeal, rows: list[list[int]]
) -> dict[tuple[AxisRoot, AxisRoot], _CriticalPoint] | None:
    """All critical points, by coordinates, and perhaps some points that are none."""
    critical_points: dict[tuple[AxisRoot, AxisRoot], _CriticalPoint] = {}
    pair_count = 0
    for critical_system in _systems(problem, ideal, rows):
        axes = [
            real_roots_in(_eliminated(critical_system.pair, axis), *problem.sides[axis])
            for axis in (0, 1)
        ]
        pair_count += len(axes[0]) * len(axes[1])
        if pair_count > limits.MOST_PLANE_BOX_CANDIDATES:
            return None
        for point in ((x, y) for x in axes[0] for y in axes[1]):
            if not may_vanish_at(critical_system.conditions, point):
                continue
            if point in critical_points:
                critical_points[point].conditions.append(critical_system.conditions)
                continue
            order = min(order_at(c, point) for c in ideal.cofactors)
            order += sum(m * order_at(p, point) for p, m in ideal.factors)
            if order:
                critical_points[point] = _CriticalPoint([critical_system.conditions], order)
    return critical_points


def _eliminated(pair: tuple[Polynomial, Polynomial], axis: int) -> list[Fraction]:
    """A polynomial in one variable that vanishes at the common zeros."""
    import sympy

    axis_symbol, other_symbol = pair[0].ring.symbols[axis], pair[0].ring.symbols[1 - axis]
    f, g = pair
    if not any(1 - axis in support(p) for p in pair):
        dense = sympy.Poly(f.gcd(g).as_expr(), axis_symbol, domain="QQ")
    elif not all(1 - axis in support(p) for p in pair):
        free_of_other = next(p for p in pair if 1 - axis not in support(p))
        dense = sympy.Poly(free_of_other.as_expr(), axis_symbol, domain="QQ")
    else:
        one, two = (sympy.Poly(p.as_expr(), other_symbol, axis_symbol, domain="QQ") for p in pair)
        dense = sympy.Poly(one.resultant(two).as_expr(), axis_symbol, domain="QQ")
    return [Fraction(int(c.p), int(c.q)) for c in reversed(dense.all_coeffs())]


def _crossings(problem: BoxProblem, ideal: _FactoredIdeal) -> list[tuple[int, list[list[str]]]]:
    """Factors that change sign inside the box, each with two points that show it.

    Between neighbouring critical abscissae the roots of p(x, ·) in the box are simple and their
    number is constant, so one abscissa in each gap finds every sign change.
    """
    crossed_curves: list[tuple[int, list[list[str]]]] = []
    (x_low, x_high), (y_low, y_high) = problem.sides
    y = problem.generators[0].ring.gens[1]
    walls = _walls(problem)[1]
    for j, (p, _) in enumerate(ideal.factors):
        if 1 not in support(p):
            sign_points = _sign_change(_dense(p, 0, Fraction(0)), x_low, x_high)
            if sign_points is not None:
                middle = str((y_low + y_high) / 2)
                crossed_curves.append((j, [[str(x), middle] for x in sign_points]))
            continue
        critical_abscissae: set[AxisRoot] = set()
        for other in (p.diff(y), *walls):
            if p.monic() != other.monic():
                critical_abscissae |= set(real_roots_in(_eliminated((p, other), 0), x_low, x_high))
        for x in rationals_between(in_increasing_order(critical_abscissae), x_low, x_high):
            sign_points = _sign_change(_dense(p, 1, x), y_low, y_high)
            if sign_points is not None:
                crossed_curves.append((j, [[str(x), str(value)] for value in sign_points]))
                break
    return crossed_curves


def _dense(p: Polynomial, axis: int, value: Fraction) -> list[Fraction]:
    """The polynomial in one variable that is left when the other has a value."""
    places: dict[int, Fraction] = {}
    for m, c in terms_of(p).items():
        places[m[axis]] = places.get(m[axis], Fraction(0)) + c * value ** m[1 - axis]
    dense = [places.get(k, Fraction(0)) for k in range(max(places) + 1)]
    while len(dense) > 1 and not dense[-1]:
        dense.pop()
    return dense


def _sign_change(p: list[Fraction], low: Fraction, high: Fraction) -> list[Fraction] | None:
    """Points of an open interval where a polynomial has opposite signs."""
    if not any(p):
        return None
    values = [
        (x, sum((c * x**k for k, c in enumerate(p)), Fraction(0)))
        for x in rationals_between(real_roots_in(p, low, high), low, high)
    ]
    for (x, v), (z, w) in pairwise(values):
        if v * w < 0:
            return [x, z]
    return None


def _check_sign(
    problem: BoxProblem, ideal: _FactoredIdeal, crossed_curves: list[tuple[int, list[list[str]]]]
) -> None:
    """Refuse K if it is negative somewhere in the box."""
    if any(ideal.factors[j][1] % 2 for j, _ in crossed_curves):
        raise InputError("K changes sign in the box: λ needs K ≥ 0")
    terms = terms_of(problem.generators[0])
    (x_low, x_high), (y_low, y_high) = problem.sides
    n = total_degree(problem.generators[0])
    # A polynomial that vanishes on so large a grid is zero.
    for i, k in product(range(1, n + 2), repeat=2):
        point = [x_low + (x_high - x_low) * i / (n + 2), y_low + (y_high - y_low) * k / (n + 2)]
        value = value_at(terms, point)
        if value < 0:
            raise InputError("K is negative in the box: λ needs K ≥ 0")
        if value > 0:
            return


def _generic(problem: BoxProblem, factor: tuple[Polynomial, int], scale: int) -> Pair:
    """Pair at most points of a curve p = 0: the prior matters only on a coordinate axis."""
    p, m = factor
    (i, *others) = sorted(support(p))
    axis = not others and len(p) == 1
    return Pair((1 + (problem.prior[i] if axis else 0)) / Fraction(scale * m), 1)


def critical_zeros(problem: BoxProblem) -> Iterator[tuple[Coordinate, ...]]:
    """Zeros in a box in the plane, one in each part of the zero set, high orders first."""
    ideal = _factored(problem)
    rows = _combinations(ideal)
    critical_points = None if rows is None else _candidates(problem, ideal, rows)
    for root_pair, item in sorted(
        (critical_points or {}).items(), key=lambda entry: -entry[1].order
    ):
        for conditions in item.conditions:
            point = common_point(root_pair, conditions)
            if point:
                yield point
                break
