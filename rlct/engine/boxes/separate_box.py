"""Boxes: K as an ideal, and parts in separate variables."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from rlct.algebra.polynomial import Polynomial, make_ring, support, variable_groups
from rlct.algebra.positivity.squares import squares_of_polynomial
from rlct.engine import limits
from rlct.engine.step import product_bounds, sum_bounds
from rlct.errors import InputError
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem

__all__ = ["product", "squares", "sum_of_parts"]

Solve = Callable[[BoxProblem], Proof]


def squares(problem: BoxProblem, solve: Solve) -> Proof | None:
    """K = Σ c·g² with c > 0 has the pairs of the ideal (g), and its zeros."""
    if problem.is_ideal:
        return None
    found = problem.squares
    if found is None:
        found = squares_of_polynomial(problem.generators[0])
    if found is None:
        return None
    kept = [(c, g) for c, g in found if g]
    if any(g.is_ground for _, g in kept):
        raise InputError("K has no zero in the box")
    child = solve(BoxProblem(tuple(g for _, g in kept), True, problem.prior, problem.sides))
    data = {"squares": [[str(c), encode_polynomial(g)] for c, g in kept]}
    return Proof("squares", child.lower, child.upper, data, (child,))


def sum_of_parts(problem: BoxProblem, solve: Solve) -> Proof | None:
    """Split an ideal in separate variables: zeros are chosen apart, pairs add."""
    if not problem.is_ideal:
        return None
    supports = [support(g) for g in problem.generators]
    groups = variable_groups(supports)
    if len(groups) < 2 and len(groups[0]) == len(problem.sides):
        return None
    children = []
    for group in groups:
        own = [g for g, s in zip(problem.generators, supports, strict=True) if s <= set(group)]
        children.append(solve(_restricted(problem, own, group)))
    bounds = sum_bounds([(c.lower, c.upper) for c in children])
    return Proof("sum", *bounds, {"groups": groups}, tuple(children))


def product(problem: BoxProblem, solve: Solve) -> Proof | None:
    """Split one generator into factors in separate variables, each with zeros in its box."""
    if len(problem.generators) != 1 or len(problem.generators[0]) > limits.MOST_SEPARATE_TERMS:
        return None
    (f,) = problem.generators
    content, factors = f.factor_list()
    groups = variable_groups(support(p) for p, _ in factors)
    if len(groups) < 2:
        return None
    parts, children, negative = [], [], content < 0
    for group in groups:
        part = prod((p**m for p, m in factors if support(p) <= set(group)), start=f.ring.one)
        try:
            child = solve(_restricted(problem, [part], group))
        except InputError as error:
            if "no zero" in str(error):
                return None
            if problem.is_ideal or "is negative" not in str(error):
                raise
            negative = not negative
            part = -part
            child = solve(_restricted(problem, [part], group))
        parts.append(part)
        children.append(child)
    if negative and not problem.is_ideal:
        raise InputError("K is negative in the box: λ needs K ≥ 0")
    bounds = product_bounds([(c.lower, c.upper) for c in children])
    data = {"groups": groups, "factors": [encode_polynomial(p) for p in parts]}
    return Proof("product", *bounds, data, tuple(children))


def _restricted(problem: BoxProblem, generators: list[Polynomial], group: list[int]) -> BoxProblem:
    ring = make_ring([problem.variables[i] for i in group])
    moved = tuple(
        ring.from_dict({tuple(m[i] for i in group): c for m, c in g.terms()}) for g in generators
    )
    return BoxProblem(
        moved,
        problem.is_ideal,
        tuple(problem.prior[i] for i in group),
        tuple(problem.sides[i] for i in group),
    )
