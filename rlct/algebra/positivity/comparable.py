"""Monomials that Σ g² is comparable with, where the signs of the terms show them."""

from collections.abc import Mapping, Sequence
from operator import le

Exponents = tuple[int, ...]
#: A polynomial as far as it matters here: exponents, and whether the coefficient is positive.
Signs = Mapping[Exponents, bool]


def equivalent_monomials(generators: Sequence[Signs]) -> list[Exponents] | None:
    """Monomials x^α for which Σ g² / Σ x^(2α) lies between positive constants near 0.

    A generator counts when it is a monomial times a unit, or when its terms have one sign on
    every orthant (then it is comparable with their sum), after terms have been dropped that are
    multiples of monomials already found.  None if some generator does not come to count.
    ``theory/certificates.md`` has the proof.

    >>> equivalent_monomials([{(2, 0): True, (0, 2): True}])                    # x² + y²
    [(0, 2), (2, 0)]
    >>> equivalent_monomials([{(1, 0): True}, {(0, 2): True, (1, 1): False}])   # x, y² − xy
    [(1, 0), (0, 2)]
    >>> equivalent_monomials([{(2, 0): True, (0, 2): False}]) is None           # x² − y²
    True
    """
    monomials: list[Exponents] = []
    open_generators = [dict(signs) for signs in generators]
    while True:
        # What is bounded by √K already may be subtracted from the other generators.
        open_generators = [
            unbounded
            for signs in open_generators
            if (
                unbounded := {
                    b: sign
                    for b, sign in signs.items()
                    if not any(divides(a, b) for a in monomials)
                }
            )
        ]
        if not open_generators:
            return monomials
        new = [exponents for signs in open_generators for exponents in _leading(signs)]
        if not new:
            return None
        monomials = minimal_monomials([*monomials, *new])


def _leading(signs: Signs) -> list[Exponents]:
    """Monomials whose sum the polynomial is comparable with; none if that does not show."""
    lowest = tuple(map(min, zip(*signs, strict=True)))
    if lowest in signs:
        return [lowest]
    same_sign = len(set(signs.values())) == 1
    # Terms that differ by squares have their signs in common on every orthant.
    parities = {tuple(e % 2 for e in exponents) for exponents in signs}
    return list(signs) if same_sign and len(parities) == 1 else []


def divides(a: Exponents, b: Exponents) -> bool:
    """Whether x^a divides x^b."""
    return all(map(le, a, b))


def minimal_monomials(exponents: Sequence[Exponents]) -> list[Exponents]:
    """Drop multiples of other monomials; sort by degree."""
    undivided: list[Exponents] = []
    for candidate in sorted(set(exponents), key=lambda row: (sum(row), row)):
        if not any(divides(row, candidate) for row in undivided):
            undivided.append(candidate)
    return undivided
