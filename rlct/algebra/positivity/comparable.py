"""Monomials that Σ g² is comparable with, where the signs of the terms show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import le

__all__ = ["Exponents", "Signs", "comparable", "divides", "minimal"]

Exponents = tuple[int, ...]
#: A polynomial as far as it matters here: exponents, and whether the coefficient is positive.
Signs = Mapping[Exponents, bool]


def comparable(generators: Sequence[Signs]) -> list[Exponents] | None:
    """Monomials x^α for which Σ g² / Σ x^(2α) lies between positive constants near 0.

    A generator counts when it is a monomial times a unit, or when its terms have one sign on
    every orthant (then it is comparable with their sum), after terms have been dropped that are
    multiples of monomials already found.  None if some generator does not come to count.
    ``theory/certificates.md`` has the proof.

    Examples
    --------
    >>> comparable([{(2, 0): True, (0, 2): True}])                    # x² + y²
    [(0, 2), (2, 0)]
    >>> comparable([{(1, 0): True}, {(0, 2): True, (1, 1): False}])   # x, y² − xy
    [(1, 0), (0, 2)]
    >>> comparable([{(2, 0): True, (0, 2): False}]) is None           # x² − y²
    True
    """
    found: list[Exponents] = []
    pending = [dict(signs) for signs in generators]
    while True:
        # What is bounded by √K already may be subtracted from the other generators.
        pending = [
            rest
            for signs in pending
            if (
                rest := {
                    b: sign for b, sign in signs.items() if not any(divides(a, b) for a in found)
                }
            )
        ]
        if not pending:
            return found
        new = [exponents for signs in pending for exponents in _leading(signs)]
        if not new:
            return None
        found = minimal([*found, *new])


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


def minimal(exponents: Sequence[Exponents]) -> list[Exponents]:
    """Drop multiples of other monomials; the rest by degree."""
    kept: list[Exponents] = []
    for candidate in sorted(set(exponents), key=lambda row: (sum(row), row)):
        if not any(divides(row, candidate) for row in kept):
            kept.append(candidate)
    return kept
