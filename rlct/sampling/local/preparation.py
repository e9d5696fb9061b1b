"""What is looked at before the first draw at one nβ: curvature, steps, and what to observe."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.loss_observer import LossObserver
from rlct.sampling.local.spectrum import MOST_GRADIENTS, Spectrum, spectrum
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.length import SECONDS_WORK
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.tuning import LossLandscape, loss_landscape
from rlct.sampling.targets.target import DataTarget, Target

__all__ = ["PreparedRun", "prepare_run"]

BATCH_WORK = 2e6  # gradients of samples that the Hessian may take, a tenth of what sgld does


@dataclass(frozen=True)
class PreparedRun:
    """The chains before their first step, and what was seen on the way.

    Parameters
    ----------
    kernel : Kernel
    landscape : LossLandscape or None
        Around w₀; None where neither data nor a step asked for it.
    curvatures : Spectrum or None
        Of the loss on data at w₀.
    loss_observer : LossObserver or None
        At losses of samples on some draws.
    """

    kernel: Kernel
    landscape: LossLandscape | None
    curvatures: Spectrum | None = None
    loss_observer: LossObserver | None = None


def prepare_run(target: Target, run_settings: RunSettings) -> PreparedRun:
    """Look around w₀ and make the chains."""
    data = target if isinstance(target, DataTarget) else None
    posterior = TemperedPosterior(
        target,
        run_settings.n_beta,
        rng=np.random.default_rng(run_settings.seed),
        num_chains=run_settings.num_chains,
        localization=run_settings.localization,
    )
    if run_settings.kernel.on_data:
        _check_slope(posterior)
    finds_step = run_settings.kernel.name == "sgld" and run_settings.lr is None
    near_start = loss_landscape(posterior) if data is not None or finds_step else None
    curvature_spectrum = loss_observer = None
    if data is not None:
        # Steps on mini-batches cost less than gradients on all data.
        most = BATCH_WORK / data.samples if run_settings.kernel.name == "sgld" else MOST_GRADIENTS
        curvature_spectrum = spectrum(posterior, min(most, SECONDS_WORK / data_work(data)))
    kernel = run_settings.kernel.begin(posterior, run_settings, near_start, curvature_spectrum)
    if data is not None:
        loss_observer = LossObserver(posterior, run_settings.num_draws)
    return PreparedRun(kernel, near_start, curvature_spectrum, loss_observer)


def _check_slope(posterior: TemperedPosterior) -> None:
    on, target = posterior.arrays, posterior.target
    value, slope = value_and_gradient(target, on.zeros((1, target.dimension)))
    if bool(on.xp.isfinite(value).all()) and not bool(on.xp.isfinite(slope).all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )
