"""Covariances from draws of several chains, in blocks of columns, with errors by a jackknife.

Of K chains with D draws each a covariance is Ĉ = W + B: W the mean over chains of products about
the chain's own means (divisor D), B the covariance of the chains' means (divisor K − 1).  That is
the mean of ½(x − x')(y − y') over draws of two *chains*, without bias however slowly they move, as
`rlct.sampling.local.fluctuation` has variances.  About the chain's own means alone B is missing;
with all chains stacked B/K is.  One chain has W alone (divisor D − 1), too small by about the share
τ/D for autocorrelation time τ.

Estimates have one more axis, the first: all chains, then all but each one where a jackknife is
wanted and there are three chains or more.
"""

import math
from collections.abc import Iterator

import numpy as np

from rlct.errors import InputError
from rlct.sampling.targets.target import Floats

_BLOCK_NUMBERS = 1 << 21  # numbers in a block: 16 MiB


def read_columns(values: Floats, part: slice, name: str = "loss") -> Floats:
    """Some columns of (chains, draws, columns) in double precision; InputError if not finite."""
    block: Floats = np.asarray(values[:, :, part], dtype=float)
    if not np.isfinite(block).all():
        chain, draw, column = (int(k) for k in np.argwhere(~np.isfinite(block))[0])
        raise InputError(
            f"{name} {block[chain, draw, column]} at chain {chain}, draw {draw}, column "
            f"{part.start + column}: every one must be finite"
        )
    return block


def column_blocks(values: Floats, name: str = "loss") -> Iterator[tuple[slice, Floats]]:
    """Columns a block at a time; products of two blocks by chain are no larger than a block."""
    chains, draws, columns = values.shape
    size = max(1, min(_BLOCK_NUMBERS // (chains * draws), math.isqrt(_BLOCK_NUMBERS // chains)))
    for first in range(0, columns, size):
        part = slice(first, min(first + size, columns))
        yield part, read_columns(values, part, name)


def cross_covariances(
    losses: Floats,
    observables: Floats | None = None,
    *,
    level: Floats | None = None,
    normalized: bool = False,
    errors: bool = False,
) -> Floats:
    """Covariances of all columns, in blocks.

    Losses (chains, draws, m) against observables (chains, draws, k), by default themselves, give a
    matrix (m, k): covariances, correlations where it is ``normalized``, NaN where a column does not
    vary, or standard errors instead.  ``level`` (chains, draws) is taken off each loss.  InputError
    if a number is not finite.

    >>> draws = np.array([[[0.0, 0.0], [2.0, 4.0]]] * 3)
    >>> cross_covariances(draws).tolist(), cross_covariances(draws, errors=True).tolist()
    ([[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]])
    """
    columns, name = (losses, "loss") if observables is None else (observables, "observable")
    matrix: Floats = np.empty((losses.shape[2], columns.shape[2]))
    for part, block in column_blocks(losses):
        row_draws = block if level is None else block - level[:, :, None]
        for span, column_draws in column_blocks(columns, name):
            if observables is None and span.start < part.start:
                continue  # it is symmetric
            values = chain_covariances(row_draws, column_draws, errors=errors)
            if normalized:
                values = values / _deviations(row_draws, column_draws, errors=errors)
            matrix[part, span] = jackknife_error(values) if errors else values[0]
            if observables is None:
                matrix[span, part] = matrix[part, span].T
    return matrix


def chain_covariances(row_draws: Floats, column_draws: Floats, *, errors: bool) -> Floats:
    """Ĉ of columns, shape (1, a, b) or (1 + chains, a, b), from (chains, draws, a) and (…, b).

    >>> draws = np.array([[[0.0], [2.0]], [[4.0], [6.0]]])
    >>> chain_covariances(draws, draws, errors=False).tolist()                     # 1 + 8
    [[[9.0]]]
    """
    means = row_draws.mean(axis=1), column_draws.mean(axis=1)
    one, two = (x - own[:, None] for x, own in zip((row_draws, column_draws), means, strict=True))
    products = np.matmul(one.transpose(0, 2, 1), two) / row_draws.shape[1]
    a, b = (own - own.mean(axis=0) for own in means)
    return _pooled(products, a[:, :, None] * b[:, None, :], row_draws.shape[1], errors=errors)


def chain_variances(values: Floats, *, errors: bool) -> Floats:
    """The diagonal of :func:`chain_covariances`, shape (1, a) or (1 + chains, a)."""
    own = values.mean(axis=1)
    squares = ((values - own[:, None]) ** 2).mean(axis=1)
    gaps = np.asarray((own - own.mean(axis=0)) ** 2)
    return np.maximum(_pooled(squares, gaps, values.shape[1], errors=errors), 0.0)


def _deviations(row_draws: Floats, column_draws: Floats, *, errors: bool) -> Floats:
    """Products of standard deviations, NaN where one is 0."""
    one, two = (np.sqrt(chain_variances(x, errors=errors)) for x in (row_draws, column_draws))
    found = one[:, :, None] * two[:, None, :]
    return np.where(found > 0, found, np.nan)


def _pooled(products: Floats, gaps: Floats, draws: int, *, errors: bool) -> Floats:
    """W + B, from means of products about own means and products of gaps, by chain.

    Gaps are those between the means of a chain and those of all.
    """
    chains = len(products)
    if chains == 1:
        return np.asarray(products * (draws / (draws - 1)))
    within, between = products.mean(axis=0), gaps.sum(axis=0)
    value = np.asarray(within + between / (chains - 1))[None]
    if not errors or chains < 3:
        return value
    others = (chains * within - products) / (chains - 1)
    others = others + (between - chains / (chains - 1) * gaps) / (chains - 2)
    return np.concatenate([value, others])


def chain_means(values: Floats) -> Floats:
    """Means over chains and draws of (chains, draws, a), shape (1, a) or (1 + chains, a)."""
    own, chains = values.mean(axis=1), len(values)
    mean = np.asarray(own.mean(axis=0))[None]
    if chains < 3:
        return mean
    return np.concatenate([mean, (chains * mean - own) / (chains - 1)])


def jackknife_error(values: Floats) -> Floats:
    """Standard errors from estimates by all chains and by all but each; infinite without these.

    >>> draws = np.array([[[0.0]], [[1.0]], [[2.0]]])
    >>> bool(np.isclose(jackknife_error(chain_means(draws))[0], 1 / np.sqrt(3)))
    True
    """
    others = values[1:]
    if not len(others):
        return np.full(values.shape[1:], np.inf)
    return np.asarray(np.sqrt((1 - 1 / len(others)) * ((others - others.mean(axis=0)) ** 2).sum(0)))
