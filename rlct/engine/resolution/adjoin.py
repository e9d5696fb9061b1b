"""Strata g = 0 on which no parameter can be solved for.

There t_j is an algebraic function α of the other parameters, a simple root of g.  The child has
α as one more fixed parameter with the relation g(α) = 0, and y = t_j − α as a local.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

from rlct.algebra.polynomial import Polynomial, support, total_degree
from rlct.engine import limits
from rlct.engine.field.signed_squares import signed_squares
from rlct.engine.resolution.algebraic import identity, settle
from rlct.engine.resolution.family import Family, is_unit, non_units, reordered, vanishing_priors
from rlct.engine.resolution.function_field import bezout, coefficient
from rlct.engine.resolution.witness import zero_on_line
from rlct.engine.step import Step
from rlct.proof.encode import encode_polynomials

__all__ = ["adjoin", "without_roots"]


def adjoin(family: Family, g: Polynomial) -> tuple[Family, dict[str, Any]] | Polynomial | None:
    """The stratum g = 0 with a free parameter as a simple root of g.

    Returns
    -------
    (Family, dict)
        The stratum and the evidence.
    Polynomial
        A polynomial that should be a unit for that.
    None
        If there is no such parameter.
    """
    d, m = len(family.prior), len(family.free)
    used = support(g)
    if used & set(vanishing_priors(family)):
        return None
    wanted: list[Polynomial] = []
    for j in sorted(used & set(range(d, d + m)), key=lambda k: max(e[k] for e in g.itermonoms())):
        n = max(e[j] for e in g.itermonoms())
        if n > limits.HIGHEST_ADJOINED_DEGREE:
            break
        missing = non_units(coefficient(g, j, n), family.units)
        if not missing:
            found = bezout(g, g.diff(family.ring.gens[j]), j)
            if found is None:
                continue
            a, b, discriminant = found
            further = identity(family, discriminant)
            if further is None:
                continue
            (scale, *rest), value = further
            if is_unit(value, family.units):
                child = _at_root(family, g, j)
                if child is None:
                    return None
                data = {"adjoin": j, "cofactors": encode_polynomials([scale * a, scale * b, *rest])}
                line = zero_on_line(family, g)
                return child, data if line is None else {**data, "line": line}
            missing = non_units(value, family.units)
        if not wanted or _trouble(family, missing) < _trouble(family, wanted):
            wanted = missing
    return min(wanted, key=lambda f: (total_degree(f), len(f))) if wanted else None


def _trouble(family: Family, factors: Sequence[Polynomial]) -> tuple[int, int]:
    """How many may have real zeros, and their degrees."""
    field = family.field
    definite = [f for f in factors if signed_squares(f, field) or signed_squares(-f, field)]
    return len(factors) - len(definite), sum(map(total_degree, factors))


def _at_root(family: Family, g: Polynomial, j: int) -> Family | None:
    d, m, names = len(family.prior), len(family.free), family.names
    used = support(g)
    rest = [k for k in range(d, d + m) if k not in used]
    tied = [k for k in range(d, d + m) if k in used and k != j]
    root = next(n for k in range(len(names)) if (n := f"{names[j]}_{k}") not in names)
    kept = [*range(d), j, *rest, *range(d + m, len(names)), *tied]
    order = [*(names[k] for k in kept), root]
    ring = family.ring.clone(symbols=order)

    def near_root(p: Polynomial, deepest: int) -> Polynomial:
        """P with t_j = α + y, up to a power of y."""
        terms: dict[tuple[int, ...], Any] = {}
        for e, c in p.terms():
            for low in range(min(e[j], deepest) + 1):
                key = (*(low if k == j else e[k] for k in kept), e[j] - low)
                terms[key] = terms.get(key, ring.domain.zero) + c * comb(e[j], low)
        return ring.from_dict({e: c for e, c in terms.items() if c})

    generators = tuple(near_root(f, 10**6) for f in family.generators)
    if sum(map(len, generators)) > limits.MOST_ADJOINED_TERMS:
        return None
    roots = [(name, near_root(r, 0)) for name, r in [*family.relations, (root, g)]]
    return Family(
        generators,
        (*family.prior, Fraction(0)),
        tuple(family.free[k - d] for k in rest),
        tuple(near_root(u, 0) for u in family.units),
        relations=tuple(roots),
        uniform=family.uniform,
        field=family.field,
    )


def without_roots(family: Family, child: Family, c: Polynomial) -> Polynomial | None:
    """What has to be a unit of a family so that c is one of the stratum `child`."""
    (c,) = reordered([c], child.names)
    root, _ = child.relations[-1]
    if child.names.index(root) in support(c):
        found = settle(child, c)
        if found is None or isinstance(found, Step):
            return None
        c = found
    (c,) = reordered([c], family.names)
    return c
