"""Questions at irrational points: two variables in full, more by what works over any field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from rlct.algebraic import Algebraic, Coordinate, number_of
from rlct.certificate.encode import encode_polynomial
from rlct.certificate.proof import Proof
from rlct.engine import (
    crossings,
    eliminate,
    factors,
    leaves,
    newton_over_field,
    plane_newton,
    simplify,
    split,
)
from rlct.engine.budget import Budget, OutOfTimeError
from rlct.engine.curve import Curve, from_numbers
from rlct.engine.plane import PlaneGerm, at_point, common_factors
from rlct.engine.step import Step
from rlct.newton.number_field import Number, NumberField, number
from rlct.pair import Pair
from rlct.polynomial import Polynomial, degree
from rlct.problem import Germ, Problem
from rlct.squares import Squares, squares_of_polynomial

__all__ = ["number_in", "prove"]

Rule = Callable[[Germ], Step | Proof | None]

CHEAP: tuple[Rule, ...] = (leaves.monomial, leaves.smooth, split.apply)
COSTLY: tuple[Rule, ...] = (simplify.apply, eliminate.apply)
#: These factorise over the field, which is slow where it is large.
FACTORING: tuple[Rule, ...] = (crossings.apply, factors.power, factors.product)
LAST: tuple[Rule, ...] = (newton_over_field.apply,)
_LARGEST_FACTORED = 6  # degree of the field
_HIGHEST_FACTORED = 24  # degree of a generator
_HIGHEST = 200
_MOST_TERMS = 2_000
_HALF = Fraction(1, 2)


def prove(problem: Problem, budget: Budget) -> Proof:
    """Prove a pair, or bounds, at a point with irrational coordinates.

    Examples
    --------
    >>> prove(Problem.poly("(x**2-2)**2*y**4", at={"x": "sqrt(2)"}), Budget(None)).lower
    Pair(1/4, 1)
    """
    if problem.is_ideal:
        return _ideal(problem, problem.generators, budget)
    (K,) = problem.generators
    squares: Squares | None = problem.squares
    if squares is None:
        squares = squares_of_polynomial(K)
    if squares is None:
        child = _ideal(problem, (K,), budget)
        upper = None if child.upper is None else child.upper / _HALF
        return Proof("modulus", child.lower / _HALF, upper, {}, (child,))
    kept = [(c, g) for c, g in squares if g]
    child = _ideal(problem, [g for _, g in kept], budget)
    data = {"squares": [[str(c), encode_polynomial(problem.localise(g))] for c, g in kept]}
    return Proof("squares", child.lower, child.upper, data, (child,))


def _ideal(problem: Problem, generators: Sequence[Polynomial], budget: Budget) -> Proof:
    field = problem.field
    assert field is not None
    prior = problem.local.prior
    if len(prior) == 2:
        x, y = (number_in(a, field) for a in problem.point)
        p, q = problem.powers
        germ = at_point(generators, (x, y), field, (p, q), prior)
        return plane_newton.prove(germ, budget)
    return _germ(Germ(tuple(map(problem.localise, generators)), prior, True, field), budget)


def number_in(value: Coordinate, field: NumberField) -> Number:
    """A coordinate as a number of a field."""
    if isinstance(value, Algebraic):
        return value.value
    return number([value, *[Fraction(0)] * (field.degree - 1)])


def _germ(germ: Germ, budget: Budget) -> Proof:
    """Prove an ideal over a field by the first rule that accepts it, else enclose it."""
    weak: Proof | None = None
    try:
        for rule in _rules(germ, budget):
            found = rule(germ)
            if isinstance(found, Step):
                return found.prove(lambda child: _germ(child, budget))
            if found is not None and found.exact:
                return found
            weak = found or weak
        if germ.ring.ngens == 2 and not budget.spent:
            found = plane_newton.prove(_plane(germ), budget)
            if found.exact:
                return found
            weak = found
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
    return _enclose(germ, weak, budget)


def _enclose(germ: Germ, weak: Proof | None, budget: Budget) -> Proof:
    children = [leaves.hull(germ)] + ([] if weak is None else [weak])
    if len(germ.generators) > 1 and not budget.spent:
        for index, g in enumerate(germ.generators):
            child = _germ(Germ((g,), germ.prior, True, germ.field), budget)
            children.append(Proof("subideal", child.lower, None, {"kept": [index]}, (child,)))
    lower = max(child.lower for child in children)
    upper: Pair = min(child.upper for child in children if child.upper is not None)
    below = next(child for child in children if child.lower == lower)
    above = next(child for child in children if child.upper == upper)
    return below if below is above else Proof("enclose", lower, upper, {}, (below, above))


def _rules(germ: Germ, budget: Budget) -> tuple[Rule, ...]:
    if budget.spent or sum(map(len, germ.generators)) > _MOST_TERMS:
        return CHEAP
    top = max(map(degree, germ.generators))
    if top > _HIGHEST:
        return CHEAP
    assert germ.field is not None
    small = germ.field.degree <= _LARGEST_FACTORED and top <= _HIGHEST_FACTORED
    return CHEAP + COSTLY + (FACTORING if small else ()) + LAST


def _plane(germ: Germ) -> PlaneGerm:
    """A germ in two variables that other rules led to."""
    field = germ.field
    assert field is not None
    axes, common, cofactors = common_factors(germ.generators)

    def curve(polynomial: Polynomial) -> Curve:
        return from_numbers(
            {(int(m), int(n)): number_of(c, field.degree) for (m, n), c in polynomial.terms()}
        )

    return PlaneGerm(
        field,
        axes,
        tuple((curve(f), m) for f, m in common),
        tuple(map(curve, cofactors)),
        germ.prior,
    )
