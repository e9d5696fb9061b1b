"""Spikes: planted weights of known tempered mean, under the same steps as those of a module.

Of ½hv² beside γv²/2 nβL has the mean ½nβh/(nβh + γ), of ¼cv⁴ one by quadrature.  Which of these a
run of this ε, length and precision recovers says which curvatures of a module it can have filled.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from rlct.models.kit.tempered_mean import monomial_mean, regression_mean
from rlct.sampling.markov_chains.langevin_step import LangevinStep
from rlct.sampling.targets.target import Floats

SPIKE_DECADES, SPIKES_EACH = (
    12,
    32,
)  # of curvature, below the sharpest; of squares, of fourth powers
SPIKE_CHAINS = 64  # more than a module has: what is shown is the steps, and not their luck
MOST_OFF = 0.1  # of the exact mean, beyond which a spike is not recovered
LEAST_PULL = 1e-6  # beside √(nβc), which is nothing
SURE_ERRORS = 4.0  # fourth powers have long tails: at 3 of them a spike in a hundred was called off


class SpikedRun(NamedTuple):
    """What a run does to a planted weight."""

    n_beta: float
    #: γ and the precision of the prior.
    pull: float
    #: Curvature of L at w*, with which spikes begin.
    sharpest: float
    #: ε.
    step_size: float
    num_burnin: int
    num_draws: int
    #: Typical size of a weight, beside which small steps round away.
    weight_size: float
    #: Of the state of chains, by its name in NumPy.
    dtype: str
    seed: int


@dataclass(frozen=True)
class Spikes:
    """Means of nβL of planted weights, beside the exact ones; all arrays have the shape (64,)."""

    #: 2 of ½hv², 4 of ¼cv⁴.
    powers: Floats
    #: nβh; of ¼cv⁴ the mean of 3nβcv², roughly: 3·√(nβc).
    stiffness: Floats
    #: E[nβL], what the steps give, and its standard error.
    exact: Floats
    mean: Floats
    error: Floats
    #: Whether a usual step is lost beside the size of the weight.
    rounded: Floats

    @property
    def states(self) -> list[str]:
        """Of each spike ``"recovered"``, ``"not filled"``, ``"too hot"`` or ``"rounded away"``."""
        room = MOST_OFF * self.exact + SURE_ERRORS * self.error
        words = np.where(self.mean < self.exact - room, "not filled", "recovered")
        words = np.where(self.mean <= self.exact + room, words, "too hot")  # or no number
        return [str(word) for word in np.where(self.rounded, "rounded away", words)]

    def __str__(self) -> str:
        rows = zip(self.powers, self.states, self.stiffness, strict=True)
        lines = []
        for (power, state), group in groupby(rows, key=lambda row: row[:2]):
            stiffness = [row[2] for row in group]
            shape, bend = ("½hv²", "nβh") if power == 2 else ("¼cv⁴", "3√(nβc)")
            span = f"{min(stiffness):.1e} … {max(stiffness):.1e}"
            lines.append(f"{shape}  {bend:>7} {span}  {state}")
        return "\n".join(lines)

    @property
    def recovered(self) -> Floats:
        """Means as shares of the exact ones."""
        return np.asarray(self.mean / self.exact)


@lru_cache(maxsize=4)
def run_spikes(run: SpikedRun) -> Spikes:
    """Take the steps of a run on 64 planted weights.

    >>> run = SpikedRun(100.0, 1.0, 1.0, 4e-3, 500, 1000, 1.0, "float32", 0)
    >>> print(run_spikes(run))  # directions that γ alone confines relax in 1/(εγ) = 250 steps
    ½hv²      nβh 1.0e-10 … 1.0e+02  recovered
    ¼cv⁴  3√(nβc) 1.0e-10 … 1.0e+02  recovered
    >>> set(run_spikes(run._replace(step_size=4e-5)).states[:20])
    {'not filled'}
    """
    stiffness = run.n_beta * run.sharpest * np.logspace(-SPIKE_DECADES, 0, SPIKES_EACH)
    quartic = (stiffness / 3.0) ** 2
    means = [regression_mean(h, 1.0, run.pull) for h in stiffness]
    for c in quartic:  # 0 of a loss that is constant nearby
        pull = max(run.pull, LEAST_PULL * c**0.5)  # without γ the mean is ¼, too
        means.append(monomial_mean([4], c, pull, factor=0.25) if c else 0.0)
    rng, kind = np.random.default_rng([run.seed, 2]), np.dtype(run.dtype).type
    curvatures, fourth = np.zeros((2, 2 * SPIKES_EACH), kind)
    curvatures[:SPIKES_EACH], fourth[SPIKES_EACH:] = stiffness, quartic
    step = LangevinStep(kind(run.step_size), None, np.vecdot)
    centre, pull = kind(run.weight_size), kind(run.pull)
    w = np.full((SPIKE_CHAINS, 2 * SPIKES_EACH), centre)
    total = np.zeros(w.shape)
    with np.errstate(over="ignore", invalid="ignore"):  # of steps that are too large
        for number in range(run.num_burnin + run.num_draws):
            noise = step.half_root * rng.standard_normal(w.shape, dtype=kind)
            w += noise
            offset = w - centre
            squares = offset * offset
            if number >= run.num_burnin:
                total += (0.5 * curvatures + 0.25 * fourth * squares) * squares
            step.finish(w, (curvatures + fourth * squares + pull) * offset, noise)
    by_chain = total / max(run.num_draws, 1)
    stiff = np.tile(stiffness, 2) + run.pull
    usual_step = 0.5 * run.step_size * np.sqrt(stiff)  # the drift at one standard deviation
    return Spikes(
        powers=np.repeat([2, 4], SPIKES_EACH),
        stiffness=np.tile(stiffness, 2),
        exact=np.array(means),
        mean=by_chain.mean(axis=0),
        error=by_chain.std(axis=0, ddof=1) / np.sqrt(SPIKE_CHAINS),
        rounded=usual_step < 0.5 * np.spacing(centre),
    )
