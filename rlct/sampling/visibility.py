"""Parts of a polynomial K that shape it near the origin but do not show at some nβ."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import linprog

from rlct.newton.polyhedron import vertices
from rlct.sampling.target import Floats

__all__ = ["growing", "hidden_vertex"]

VISIBLE = 4.0  # log of nβK from which a term shows
# Power of nβ with which a part of nβK may grow, and standard errors beyond it.  It is 1 where the
# posterior knows nothing of the part, 0 or less where the part has settled or is of no weight, and
# of logarithms θ/log nβ.
SETTLED, SURE = 0.25, 2.0


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


def growing(parts: Floats, n_beta: float) -> int | None:
    """Which of the squares in K = Σ g² still grows with nβ in tempered means, if any.

    Means of nβg² have a limit, or fall where the other squares alone make K; before g shows, they
    grow as nβ does.  The power is 1 − Cov(nβK, g²)/E[g²].

    Parameters
    ----------
    parts : array, shape (n, number of squares)
        g² at draws of the tempered posterior.
    n_beta : float

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=4000) / 200**0.5, rng.random(4000)
    >>> growing(np.stack([x**2, y**10 / 10**6], axis=1), 100.0)    # K = x² + (y⁵/1000)², |y| < 1
    1
    >>> growing(np.stack([x**2, x**4], axis=1), 100.0) is None
    True
    """
    energy = n_beta * parts.sum(axis=1, keepdims=True)
    means = parts.mean(axis=0)
    with np.errstate(invalid="ignore"):
        shares = parts / means
    fall = (energy - energy.mean()) * shares
    power = 1.0 - fall.mean(axis=0)
    error = (fall - fall.mean(axis=0) * shares).std(axis=0) / np.sqrt(len(parts))
    grown = (power - SURE * error > SETTLED) | (means == 0)  # a zero has underflowed
    return int(np.argmax(grown)) if grown.any() else None
