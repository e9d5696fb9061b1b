"""Sums and products of ideals that depend on different functions, seen or hidden."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import gcd, prod
from typing import Any

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.division import exact_quotient
from rlct.algebra.factoring import common_divisor, squarefree_factors
from rlct.algebra.polynomial import Polynomial, content_and_factors, order
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, restrict_germ
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step, product_bounds, sum_bounds
from rlct.engine.reductions import flows, unmix
from rlct.engine.reductions.flows import Flow
from rlct.proof.encode import encode_polynomials
from rlct.questions.problem import Germ


@dataclass(frozen=True)
class _Part:
    """An ideal, the fields along which it is constant, and what it depends on then.

    ``rows`` are the differentials at 0 of the functions that it depends on.
    """

    members: tuple[int, ...]
    generators: tuple[Polynomial, ...]
    steps: tuple[Flow, ...]
    reduced_generators: tuple[Polynomial, ...]
    active_variables: tuple[int, ...]
    rows: tuple[tuple[Any, ...], ...]
    prior_variables: frozenset[int]


@germ_rule("transverse", "monomials", RuleTrait.OUTERMOST)
def split_transverse(germ: Germ, *, higher_fields: bool = True) -> Step | None:
    """I = Σ I_k or Π I_k, each I_k a function of coordinates y_k: sum or product rule for λ, θ.

    Condition: fields X with X(I_k) ⊂ I_k and X(0) ≠ 0 leave functions with independent
    differentials.  ``theory/flows.md`` proves it.

    An ideal that a field X with X(0) ≠ 0 takes into itself is constant along its flow.  So each
    part of a sum or product becomes a germ in fewer variables; where the functions that the
    parts depend on are coordinates of one system, λ and θ follow by the sum or product rule.
    """
    if germ.ring.ngens < 3 or germ.ring.domain != QQ:
        return None
    return _product(germ, higher_fields=higher_fields) or _sum(germ, higher_fields=higher_fields)


@germ_rule("unsimplified-transverse", "minors", RuleTrait.OUTERMOST)
def split_unsimplified(germ: Germ) -> Step | None:
    """I = Σ I_k or Π I_k as in `split_transverse`, before simplifying mixes the generators.

    Condition: three variables and more, all generators of order 2 or more; ``theory/flows.md``.
    """
    if germ.ring.ngens < 3 or min(map(order, germ.generators)) < 2:
        return None
    if max(map(len, germ.generators)) > limits.MANY_TRANSVERSE_TERMS:
        product_step = _product(germ, higher_fields=True)
        if product_step is not None:
            return product_step
    if len(germ.generators) == 1:
        return None
    step = _sum(germ, higher_fields=True)
    if step is not None and len(step.children) > 1:
        return step
    unmix_step = unmix.unmix_generators(germ)
    if unmix_step is not None:
        (child,) = unmix_step.children
        assert isinstance(child, Germ)
        step = _sum(child, higher_fields=True)
        if step is not None and len(step.children) > 1:
            return unmix_step
    return None


def _product(germ: Germ, *, higher_fields: bool) -> Step | None:
    common = reduce(common_divisor, germ.generators)
    if common.is_ground or len(common) > limits.MOST_TRANSVERSE_TERMS:
        return None
    cofactors = [exact_quotient(g, common) for g in germ.generators]
    factors = [[f**m] for f, m in _factors(common) if not constant_term(f)]
    scale = exact_quotient(common, prod((f for (f,) in factors), start=germ.ring.one))
    if not factors or len(factors) > limits.MOST_TRANSVERSE_PARTS:
        return None
    if any(constant_term(g) for g in cofactors):
        if len(cofactors) > 1:
            return None
        factors[0] = [factors[0][0] * scale * cofactors[0]]
    else:
        factors.append([g * scale for g in cofactors])
    if len(factors) < 2:
        return None

    def ideal(members: Sequence[int]) -> list[Polynomial]:
        return [
            prod(choice, start=germ.ring.one) for choice in product(*(factors[k] for k in members))
        ]

    parts = _independent(germ, ideal, len(factors), higher_fields=higher_fields)
    if parts is None or len(parts) < 2:
        return None
    # The generators are the products in the order of the parts.
    data = [encode_polynomials(part.generators) for part in parts]
    return _step(germ, parts, "product", data)


def _sum(germ: Germ, *, higher_fields: bool) -> Step | None:
    if len(germ.generators) > limits.MOST_TRANSVERSE_PARTS:
        return None
    parts = _independent(
        germ,
        lambda members: [germ.generators[k] for k in members],
        len(germ.generators),
        higher_fields=higher_fields,
    )
    if parts is None or not any(part.steps for part in parts):
        return None
    return _step(germ, parts, "sum", [list(part.members) for part in parts])


def _step(
    germ: Germ, parts: Sequence[_Part], sum_or_product: str, encoded_parts: Sequence[Any]
) -> Step:
    children = []
    for part in parts:
        prior = tuple(
            h if i in part.prior_variables else Fraction(0) for i, h in enumerate(germ.prior)
        )
        children.append(
            restrict_germ(
                part.reduced_generators,
                Germ(part.reduced_generators, prior, True),
                part.active_variables,
                True,
            )
        )
    data = {
        "way": sum_or_product,
        "parts": [
            {"generators": generators, "steps": [flow.encoded() for flow in part.steps]}
            for part, generators in zip(parts, encoded_parts, strict=True)
        ],
    }
    return Step(
        "transverse",
        tuple(children),
        sum_bounds if sum_or_product == "sum" else product_bounds,
        data,
    )


def _independent(germ: Germ, ideal: Any, count: int, *, higher_fields: bool) -> list[_Part] | None:
    """Parts whose functions are coordinates together: those that are not are joined."""
    groups: list[tuple[int, ...]] = [(k,) for k in range(count)]
    part_of_group: dict[tuple[int, ...], _Part] = {}
    while True:
        for group in groups:
            if group not in part_of_group:
                part_of_group[group] = _constant(
                    germ, group, ideal(group), higher_fields=higher_fields
                )
        parts = [part_of_group[group] for group in groups]
        joined = _joined(germ, parts)
        if joined is None:
            return None
        if joined == groups:
            return parts
        groups = joined


def _joined(germ: Germ, parts: Sequence[_Part]) -> list[tuple[int, ...]] | None:
    """Groups after joining parts with dependent differentials; None if a prior is in the way."""
    labelled_rows = [(row, k) for k, part in enumerate(parts) for row in part.rows]
    prior_of_parts: set[int] = set().union(*(part.prior_variables for part in parts))
    size = germ.ring.ngens
    for i, h in enumerate(germ.prior):
        if h and i not in prior_of_parts:
            labelled_rows.append((tuple(QQ(int(k == i)) for k in range(size)), -1))
    # Columns are the differentials: what a column is a combination of belongs together.
    matrix = DomainMatrix(
        [list(row) for row, _ in labelled_rows], (len(labelled_rows), size), QQ
    ).transpose()
    reduced, pivots = matrix.rref()
    group_of_part = list(range(len(parts)))
    rows = reduced.to_list()
    for column in range(len(labelled_rows)):
        if column in pivots:
            continue
        involved = {labelled_rows[column][1]}
        involved |= {labelled_rows[pivots[r]][1] for r, row in enumerate(rows) if row[column]}
        if -1 in involved:
            return None
        lowest = min(group_of_part[k] for k in involved)
        old = {group_of_part[k] for k in involved}
        group_of_part = [lowest if o in old else o for o in group_of_part]
    groups: dict[int, list[int]] = {}
    for k, part in enumerate(parts):
        groups.setdefault(group_of_part[k], []).extend(part.members)
    return [tuple(sorted(members)) for members in groups.values()]


def _constant(
    germ: Germ,
    part_members: tuple[int, ...],
    generators: Sequence[Polynomial],
    *,
    higher_fields: bool,
) -> _Part:
    """Drop variables along fields as long as there are any."""
    size = germ.ring.ngens
    active_variables = list(range(size))
    prior_variables = {i for i, h in enumerate(germ.prior) if h}
    reduced_generators = list(generators)
    steps: list[Flow] = []
    jacobian = [[QQ(int(i == k)) for k in range(size)] for i in range(size)]
    while len(active_variables) > 1:
        idle_variables = [
            i
            for i in active_variables
            if not any(m[i] for g in reduced_generators for m in g.itermonoms())
        ]
        flow: Flow | None
        if idle_variables:
            one, zero = germ.ring.one, germ.ring.zero
            field = tuple(one if k == idle_variables[0] else zero for k in range(size))
            flow = Flow(idle_variables[0], field, None)
        else:
            flow = flows.find_flow(
                [_root(g) for g in reduced_generators]
                if len(reduced_generators) == 1
                else reduced_generators,
                [i for i in active_variables if i not in prior_variables],
                higher_fields=higher_fields,
            )
        if flow is None:
            break
        if flow.cofactors is not None and len(reduced_generators) == 1:
            flow = _of_power(flow, reduced_generators[0])
        steps.append(flow)
        i = flow.variable
        vector = [a.get((0,) * size, QQ.zero) for a in flow.field]
        jacobian = [
            [a - v / vector[i] * b for a, b in zip(row, jacobian[i], strict=True)]
            for v, row in zip(vector, jacobian, strict=True)
        ]
        prior_variables -= {k for k, a in enumerate(flow.field) if a}
        active_variables.remove(i)
        reduced_generators = [
            g.ring.from_dict({m: c for m, c in g.terms() if not m[i]}) for g in reduced_generators
        ]
        reduced_generators = [g for g in reduced_generators if g]
    return _Part(
        part_members,
        tuple(generators),
        tuple(steps),
        tuple(reduced_generators),
        tuple(active_variables),
        tuple(tuple(jacobian[k]) for k in active_variables),
        frozenset(prior_variables),
    )


def _root(g: Polynomial) -> Polynomial:
    """The polynomial that g is a power of, up to a number; g itself if g is large."""
    if len(g) > limits.MOST_TRANSVERSE_TERMS:
        return g
    factors = _factors(g)
    exponent = gcd(*(m for _, m in factors))
    return prod((f ** (m // exponent) for f, m in factors), start=g.ring.one) if exponent > 1 else g


@lru_cache(maxsize=500)
def _factors(g: Polynomial) -> tuple[tuple[Polynomial, int], ...]:
    """Monic factors with exponents, irreducible where that costs little."""
    if len(g) <= limits.FEW_TRANSVERSE_TERMS:
        return content_and_factors(g)[1]
    split_factors: list[tuple[Polynomial, int]] = []
    for f, e in squarefree_factors(g):
        split_factors += (
            [(h, k * e) for h, k in content_and_factors(f)[1]]
            if len(f) <= limits.FEW_TRANSVERSE_TERMS
            else [(f.monic(), e)]
        )
    return tuple(split_factors)


def _of_power(flow: Flow, g: Polynomial) -> Flow:
    """Cofactors for g where those of its root are given: X(rᵐ) = m·c·rᵐ."""
    root = _root(g)
    exponent = sum(g.LM) // sum(root.LM)
    assert flow.cofactors is not None
    ((c,),) = flow.cofactors
    return Flow(flow.variable, flow.field, ((c * exponent,),))
