"""Results and comparisons as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rlct.answers.result import Result, Route

if TYPE_CHECKING:
    from rlct.sampling.comparison import Comparison
    from rlct.sampling.estimate import Estimate

__all__ = ["answer", "explanation", "origins", "simulation"]

_COLUMN = 13


def _block(title: str, lines: Iterable[str]) -> list[str]:
    return [f"{title if k == 0 else '':{_COLUMN}}{line}" for k, line in enumerate(lines)]


def answer(result: Result) -> str:
    """One line for the answer, one for each note."""
    return "\n".join([str(result), *(f"note: {note}" for note in result.notes)])


def explanation(result: Result) -> str:
    """The answer with its theorem, sources, hypotheses and independent routes."""
    main = result.routes[0]
    exact = "exact" if result.status == "exact" else "bounds"
    head = str(result).partition(" (")[0]
    lines = [f"{head}   ({exact})"]
    lines += _block("Where", [result.where])
    title = f": {main.title}" if main.title else ""
    lines += _block("Proved by", [f"{main.method}{title}"])
    lines += _block("Source", main.sources)
    lines += _block(
        "Hypotheses",
        [f"{h['truth']:9} {h['statement']} ({h['evidence']})" for h in main.hypotheses],
    )
    lines += _block("Also", [f"{_claim(route)} by {route.method}" for route in result.routes[1:]])
    lines += _block("Note", result.notes)
    return "\n".join(lines)


def _claim(route: Route) -> str:
    """What a route proves."""
    if route.exact:
        return str(route.lower)
    low = "" if route.lower is None else f"{route.lower.lam} ≤ "
    return f"{low}λ" + ("" if route.upper is None else f" ≤ {route.upper.lam}")


def simulation(comparison: Comparison) -> str:
    """What the samplers said about a claim."""
    found = comparison.estimate
    low, high = found.interval
    control, (least, most) = comparison.control, comparison.allowed
    state = "rejected" if control.rejected else "not rejected"
    sizes = []
    if found.ess is not None:
        sizes.append(f"ESS {found.ess:.0f}")
    if found.rhat is not None:
        sizes.append(f"R-hat {found.rhat:.3f}")
    sizes += [f"seed {found.seed}", f"{found.seconds:.1f} s"]
    lines = _block(
        "Simulation",
        [
            f"λ̂ = {found.lam:.4g}, {found.level:.0%} interval [{low:.4g}, {high:.4g}], "
            f"by {found.method} ({', '.join(sizes)})",
            origins(found),
            f"claim {comparison.claimed}: z = {comparison.z:+.2f} "
            f"(refuted beyond {comparison.critical:.2f}: λ below {least:.4g} or above {most:.4g})",
            f"planted wrong λ = {control.lam:.4g}: z = {control.z:+.2f}, {state}",
            *(f"warning: {warning}" for warning in found.warnings),
        ],
    )
    return "\n".join([*lines, *_block("Verdict", [f"{comparison.verdict}: {comparison.reason}"])])


def origins(found: Estimate) -> str:
    """Where the standard error of an estimate comes from."""
    names = {"monte_carlo": "Monte Carlo", "finite_n": "finite nβ", "sampler": "sampler"}
    parts = [
        f"{text} {found.errors[key]:.2g}" for key, text in names.items() if key in found.errors
    ]
    return f"standard error ± {found.error:.2g}: {', '.join(parts)}"
