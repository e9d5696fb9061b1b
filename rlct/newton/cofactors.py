"""Certificates that polynomials have no common zero in the complex torus."""

from collections.abc import Sequence
from itertools import product
from math import comb, lcm

import numpy as np

from rlct.algebra.polynomial import Polynomial, total_degree
from rlct.newton import padic
from rlct.newton.rational import LARGE_PRIMES, exact_product, independent_rows
from rlct.newton.simplex import Integers

_MOST_COLUMNS = 300  # monomials up to the degree bound; larger systems are too slow


def monomial_cofactors(polynomials: Sequence[Polynomial]) -> list[Polynomial] | None:
    """Find c with Σ c_i p_i = a monomial, which proves that the p_i have no torus zero.

    They are in one ring; some may be zero.  None if no identity was found up to a degree bound:
    there is a common zero over C, or the identity needs larger multipliers.

    Linear algebra on the multiples t^a p_i of degree at most D, for growing D (Macaulay
    matrices).  A prime proposes the identity; it is solved and checked over Q.

    >>> from rlct.algebra.polynomial import make_ring
    >>> ring = make_ring(["t", "u"]); t, u = ring.gens
    >>> monomial_cofactors([t + u + 1, t, u])
    [1, -1, -1]
    """
    ring = polynomials[0].ring
    top = max(total_degree(p) for p in polynomials)
    for bound in range(top, 3 * top + 1):
        if comb(bound + ring.ngens, ring.ngens) > _MOST_COLUMNS:
            return None
        found = _up_to_degree(polynomials, bound)
        if found is not None:
            return found
    return None


def _up_to_degree(polynomials: Sequence[Polynomial], degree_bound: int) -> list[Polynomial] | None:
    ring = polynomials[0].ring
    monomials = [
        m for m in product(range(degree_bound + 1), repeat=ring.ngens) if sum(m) <= degree_bound
    ]
    column = {m: j for j, m in enumerate(monomials)}
    multiples = [
        (i, a)
        for i, p in enumerate(polynomials)
        if p
        for a in monomials
        if sum(a) + total_degree(p) <= degree_bound
    ]
    scales = [lcm(*(int(c.denominator) for c in p.values())) if p else 1 for p in polynomials]
    matrix: Integers = np.zeros((len(multiples), len(monomials)), dtype=object)
    for row, (i, a) in enumerate(multiples):
        for m, c in polynomials[i].terms():
            value = c * scales[i]
            matrix[row, column[tuple(x + y for x, y in zip(a, m, strict=True))]] = int(value)
    rows = independent_rows(matrix)
    row_basis = matrix[rows]
    target = _monomial_in_row_space(row_basis)
    if target is None:
        return None
    # The target column comes first, so that it is among the independent ones.
    order = [target, *(j for j in range(len(monomials)) if j != target)]
    chosen = [order[j] for j in independent_rows(row_basis[:, order].T)]
    right = np.array([[int(j == target)] for j in chosen])
    try:
        numerators, denominator = padic.solve_exactly(row_basis[:, chosen].T, right)
    except ArithmeticError:
        return None
    combination = exact_product(row_basis.T, numerators)[:, 0]
    if [int(v) for v in combination] != [
        denominator * (j == target) for j in range(len(monomials))
    ]:
        return None
    cofactors = [ring.zero] * len(polynomials)
    for row, value in zip(rows, numerators[:, 0].tolist(), strict=True):
        if value:
            i, a = multiples[row]
            coefficient = ring.domain(int(value) * scales[i], denominator)
            cofactors[i] = cofactors[i] + ring.from_dict({a: coefficient})
    return cofactors


def _monomial_in_row_space(matrix: Integers) -> int | None:
    """Column of a unit vector in the row space modulo a prime: a row of the reduced echelon."""
    prime = LARGE_PRIMES[0]
    echelon = (matrix % prime).astype(np.int64)
    row = 0
    for j in range(echelon.shape[1]):
        live = np.flatnonzero(echelon[row:, j])
        if not live.size:
            continue
        pivot = row + int(live[0])
        echelon[[row, pivot]] = echelon[[pivot, row]]
        echelon[row] = echelon[row] * pow(int(echelon[row, j]), -1, prime) % prime
        others = np.flatnonzero(echelon[:, j])
        others = others[others != row]
        echelon[others] = (echelon[others] - np.outer(echelon[others, j], echelon[row])) % prime
        row += 1
        if row == echelon.shape[0]:
            break
    single = np.flatnonzero((echelon[:row] != 0).sum(axis=1) == 1)
    return int(np.flatnonzero(echelon[single[0]])[0]) if single.size else None
