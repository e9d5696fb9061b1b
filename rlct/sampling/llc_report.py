"""What chains at one nβ say, as an Estimate with its diagnostics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import t as student

from rlct.sampling import diagnostics
from rlct.sampling.burnin import Settled
from rlct.sampling.data_error import NO_DATA
from rlct.sampling.estimate import Estimate, Run
from rlct.sampling.filling import filling
from rlct.sampling.fluctuation import Fluctuation
from rlct.sampling.hmc import Hmc
from rlct.sampling.kernel import Kernel
from rlct.sampling.mala import Mala
from rlct.sampling.metropolis import MetropolisChains
from rlct.sampling.observables import DataMoments, response
from rlct.sampling.polynomial import PolynomialTarget
from rlct.sampling.run_warnings import rounded, run_warnings
from rlct.sampling.sgld import Sgld
from rlct.sampling.spectrum import Spectrum, held, precise
from rlct.sampling.target import DataTarget
from rlct.sampling.target_warnings import narrow_parts, singular_prior
from rlct.sampling.tuning import Landscape, curvature

__all__ = ["reported"]

LOOSE = (
    "without localization nothing confines the chains: where the loss has valleys without end, "
    "there is no posterior, and λ̂ means nothing"
)
STILL = ("interrupted", "the step")  # beginnings of what holds in single precision, too
NOISES = 2000  # squares that a variance rests on
LOOKED_AT = 4  # chains whose curvature is looked at where it takes gradients on data


def _step_shares(kernel: Sgld) -> tuple[float, float]:
    """ε(nβh + γ)/4 where chains ended, h the sharpest curvature there, and the same with the prior.

    The largest of each.  On a quadratic loss the variance is too large by 1/(1 − share), and from 1
    on there is none.
    """
    posterior, on = kernel.posterior, kernel.posterior.arrays
    every = len(kernel.w) // LOOKED_AT if isinstance(posterior.target, DataTarget) else 1
    rows = slice(None, None, max(1, every))
    w, quarter = kernel.w[rows], 0.25 * kernel.sizes()[rows]
    bend = float(posterior.n_beta[0]) * curvature(posterior, w) + posterior.localization
    # −w/σ² if it is normal, 0 if it is flat, and if it vanishes at w₀ it pulls to nowhere.
    pull = -on.numpy((posterior.target.log_prior_gradient(w) * w).sum(-1))
    prior = np.maximum(pull, 0.0) / np.maximum(on.numpy((w * w).sum(-1)).astype(float), 1e-300)
    return float((quarter * bend).max()), float((quarter * (bend + prior)).max())


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
    twin, there = precise(posterior)
    if twin is posterior.target:
        return 0.0
    exact = there.numpy(twin.divergence(there.asarray(on.numpy(w))))
    found = on.numpy(posterior.target.divergence(w)).astype(float)
    return float(posterior.n_beta[0] * np.abs(found - exact).max())


def reported(
    found: Settled,
    kernel: Kernel,
    landscape: Landscape | None,
    moments: DataMoments | None,
    bends: Spectrum | None,
    level: float,
    seed: int,
    seconds: float,
) -> Estimate:
    """Put together what is known of λ̂: its mean, its errors, and what is wrong with it."""
    posterior, chains = kernel.posterior, found.chains
    n_beta = float(posterior.n_beta[0])
    errors = {"monte_carlo": found.error}
    nu: Fluctuation | None = None
    scatter = NO_DATA
    if moments is not None and moments.count > 1:
        scatter = moments.data_error()
        errors["data"] = scatter.value
        nu = moments.singular_fluctuation(halved=found.halved)
    # The prior of a population is part of the question; on data it is as γ.
    pull = (
        posterior.localization
        if moments is None
        else max(posterior.localization, posterior.prior_precision)
    )
    moved = response(found.draws, found.distance, pull, halved=found.halved)
    if isinstance(kernel, Sgld) and kernel.batch_size is not None and moments is not None:
        moved = moments.response(halved=found.halved)
    total = float(np.sqrt(found.error**2 + errors.get("data", 0.0) ** 2))
    half = float(student.ppf(0.5 + level / 2, found.degrees)) * found.error
    half = float(np.hypot(half, student.ppf(0.5 + level / 2, np.inf) * errors.get("data", 0.0)))
    # Of what is taken off 2/k is right where nβL is homogeneous of degree k > 2.  More than all of
    # it is added where nβL grows slower than a square, and by how much is seen.
    above, below = float(np.hypot(half, found.excess)), half + found.unremoved
    effective, disagreement = diagnostics.ess(found.draws), diagnostics.rhat(found.draws)
    notes = diagnostics.warnings_for(
        found.draws, effective=effective, disagreement=disagreement, distance=found.distance
    )
    target = posterior.target
    run = Run(
        n_beta=n_beta,
        localization=posterior.localization,
        samples=target.samples if isinstance(target, DataTarget) else None,
        radius=target.radius if isinstance(target, PolynomialTarget) else None,
        dropped=found.dropped,
        by_n_beta=moved.log_n_beta,
        by_localization=moved.log_localization,
        by_prior=pull > posterior.localization,
        growth=found.growth,
        excess=found.excess,
        unremoved=found.unremoved,
        halved=found.halved,
        step_degrees=found.step_degrees,
        data=scatter,
        rounding=0.0 if bends is None else _rounding(kernel),
    )
    if isinstance(kernel, MetropolisChains):
        run = replace(run, undefined=kernel.undefined, undefined_at=kernel.undefined_at)
    if isinstance(kernel, Sgld):
        share, with_prior = _step_shares(kernel)
        count = chains.num_burnin + chains.draws.shape[2]
        run = replace(run, step_share=share, relaxations=2.0 * with_prior * count)
    if bends is not None and bends.confining:
        run = replace(run, held=held(bends, posterior, chains.w[0]))
    pace = kernel.pace() if isinstance(kernel, Hmc | Mala | Sgld) else None
    if bends is not None and pace is not None:
        steps = (pace, chains.num_burnin + found.dropped, found.draws.shape[1])
        run = replace(run, lacking=bends.lacking(*steps))
        if bends.uneven:
            run = replace(run, unexplored=bends.unexplored(*steps))
    run = replace(run, filling=filling(found, moments, bends))
    if moments is not None and moments.batches is not None:
        run = replace(run, nu_repeats=moments.batches.repeats)
    if nu is not None and np.isfinite(nu.within):
        run = replace(run, nu_within=nu.within)
    if landscape is not None:
        lowest = n_beta * landscape.drop if moments is None else moments.descent
        run = replace(run, descent=lowest, curvature=landscape.curvature)
    if isinstance(kernel, Sgld) and kernel.batch_size is not None:
        noise = _noise_ratio(kernel)  # a temperature in each direction
        run = replace(run, gradient_noise=noise, noise_in_lambda=0.5 * target.dimension * noise)
    estimate = Estimate(
        lam=found.lam,
        interval=(found.lam - below, found.lam + above),
        level=level,
        theta=None,
        theta_interval=None,
        error=total,
        degrees=found.degrees,
        ess=effective,
        rhat=disagreement,
        seconds=seconds,
        seed=seed,
        method=kernel.name,
        warnings=notes,
        errors=errors,
        nu=None if nu is None else nu[:2],
        chains=chains,
        run=run,
    )
    more = run_warnings(estimate, chains, run, calm=found.calm)
    told = (*notes, *more)
    if coarse := rounded(run, found.lam):
        told = (*coarse, *(words for words in more if words.startswith(STILL)))
    if scatter.said and not scatter.trained and run.descent <= scatter.above:
        told = tuple(words for words in told if words != diagnostics.NEGATIVE)  # a truth may be so
    loose = "" if posterior.localization or not getattr(target, "flat", False) else LOOSE
    remarks = filter(None, (loose, getattr(target, "remark", "")))
    cut = 0.0
    if isinstance(kernel, Sgld):
        cut = float(kernel.cut[0] / max(kernel.cut[1], 1.0))
    pole = singular_prior(target, kernel.name, cut)
    arms = narrow_parts(target, kernel.name)
    return replace(estimate, warnings=(*told, *pole, *arms, *remarks))
