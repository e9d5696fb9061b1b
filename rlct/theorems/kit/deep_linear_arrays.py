"""Aoyagi's formula over arrays of architectures."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlct.errors import InputError
from rlct.system.options import explain_options

Ints = NDArray[np.int64]

# Rows handled at a time: the columns of a block stay in the second-level cache.
BLOCK_ROWS: Final = 1 << 13
# Up to this many widths, comparing columns pairwise beats numpy's row-wise sort.
NETWORK_WIDTHS: Final = 6


@explain_options
def deep_linear_pairs(
    widths: ArrayLike, rank: ArrayLike, *, bias: bool = False
) -> tuple[NDArray[np.float64], Ints]:
    """Evaluate (λ, θ) of linear networks, one architecture per row.

    Parameters
    ----------
    widths : array of int, shape (n, L + 1)
        Positive layer widths from input to output.
    rank : array of int, shape (n,)
        Ranks of the true maps, 0 ≤ rank ≤ min(widths); a single int serves all rows.
    bias : bool
        Whether every layer has a free bias.

    Returns
    -------
    lam : array of float64, shape (n,)
        Exact: 4λ is an integer below 2⁵³.
    theta : array of int64, shape (n,)

    Raises
    ------
    InputError
        For wrong shapes or types, widths so large that 4λ may pass 2⁵³, or an impossible row;
        the message names the first one.

    Examples
    --------
    >>> deep_linear_pairs([[5, 3, 5], [2, 2, 2]], [1, 0])
    (array([8. , 1.5]), array([1, 1]))
    """
    table = _integers("widths", widths)
    if table.ndim != 2 or table.shape[1] < 2:
        raise InputError(f"widths must have shape (n, L + 1) with L ≥ 1, not {table.shape}")
    ranks = _integers("rank", rank)
    if ranks.ndim == 0:
        ranks = np.broadcast_to(ranks, len(table))
    if ranks.shape != (len(table),):
        raise InputError(f"rank must have shape ({len(table)},), not {ranks.shape}")
    lam, theta = np.empty(len(table)), np.empty(len(table), dtype=np.int64)
    for start in range(0, len(table), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        columns = np.ascontiguousarray(table[rows].T)
        _check(columns, ranks[rows], start)
        lam[rows], theta[rows] = _block(columns, ranks[rows], bias)
    return lam, theta


def _integers(name: str, values: ArrayLike) -> Ints:
    array = np.asarray(values)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size:
        array = np.minimum(array, np.uint64(2**62))  # far beyond the limit that `_check` sets
    if array.dtype.kind not in "iu":
        raise InputError(f"{name} must be integers, not {array.dtype}")
    return array.astype(np.int64, copy=False)


def _check(columns: Ints, rank: Ints, start: int) -> None:
    smallest_widths, largest_widths = columns.min(axis=0), columns.max(axis=0)
    # Every intermediate value is at most 4 (L + 1) H²: see the bounds S ≤ (ℓ + 1) H, M ≤ 2 H.
    width_limit = int((2**53 / (4 * len(columns))) ** 0.5)
    bad = (
        (smallest_widths < 1)
        | (rank < 0)
        | (rank > smallest_widths)
        | (largest_widths > width_limit)
    )
    if not bad.any():
        return
    row = int(bad.argmax())
    shown = columns[:6, row].tolist()
    text = ",".join(map(str, shown)) + (",…" if len(columns) > 6 else "")
    if smallest_widths[row] < 1:
        problem = "widths must be positive"
    elif largest_widths[row] > width_limit:
        problem = f"widths above {width_limit} do not fit; use deep_linear_pair"
    else:
        problem = f"rank {rank[row]} is not between 0 and the smallest width {smallest_widths[row]}"
    raise InputError(f"row {start + row} (widths {text}): {problem}")


def _block(columns: Ints, rank: Ints, bias: bool) -> tuple[NDArray[Any], Ints]:
    four_lambda = 2 * rank * (columns[0] + columns[-1] - rank)
    if bias:
        four_lambda += 2 * columns[-1]
    excess = _sorted(columns - rank)
    total, square_sum = excess[0].copy(), excess[0] ** 2
    ell = np.zeros_like(total)
    for count, column in enumerate(excess[1:], start=1):
        # Once false always false, so `total` may stop growing: it only makes this smaller.
        used = total > (count - 1) * column
        added_width = column * used
        total += added_width
        square_sum += added_width * added_width
        ell += used
    divisor = np.maximum(ell, 1)
    below = (total - 1) // divisor  # M − 1, also right for total = 0: there ell = 0
    a = total - below * ell
    singular = (below + 1) * a + below * total - square_sum
    inside = ell > 0
    four_lambda += singular * inside
    return four_lambda * 0.25, np.where(inside, a * (ell - a) + 1, 1)


def _sorted(columns: Ints) -> Ints:
    """Sort each architecture, in place for few widths."""
    if len(columns) > NETWORK_WIDTHS:
        return np.sort(columns, axis=0)
    spare = np.empty_like(columns[0])
    for last in range(len(columns) - 1, 0, -1):
        for j in range(last):
            np.minimum(columns[j], columns[j + 1], out=spare)
            np.maximum(columns[j], columns[j + 1], out=columns[j + 1])
            columns[j] = spare
    return columns
