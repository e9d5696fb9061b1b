"""The exact dimension of a polyhedral cone, with an interior point and the proof."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.newton.rational import integer_kernel, product
from rlct.newton.simplex import Dictionary, Integers, primitive

__all__ = ["Cone", "cone"]


@dataclass(frozen=True)
class Cone:
    """A cone C = {u ≥ 0 : coreᵀ·u ≥ 0}, as `cone` finds it.

    Parameters
    ----------
    kernel : array of int, shape (dim C, r)
        Basis of the linear span of C.
    interior : array of int, shape (r + c,)
        (u, coreᵀ·u) for a u ∈ C: an entry is positive unless it vanishes on all of C.
    proof : array of int, shape (r + c,)
        (−core·w, w) ≥ 0 for some w.  It is orthogonal to (u, coreᵀ·u), so that every u ∈ C
        satisfies the equations where it is positive: their solutions are the span of
        `kernel`, and C is no larger.
    """

    kernel: Integers
    interior: Integers
    proof: Integers


def cone(core: Integers) -> Cone:
    """Find the dimension of {u ≥ 0 : coreᵀ·u ≥ 0}, exactly.

    Parameters
    ----------
    core : array of int, shape (r, c)

    Returns
    -------
    Cone

    Notes
    -----
    Goldman and Tucker (1956), "Theory of linear programming".  Over the dual system
    x = (−core·w, w) ≥ 0 the sum of the entries whose equation does not yet hold is
    maximised.  A ray proves some of these equations, which lowers the dimension of the
    kernel; an optimum (zero) has a dual solution u that is positive at all of them.  Hence
    at most r rays.

    Examples
    --------
    >>> cone(np.array([[1], [-1]])).kernel.tolist()        # u₀ ≥ u₁ ≥ 0
    [[1, 0], [0, 1]]
    >>> found = cone(np.array([[1, -1], [-1, 1]]))         # u₀ = u₁ ≥ 0
    >>> found.kernel.tolist(), found.interior.tolist(), found.proof.tolist()
    ([[1, 1]], [1, 1, 0, 0], [0, 0, 1, 1])
    """
    rows, columns = core.shape
    zeros: Integers = np.zeros(rows + columns, dtype=object)
    labels = range(rows + columns)
    table = Dictionary(core, zeros[:rows], zeros[:columns], labels[:rows], labels[rows:])
    proof: Integers = zeros.copy()
    # Row b of `values` is (b, coreᵀ·b) for the kernel vector b.
    values: Integers = np.hstack([np.eye(rows, dtype=object), core.astype(object)])
    while True:
        undecided = set(np.flatnonzero((values != 0).any(axis=0)).tolist())
        table.seek(undecided)
        k = table.maximise()
        if k is None:
            break
        ray = zeros.copy()
        ray[table.nonbasic[k]] = table.den
        ray[table.basic] = -table.table[:-1, k]
        ray = primitive(ray)
        proof = proof + ray
        proved = [label for label in ray.nonzero()[0].tolist() if label in undecided]
        values = product(integer_kernel(values[:, proved].T), values)
        values = np.array([primitive(row) for row in values]).reshape(-1, rows + columns)
    interior: Integers = zeros.copy()
    interior[table.nonbasic] = table.table[-1, :-1]
    interior[list(undecided)] += table.den
    return Cone(values[:, :rows], primitive(interior), primitive(proof))
