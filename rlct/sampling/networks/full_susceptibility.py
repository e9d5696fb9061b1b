"""Susceptibility of a part of the weights, with the losses' mean from the full posterior."""

import numpy as np

from rlct.errors import InputError
from rlct.sampling.local import chain_covariances as pooled
from rlct.sampling.local.sample_losses import SampleLosses
from rlct.sampling.targets.target import Floats


def susceptibility_full(
    restricted: SampleLosses, full: SampleLosses, *, errors: bool = False
) -> Floats:
    """Susceptibility of a part V of the weights, with the losses' mean from the full posterior.

    Where V alone moves, with φ = L − L(w*) and Δ_z = ℓ_z − L, ``restricted.susceptibility()`` is
    χ_V(z) = −Cov_V(φ, Δ_z), the response of E_V[φ].  With E over all weights, this is

        −(E_V[φ Δ_z] − E_V[φ] E[Δ_z]) = χ_V(z) − E_V[φ] (E_V[Δ_z] − E[Δ_z]),

    which is −Cov(φ δ, Δ_z)/E[δ] of the full posterior with Dirac's δ of the weights outside of V at
    w*: the response of E[φ δ], where mass that comes to w* counts as well as a higher φ.  Both sum
    to 0 over z.  A constant added to ℓ_z changes neither, one added to φ changes this one.

    Both are independent runs with the same samples, w*, nβ and γ; InputError if samples, nβ or
    ℓ_z(w*) differ.  The answer has the shape (samples,), in nats²; with ``errors`` it is the
    standard errors, of both runs.

    arXiv:2504.18274, and devinterp 2.0.1, where L may be of other data than z: such sums are not 0.

    >>> draws = np.random.default_rng(0).normal(size=(4, 50, 3))
    >>> losses = SampleLosses(draws, np.zeros(3), 9.0, 3, np.arange(3))
    >>> np.allclose(susceptibility_full(losses, losses), losses.susceptibility())
    True
    """
    if restricted.n_beta != full.n_beta or not np.array_equal(restricted.rows, full.rows):
        raise InputError("both runs need the same samples in one order, and the same n_beta")
    if not np.allclose(restricted.start, full.start, rtol=1e-3, atol=1e-6):
        raise InputError("losses at w* differ: both runs need the same start")
    level, full_level = restricted.mean_loss()[..., None], full.mean_loss()[..., None]
    mean_level = pooled.chain_means(level)
    by_z: Floats = np.empty(len(full.rows))
    for part, block in pooled.column_blocks(restricted.losses):
        other_means = pooled.chain_means(pooled.read_columns(full.losses, part) - full_level)
        own = block - level
        chi = -pooled.chain_covariances(own, level, errors=True)[..., 0]
        values = chi - mean_level * (pooled.chain_means(own) - other_means[0])
        other_error = mean_level[0] * pooled.jackknife_error(other_means)
        by_z[part] = np.hypot(pooled.jackknife_error(values), other_error) if errors else values[0]
    return by_z
