"""A lower bound from initial monomials: it needs no search, and is often sharp."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from operator import mul
from typing import Any

from rlct.engine import limits
from rlct.engine.newton_polyhedra.leaves import encode_programme
from rlct.engine.resolution.family import Family, family_of_germ, is_unit, local_terms
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

__all__ = ["initial_bound", "initial_bound_of_family"]


Exponents = tuple[int, ...]


def initial_bound(germ: Germ, goal_pair: Pair | None = None) -> Proof | None:
    """λ ≥ λ(x^α_1, …, x^α_r), where x^α_k is the only least term of g_k for some weights > 0.

    `initial_bound_of_family` for a germ without parameters; ``theory/blowups.md`` proves it.

    Examples
    --------
    >>> from rlct.questions.problem import Problem
    >>> initial_bound(Problem.ideal(["x**2 + y**3*z", "x*y*z - y**2*z**2"]).local).lower
    Pair(1/2, 3)
    """
    return initial_bound_of_family(family_of_germ(germ), goal_pair)


def initial_bound_of_family(family: Family, goal_pair: Pair | None = None) -> Proof | None:
    """λ ≥ that of the monomials x^a_i that are least in the generators for some weights.

    The weights are positive integers, tried at random (always the same ones); a generator counts
    if its least term is unique and has a unit as coefficient.  This is semicontinuity of the
    complex threshold, which is at most 2λ; see ``theory/blowups.md``.  A common monomial of the
    generators lets the prior count, up to what it takes away.

    Parameters
    ----------
    family : Family
        Without free parameters.
    goal_pair : Pair, optional
        A bound that is good enough; without it, or if none is, the best one found.
    """
    d = len(family.prior)
    if family.uniform and family.fixed:
        return None
    if (
        d > limits.MOST_INITIAL_VARIABLES
        or sum(map(len, family.generators)) > limits.MOST_INITIAL_TERMS
    ):
        return None
    generator_exponents = []
    for g in family.generators:
        terms = local_terms(g, d)
        unit_exponents = {m for m, c in terms.items() if is_unit(c, family.units)}
        generator_exponents.append((sorted(terms), unit_exponents))
    best_proof: Proof | None = None
    tried_choices: set[tuple[tuple[int, ...], tuple[Exponents, ...]]] = set()
    for weights in _weights(d):
        used_generators, least_exponents = [], []
        for index, (exponents, unit_exponents) in enumerate(generator_exponents):
            orders = sorted((sum(map(mul, weights, m)), m) for m in exponents)
            unique = len(orders) == 1 or orders[0][0] < orders[1][0]
            if unique and orders[0][1] in unit_exponents:
                used_generators.append(index)
                least_exponents.append(orders[0][1])
        key = tuple(used_generators), tuple(least_exponents)
        if not used_generators or key in tried_choices:
            continue
        tried_choices.add(key)
        low = tuple(
            map(
                min,
                zip(*(m for k in used_generators for m in generator_exponents[k][0]), strict=True),
            )
        )
        found = _bound(
            family,
            low,
            least_exponents,
            goal_pair,
            {"order": list(weights), "kept": used_generators},
        )
        if found is not None and (best_proof is None or found.lower > best_proof.lower):
            best_proof = found
            if goal_pair is not None and best_proof.lower >= goal_pair:
                break
    return best_proof


@cache
def _weights(d: int) -> tuple[tuple[int, ...], ...]:
    rng = random.Random(0)
    return tuple(
        tuple(rng.randint(1, limits.LARGEST_WEIGHT) for _ in range(d))
        for _ in range(limits.MOST_WEIGHT_TRIES)
    )


def _bound(
    family: Family,
    common_exponents: Exponents,
    least_exponents: Sequence[Exponents],
    goal_pair: Pair | None,
    data: dict[str, Any],
) -> Proof | None:
    """The bound of one choice of weights, whose least exponents are given.

    Variables that only the common monomial has are outer ones, the others inner.
    """
    d = len(family.prior)
    width = family.ring.ngens
    outer_variables = [
        j
        for j in range(d)
        if common_exponents[j] and all(m[j] == common_exponents[j] for m in least_exponents)
    ]
    inner_variables = [j for j in range(d) if j not in outer_variables]
    around = [(1 + family.prior[j]) / (2 * common_exponents[j]) for j in outer_variables]
    edge = Pair(min(around), around.count(min(around))) if around else None
    if goal_pair is not None and edge is not None and edge < goal_pair:
        return None
    rows = [tuple(m[j] for j in inner_variables) for m in least_exponents]
    if not all(any(row) for row in rows):
        return None
    reach = goal_pair.lam if goal_pair is not None else Fraction(0)
    for _ in range(1 if goal_pair is not None else limits.MOST_INITIAL_PASSES):
        prior = [min(family.prior[j], 2 * common_exponents[j] * reach) for j in inner_variables]
        optimum = monomial_optimum(rows, prior)
        if optimum.pair.lam <= reach:
            break
        reach = optimum.pair.lam
    lam = optimum.pair.lam
    if any(h > 2 * common_exponents[j] * lam for h, j in zip(prior, inner_variables, strict=True)):
        return None
    pair = edge if edge is not None and edge.lam < lam else Pair(lam, width)
    data = {**data, **encode_programme(optimum, [list(map(int, row)) for row in rows])}
    if outer_variables:
        data["outer"] = outer_variables
    if any(prior):
        data["prior"] = encode_numbers(prior)
    return Proof("initial", pair, None, data)
