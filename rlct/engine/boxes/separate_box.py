"""Boxes: K as an ideal, and parts in separate variables."""

from collections.abc import Callable
from math import prod

from rlct.algebra.polynomial import Polynomial, make_ring, support, variable_groups
from rlct.algebra.positivity.squares import squares_of_polynomial
from rlct.engine import limits
from rlct.engine.germs.step import product_bounds, sum_bounds
from rlct.errors import InputError
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem

Solve = Callable[[BoxProblem], Proof]


def sum_of_squares(problem: BoxProblem, prove_part: Solve) -> Proof | None:
    """The least pair of K is that of the ideal (g), whose zeros are the same.

    If K = Σ c·g² with c > 0 (``theory/points.md``, Boxes in any dimension).
    """
    if problem.is_ideal:
        return None
    squares_of_k = problem.squares
    if squares_of_k is None:
        squares_of_k = squares_of_polynomial(problem.generators[0])
    if squares_of_k is None:
        return None
    squares = [(c, g) for c, g in squares_of_k if g]
    if any(g.is_ground for _, g in squares):
        raise InputError("K has no zero in the box")
    child = prove_part(BoxProblem(tuple(g for _, g in squares), True, problem.prior, problem.sides))
    data = {"squares": [[str(c), encode_polynomial(g)] for c, g in squares]}
    return Proof("squares", child.lower, child.upper, data, (child,))


def sum_of_parts(problem: BoxProblem, prove_part: Solve) -> Proof | None:
    """The least pair of an ideal is the sum of the least pairs of its parts.

    If these have separate variables, so that zeros are chosen apart (``theory/points.md``, Boxes in
    any dimension).
    """
    if not problem.is_ideal:
        return None
    supports = [support(g) for g in problem.generators]
    groups = variable_groups(supports)
    if len(groups) < 2 and len(groups[0]) == len(problem.sides):
        return None
    children = []
    for group in groups:
        part = [g for g, s in zip(problem.generators, supports, strict=True) if s <= set(group)]
        children.append(prove_part(_restricted(problem, part, group)))
    bounds = sum_bounds([(c.lower, c.upper) for c in children])
    return Proof("sum", *bounds, {"groups": groups}, tuple(children))


def product_of_parts(problem: BoxProblem, prove_part: Solve) -> Proof | None:
    """The least pair is the product of the least pairs of the factors.

    If there is one generator, its factors have separate variables, and each has a zero in its box
    (``theory/points.md``, Boxes in any dimension).
    """
    if len(problem.generators) != 1 or len(problem.generators[0]) > limits.MOST_SEPARATE_TERMS:
        return None
    (f,) = problem.generators
    content, factors = f.factor_list()
    groups = variable_groups(support(p) for p, _ in factors)
    if len(groups) < 2:
        return None
    parts, children, sign_negative = [], [], content < 0
    for group in groups:
        part = prod((p**m for p, m in factors if support(p) <= set(group)), start=f.ring.one)
        try:
            child = prove_part(_restricted(problem, [part], group))
        except InputError as error:
            if "no zero" in str(error):
                return None
            if problem.is_ideal or "is negative" not in str(error):
                raise
            sign_negative = not sign_negative
            part = -part
            child = prove_part(_restricted(problem, [part], group))
        parts.append(part)
        children.append(child)
    if sign_negative and not problem.is_ideal:
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
