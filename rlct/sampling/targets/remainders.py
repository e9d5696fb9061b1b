"""What polynomial combinations of generators leave when their leading terms cancel."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from sympy import QQ, grevlex, ring

MOST_GENERATORS = 12  # generators that may be paired
MOST_TERMS = 500_000  # terms that all divisions may touch, in seconds
LEAST_COEFFICIENT = 1e-13  # of the largest: below, rounded coefficients did not cancel


def remainders(
    generators: Sequence[Mapping[tuple[int, ...], Fraction | float]],
) -> list[dict[tuple[int, ...], float]]:
    """Elements of the ideal that two rounds of division make.

    Each generator divided by the others, and, of a few, the S-polynomials of all pairs divided by
    all, then those of pairs with what that leaves: the first rounds of Buchberger's algorithm,
    which show most of what generators nearly share, and take milliseconds.  On a box each is at
    most a constant times the root of K = Σ g².

    Returned are multiples whose largest coefficient is 1 in size.

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
    bounded_division = _Division(MOST_TERMS)
    new_elements: list[Any] = []
    largest = max(map(_size, ideal))
    for k, g in enumerate(ideal):
        if (remainder := bounded_division.remainder(g, ideal[:k] + ideal[k + 1 :])) != g:
            _add(new_elements, remainder, largest)
    for old in (0, len(ideal)):
        basis = ideal + new_elements if old else ideal
        if len(basis) > MOST_GENERATORS:
            break
        monic = [p.monic() for p in basis]
        for k, f in enumerate(monic[old:], old):
            for g in monic[:k]:
                common = polynomials.monomial_lcm(f.LM, g.LM)
                up = [polynomials.monomial_div(common, p.LM) for p in (f, g)]
                pair = f.mul_monom(up[0]) - g.mul_monom(up[1])
                _add(new_elements, bounded_division.remainder(pair, basis), max(_size(f), _size(g)))
    return [{e: float(c) for e, c in remainder.items()} for remainder in new_elements]


def _size(polynomial: Any) -> Any:
    """Largest coefficient in size; 0 of 0."""
    return max(map(abs, polynomial.values()), default=0)


def _add(shown: list[Any], remainder: Any, size: Any) -> None:
    """Keep a remainder of polynomials with coefficients up to a size, if it is one, and new."""
    largest = _size(remainder)  # 0 of what took too long
    if largest > QQ(*LEAST_COEFFICIENT.as_integer_ratio()) * size:
        scaled = remainder.mul_ground(1 / (largest if remainder.LC > 0 else -largest))
        if scaled not in shown:
            shown.append(scaled)


class _Division:
    """Remainders of multivariate division, 0 once it has touched too many terms.

    Powers of a linear form in a few variables, as x⁴⁰ by x − y − z − w, would take for ever.
    """

    def __init__(self, most: int) -> None:
        self._terms_left = most

    def remainder(self, polynomial: Any, divisors: Sequence[Any]) -> Any:
        """What no leading term of a divisor divides, and 0 from the end of the work on."""
        f, polynomials = polynomial.copy(), polynomial.ring
        remainder, leading = polynomials.zero, [(g.LM, g.LC, g) for g in divisors]
        while f:
            self._terms_left -= len(f)
            if self._terms_left < 0:
                return polynomials.zero
            monomial, coefficient = f.LM, f.LC
            for divisor, unit, g in leading:
                up = polynomials.monomial_div(monomial, divisor)
                if up is not None:
                    f -= g.mul_term((up, coefficient / unit))
                    break
            else:
                remainder[monomial] = f.pop(monomial)
        return remainder
