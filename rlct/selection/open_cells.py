"""Posterior probabilities that remain possible where some coefficients are only bounded."""

from typing import NamedTuple

import numpy as np

from rlct.criteria.evidence_equations import evidence_root, normalize_logs
from rlct.criteria.statistic import FloatArray


class PossibleOutcomes(NamedTuple):
    """What the criterion may say in the box of the open coefficients."""

    #: Ends of an interval for each model.
    log_evidence: FloatArray
    probability: FloatArray
    #: Models that may be best.
    candidates: tuple[int, ...]


def possible_outcomes(
    lower_table: FloatArray, upper_table: FloatArray, log_prior: FloatArray
) -> PossibleOutcomes:
    """Intervals that hold every outcome between two tables of log L_ij.

    An evidence x_i rises with each L_ij; with x_j it rises where L_ij > x_i, and falls elsewhere.

    >>> least = np.array([[-10.0, -np.inf], [-13.0, -12.0]])
    >>> most = np.array([[-10.0, -np.inf], [-9.0, -12.0]])
    >>> found = possible_outcomes(least, most, np.zeros(2))
    >>> found.candidates, found.probability.round(2).tolist()
    ((0, 1), [[0.44, 0.95], [0.05, 0.56]])
    """
    size = len(lower_table)
    ends = np.empty((size, 2))
    for i in range(size):
        below = ends[:i] + (log_prior[:i] - log_prior[i])[:, None]
        for side, table in enumerate((lower_table, upper_table)):
            ends[i, side] = _extreme(table[i, i], table[i, :i], below, side)
    least, most = (ends + log_prior[:, None]).T
    sides = []
    for own, others in ((least, most), (most, least)):
        logs = np.where(np.eye(size, dtype=bool), own, others)
        sides.append(normalize_logs(logs).diagonal())
    beaten = np.tril(least >= most[:, None], -1) | np.triu(least > most[:, None], 1)
    candidates = tuple(np.flatnonzero(~beaten.any(axis=1)).tolist())
    return PossibleOutcomes(ends, np.stack(sides, axis=1), candidates)


def _extreme(own: FloatArray, products: FloatArray, below: FloatArray, side: int) -> float:
    """The least (0) or largest (1) root for weights between two ends.

    Each step takes the ends that are better at the last root; as many as weights are enough.
    """
    root = own
    for _ in range(len(products) + 2):
        weights = np.where(products > root, below[:, side], below[:, 1 - side])
        root = evidence_root(own, products, weights)
    return float(root)
