"""Confront a claimed pair (λ, θ) with simulation, beside a planted wrong value."""

from fractions import Fraction

from scipy.stats import t as student

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.sampling.comparison import Comparison, Control, ThetaTrial, Verdict
from rlct.sampling.estimate import Estimate
from rlct.sampling.kernels import kernel_names
from rlct.sampling.ladders.priors import FAR_TOP, PLAUSIBLE_THETA
from rlct.sampling.ladders.run import estimate
from rlct.sampling.ladders.tempering import LAST_N_BETA
from rlct.sampling.ladders.theta_trial import theta_trial
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Target

__all__ = ["check_target", "estimate", "hides_term", "near_miss"]


def near_miss(lam: Fraction) -> Fraction:
    """Distance of the planted wrong λ from the claim: min(1/4, λ/4).

    Closed forms of large models move in quarters (half a codimension, and a quarter from
    rounding in the deep linear formula); below λ = 1 competing candidates (h+1)/2k are at
    relative distance about 1/(k+1).

    >>> near_miss(Fraction(8)), near_miss(Fraction(1, 2))
    (Fraction(1, 4), Fraction(1, 8))
    """
    return min(Fraction(1, 4), lam / 4)


def check_target(
    target: Target,
    claim: Pair,
    *,
    seed: int = 0,
    method: str | None = None,
    level: float = 0.99,
    free_theta: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Put a claimed pair on trial.

    λ is estimated with the claimed θ in the model, or with any θ if the claim is about λ only.
    The claim is refuted when |z| exceeds the critical value of ``level``, or the ladder at the
    claimed λ rejects the claimed θ; it agrees only if, on the same data, the planted wrong λ on the
    side of the estimate is rejected, and the claim is in the 95 % interval.  θ − 1 and θ + 1 are
    planted, too, and the reason says which of them the draws do not distinguish from θ.  A doubtful
    first run (|z| beyond the 95 % value, diagnostics, or a control that survived) is repeated once
    with fresh randomness and four times the effort, and the second run alone decides; not where a
    term of K is too small for the ladder, which no draws make larger.

    ``level`` is 1 − the false-alarm rate of a refutation; with ``free_theta`` the claim says
    nothing about θ, which is averaged over.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> target = PolynomialTarget([{(1, 2): 1}], squared=True)
    >>> check_target(target, Pair(Fraction(1, 4), 1)).verdict
    'agrees'
    >>> check_target(target, Pair(Fraction(1, 2), 1)).verdict
    'refuted'
    """
    if not 0.5 <= level < 1:
        raise InputError(f"level must lie between 0.5 and 1, not {level}")
    theta = None if free_theta else claim.theta
    first_estimate = estimate(target, seed=seed, method=method, theta=theta, progress=progress)
    first_comparison = _compare(target, claim, first_estimate, level, free_theta)
    if first_comparison.estimate.interrupted or hides_term(target, first_estimate):
        return first_comparison
    doubtful = abs(first_comparison.z) > _critical(first_comparison.estimate, min(level, 0.95))
    theta_trial = first_comparison.theta_trial
    theta_open = not theta_trial.refuted and bool(theta_trial.survivors)
    if first_comparison.estimate.method == "quadrature" or (
        first_comparison.verdict == "agrees" and not doubtful and not theta_open
    ):
        return first_comparison
    far = abs(first_comparison.z) > 3 * first_comparison.critical
    if first_comparison.verdict == "refuted" and (far or _too_large(target, claim, free_theta)):
        return first_comparison
    if progress is not None:
        progress(
            0.0,
            f"first run: {first_comparison.verdict}, z = {first_comparison.z:+.2f}; "
            "repeating with more draws",
        )
    second_estimate = estimate(
        target,
        # A different seed: the second run must not share the luck of the first.
        seed=seed + 1_000_003,
        method=method,
        theta=theta,
        effort=4.0,
        top=_longer(first_comparison.estimate, target, theta_open) if method is None else None,
        progress=progress,
    )
    return _compare(target, claim, second_estimate, level, free_theta)


def hides_term(target: Target, ladder_estimate: Estimate) -> bool:
    """Whether a term that K needs is too small to show, however many draws there are."""
    ladder = ladder_estimate.ladder
    return (
        isinstance(target, PolynomialTarget)
        and ladder is not None
        and target.unseen(ladder.end) != ""
    )


def _longer(ladder_estimate: Estimate, target: Target, theta_open: bool) -> float | None:
    """Last nβ of a ladder that was made longer, or has to be as θ is still open."""
    if ladder_estimate.ladder is None or ladder_estimate.method != "tempering":
        return None
    wanted = FAR_TOP if theta_open else 0.0
    top = min(max(ladder_estimate.ladder.end, wanted), target.resolution)
    return top if top > 10 * LAST_N_BETA else None


def _too_large(target: Target, claim: Pair, free_theta: bool) -> bool:
    """Whether θ is claimed to be what no number of draws makes possible."""
    return not free_theta and claim.theta > target.dimension


def _critical(ladder_estimate: Estimate, level: float) -> float:
    return float(student.ppf(0.5 + level / 2, ladder_estimate.degrees))


def _fits(ladder_estimate: Estimate, free_theta: bool) -> list[tuple[float, float]]:
    """λ̂ and its error, and those for every θ that is likely enough, if any θ is allowed."""
    fits = [(ladder_estimate.lam, ladder_estimate.error)]
    if free_theta and ladder_estimate.fit is not None:
        chances, lam_by_theta = ladder_estimate.fit.thetas, ladder_estimate.fit.by_theta
        fits += [
            lam_by_theta[theta] for theta, chance in chances.items() if chance >= PLAUSIBLE_THETA
        ]
    return fits


def _distance(ladder_estimate: Estimate, lam: Fraction, free_theta: bool) -> float:
    """Standard errors between λ̂ and λ; for the θ that suits λ best, if any θ is allowed."""
    fits = _fits(ladder_estimate, free_theta)
    return min(((centre - float(lam)) / error for centre, error in fits), key=abs)


def _allowed(ladder_estimate: Estimate, critical: float, free_theta: bool) -> tuple[float, float]:
    """From the smallest to the largest λ that is not refuted."""
    fits = _fits(ladder_estimate, free_theta)
    low = min(centre - critical * error for centre, error in fits)
    return max(0.0, low), max(centre + critical * error for centre, error in fits)


def _tried_theta(
    target: Target, claim: Pair, ladder_estimate: Estimate, free_theta: bool
) -> ThetaTrial:
    """θ on trial, unless nothing is claimed of it or chains by gradients have an unknown bias."""
    ladder = ladder_estimate.ladder
    if free_theta or ladder is None or ladder_estimate.method in kernel_names():
        return ThetaTrial(claim.theta)
    return theta_trial(target, ladder, claim)


def _compare(
    target: Target, claim: Pair, ladder_estimate: Estimate, level: float, free_theta: bool
) -> Comparison:
    critical_z = _critical(ladder_estimate, level)
    z = _distance(ladder_estimate, claim.lam, free_theta)
    gap = near_miss(claim.lam)
    planted_lam = claim.lam + (gap if z >= 0 else -gap)
    planted_z = _distance(ladder_estimate, planted_lam, free_theta)
    control = Control(float(planted_lam), planted_z, abs(planted_z) > critical_z)
    tried_theta = ThetaTrial(claim.theta)
    verdict: Verdict
    if _too_large(target, claim, free_theta):
        verdict = "refuted"
        reason = f"θ is at most {target.dimension}, the number of parameters"
    elif ladder_estimate.warnings:
        verdict, reason = "inconclusive", f"diagnostics failed: {ladder_estimate.warnings[0]}"
    elif abs(z) > critical_z:
        verdict, reason = (
            "refuted",
            f"λ̂ = {ladder_estimate.lam:.4g} is {abs(z):.1f} standard errors away",
        )
    elif (tried_theta := _tried_theta(target, claim, ladder_estimate, free_theta)).refuted:
        verdict = "refuted"
        reason = (
            f"λ = {claim.lam} fits, but not with θ = {claim.theta}: "
            f"θ = {tried_theta.likeliest} does"
        )
    elif not control.rejected:
        verdict = "inconclusive"
        reason = f"the planted wrong value {float(planted_lam):.4g} was not rejected either"
    elif not ladder_estimate.interval[0] <= claim.lam <= ladder_estimate.interval[1]:
        verdict = "inconclusive"
        low, high = (f"{end:.4g}" for end in ladder_estimate.interval)
        reason = f"λ = {claim.lam} is not refuted, but outside the interval [{low}, {high}]"
    else:
        verdict = "agrees"
        reason = (
            f"λ = {claim.lam} fits and the planted wrong value {float(planted_lam):.4g} does not"
            + tried_theta.words
        )
    allowed_range = _allowed(ladder_estimate, critical_z, free_theta)
    return Comparison(
        ladder_estimate,
        claim,
        z,
        critical_z,
        allowed_range,
        control,
        verdict,
        reason,
        tried_theta,
        free_theta,
    )
