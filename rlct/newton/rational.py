"""Exact linear algebra over Q for integer matrices: p-adic solution, rank, kernel."""

from __future__ import annotations

from math import gcd, isqrt, lcm

import numpy as np

from rlct.newton.simplex import Integers, primitive

__all__ = ["independent_rows", "integer_kernel", "product", "rank_at_least", "solve"]

_PRIME = 2097143
"""Largest prime below 2^21: products of residues sum without rounding in float64."""
_PRIMES = (_PRIME, 2097133, 2097131, 2097097, 2097091)
_SAFE = 2**62


def product(left: Integers, right: Integers) -> Integers:
    """Matrix product of integer arrays, in int64 when no sum can overflow.

    Parameters
    ----------
    left : array of int, shape (n, k)
    right : array of int, shape (k,) or (k, m)

    Returns
    -------
    array of Python int, shape (n,) or (n, m)
    """
    if not left.size or not right.size:
        return np.zeros((left.shape[0], *right.shape[1:]), dtype=object)
    bound = int(abs(left).max()) * int(abs(right).max()) * left.shape[1]
    if bound < 2**53 and right.ndim == 2:  # exact in float64, and much faster there
        sums = left.astype(np.float64) @ right.astype(np.float64)
        return sums.astype(np.int64).astype(object)
    if bound < _SAFE:
        return (left.astype(np.int64) @ right.astype(np.int64)).astype(object)
    exact_product: Integers = left.astype(object) @ right.astype(object)
    return exact_product


def independent_rows(matrix: Integers, prime: int = _PRIME) -> list[int]:
    """Rows, first come first kept, that are linearly independent modulo a prime.

    Parameters
    ----------
    matrix : array of int, shape (n, k)

    Returns
    -------
    list of int
        Increasing indices.  Independence modulo p implies independence over Q, so their
        number is a proved lower bound of the rank.

    Examples
    --------
    >>> independent_rows(np.array([[1, 2], [2, 4], [0, 1]]))
    [0, 2]
    """
    work = np.ascontiguousarray((matrix % prime).astype(np.int64).T)
    chosen: list[int] = []
    height, width = work.shape
    column = 0
    for row in range(height):
        live = np.flatnonzero(work[row:, column:].any(axis=0))
        if not live.size:
            break
        column += int(live[0])
        pivot = row + int(np.flatnonzero(work[row:, column])[0])
        work[[row, pivot]] = work[[pivot, row]]
        chosen.append(column)
        inverse = pow(int(work[row, column]), -1, prime)
        work[row, column:] = work[row, column:] * inverse % prime
        below = row + 1 + np.flatnonzero(work[row + 1 :, column])
        work[below, column:] = (
            work[below, column:] - np.outer(work[below, column], work[row, column:])
        ) % prime
        column += 1
        if column == width:
            break
    return chosen


def rank_at_least(matrix: Integers, rank: int) -> bool:
    """Whether a rank modulo some prime proves that the rank over Q reaches `rank`."""
    return rank <= 0 or any(len(independent_rows(matrix, prime)) >= rank for prime in _PRIMES)


def _inverse_mod(matrix: Integers, prime: int) -> Integers | None:
    """Inverse of a square matrix modulo a prime, or None when it is singular there."""
    n = matrix.shape[0]
    work = np.hstack([(matrix % prime).astype(np.int64), np.eye(n, dtype=np.int64)])
    for k in range(n):
        nonzero = np.flatnonzero(work[k:, k])
        if not nonzero.size:
            return None
        pivot = k + int(nonzero[0])
        work[[k, pivot]] = work[[pivot, k]]
        work[k] = work[k] * pow(int(work[k, k]), -1, prime) % prime
        rows = np.flatnonzero(work[:, k])
        rows = rows[rows != k]
        work[rows] = (work[rows] - np.outer(work[rows, k], work[k])) % prime
    return work[:, n:]


def _denominator(residue: int, modulus: int, bound: int) -> int | None:
    """Denominator ≤ bound of the fraction with this residue (Wang's reconstruction)."""
    r0, r1, t0, t1 = modulus, residue, 0, 1
    limit = modulus // (2 * bound)
    while r1 > limit:
        quotient = r0 // r1
        r0, r1 = r1, r0 - quotient * r1
        t0, t1 = t1, t0 - quotient * t1
    return abs(t1) if 0 < abs(t1) <= bound else None


def solve(matrix: Integers, rhs: Integers) -> tuple[Integers, int]:
    """Solve a square integer system exactly by p-adic lifting.

    Parameters
    ----------
    matrix : array of int, shape (n, n)
        Non-singular.
    rhs : array of int, shape (n, m)

    Returns
    -------
    numerators : array of int, shape (n, m)
    denominator : int
        Positive; ``matrix @ numerators == denominator * rhs`` has been checked.

    Raises
    ------
    ArithmeticError
        If the matrix is singular, or so nearly so modulo every prime tried.

    Notes
    -----
    Dixon (1982), "Exact solution of linear equations using p-adic expansions",
    Numer. Math. 40.

    Examples
    --------
    >>> numerators, denominator = solve(np.array([[2, 1], [0, 3]]), np.array([[1], [1]]))
    >>> numerators.ravel().tolist(), denominator
    ([1, 1], 3)
    """
    n = matrix.shape[0]
    if n == 0:
        return np.zeros(rhs.shape, dtype=object), 1
    for prime in _PRIMES:
        inverse = _inverse_mod(matrix, prime)
        if inverse is not None:
            break
    else:
        raise ArithmeticError("the matrix is singular")
    exact = matrix.astype(object)
    norms = [isqrt(int(s)) + 1 for s in (exact * exact).sum(axis=0)]
    determinant = 1
    for norm in norms:
        determinant *= norm
    size = int(abs(rhs).max()) + 1
    numerator = determinant * size * (isqrt(n) + 1)
    target = 4 * determinant * numerator
    as_float = inverse.astype(np.float64)
    residual: Integers = rhs.astype(object)
    solution: Integers = np.zeros(rhs.shape, dtype=object)
    modulus = 1
    while modulus < target:
        digit = np.rint(as_float @ (residual % prime).astype(np.float64)).astype(np.int64) % prime
        digit -= prime * (digit > prime // 2)  # balanced digits: small integers end early
        solution = solution + digit.astype(object) * modulus
        residual = (residual - product(matrix, digit)) // prime
        modulus *= prime
        if not residual.any():
            return solution, 1
    denominator = 1
    half = modulus // 2
    for residue in solution.ravel():
        scaled = residue * denominator % modulus
        if min(scaled, modulus - scaled) > numerator:
            extra = _denominator(int(scaled), modulus, determinant)
            if extra is None:
                raise ArithmeticError("rational reconstruction failed")
            denominator = lcm(denominator, extra * denominator)
    numerators = (solution * denominator + half) % modulus - half
    common = gcd(denominator, *(int(entry) for entry in numerators.ravel()))
    numerators, denominator = numerators // common, denominator // common
    if (product(matrix, numerators) != denominator * rhs.astype(object)).any():
        raise ArithmeticError("the exact solution failed its check")
    return numerators, denominator


def integer_kernel(matrix: Integers) -> Integers:
    """Basis over Q of {u : matrix·u = 0} as primitive integer vectors.

    Parameters
    ----------
    matrix : array of int, shape (n, k)

    Returns
    -------
    array of int, shape (k − rank, k)

    Examples
    --------
    >>> integer_kernel(np.array([[2, 1, 0]])).tolist()
    [[-1, 2, 0], [0, 0, 1]]
    """
    work: Integers = matrix.astype(object)
    width = work.shape[1]
    pivots: list[int] = []
    den = 1
    for column in range(width):
        row = len(pivots)
        candidates = work[row:, column].nonzero()[0]
        if not candidates.size:
            continue
        chosen = row + int(candidates[0])
        if chosen != row:
            work[[row, chosen]] = work[[chosen, row]]
        pivot = work[row, column]
        kept = work[row].copy()
        # Fraction-free Gauss–Jordan: earlier pivots all become `pivot`, division is exact.
        work = (work * pivot - np.outer(work[:, column], kept)) // den
        work[row] = kept
        den = pivot
        pivots.append(column)
        if len(pivots) == work.shape[0]:
            break
    free = [k for k in range(width) if k not in set(pivots)]
    kernel: Integers = np.zeros((len(free), width), dtype=object)
    for i, k in enumerate(free):
        kernel[i, k] = abs(den)
        kernel[i, pivots] = -work[: len(pivots), k] * (1 if den > 0 else -1)
        kernel[i] = primitive(kernel[i])
    return kernel
