"""The loss around w*, from a few samples: its sharpest curvature, and whether it falls nearby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.tuning import LossLandscape
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch

__all__ = ["MOST_PROBES", "StartPoint", "look_around"]

MOST_PROBES = 1024  # samples of which the loss is looked at beside the sampling, at most
POWER_ROUNDS = 8  # rounds of power iteration: the sharpest curvature to a few per cent
NEAR_SHARE = 1e-3  # of the size of weights, the length of differences of slopes
DESCENT_STEPS = 20  # of Nesterov's; they reach directions 400 times flatter than the sharpest
SURE_ERRORS = 3.0  # standard errors by which a fall must exceed noise
DESCENT_SHARE = 0.06  # of the gradients of the sampling, for each of the two looks


@dataclass(frozen=True)
class StartPoint(LossLandscape):
    """What was seen around w* on the probes; their noise is not looked at.

    The drop is by how much a short descent on half of the probes lowers the loss of the other half,
    less three standard errors; 0 where it does not.

    Parameters
    ----------
    probes : torch.Tensor of int
        Rows of the samples that were looked at.
    """

    probes: Array


def look_around(
    loss: NetworkLoss, start_losses: Array, work: float, seed: int, rows_together: int
) -> StartPoint:
    """Look at curvature and descent with at most a small share of ``work`` sample gradients."""
    torch = import_torch()
    rng = np.random.default_rng([seed, 1])
    affordable = DESCENT_SHARE * work / (2 * POWER_ROUNDS)
    count = int(
        np.clip(affordable, min(32, len(loss.samples)), min(MOST_PROBES, len(loss.samples)))
    )
    rows = torch.as_tensor(np.sort(rng.choice(len(loss.samples), count, replace=False)))
    x, y = loss.samples.take(rows)
    _check_slopes(loss, x[:rows_together], y[:rows_together])
    generator = torch.Generator(device=loss.device).manual_seed(int(rng.integers(2**62)))
    curvature = _curvature(loss, x, y, generator, rows_together)
    fall = _fall(loss, start_losses, rows, curvature, rows_together)
    return StartPoint(curvature, fall, 0.0, rows)


def _check_slopes(loss: NetworkLoss, x: Array, y: Array) -> None:
    if not bool(_slope(loss, loss.centre, x, y, len(x)).isfinite().all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )


def _curvature(loss: NetworkLoss, x: Array, y: Array, generator: Any, rows_together: int) -> float:
    """Power iteration on differences of slopes, which see the curvature near a flat point, too."""
    torch = import_torch()
    centre = loss.centre
    typical = max(float(centre.double().square().mean().sqrt()), 1e-3)
    step_length = NEAR_SHARE * typical * len(centre) ** 0.5
    direction = torch.randn(
        len(centre), generator=generator, device=centre.device, dtype=centre.dtype
    )
    if loss.mask is not None:
        direction = direction * loss.mask
    top_curvature = 0.0
    for _ in range(POWER_ROUNDS):
        size = float(torch.linalg.vector_norm(direction))
        if not size > 0 or not np.isfinite(size):
            break
        step = direction * (step_length / size)
        ends = [_slope(loss, centre + sign * step, x, y, rows_together) for sign in (1, -1)]
        direction = (ends[0] - ends[1]) / (2 * step_length)
        top_curvature = max(top_curvature, float(torch.linalg.vector_norm(direction)))
    return top_curvature


def _slope(loss: NetworkLoss, weights: Array, x: Array, y: Array, rows_together: int) -> Array:
    slope = 0.0
    for first in range(0, len(x), rows_together):
        part = slice(first, first + rows_together)
        found = loss.gradient(weights[None], x[None, part], y[None, part], vectorized=False)[0][0]
        slope = slope + found * (len(x[part]) / len(x))
    return slope if loss.mask is None else slope * loss.mask


def _fall(
    loss: NetworkLoss, start_losses: Array, rows: Array, curvature: float, rows_together: int
) -> float:
    """Descend on one half, and believe what the other half says: where all data are seen, on all.

    Of weights that minimise the loss of all data a descent on half of the probes is a step away.
    """
    if not curvature > 0:
        return 0.0
    torch = import_torch()
    sees_all = len(rows) == len(loss.samples)
    inner, outer = (rows, rows) if sees_all else (rows[::2], rows[1::2])
    x, y = loss.samples.take(inner)
    held_x, held_y = loss.samples.take(outer)
    start = start_losses[outer.to(start_losses.device)]
    weights = before = loss.centre
    lowest_change = 0.0
    for k in range(DESCENT_STEPS):
        slope = _slope(loss, weights, x, y, rows_together)
        after = weights - slope / curvature
        weights, before = after + k / (k + 3.0) * (after - before), after
        if k % 4 == 3:
            parts = zip(held_x.split(rows_together), held_y.split(rows_together), strict=True)
            found = [loss.sample_losses(after[None], *part)[0] for part in parts]
            change = (torch.cat(found) - start).double()
            noise = 0.0 if sees_all else SURE_ERRORS * float(change.std()) / len(change) ** 0.5
            seen = float(change.mean()) + noise
            if not np.isfinite(seen):
                break
            lowest_change = min(lowest_change, seen)
    return -lowest_change
