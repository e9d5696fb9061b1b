"""The loss around w*, from a few samples: its sharpest curvature, and whether it falls nearby."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.spectrum import Curvatures
from rlct.sampling.markov_chains.tuning import LossLandscape
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.targets.target import Floats

LEAST_PROBES, MOST_PROBES = 32, 1024  # samples that are looked at beside the sampling
# Products of the Hessian: 8 know its top to a few per cent, 60 resolve 1/60² of it.
LEAST_PRODUCTS, USUAL_PRODUCTS, MOST_PRODUCTS = 8, 20, 60
ALL_DIRECTIONS = 1000  # that random ones stand for together: fewer weights need more of these
MOST_STARTS = 5  # a convention
CONVERGED_SHARE = 1e-6  # of the sharpest curvature, what is left of a direction
NEAR_SHARE = 1e-3  # of the size of weights, the length of differences of slopes
LEAST_ROUNDINGS = 4  # of the module's precision, which they exceed
DESCENT_STEPS = 20  # of Nesterov's; they reach directions 400 times flatter than the sharpest
SURE_ERRORS = 3.0  # standard errors by which a fall must exceed noise
UNSEEN_MARGIN = 1.5  # of the curvature on rows that were not seen, as 8 products may fall short
CURVATURE_SHARE, DESCENT_SHARE = 0.03, 0.06  # of the gradients of the sampling, for the two looks


class HessianDensity(NamedTuple):
    """The sharpest of √s (H + pull) √s, its eigenvalues, and their parts of tr √s H √s."""

    sharpest: float
    values: Floats
    trace_parts: Floats

    def curvatures(self, n_beta: float, pull: float) -> Curvatures:
        """Of nβL, if a pull beside that of the values confines the chains."""
        sums = n_beta * np.where(self.values > 0, self.trace_parts, 0.0).clip(0.0)
        return Curvatures(sums, n_beta * self.values.clip(0.0) + pull - sums)


@dataclass(frozen=True)
class StartPoint(LossLandscape):
    """What was seen around w* on the probes; their noise is not looked at.

    The drop is by how much a short descent on half of the probes lowers the loss of the other half,
    less three standard errors; 0 where it does not.
    """

    #: Rows of the samples that were looked at.
    probes: Array
    density: HessianDensity


def look_around(
    loss: NetworkLoss, start_losses: Array, work: float, seed: int, rows_together: int
) -> StartPoint:
    """Look at curvature and descent with at most a small share of ``work`` sample gradients."""
    torch = import_torch()
    rng = np.random.default_rng([seed, 1])
    affordable = int(DESCENT_SHARE * work / (2 * LEAST_PRODUCTS))
    count = min(max(affordable, LEAST_PROBES), MOST_PROBES, len(loss.samples))
    rows = torch.as_tensor(np.sort(rng.choice(len(loss.samples), count, replace=False)))
    x, y = loss.samples.take(rows)
    _check_slopes(loss, x[:rows_together], y[:rows_together])
    work *= CURVATURE_SHARE
    part = slice(max(int(work / (2 * USUAL_PRODUCTS)), LEAST_PROBES))
    density = hessian_density(
        loss, (x[part], y[part]), work, rows_together, seed=int(rng.integers(2**62))
    )
    fall = _fall(loss, start_losses, rows, density.sharpest, rows_together)
    return StartPoint(density.sharpest, fall, 0.0, rows, density)


def _check_slopes(loss: NetworkLoss, x: Array, y: Array) -> None:
    if not bool(_slope(loss, loss.centre, x, y, len(x)).isfinite().all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )


def hessian_density(
    loss: NetworkLoss,
    samples: tuple[Array, Array],
    work: float,
    rows_together: int,
    *,
    seed: int,
    scaling: Array | None = None,
    pull: float = 0.0,
) -> HessianDensity:
    """Eigenvalues of A = √s (H + pull) √s, by Lanczos, with at most so many sample gradients.

    H is the Hessian of L at w*, s a ``scaling`` of steps.  From a random direction v Lanczos has
    Ritz values θ and weights τ with v'B f(A) v ≈ Σ τ f(θ), of B = √s H √s, and d·v'B f(A) v is
    tr B f(A) in the mean.  Copies of values that have converged do no harm.
    """
    torch, moving = import_torch(), loss.moving
    affordable = int(work / (2 * len(samples[0])))
    starts = max(min(ALL_DIRECTIONS // moving, affordable // MOST_PRODUCTS, MOST_STARTS), 1)
    products = min(max(affordable // starts, LEAST_PRODUCTS), MOST_PRODUCTS, moving)
    generator = torch.Generator(device=loss.device).manual_seed(seed)
    root = None if scaling is None else scaling.sqrt()
    pulls = pull if scaling is None else pull * scaling

    def product(direction: Array, rows: slice = slice(None)) -> Array:
        x, y = (part[rows] for part in samples)
        if root is None:
            return _product(loss, direction, x, y, rows_together)
        return _product(loss, root * direction, x, y, rows_together).mul_(root)

    parts = [
        _ritz(product, pulls, _random_direction(loss, generator), products) for _ in range(starts)
    ]
    longest, values, trace_parts = zip(*parts, strict=True)
    share, sharpest = moving / len(parts), max(longest)
    if len(samples[0]) < len(loss.samples):
        unseen = _unseen_sharpest(
            product, pulls, _random_direction(loss, generator), len(samples[0])
        )
        sharpest = min(sharpest, UNSEEN_MARGIN * unseen)
    return HessianDensity(sharpest, np.concatenate(values), share * np.concatenate(trace_parts))


def _unseen_sharpest(
    product: Callable[[Array, slice], Array], pulls: Array | float, direction: Array, count: int
) -> float:
    """By powers of the Hessian, each on rows of its own, which did not choose the direction.

    Of k rows of d independent inputs the largest eigenvalue alone is (1 + √(d/k))² times too large.
    """
    torch, sharpest = import_torch(), 0.0
    size = -(-count // LEAST_PRODUCTS)
    for first in range(0, count, size):
        bent = product(direction, slice(first, first + size)) + pulls * direction
        sharpest = max(sharpest, abs(float(torch.dot(bent, direction))))
        direction = bent / torch.linalg.vector_norm(bent).clamp_min(1e-30)
    return sharpest


def _ritz(
    product: Callable[[Array], Array], pulls: Array | float, direction: Array, products: int
) -> tuple[float, Floats, Floats]:
    """Of B + pulls: the largest Ritz value in size, Ritz values, and v'B of each."""
    torch = import_torch()
    before, length, longest = torch.zeros_like(direction), 0.0, 0.0
    diagonal: list[float] = []
    beside: list[float] = []
    first_bent, shares = product(direction), list[float]()
    for k in range(products):
        bent = product(direction) if k else first_bent.clone()
        bent += pulls * direction
        shares.append(float(torch.dot(first_bent, direction)))
        along = float(torch.dot(bent, direction))
        size = float(torch.linalg.vector_norm(bent))
        if not size > 0 or not np.isfinite(size):
            break
        longest = max(longest, size)
        diagonal.append(along)
        bent -= along * direction + length * before
        length = float(torch.linalg.vector_norm(bent))
        if not length > CONVERGED_SHARE * longest:
            break
        beside.append(length)
        before, direction = direction, bent / length
    inner = beside[: max(len(diagonal) - 1, 0)]
    matrix = np.diag(diagonal or [0.0]) + np.diag(inner, 1) + np.diag(inner, -1)
    values, vectors = np.linalg.eigh(matrix)
    trace_parts = vectors[0] * (shares[: len(matrix)] @ vectors)
    return float(np.abs(values).max()), values, trace_parts


def _random_direction(loss: NetworkLoss, generator: Any) -> Array:
    torch, centre = import_torch(), loss.centre
    direction = torch.randn(
        len(centre), generator=generator, device=centre.device, dtype=centre.dtype
    )
    direction = direction if loss.mask is None else direction * loss.mask
    return direction / torch.linalg.vector_norm(direction).clamp_min(1e-30)


def _product(loss: NetworkLoss, direction: Array, x: Array, y: Array, rows_together: int) -> Array:
    """By a difference of slopes, which sees the curvature near a flat point, too."""
    torch, centre = import_torch(), loss.centre
    typical = max(float(centre.double().square().mean().sqrt()), 1e-3)
    nearest = max(NEAR_SHARE, LEAST_ROUNDINGS * float(torch.finfo(loss.dtype).eps))
    step_length = nearest * typical * len(centre) ** 0.5
    size = max(float(torch.linalg.vector_norm(direction)), 1e-30)
    step = step_length / size
    change = _slope(loss, torch.add(centre, direction, alpha=step), x, y, rows_together)
    change -= _slope(loss, torch.add(centre, direction, alpha=-step), x, y, rows_together)
    return change.mul_(0.5 / step)


def _slope(loss: NetworkLoss, weights: Array, x: Array, y: Array, rows_together: int) -> Array:
    slope: Array = None
    for first in range(0, len(x), rows_together):
        part = slice(first, first + rows_together)
        batch = weights[None], x[None, part], y[None, part]
        part_slope = loss.gradient(*batch, vectorized=False, often=False)[0][0]
        part_slope.mul_(len(x[part]) / len(x))
        slope = part_slope if slope is None else slope.add_(part_slope)
    return slope if loss.mask is None else slope.mul_(loss.mask)


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
