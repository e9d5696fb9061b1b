"""The local learning coefficient as practitioners estimate it: one nβ, chains from w₀."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from rlct.errors import InputError
from rlct.sampling.arrays import Array, value_and_gradient
from rlct.sampling.burnin import Settled
from rlct.sampling.chains import Progress, run_chains
from rlct.sampling.data_error import NO_DATA
from rlct.sampling.diagnostics import rhat
from rlct.sampling.effort import data_work
from rlct.sampling.estimate import Estimate
from rlct.sampling.filling import filling
from rlct.sampling.fluctuation import BatchFluctuation
from rlct.sampling.hmc import Hmc
from rlct.sampling.kernel import Kernel
from rlct.sampling.length import (
    CHAINS,
    DRAWS,
    MOST_WORK,
    SECONDS_WORK,
    recommended_batch,
    recommended_chains,
    recommended_draws,
    recommended_looks,
    recommended_method,
)
from rlct.sampling.llc_report import reported
from rlct.sampling.mala import Mala
from rlct.sampling.metropolis import MetropolisChains
from rlct.sampling.nuts import Nuts
from rlct.sampling.observables import DataMoments
from rlct.sampling.posterior import TemperedPosterior
from rlct.sampling.run_warnings import counts
from rlct.sampling.settings import check_n_beta, check_settings
from rlct.sampling.sgld import Sgld
from rlct.sampling.spectrum import GRADIENTS, Spectrum, spectrum, units
from rlct.sampling.target import DataTarget, Target
from rlct.sampling.tuning import (
    Landscape,
    bearable_step,
    curvature,
    look_around,
    pressure,
    recommended_step,
)
from rlct.sampling.walkers import Walkers

__all__ = ["METHODS", "llc"]

METHODS = ("moves", "hmc", "mala", "nuts", "sgld")
LOOKS = 200  # draws whose losses of every sample are looked at
BATCH_WORK = 2e6  # gradients of samples that the Hessian may take, a tenth of what sgld does
LOOK_WORK = 2e10  # that these take together
RHAT_WANTED = 1.05
PRECISION = 0.15  # of λ̂: half of the interval that the scatter of the chains alone gives
DOUBLINGS = 3  # of the default number of draws, until these are as wanted


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
    :func:`rlct.sampling.run.estimate` for λ of a population.

    Parameters
    ----------
    target : Target
        A population K, or a loss on data: `~rlct.sampling.network.NetworkTarget`,
        `~rlct.sampling.module.ModuleTarget`.
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
    >>> from rlct.sampling.linear import LinearNetworkTarget
    >>> found = llc(LinearNetworkTarget([1, 1], rank=0), n_beta=100.0)
    >>> abs(found.lam - 0.5) < 0.05
    True
    """
    data = target if isinstance(target, DataTarget) else None
    began = time.perf_counter()
    usual = num_chains if isinstance(num_chains, int) and num_chains > 0 else CHAINS["hmc"]
    alone = "mala" if localization else "moves"
    chosen = method or (alone if data is None else recommended_method(data, usual))
    if chosen not in METHODS:
        fitting = METHODS if data is None and alone == "moves" else METHODS[1:]
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
        landscape = look_around(posterior) if data is not None or extrapolated else None
        if chosen == "sgld" and data is not None and batch_size is None:
            batch_size = recommended_batch(data, num_chains)
        bends = None
        if data is not None:
            # Steps on mini-batches cost less than gradients on all data.
            most = BATCH_WORK / data.samples if chosen == "sgld" else GRADIENTS
            bends = spectrum(posterior, min(most, SECONDS_WORK / data_work(data)))
        kernel = _kernel(chosen, posterior, landscape, lr, batch_size, bends)
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
            observe=moments,
            checkpoint=checkpoint,
            progress=progress,
        )

        def told(found: Settled) -> Estimate:
            seconds = time.perf_counter() - began
            return reported(found, kernel, landscape, moments, bends, level, seed, seconds)

        try:
            found = Settled(chains, halved=extrapolated)
            if num_draws is None and checkpoint is None:
                found = _agreeing(found, kernel, moments, progress)
            chains = found.chains
            return told(found)
        except KeyboardInterrupt:
            if chains.interrupted:
                raise
            # The draws are made, only the report was cut off; the next Ctrl-C ends the run.
            return told(Settled(replace(chains, interrupted=True), halved=extrapolated))


def _kernel(
    method: str,
    posterior: TemperedPosterior,
    landscape: Landscape | None,
    lr: float | None,
    batch_size: int | None,
    bends: Spectrum | None,
) -> Kernel:
    if method == "moves":
        return Walkers(posterior)
    if method == "hmc":
        return Hmc(posterior, spread=False, units=units(bends, Hmc.FASTEST, DRAWS[method]))
    if method == "nuts":
        return Nuts(posterior, spread=False, units=units(bends, Nuts.FASTEST, DRAWS[method]))
    if method == "mala":
        return Mala(
            posterior, spread=landscape is None, units=units(bends, Mala.FASTEST, DRAWS[method])
        )
    if lr is not None:
        return Sgld(posterior, lr=lr, batch_size=batch_size)
    assert landscape is not None
    noise = landscape.noise

    apart = posterior.rows // recommended_looks(posterior.target, posterior.rows)

    def limit(w: Array) -> float:
        bend = float(curvature(posterior, w[::apart]).max())
        return recommended_step(posterior, bend, noise, batch_size, pressure(posterior, w))

    full = recommended_step(posterior, landscape.curvature, noise, batch_size)
    bend = float(posterior.n_beta[0]) * landscape.curvature
    if not posterior.localization or bend <= posterior.confining:
        full = bearable_step(posterior, full)
    if not full > 0:
        raise InputError("the loss is too steep at w* for any step: scale inputs or targets down")
    halves = np.where(np.arange(posterior.shape[1]) % 2, 0.5, 1.0)
    return Sgld(posterior, lr=full * halves, batch_size=batch_size, limit=limit)


def _check_slope(posterior: TemperedPosterior) -> None:
    on, target = posterior.arrays, posterior.target
    value, slope = value_and_gradient(target, on.zeros((1, target.dimension)))
    if bool(on.xp.isfinite(value).all()) and not bool(on.xp.isfinite(slope).all()):
        raise InputError(
            "the gradient of the loss at w* is not finite, as that of √|w|² at 0: write the loss "
            "so that it has one there"
        )


def _agree(found: Settled, moments: DataMoments | None) -> bool:
    """Whether chains agree on λ̂, and have filled what may change it as far as is known."""
    if rhat(found.draws) > RHAT_WANTED:
        return False
    # Steps without a test are small, and free diffusion along flat directions is slow.
    if found.chains.excess is not None and rhat(found.distance) > RHAT_WANTED:
        return False
    scatter = NO_DATA if moments is None else moments.data_error()
    quantile, wanted = float(student.ppf(0.975, found.degrees)), PRECISION * abs(found.lam)
    if not scatter.resolved:  # then it is noise of the draws
        if 2.0 * scatter.value > wanted:
            return False
    else:
        wanted = max(wanted, 2.0 * scatter.value)
    if quantile * found.error > wanted:
        return False
    return not counts(filling(found, moments).most, found.lam)


def _agreeing(
    found: Settled,
    kernel: Kernel,
    moments: DataMoments | None,
    progress: Progress | None,
) -> Settled:
    """Double the draws until the chains agree, a few times and a few minutes at most."""
    target, work = kernel.posterior.target, 0.0
    if isinstance(target, DataTarget):
        size = getattr(kernel, "batch_size", None) or target.samples
        work = data_work(target) * len(found.draws) * size / target.samples
    for _ in range(DOUBLINGS):
        before = found.chains
        if before.interrupted or _agree(found, moments):
            break
        if 2 * before.gradients * work > MOST_WORK:
            break
        try:
            more = run_chains(
                kernel,
                num_draws=before.draws.shape[2],
                num_burnin=0,
                observe=moments,
                progress=progress,
            )
        except KeyboardInterrupt:
            return Settled(replace(before, interrupted=True), halved=found.halved)
        found = Settled(before.followed_by(more), halved=found.halved)
    return found
