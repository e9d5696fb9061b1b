"""A lower bound from initial monomials: it needs no search, and is often sharp."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from operator import mul
from typing import Any

from rlct.engine.newton_polyhedra.leaves import programme
from rlct.engine.resolution.family import Family, family_of_germ, is_unit, local_terms
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

__all__ = ["lower", "of_family"]

_TRIES = 160
_LARGEST_WEIGHT = 60
_MOST_TERMS = 2_000
_MOST_VARIABLES = 24
_MOST_PASSES = 6

Exponents = tuple[int, ...]


def lower(germ: Germ, goal: Pair | None = None) -> Proof | None:
    """`of_family` for a germ without parameters.

    Examples
    --------
    >>> from rlct.questions.problem import Problem
    >>> lower(Problem.ideal(["x**2 + y**3*z", "x*y*z - y**2*z**2"]).local).lower
    Pair(1/2, 3)
    """
    return of_family(family_of_germ(germ), goal)


def of_family(family: Family, goal: Pair | None = None) -> Proof | None:
    """λ ≥ that of the monomials x^a_i that are least in the generators for some weights.

    The weights are positive integers, tried at random (always the same ones); a generator counts
    if its least term is unique and has a unit as coefficient.  This is semicontinuity of the
    complex threshold, which is at most 2λ; see ``theory/blowups.md``.  A common monomial of the
    generators lets the prior count, up to what it takes away.

    Parameters
    ----------
    family : Family
        Without free parameters.
    goal : Pair, optional
        A bound that is good enough; without it, or if none is, the best one found.
    """
    d = len(family.prior)
    if family.uniform and family.fixed:
        return None
    if d > _MOST_VARIABLES or sum(map(len, family.generators)) > _MOST_TERMS:
        return None
    shapes = []
    for g in family.generators:
        terms = local_terms(g, d)
        sure = {m for m, c in terms.items() if is_unit(c, family.units)}
        shapes.append((sorted(terms), sure))
    best: Proof | None = None
    seen: set[tuple[tuple[int, ...], tuple[Exponents, ...]]] = set()
    for weights in _weights(d):
        kept, least = [], []
        for index, (exponents, sure) in enumerate(shapes):
            orders = sorted((sum(map(mul, weights, m)), m) for m in exponents)
            unique = len(orders) == 1 or orders[0][0] < orders[1][0]
            if unique and orders[0][1] in sure:
                kept.append(index)
                least.append(orders[0][1])
        key = tuple(kept), tuple(least)
        if not kept or key in seen:
            continue
        seen.add(key)
        low = tuple(map(min, zip(*(m for k in kept for m in shapes[k][0]), strict=True)))
        found = _bound(family, low, least, goal, {"order": list(weights), "kept": kept})
        if found is not None and (best is None or found.lower > best.lower):
            best = found
            if goal is not None and best.lower >= goal:
                break
    return best


@cache
def _weights(d: int) -> tuple[tuple[int, ...], ...]:
    rng = random.Random(0)
    return tuple(tuple(rng.randint(1, _LARGEST_WEIGHT) for _ in range(d)) for _ in range(_TRIES))


def _bound(
    family: Family,
    low: Exponents,
    least: Sequence[Exponents],
    goal: Pair | None,
    data: dict[str, Any],
) -> Proof | None:
    """The bound of one choice of weights, whose least exponents are given.

    Variables that only the common monomial has are outer ones, the others inner.
    """
    d = len(family.prior)
    width = family.ring.ngens
    outer = [j for j in range(d) if low[j] and all(m[j] == low[j] for m in least)]
    inner = [j for j in range(d) if j not in outer]
    around = [(1 + family.prior[j]) / (2 * low[j]) for j in outer]
    edge = Pair(min(around), around.count(min(around))) if around else None
    if goal is not None and edge is not None and edge < goal:
        return None
    rows = [tuple(m[j] for j in inner) for m in least]
    if not all(any(row) for row in rows):
        return None
    reach = goal.lam if goal is not None else Fraction(0)
    for _ in range(1 if goal is not None else _MOST_PASSES):
        prior = [min(family.prior[j], 2 * low[j] * reach) for j in inner]
        optimum = monomial_optimum(rows, prior)
        if optimum.pair.lam <= reach:
            break
        reach = optimum.pair.lam
    lam = optimum.pair.lam
    if any(h > 2 * low[j] * lam for h, j in zip(prior, inner, strict=True)):
        return None
    pair = edge if edge is not None and edge.lam < lam else Pair(lam, width)
    data = {**data, **programme(optimum, [list(map(int, row)) for row in rows])}
    if outer:
        data["outer"] = outer
    if any(prior):
        data["prior"] = encode_numbers(prior)
    return Proof("initial", pair, None, data)
