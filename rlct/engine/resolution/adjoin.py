"""Strata g = 0 on which no parameter can be solved for.

There t_j is an algebraic function α of the other parameters, a simple root of g.  The child has
α as one more fixed parameter with the relation g(α) = 0, and y = t_j − α as a local.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

from rlct.algebra.polynomial import Polynomial, support, total_degree
from rlct.engine import limits
from rlct.engine.germs.algebraic import elimination_identity, unit_by_relations
from rlct.engine.germs.family import (
    Family,
    in_variable_order,
    is_unit,
    non_units,
    vanishing_priors,
)
from rlct.engine.germs.function_field import bezout_identity, coefficient
from rlct.engine.germs.signed_squares import signed_squares
from rlct.engine.germs.step import Step
from rlct.engine.resolution.witness import zero_on_line
from rlct.proof.encode import encode_polynomials


def adjoin_root(family: Family, g: Polynomial) -> tuple[Family, dict[str, Any]] | Polynomial | None:
    """Where g = 0 a free parameter t_j is an analytic function α, and t_j − α is a local.

    If A·g + B·∂g/∂t_j + Σ C_k·r_k is a unit, and so are the priors of the free parameters of g
    (``theory/blowups.md``, Algebraic functions).  The stratum and the evidence; else a polynomial
    that should be a unit for that; None if there is no such parameter.
    """
    d, m = len(family.prior), len(family.free)
    used = support(g)
    if used & set(vanishing_priors(family)):
        return None
    wanted_units: list[Polynomial] = []
    for j in sorted(used & set(range(d, d + m)), key=lambda k: max(e[k] for e in g.itermonoms())):
        n = max(e[j] for e in g.itermonoms())
        if n > limits.HIGHEST_ADJOINED_DEGREE:
            break
        missing_units = non_units(coefficient(g, j, n), family.units)
        if not missing_units:
            combination = bezout_identity(g, g.diff(family.ring.gens[j]), j)
            if combination is None:
                continue
            a, b, discriminant = combination
            relation_identity = elimination_identity(family, discriminant)
            if relation_identity is None:
                continue
            (scale, *cs), value = relation_identity
            if is_unit(value, family.units):
                child = _at_root(family, g, j)
                if child is None:
                    return None
                data = {"adjoin": j, "cofactors": encode_polynomials([scale * a, scale * b, *cs])}
                line = zero_on_line(family, g)
                return child, data if line is None else {**data, "line": line}
            missing_units = non_units(value, family.units)
        if not wanted_units or _zeros_of(family, missing_units) < _zeros_of(family, wanted_units):
            wanted_units = missing_units
    return min(wanted_units, key=lambda f: (total_degree(f), len(f))) if wanted_units else None


def _zeros_of(family: Family, factors: Sequence[Polynomial]) -> tuple[int, int]:
    """How many may have real zeros, and their degrees."""
    field = family.field
    definite = [f for f in factors if signed_squares(f, field) or signed_squares(-f, field)]
    return len(factors) - len(definite), sum(map(total_degree, factors))


def _at_root(family: Family, g: Polynomial, j: int) -> Family | None:
    d, m, names = len(family.prior), len(family.free), family.names
    used = support(g)
    free_indices = [k for k in range(d, d + m) if k not in used]
    tied_indices = [k for k in range(d, d + m) if k in used and k != j]
    root = next(n for k in range(len(names)) if (n := f"{names[j]}_{k}") not in names)
    index_order = [*range(d), j, *free_indices, *range(d + m, len(names)), *tied_indices]
    order = [*(names[k] for k in index_order), root]
    ring = family.ring.clone(symbols=order)

    def near_root(p: Polynomial, deepest: int) -> Polynomial:
        """P with t_j = α + y, up to a power of y."""
        terms: dict[tuple[int, ...], Any] = {}
        for e, c in p.terms():
            for low in range(min(e[j], deepest) + 1):
                key = (*(low if k == j else e[k] for k in index_order), e[j] - low)
                terms[key] = terms.get(key, ring.domain.zero) + c * comb(e[j], low)
        return ring.from_dict({e: c for e, c in terms.items() if c})

    generators = tuple(near_root(f, 10**6) for f in family.generators)
    if sum(map(len, generators)) > limits.MOST_ADJOINED_TERMS:
        return None
    roots = [(name, near_root(r, 0)) for name, r in [*family.relations, (root, g)]]
    return Family(
        generators,
        (*family.prior, Fraction(0)),
        tuple(family.free[k - d] for k in free_indices),
        tuple(near_root(u, 0) for u in family.units),
        relations=tuple(roots),
        uniform=family.uniform,
        field=family.field,
    )


def without_roots(family: Family, child: Family, c: Polynomial) -> Polynomial | None:
    """What has to be a unit of a family so that c is one of the stratum `child`."""
    (c,) = in_variable_order([c], child.names)
    root, _ = child.relations[-1]
    if child.names.index(root) in support(c):
        unit_or_factor = unit_by_relations(child, c)
        if unit_or_factor is None or isinstance(unit_or_factor, Step):
            return None
        c = unit_or_factor
    (c,) = in_variable_order([c], family.names)
    return c
