"""Exponent vectors and prior exponents: what is accepted, and which vectors matter."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.newton.simplex import Integers


def exponent_matrix(exponents: Sequence[Sequence[int]] | Integers) -> Integers:
    """Check exponent vectors and return them as an integer array.

    The array is of ``int64``, or of Python integers when some entry exceeds 2^31.  InputError if it
    is empty, the rows differ in length, or an entry is not a non-negative integer.
    """
    try:
        matrix: Any = np.array(exponents)
    except (ValueError, OverflowError):
        raise InputError("exponent vectors must all have the same length") from None
    if matrix.dtype.kind != "i":
        matrix = np.array(exponents, dtype=object)
        if not all(type(entry) is int for entry in matrix.ravel().tolist()):
            raise InputError("exponents must be integers")
    if matrix.ndim != 2 or not matrix.size:
        raise InputError("at least one exponent vector with at least one variable is needed")
    if matrix.min() < 0:
        raise InputError("exponents must be non-negative")
    checked: Integers = matrix.astype(np.int64 if matrix.max() < 2**31 else object)
    return checked


def prior_costs(prior: Sequence[Fraction | int] | None, width: int) -> tuple[Integers, int]:
    """Return 1 + h over a common denominator.

    The prior is Π |w_j|^{h_j}, None for zeros, and 1 + h = costs / scale.  InputError if its length
    is not the width, or an entry is not an exact rational > −1.
    """
    entries = [0] * width if prior is None else list(prior)
    if len(entries) != width:
        raise InputError(f"the prior has {len(entries)} exponents for {width} variables")
    for entry in entries:
        if isinstance(entry, bool) or not isinstance(entry, (int, Fraction)):
            raise InputError(f"a prior exponent must be an exact rational, not {entry!r}")
        if entry <= -1:
            raise InputError(f"a prior exponent must exceed -1 to be integrable, not {entry}")
    fractions = [1 + Fraction(entry) for entry in entries]
    scale = lcm(*(f.denominator for f in fractions))
    return np.array([int(f * scale) for f in fractions], dtype=object), scale


def minimal_rows(matrix: Integers) -> list[int]:
    """Rows that are not componentwise ≥ another one (of equal rows, the first).

    The other monomials are multiples of these.

    >>> minimal_rows(np.array([[2, 1], [1, 1], [0, 3], [1, 1]]))
    [1, 2]
    """
    if matrix.dtype == object:  # only the order matters, and small ranks compare faster
        ranks = [np.unique(column, return_inverse=True)[1] for column in matrix.T]
        matrix = np.array(ranks).T
    order = np.argsort(matrix.sum(axis=1), kind="stable")
    # A divisor has a smaller sum, so that it comes first.
    minimal_exponents = np.empty(
        matrix.shape[::-1], dtype=matrix.dtype
    )  # a column per row, sliced often
    sums = matrix.sum(axis=1)
    chosen_rows: list[int] = []
    for row in order.tolist():
        exponent, count = matrix[row], len(chosen_rows)
        support = np.flatnonzero(exponent)
        if 4 * len(support) < len(exponent):  # divisors live on this support
            inside = minimal_exponents[support, :count].sum(axis=0) == sums[chosen_rows]
            possible_divisors = np.flatnonzero(inside)
            columns = support
        else:
            possible_divisors = np.arange(count)
            columns = np.argsort(exponent, kind="stable")  # low entries exclude most
        for start in range(0, len(columns), 8):
            if not possible_divisors.size:
                break
            block = columns[start : start + 8]
            below = minimal_exponents[block[:, None], possible_divisors] <= exponent[block, None]
            possible_divisors = possible_divisors[below.all(axis=0)]
        if not possible_divisors.size:
            minimal_exponents[:, count] = exponent
            chosen_rows.append(row)
    return sorted(chosen_rows)
