"""What is known of how chains at one nβ went, besides λ̂: a Run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rlct.sampling.local.data_error import DataError
from rlct.sampling.local.facts import Run
from rlct.sampling.local.filling import outward_fall, unfilled_directions
from rlct.sampling.local.fluctuation import FluctuationEstimate
from rlct.sampling.local.observables import response
from rlct.sampling.local.preparation import PreparedRun
from rlct.sampling.local.spectrum import Spectrum, precise_target, prior_hold
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.hmc import Hmc
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.mala import Mala
from rlct.sampling.markov_chains.metropolis import MetropolisChains
from rlct.sampling.markov_chains.nuts import Nuts
from rlct.sampling.markov_chains.sgld import Sgld
from rlct.sampling.markov_chains.tuning import curvature, spaced_chains
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget

__all__ = ["run_facts"]

NOISES = 2000  # squares that a variance rests on
LOOKED_AT = 4  # chains


def run_facts(
    settled_draws: SettledDraws,
    prepared_run: PreparedRun,
    data_scatter: DataError,
    nu: FluctuationEstimate | None,
) -> Run:
    """Put together what the warnings, the table and the figure ask of a run."""
    kernel, landscape = prepared_run.kernel, prepared_run.landscape
    moments, spectrum = prepared_run.moments, prepared_run.curvatures
    posterior, target = kernel.posterior, kernel.posterior.target
    # The prior of a population is part of the question; on data it is as γ.
    confining_pull = posterior.localization if moments is None else posterior.stronger
    if isinstance(kernel, Sgld) and kernel.batch_size is not None and moments is not None:
        lam_response = moments.response(settled_draws.excess)
    else:
        lam_response = response(settled_draws.draws, settled_draws.distance, confining_pull)
    run = Run(
        n_beta=float(posterior.n_beta[0]),
        localization=posterior.localization,
        samples=target.samples if isinstance(target, DataTarget) else None,
        radius=target.radius if isinstance(target, PolynomialTarget) else None,
        dropped=settled_draws.dropped,
        by_n_beta=lam_response.log_n_beta,
        by_localization=lam_response.log_localization,
        by_prior=confining_pull > posterior.localization,
        growth=settled_draws.growth,
        excess=settled_draws.excess,
        unremoved=settled_draws.unremoved,
        data=data_scatter,
        filling=unfilled_directions(settled_draws, moments),
        falling=0.0 if moments is None else outward_fall(settled_draws),
    )
    if isinstance(kernel, MetropolisChains | Nuts):
        run = replace(run, undefined=kernel.undefined.count, undefined_at=kernel.undefined.at)
    if isinstance(kernel, Sgld):
        run = _of_steps(
            run, kernel, settled_draws.chains.num_burnin + settled_draws.chains.draws.shape[2]
        )
    if spectrum is not None:
        run = _of_directions(run, settled_draws, kernel, spectrum)
    if moments is not None and moments.batches is not None:
        run = replace(run, nu_repeats=moments.batches.repeats)
    if nu is not None and np.isfinite(nu.within):
        run = replace(run, nu_within=nu.within)
    if landscape is not None:
        lowest = run.n_beta * landscape.drop if moments is None else moments.descent
        run = replace(run, descent=lowest, curvature=landscape.curvature)
    return run


def _of_steps(run: Run, kernel: Sgld, count: int) -> Run:
    """Tell what the steps are beside the sharpest direction where chains ended, and their noise.

    On a quadratic loss the variance is too large by 1/(1 − share), and from 1 on there is none.
    """
    posterior = kernel.posterior
    quarter = 0.25 * float(kernel.sizes().max())
    sharpest = run.n_beta * float(curvature(posterior, spaced_chains(posterior, kernel.w)).max())
    run = replace(
        run,
        step_share=quarter * (sharpest + posterior.localization),
        relaxations=2.0 * count * quarter * (sharpest + posterior.confining),
    )
    if kernel.batch_size is None:
        return run
    noise = _noise_ratio(kernel)  # a temperature in each direction
    share = 0.5 * posterior.target.dimension * noise
    return replace(run, gradient_noise=noise, noise_in_lambda=share)


def _of_directions(
    run: Run, settled_draws: SettledDraws, kernel: Kernel, spectrum: Spectrum
) -> Run:
    """Tell what of λ̂ lies in directions that the chains may not have gone through."""
    run = replace(run, rounding=_rounding(kernel))
    if spectrum.confining:
        run = replace(run, held=prior_hold(spectrum, kernel.posterior, settled_draws.chains.w[0]))
    pace = kernel.pace() if isinstance(kernel, Hmc | Mala | Sgld) else None
    if pace is None:
        return run
    steps = (
        pace,
        settled_draws.chains.num_burnin + settled_draws.dropped,
        settled_draws.draws.shape[1],
    )
    run = replace(run, lacking=spectrum.lacking(*steps))
    return replace(run, unexplored=spectrum.unexplored(*steps)) if spectrum.uneven else run


def _noise_ratio(kernel: Sgld) -> float:
    """Variance of mini-batches over that injected, averaged over parameters, where chains ended.

    At w* a network without noise has none, and nearby it has.
    """
    posterior, data, w = kernel.posterior, kernel.posterior.target, kernel.w
    assert isinstance(data, DataTarget)
    assert kernel.batch_size is not None
    whole, square = data.gradient(w), np.zeros(len(w))
    count = -(-NOISES // (len(w) * data.dimension))
    for _ in range(count):
        _, slopes = data.batch(w, kernel.batch_size, posterior.arrays)
        square += posterior.arrays.numpy(((slopes - whole) ** 2).mean(-1)) / count
    return float((0.25 * kernel.sizes() * posterior.n_beta[0] ** 2 * square).mean())


def _rounding(kernel: Kernel) -> float:
    """How far nβL where some chains ended is from that in double precision, if there is a twin."""
    posterior, on, w = kernel.posterior, kernel.posterior.arrays, kernel.w[:LOOKED_AT]
    twin, there = precise_target(posterior)
    if twin is posterior.target:
        return 0.0
    exact = there.numpy(twin.divergence(there.asarray(on.numpy(w))))
    rounded_losses = on.numpy(posterior.target.divergence(w)).astype(float)
    return float(posterior.n_beta[0] * np.abs(rounded_losses - exact).max())
