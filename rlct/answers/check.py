"""Theory against simulation: what is proved, or claimed, on trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rlct.algebra.expression import constant_value
from rlct.algebra.parse import parse_polynomial
from rlct.answers.exact import Question, solve
from rlct.answers.result import Result
from rlct.answers.targets import target_of
from rlct.errors import InputError
from rlct.pair import Pair, text_of_bounds
from rlct.system.options import brief_repr, explain_options, name_of
from rlct.system.progress import own_or_late

if TYPE_CHECKING:
    from rlct.sampling.comparison import Comparison, Verdict
    from rlct.sampling.targets.target import Target

Claim: TypeAlias = Pair | tuple[Fraction | int | str, int] | str | Fraction | int

_LARGEST_LAM = 10**12  # λ that may be claimed
_SMALLER_RADII = (0.05, 0.005, 0.0005)  # tried where another zero may have made λ̂ too small
_THEORY_SECONDS = 5.0  # spent on the exact answer when a claim is on trial


@explain_options
def check(
    question: Question | Result | Target,
    claim: Claim | None = None,
    *,
    seed: int = 0,
    method: str | None = None,
    progress: Callable[[float, str], object] | Literal[False] | None = None,
) -> Comparison:
    """Compare theory with simulation.

    A polynomial is sampled on a box of radius 1/2 around the point.  A worse zero elsewhere in
    the box makes λ̂ smaller, never larger; so a value above λ̂ that does not agree is tried once
    more on a smaller box, which counts if it agrees.  A proved value is judged on the smaller
    box, and on still smaller ones, where λ̂ is larger there and as long as it stays below.  A claim
    that contradicts what theory proves, bounds included, is refuted whatever simulation can see.

    Parameters
    ----------
    question : Problem, LinearNetwork, Model or Result
    claim : Pair, (λ, θ), λ, or text ``"λ"`` or ``"λ,θ"``, optional
        What to test; the exact answer by default.  Without θ, the proved θ is used
        for the proved λ, and any θ otherwise.
    seed, method, progress
        As in `rlct.llc`.

    Returns
    -------
    Comparison
        With a z-score, a planted wrong λ, and the verdict.

    Raises
    ------
    InputError
        If there is no exact answer to check and no claim was given, or the claim is none; bounds of
        ReLU networks are tested as bounds.

    Examples
    --------
    >>> import rlct
    >>> check(rlct.poly("x**2*y**4")).verdict
    'agrees'
    >>> check(rlct.poly("x**2*y**4"), claim="1/2").verdict
    'refuted'
    """
    name_of(method, "method")
    claimed_pair = None if claim is None else read_claim(claim)
    target = target_of(question)  # refuses what cannot be sampled before theory works on it
    lower, upper = _proved(question, claim is None)
    exact_pair = lower if lower == upper else None
    if claimed_pair is None:
        if exact_pair is None:
            with own_or_late("simulation", progress) as show:
                options = {"seed": seed, "method": method, "progress": show}
                return _bounds_on_trial(question, target, lower, upper, options)
        pair, theta_free = exact_pair, False
    else:
        pair, theta_free = claimed_pair, not _names_theta(claim)
        if theta_free and exact_pair is not None and exact_pair.lam == pair.lam:
            pair, theta_free = exact_pair, False
    contradiction = _contradiction(pair, theta_free, lower, upper)
    # Smaller boxes could only save a claim that theory does not refute.
    radii = _SMALLER_RADII if claim is None else () if contradiction else _SMALLER_RADII[:1]
    with own_or_late("simulation", progress) as show:
        options = {"seed": seed, "method": method, "free_theta": theta_free, "progress": show}
        outcome = _on_boxes(question, target, pair, claim is None, radii, options)
    if claim is None and outcome.verdict == "refuted" and outcome.z < 0:
        late = "the proof is wrong, or a late term of K does not show in simulation yet"
        outcome = replace(outcome, reason=f"{outcome.reason}: {late}")
    if contradiction and outcome.verdict != "refuted":
        reason = f"simulation alone says '{outcome.verdict}', but theory proves {contradiction}"
        return replace(outcome, verdict="refuted", reason=reason)
    return outcome


def _bounds_on_trial(
    question: Question | Result | Target,
    target: Target,
    lower: Pair | None,
    upper: Pair | None,
    options: dict[str, Any],
) -> Comparison:
    """Try whether λ̂, with any θ, is within bounds that hold there; planted: a λ just outside."""
    from rlct.sampling.comparison import Control
    from rlct.sampling.ladders.check import check_target, near_miss

    asked = question.question if isinstance(question, Result) else question
    names = getattr(asked, "bounds_on_trial", ())
    lower, upper = (end if n in names else None for end, n in ((lower, "lower"), (upper, "upper")))
    ends = [(end.lam, side) for end, side in ((lower, -1), (upper, 1)) if end is not None]
    if not ends:
        raise InputError(
            "theory has only bounds here: name a value to check, claim= in Python, --claim of "
            "rlct check"
        )
    outcome = check_target(target, Pair(ends[-1][0], 1), free_theta=True, **options)
    estimate, (least, most), words = outcome.estimate, outcome.allowed, text_of_bounds(lower, upper)
    beyond = [float(lam) for lam, side in ends if side * (estimate.lam - float(lam)) > 0]
    nearest = beyond[0] if beyond else estimate.lam
    outside = (float(lam + side * near_miss(lam)) for lam, side in ends)
    planted = min(outside, key=lambda lam: abs(lam - estimate.lam))
    z, planted_z = ((estimate.lam - lam) / estimate.error for lam in (nearest, planted))
    control = Control(planted, planted_z, not least <= planted <= most)
    verdict: Verdict = "agrees" if control.rejected else "inconclusive"
    reason = f"λ̂ fits {words}, the planted {planted:.4g} does{' not' * control.rejected}"
    if estimate.warnings:
        verdict, reason = "inconclusive", f"diagnostics failed: {estimate.warnings[0]}"
    elif not least <= nearest <= most:
        verdict, reason = "refuted", f"λ̂ = {estimate.lam:.4g} is not within {words}"
    return replace(outcome, z=z, control=control, verdict=verdict, reason=reason, bounds=words)


def _proved(question: Question | Result | Target, needed: bool) -> tuple[Pair | None, Pair | None]:
    """Return the bounds that theory proves, if it does so soon or the check is about them."""
    from rlct.sampling.targets.target import Target

    if isinstance(question, Result):
        return question.bounds
    if isinstance(question, Target):
        return None, None
    return solve(question, timeout=None if needed else _THEORY_SECONDS).bounds


def _contradiction(pair: Pair, free: bool, lower: Pair | None, upper: Pair | None) -> str:
    """What is proved and excludes a claim, with any θ if it is free; empty if nothing does."""
    if lower is not None and lower == upper:
        return str(lower) if (lower.lam != pair.lam if free else lower != pair) else ""
    if lower is not None and (pair.lam < lower.lam if free else pair < lower):
        return f"λ ≥ {lower.lam}" if pair.lam < lower.lam else f"at least {lower}"
    if upper is not None and (pair.lam > upper.lam if free else pair > upper):
        return f"λ ≤ {upper.lam}" if pair.lam > upper.lam else f"at most {upper}"
    return ""


def _names_theta(claim: Claim | None) -> bool:
    return isinstance(claim, (Pair, tuple)) or (isinstance(claim, str) and "," in claim)


def _on_boxes(
    question: Question | Result | Target,
    target: Target,
    pair: Pair,
    pair_proved: bool,
    radii: tuple[float, ...],
    options: dict[str, Any],
) -> Comparison:
    """Check on the default box, and on smaller ones while λ̂ is too small."""
    from rlct.sampling.ladders.check import check_target, hides_term
    from rlct.sampling.targets.polynomial import PolynomialTarget

    first_comparison = last_comparison = check_target(target, pair, **options)
    if (
        last_comparison.verdict == "agrees"
        or last_comparison.z >= 0
        or last_comparison.estimate.interrupted
        or not isinstance(target, PolynomialTarget)
        or hides_term(target, last_comparison.estimate)  # all the more in smaller boxes
    ):
        return last_comparison
    for radius in radii:
        try:
            smaller_box = check_target(target_of(question, radius=radius), pair, **options)
        except InputError:  # high powers underflow in small boxes
            break
        if smaller_box.estimate.lam <= last_comparison.estimate.lam:
            continue  # no zero less, and terms that cancel show at larger nβ only in small boxes
        if pair_proved or smaller_box.verdict == "agrees":
            last_comparison = smaller_box
        if last_comparison.verdict == "agrees" or last_comparison.z >= 0:
            break
    if (
        last_comparison.verdict == "refuted"
        and last_comparison.z < 0
        and radii
        and target.reach() < radii[-1]
    ):
        reason = f"λ̂ is smaller, but another zero may be closer than {radii[-1]:g} to the point"
        return replace(last_comparison, verdict="inconclusive", reason=reason)
    # A late term shows less in a small box: that refutes nothing that was open.
    only_late_term = (
        last_comparison.verdict == "refuted" and first_comparison.verdict == "inconclusive"
    )
    return first_comparison if only_late_term else last_comparison


def read_claim(claim: Claim, label: str = "the claim") -> Pair:
    """Read λ or (λ, θ) from what a user writes; θ = 1 if it is not given.

    >>> read_claim("1/2,2"), read_claim(("1/2", 2)), read_claim(3)
    (Pair(1/2, 2), Pair(1/2, 2), Pair(3, 1))
    """
    if isinstance(claim, Pair):
        return claim
    try:
        lam, theta = _parts(claim)
        value = constant_value(parse_polynomial(lam)) if isinstance(lam, str) else Fraction(lam)
        if value is not None and value < _LARGEST_LAM and not isinstance(lam, bool):
            return Pair(value, theta)
    except (TypeError, ValueError, OverflowError):  # of parse, Pair, int and Fraction alike
        pass
    raise InputError(f"{label} {brief_repr(claim)} is not λ or λ,θ such as 1/4 or 1/4,1")


def _parts(claim: Any) -> tuple[Any, int]:
    """λ, which may be text, and θ."""
    if isinstance(claim, tuple):
        lam, theta = claim
        return lam, theta
    if isinstance(claim, str):
        lam, _, theta = claim.partition(",")
        return lam, int(theta) if theta.strip() else 1
    return claim, 1
