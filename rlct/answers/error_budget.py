"""Three errors of an estimate at one nβ: Monte Carlo, the sampler's bias, and finite nβ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.answers.check import read_claim
from rlct.answers.estimate import is_module
from rlct.answers.exact import Question, solve
from rlct.answers.result import Result
from rlct.answers.targets import scaled_target
from rlct.errors import InputError
from rlct.system.options import brief_repr, check_callback, explain_options

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.local.facts import Run
    from rlct.sampling.local.finite_n import TemperedMean
    from rlct.sampling.markov_chains.chains import Chains, Progress
    from rlct.sampling.targets.target import Target

_EXACT_SECONDS = 5.0  # spent on the exact answer
_OTHER_QUESTION = "the estimate is of another question than this"


@dataclass(frozen=True)
class ErrorBudget:
    """λ̂ − λ as a sum: (λ̂ − E[nβK]) + (E[nβK] − λ).

    Parameters
    ----------
    estimate : Estimate
        At one nβ.
    mean : TemperedMean
        E[nβK] for the same nβ, prior and localization, by a route without the sampler's bias.
    lam : Fraction or None
        The exact λ, if it is known.
    """

    estimate: Estimate
    mean: TemperedMean
    lam: Fraction | None

    @property
    def monte_carlo(self) -> float:
        """Standard error of λ̂ from the scatter of its chains."""
        return float(self.estimate.errors["chains"])

    @property
    def sampler(self) -> tuple[float, float]:
        """λ̂ − E[nβK] and the standard error of this difference."""
        error = (self.monte_carlo**2 + self.mean.error**2) ** 0.5
        return self.estimate.lam - self.mean.value, error

    @property
    def finite_n(self) -> float | None:
        """E[nβK] − λ, what no sampler at this nβ can avoid; None if λ is not known."""
        return None if self.lam is None else self.mean.value - float(self.lam)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        bias, error = self.sampler
        return {
            "monte_carlo": self.monte_carlo,
            "sampler": bias,
            "sampler_error": error,
            "finite_n": self.finite_n,
            "tempered_mean": self.mean.value,
            "tempered_mean_error": self.mean.error,
            "tempered_mean_method": self.mean.method,
            "lambda": None if self.lam is None else str(self.lam),
        }

    def __str__(self) -> str:
        bias, error = self.sampler
        mean = self.mean
        lines = [
            f"Monte Carlo  ± {self.monte_carlo:.2g}, from the scatter of the chains",
            f"Sampler      {bias:+.2g} ± {error:.2g}, against E[nβK] = {mean.value:.5g} ± "
            f"{mean.error:.1g} by {mean.method}",
        ]
        run = self.estimate.run
        if run is not None and run.excess:
            lines.append(f"Step         {-run.excess:+.2g}, taken off the mean of the draws")
        if self.finite_n is not None:
            gap = f"{self.finite_n:+.2g} ± {mean.error:.1g}"
            lines.append(f"Finite nβ    {gap}, E[nβK] against λ = {self.lam}")
        return "\n".join(lines)


@explain_options
def error_budget(
    question: Question | Result | Target,
    estimate: Estimate,
    *,
    lam: Fraction | int | None = None,
    progress: Progress | None = None,
) -> ErrorBudget:
    """Tell the sampler's bias and the finite-nβ bias of an estimate apart.

    Parameters
    ----------
    question : Problem, LinearNetwork, Model, Result or Target
        What was sampled; of a module its `rlct.sampling.modules.module.ModuleTarget`.
    estimate : Estimate
        Of `rlct.llc` of this question at one nβ.
    lam : Fraction, optional
        The exact λ; worked out if left out and the question is not a bare target.
    progress : callable, optional
        Called as ``progress(fraction, text)``.

    Returns
    -------
    ErrorBudget

    Raises
    ------
    InputError
        If the estimate is not one at a single nβ, or cannot be of this question: it has another
        number of parameters or samples, another box, or another K where its chains ended (which
        shows on NumPy's arrays and for samplers with a Metropolis test).

    Examples
    --------
    >>> from rlct import Problem, llc
    >>> question = Problem.poly("x**2*y**2")
    >>> found = error_budget(question, llc(question, n_beta=16e3, num_draws=500))
    >>> round(found.mean.value, 3), round(found.finite_n, 3)
    (0.387, -0.113)
    """
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.local.finite_n import tempered_mean
    from rlct.sampling.targets.target import Target

    check_callback(progress)
    if is_module(question):
        raise InputError("of a module give its target: ModuleTarget(module, data, loss)")
    if not isinstance(estimate, Estimate):
        raise InputError(f"estimate = {brief_repr(estimate)} is not an Estimate of llc")
    if estimate.chains is None:
        raise InputError("a ladder has no single nβ: its error bar holds the finite-nβ error")
    chains, run_settings = estimate.sampled
    if lam is not None:
        lam = read_claim(lam, "lam").lam
    target, factor = scaled_target(question, as_typed=True)
    chains, run_settings = estimate.at(run_settings.n_beta / factor).sampled
    _refuse_another(target, estimate.method, chains, run_settings)
    if lam is None and isinstance(question, Result):
        lam = question.lam
    elif lam is None and not isinstance(question, (Result, Target)):
        lam = solve(question, timeout=_EXACT_SECONDS).lam

    def own_n_beta(done: float, text: str) -> None:
        """The nβ of the text is that of a multiple of K."""
        if progress is not None:
            progress(done, f"towards nβ = {run_settings.n_beta * factor:g}")

    mean = tempered_mean(
        target,
        run_settings.n_beta,
        localization=run_settings.localization,
        seed=estimate.seed,
        progress=progress if progress is None or factor == 1.0 else own_n_beta,
    )
    return ErrorBudget(estimate, mean, None if lam is None else Fraction(lam))


def _refuse_another(target: Target, method: str, chains: Chains, run_settings: Run) -> None:
    """Refuse an estimate that cannot be of this target."""
    from rlct.sampling.targets.polynomial import PolynomialTarget
    from rlct.sampling.targets.target import DataTarget

    samples = target.samples if isinstance(target, DataTarget) else None
    radius = target.radius if isinstance(target, PolynomialTarget) else None
    facts = (
        ("parameters", chains.w.shape[-1], target.dimension),
        ("samples", run_settings.samples, samples),
        ("radius", run_settings.radius, radius),
    )
    for what, theirs, ours in facts:
        if theirs != ours:
            raise InputError(
                f"{_OTHER_QUESTION}: {what} {theirs or 'none'} there, {ours or 'none'} here"
            )
    if chains.interrupted or hasattr(target, "arrays"):
        return  # a second Ctrl-C ends a step half way; single precision repeats itself roughly
    if method != "sgld":
        _refuse_other_losses(target, chains)


def _refuse_other_losses(target: Target, chains: Chains) -> None:
    """Chains with a Metropolis test end where their last draws of nβK were computed."""
    n_beta = float(chains.n_beta[0])
    with np.errstate(all="ignore"):
        again = n_beta * target.divergence(chains.w[0])
    rounding = 1e-3 + 10 * n_beta / target.resolution
    if not np.allclose(again, chains.draws[0, :, -1], rtol=1e-6, atol=rounding):
        raise InputError(f"{_OTHER_QUESTION}: K is not the same where its chains ended")
