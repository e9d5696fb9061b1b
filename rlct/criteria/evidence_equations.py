"""The equations of the singular BIC: evidences of nested models, in logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from rlct.criteria.inputs import finite_numbers
from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.pair import Pair

#: λ and θ of a larger model at a generic truth of a smaller one; None if it is no submodel.
Coefficient: TypeAlias = Pair | tuple[Any, int] | None


def solve_evidences(tables: FloatArray, log_prior: FloatArray) -> FloatArray:
    """Logarithms of the evidences x_i, shape (…, k), from those of L_ij, shape (…, k, k).

    L_ij is −inf where model j is not contained in model i, in all tables alike.
    """
    size = tables.shape[-1]
    contained = np.isfinite(tables.reshape(-1, size, size)[0])
    log_marginals = np.empty(tables.shape[:-1])
    for i in range(size):
        inside = np.flatnonzero(contained[i, :i])
        below = log_marginals[..., inside] + log_prior[inside] - log_prior[i]
        log_marginals[..., i] = evidence_root(tables[..., i, i], tables[..., i, inside], below)
    return log_marginals


def evidence_table(
    coefficients: Sequence[Sequence[Coefficient]], fits: FloatArray, n: int
) -> FloatArray:
    """Log L_ij, −inf where j is not contained in i."""
    size = len(fits)
    table = np.full((size, size), -np.inf)
    for i, row in enumerate(coefficients):
        if len(row) != i + 1 or row[i] is None:
            raise InputError(f"row {i} of the coefficients needs {i + 1} entries, the last a pair")
        for j, entry in enumerate(row):
            if entry is not None:
                table[i, j] = fits[i] - evidence_penalty(entry, n)
    return table


def evidence_penalty(entry: Pair | tuple[Any, int], n: int) -> float:
    """λ log n − (θ − 1) log log n of a learning coefficient.

    >>> round(evidence_penalty((Fraction(1, 2), 2), 100), 3)
    0.775
    """
    lam, theta = _read(entry)
    return lam * math.log(n) - (theta - 1) * math.log(math.log(n))


def _read(entry: Any) -> tuple[float, int]:
    """λ and θ of a pair, or of (λ, θ) where λ may be 0."""
    try:
        lam, theta = (entry.lam, entry.theta) if isinstance(entry, Pair) else entry
        number = float(Fraction(lam))
        if number >= 0 and isinstance(theta, int) and theta >= 1:
            return number, theta
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        pass
    raise InputError(f"{str(entry)[:60]} is not a learning coefficient (λ, θ)")


def evidence_root(own: FloatArray, log_products: FloatArray, below: FloatArray) -> FloatArray:
    """Log of the positive root of x² + (s − L)x − c, s = Σ x_j P_j/P_i, c = Σ L_ij x_j P_j/P_i.

    Everything is given as logarithms: L, the L_ij, and the x_j P_j/P_i.
    """
    if not below.shape[-1]:
        return own
    log_s = np.logaddexp.reduce(below, axis=-1)
    log_c = np.logaddexp.reduce(log_products + below, axis=-1)
    # |s − L| without leaving logarithms; −inf if they are equal.
    top, low = np.maximum(log_s, own), np.minimum(log_s, own)
    with np.errstate(divide="ignore"):
        gap = top + np.log(-np.expm1(low - top))
    larger = np.logaddexp(gap, np.logaddexp(2.0 * gap, log_c + math.log(4.0)) / 2.0)
    # x = (|b| + √(b² + 4c))/2 for b ≤ 0, and 2c/(b + √(b² + 4c)) without cancellation for b > 0.
    found = np.where(log_s <= own, larger - math.log(2.0), log_c + math.log(2.0) - larger)
    return np.asarray(found)


def log_prior_of(prior: Sequence[float] | None, size: int) -> FloatArray:
    """Logarithms of prior probabilities of the models, up to a constant; equal by default."""
    if prior is None:
        return np.zeros(size)
    weights = finite_numbers(prior, "prior probabilities")
    if len(weights) != size or not (weights > 0).all():
        raise InputError(f"the prior needs {size} positive numbers")
    return np.asarray(np.log(weights))


def probabilities_of(logs: FloatArray) -> tuple[float, ...]:
    """Posterior probabilities of the models from logarithms of evidence times prior."""
    return tuple(normalize_logs(logs).tolist())


def normalize_logs(logs: FloatArray) -> FloatArray:
    """Numbers with these logarithms, up to a factor that makes their sum on the last axis 1."""
    weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def missed_maxima(fits: FloatArray, table: FloatArray, names: tuple[str, ...]) -> tuple[str, ...]:
    """A larger model fits at least as well; where it does not, a maximum was missed."""
    complaints = []
    for i in range(len(fits)):
        for j in np.flatnonzero(np.isfinite(table[i, :i])):
            if fits[i] < fits[j] - 1e-6 * max(1.0, abs(fits[j])):
                complaints.append(
                    f"model {names[i]} contains model {names[j]} and fits worse: "
                    "its maximum likelihood was not found"
                )
    return tuple(complaints)
