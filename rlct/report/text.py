"""Results and comparisons as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rlct.answers.result import Result, Route
from rlct.pair import text_of_bounds

if TYPE_CHECKING:
    from rlct.sampling.comparison import Comparison
    from rlct.sampling.estimate import Estimate

_TITLE_COLUMN = 13  # characters before a text


def _block(title: str, lines: Iterable[str]) -> list[str]:
    return [f"{title if k == 0 else '':{_TITLE_COLUMN}}{line}" for k, line in enumerate(lines)]


def answer_lines(result: Result) -> str:
    """One line for the answer, one for each note."""
    return "\n".join([str(result), *(f"note: {note}" for note in result.notes)])


def answer_with_routes(result: Result) -> str:
    """The answer with its theorem, sources, hypotheses and independent routes."""
    first_route = result.routes[0]
    head = str(result).partition(" (")[0]
    lines = [f"{head}   ({result.standing})"]
    lines += _block("Where", [result.where])
    title = f": {first_route.title}" if first_route.title else ""
    half = (
        f"{_claim(first_route)} by " if result.status == "exact" and not first_route.exact else ""
    )
    lines += _block("Proved by", [f"{half}{first_route.method}{title}"])
    lines += _block("Source", first_route.sources)
    lines += _block(
        "Hypotheses",
        [f"{h['truth']:9} {h['statement']} ({h['evidence']})" for h in first_route.hypotheses],
    )
    lines += _block("Also", [f"{_claim(route)} by {route.method}" for route in result.routes[1:]])
    lines += _block("Note", result.notes)
    return "\n".join(lines)


def _claim(route: Route) -> str:
    return text_of_bounds(route.lower, route.upper)


def comparison_text(comparison: Comparison, means_by_poles: str = "") -> str:
    """What the samplers said about a claim, and the means that the poles of ζ tell."""
    estimate = comparison.estimate
    lower_end, upper_end = estimate.interval
    planted_value, (allowed_least, allowed_most) = comparison.control, comparison.allowed
    state = "rejected" if planted_value.rejected else "not rejected"
    sizes = []
    if estimate.ess is not None:
        sizes.append(f"ESS {estimate.ess:.0f}")
    if estimate.rhat is not None:
        sizes.append(f"R-hat {estimate.rhat:.3f}")
    sizes += [f"seed {estimate.seed}", f"{estimate.seconds:.1f} s"]
    lines = _block(
        "Simulation",
        [
            f"λ̂ = {estimate.lam:.4g}, {estimate.level:.0%} interval [{lower_end:.4g}, "
            f"{upper_end:.4g}], by {estimate.method} ({', '.join(sizes)})",
            error_origins(estimate),
            f"claim {comparison.claimed}: z = {comparison.z:+.2f} "
            f"(refuted beyond {comparison.critical:.2f}: λ below {allowed_least:.4g} or above "
            f"{allowed_most:.4g})",
            f"planted wrong λ = {planted_value.lam:.4g}: z = {planted_value.z:+.2f}, {state}",
            *_planted_thetas(comparison),
            *([f"mean of nβK by the poles of ζ: {means_by_poles}"] if means_by_poles else []),
            *(f"warning: {warning}" for warning in estimate.warnings),
        ],
    )
    return "\n".join([*lines, *_block("Verdict", [f"{comparison.verdict}: {comparison.reason}"])])


def _planted_thetas(comparison: Comparison) -> list[str]:
    """What became of the planted θ, a line each."""
    trial = comparison.theta_trial
    return [
        f"planted wrong θ = {theta}: odds {trial.odds[theta]:.2g}, "
        f"{'not rejected' if theta in trial.survivors else 'rejected'}"
        for theta in trial.planted
    ]


def error_origins(estimate: Estimate) -> str:
    """Where the standard error of an estimate comes from."""
    names = {"monte_carlo": "Monte Carlo", "finite_n": "finite nβ", "sampler": "sampler"}
    errors = estimate.errors
    parts = [f"{text} {errors[key]:.2g}" for key, text in names.items() if key in errors]
    return f"standard error ± {estimate.error:.2g}: {', '.join(parts)}"
