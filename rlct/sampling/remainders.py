"""What polynomial combinations of generators leave when their leading terms cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from sympy import QQ, grevlex, ring

__all__ = ["remainders"]

MOST = 12  # generators that may be paired
WORK = 500_000  # terms that all divisions may touch, in seconds
LEAST = 1e-13  # of the largest coefficient: below, coefficients that were rounded did not cancel


def remainders(
    generators: Sequence[Mapping[tuple[int, ...], Fraction | float]],
) -> list[dict[tuple[int, ...], float]]:
    """Elements of the ideal that one round of division makes.

    Each generator divided by the others, and, of a few, the S-polynomials of all pairs divided by
    all: the first round of Buchberger's algorithm, which shows most of what generators nearly
    share, and takes milliseconds.  On a box each is at most a constant times the root of K = Σ g².

    Parameters
    ----------
    generators : sequence of mappings from exponent tuples to coefficients

    Returns
    -------
    list of dict
        Multiples whose largest coefficient is 1 in size.

    Examples
    --------
    x − y² and (x − y²)(1 + 3y) + y⁴/1000, of which neither shows y⁴:

    >>> near = {(1, 0): 1, (0, 2): -1, (1, 1): 3, (0, 3): -3, (0, 4): Fraction(1, 1000)}
    >>> remainders([{(1, 0): 1, (0, 2): -1}, near])
    [{(2, 0): 1.0}]
    """
    generators = [g for g in generators if any(g.values())]
    if len(generators) < 2:
        return []
    names = [f"x{i}" for i in range(len(next(iter(generators[0]))))]
    polynomials: Any = ring(names, QQ, grevlex)[0]
    ideal = [
        polynomials.from_dict({e: QQ(*Fraction(c).as_integer_ratio()) for e, c in g.items()})
        for g in generators
    ]
    division = _Division(WORK)
    found = [division.rest(g, ideal[:k] + ideal[k + 1 :]) for k, g in enumerate(ideal)]
    found = [rest for rest, g in zip(found, ideal, strict=True) if rest != g]
    paired = ideal if len(ideal) <= MOST else []
    for k, f in enumerate(paired):
        for g in ideal[:k]:
            common = polynomials.monomial_lcm(f.LM, g.LM)
            up = [(polynomials.monomial_div(common, p.LM), 1 / p.LC) for p in (f, g)]
            found.append(division.rest(f.mul_term(up[0]) - g.mul_term(up[1]), ideal))
    least = QQ(*LEAST.as_integer_ratio()) * max(abs(c) for g in ideal for c in g.values())
    unlike: list[dict[tuple[int, ...], float]] = []
    for rest in found:
        largest = max(map(abs, rest.values()), default=0)  # none of what took too long
        if largest > least:
            unit = largest if rest.LC > 0 else -largest
            scaled = {e: float(c / unit) for e, c in rest.items()}
            if scaled not in unlike:
                unlike.append(scaled)
    return unlike


class _Division:
    """Remainders of multivariate division, 0 once it has touched too many terms.

    Powers of a linear form in a few variables, as x⁴⁰ by x − y − z − w, would take for ever.
    """

    def __init__(self, most: int) -> None:
        self._left = most

    def rest(self, polynomial: Any, divisors: Sequence[Any]) -> Any:
        """What no leading term of a divisor divides, and 0 from the end of the work on."""
        f, polynomials = polynomial.copy(), polynomial.ring
        rest, leading = polynomials.zero, [(g.LM, g.LC, g) for g in divisors]
        while f:
            self._left -= len(f)
            if self._left < 0:
                return polynomials.zero
            monomial, coefficient = f.LM, f.LC
            for divisor, unit, g in leading:
                up = polynomials.monomial_div(monomial, divisor)
                if up is not None:
                    f -= g.mul_term((up, coefficient / unit))
                    break
            else:
                rest[monomial] = f.pop(monomial)
        return rest
