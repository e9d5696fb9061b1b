"""Exact solution of square integer systems by p-adic lifting."""

from math import gcd, isqrt, lcm

import numpy as np

from rlct.newton.rational import LARGE_PRIMES, exact_product, machine_product
from rlct.newton.simplex import Integers

_SAFE_INTEGER = 2**62  # below it machine integers do not overflow


def _inverse_mod(matrix: Integers, prime: int) -> Integers | None:
    """Inverse of a square matrix modulo a prime, or None when it is singular there."""
    n = matrix.shape[0]
    augmented_matrix = np.hstack([(matrix % prime).astype(np.int64), np.eye(n, dtype=np.int64)])
    for k in range(n):
        nonzero = np.flatnonzero(augmented_matrix[k:, k])
        if not nonzero.size:
            return None
        pivot = k + int(nonzero[0])
        augmented_matrix[[k, pivot]] = augmented_matrix[[pivot, k]]
        augmented_matrix[k] = (
            augmented_matrix[k] * pow(int(augmented_matrix[k, k]), -1, prime) % prime
        )
        rows = np.flatnonzero(augmented_matrix[:, k])
        rows = rows[rows != k]
        augmented_matrix[rows] = (
            augmented_matrix[rows] - np.outer(augmented_matrix[rows, k], augmented_matrix[k])
        ) % prime
    return augmented_matrix[:, n:]


def _denominator(residue: int, modulus: int, bound: int) -> int | None:
    """Denominator ≤ bound of the fraction with this residue (Wang's reconstruction)."""
    r0, r1, t0, t1 = modulus, residue, 0, 1
    limit = modulus // (2 * bound)
    while r1 > limit:
        quotient = r0 // r1
        r0, r1 = r1, r0 - quotient * r1
        t0, t1 = t1, t0 - quotient * t1
    return abs(t1) if 0 < abs(t1) <= bound else None


def _from_digits(digits: list[Integers], base: int) -> Integers:
    """Σ digits[i]·baseⁱ, in halves so that most additions are of short numbers."""
    level = digits
    while len(level) > 1:
        pairs = [
            low.astype(object) + high.astype(object) * base
            for low, high in zip(level[::2], level[1::2], strict=False)
        ]
        level = pairs + level[2 * len(pairs) :]
        base *= base
    return level[0].astype(object)


def solve_exactly(matrix: Integers, right_side: Integers) -> tuple[Integers, int]:
    """Solve a square integer system exactly by p-adic lifting.

    The matrix is (n, n), the right side (n, m).  The denominator is positive, and it has been
    checked that ``matrix @ numerators == denominator * right_side``.  ArithmeticError if the matrix
    is singular, or so modulo every prime tried.

    Dixon (1982), "Exact solution of linear equations using p-adic expansions",
    Numer. Math. 40.

    >>> numerators, denominator = solve_exactly(np.array([[2, 1], [0, 3]]), np.array([[1], [1]]))
    >>> numerators.ravel().tolist(), denominator
    ([1, 1], 3)
    """
    n = matrix.shape[0]
    if n == 0:
        return np.zeros(right_side.shape, dtype=object), 1
    for prime in LARGE_PRIMES:
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
    size = int(abs(right_side).max()) + 1
    numerator = determinant * size * (isqrt(n) + 1)
    target = 4 * determinant * numerator
    as_float = inverse.astype(np.float64)
    residual = right_side.astype(np.int64) if size < _SAFE_INTEGER else right_side.astype(object)
    digits: list[Integers] = []
    modulus = 1
    while modulus < target and residual.any():
        digit = np.rint(as_float @ (residual % prime).astype(np.float64)).astype(np.int64) % prime
        digit -= prime * (digit > prime // 2)  # balanced digits: small integers end early
        digits.append(digit)
        residual = (residual - machine_product(matrix, digit)) // prime
        modulus *= prime
    solution = _from_digits(digits, prime) if digits else np.zeros(right_side.shape, dtype=object)
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
    if (exact_product(matrix, numerators) != denominator * right_side.astype(object)).any():
        raise ArithmeticError("the exact solution failed its check")
    return numerators, denominator
