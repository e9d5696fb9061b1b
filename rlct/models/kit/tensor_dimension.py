"""Dimensions that hold all sums of a number of tensors of rank one."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod


def tensor_bounds(term_count: int, sizes: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Bounds of the dimension of sums of H tensors of rank one (``latent-class-generic``).

    >>> min(tensor_bounds(4, (3, 3, 3)))
    (26, 'a commutator is singular')
    """
    cells, features = prod(sizes), len(sizes)
    yield term_count * (sum(sizes) - features + 1), "parameters"
    yield cells, "cells"
    determinants = 0
    # Matrices of rank H have more than H √cells dimensions: of many features more than parameters.
    has_groups = cells < (sum(sizes) - features + 1) ** 2
    for count in range(1, features if has_groups else 1):
        for some in combinations(range(1, features), count):
            rows = prod(sizes[i] for i in some)
            columns = cells // rows
            if term_count < min(rows, columns):
                yield term_count * (rows + columns - term_count), "matrices of rank H"
                determinants += rows == columns
    if determinants >= 2:
        yield cells - 2, "two determinants vanish"
    ordered = sorted(sizes)
    for i in range(3) if features == 3 else ():
        n, m = (ordered[j] for j in range(3) if j != i)
        if ordered[i] == 3 and n == m and n <= term_count and 2 * (term_count - n) < n:
            yield cells - 1, "a commutator is singular"
    if (term_count, ordered) == (5, [3, 4, 4]):
        yield term_count * 9 - 1, "curves through five points"
