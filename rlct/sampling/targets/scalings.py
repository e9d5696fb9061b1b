"""Directions in which variables may be stretched together, so that generators keep their zeros."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rlct.algebra.exact_rank import kernel_basis
from rlct.sampling.targets.target import Floats


def scalings(generators: Sequence[Iterable[tuple[int, ...]]]) -> list[Floats]:
    """Directions s for which w_i e^{s_i} multiplies each generator of a group by one factor.

    Where terms cancel, K is far below each of them.  A stretch of one variable or of two upsets
    the balance, and a population remains at the scale of its last cooling; one of all of them,
    by weights that make the generators homogeneous, goes to any scale.  Only terms that no other
    term of the generator divides count: they rule near the origin.  Generators that share
    variables are one group.  Those with one such term are in none: they have nothing to balance.

    Returned is an orthonormal basis, shape (k, d), for each group that has any.

    >>> [basis] = scalings([{(2, 0, 0): 1, (0, 3, 0): -1}, {(0, 0, 1): 1}])     # x² − y³, z
    >>> abs(basis).round(3).tolist()
    [[0.832, 0.555, 0.0]]
    """
    direction_bases: list[Floats] = []
    for group in _groups([_least(g) for g in generators]):
        used = np.flatnonzero(np.concatenate(group).any(axis=0))
        rows = np.concatenate([terms[1:] - terms[0] for terms in group])[:, used]
        vectors = kernel_basis(rows.tolist(), len(used))
        if vectors:
            basis = np.zeros((len(vectors), group[0].shape[1]))
            basis[:, used] = np.linalg.qr(np.array(vectors, dtype=float).T)[0].T
            direction_bases.append(basis)
    return direction_bases


def _least(generator: Iterable[tuple[int, ...]]) -> NDArray[np.intp]:
    """Exponents that no others of the generator divide."""
    table = np.array(sorted(generator))
    return table[[bool((table <= e).all(axis=1).sum() == 1) for e in table]]


def _groups(tables: list[NDArray[np.intp]]) -> list[list[NDArray[np.intp]]]:
    """Exponents of several terms each, joined where they share variables."""
    groups: list[list[NDArray[np.intp]]] = []
    for table in tables:
        if len(table) < 2:
            continue
        used = table.any(axis=0)
        joined, apart = [table], []
        for group in groups:
            if (np.concatenate(group).any(axis=0) & used).any():
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups
