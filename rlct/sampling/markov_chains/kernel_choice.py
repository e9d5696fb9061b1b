"""The kernel of a method, with steps that fit the posterior."""

from __future__ import annotations

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.spectrum import Spectrum, units
from rlct.sampling.markov_chains.hmc import Hmc
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.length import DRAWS
from rlct.sampling.markov_chains.mala import Mala
from rlct.sampling.markov_chains.nuts import Nuts
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.sgld import Sgld
from rlct.sampling.markov_chains.tuning import (
    LossLandscape,
    bearable_step,
    curvature,
    recommended_step,
    spaced_chains,
    wall_pressure,
)
from rlct.sampling.markov_chains.walkers import Walkers

__all__ = ["kernel_for"]


def kernel_for(
    run_settings: RunSettings,
    posterior: TemperedPosterior,
    landscape: LossLandscape | None,
    spectrum: Spectrum | None,
) -> Kernel:
    """Make the kernel of a method, whose chains start at w₀ where there are data.

    From ``landscape``, what was seen around w₀, ``"sgld"`` finds a step where none is given; from
    ``spectrum`` the others take their units.  InputError if no step is short enough.
    """
    method, lr, batch_size = run_settings.method, run_settings.lr, run_settings.batch_size
    if method == "moves":
        return Walkers(posterior)
    if method == "hmc":
        return Hmc(posterior, spread=False, units=units(spectrum, Hmc.FASTEST, DRAWS[method]))
    if method == "nuts":
        return Nuts(posterior, spread=False, units=units(spectrum, Nuts.FASTEST, DRAWS[method]))
    if method == "mala":
        return Mala(
            posterior, spread=landscape is None, units=units(spectrum, Mala.FASTEST, DRAWS[method])
        )
    if lr is not None:
        return Sgld(posterior, lr=lr, batch_size=batch_size)
    assert landscape is not None
    noise = landscape.noise

    def limit(w: Array) -> float:
        top_curvature = float(curvature(posterior, spaced_chains(posterior, w)).max())
        return recommended_step(
            posterior, top_curvature, noise, batch_size, wall_pressure(posterior, w)
        )

    full = recommended_step(posterior, landscape.curvature, noise, batch_size)
    top_curvature = float(posterior.n_beta[0]) * landscape.curvature
    if not posterior.localization or top_curvature <= posterior.confining:
        full = bearable_step(posterior, full)
    if not full > 0:
        raise InputError("the loss is too steep at w* for any step: scale inputs or targets down")
    return Sgld(posterior, lr=full, batch_size=batch_size, step_limit=limit)
