"""What chains at one nβ say, as an Estimate with its diagnostics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import t as student

from rlct.sampling.estimate import Estimate
from rlct.sampling.local.data_error import NO_DATA
from rlct.sampling.local.facts import Run
from rlct.sampling.local.fluctuation import FluctuationEstimate
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.preparation import PreparedRun
from rlct.sampling.local.run_facts import run_facts
from rlct.sampling.local.run_warnings import hardly_moved, rounding_warning, run_warnings
from rlct.sampling.local.target_warnings import narrow_parts, singular_prior
from rlct.sampling.markov_chains import diagnostics
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.sgld import Sgld

__all__ = ["report_llc"]

LOOSE = (
    "without localization nothing confines the chains: where the loss has valleys without end, "
    "there is no posterior, and λ̂ means nothing"
)
STILL = ("interrupted", "the step")  # beginnings of what holds in single precision, too


def report_llc(
    settled_draws: SettledDraws,
    prepared_run: PreparedRun,
    run_settings: RunSettings,
    seconds: float,
) -> Estimate:
    """Put together what is known of λ̂: its mean, its errors, and what is wrong with it."""
    kernel, moments, level = prepared_run.kernel, prepared_run.moments, run_settings.level
    errors = {"monte_carlo": settled_draws.error}
    nu: FluctuationEstimate | None = None
    data_scatter = NO_DATA
    if moments is not None and moments.count > 1:
        data_scatter = moments.data_error()
        errors["data"] = data_scatter.value
        nu = moments.singular_fluctuation(settled_draws.excess)
    total = float(np.sqrt(settled_draws.error**2 + errors.get("data", 0.0) ** 2))
    half = float(student.ppf(0.5 + level / 2, settled_draws.degrees)) * settled_draws.error
    half = float(np.hypot(half, student.ppf(0.5 + level / 2, np.inf) * errors.get("data", 0.0)))
    # Of what is taken off 2/k is right where nβL is homogeneous of degree k > 2.  More than all of
    # it is added where nβL grows slower than a square, and by how much is seen.
    margin_above, margin_below = (
        float(np.hypot(half, settled_draws.excess)),
        half + settled_draws.unremoved,
    )
    effective_size, split_rhat = (
        diagnostics.ess(settled_draws.draws),
        diagnostics.rhat(settled_draws.draws),
    )
    notes = diagnostics.warnings_for(
        settled_draws.draws,
        effective_size=effective_size,
        split_rhat=split_rhat,
        distance=settled_draws.distance,
    )
    run = run_facts(settled_draws, prepared_run, data_scatter, nu)
    estimate = Estimate(
        lam=settled_draws.lam,
        interval=(settled_draws.lam - margin_below, settled_draws.lam + margin_above),
        level=level,
        theta=None,
        theta_interval=None,
        error=total,
        degrees=settled_draws.degrees,
        ess=effective_size,
        rhat=split_rhat,
        seconds=seconds,
        seed=run_settings.seed,
        method=kernel.name,
        warnings=notes,
        errors=errors,
        nu=None if nu is None else nu[:2],
        chains=settled_draws.chains,
        run=run,
    )
    return replace(estimate, warnings=_all_sentences(estimate, run, kernel, settled_draws.calm))


def _all_sentences(
    estimate: Estimate, run: Run, kernel: Kernel, has_settled: bool
) -> tuple[str, ...]:
    """All warnings, those first that make others idle."""
    assert estimate.chains is not None
    posterior, target = kernel.posterior, kernel.posterior.target
    notes, run_sentences = (
        estimate.warnings,
        run_warnings(estimate, estimate.chains, run, has_settled=has_settled),
    )
    sentences = (*notes, *run_sentences)
    if coarse := rounding_warning(run, estimate.lam):
        sentences = (*coarse, *(words for words in run_sentences if words.startswith(STILL)))
    truth = run.data.said and not run.data.trained and run.descent <= run.data.above
    if truth or hardly_moved(run):  # these may be so, and it is not what is wrong
        sentences = tuple(words for words in sentences if words != diagnostics.NEGATIVE_ESTIMATE)
    cut = 0.0
    if isinstance(kernel, Sgld):
        cut = float(kernel.cut[0] / max(kernel.cut[1], 1.0))
    prior_warnings, part_warnings = (
        singular_prior(target, kernel.name, cut),
        narrow_parts(target, kernel.name),
    )
    loose = "" if posterior.localization or not getattr(target, "flat", False) else LOOSE
    remarks = filter(None, (loose, getattr(target, "remark", "")))
    return (*sentences, *prior_warnings, *part_warnings, *remarks)
