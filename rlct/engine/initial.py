"""A lower bound from initial monomials: it needs no search, and is often sharp."""

from __future__ import annotations

import random

from rlct.certificate.proof import Proof
from rlct.engine.leaves import programme
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.pair import Pair
from rlct.problem import Germ

__all__ = ["lower"]

_TRIES = 160
_LARGEST_WEIGHT = 60
_MOST_TERMS = 2_000
_MOST_VARIABLES = 24


def lower(germ: Germ) -> Proof | None:
    """λ ≥ that of the monomials x^a_i that are least in the generators for some weights.

    The weights are positive integers, tried at random (always the same ones); a generator counts
    if its least term is unique.  This is semicontinuity of the complex threshold, which is at
    most 2λ; see ``theory/blowups.md``.  θ can only be bounded by the number of variables.

    Examples
    --------
    >>> from rlct.problem import Problem
    >>> lower(Problem.ideal(["x**2 + y**3*z", "x*y*z - y**2*z**2"]).local).lower
    Pair(1/2, 3)
    """
    d = int(germ.ring.ngens)
    if d > _MOST_VARIABLES or sum(map(len, germ.generators)) > _MOST_TERMS:
        return None
    rng = random.Random(0)
    seen: dict[tuple[tuple[int, ...], ...], MonomialOptimum] = {}
    best: tuple[Pair, list[int], list[int], MonomialOptimum, list[list[int]]] | None = None
    for _ in range(_TRIES):
        weights = [rng.randint(1, _LARGEST_WEIGHT) for _ in range(d)]
        kept, exponents = [], []
        for index, g in enumerate(germ.generators):
            orders = sorted(
                (sum(w * e for w, e in zip(weights, m, strict=True)), m) for m in g.itermonoms()
            )
            if len(orders) == 1 or orders[0][0] < orders[1][0]:
                kept.append(index)
                exponents.append([int(e) for e in orders[0][1]])
        key = tuple(map(tuple, exponents))
        if not kept or key in seen:
            continue
        optimum = seen[key] = monomial_optimum(exponents)
        if best is None or optimum.pair.lam > best[0].lam:
            best = optimum.pair, weights, kept, optimum, exponents
    if best is None:
        return None
    pair, weights, kept, optimum, exponents = best
    data = {"order": weights, "kept": kept, **programme(optimum, exponents)}
    return Proof("initial", Pair(pair.lam, d), None, data)
