"""What is looked at before the first draw at one nβ: curvature, steps, and what to observe."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.local.fluctuation import BatchFluctuation
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.observables import DataMoments
from rlct.sampling.local.spectrum import GRADIENTS, Spectrum, spectrum
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.kernel_choice import kernel_for
from rlct.sampling.markov_chains.length import SECONDS_WORK
from rlct.sampling.markov_chains.metropolis import MetropolisChains
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.tuning import Landscape, look_around
from rlct.sampling.targets.target import DataTarget, Target

__all__ = ["Preparation", "prepared_run"]

LOOKS = 200  # draws whose losses of every sample are looked at
BATCH_WORK = 2e6  # gradients of samples that the Hessian may take, a tenth of what sgld does
LOOK_WORK = 2e10  # products that the looks take together


@dataclass(frozen=True)
class Preparation:
    """The chains before their first step, and what was seen on the way.

    Parameters
    ----------
    kernel : Kernel
    halved : bool
        Whether every second chain takes half the step that was found.
    landscape : Landscape or None
        Around w₀; None where neither data nor a step asked for it.
    curvatures : Spectrum or None
        Of the loss on data at w₀.
    moments : DataMoments or None
        What is observed of the losses of samples at each draw.
    """

    kernel: Kernel
    halved: bool
    landscape: Landscape | None
    curvatures: Spectrum | None = None
    moments: DataMoments | None = None


def prepared_run(target: Target, settings: RunSettings) -> Preparation:
    """Look around w₀ and make the chains."""
    data = target if isinstance(target, DataTarget) else None
    posterior = TemperedPosterior(
        target,
        settings.n_beta,
        rng=np.random.default_rng(settings.seed),
        num_chains=settings.num_chains,
        localization=settings.localization,
    )
    if settings.method != "moves":
        _check_slope(posterior)
    halved = settings.method == "sgld" and settings.lr is None
    landscape = look_around(posterior) if data is not None or halved else None
    curvatures = moments = None
    if data is not None:
        # Steps on mini-batches cost less than gradients on all data.
        most = BATCH_WORK / data.samples if settings.method == "sgld" else GRADIENTS
        curvatures = spectrum(posterior, min(most, SECONDS_WORK / data_work(data)))
    steps = settings.lr, settings.batch_size
    kernel = kernel_for(settings.method, posterior, landscape, *steps, curvatures)
    if data is not None and landscape is not None:
        moments = _moments(data, kernel, landscape, settings)
    return Preparation(kernel, halved, landscape, curvatures, moments)


def _moments(
    data: DataTarget, kernel: Kernel, landscape: Landscape, settings: RunSettings
) -> DataMoments:
    """What is observed on data, at so many draws as the work allows."""
    posterior, trained = kernel.posterior, settings.trained
    looks = int(np.clip(LOOK_WORK / (data_work(data) * settings.num_chains), 10, LOOKS))
    own = None
    if settings.nu_batch_size is not None:
        own = BatchFluctuation(posterior, settings.nu_batch_size)
    return DataMoments(
        posterior,
        max(1, settings.num_draws // looks),
        own,
        (lambda: kernel.pull) if isinstance(kernel, MetropolisChains) else None,
        descent=float(settings.n_beta) * landscape.drop,
        trained=None if trained is None else bool(trained),
    )


def _check_slope(posterior: TemperedPosterior) -> None:
    on, target = posterior.arrays, posterior.target
    value, slope = value_and_gradient(target, on.zeros((1, target.dimension)))
    if bool(on.xp.isfinite(value).all()) and not bool(on.xp.isfinite(slope).all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )
