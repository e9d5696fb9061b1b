"""The exact dimension of a polyhedral cone, with an interior point and the proof."""

from dataclasses import dataclass

import numpy as np

from rlct.newton.rational import exact_product, integer_kernel
from rlct.newton.simplex import Dictionary, Integers, primitive_vector


@dataclass(frozen=True)
class Cone:
    """A cone C = {u ≥ 0 : matrixᵀ·u ≥ 0}, as `cone` finds it."""

    #: Basis of the linear span of C, shape (dim C, r).
    kernel: Integers
    #: (u, matrixᵀ·u) for a u ∈ C: an entry is positive unless it vanishes on all of C.
    interior: Integers
    #: (−matrix·w, w) ≥ 0 for some w.  It is orthogonal to (u, matrixᵀ·u), so that every u ∈ C
    #: satisfies the equations where it is positive: their solutions are the span of `kernel`, and C
    #: is no larger.
    proof: Integers


def cone(matrix: Integers) -> Cone:
    """Find the dimension of {u ≥ 0 : matrixᵀ·u ≥ 0}, exactly.

    Goldman and Tucker (1956), "Theory of linear programming".  Over the dual system
    x = (−matrix·w, w) ≥ 0 the sum of the entries whose equation does not yet hold is
    maximised.  A ray proves some of these equations, which lowers the dimension of the
    kernel; an optimum (zero) has a dual solution u that is positive at all of them.  Hence
    at most r rays.

    >>> cone(np.array([[1], [-1]])).kernel.tolist()        # u₀ ≥ u₁ ≥ 0
    [[1, 0], [0, 1]]
    >>> found = cone(np.array([[1, -1], [-1, 1]]))         # u₀ = u₁ ≥ 0
    >>> found.kernel.tolist(), found.interior.tolist(), found.proof.tolist()
    ([[1, 1]], [1, 1, 0, 0], [0, 0, 1, 1])
    """
    rows, columns = matrix.shape
    zeros: Integers = np.zeros(rows + columns, dtype=object)
    labels = range(rows + columns)
    table = Dictionary(matrix, zeros[:rows], zeros[:columns], labels[:rows], labels[rows:])
    proof: Integers = zeros.copy()
    # Row b of `values` is (b, matrixᵀ·b) for the kernel vector b.
    values: Integers = np.hstack([np.eye(rows, dtype=object), matrix.astype(object)])
    while True:
        undecided_labels = set(np.flatnonzero((values != 0).any(axis=0)).tolist())
        table.seek(undecided_labels)
        k = table.maximise()
        if k is None:
            break
        ray = zeros.copy()
        ray[table.nonbasic[k]] = table.denominator
        ray[table.basic] = -table.table[:-1, k]
        ray = primitive_vector(ray)
        proof = proof + ray
        proved = [label for label in ray.nonzero()[0].tolist() if label in undecided_labels]
        values = exact_product(integer_kernel(values[:, proved].T), values)
        values = np.array([primitive_vector(row) for row in values]).reshape(-1, rows + columns)
    interior: Integers = zeros.copy()
    interior[table.nonbasic] = table.table[-1, :-1]
    interior[list(undecided_labels)] += table.denominator
    return Cone(values[:, :rows], primitive_vector(interior), primitive_vector(proof))
