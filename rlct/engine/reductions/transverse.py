"""Sums and products of ideals that depend on different functions, seen or hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import gcd, prod
from typing import Any

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.factoring import common_divisor, squarefree_factors
from rlct.algebra.polynomial import Polynomial, content_and_factors, order
from rlct.engine.reductions import flows, unmix
from rlct.engine.reductions.flows import Flow
from rlct.engine.reductions.germs import constant_term, restrict
from rlct.engine.step import Step, smallest, total
from rlct.proof.encode import encode_polynomials
from rlct.questions.problem import Germ

__all__ = ["apply", "early"]

_LARGEST = 1_200  # terms of a generator that is factored
_SMALL = 250  # terms of a polynomial that is factored completely
_MOST_PARTS = 8
_LONG = 80  # terms of a generator; to simplify longer ones takes long


@dataclass(frozen=True)
class _Part:
    """An ideal, the fields along which it is constant, and what it depends on then.

    ``rows`` are the differentials at 0 of the functions that it depends on.
    """

    members: tuple[int, ...]
    generators: tuple[Polynomial, ...]
    steps: tuple[Flow, ...]
    rest: tuple[Polynomial, ...]
    kept: tuple[int, ...]
    rows: tuple[tuple[Any, ...], ...]
    walls: frozenset[int]


def apply(germ: Germ, *, thorough: bool = True) -> Step | None:
    """Split an ideal into ideals that depend on coordinates of their own, or drop a variable.

    An ideal that a field X with X(0) ≠ 0 takes into itself is constant along its flow.  So each
    part of a sum or product becomes a germ in fewer variables; where the functions that the
    parts depend on are coordinates of one system, λ and θ follow by the sum or product rule.
    """
    if germ.ring.ngens < 3 or germ.ring.domain != QQ:
        return None
    return _product(germ, thorough=thorough) or _sum(germ, thorough=thorough)


def early(germ: Germ) -> Step | None:
    """Sums and products as they are given: simplifying generators may mix them."""
    if germ.ring.ngens < 3 or min(map(order, germ.generators)) < 2:
        return None
    if max(map(len, germ.generators)) > _LONG:
        found = _product(germ, thorough=True)
        if found is not None:
            return found
    if len(germ.generators) == 1:
        return None
    step = _sum(germ, thorough=True)
    if step is not None and len(step.children) > 1:
        return step
    apart = unmix.apply(germ)
    if apart is not None:
        (child,) = apart.children
        assert isinstance(child, Germ)
        step = _sum(child, thorough=True)
        if step is not None and len(step.children) > 1:
            return apart
    return None


def _product(germ: Germ, *, thorough: bool) -> Step | None:
    common = reduce(common_divisor, germ.generators)
    if common.is_ground or len(common) > _LARGEST:
        return None
    rest = [g.exquo(common) for g in germ.generators]
    factors = [[f**m] for f, m in _factors(common) if not constant_term(f)]
    scale = common.exquo(prod((f for (f,) in factors), start=germ.ring.one))
    if not factors or len(factors) > _MOST_PARTS:
        return None
    if any(constant_term(g) for g in rest):
        if len(rest) > 1:
            return None
        factors[0] = [factors[0][0] * scale * rest[0]]
    else:
        factors.append([g * scale for g in rest])
    if len(factors) < 2:
        return None

    def ideal(members: Sequence[int]) -> list[Polynomial]:
        return [
            prod(choice, start=germ.ring.one) for choice in product(*(factors[k] for k in members))
        ]

    parts = _independent(germ, ideal, len(factors), thorough=thorough)
    if parts is None or len(parts) < 2:
        return None
    # The generators are the products in the order of the parts.
    data = [encode_polynomials(part.generators) for part in parts]
    return _step(germ, parts, "product", data)


def _sum(germ: Germ, *, thorough: bool) -> Step | None:
    if len(germ.generators) > _MOST_PARTS:
        return None
    parts = _independent(
        germ,
        lambda members: [germ.generators[k] for k in members],
        len(germ.generators),
        thorough=thorough,
    )
    if parts is None or not any(part.steps for part in parts):
        return None
    return _step(germ, parts, "sum", [list(part.members) for part in parts])


def _step(germ: Germ, parts: Sequence[_Part], way: str, shown: Sequence[Any]) -> Step:
    children = []
    for part in parts:
        prior = tuple(h if i in part.walls else Fraction(0) for i, h in enumerate(germ.prior))
        children.append(restrict(part.rest, Germ(part.rest, prior, True), part.kept, True))
    data = {
        "way": way,
        "parts": [
            {"generators": generators, "steps": [flow.encoded() for flow in part.steps]}
            for part, generators in zip(parts, shown, strict=True)
        ],
    }
    return Step("transverse", tuple(children), total if way == "sum" else smallest, data)


def _independent(germ: Germ, ideal: Any, count: int, *, thorough: bool) -> list[_Part] | None:
    """Parts whose functions are coordinates together: those that are not are joined."""
    groups: list[tuple[int, ...]] = [(k,) for k in range(count)]
    known: dict[tuple[int, ...], _Part] = {}
    while True:
        for group in groups:
            if group not in known:
                known[group] = _constant(germ, group, ideal(group), thorough=thorough)
        parts = [known[group] for group in groups]
        joined = _joined(germ, parts)
        if joined is None:
            return None
        if joined == groups:
            return parts
        groups = joined


def _joined(germ: Germ, parts: Sequence[_Part]) -> list[tuple[int, ...]] | None:
    """Groups after joining parts with dependent differentials; None if a prior is in the way."""
    labelled = [(row, k) for k, part in enumerate(parts) for row in part.rows]
    carried: set[int] = set().union(*(part.walls for part in parts))
    size = germ.ring.ngens
    for i, h in enumerate(germ.prior):
        if h and i not in carried:
            labelled.append((tuple(QQ(int(k == i)) for k in range(size)), -1))
    # Columns are the differentials: what a column is a combination of belongs together.
    matrix = DomainMatrix([list(row) for row, _ in labelled], (len(labelled), size), QQ).transpose()
    reduced, pivots = matrix.rref()
    owner = list(range(len(parts)))
    rows = reduced.to_list()
    for column in range(len(labelled)):
        if column in pivots:
            continue
        involved = {labelled[column][1]}
        involved |= {labelled[pivots[r]][1] for r, row in enumerate(rows) if row[column]}
        if -1 in involved:
            return None
        lowest = min(owner[k] for k in involved)
        old = {owner[k] for k in involved}
        owner = [lowest if o in old else o for o in owner]
    groups: dict[int, list[int]] = {}
    for k, part in enumerate(parts):
        groups.setdefault(owner[k], []).extend(part.members)
    return [tuple(sorted(members)) for members in groups.values()]


def _constant(
    germ: Germ, members: tuple[int, ...], generators: Sequence[Polynomial], *, thorough: bool
) -> _Part:
    """Drop variables along fields as long as there are any."""
    size = germ.ring.ngens
    kept = list(range(size))
    walls = {i for i, h in enumerate(germ.prior) if h}
    rest = list(generators)
    steps: list[Flow] = []
    jacobian = [[QQ(int(i == k)) for k in range(size)] for i in range(size)]
    while len(kept) > 1:
        idle = [i for i in kept if not any(m[i] for g in rest for m in g.itermonoms())]
        flow: Flow | None
        if idle:
            one, zero = germ.ring.one, germ.ring.zero
            field = tuple(one if k == idle[0] else zero for k in range(size))
            flow = Flow(idle[0], field, None)
        else:
            flow = flows.find(
                [_root(g) for g in rest] if len(rest) == 1 else rest,
                [i for i in kept if i not in walls],
                thorough=thorough,
            )
        if flow is None:
            break
        if flow.cofactors is not None and len(rest) == 1:
            flow = _of_power(flow, rest[0])
        steps.append(flow)
        i = flow.variable
        vector = [a.get((0,) * size, QQ.zero) for a in flow.field]
        jacobian = [
            [a - v / vector[i] * b for a, b in zip(row, jacobian[i], strict=True)]
            for v, row in zip(vector, jacobian, strict=True)
        ]
        walls -= {k for k, a in enumerate(flow.field) if a}
        kept.remove(i)
        rest = [g.ring.from_dict({m: c for m, c in g.terms() if not m[i]}) for g in rest]
        rest = [g for g in rest if g]
    return _Part(
        members,
        tuple(generators),
        tuple(steps),
        tuple(rest),
        tuple(kept),
        tuple(tuple(jacobian[k]) for k in kept),
        frozenset(walls),
    )


def _root(g: Polynomial) -> Polynomial:
    """The polynomial that g is a power of, up to a number; g itself if g is large."""
    if len(g) > _LARGEST:
        return g
    factors = _factors(g)
    exponent = gcd(*(m for _, m in factors))
    return prod((f ** (m // exponent) for f, m in factors), start=g.ring.one) if exponent > 1 else g


@lru_cache(maxsize=500)
def _factors(g: Polynomial) -> tuple[tuple[Polynomial, int], ...]:
    """Monic factors with exponents, irreducible where that costs little."""
    if len(g) <= _SMALL:
        return content_and_factors(g)[1]
    found: list[tuple[Polynomial, int]] = []
    for f, e in squarefree_factors(g):
        found += (
            [(h, k * e) for h, k in content_and_factors(f)[1]]
            if len(f) <= _SMALL
            else [(f.monic(), e)]
        )
    return tuple(found)


def _of_power(flow: Flow, g: Polynomial) -> Flow:
    """Cofactors for g where those of its root are given: X(rᵐ) = m·c·rᵐ."""
    root = _root(g)
    exponent = sum(g.LM) // sum(root.LM)
    assert flow.cofactors is not None
    ((c,),) = flow.cofactors
    return Flow(flow.variable, flow.field, ((c * exponent,),))
