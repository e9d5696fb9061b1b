"""Posterior probabilities that remain possible where some coefficients are only bounded."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rlct.criteria.evidence_equations import normalize_logs, solve_evidences
from rlct.criteria.statistic import FloatArray

_MOST_CORNERS: Final = 1024  # of the box; of a larger one as many at random
_INNER_POINTS: Final = 9  # on an edge of the box, beside its ends


@dataclass(frozen=True)
class PossibleOutcomes:
    """What the criterion says somewhere in the box of the open coefficients."""

    #: Least and largest of each model.
    log_evidence: FloatArray
    probability: FloatArray
    #: Models that are best somewhere.
    candidates: tuple[int, ...]
    #: Cells (model, truth) of which the best model depends when all others are held.
    deciding: tuple[tuple[int, int], ...]


def possible_outcomes(
    lower_table: FloatArray, upper_table: FloatArray, log_prior: FloatArray
) -> PossibleOutcomes:
    """Search the box between two tables of log L_ij.

    Neither evidences nor probabilities are monotone in each L_ij (more evidence of a submodel
    lowers that of a model which fits better than it does there).  So all corners are compared, and
    from the best of them one coordinate after another is moved to the best of some points between.

    >>> least = np.array([[-10.0, -np.inf], [-13.0, -12.0]])
    >>> most = np.array([[-10.0, -np.inf], [-9.0, -12.0]])
    >>> found = possible_outcomes(least, most, np.zeros(2))
    >>> found.candidates, found.deciding, found.probability.round(2).tolist()
    ((0, 1), ((1, 0),), [[0.44, 0.95], [0.05, 0.56]])
    """
    size = len(lower_table)
    open_places = np.argwhere(lower_table < upper_table)
    cells = (open_places[:, 0], open_places[:, 1])
    end_values = np.array([lower_table[cells], upper_table[cells]])

    def outcomes(values: FloatArray) -> FloatArray:
        """Evidences, then probabilities, of tables with these values in the open cells."""
        tables = np.broadcast_to(lower_table, (len(values), size, size)).copy()
        tables[:, cells[0], cells[1]] = values
        evidences = solve_evidences(tables, log_prior)
        return np.concatenate([evidences, normalize_logs(evidences + log_prior)], axis=1)

    chosen_ends = _corners(len(open_places))
    corner_values = end_values[chosen_ends, np.arange(end_values.shape[1])]
    corner_outcomes = outcomes(corner_values)
    best_models = corner_outcomes[:, size:].argmax(axis=1)
    deciding_cells = []
    for at, cell in enumerate(open_places.tolist()):
        other_values = corner_values.copy()
        other_values[:, at] = end_values[1 - chosen_ends[:, at], at]
        if (outcomes(other_values)[:, size:].argmax(axis=1) != best_models).any():
            deciding_cells.append((cell[0], cell[1]))
    found_ranges = np.empty((2 * size, 2))
    for which in range(2 * size):
        for side, sign in enumerate((-1.0, 1.0)):
            start = corner_values[(sign * corner_outcomes[:, which]).argmax()]
            found_ranges[which, side] = _moved(start, end_values, which, sign, outcomes)
    candidates = tuple(sorted(set(best_models.tolist())))
    return PossibleOutcomes(
        found_ranges[:size], found_ranges[size:], candidates, tuple(deciding_cells)
    )


def _corners(count: int) -> NDArray[np.int64]:
    """Rows of 0 and 1: which end each open cell has."""
    if 2**count <= _MOST_CORNERS:
        return np.array(list(product((0, 1), repeat=count)), dtype=np.int64).reshape(
            2**count, count
        )
    return np.random.default_rng(0).integers(2, size=(_MOST_CORNERS, count))


def _moved(
    start: FloatArray,
    ends: FloatArray,
    which: int,
    sign: float,
    outcomes: Callable[[FloatArray], FloatArray],
) -> float:
    """The largest of one number, or least for −1, from a corner on along the axes."""
    best = sign * outcomes(start[None])[0, which]
    for at, (low, high) in enumerate(ends.T):
        moved = np.repeat(start[None], _INNER_POINTS + 2, axis=0)
        moved[:, at] = np.linspace(low, high, _INNER_POINTS + 2)
        reached = sign * outcomes(moved)[:, which]
        if reached.max() > best:
            best, start = reached.max(), moved[reached.argmax()]
    return float(sign * best)
