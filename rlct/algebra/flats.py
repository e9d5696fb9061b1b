"""Intersections of linear subspaces: all of them, and chains among them."""

from collections.abc import Collection, Sequence
from typing import Any

Row = tuple[Any, ...]  # numbers of one field


def subspace_intersections(
    linear_subspaces: Sequence[Sequence[Sequence[Any]]], most_intersections: int
) -> dict[frozenset[int], int] | None:
    """Members and codimension of every intersection of some of the subspaces but the whole space.

    A subspace is given by linear forms that vanish on it, by their coefficients in one field.  Of
    each intersection there are the indices of all subspaces that hold it, and its codimension; with
    more than ``most_intersections`` the answer is None.

    >>> from fractions import Fraction
    >>> rows = [[[Fraction(a), Fraction(b)]] for a, b in [(1, 0), (0, 1), (1, 1)]]
    >>> sorted((sorted(members), rank) for members, rank in subspace_intersections(rows, 9).items())
    [([0], 1), ([0, 1, 2], 2), ([1], 1), ([2], 1)]
    """
    members_of: dict[frozenset[int], int] = {}
    whole_space: tuple[Row, ...] = ()
    known_bases, pending_bases = {whole_space}, [whole_space]
    while pending_bases:
        basis = pending_bases.pop()
        member_indices = set()
        for i, forms in enumerate(linear_subspaces):
            smaller = basis
            for form in forms:
                smaller = _with_form(smaller, form)
            if smaller == basis:
                member_indices.add(i)
            elif smaller not in known_bases:
                known_bases.add(smaller)
                pending_bases.append(smaller)
        if basis:
            members_of[frozenset(member_indices)] = len(basis)
        if len(known_bases) > most_intersections + 1:
            return None
    return members_of


def _with_form(basis: tuple[Row, ...], form: Sequence[Any]) -> tuple[Row, ...]:
    """Reduced echelon form of the rows of such a form and one more."""
    remainder = list(form)
    for row in basis:
        factor = remainder[_pivot(row)]
        if factor:
            remainder = [a - factor * b for a, b in zip(remainder, row, strict=True)]
    if not any(remainder):
        return basis
    pivot = _pivot(remainder)
    new_row = tuple(a / remainder[pivot] for a in remainder)
    reduced_rows = [
        tuple(a - row[pivot] * b for a, b in zip(row, new_row, strict=True)) if row[pivot] else row
        for row in basis
    ]
    return tuple(sorted([*reduced_rows, new_row], key=_pivot))


def _pivot(row: Sequence[Any]) -> int:
    """Index of the first entry that is not 0."""
    return next(i for i, a in enumerate(row) if a)


def longest_chain(sets: Collection[frozenset[int]]) -> list[frozenset[int]]:
    """A longest chain of sets of which each holds the one before.

    >>> longest_chain([frozenset({0}), frozenset({1}), frozenset({0, 1})])
    [frozenset({0}), frozenset({0, 1})]
    """
    chains: list[list[frozenset[int]]] = []
    for members in sorted(sets, key=len):
        below = (chain for chain in chains if chain[-1] < members)
        chains.append([*max(below, key=len, default=[]), members])
    return max(chains, key=len)
