"""Choose a sampler, run it, fit (λ, θ), and report an Estimate."""

from collections.abc import Sequence
from numbers import Real
from pathlib import Path

from rlct.errors import InputError
from rlct.sampling.checks import check_seed
from rlct.sampling.estimate import Estimate
from rlct.sampling.kernels import kernel_class, kernel_names
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.attempts import STOPPED_WARNING, LadderAttempt, LadderAttempts
from rlct.sampling.ladders.ladder_report import close_poles, few_turns, hidden_part
from rlct.sampling.ladders.quadrature import UnresolvedIntegral
from rlct.sampling.ladders.tempering import LAST_N_BETA
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.checkpoint import check_file
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget
from rlct.sampling.targets.target import ConditionalTarget, Target

# Where an accuracy is asked for, the first of these is small, and the last decides.  Two draws of
# exact ones after few sweeps say enough unless networks are large, which take longer to settle.
EFFORT_SHARES = (0.25, 1.0, priors.LAST_EFFORT)
FIRST_SHARE, MANY_PARAMETERS = 1 / 16, 1000
# Wider intervals are tried once more with the last effort where parameters are few: which of two θ
# it is moves λ̂ by a twentieth or more, and seconds decide it.
WIDE_INTERVAL, FEW_AXES = 0.02, 10
# Quadrature ends at log nβ = 14 in three variables: what it leaves wider is left to tempering.
VAGUE_WIDTH = 0.1
NO_CHECKPOINT = (
    "quadrature has no checkpoint: the file is neither read nor written; choose method tempering"
)


def estimate(
    target: Target,
    *,
    seed: int = 0,
    method: str | None = None,
    level: float = 0.95,
    theta: int | None = None,
    effort: float = 1.0,
    accuracy: float | None = None,
    top: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate (λ, θ) of a target by simulation, or by quadrature where d ≤ 3.

    The same ``seed`` gives the same answer.  ``level`` is the probability of the interval,
    ``theta`` is assumed instead of averaging over all θ, and ``effort`` multiplies the number of
    particles or draws.  After Ctrl-C the estimate is from the part of the ladder that was done,
    with a warning, if it can be fitted.

    A ``method`` is one of `ladder_methods`.  By default it is quadrature for polynomials in at most
    three variables if it resolves the integral, and tempering after it where the interval is wider
    than a tenth of λ̂, or than ``accuracy``; gibbs for a target with exact conditional draws; else
    tempering.

    With ``accuracy``, the half-width of the interval wanted as a fraction of λ̂, the run begins with
    few draws and is repeated with four times as many, up to four times the usual number, until the
    interval is as narrow; else a warning says so.  Without it, with up to ten parameters and no
    ``theta``, ``effort`` or ``checkpoint``, an interval wider than 0.02 is tried once more with
    four times the draws.  Tempering with four times the draws ends later.

    It ends at nβ = ``top``: without it at 10¹⁵, or e²⁰ times the nβ at which K shows if that is
    more; with four times the draws at 10³⁰; for small λ where λ̂ log nβ is 12, or four times the
    largest θ that is likely; and never beyond where rounding hides K.  A larger one takes longer in
    proportion to its logarithm, and narrows what θ leaves open about λ.

    A ``checkpoint`` is a file (.npz) that holds what is done; if it exists the run resumes there,
    and gives the answer of one that was never stopped.  Quadrature writes nothing, with a warning.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> found = estimate(PolynomialTarget([{(1, 2): 1}], squared=True), seed=1)
    >>> found.method, abs(found.lam - 0.25) < 0.01
    ('quadrature', True)
    """
    _validate(target, seed, method, level, theta, top)
    if checkpoint is not None:
        check_file(checkpoint)
    if accuracy is not None:
        if not isinstance(accuracy, int | float) or not 0 < accuracy < 1:
            raise InputError(f"accuracy is a fraction of λ between 0 and 1, not {accuracy!r}")
        if checkpoint is not None:
            raise InputError("a file holds one run, an accuracy may take several: leave one out")
    chosen_method = method or _default_method(target, top)
    effort_shares: tuple[float, ...] = (1.0,)
    if accuracy is not None:
        quick = chosen_method == "gibbs" and target.dimension < MANY_PARAMETERS
        effort_shares = (FIRST_SHARE, *EFFORT_SHARES) if quick else EFFORT_SHARES
    elif target.dimension <= FEW_AXES and theta is None and effort == 1.0 and checkpoint is None:
        effort_shares = (1.0, priors.LAST_EFFORT)
    attempts = LadderAttempts(target, seed, level, theta, effort, top, checkpoint, progress)
    if chosen_method != "quadrature":
        best_attempt = attempts.narrowed(chosen_method, accuracy or WIDE_INTERVAL, effort_shares)
    elif method is None:
        best_attempt = _integrated_or_tempered(attempts, accuracy, effort_shares)
    else:
        try:
            best_attempt = attempts.attempt("quadrature")
        except UnresolvedIntegral as problem:
            raise InputError(f"quadrature failed: {problem}; use method='tempering'") from None
    missed = accuracy is not None and (best_attempt.width > accuracy or not best_attempt.fits)
    if missed and not best_attempt.answer.interrupted:
        best_attempt = best_attempt.warn(
            f"the interval is not as narrow as asked: {accuracy:.2g} of λ̂"
        )
    if checkpoint is not None and best_attempt.answer.method == "quadrature":
        best_attempt = best_attempt.warn(NO_CHECKPOINT)
    hidden = (
        hidden_part(target, best_attempt.ladder)
        or close_poles(target, best_attempt.ladder)
        or few_turns(target, best_attempt.ladder, best_attempt.answer.lam, best_attempt.highest)
    )
    return (best_attempt.warn(hidden) if hidden else best_attempt).answer


def ladder_methods() -> tuple[str, ...]:
    """Names that ``method=`` takes: those of this folder, and kernels that run on ladders."""
    kernels = [name for name in kernel_names() if kernel_class(name).ladder_draws]
    return ("quadrature", "tempering", "gibbs", "splitting", *kernels)


def _integrated_or_tempered(
    ladder_attempts: LadderAttempts, accuracy: float | None, effort_shares: Sequence[float]
) -> LadderAttempt:
    """By quadrature, or by tempering after it where that fails or leaves much open."""
    wanted_width = accuracy or WIDE_INTERVAL
    try:
        integrated_attempt = ladder_attempts.attempt("quadrature")
    except UnresolvedIntegral as problem:
        method_remark = f"quadrature failed ({problem}); tempering was used instead"
        return ladder_attempts.narrowed(
            "tempering", wanted_width, effort_shares, method_remark=method_remark
        )
    if integrated_attempt.width <= min(VAGUE_WIDTH, accuracy or VAGUE_WIDTH):
        return integrated_attempt
    low, high = integrated_attempt.answer.interval
    method_remark = f"by quadrature [{low:.4g}, {high:.4g}], so tempering was used instead"
    least_end = integrated_attempt.far(ladder_attempts.target)
    try:
        tempered_attempt = ladder_attempts.narrowed(
            "tempering",
            wanted_width,
            effort_shares,
            method_remark=method_remark,
            least_end=least_end,
        )
    except KeyboardInterrupt:
        return integrated_attempt.warn(STOPPED_WARNING)
    except InputError:  # K underflows where quadrature does not mind
        return integrated_attempt
    return (
        tempered_attempt
        if tempered_attempt.fits and tempered_attempt.width <= integrated_attempt.width
        else integrated_attempt
    )


def _default_method(target: Target, top: float | None) -> str:
    """Choose a method by what the target can do."""
    if isinstance(target, PolynomialTarget) and target.dimension <= 3 and top is None:
        return "quadrature"
    return "gibbs" if top is None and isinstance(target, ConditionalTarget) else "tempering"


def _validate(
    target: Target,
    seed: int,
    method: str | None,
    level: float,
    theta: int | None,
    top: float | None,
) -> None:
    if isinstance(target, RegressionTarget):
        raise InputError("a loss on data has no λ of its own: use llc at one nβ")
    for name, value in (("level", level), ("top", top)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
            raise InputError(f"{name} must be a number, not {value!r}")
    if not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1, not {level}")
    check_seed(seed)
    if theta is not None and theta < 1:
        raise InputError(f"θ must be a positive integer, not {theta}")
    if method is not None and method not in ladder_methods():
        raise InputError(f"unknown method {method!r}: choose one of {', '.join(ladder_methods())}")
    if top is not None and method not in (None, "tempering"):
        raise InputError(f"top is the last nβ of tempering, not of {method}")
    least = min(LAST_N_BETA, target.resolution)
    if top is not None and not top >= least:
        raise InputError(f"top must be at least {least:g}")
    if top is not None and top > target.resolution:
        raise InputError(f"top is beyond nβ = {target.resolution:g}, where rounding hides K")
    if method == "gibbs" and not isinstance(target, ConditionalTarget):
        raise InputError("gibbs needs a target with exact conditional draws: a linear network")
    if method == "quadrature" and not (
        isinstance(target, PolynomialTarget) and target.dimension <= 3
    ):
        raise InputError("quadrature needs a polynomial in at most three variables")
