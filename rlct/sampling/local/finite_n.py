"""The tempered mean that a sampler at one nβ should have found, by a route without its bias."""

from copy import copy
from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.sampling.kernels.hmc import Hmc
from rlct.sampling.ladders.quadrature import UnresolvedIntegral, density_of_states
from rlct.sampling.ladders.tempering import tempered_means
from rlct.sampling.markov_chains.chains import Progress, sample_chains
from rlct.sampling.markov_chains.diagnostics import chain_mean
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import spectrum, units
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget, Target

NARROW_CHAINS, NARROW_SWEEPS = 64, 400
LONG_BURNIN = 400  # trajectories of the long runs
LONG_FACTOR = 4  # times the draws of the default


@dataclass(frozen=True)
class TemperedMean:
    """E[nβK] at one nβ.

    Parameters
    ----------
    value, error : float
        The mean with its standard error; that of quadrature bounds its numerical error.
    method : {"quadrature", "exact conditionals", "cooled population", "long hmc"}
    """

    value: float
    error: float
    method: str


def tempered_mean(
    target: Target,
    n_beta: float,
    *,
    localization: float = 0.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> TemperedMean:
    """E[nβK] under exp(−nβK − γ|w|²/2)·prior.

    By quadrature for polynomials in at most three variables, by chains of exact conditional
    draws for linear networks, by chains from a cooled population where K is an expectation too, and
    on data by long Metropolis-corrected trajectories from w₀.

    KeyboardInterrupt at Ctrl-C: part of such a run is no reference.

    >>> target = PolynomialTarget([{(1, 1): 1}], squared=True)      # K = x²y²
    >>> found = tempered_mean(target, 16e3)      # on [−½, ½]²; as on [0, 1]² at nβ = 10³
    >>> round(found.value, 3), found.method
    (0.387, 'quadrature')
    """
    if not n_beta > 0:
        raise InputError(f"n_beta must be positive, not {n_beta}")
    if isinstance(target, PolynomialTarget) and target.dimension <= 3:
        try:
            states = density_of_states(target, top=max(1e10, n_beta), localization=localization)
        except UnresolvedIntegral:
            pass
        else:
            value = float(states.mean(np.array([n_beta]))[0])
            # Of the bins of log K, which see the largest K, or what the pull cuts off, less well.
            error = max(states.error, (2e-4 if localization else 1e-4) * value)
            return TemperedMean(value, error, "quadrature")
    if isinstance(target, LinearNetworkTarget):
        return _conditionals(target, n_beta, localization, seed)
    if not isinstance(target, DataTarget):
        rng = np.random.default_rng([seed, 1])
        [(value, error)] = tempered_means(
            target, [n_beta], localization=localization, rng=rng, progress=progress
        )
        return TemperedMean(value, error, "cooled population")
    local_posterior = TemperedPosterior(
        target, n_beta, rng=np.random.default_rng(0), num_chains=16, localization=localization
    )
    hmc_chains = sample_chains(
        "hmc",
        target,
        n_beta,
        rng=np.random.default_rng([seed, 1]),
        localization=localization,
        spread=False,
        units=units(spectrum(local_posterior), Hmc.fastest, LONG_BURNIN),
        num_chains=16,
        num_draws=200 * LONG_FACTOR,
        num_burnin=LONG_BURNIN,
        progress=progress,
    )
    if hmc_chains.interrupted:
        raise KeyboardInterrupt("before the exact mean was known")
    means = hmc_chains.draws[0].mean(axis=1)
    return TemperedMean(*chain_mean(means), "long hmc")


def _conditionals(
    target: LinearNetworkTarget, n_beta: float, localization: float, seed: int
) -> TemperedMean:
    """Gibbs chains; a Gaussian pull towards w₀ only narrows the Gaussian prior around it."""
    rng = np.random.default_rng([seed, 1])
    narrow = copy(target)
    narrow.sigma = (target.sigma**-2 + localization) ** -0.5
    chains = gibbs(
        narrow,
        n_beta,
        rng=rng,
        num_chains=NARROW_CHAINS,
        num_draws=NARROW_SWEEPS,
        start=0.1 * narrow.sample_prior(NARROW_CHAINS, rng),
    )
    return TemperedMean(*chain_mean(chains.draws[0].mean(axis=1)), "exact conditionals")
