"""Exact draws of the variables in which all generators are linear, given the others."""

import numpy as np
from scipy.stats import truncnorm

from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Floats

WIDEST_BLOCK = 24  # variables of a block whose directions are turned
# Beyond this nβ a turned direction mixes rounding errors of one variable into a smaller one.
TURNED_RESOLUTION = 1e30
FLAT_CHANGE = 1e-6  # change of the exponent along a line below which it is constant
STEEP_DEVIATIONS = 1e4  # standard, from a line to the minimum, beyond which it is left alone


def linear_blocks(target: PolynomialTarget) -> list[list[int]]:
    """Sets of variables of which every term of a generator has at most one, to the first power.

    Given the others nβ·Σ g² is a quadratic function of a block.  Variables whose prior is not
    constant are in none.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> linear_blocks(PolynomialTarget([{(1, 0, 1): 1, (0, 1, 3): 2}], squared=True))
    [[0, 1]]
    """
    if not target.squared:
        return []
    exponents = np.array(sorted({e for g in target.generators for e in g}))
    blocks: list[list[int]] = []
    for i in np.flatnonzero((exponents.max(axis=0) == 1) & (target.prior == 0)).tolist():
        for block in blocks:
            if (exponents[:, [*block, i]].sum(axis=1) <= 1).all():
                block.append(i)
                break
        else:
            blocks.append([i])
    return blocks


def redraw_blocks(
    target: PolynomialTarget,
    blocks: list[list[int]],
    w: Floats,
    n_beta: float,
    rng: np.random.Generator,
    localization: float = 0.0,
) -> Floats:
    """Draw each block anew from exp(−nβK − γ|w|²/2)·prior given the others, line by line.

    The lines are along the principal directions of the quadratic function, so that a draw along
    each of them is, but for the walls of the box, a draw of the block whatever it was before: a
    step of Metropolis' goes no further than the narrowest direction allows.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> target = PolynomialTarget([{(1, 1): 1}], squared=True)             # (xy)²
    >>> w = np.full((40_000, 2), 0.5)
    >>> w = redraw_blocks(target, [[0]], w, 200.0, np.random.default_rng(0))      # x ~ N(0, 1/100)
    >>> round(float(w[:, 0].std()), 3), set(w[:, 1])
    (0.1, {np.float64(0.5)})
    """
    w = w.copy()
    for block in blocks:
        box_walls = np.where(target.nonneg[block], 0.0, -target.radius), target.radius
        residual = target.values(w)
        columns = np.stack([target.slopes(w, i) for i in block], axis=2)
        if localization:  # nβ times the square of further generators
            unit = np.sqrt(0.5 * localization / n_beta)
            further = np.broadcast_to(unit * np.eye(len(block)), (len(w), len(block), len(block)))
            columns = np.concatenate([columns, further], axis=1)
            residual = np.concatenate([residual, unit * w[:, block]], axis=1)
        for direction in _directions(columns, target.resolution):
            image = np.einsum("ngk,nk->ng", columns, direction)
            low, high = _ends(box_walls, w[:, block], direction)
            steps = _steps(n_beta, image, residual, low, high, rng)
            w[:, block] += steps[:, None] * direction
            residual += steps[:, None] * image
        w[:, block] = np.clip(w[:, block], *box_walls)  # rounding may have gone beyond
    return w


def _directions(columns: Floats, resolution: float) -> list[Floats]:
    """Principal directions of each point, or those of the variables; each of shape (n, k)."""
    n, g, k = columns.shape
    if k == 1 or k > WIDEST_BLOCK or resolution > TURNED_RESOLUTION:
        return [np.broadcast_to(axis, (n, k)) for axis in np.eye(k)]
    if g < k:
        columns = np.concatenate([columns, np.zeros((n, k - g, k))], axis=1)
    turned = np.linalg.svd(columns, full_matrices=False)[2]
    return [turned[:, j] for j in range(k)]


def _ends(walls: tuple[Floats, float], here: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """How far the box reaches along a direction and against it."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        steps = np.stack([(wall - here) / direction for wall in walls])
    steps[:, direction == 0] = [[-np.inf], [np.inf]]
    low, high = steps.min(axis=0).max(axis=1), steps.max(axis=0).min(axis=1)
    return np.minimum(low, 0.0), np.maximum(high, 0.0)


def _steps(
    n_beta: float,
    image: Floats,
    residual: Floats,
    low: Floats,
    high: Floats,
    rng: np.random.Generator,
) -> Floats:
    """Draw t between the ends from exp(−nβ|residual + t·image|²)."""
    uniform_draws = rng.random(len(low))
    curvature = np.einsum("ng,ng->n", image, image)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        centre = -np.einsum("ng,ng->n", image, residual) / curvature
        width = 1.0 / np.sqrt(2.0 * n_beta * curvature)
        below, above = (low - centre) / width, (high - centre) / width
        steep = np.maximum(below, -above)
        change = (above - below) * np.maximum(np.abs(below), np.abs(above))
    steps = low + uniform_draws * (high - low)
    curved = np.isfinite(change) & (change > FLAT_CHANGE)
    drawn = truncnorm.ppf(uniform_draws[curved], below[curved], above[curved])
    steps[curved] = centre[curved] + width[curved] * drawn
    steps[curved & (steep > STEEP_DEVIATIONS)] = 0.0
    return np.clip(np.where(np.isfinite(steps), steps, 0.0), low, high)
