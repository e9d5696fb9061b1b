"""The minimum over a box in the plane, at the critical points of the zero set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from rlct.algebra.polynomial import Polynomial, support, terms_of, total_degree, value_at
from rlct.algebra.real_algebraic import Coordinate
from rlct.engine import limits
from rlct.engine.boxes.axis_roots import AxisRoot, between, increasing, real_roots_in
from rlct.engine.boxes.exact_points import common_point
from rlct.engine.field.vanishing import order_at, vanishes
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

__all__ = ["critical_zeros", "prove_plane"]


Local = Callable[[tuple[Coordinate, ...]], Proof]


@dataclass(frozen=True)
class _System:
    """Two polynomials with finitely many common zeros, and all that vanishes where it matters."""

    pair: tuple[Polynomial, Polynomial]
    conditions: tuple[Polynomial, ...]


@dataclass(frozen=True)
class _Split:
    """Common factors with exponents and what is left of the generators."""

    factors: list[tuple[Polynomial, int]]
    cofactors: list[Polynomial]


def prove_plane(problem: BoxProblem, local: Local, budget: Budget) -> Proof | None:
    """Prove the least pair over a box in two variables, or bounds; None if it is too large.

    ``theory/points.md`` states and proves the rule.

    Raises
    ------
    InputError
        If K has no zero in the box, or is negative there.
    """
    if max(map(total_degree, problem.generators)) > limits.HIGHEST_EXPANDED_DEGREE:
        return None
    split = _split(problem)
    distinct = sum(total_degree(p) for p, _ in split.factors) + max(
        map(total_degree, split.cofactors)
    )
    if distinct > limits.HIGHEST_PLANE_BOX_DEGREE:
        return None
    rows = _combinations(split)
    if len(split.factors) > limits.MOST_PLANE_BOX_FACTORS or rows is None:
        return None
    crossed = _crossings(problem, split)
    if not problem.is_ideal:
        _check_sign(problem, split, crossed)
    scale = 2 if problem.is_ideal else 1
    uppers = [_generic(problem, split.factors[j], scale) for j, _ in crossed]
    found = _candidates(problem, split, rows)
    if found is None:
        return None
    best = min(uppers) if uppers else None
    proofs: list[tuple[tuple[Coordinate, ...], Proof]] = []
    most = 0
    for candidate in sorted(found, key=lambda c: -found[c].order):
        order = found[candidate].order
        floor = Pair(Fraction(1, scale * order), 1)
        # A derivative bounds the pair only where the prior is bounded.
        large = any(
            h < 0 and root.rational == 0 for h, root in zip(problem.prior, candidate, strict=True)
        )
        if best is not None and floor >= best and not large:
            most = max(most, order)
            continue
        point: tuple[Coordinate, ...] | None = None if budget.spent else ()
        for conditions in found[candidate].conditions:
            if point == ():
                point = common_point(candidate, conditions)
        if point == ():
            continue  # no critical point after all: exact arithmetic says so
        if point is None and large:
            return None
        if point is None:
            most = max(most, order)
            continue
        proof = local(point)
        proofs.append((point, proof))
        if proof.upper is not None:
            best = proof.upper if best is None else min(best, proof.upper)
    if not proofs and not most:
        raise InputError("K has no zero in the box")
    return _proof(split, rows, crossed, proofs, most, best, scale)


def _proof(
    split: _Split,
    rows: list[list[int]],
    crossed: list[tuple[int, list[list[str]]]],
    proofs: list[tuple[tuple[Coordinate, ...], Proof]],
    most: int,
    best: Pair | None,
    scale: int,
) -> Proof:
    points = [encode_place(point) for point, _ in proofs]
    data: dict[str, Any] = {"factors": [[encode_polynomial(p), m] for p, m in split.factors]}
    if rows:
        data["combinations"] = rows
    if crossed:
        data["crossed"] = [list(item) for item in crossed]
    if points:
        data["points"] = points
    lowers = [proof.lower for _, proof in proofs]
    if most:
        data["order"] = most
        lowers.append(Pair(Fraction(1, scale * most), 1))
    return Proof("plane", min(lowers), best, data, tuple(proof for _, proof in proofs))


def _split(problem: BoxProblem) -> _Split:
    ring = problem.generators[0].ring
    common = ring.zero
    for g in problem.generators:
        common = common.gcd(g)
    factors = [] if common.is_ground else [(p, int(m)) for p, m in common.factor_list()[1]]
    whole = prod((p**m for p, m in factors), start=ring.one)
    return _Split(factors, [g.exquo(whole) for g in problem.generators])


def _combinations(split: _Split) -> list[list[int]] | None:
    """Integer combinations of the cofactors that are coprime; [] if a cofactor is a number."""
    cofactors = split.cofactors
    if any(c.is_ground for c in cofactors):
        return []
    size = len(cofactors)
    rows = [[int(i == k) for i in range(size)] for k in range(size)]
    rows += [
        [(i + 1) ** k for i in range(size)] for k in range(1, limits.MOST_COFACTOR_TRIES // size)
    ]
    for one, two in combinations(rows, 2):
        p, q = (_combined(cofactors, row) for row in (one, two))
        if p and q and p.gcd(q).is_ground:
            return [one, two]
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


def _systems(problem: BoxProblem, split: _Split, rows: list[list[int]]) -> Iterator[_System]:
    """Systems whose zeros together are the critical points."""
    walls = _walls(problem)
    y = problem.generators[0].ring.gens[1]
    axes = _unbounded_axes(problem)
    for p, _ in split.factors:
        slope = p.diff(y)
        if slope:
            yield _System((p, slope), (p, slope))
        for wall in walls[0] + walls[1] + axes:
            if p.monic() != wall.monic():
                yield _System((p, wall), (p, wall))
    for (p, _), (q, _) in combinations(split.factors, 2):
        yield _System((p, q), (p, q))
    for pair in product(*walls):
        yield _System(pair, (*pair, *problem.generators))
    if rows:
        one, two = (_combined(split.cofactors, row) for row in rows)
        yield _System((one, two), tuple(split.cofactors))


@dataclass(frozen=True)
class _Found:
    """What vanishes at a candidate if it is critical, for one reason or another; order of K."""

    conditions: list[tuple[Polynomial, ...]]
    order: int


def _candidates(
    problem: BoxProblem, split: _Split, rows: list[list[int]]
) -> dict[tuple[AxisRoot, AxisRoot], _Found] | None:
    """All critical points, by coordinates, and perhaps some points that are none."""
    found: dict[tuple[AxisRoot, AxisRoot], _Found] = {}
    seen = 0
    for system in _systems(problem, split, rows):
        axes = [
            real_roots_in(_eliminated(system.pair, axis), *problem.sides[axis]) for axis in (0, 1)
        ]
        seen += len(axes[0]) * len(axes[1])
        if seen > limits.MOST_PLANE_BOX_CANDIDATES:
            return None
        for point in ((x, y) for x in axes[0] for y in axes[1]):
            if not vanishes(system.conditions, point):
                continue
            if point in found:
                found[point].conditions.append(system.conditions)
                continue
            order = min(order_at(c, point) for c in split.cofactors)
            order += sum(m * order_at(p, point) for p, m in split.factors)
            if order:
                found[point] = _Found([system.conditions], order)
    return found


def _eliminated(pair: tuple[Polynomial, Polynomial], axis: int) -> list[Fraction]:
    """A polynomial in one variable that vanishes at the common zeros."""
    import sympy

    kept, other = pair[0].ring.symbols[axis], pair[0].ring.symbols[1 - axis]
    f, g = pair
    if not any(1 - axis in support(p) for p in pair):
        dense = sympy.Poly(f.gcd(g).as_expr(), kept, domain="QQ")
    elif not all(1 - axis in support(p) for p in pair):
        plain = next(p for p in pair if 1 - axis not in support(p))
        dense = sympy.Poly(plain.as_expr(), kept, domain="QQ")
    else:
        one, two = (sympy.Poly(p.as_expr(), other, kept, domain="QQ") for p in pair)
        dense = sympy.Poly(one.resultant(two).as_expr(), kept, domain="QQ")
    return [Fraction(int(c.p), int(c.q)) for c in reversed(dense.all_coeffs())]


def _crossings(problem: BoxProblem, split: _Split) -> list[tuple[int, list[list[str]]]]:
    """Factors that change sign inside the box, each with two points that show it.

    Between neighbouring critical abscissae the roots of p(x, ·) in the box are simple and their
    number is constant, so one look at each gap finds every sign change.
    """
    found: list[tuple[int, list[list[str]]]] = []
    (left, right), (bottom, top) = problem.sides
    y = problem.generators[0].ring.gens[1]
    walls = _walls(problem)[1]
    for j, (p, _) in enumerate(split.factors):
        if 1 not in support(p):
            shown = _sign_change(_dense(p, 0, Fraction(0)), left, right)
            if shown is not None:
                middle = str((bottom + top) / 2)
                found.append((j, [[str(x), middle] for x in shown]))
            continue
        critical: set[AxisRoot] = set()
        for other in (p.diff(y), *walls):
            if p.monic() != other.monic():
                critical |= set(real_roots_in(_eliminated((p, other), 0), left, right))
        for x in between(increasing(critical), left, right):
            shown = _sign_change(_dense(p, 1, x), bottom, top)
            if shown is not None:
                found.append((j, [[str(x), str(value)] for value in shown]))
                break
    return found


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
        for x in between(real_roots_in(p, low, high), low, high)
    ]
    for (x, v), (z, w) in pairwise(values):
        if v * w < 0:
            return [x, z]
    return None


def _check_sign(
    problem: BoxProblem, split: _Split, crossed: list[tuple[int, list[list[str]]]]
) -> None:
    """Refuse K if it is negative somewhere in the box."""
    if any(split.factors[j][1] % 2 for j, _ in crossed):
        raise InputError("K changes sign in the box: λ needs K ≥ 0")
    terms = terms_of(problem.generators[0])
    (left, right), (bottom, top) = problem.sides
    n = total_degree(problem.generators[0])
    # A polynomial that vanishes on so large a grid is zero.
    for i, k in product(range(1, n + 2), repeat=2):
        point = [left + (right - left) * i / (n + 2), bottom + (top - bottom) * k / (n + 2)]
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
    split = _split(problem)
    rows = _combinations(split)
    found = None if rows is None else _candidates(problem, split, rows)
    for candidate, item in sorted((found or {}).items(), key=lambda entry: -entry[1].order):
        for conditions in item.conditions:
            point = common_point(candidate, conditions)
            if point:
                yield point
                break
