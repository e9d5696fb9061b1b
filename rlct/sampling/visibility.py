"""Parts of a polynomial K that shape it near the origin but do not show at some nβ."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import linprog

from rlct.newton.polyhedron import vertices
from rlct.sampling.monomials import Monomials
from rlct.sampling.target import Floats

__all__ = ["buried", "growing", "hidden_vertex"]

VISIBLE = 4.0  # log of nβK from which a term shows
# Power of nβ with which a part of nβK may grow, and standard errors beyond it.  It is 1 where the
# posterior knows nothing of the part, 0 or less where the part has settled or is of no weight, and
# of logarithms θ/log nβ.
SETTLED, SURE = 0.25, 3.0
CARRIED = 20  # draws, in effect, that a mean of squares needs to rest on
LEAST_PART = 1e-13  # of the largest: combinations of generators below it are rounding


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


def growing(values: Floats, n_beta: float) -> Floats | None:
    """Find a square in K = Σ g² that still grows with nβ in tempered means, if any.

    Means of nβg² have a limit, or fall where the other squares alone make K; before g shows, they
    grow as nβ does.  The power of growth is 1 − Cov(nβK, g²)/E[g²].  What decides may be a
    combination of generators, as y²⁴ in (x − y)² + (x − y + y²⁴)²: those that grow in one half of
    the draws are judged by the other half.

    Parameters
    ----------
    values : array, shape (n, number of generators)
        g at draws of the tempered posterior; the two halves must not depend on each other.
    n_beta : float

    Returns
    -------
    array, shape (number of generators,), or None
        Coefficients of a combination of generators that grows.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=4000) / 200**0.5, rng.random(4000)
    >>> hidden = growing(np.stack([x, y**5 / 1000], axis=1), 100.0)    # K = x² + y¹⁰/10⁶, |y| < 1
    >>> [bool(abs(c) > 1e-9) for c in hidden]
    [False, True]
    >>> growing(np.stack([x, x + x**2], axis=1), 100.0) is None
    True
    """
    if not values.any(axis=0).all():  # a generator has underflowed
        return np.asarray(~values.any(axis=0), dtype=float)
    energy = n_beta * (values**2).sum(axis=1)
    learnt, judging = slice(len(values) // 2), slice(len(values) // 2, None)
    sizes = np.sqrt((values[learnt] ** 2).mean(axis=0))
    if not sizes.all():
        return None
    _, singular, rows = np.linalg.svd(values[learnt] / sizes, full_matrices=False)
    kept = singular > LEAST_PART * singular[0]
    basis = (rows[kept] / singular[kept, None]).T / sizes[:, None]
    whole = values @ basis
    first = energy[learnt] - energy[learnt].mean()
    fall = (whole[learnt] * first[:, None]).T @ whole[learnt]
    _, turned = np.linalg.eigh(fall)  # ascending: what falls least with nβ comes first
    for combination in (*np.eye(values.shape[1]), *(basis @ turned).T):
        square = (values[judging] @ combination) ** 2
        if square.any() and _grows(square / square.mean(), energy[judging]):
            return np.asarray(combination)
    return None


def buried(
    generator: Mapping[tuple[int, ...], float], points: Floats, energy: Floats, n_beta: float
) -> tuple[int, ...] | None:
    """Find a term of g that still grows with nβ, unseen, where the rest of g is a multiple zero.

    Where the zeros of the rest are simple, a small term moves them, and changes no λ.  Where they
    are multiple, as of (x − y)² in (x − y)² + y³¹, it takes them apart, unless small terms together
    have the rest as a factor, as in (x − y)²(1 + y³⁰): that is not recognised.

    Parameters
    ----------
    generator : mapping
        From exponents of terms of g to coefficients.
    points : array, shape (n, d)
        Draws of the tempered posterior.
    energy : array, shape (n,)
        nβK there.
    n_beta : float

    Returns
    -------
    tuple of int, or None
        Exponents of the term.
    """
    exponents, coefficients = np.array(list(generator)), np.array(list(generator.values()))
    terms = (coefficients[:, None] * Monomials(exponents)(points)).T
    sizes = n_beta * (terms**2).mean(axis=0)
    unseen = [
        size == 0 or (size < 1 and _grows(term**2 / (term**2).mean(), energy))
        for size, term in zip(sizes, terms.T, strict=True)
    ]
    if not any(unseen) or all(unseen):
        return None
    seen = ~np.array(unseen)
    with np.errstate(divide="ignore", invalid="ignore"):
        steep = ((terms[:, seen] @ exponents[seen] / points) ** 2).sum(axis=1)
        power, error = _power(steep / steep.mean(), energy)
    if not power - 1.0 + SURE * error < -SETTLED:
        return None
    return tuple(int(k) for k in exponents[np.argmax(unseen)])


def _power(shares: Floats, energy: Floats) -> tuple[float, float]:
    """With which power of nβ the mean of nβ times a function grows, and its standard error."""
    fall = (energy - energy.mean()) * shares
    error = (fall - fall.mean() * shares).std() / np.sqrt(len(shares))
    return 1.0 - float(fall.mean()), float(error)


def _grows(shares: Floats, energy: Floats) -> bool:
    """Whether the mean of a square with these shares grows with nβ, beyond doubt."""
    if len(shares) < CARRIED * float((shares**2).mean()):  # few draws make all of it
        return False
    power, error = _power(shares, energy)
    return power - SURE * error > SETTLED
