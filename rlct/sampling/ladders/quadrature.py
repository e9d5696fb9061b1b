"""Exact tempered means for polynomials in at most three variables, with checked errors.

The innermost integral runs along lines on which K is a polynomial in one variable.  Its
scales are set by the distances to its complex roots, so the line is cut in halves, quarters,
… towards the real part of every root: ridges of any width are met head-on, never searched
for.  The other variables take the trapezoidal rule in log|w|.  K is recorded as a histogram
of log K, the density of states, so one pass serves every nβ at once.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.targets.lines import Lines
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Floats

LOG_BIN = 0.03  # of log K; a convention
# Levels of K this factor e^{−BELOW} under 1/nβ no longer matter to a tempered mean.
LOG_BELOW = 17.0
# Length of the ladder in log nβ, from nβ = 1/median K: enough for the second pole to show.
LOG_SPANS = {1: 26.0, 2: 26.0, 3: 14.0}
COLLAPSED_SHARE = 0.7  # of the last slope: less at a longer ladder is rounding, as λ > 0
# Steps in log|w| tried one after the other, by number of outer variables.
GRID_STEPS = {0: (1.0,), 1: (0.1, 0.05, 0.02), 2: (0.3, 0.2)}
MOST_EVALUATIONS = 150_000_000  # evaluations of K; a convention
# Finer steps are tried until the error meets the goal; worse than the tolerance is refused.
GOAL_ERRORS = {0: 1e-3, 1: 2e-5, 2: 2e-3}
SLOPE_TOLERANCE = 2e-3  # of a slope, absolute


class UnresolvedIntegral(RuntimeError):  # noqa: N818  (a state of the integral, not a failure of code)
    """The integral did not reach its tolerance within the budget."""


@dataclass(frozen=True)
class DensityOfStates:
    """Prior mass by log K; gives Z, V and tempered means at every nβ."""

    #: Shape (bins,).
    log_k: Floats
    #: Shape (bins,).
    mass: Floats
    #: Largest error of a tempered mean over the range of nβ, as estimated.
    error: float

    def log_partition(self, n_beta: Floats) -> Floats:
        """Log of ∫ exp(−nβ K) φ / ∫ φ at each nβ."""
        with np.errstate(under="ignore"):
            terms = np.exp(-np.multiply.outer(n_beta, np.exp(self.log_k))) * self.mass
        return np.asarray(np.log(terms.sum(axis=-1) / self.mass.sum()))

    def mean(self, n_beta: Floats) -> Floats:
        """Tempered mean of nβ K at each nβ, shape like ``n_beta``."""
        energy = np.multiply.outer(n_beta, np.exp(self.log_k))
        with np.errstate(under="ignore"):
            terms = np.exp(-energy) * self.mass
        return np.asarray((terms * energy).sum(axis=-1) / terms.sum(axis=-1))


def density_of_states(
    target: PolynomialTarget,
    *,
    top: float = 1e10,
    localization: float = 0.0,
    progress: Progress | None = None,
) -> DensityOfStates:
    """Integrate the prior by level of K.

    Up to ``top`` tempered means must be right; ``localization`` is γ of a factor exp(−γ|w|²/2)
    beside the prior.  UnresolvedIntegral if steps of the finest size still change a tempered mean
    too much.

    >>> states = density_of_states(PolynomialTarget([{(1,): 1}], squared=True))
    >>> bool(abs(states.mean(np.array([1e6]))[0] - 0.5) < 1e-4)     # K = x²
    True
    """
    if target.dimension > 3:
        raise InputError("quadrature needs at most three variables")
    if top < math.e**2:
        raise UnresolvedIntegral(f"K is so large that nβ = {top:.1g} ends the ladder: rescale K")
    lowest_log_k = -np.log(top) - LOG_BELOW
    lines = Lines(target, localization, lowest_log_k)
    highest_log_k = lines.highest_log_k()
    if not np.isfinite(highest_log_k - lowest_log_k):
        raise UnresolvedIntegral("K underflows")
    if highest_log_k <= lowest_log_k:
        raise UnresolvedIntegral(
            f"K is so small that nβ = {top:.1g} shows nothing of it: rescale K"
        )
    edges = lowest_log_k + LOG_BIN * np.arange(int((highest_log_k - lowest_log_k) / LOG_BIN) + 3)
    m = len(lines.outer)
    far_nodes = f"its nodes do not come as near to a zero as nβ = {top:.1g} asks"
    worst_error = np.inf
    best_states: DensityOfStates | None = None
    for step in GRID_STEPS[m]:
        # Three grids of one set of points: steps h, 2h and 4h.
        ticks = _ticks(lines, step, top)
        cost = float(np.prod([len(t) for t in ticks])) * len(lines.orthants()) * lines.nodes
        if cost > MOST_EVALUATIONS:
            if worst_error <= SLOPE_TOLERANCE:
                break
            raise UnresolvedIntegral(
                f"it needs {cost:.3g} evaluations of K, more than {MOST_EVALUATIONS:.3g}"
            )
        *mass_grids, ends = _sum(lines, step, edges, ticks, progress)
        probes = np.exp(np.arange(min(-highest_log_k, np.log(top)), np.log(top) + 0.5, 0.5))
        with np.errstate(invalid="ignore"):
            grid_means = [DensityOfStates(edges, grid, 0.0).mean(probes) for grid in mass_grids]
        if not np.isfinite(grid_means[0]).all():
            raise UnresolvedIntegral(far_nodes)
        # Whatever mass a rule cannot place, a mean moves by no more than its share.
        unsure = np.interp(-np.log(probes), edges, ends.sum() - np.cumsum(ends))
        shares = np.exp(DensityOfStates(edges, mass_grids[0], 0.0).log_partition(probes))
        unsure_share = float((unsure / (shares * mass_grids[0].sum())).max())
        if unsure_share > GOAL_ERRORS[m]:
            raise UnresolvedIntegral(far_nodes)
        first = float(np.abs(grid_means[0] - grid_means[1]).max())
        second = float(np.abs(grid_means[1] - grid_means[2]).max())
        # Errors of the trapezoidal rule fall geometrically in 1/h for analytic integrands;
        # the next one is at most the last change times the last ratio.
        worst_error = first * min(1.0, first / second) if m and second > 0 else 0.0
        best_states = DensityOfStates(edges, mass_grids[0], max(worst_error, 2e-5))
        if worst_error <= GOAL_ERRORS[m]:
            return best_states
    if worst_error <= SLOPE_TOLERANCE and best_states is not None:
        return best_states
    raise UnresolvedIntegral(f"tempered means still change by {worst_error:.1g} at the finest step")


def _ticks(lines: Lines, step: float, top: float) -> list[NDArray[np.int_]]:
    """Numbers of the trapezoidal nodes in each outer variable."""
    reach = np.log(top) + 12.0
    ends = [reach / (1.0 + min(h, 0.0)) for h in lines.target.prior[lines.outer]]
    return [np.arange(-round(3.6 / step), round(end / step) + 1) for end in ends]


def _sum(
    lines: Lines,
    step: float,
    edges: Floats,
    axis_ticks: list[NDArray[np.int_]],
    progress: Progress | None,
) -> list[Floats]:
    """Histograms of log K for steps h, 2h, 4h, and of what may be wrong of the first."""
    m = len(lines.outer)
    points = list(itertools.product(*axis_ticks))
    index = np.array(points, dtype=int).reshape(len(points), m)
    t = step * index
    # w = radius/(1 + e^u), u = t − e^{−t}: log-uniform near 0, double-exponential at the
    # wall of the box, so that the plain trapezoidal rule converges geometrically.
    u = t - np.exp(-t)
    s = np.logaddexp(0.0, u)
    with np.errstate(under="ignore"):
        jacobian = np.exp(u - s) * (1.0 + np.exp(-t))
    measure = np.prod(jacobian, axis=1) * step**m
    level = np.where((index % 4 == 0).all(axis=1), 2, np.where((index % 2 == 0).all(axis=1), 1, 0))
    parts = np.zeros((4, len(edges)))
    order = np.argsort(level, kind="stable")
    chunk = max(1, 400_000 // lines.nodes)
    orthants = lines.orthants()
    for number, (orthant, copies) in enumerate(orthants):
        for first in range(0, len(order), chunk):
            rows = order[first : first + chunk]
            lines.accumulate(
                orthant, s[rows], copies * measure[rows], level[rows], parts, edges[0], LOG_BIN
            )
            if progress is not None:
                done = (number + (first + len(rows)) / len(order)) / len(orthants)
                progress(done, f"quadrature: step {step:g} in log|w|")
    *levels, ends = parts
    return [sum(levels), 2**m * (levels[1] + levels[2]), 4**m * levels[2], ends]


def quadrature_ladder(target: PolynomialTarget, *, progress: Progress | None = None) -> Ladder:
    """Tempered means on a ladder of nβ, exact up to the stated error: one replicate of slopes.

    The last nβ is from the median of K under the prior, so that the second pole shows.
    """
    # Only a scale is wanted, so a fixed seed and few draws will do.
    draws = target.divergence(target.sample_prior(4096, np.random.default_rng(0)))
    median = float(np.median(draws))
    if median < np.finfo(float).tiny:
        raise UnresolvedIntegral("K is zero or underflows on half of the prior")
    span = LOG_SPANS.get(target.dimension, 14.0)
    ladder = _ladder(target, float(np.exp(span)) / median, progress)
    longer = min(priors.LONGEST_QUADRATURE, priors.WANTED_TURNS / float(ladder.slopes[0, -1]))
    if longer > span and target.dimension < 3:
        # Poles lie as close together as λ is small: a small λ takes a longer ladder.
        try:
            further = _ladder(target, float(np.exp(longer)) / median, progress)
        except UnresolvedIntegral:
            return ladder
        # Tempered means tend to λ > 0.  Where they collapse instead, rounding errors have made
        # an expanded K zero on a neighbourhood of its zeros.
        if float(further.slopes[0, -1]) > COLLAPSED_SHARE * float(ladder.slopes[0, -1]):
            return further
    return ladder


def _ladder(target: PolynomialTarget, top: float, progress: Progress | None) -> Ladder:
    states = density_of_states(target, top=top, progress=progress)
    reached = np.cumsum(states.mass) / states.mass.sum()
    unit = float(np.exp(-states.log_k[np.searchsorted(reached, 0.5)]))
    levels = np.arange(0.0, np.log(top / unit), 0.5)
    means = states.mean(unit * np.exp(levels))
    return Ladder(
        start=levels,
        stop=levels,
        slopes=means[None, :],
        unit=unit,
        means=means,
        kind="tempered mean",
        error=np.full(len(levels), states.error),
    )
