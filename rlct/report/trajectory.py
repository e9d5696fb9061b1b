"""λ̂ over the checkpoints of a training run, as a table and as a figure."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import t as student

from rlct.report.picture import (
    ACCENT_COLOR,
    INK_COLOR,
    PALE_COLOR,
    SECOND_COLOR,
    new_figure,
    tidy_axes,
)

if TYPE_CHECKING:
    from rlct.sampling.networks.trajectory import Trajectory

_STEP_WIDTH = 6  # characters at least


def trajectory_table(trajectory: Trajectory) -> str:
    """One line a checkpoint; Δ is the difference from the line before."""
    width = max(_STEP_WIDTH, *(len(str(step)) for step in trajectory.steps))
    lines = [f"{'step':>{width}}         λ̂   error         Δ   error  unpaired  verdict"]
    rows = zip(
        trajectory.steps,
        trajectory.estimates,
        (None, *trajectory.differences),
        trajectory.verdicts,
        strict=True,
    )
    for step, estimate, gain, verdict in rows:
        line = f"{step!s:>{width}}{_number(estimate.lam, 10)}{_number(estimate.error, 8, 2)}"
        if gain is None:
            line += f"{'—':>10}{'—':>8}{'—':>10}"
        else:
            line += f"{_number(gain.value, 10)}{_number(gain.error, 8, 2)}"
            line += _number(gain.unpaired_error, 10, 2)
        lines.append(f"{line}  {verdict}")
    return "\n".join(lines)


def _number(value: float, width: int, digits: int = 4) -> str:
    return f"{value:{width}.{digits}g}" if np.isfinite(value) else f"{'—':>{width}}"


def draw_trajectory(trajectory: Trajectory) -> Any:
    """λ̂ with its intervals, and differences from the first checkpoint with paired ones.

    Hollow points are those whose verdict is another than usable.
    """
    alt = f"λ̂ at {len(trajectory.steps)} checkpoints, and its differences from the first"
    figure = new_figure(7.0, 6.0, alt=alt)
    upper, lower = figure.subplots(2, 1, sharex=True)
    steps = trajectory.steps
    by_number = all(isinstance(step, Real) for step in steps)
    step_places = np.array(steps, dtype=float) if by_number else np.arange(float(len(steps)))
    lam = np.array([estimate.lam for estimate in trajectory.estimates])
    low, high = np.array([estimate.interval for estimate in trajectory.estimates]).T
    upper.errorbar(
        step_places, lam, (lam - low, high - lam), color=INK_COLOR, capsize=2, linewidth=1
    )
    usable = np.array([estimate.verdict == "usable" for estimate in trajectory.estimates])
    for chosen, face in ((usable, INK_COLOR), (~usable, "white")):
        upper.plot(
            step_places[chosen], lam[chosen], "o", color=INK_COLOR, markerfacecolor=face, zorder=3
        )
    level = f"{trajectory.settings['level']:.0%}"
    upper.set_title(f"λ̂ with {level} intervals; hollow: see the verdict", fontsize=9)
    gains = trajectory.from_first
    values = np.array([0.0, *(gain.value for gain in gains)])
    unpaired = np.array([0.0, *(gain.unpaired_error for gain in gains)])
    reach = np.array([0.0, *(gain.interval[1] - gain.value for gain in gains)])
    share = 0.5 + trajectory.settings["level"] / 2
    unpaired *= student.ppf(share, trajectory.chain_means.shape[1] - 1)
    lower.fill_between(step_places, values - unpaired, values + unpaired, color=PALE_COLOR)
    lower.errorbar(
        step_places, values, reach, color=SECOND_COLOR, capsize=2, marker="o", markersize=4
    )
    lower.axhline(0.0, color=ACCENT_COLOR, linestyle="--", linewidth=0.8)
    lower.set_title(
        f"λ̂ less that of the first, with paired {level} intervals; band: unpaired ones",
        fontsize=9,
    )
    lower.set_xlabel("step", fontsize=8)
    if not by_number:
        lower.set_xticks(step_places, [str(step) for step in steps])
    for axes in (upper, lower):
        tidy_axes(axes)
    return figure
