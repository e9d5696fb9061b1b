"""Singular fluctuation from sums of each sample's losses by chain, of all data or mini-batches."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rlct.sampling.targets.target import Floats


class FluctuationEstimate(NamedTuple):
    """An estimate of V or ν."""

    #: With its standard error from the chains.
    value: float
    error: float
    #: Share of it that the draws of single chains show; the other part is between chains.
    within: float


def unbiased_fluctuation(loss_sums: Sequence[Floats]) -> FluctuationEstimate | None:
    """Functional variance V without bias, however slowly chains move; None if nothing repeats.

    About the mean of its own chain a variance lacks the share τ/D of D draws with autocorrelation
    time τ, about the mean of all chains still a part of it.  Half a squared difference of draws of
    two *chains* lacks nothing: V̂ = n Σ_i (S_i/m_i) / Σ_i (P_i/m_i), S_i being the sum of these over
    the P_i pairs of losses of sample i from two chains, m_i of them in all.  With D draws of all
    samples it is the mean of variances within chains and the variance of their means.

    The sums are three arrays (chains, n): how often each chain saw each sample, its losses, and
    their squares.  The error is a jackknife over the chains; of two chains, which it cannot leave
    out, it has the scatter of variances within them and that of χ² of one degree of freedom
    between.

    >>> rng = np.random.default_rng(0)
    >>> slow = rng.normal(size=(64, 1, 9)) + 0.1 * rng.normal(size=(64, 100, 9))
    >>> sums = [np.full((64, 9), 100.0), slow.sum(axis=1), (slow**2).sum(axis=1)]
    >>> found = unbiased_fluctuation(sums)
    >>> abs(found.value - 9 * 1.01) < 3 * found.error, round(found.within, 2)
    (True, 0.01)
    """
    chains = list(zip(*loss_sums, strict=True))
    # A sum over pairs of chains is that over all draws less those over the draws of each chain.
    total = sum((_products(*chain) for chain in chains), np.zeros((6, loss_sums[0].shape[1])))
    value = _variance(total)
    if not np.isfinite(value):
        return None
    own_squares = [_within(*chain) for chain in chains]
    freedom_count = sum(count for _, count in own_squares)
    within = (
        sum(square_sum for square_sum, _ in own_squares) * len(total[0]) / freedom_count
        if freedom_count
        else np.nan
    )
    within_share = float(within / value) if value > 0 else np.nan
    if len(chains) > 2:
        left = np.array([_variance(total - _products(*chain)) for chain in chains])
        error = np.sqrt((1 - 1 / len(left)) * ((left - left.mean()) ** 2).sum())
    else:
        inside, between = (
            len(total[0]) * square_sum / max(count, 1.0) for square_sum, count in own_squares
        )
        # The variance of χ² of one degree of freedom is two thirds of the mean of its square.
        error = np.hypot((inside - between) / 2, np.sqrt(2 / 3) * (value - (inside + between) / 2))
    return FluctuationEstimate(value, float(error), within_share) if np.isfinite(error) else None


def _products(count: Floats, first: Floats, second: Floats) -> Floats:
    return np.array([count, first, second, count**2, first**2, count * second])


def _variance(total: Floats) -> float:
    """V̂ from the sums of :func:`_products`; NaN if no sample was seen by two chains."""
    count, first, second, squares, own, mixed = total[:, total[0] ** 2 > total[3]]
    pairs = ((count**2 - squares) / count).sum()
    gaps = (count * second - mixed - first**2 + own) / count
    return float(total.shape[1] * gaps.sum() / pairs) if pairs else float("nan")


def _within(count: Floats, first: Floats, second: Floats) -> tuple[float, float]:
    """Squares about the mean of the chain itself, and their degrees of freedom."""
    often = count >= 2
    squares = second[often] - first[often] ** 2 / count[often]
    return float(squares.sum()), float((count[often] - 1).sum())


def variance_of_sums(sums: Floats) -> tuple[float, float]:
    """Functional variance V and its standard error, by a jackknife over the chains.

    V̂ = n Σ_i Σ_t (ℓ_it − ℓ̄_i)² / Σ_i (m_i − 1) over the observations i seen m_i ≥ 2 times.  Sums,
    shape (3, chains, n), are how often each chain saw each observation, and the sums of its losses
    and their squares.  V is NaN if no observation was seen twice.

    >>> sums = np.array([[[4.0], [4.0]], [[0.0], [0.0]], [[7.0], [7.0]]])   # ±1 or so, eight times
    >>> variance_of_sums(sums)[0]
    2.0
    """

    def variance(part: Floats) -> float:
        return float(samples * mean_variance(part)[0])

    total = sums.sum(axis=1)
    _, chains, samples = sums.shape
    left = np.array([variance(total - sums[:, c]) for c in range(chains)])
    error = np.sqrt((chains - 1) / chains * ((left - left.mean()) ** 2).sum())
    return variance(total), float(error)


def mean_variance(sums: Floats) -> tuple[float, int]:
    """Variance within places, pooled, and its degrees of freedom Σ (m − 1); NaN for none.

    Sums, shape (3, ...), are how many numbers each place has, their sums and those of their
    squares.
    """
    squares, freedom = _within(*sums.reshape(3, -1))
    return squares / freedom if freedom else float("nan"), int(freedom)
