"""Permutations of the locals that leave an ideal as it is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rlct.engine.family import Family, local_terms

__all__ = ["orbits"]

_LARGEST = 400  # terms of all generators
_MOST_TRIES = 200  # choices in one search

#: Per generator, its terms as (number of the coefficient, ((local, exponent), …)).
Shape = list[list[tuple[int, tuple[tuple[int, int], ...]]]]


def orbits(family: Family, weights: Sequence[int]) -> tuple[list[list[int]], list[list[int]]]:
    """Orbits of the locals of positive weight, and the permutations that show them.

    Returns
    -------
    orbits : list of list of int
        Each sorted, in the order of their first members.
    permutations : list of list of int
        π with π(i) at place i: x_i → x_π(i) maps every generator to one of the generators or
        its negative, and leaves priors and weights.
    """
    centre = [i for i, w in enumerate(weights) if w]
    group = {i: i for i in centre}
    permutations: list[list[int]] = []
    if sum(map(len, family.generators)) <= _LARGEST:
        shape, kinds = _shape(family, weights)
        colours = _refined(shape, [kinds, kinds])[0]
        for j in centre:
            for i in centre:
                if i >= j or group[j] != j:
                    break
                if group[i] != i or colours[i] != colours[j]:
                    continue
                found = _Search(family, shape, kinds).run(i, j)
                if found is not None:
                    permutations.append(found)
                    for a, b in enumerate(found):
                        if a in group:
                            low, high = sorted((group[a], group[b]))
                            group = {k: low if v == high else v for k, v in group.items()}
    members: dict[int, list[int]] = {}
    for i in centre:
        members.setdefault(group[i], []).append(i)
    return list(members.values()), permutations


def _shape(family: Family, weights: Sequence[int]) -> tuple[Shape, list[int]]:
    d = len(family.prior)
    numbers: dict[Any, int] = {}
    shape: Shape = []
    for g in family.generators:
        terms = []
        for m, c in local_terms(g, d).items():
            key = numbers.setdefault(min(str(c), str(-c)), len(numbers))
            terms.append((key, tuple((i, e) for i, e in enumerate(m) if e)))
        shape.append(terms)
    looks: dict[tuple[int, Fraction], int] = {}
    kinds = [looks.setdefault(look, len(looks)) for look in zip(weights, family.prior, strict=True)]
    return shape, kinds


def _refined(shape: Shape, colourings: list[list[int]]) -> list[list[int]]:
    """Colours of the locals after comparing where they occur, for several colourings alike."""
    classes = -1
    while True:
        keys = [_keys(shape, colours) for colours in colourings]
        ranks = {key: rank for rank, key in enumerate(sorted({k for row in keys for k in row}))}
        colourings = [[ranks[k] for k in row] for row in keys]
        if len(ranks) == classes:
            return colourings
        classes = len(ranks)


def _keys(shape: Shape, colours: list[int]) -> list[Any]:
    seen: list[list[Any]] = [[] for _ in colours]
    for terms in shape:
        painted = [(c, tuple(sorted((colours[i], e) for i, e in m))) for c, m in terms]
        whole = tuple(sorted(painted))
        for (_, m), look in zip(terms, painted, strict=True):
            for i, e in m:
                seen[i].append((e, look, whole))
    return [(colour, tuple(sorted(rows))) for colour, rows in zip(colours, seen, strict=True)]


class _Search:
    """Search for one permutation by fixing images and refining."""

    def __init__(self, family: Family, shape: Shape, kinds: list[int]) -> None:
        self._family = family
        self._shape = shape
        self._kinds = kinds
        self._tries = _MOST_TRIES

    def run(self, i: int, j: int) -> list[int] | None:
        """Look for a permutation that takes i to j."""
        return self._extend([(i, j)])

    def _extend(self, fixed: list[tuple[int, int]]) -> list[int] | None:
        self._tries -= 1
        if self._tries < 0:
            return None
        top = max(self._kinds) + 1
        first, second = list(self._kinds), list(self._kinds)
        for step, (a, b) in enumerate(fixed):
            first[a], second[b] = top + step, top + step
        first, second = _refined(self._shape, [first, second])
        if sorted(first) != sorted(second):
            return None
        open_cells = [a for a in range(len(first)) if first.count(first[a]) > 1]
        if not open_cells:
            image = [second.index(colour) for colour in first]
            return image if self._holds(image) else None
        a = min(open_cells, key=lambda k: (first.count(first[k]), k))
        for b in range(len(second)):
            if second[b] == first[a]:
                found = self._extend([*fixed, (a, b)])
                if found is not None:
                    return found
        return None

    def _holds(self, image: list[int]) -> bool:
        d = len(image)
        place = [image.index(k) for k in range(d)]
        generators = set(self._family.generators)
        for g in self._family.generators:
            moved = g.ring.from_dict(
                {(*(m[place[k]] for k in range(d)), *m[d:]): c for m, c in g.terms()}
            )
            if moved not in generators and -moved not in generators:
                return False
        return True
