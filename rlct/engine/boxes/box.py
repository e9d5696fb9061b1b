"""The minimum over a box: exact for products of functions of one variable, else bounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy

from rlct.algebra.polynomial import support
from rlct.algebra.positivity.squares import squares_of_polynomial
from rlct.engine import limits
from rlct.engine.boxes.box_points import Place, Points
from rlct.engine.boxes.cells import prove_cells
from rlct.engine.boxes.everywhere import exponent, prove_everywhere
from rlct.engine.boxes.plane_box import prove_plane
from rlct.engine.boxes.positive_box import prove_positive
from rlct.engine.boxes.separate_box import product, squares, sum_of_parts
from rlct.engine.nonnegative import GENERATORS
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget, OutOfTimeError, time_limit

__all__ = ["prove_box"]

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
    with time_limit(timeout, budget):
        found = _solve(problem, budget)
        stopped = budget.spent
    notes = _notes(problem, found)
    if timeout is not None and stopped and not found.exact:
        notes = (*notes, f"stopped after {timeout:g} s: more time may give sharper bounds")
    return found, notes


def _solve(problem: BoxProblem, budget: Budget) -> Proof:
    """Prove what the time allows; a part that is stopped keeps the zeros that it found."""
    points = Points(problem)
    if not budget.spent:
        try:
            return _prove(problem, points, budget)
        except (OutOfTimeError, KeyboardInterrupt):
            budget.stop()
    return _in_a_hurry(problem, points)


def _in_a_hurry(problem: BoxProblem, points: Points) -> Proof:
    """Bounds from what is known after the time limit."""
    budget = Budget(limits.BOX_GRACE_SECONDS)
    try:
        with time_limit(limits.BOX_GRACE_SECONDS, budget):
            return _bounds(problem, points.known(limits.BOX_GRACE_SECONDS / 2))
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return _bounds(problem, points.proved)


def _notes(problem: BoxProblem, proof: Proof) -> tuple[str, ...]:
    while proof.rule == "squares":
        (proof,) = proof.children
    if proof.rule not in ("points", "cells", "everywhere"):
        return ()
    notes = () if proof.upper is not None else (_NONE_FOUND,)
    shown = problem.squares is not None or squares_of_polynomial(problem.generators[0]) is not None
    if not (problem.is_ideal or shown):
        notes = (*notes, "K ≥ 0 in the box was not proved; the bounds are those of |K|")
        if not proof.exact:
            notes = (*notes, GENERATORS)
    return notes


def _prove(problem: BoxProblem, points: Points, budget: Budget) -> Proof:
    """Try the rules for boxes, the cheapest first."""

    def solve(child: BoxProblem) -> Proof:
        return _solve(child, budget)

    found = _separable(problem)
    if found is None and len(problem.sides) == 2:
        found = prove_plane(problem, lambda point: prove_problem(problem.at(point)), budget)
    if found is None and len(problem.sides) > 2:
        found = squares(problem, solve) or prove_positive(problem, prove_problem)
    if found is None and len(problem.sides) > 2:
        found = sum_of_parts(problem, solve) or product(problem, solve)
        if found is None:
            found = prove_cells(problem, points.known(), points.on_slices, budget)
        if found is None or not found.exact:
            found = prove_everywhere(problem, points.proved, points.others, found, budget)
    if found is None:
        if not problem.is_ideal:
            _refuse_sign_change(problem)
        found = _bounds(problem, points.known())
    return found


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


def _bounds(problem: BoxProblem, known: Sequence[tuple[Place, Proof]]) -> Proof:
    """1/deg K from below; from above the least pair of the known zeros.

    With x = y^q for a negative exponent of the prior: then it is bounded.
    """
    powers = [exponent(h, wall=False) for h in problem.prior]
    least = min(
        max(sum(q * e for q, e in zip(powers, m, strict=True)) for m in g.itermonoms())
        for g in problem.generators
    )
    lower = Pair(Fraction(1, (2 if problem.is_ideal else 1) * least), 1)
    best: Pair | None = None
    points: list[dict[str, Any]] = []
    children: tuple[Proof, ...] = ()
    for point, child in known:
        if child.upper is not None and (best is None or child.upper < best):
            best, points, children = child.upper, [encode_place(point)], (child,)
    return Proof("points", lower, best, {"points": points}, children)
