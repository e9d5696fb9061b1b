"""A lower bound from initial monomials: it needs no search, and is often sharp."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from operator import mul
from typing import Any

import numpy as np

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.germs.family import Family, family_of_germ, is_unit, local_terms
from rlct.engine.germs.leaves import HOWALD_PAPER, encode_programme
from rlct.engine.germs.rule import germ_rule
from rlct.newton.exponents import exponent_matrix
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.simplex import Integers
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Exponents = tuple[int, ...]

_DEMAILLY_KOLLAR = (
    "Demailly, Kollár, Semi-continuity of complex singularity exponents and "
    "Kähler–Einstein metrics on Fano orbifolds, ENS 34 (2001)"
)


def initial_bound(germ: Germ, goal_pair: Pair | None = None) -> Proof | None:
    """λ ≥ λ(x^α_1, …, x^α_r), where x^α_k is the only least term of g_k for some weights > 0.

    `initial_bound_of_family` for a germ without parameters; ``theory/blowups.md`` proves it.

    >>> from rlct.questions.problem import Problem
    >>> initial_bound(Problem.ideal(["x**2 + y**3*z", "x*y*z - y**2*z**2"]).local).lower
    Pair(1/2, 3)
    """
    return initial_bound_of_family(family_of_germ(germ), goal_pair)


@germ_rule("initial", sources=(_DEMAILLY_KOLLAR, HOWALD_PAPER))
def initial_bound_of_family(family: Family, goal_pair: Pair | None = None) -> Proof | None:
    """λ ≥ that of the monomials x^a_i that are least in the generators for some weights.

    The weights are positive integers, tried at random (always the same ones); a generator counts if
    its least term is unique and has a unit as coefficient.  This is semicontinuity of the complex
    threshold, which is at most 2λ; see ``theory/blowups.md``.  A common monomial of the generators
    lets the prior count, up to what it takes away.  The family has no free parameters.
    ``goal_pair`` is a bound that is good enough; without it, or if none is, the best one found is
    returned.
    """
    d = len(family.prior)
    if family.uniform and family.fixed:
        return None
    if (
        d > limits.MOST_INITIAL_VARIABLES
        or sum(map(len, family.generators)) > limits.MOST_INITIAL_TERMS
    ):
        return None
    least_terms = [_least_terms(g, family) for g in family.generators]
    best_proof: Proof | None = None
    tried_choices: set[tuple[Exponents | None, ...]] = set()
    trial_weights = _weights(d).tolist()
    for order, *choice in zip(_weights(d).tolist(), *least_terms, strict=True):
        used_generators = [k for k, m in enumerate(choice) if m is not None]
        if not used_generators or tuple(choice) in tried_choices:
            continue
        tried_choices.add(tuple(choice))
        choice_proof = _bound(
            family,
            [m for m in choice if m is not None],
            goal_pair,
            goal_pair or (None if best_proof is None else best_proof.lower),
            {"order": order, "kept": used_generators},
            trial_weights,
        )
        if choice_proof is not None and (
            best_proof is None or choice_proof.lower > best_proof.lower
        ):
            best_proof = choice_proof
            if goal_pair is not None and best_proof.lower >= goal_pair:
                break
    return best_proof


@cache
def _weights(d: int) -> Integers:
    rng = random.Random(0)
    return np.array(
        [
            [rng.randint(1, limits.LARGEST_WEIGHT) for _ in range(d)]
            for _ in range(limits.MOST_WEIGHT_TRIES)
        ]
    )


def _least_terms(g: Polynomial, family: Family) -> list[Exponents | None]:
    """For each of the weights the only least term of a generator, if its coefficient is a unit."""
    terms = local_terms(g, len(family.prior))
    exponents = list(terms)
    orders = exponent_matrix(exponents) @ _weights(len(family.prior)).T
    unique = (orders == orders.min(axis=0)).sum(axis=0) == 1
    least_places = np.where(unique, orders.argmin(axis=0), -1).tolist()
    unit_terms: dict[int, Exponents | None] = {-1: None}
    for exponent_index in {*least_places} - {-1}:
        m = exponents[exponent_index]
        unit_terms[exponent_index] = m if is_unit(terms[m], family.units) else None
    return [unit_terms[exponent_index] for exponent_index in least_places]


def _bound(
    family: Family,
    least_exponents: Sequence[Exponents],
    goal_pair: Pair | None,
    aim_pair: Pair | None,
    data: dict[str, Any],
    trial_weights: list[list[Fraction | int]],
) -> Proof | None:
    """The bound of one choice of weights, whose least exponents are given.

    Variables that only the common monomial has are outer ones, the others inner.  None if one of
    the trial weights shows that the bound is not better than the aim; an optimal one joins them.
    """
    d = len(family.prior)
    width = family.ring.ngens
    kept_exponents = (m[:d] for k in data["kept"] for m in family.generators[k])
    common_exponents = tuple(map(min, zip(*kept_exponents, strict=True)))
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
    if aim_pair is not None and inner_variables:
        weights = np.array(trial_weights, dtype=float)[:, inner_variables]
        orders = (weights @ np.array(rows, dtype=float).T).min(axis=1)
        costs = weights @ [float(1 + family.prior[j]) for j in inner_variables]
        # Floats only choose the weight that is looked at.
        k = int((2 * float(aim_pair.lam) * orders - costs).argmax())
        weight = [trial_weights[k][j] for j in inner_variables]
        order = min(sum(map(mul, weight, row)) for row in rows)
        cost = sum(w * (1 + family.prior[j]) for w, j in zip(weight, inner_variables, strict=True))
        most = Pair(Fraction(cost) / (2 * order), width) if order else None
        if most is not None and (most < aim_pair or (most == aim_pair and goal_pair is None)):
            return None
    reach = goal_pair.lam if goal_pair is not None else Fraction(0)
    for _ in range(1 if goal_pair is not None else limits.MOST_INITIAL_PASSES):
        prior = [min(family.prior[j], 2 * common_exponents[j] * reach) for j in inner_variables]
        optimum = monomial_optimum(rows, prior)
        if optimum.pair.lam <= reach:
            break
        reach = optimum.pair.lam
    lam = optimum.pair.lam
    optimal_weight = dict(zip(inner_variables, optimum.weight, strict=True))
    trial_weights.append([optimal_weight.get(j, 0) for j in range(d)])
    if any(h > 2 * common_exponents[j] * lam for h, j in zip(prior, inner_variables, strict=True)):
        return None
    pair = edge if edge is not None and edge.lam < lam else Pair(lam, width)
    data = {**data, **encode_programme(optimum, [list(map(int, row)) for row in rows])}
    if outer_variables:
        data["outer"] = outer_variables
    if any(prior):
        data["prior"] = encode_numbers(prior)
    return Proof("initial", pair, None, data)
