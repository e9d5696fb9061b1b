"""Exact linear algebra over Q for integer matrices: products, rank, kernel."""

import numpy as np

from rlct.algebra.exact_rank import pivot_columns
from rlct.newton.simplex import Integers, primitive_vector

LARGE_PRIMES = (2097143, 2097133, 2097131, 2097097, 2097091)
"""Largest primes below 2^21: products of residues sum without rounding in float64."""
_SAFE_SUM = 2**62  # below it sums of products do not overflow in 64 bits


def exact_product(left_matrix: Integers, right_matrix: Integers) -> Integers:
    """Matrix product of integer arrays, in machine numbers when no sum can overflow."""
    return machine_product(left_matrix, right_matrix).astype(object)


def machine_product(left_matrix: Integers, right_matrix: Integers) -> Integers:
    """Matrix product in ``int64`` where that is exact, in Python integers elsewhere."""
    if not left_matrix.size or not right_matrix.size:
        return np.zeros((left_matrix.shape[0], *right_matrix.shape[1:]), dtype=np.int64)
    bound = int(abs(left_matrix).max()) * int(abs(right_matrix).max()) * left_matrix.shape[1]
    result: Integers
    if bound < 2**53:  # exact in float64, and much faster there
        result = (left_matrix.astype(np.float64) @ right_matrix.astype(np.float64)).astype(np.int64)
    elif bound < _SAFE_SUM:
        result = left_matrix.astype(np.int64) @ right_matrix.astype(np.int64)
    else:
        result = left_matrix.astype(object) @ right_matrix.astype(object)
    return result


def independent_rows(matrix: Integers, prime: int = LARGE_PRIMES[0]) -> list[int]:
    """Rows that are linearly independent modulo a prime, the first ones where there is a choice.

    The indices increase.  Independence modulo p implies independence over Q, so their number is a
    proved lower bound of the rank.

    >>> independent_rows(np.array([[1, 2], [2, 4], [0, 1]]))
    [0, 2]
    """
    residues = np.ascontiguousarray((matrix % prime).astype(np.int64).T)
    return pivot_columns(residues, prime)


def rank_at_least(matrix: Integers, rank: int) -> bool:
    """Whether the rank over Q reaches `rank`; a rank modulo a prime usually proves it."""
    if rank <= 0 or any(len(independent_rows(matrix, prime)) >= rank for prime in LARGE_PRIMES[:2]):
        return True
    return bool(matrix.shape[1] - len(integer_kernel(matrix)) >= rank)


def integer_kernel(matrix: Integers) -> Integers:
    """Basis over Q of {u : matrix·u = 0} as primitive integer vectors.

    >>> integer_kernel(np.array([[2, 1, 0]])).tolist()
    [[-1, 2, 0], [0, 0, 1]]
    """
    echelon: Integers = matrix.astype(object)
    width = echelon.shape[1]
    pivots: list[int] = []
    denominator = 1
    for column in range(width):
        row = len(pivots)
        candidates = echelon[row:, column].nonzero()[0]
        if not candidates.size:
            continue
        chosen = row + int(candidates[0])
        if chosen != row:
            echelon[[row, chosen]] = echelon[[chosen, row]]
        pivot = echelon[row, column]
        pivot_row = echelon[row].copy()
        # Fraction-free Gauss–Jordan: earlier pivots all become `pivot`, division is exact.
        echelon = (echelon * pivot - np.outer(echelon[:, column], pivot_row)) // denominator
        echelon[row] = pivot_row
        denominator = pivot
        pivots.append(column)
        if len(pivots) == echelon.shape[0]:
            break
    free = [k for k in range(width) if k not in set(pivots)]
    kernel: Integers = np.zeros((len(free), width), dtype=object)
    for i, k in enumerate(free):
        kernel[i, k] = abs(denominator)
        kernel[i, pivots] = -echelon[: len(pivots), k] * (1 if denominator > 0 else -1)
        kernel[i] = primitive_vector(kernel[i])
    return kernel
