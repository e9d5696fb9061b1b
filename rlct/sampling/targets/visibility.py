"""Parts of a polynomial K that shape it near the origin but do not show at some nβ."""

from collections.abc import Mapping

import numpy as np
from scipy.optimize import linprog

from rlct.newton.polyhedron import vertices
from rlct.sampling.targets.monomials import Monomials
from rlct.sampling.targets.target import Floats

VISIBLE_LOG = 4.0  # log of nβK from which a term shows
# Power of nβ with which a part of nβK may grow, and standard errors beyond it.  It is 1 where the
# posterior knows nothing of the part, 0 or less where the part has settled or is of no weight, and
# of logarithms θ/log nβ.
SETTLED_POWER, SURE_ERRORS = 0.25, 3.0
CARRYING_DRAWS = 20  # draws, in effect, that a mean of squares needs to rest on


def hidden_vertex(
    terms: Mapping[tuple[int, ...], float], radius: float, n_beta: float
) -> tuple[int, ...] | None:
    """Exponents of a vertex of the Newton polyhedron that tempered means do not know yet, if any.

    Where other vertices are at most 1/nβ a vertex must reach e⁴/nβ somewhere in the box: else means
    look as if it were not there.  In log|w| both are linear.  Terms go from exponents in K to logs
    of coefficients, in size; the radius is of the box.

    >>> crossing = {(4, 0): 0.0, (3, 1): np.log(2e-2), (2, 2): np.log(1e-4)}  # x²(x − y/100)²
    >>> hidden_vertex(crossing, 0.5, 1e10), hidden_vertex(crossing, 0.5, 1e13)
    ((2, 2), None)
    """
    corners = vertices(list(terms))
    exponents, logs = np.array(list(terms))[corners], np.array(list(terms.values()))[corners]
    depth, wall = float(np.log(n_beta)), float(np.log(radius))
    for k, (exponent, log) in enumerate(zip(exponents, logs, strict=True)):
        is_other = np.arange(len(exponents)) != k
        program = linprog(
            -exponent,
            A_ub=exponents[is_other] if is_other.any() else None,
            b_ub=-depth - logs[is_other] if is_other.any() else None,
            bounds=(None, wall),
        )
        if program.success and log - program.fun < VISIBLE_LOG - depth:
            return tuple(int(power) for power in exponent)
    return None


def square_grows(values: Floats, energy: Floats) -> bool:
    """Whether a square in K = Σ g² still grows with nβ in tempered means, beyond doubt.

    Means of nβg² have a limit, or fall where the other squares alone make K; before g shows, they
    grow as nβ does.  The power of growth is 1 − Cov(nβK, g²)/E[g²].  ``values`` are g, or any
    element of their ideal, at draws of the tempered posterior, ``energy`` is nβK there, both of
    shape (n,).

    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=4000) / 200**0.5, rng.random(4000)
    >>> energy = 100 * (x**2 + y**10 / 10**6)                         # |y| < 1
    >>> square_grows(x, energy), square_grows(y**5, energy), square_grows(x**2, energy)
    (False, True, False)
    """
    square = values**2
    if not square.any():
        return False
    shares = square / square.mean()
    if len(shares) < CARRYING_DRAWS * float((shares**2).mean()):  # few draws make all of it
        return False
    power, error = _power(shares, energy)
    return power - SURE_ERRORS * error > SETTLED_POWER


def buried_term(
    generator: Mapping[tuple[int, ...], float], points: Floats, energy: Floats, n_beta: float
) -> tuple[int, ...] | None:
    """Find an unseen term of g that still grows with nβ, where the others have a multiple zero.

    Where the zeros of these are simple, a small term moves them, and changes no λ.  Where they
    are multiple, as of (x − y)² in (x − y)² + y³¹, it takes them apart, unless small terms together
    have the other terms as a factor, as in (x − y)²(1 + y³⁰): that is not recognised.

    ``points`` are draws of the tempered posterior, where nβK is ``energy``.  Returned are
    exponents.
    """
    exponents, coefficients = np.array(list(generator)), np.array(list(generator.values()))
    terms = (coefficients[:, None] * Monomials(exponents)(points)).T
    sizes = n_beta * (terms**2).mean(axis=0)
    unseen_terms = [
        size == 0 or (size < 1 and square_grows(term, energy))
        for size, term in zip(sizes, terms.T, strict=True)
    ]
    if not any(unseen_terms) or all(unseen_terms):
        return None
    seen = ~np.array(unseen_terms)
    with np.errstate(divide="ignore", invalid="ignore"):
        steep = ((terms[:, seen] @ exponents[seen] / points) ** 2).sum(axis=1)
        power, error = _power(steep / steep.mean(), energy)
    if not power - 1.0 + SURE_ERRORS * error < -SETTLED_POWER:
        return None
    return tuple(int(k) for k in exponents[np.argmax(unseen_terms)])


def _power(shares: Floats, energy: Floats) -> tuple[float, float]:
    """With which power of nβ the mean of nβ times a function grows, and its standard error."""
    fall = (energy - energy.mean()) * shares
    error = (fall - fall.mean() * shares).std() / np.sqrt(len(shares))
    return 1.0 - float(fall.mean()), float(error)
