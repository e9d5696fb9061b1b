"""Posterior probabilities that remain possible where some coefficients are only bounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from rlct.criteria.evidence_equations import probabilities_of, solve_evidences
from rlct.criteria.statistic import FloatArray

__all__ = ["PossibleOutcomes", "possible_outcomes"]

_MOST_CORNERS: Final = 1024  # of the box; of a larger one as many at random
_INNER_POINTS: Final = 9  # on an edge of the box, beside its ends


@dataclass(frozen=True)
class PossibleOutcomes:
    """What the criterion says somewhere in the box of the open coefficients.

    Parameters
    ----------
    log_evidence, probability : FloatArray, shape (k, 2)
        Least and largest of each model.
    candidates : tuple of int
        Models that are best somewhere.
    deciding : tuple of (int, int)
        Cells (model, truth) of which the best model depends when all others are held.
    """

    log_evidence: FloatArray
    probability: FloatArray
    candidates: tuple[int, ...]
    deciding: tuple[tuple[int, int], ...]


def possible_outcomes(
    lower_table: FloatArray, upper_table: FloatArray, log_prior: FloatArray
) -> PossibleOutcomes:
    """Search the box between two tables of log L_ij.

    Neither evidences nor probabilities are monotone in each L_ij (more evidence of a submodel
    lowers that of a model which fits better than it does there).  So all corners are compared, and
    from the best of them one coordinate after another is moved to the best of some points between.

    Examples
    --------
    >>> least = np.array([[-10.0, -np.inf], [-13.0, -12.0]])
    >>> most = np.array([[-10.0, -np.inf], [-9.0, -12.0]])
    >>> found = possible_outcomes(least, most, np.zeros(2))
    >>> found.candidates, found.deciding, found.probability.round(2).tolist()
    ((0, 1), ((1, 0),), [[0.44, 0.95], [0.05, 0.56]])
    """
    size = len(lower_table)
    cells = [(int(i), int(j)) for i, j in np.argwhere(lower_table < upper_table)]
    cell_ends = [(float(lower_table[cell]), float(upper_table[cell])) for cell in cells]

    def outcome(values: Sequence[float]) -> FloatArray:
        """Evidences, then probabilities."""
        table = lower_table.copy()
        for cell, value in zip(cells, values, strict=True):
            table[cell] = value
        evidences = solve_evidences(table, log_prior)
        return np.concatenate([evidences, probabilities_of(evidences + log_prior)])

    box_corners = _corners(cell_ends)
    corner_outcomes = np.array([outcome(one_corner) for one_corner in box_corners])
    found_ranges = np.empty((2 * size, 2))
    for which in range(2 * size):
        for side, sign in enumerate((-1.0, 1.0)):
            start = box_corners[int(np.argmax(sign * corner_outcomes[:, which]))]
            found_ranges[which, side] = _moved(start, cell_ends, which, sign, outcome)
    best_models = corner_outcomes[:, size:].argmax(axis=1)
    deciding_cells = set()
    for one_corner, chosen in zip(box_corners, best_models, strict=True):
        for at, pair in enumerate(cell_ends):
            other_end = _with(one_corner, at, pair[one_corner[at] == pair[0]])
            if outcome(other_end)[size:].argmax() != chosen:
                deciding_cells.add(cells[at])
    candidates = tuple(sorted(set(best_models.tolist())))
    return PossibleOutcomes(
        found_ranges[:size], found_ranges[size:], candidates, tuple(sorted(deciding_cells))
    )


def _corners(ends: Sequence[tuple[float, float]]) -> list[tuple[float, ...]]:
    if 2 ** len(ends) <= _MOST_CORNERS:
        return list(product(*ends))
    rng = np.random.default_rng(0)
    chosen = rng.integers(2, size=(_MOST_CORNERS, len(ends)))
    return [tuple(pair[k] for pair, k in zip(ends, row, strict=True)) for row in chosen.tolist()]


def _with(corner: Sequence[float], at: int, value: float) -> tuple[float, ...]:
    return (*corner[:at], value, *corner[at + 1 :])


def _moved(
    start: tuple[float, ...],
    ends: Sequence[tuple[float, float]],
    which: int,
    sign: float,
    outcome: Callable[[Sequence[float]], FloatArray],
) -> float:
    """The largest of one number, or least for −1, from a corner on along the axes."""
    best = sign * outcome(start)[which]
    for at, pair in enumerate(ends):
        for value in np.linspace(*pair, _INNER_POINTS + 2):
            moved = _with(start, at, float(value))
            if (reached := sign * outcome(moved)[which]) > best:
                best, start = reached, moved
    return float(sign * best)
