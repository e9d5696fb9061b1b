"""Terms of a polynomial K that shape it near the origin but do not show at some nβ."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import linprog

from rlct.newton.polyhedron import vertices

__all__ = ["hidden_vertex"]

VISIBLE = 4.0  # log of nβK from which a term shows


def hidden_vertex(
    terms: Mapping[tuple[int, ...], float], radius: float, n_beta: float
) -> tuple[int, ...] | None:
    """Exponents of a vertex of the Newton polyhedron that tempered means do not know yet, if any.

    Where other vertices are at most 1/nβ a vertex must reach e⁴/nβ somewhere in the box: else
    means look as if it were not there.  In log|w| both are linear.

    Parameters
    ----------
    terms : mapping
        From exponents of terms of K to logs of coefficients, in size.
    radius : float
        Of the box.
    n_beta : float

    Examples
    --------
    >>> crossing = {(4, 0): 0.0, (3, 1): np.log(2e-2), (2, 2): np.log(1e-4)}  # x²(x − y/100)²
    >>> hidden_vertex(crossing, 0.5, 1e10), hidden_vertex(crossing, 0.5, 1e13)
    ((2, 2), None)
    """
    corners = vertices(list(terms))
    exponents, logs = np.array(list(terms))[corners], np.array(list(terms.values()))[corners]
    depth, wall = float(np.log(n_beta)), float(np.log(radius))
    for k, (exponent, log) in enumerate(zip(exponents, logs, strict=True)):
        rest = np.arange(len(exponents)) != k
        found = linprog(
            -exponent,
            A_ub=exponents[rest] if rest.any() else None,
            b_ub=-depth - logs[rest] if rest.any() else None,
            bounds=(None, wall),
        )
        if found.success and log - found.fun < VISIBLE - depth:
            return tuple(int(power) for power in exponent)
    return None
