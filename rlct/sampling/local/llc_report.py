"""What chains at one nβ say, as an Estimate with its diagnostics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import t as student

from rlct.sampling.estimate import Estimate
from rlct.sampling.local.data_error import NO_DATA
from rlct.sampling.local.facts import Run
from rlct.sampling.local.fluctuation import Fluctuation
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.preparation import PreparedRun
from rlct.sampling.local.run_facts import run_facts
from rlct.sampling.local.run_warnings import hardly_moved, rounded, run_warnings
from rlct.sampling.local.target_warnings import narrow_parts, singular_prior
from rlct.sampling.markov_chains import diagnostics
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.sgld import Sgld

__all__ = ["reported"]

LOOSE = (
    "without localization nothing confines the chains: where the loss has valleys without end, "
    "there is no posterior, and λ̂ means nothing"
)
STILL = ("interrupted", "the step")  # beginnings of what holds in single precision, too


def reported(
    found: SettledDraws, prepared_run: PreparedRun, run_settings: RunSettings, seconds: float
) -> Estimate:
    """Put together what is known of λ̂: its mean, its errors, and what is wrong with it."""
    kernel, moments, level = prepared_run.kernel, prepared_run.moments, run_settings.level
    errors = {"monte_carlo": found.error}
    nu: Fluctuation | None = None
    scatter = NO_DATA
    if moments is not None and moments.count > 1:
        scatter = moments.data_error()
        errors["data"] = scatter.value
        nu = moments.singular_fluctuation(halved=found.halved)
    total = float(np.sqrt(found.error**2 + errors.get("data", 0.0) ** 2))
    half = float(student.ppf(0.5 + level / 2, found.degrees)) * found.error
    half = float(np.hypot(half, student.ppf(0.5 + level / 2, np.inf) * errors.get("data", 0.0)))
    # Of what is taken off 2/k is right where nβL is homogeneous of degree k > 2.  More than all of
    # it is added where nβL grows slower than a square, and by how much is seen.
    above, below = float(np.hypot(half, found.excess)), half + found.unremoved
    effective, disagreement = diagnostics.ess(found.draws), diagnostics.rhat(found.draws)
    notes = diagnostics.warnings_for(
        found.draws, effective_size=effective, split_rhat=disagreement, distance=found.distance
    )
    run = run_facts(found, prepared_run, scatter, nu)
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
        seed=run_settings.seed,
        method=kernel.name,
        warnings=notes,
        errors=errors,
        nu=None if nu is None else nu[:2],
        chains=found.chains,
        run=run,
    )
    return replace(estimate, warnings=_told(estimate, run, kernel, found.calm))


def _told(estimate: Estimate, run: Run, kernel: Kernel, calm: bool) -> tuple[str, ...]:
    """All warnings, those first that make others idle."""
    assert estimate.chains is not None
    posterior, target = kernel.posterior, kernel.posterior.target
    notes, more = estimate.warnings, run_warnings(estimate, estimate.chains, run, calm=calm)
    told = (*notes, *more)
    if coarse := rounded(run, estimate.lam):
        told = (*coarse, *(words for words in more if words.startswith(STILL)))
    truth = run.data.said and not run.data.trained and run.descent <= run.data.above
    if truth or hardly_moved(run):  # these may be so, and it is not what is wrong
        told = tuple(words for words in told if words != diagnostics.NEGATIVE_ESTIMATE)
    cut = 0.0
    if isinstance(kernel, Sgld):
        cut = float(kernel.cut[0] / max(kernel.cut[1], 1.0))
    pole, arms = singular_prior(target, kernel.name, cut), narrow_parts(target, kernel.name)
    loose = "" if posterior.localization or not getattr(target, "flat", False) else LOOSE
    remarks = filter(None, (loose, getattr(target, "remark", "")))
    return (*told, *pole, *arms, *remarks)
