"""Evidence that a stratum has real points: an upper bound needs one."""

from collections.abc import Sequence
from itertools import islice, product
from math import lcm
from typing import Any

from rlct.algebra.division import exact_quotient, without_factor
from rlct.algebra.polynomial import Polynomial, support
from rlct.algebra.real_algebraic import number_of
from rlct.engine import limits
from rlct.engine.germs.family import Family, at_integers, is_unit
from rlct.newton.edges import count_real_roots
from rlct.newton.univariate import nonzero_real_roots

_WITNESS_VALUES = (0, 1, -1, 2, -2, 3, 5, -3)  # small numbers first, so that witnesses stay short


def point(family: Family) -> list[int] | None:
    """Integer values of the free parameters at which every unit is one of the fixed ones alone."""
    d, m = len(family.prior), len(family.free)
    relevant = [u for u in family.units if any(d <= i < d + m for i in support(u))]
    others = tuple(u for u in family.units if u not in relevant)
    for values in islice(product(_WITNESS_VALUES, repeat=m), limits.MOST_WITNESS_POINTS):
        if all(is_unit(at_integers(u, d, values), others) for u in relevant):
            return list(values)
    return None


def zero_on_line(family: Family, g: Polynomial) -> dict[str, Any] | None:
    """A line along one free parameter on which g has a real zero that is no zero of a unit.

    On it g and, up to units, the units must not involve fixed parameters.
    """
    m = len(family.free)
    constants = [u for u in family.units if min(support(u)) >= len(family.prior) + m]
    for j in range(m):
        for point in islice(product(_WITNESS_VALUES, repeat=m - 1), limits.MOST_WITNESS_LINES):
            values = [*point[:j], 0, *point[j:]]
            line = _on_line(family, g, j, values, constants)
            units = [_on_line(family, u, j, values, constants) for u in family.units]
            if not line or not all(units):
                continue
            for u in units:
                while not (common := line.gcd(u)).is_ground:
                    line = exact_quotient(line, common)
            if not line.is_ground and _has_real_root(line, family):
                return {"parameter": j, "at": values}
    return None


def _has_real_root(p: Polynomial, family: Family) -> bool:
    """Whether a polynomial in one variable, not constant, has a real root."""
    field = family.field
    if field is None:
        return count_real_roots(p) > 0
    numbers = {int(e): number_of(c, field.degree) for (e,), c in p.terms()}
    if 0 not in numbers:
        return True
    bottom = lcm(*(c.bottom for c in numbers.values()))
    dense = [field.integer(0)] * (max(numbers) + 1)
    for e, c in numbers.items():
        dense[e] = tuple(a * (bottom // c.bottom) for a in c.top)
    return nonzero_real_roots(field, dense) > 0


def _on_line(
    family: Family, p: Polynomial, j: int, values: Sequence[int], constants: Sequence[Polynomial]
) -> Polynomial:
    """Restriction to t_j = t, the other free parameters at given values; 0 if that is no use."""
    d, m = len(family.prior), len(family.free)
    for first, last in ((d, d + j), (d + j + 1, d + m)):
        p = at_integers(p, first, values[first - d : last - d])
    ring = p.ring.clone(symbols=["t"])
    if not p:
        return ring.zero
    for u in constants:
        p = without_factor(p, u)
    if any(i != d + j for i in support(p)):
        return ring.zero
    return ring.from_dict({(e[d + j],): c for e, c in p.terms()})
