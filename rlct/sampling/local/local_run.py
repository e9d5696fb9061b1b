"""A run at one nβ from w₀: what is looked at before it, and losses of samples at its draws."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.arrays import Array, value_and_gradient
from rlct.sampling.local.length import SECONDS_WORK
from rlct.sampling.local.sample_losses import SampleLosses, flatten_tokens
from rlct.sampling.local.spikes import SpikedRun
from rlct.sampling.markov_chains.chains import ChainRun
from rlct.sampling.markov_chains.kernel import RunSettings
from rlct.sampling.markov_chains.kernel_loop import KernelLoop
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import MOST_GRADIENTS, Spectrum, spectrum
from rlct.sampling.markov_chains.tuning import LossLandscape, loss_landscape
from rlct.sampling.targets.effort import data_work
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget, Floats, Target

BATCH_WORK = 2e6  # gradients of samples that the Hessian may take, a tenth of what sgld does
MOST_LOOKS, LEAST_LOOKS = 200, 10  # draws of each chain that are looked at; conventions
LOOK_WORK = 2e10  # products that all losses take together
HELD_LOSSES = 2**22  # losses that are held: 16 MB
FEW_LOOKS = 4  # below which losses of samples say nothing of their covariances


class LocalRun(ChainRun):
    """Chains at one nβ that begin at w₀.

    Parameters
    ----------
    target : Target
    run_settings : RunSettings

    Attributes
    ----------
    landscape : LossLandscape or None
        Around w₀; None where neither data nor a step asked for it.
    curvatures : Spectrum or None
        Of the loss on data at w₀, where they are affordable.
    """

    landscape: LossLandscape | None = None
    curvatures: Spectrum | None = None

    def __init__(self, target: Target, run_settings: RunSettings, *, gauge_every: int = 1) -> None:
        self.settings, self.target = run_settings, target
        #: Why steps are other than the usual ones.
        self.remarks: list[str] = []
        super().__init__(
            self.new_loop(run_settings.lr),
            run_settings.num_burnin,
            run_settings.num_draws,
            gauge_every=gauge_every,
            label=f"{run_settings.kernel.name}: ",
        )
        if self.samples is not None:
            self.look_at = self.losses_at

    @property
    def numbers(self) -> range:
        """Of the chains that run here."""
        return range(self.settings.num_chains)

    @cached_property
    def posterior(self) -> TemperedPosterior:
        """What the chains sample."""
        of, first = self.settings, self.numbers.start
        return TemperedPosterior(
            self.target,
            of.n_beta,
            rng=np.random.default_rng([of.seed, first] if first else of.seed),
            num_chains=len(self.numbers),
            localization=of.localization,
        )

    def new_loop(self, step_size: float | None) -> Any:
        """Look around w₀ and make the chains."""
        of, posterior, target = self.settings, self.posterior, self.target
        if of.kernel.on_data:
            _check_slope(posterior)
        if isinstance(target, DataTarget) or (of.kernel.on_batches and of.lr is None):
            self.landscape = loss_landscape(posterior)
        if isinstance(target, DataTarget):
            # Steps on mini-batches cost less than gradients on all data.
            most = BATCH_WORK / target.samples if of.kernel.on_batches else MOST_GRADIENTS
            self.curvatures = spectrum(posterior, min(most, SECONDS_WORK / data_work(target)))
        return KernelLoop(of.kernel.begin(posterior, of, self.landscape, self.curvatures))

    @property
    def samples(self) -> int | None:
        """Size of the data set; None for a population."""
        return self.target.samples if isinstance(self.target, DataTarget) else None

    @property
    def radius(self) -> float | None:
        """Half-width of the box around the point that the chains are confined to."""
        return self.target.radius if isinstance(self.target, PolynomialTarget) else None

    @property
    def pull(self) -> float:
        """Precision of what confines the chains, beside the prior of a population: its own."""
        if self.settings.weight_decay or self.samples is None:
            return self.settings.pull
        return self.posterior.stronger

    @property
    def confining(self) -> float:
        """γ, or the precision of the prior around w₀ where that is stronger."""
        decays = self.settings.weight_decay > 0  # around 0
        return (self.settings.localization or self.pull) if decays else self.pull

    @property
    def loose(self) -> bool:
        """Whether nothing confines the chains."""
        flat: bool = getattr(self.target, "flat", False) and isinstance(self.loop, KernelLoop)
        return flat and not self.settings.localization

    @property
    def remark(self) -> str:
        """What is to be said of the target."""
        return str(getattr(self.target, "remark", ""))

    @property
    def curvature(self) -> float | None:
        """Sharpest curvature of the loss at w₀, if it was looked at."""
        return None if self.landscape is None else self.landscape.curvature

    @property
    def sample_work(self) -> float:
        """Products that the gradient on a sample takes as long as."""
        assert isinstance(self.target, DataTarget)
        return data_work(self.target) / self.target.samples

    @property
    def work(self) -> float:
        """Products that all gradients so far took as long as."""
        if self.samples is None:
            return 0.0
        gradients: int = self.loop.gradients * self.settings.num_chains
        return gradients * (self.settings.batch_size or self.samples) * self.sample_work

    def fall(self, losses: SampleLosses | None) -> float:
        """How far nβL is seen to lie below that of w₀, by a descent or by a draw.

        A descent does not leave a flat saddle as a·b·c = 0; draws do.
        """
        if self.samples is None:
            return 0.0
        lowest, n_beta = 0.0, self.settings.n_beta
        if not self.settings.kernel.on_batches:  # which sees batches
            lowest = float(self.all_traces().draws[0].min())
        elif losses is not None:
            lowest = n_beta * float(losses.mean_loss().min())
        descent = 0.0 if self.landscape is None else self.landscape.drop
        return max(n_beta * descent, -lowest)

    def lacking(self) -> float | None:
        """What of nβL lies in directions that chains have hardly entered; None if not known."""
        if self.curvatures is None:
            return None
        return self.curvatures.unentered(self.gathered(self.loop.ends()).astype(float))

    def spiked(self) -> SpikedRun | None:
        """The steps as planted weights would take them, if there is no test."""
        return None

    def anew(self, settings: RunSettings) -> LocalRun:
        """A run from w₀ with other settings."""
        return LocalRun(self.target, settings)

    def diagnostics(self) -> dict[str, float]:
        """Numbers of this kind of run."""
        return {}

    # Losses of samples at some of the draws, of which influences, ν and the scatter are made.

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Samples that are looked at: of very many a random part."""
        count = self.samples or 0
        size = min(count, max(1, HELD_LOSSES // (LEAST_LOOKS * self.settings.num_chains)))
        # Random numbers of its own: chains are the same whatever is looked at.
        return np.sort(np.random.default_rng(count).choice(count, size, replace=False))

    @property
    def look_every(self) -> int:
        """Draws from a look at losses of samples to the next."""
        if self.samples is None:
            return 1
        affordable = min(LOOK_WORK / self.sample_work, HELD_LOSSES)
        affordable /= self.settings.num_chains * len(self.rows)
        return -(-self.settings.num_draws // int(np.clip(affordable, LEAST_LOOKS, MOST_LOOKS)))

    def losses_at(self, w: Array) -> Floats:
        """Losses of the samples that are looked at, less those at w₀, shape (chains, samples)."""
        assert isinstance(self.target, DataTarget)
        whole = len(self.rows) == self.samples
        rows = None if whole else np.broadcast_to(self.rows, (len(w), len(self.rows)))
        losses = self.posterior.arrays.numpy(self.target.pointwise(w, rows))
        return losses.astype(np.float32)

    @property
    def start_losses(self) -> Floats | None:
        """Losses of these samples at w₀, if they are known."""
        start: Floats | None = getattr(self.target, "start_losses", None)
        return None if start is None else start[self.rows]

    @property
    def samples_total(self) -> int:
        """Size of the data of which these samples are all or a part."""
        return self.samples or 0

    def sample_losses(self) -> SampleLosses | None:
        """What was seen; None where it is no number, or of too few draws."""
        if len(self.looks) < FEW_LOOKS:
            return None
        is_file, start = not isinstance(self.looks, list), self.start_losses
        losses = self.gathered(self.looks.whole() if is_file else np.stack(self.looks, axis=1))
        if not is_file and not np.isfinite(losses).all():
            return None
        return (flatten_tokens if self.settings.tokens else SampleLosses)(
            losses=losses,
            start=np.zeros(len(self.rows)) if start is None else start,
            n_beta=self.settings.n_beta,
            samples_total=self.samples_total,
            rows=self.rows,
        )


def _check_slope(posterior: TemperedPosterior) -> None:
    on, target = posterior.arrays, posterior.target
    value, slope = value_and_gradient(target, on.zeros((1, target.dimension)))
    if bool(on.xp.isfinite(value).all()) and not bool(on.xp.isfinite(slope).all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )
