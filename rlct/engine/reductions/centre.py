"""The centre of a list of polynomials: matrices that commute with their second derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from sympy import QQ

from rlct.algebra.polynomial import Polynomial, total_degree
from rlct.engine.reductions.flows import PRIME, null_vectors, rational, values

__all__ = ["Matrix", "centre"]

Matrix: TypeAlias = list[list[Any]]

_SEED = 20_240_301
_MOST_ELEMENTS = 24
_EXTRA = 6


def centre(
    polynomials: Sequence[Polynomial], block: Sequence[int], walls: Sequence[int]
) -> Iterator[Matrix]:
    """Elements of the centre that are no multiples of 1, on the variables of the block.

    They are matrices A over Q with H·A symmetric for the Hessian H of every polynomial; a
    variable with a prior is mapped to a multiple of itself.  Solved modulo a prime: what follows
    from an element is a change of coordinates, which needs no proof.
    """
    if all(total_degree(p) == 2 for p in polynomials) and len(polynomials) == 1:
        found = _orthogonal(polynomials[0], block, walls)
        if found is not None:
            yield found
            return
    size = len(block)
    unknowns = [
        (i, k)
        for i in range(size)
        for k in range(size)
        if i == k or (block[i] not in walls and block[k] not in walls)
    ]
    pairs = list(combinations(range(size), 2))
    ring = polynomials[0].ring
    rng = np.random.default_rng(_SEED)
    count = (len(unknowns) + _EXTRA) // (len(pairs) * len(polynomials)) + 2
    points = rng.integers(1, PRIME, size=(count, ring.ngens), dtype=np.int64)
    rows = []
    for p in polynomials:
        slopes = [p.diff(ring.gens[i]) for i in block]
        hessian = [[values(s.diff(ring.gens[k]), points) for k in block] for s in slopes]
        for a, b in pairs:
            # (H·A)_ab − (H·A)_ba
            row = np.zeros((count, len(unknowns)), dtype=np.int64)
            for column, (i, k) in enumerate(unknowns):
                if k == b:
                    row[:, column] += hessian[a][i]
                if k == a:
                    row[:, column] -= hessian[b][i]
            rows.append(row % PRIME)
    matrix = np.concatenate(rows)
    elements = []
    for vector in null_vectors(matrix, [True] * len(unknowns)):
        entries = {unknowns[c]: rational(v) for c, v in vector.items()}
        if None in entries.values():
            continue
        elements.append([[entries.get((i, k), QQ.zero) for k in range(size)] for i in range(size)])
        if len(elements) == _MOST_ELEMENTS:
            break
    if len(elements) < 2:
        return
    mixed = [
        [
            sum(((3 * n * n + n + 1) % 17) * e[i][k] for n, e in enumerate(elements))
            for k in range(size)
        ]
        for i in range(size)
    ]
    yield mixed
    yield from elements


def _orthogonal(q: Polynomial, block: Sequence[int], walls: Sequence[int]) -> Matrix | None:
    """An element with different eigenvalues on an orthogonal basis of a quadratic form."""
    if any(i in walls for i in block):
        return None
    size = len(block)
    ring = q.ring
    zero = (0,) * ring.ngens
    S = [[q.diff(ring.gens[i]).diff(ring.gens[k]).get(zero, QQ.zero) for k in block] for i in block]

    def form(u: Sequence[Any], v: Sequence[Any]) -> Any:
        return sum(
            (u[i] * S[i][k] * v[k] for i in range(size) for k in range(size) if S[i][k]), QQ.zero
        )

    vectors: list[list[Any]] = [[QQ(int(i == k)) for k in range(size)] for i in range(size)]
    basis: list[list[Any]] = []
    while vectors:
        chosen = next((v for v in vectors if form(v, v)), None)
        if chosen is None:
            two = next(((u, v) for u, v in combinations(vectors, 2) if form(u, v)), None)
            if two is None:
                basis += vectors
                break
            index = vectors.index(two[0])
            vectors[index] = [a + b for a, b in zip(*two, strict=True)]
            continue
        vectors.remove(chosen)
        norm = form(chosen, chosen)
        basis.append(chosen)
        vectors = [
            [a - form(v, chosen) / norm * b for a, b in zip(v, chosen, strict=True)]
            for v in vectors
        ]
    # A = P·diag(1, 2, …)·P⁻¹ with the basis as columns of P.
    from sympy.polys.matrices import DomainMatrix

    P = DomainMatrix(basis, (size, size), QQ).transpose()
    D = DomainMatrix(
        [[QQ(i + 1) if i == k else QQ.zero for k in range(size)] for i in range(size)],
        (size, size),
        QQ,
    )
    found: Matrix = (P * D * P.inv()).to_list()
    return found
