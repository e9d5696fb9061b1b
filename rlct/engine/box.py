"""The minimum over a box: exact for products of functions of one variable, else bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice
from itertools import product as points_of
from typing import Any

import sympy

from rlct.algebraic import Coordinate
from rlct.box import BoxProblem
from rlct.certificate.encode import encode_place, encode_polynomial
from rlct.certificate.proof import Proof
from rlct.engine.budget import Budget, OutOfTimeError, time_limit
from rlct.engine.cells import prove_cells
from rlct.engine.plane_box import critical_zeros, prove_plane
from rlct.engine.separate_box import product, squares, sum_of_parts
from rlct.engine.strategy import prove
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.polynomial import degree, evaluate, make_ring, order, support, terms_of
from rlct.squares import squares_of_polynomial

__all__ = ["prove_box"]

Place = tuple[Coordinate, ...]

_MOST_CANDIDATES = 20_000
_MOST_POINTS = 12
_MOST_ON_SLICES = 20
_MOST_PROVED = 3
_MOST_ON_A_SLICE = 2
_MOST_SLICES = 6
_GRACE = 1.0  # seconds for bounds after the time limit
_NONE_FOUND = "no zero of K was found in the box: if there is none, λ = ∞"


def prove_box(problem: BoxProblem, timeout: float | None = None) -> tuple[Proof, tuple[str, ...]]:
    """Prove or enclose the least pair over the box.

    Returns
    -------
    Proof
    tuple of str
        Notes.

    Raises
    ------
    InputError
        If K has no zero in the box, or is negative there.
    """
    budget = Budget(timeout)
    found: Proof | None = None
    try:
        with time_limit(timeout, budget):
            found = _prove(problem, budget)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
    if found is not None:
        return found, _notes(problem, found)
    return _bounds(problem, _GRACE)


def _notes(problem: BoxProblem, proof: Proof) -> tuple[str, ...]:
    if proof.rule not in ("points", "cells"):
        return ()
    notes = () if proof.upper is not None else (_NONE_FOUND,)
    shown = problem.squares is not None or squares_of_polynomial(problem.generators[0]) is not None
    if not (problem.is_ideal or shown):
        notes = (*notes, "K ≥ 0 in the box was not proved; the bounds are those of |K|")
    return notes


def _prove(problem: BoxProblem, budget: Budget) -> Proof:
    """Try the rules for boxes, the cheapest first."""

    def solve(child: BoxProblem) -> Proof:
        return _prove(child, budget)

    found = _separable(problem)
    if found is None and len(problem.sides) == 2:
        found = prove_plane(problem, lambda point: prove(problem.at(point)), budget)
    if found is None and len(problem.sides) > 2:
        found = squares(problem, solve) or sum_of_parts(problem, solve) or product(problem, solve)
        if found is None:
            known = list(_known(problem, None))
            found = prove_cells(problem, known, lambda: _on_slices(problem), budget)
    return found or _bounds(problem, None)[0]


def _separable(problem: BoxProblem) -> Proof | None:
    """K = c·Π p(x_i)^m: each variable has its own roots, and a point may choose all of them."""
    f, *others = problem.generators
    if len(problem.sides) == 1:
        # Polynomials in one variable generate the ideal of their greatest common divisor.
        for g in others:
            f = f.gcd(g)
    elif others or len(f) > 200:
        return None
    content, factors = f.factor_list()
    scale = 2 if problem.is_ideal else 1
    items: list[dict[str, Any]] = []
    best: dict[int, Pair] = {}
    sign = content > 0
    for p, m in factors:
        used = [i for i in range(f.ring.ngens) if p.degree(f.ring.gens[i]) > 0]
        if len(used) != 1:
            return None
        (i,) = used
        low, high = problem.sides[i]
        dense = sympy.Poly(p.as_expr(), f.ring.symbols[i])
        zeros = dense.count_roots(_rational(low), _rational(high))
        items.append({"variable": i, "factor": encode_polynomial(p), "exponent": m})
        if zeros:
            at_zero = dense.eval(0) == 0
            h = problem.prior[i] if at_zero else Fraction(0)
            candidate = Pair((1 + h) / (scale * m), 1)
            best[i] = min(candidate, best.get(i, candidate))
            ends = (dense.eval(_rational(low)) == 0) + (dense.eval(_rational(high)) == 0)
            if not problem.is_ideal and m % 2 and zeros > ends:
                raise InputError("K changes sign in the box: λ needs K ≥ 0")
        middle = dense.eval(_rational(_inside(dense, low, high)))
        if m % 2 and middle < 0:
            sign = not sign
    if not problem.is_ideal and not sign:
        raise InputError("K is negative in the box: λ needs K ≥ 0")
    if not best:
        raise InputError("K has no zero in the box")
    pair: Pair | None = None
    for candidate in best.values():
        pair = candidate if pair is None else pair * candidate
    assert pair is not None
    return Proof("univariate-factors", pair, pair, {"factors": items})


def _rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def _inside(p: Any, low: Fraction, high: Fraction) -> Fraction:
    """A point of the interval that is no root: p has finitely many, so halving ends."""
    value = (low + high) / 2
    while p.eval(_rational(value)) == 0:
        value = (low + value) / 2
    return value


def _refuse_sign_change(problem: BoxProblem) -> None:
    """Refuse K if a factor in one variable has a simple root inside its interval."""
    (K,) = problem.generators
    if len(K) > 200:
        return
    for p, m in K.factor_list()[1]:
        used = support(p)
        if m % 2 and len(used) == 1:
            (i,) = used
            ends = [_rational(side) for side in problem.sides[i]]
            dense = sympy.Poly(p.as_expr(), K.ring.symbols[i])
            if dense.count_roots(*ends) > sum(dense.eval(end) == 0 for end in ends):
                raise InputError("K changes sign in the box: λ needs K ≥ 0")


def _bounds(problem: BoxProblem, timeout: float | None) -> tuple[Proof, tuple[str, ...]]:
    """1/deg K from below; from above the pairs of some rational zeros of high order."""
    if not problem.is_ideal:
        _refuse_sign_change(problem)
    least = min(degree(g) for g in problem.generators)
    lower = Pair(Fraction(1, (2 if problem.is_ideal else 1) * least), 1)
    best: Pair | None = None
    points: list[dict[str, Any]] = []
    children: tuple[Proof, ...] = ()
    for point, child in _known(problem, timeout):
        if child.upper is not None and (best is None or child.upper < best):
            best, points, children = child.upper, [encode_place(point)], (child,)
    proof = Proof("points", lower, best, {"points": points}, children)
    return proof, _notes(problem, proof)


def _known(problem: BoxProblem, timeout: float | None) -> Iterator[tuple[Place, Proof]]:
    """Some zeros in the box, with proofs of their pairs."""
    zeros = sorted(_zeros(problem), key=lambda zero: (-zero[0], zero[1]))
    found: list[Place] = [(*point,) for _, point in zeros[:_MOST_POINTS]]
    for point in found:
        yield point, prove(problem.at(point), None if timeout is None else timeout / len(found))


def _on_slices(problem: BoxProblem) -> list[tuple[Place, Proof]]:
    """Zeros on planes where all variables but two have simple rational values, with proofs."""
    found = [(point, problem.at(point)) for point in islice(_sliced(problem), _MOST_ON_SLICES)]
    found.sort(key=lambda item: -min(map(order, item[1].local.generators)))
    return [(point, prove(local)) for point, local in found[:_MOST_PROVED]]


def _sliced(problem: BoxProblem) -> Iterator[Place]:
    d = len(problem.sides)
    ring = problem.generators[0].ring
    for pair in islice(combinations(range(d), 2), _MOST_SLICES):
        others = [i for i in range(d) if i not in pair]
        choices = [
            [low + (high - low) * Fraction(k, 4) for k in (2, 1, 3)]
            for low, high in (problem.sides[i] for i in others)
        ]
        for values in islice(points_of(*choices), _MOST_SLICES):
            moves = [
                (ring.gens[i], ring.ground_new(ring.domain(v.numerator, v.denominator)))
                for i, v in zip(others, values, strict=True)
            ]
            small = make_ring([problem.variables[i] for i in pair])
            restricted = [g.compose(moves) for g in problem.generators]
            moved = tuple(
                small.from_dict({tuple(m[i] for i in pair): c for m, c in g.terms()})
                for g in restricted
                if g
            )
            if not moved or any(g.is_ground for g in moved):
                continue
            sides = tuple(problem.sides[i] for i in pair)
            slice_ = BoxProblem(moved, True, (Fraction(0),) * 2, sides)
            for x, y in islice(critical_zeros(slice_), _MOST_ON_A_SLICE):
                point: list[Coordinate] = [Fraction(0)] * d
                for i, v in zip(others, values, strict=True):
                    point[i] = v
                point[pair[0]], point[pair[1]] = x, y
                yield tuple(point)


def _zeros(problem: BoxProblem) -> Iterator[tuple[int, tuple[Fraction, ...]]]:
    """Zeros among simple rational points, with the order of K there."""
    choices = []
    for low, high in problem.sides:
        inside = [Fraction(k, 2) for k in range(-8, 9) if low <= Fraction(k, 2) <= high]
        inside += [Fraction(k, 3) for k in (-2, -1, 1, 2) if low <= Fraction(k, 3) <= high]
        choices.append(sorted({*inside, low, high}, key=lambda a: (abs(a), a)))
    generators = [terms_of(g) for g in problem.generators]
    for point in islice(points_of(*choices), _MOST_CANDIDATES):
        values = [evaluate(g, point) for g in generators]
        if not problem.is_ideal and values[0] < 0:
            named = zip(problem.variables, point, strict=True)
            where = ", ".join(f"{n} = {a}" for n, a in named)
            raise InputError(f"K is {values[0]} at {where}: λ needs K ≥ 0 in the box")
        if not any(values):
            orders = [order(g) for g in problem.at(point).generators if g]
            yield min(orders), point
