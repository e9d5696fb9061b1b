"""Exact division of polynomials with many terms."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from operator import add, sub
from typing import Any

from sympy.polys.polyerrors import ExactQuotientFailed

__all__ = ["exact_quotient"]


def exact_quotient(f: Any, g: Any) -> Any:
    """f/g for polynomials of one ring; sympy looks for each leading term among all terms.

    Raises
    ------
    ExactQuotientFailed
        If g does not divide f.

    Examples
    --------
    >>> from rlct.algebra.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> exact_quotient(x**3 - y**3 + x*z - y*z, x - y)
    x**2 + x*y + y**2 + z
    """
    ring, leading_exponents = g.ring, max(g)
    lower_terms = [(m, c) for m, c in g.iterterms() if m != leading_exponents]
    remainder, quotient = dict(f), {}
    # The largest exponents come first in lexicographic order, and smaller ones are added later.
    pending_exponents = [tuple(-e for e in m) for m in remainder]
    heapify(pending_exponents)
    while pending_exponents:
        place = tuple(-e for e in heappop(pending_exponents))
        coefficient = remainder.pop(place)
        if not coefficient:
            continue
        shift = tuple(map(sub, place, leading_exponents))
        if min(shift) < 0:
            raise ExactQuotientFailed(f, g)
        factor = quotient[shift] = ring.domain.exquo(coefficient, g[leading_exponents])
        for m, c in lower_terms:
            key = tuple(map(add, m, shift))
            if key not in remainder:
                remainder[key] = ring.domain.zero
                heappush(pending_exponents, tuple(-e for e in key))
            remainder[key] -= factor * c
    return ring.from_dict(quotient)
