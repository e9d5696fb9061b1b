"""The local learning coefficient as practitioners estimate it: one nβ, chains from w₀."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.estimate import Estimate
from rlct.sampling.local.fluctuation import BatchFluctuation
from rlct.sampling.local.llc_report import reported
from rlct.sampling.local.observables import DataMoments
from rlct.sampling.local.spectrum import GRADIENTS, spectrum
from rlct.sampling.markov_chains.agreement import until_chains_agree
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.chains import Progress, run_chains
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.kernel_choice import CHAIN_METHODS, kernel_for
from rlct.sampling.markov_chains.length import (
    CHAINS,
    SECONDS_WORK,
    recommended_batch,
    recommended_chains,
    recommended_draws,
    recommended_method,
)
from rlct.sampling.markov_chains.metropolis import MetropolisChains
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.settings import check_n_beta, check_settings
from rlct.sampling.markov_chains.tuning import loss_landscape
from rlct.sampling.targets.target import DataTarget, Target

__all__ = ["llc"]

LOOKS = 200  # draws whose losses of every sample are looked at
BATCH_WORK = 2e6  # gradients of samples that the Hessian may take, a tenth of what sgld does
LOOK_WORK = 2e10  # that these take together
ROUGH = (
    "interrupted: how λ̂ scatters over data sets is known to first order only, which is too little "
    "at trained weights near a singular point"
)


def llc(
    target: Target,
    *,
    n_beta: float | None = None,
    method: str | None = None,
    lr: float | None = None,
    localization: float | None = None,
    num_chains: int | None = None,
    num_draws: int | None = None,
    num_burnin: int | None = None,
    batch_size: int | None = None,
    nu_batch_size: int | None = None,
    trained: bool | None = None,
    seed: int = 0,
    level: float = 0.95,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Tempered mean λ̂ = nβ(E[L(w)] − L(w₀)) at one nβ.

    This number depends on nβ: it is λ − (θ−1)/log(nβ) + …, not λ, so the interval covers
    the tempered mean and not λ.  Chains begin at w₀: of a minimum beyond a barrier they may see
    nothing, and the mean is that of the part they reach.  Use
    :func:`rlct.sampling.ladders.run.estimate` for λ of a population.

    Parameters
    ----------
    target : Target
        A population K, or a loss on data: `~rlct.sampling.targets.network.NetworkTarget`,
        `~rlct.sampling.modules.module.ModuleTarget`.
    n_beta : float, optional
        n / log n on n data points.
    method : {"moves", "hmc", "mala", "nuts", "sgld"}, optional
        On data, ``"hmc"`` if gradients on all data are cheap, or samples are few and some minutes
        allow it, else ``"sgld"``; without data
        ``"moves"``, which cross ridges that gradients do not, or ``"mala"`` with localization.
        ``"nuts"`` needs the extra of this name.
    lr : float, optional
        Step ε of ``"sgld"``.  Without it half of the chains take a step found from curvature
        and gradient noise, the others half of it.  What steps and mini-batches add to the mean of
        nβL is measured and taken off λ̂ (``run.excess``); the plain mean is ``draws.mean()``.
    localization : float, optional
        γ of the pull γ|w − w₀|²/2; 1 on data, 0 on a population, which has a prior.
    num_chains, num_draws, num_burnin : int
        Chains, of ``"hmc"`` up to 64 on small data, where they cost next to nothing; draws of each
        after the burn-in; steps before, by default as many.  Of dear gradients, by which a run took
        longer than some minutes, there are fewer draws, down to a quarter.  What has not settled by
        then is dropped, too.  Unless num_draws or a checkpoint is named, there are up to eight
        times as many draws, for some minutes at most, while split R-hat of nβL (with ``"sgld"`` of
        the distance from w*, too) exceeds 1.05, the scatter of the chains leaves λ̂ open by more
        than 15 % and by more than data sets do, or directions are surely unfilled that may change
        it by a tenth.
    batch_size : int, optional
        Of ``"sgld"`` on data; 256 by default, down to 32 where gradients are dear.
    nu_batch_size : int, optional
        Estimate the singular fluctuation ν from so many random samples, n at most, for each chain
        at every draw, instead of all samples at a few hundred draws.
    trained : bool, optional
        Whether w₀ was found on these data: the interval is then that of data sets with a w₀ of
        their own, else that of data sets with this one, as a truth, at which λ̂ scatters more.
        By default it is taken as trained if it is as near to the minimum of these data as at most
        one truth in a hundred, and else the larger scatter is stated.
    seed : int
    level : float
        Of the interval: scatter of the chains, what steps add and, on data, scatter over data sets.
    checkpoint : path, optional
        File (.npz) from which an interrupted run goes on.
    progress : callable, optional

    Returns
    -------
    Estimate

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> found = llc(LinearNetworkTarget([1, 1], rank=0), n_beta=100.0)
    >>> abs(found.lam - 0.5) < 0.05
    True
    """
    data = target if isinstance(target, DataTarget) else None
    began = time.perf_counter()
    usual = num_chains if isinstance(num_chains, int) and num_chains > 0 else CHAINS["hmc"]
    alone = "mala" if localization else "moves"
    chosen = method or (alone if data is None else recommended_method(data, usual))
    if chosen not in CHAIN_METHODS:
        fitting = CHAIN_METHODS if data is None and alone == "moves" else CHAIN_METHODS[1:]
        raise InputError(f"unknown method {chosen!r}: choose {', '.join(fitting)}")
    if num_chains is None:
        num_chains = recommended_chains(chosen, target)
    check_settings(
        chosen,
        data,
        lr=lr,
        batch_size=batch_size,
        nu_batch_size=nu_batch_size,
        num_chains=num_chains,
        num_draws=1 if num_draws is None else num_draws,
        num_burnin=0 if num_burnin is None else num_burnin,
        n_beta=n_beta,
        localization=localization,
        level=level,
        seed=seed,
        trained=trained,
    )
    length = num_draws or recommended_draws(chosen, target, num_chains)
    before = length if num_burnin is None else num_burnin
    if n_beta is None:
        if data is None:
            raise InputError("a population has no n: name n_beta")
        if data.samples < 3:
            raise InputError("n / log n needs at least three samples: name n_beta")
        n_beta = data.samples / float(np.log(data.samples))
    check_n_beta(n_beta, target)
    gamma = float(data is not None) if localization is None else localization
    with getattr(target, "session", nullcontext)():
        posterior = TemperedPosterior(
            target,
            n_beta,
            rng=np.random.default_rng(seed),
            num_chains=num_chains,
            localization=gamma,
        )
        if chosen != "moves":
            _check_slope(posterior)
        extrapolated = chosen == "sgld" and lr is None  # from a step that is found, and its half
        landscape = loss_landscape(posterior) if data is not None or extrapolated else None
        if chosen == "sgld" and data is not None and batch_size is None:
            batch_size = recommended_batch(data, num_chains)
        bends = None
        if data is not None:
            # Steps on mini-batches cost less than gradients on all data.
            most = BATCH_WORK / data.samples if chosen == "sgld" else GRADIENTS
            bends = spectrum(posterior, min(most, SECONDS_WORK / data_work(data)))
        kernel = kernel_for(chosen, posterior, landscape, lr, batch_size, bends)
        moments = None
        if data is not None:
            looks = int(np.clip(LOOK_WORK / (data_work(data) * num_chains), 10, LOOKS))
            own = None
            if nu_batch_size is not None:
                own = BatchFluctuation(posterior, nu_batch_size)
            pull = (lambda: kernel.pull) if isinstance(kernel, MetropolisChains) else None
            assert landscape is not None
            moments = DataMoments(
                posterior,
                max(1, length // looks),
                own,
                pull,
                descent=float(n_beta) * landscape.drop,
                trained=None if trained is None else bool(trained),
            )
        chains = run_chains(
            kernel,
            num_draws=length,
            num_burnin=before,
            observer=moments,
            checkpoint=checkpoint,
            progress=progress,
        )

        def told(found: SettledDraws) -> Estimate:
            if progress is not None and not found.chains.interrupted:
                progress(1.0, f"{chosen}: all draws are made, errors are next")
            seconds = time.perf_counter() - began
            return reported(found, kernel, landscape, moments, bends, level, seed, seconds)

        try:
            found = SettledDraws(chains, halved=extrapolated)
            if num_draws is None and checkpoint is None:
                found = until_chains_agree(found, kernel, moments, progress)
            chains = found.chains
            if not chains.interrupted:
                return told(found)
        except KeyboardInterrupt:
            # The draws are made, only the report was cut off.
            found = SettledDraws(replace(chains, interrupted=True), halved=extrapolated)
        # Whoever stopped it waits for nothing long; the next Ctrl-C ends the run.
        rough = moments is not None and moments.hurry()
        answer = told(found)
        return answer.warn(ROUGH) if rough else answer


def _check_slope(posterior: TemperedPosterior) -> None:
    on, target = posterior.arrays, posterior.target
    value, slope = value_and_gradient(target, on.zeros((1, target.dimension)))
    if bool(on.xp.isfinite(value).all()) and not bool(on.xp.isfinite(slope).all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )
