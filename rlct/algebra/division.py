"""Division of polynomials that leaves nothing, or stops at the first term that it would leave."""

from heapq import heapify, heappop, heappush
from operator import add, le, sub
from typing import Any

from sympy.polys.polyerrors import ExactQuotientFailed


def exact_quotient(f: Any, g: Any) -> Any:
    """f/g for polynomials of one ring.

    ExactQuotientFailed if g does not divide f.

    >>> from rlct.algebra.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> exact_quotient(x**3 - y**3 + x*z - y*z, x - y)
    x**2 + x*y + y**2 + z
    """
    quotient = quotient_if_whole(f, g)
    if quotient is None:
        raise ExactQuotientFailed(f, g)
    return quotient


def quotient_if_whole(f: Any, g: Any) -> Any | None:
    """f/g for polynomials of one ring, or None if g does not divide f.

    sympy looks for each leading term among all terms, and goes on where one is left.

    >>> from rlct.algebra.polynomial import make_ring
    >>> x, y, z = make_ring(["x", "y", "z"]).gens
    >>> quotient_if_whole(x**2 - y**2, x - y), quotient_if_whole(x**2 + y**2, x - y)
    (x + y, None)
    """
    ring, leading_exponents = g.ring, max(g)
    # The first and the last terms of a product are products of such terms.
    if f and not (all(map(le, leading_exponents, max(f))) and all(map(le, min(g), min(f)))):
        return None
    lower_terms = [(m, c) for m, c in g.iterterms() if m != leading_exponents]
    remainder, quotient = dict(f), {}
    # The largest exponents come first in lexicographic order, and smaller ones are added later.
    pending_exponents = [tuple(-e for e in m) for m in remainder]
    heapify(pending_exponents)
    while pending_exponents:
        exponents = tuple(-e for e in heappop(pending_exponents))
        coefficient = remainder.pop(exponents)
        if not coefficient:
            continue
        shift = tuple(map(sub, exponents, leading_exponents))
        if min(shift) < 0:
            return None
        factor = quotient[shift] = ring.domain.exquo(coefficient, g[leading_exponents])
        for m, c in lower_terms:
            key = tuple(map(add, m, shift))
            if key not in remainder:
                remainder[key] = ring.domain.zero
                heappush(pending_exponents, tuple(-e for e in key))
            remainder[key] -= factor * c
    return ring.from_dict(quotient)


def without_factor(p: Any, a: Any) -> Any:
    """The polynomial without the powers of a, not a number, that divide it.

    >>> from rlct.algebra.polynomial import make_ring
    >>> x, y = make_ring(["x", "y"]).gens
    >>> without_factor(x**2 * y - x**3, x)
    -x + y
    """
    while not (a.is_ground or p.is_ground) and (quotient := quotient_if_whole(p, a)) is not None:
        p = quotient
    return p
