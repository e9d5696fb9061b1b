"""A ladder of nβ, or of volumes, as a table: slopes by level, and what the fit says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate

_ROWS_SHOWN = 20  # levels
_LEAST_PROBABILITY = 0.005  # probability of a θ that is shown


def ladder_table(estimate: Estimate) -> str:
    r"""One line per level, one for λ̂, and one for each θ that has a chance.

    A slope is −d log Z/d log nβ (volumes: d log V/d log t), the mean over its level; levels are
    named by their middle.  The estimate is that of `rlct.llc` without ``n_beta``.

    >>> import rlct
    >>> lines = ladder_table(rlct.llc(rlct.poly("x**2*y**4"))).splitlines()
    >>> print("\n".join([lines[0], *lines[-5:]]))
     log₁₀ nβ     slope    error
        24.78      0.25    2e-05  fitted
            λ̂      0.25  0.00017  95% interval [0.2497, 0.2503]
        θ = 1      0.25  0.00017  100%
    20 of 97 levels are shown
    the fit misses the slopes by 0.073 of their error
    """
    ladder, ladder_fit = estimate.measured
    decades, fitted = ladder.decades, ladder_fit.uses(ladder)
    slopes, errors = ladder.slope, ladder.slope_error
    count = len(decades)
    shown_levels = np.unique(np.linspace(0, count - 1, min(count, _ROWS_SHOWN)).round().astype(int))
    name = "log₁₀ 1/t" if ladder.volumes else "log₁₀ nβ"
    lines = [f"{name:>9}     slope    error"]
    for k in shown_levels:
        mark = "  fitted" if fitted[k] else ""
        lines.append(f"{decades[k]:9.2f}{slopes[k]:10.4g}{errors[k]:9.2g}{mark}")
    low, high = estimate.interval
    span = f"{estimate.level:.0%} interval [{low:.4g}, {high:.4g}]"
    lines.append(f"{'λ̂':>10}{estimate.lam:10.4g}{estimate.error:9.2g}  {span}")
    for theta, chance in ladder_fit.thetas.items():
        if chance >= _LEAST_PROBABILITY:
            lam, error = ladder_fit.by_theta[theta]
            chance_text = "assumed" if estimate.theta_interval is None else f"{chance:.0%}"
            lines.append(f"{f'θ = {theta}':>9}{lam:10.4g}{error:9.2g}  {chance_text}")
    return "\n".join([*lines, *_below(estimate, len(shown_levels))])


def _below(estimate: Estimate, shown: int) -> list[str]:
    """What the columns do not say: levels left out, where errors are from, how good the fit is."""
    ladder, fit = estimate.measured
    runs, count = ladder.slopes.shape
    lines = [f"{shown} of {count} levels are shown"] if shown < count else []
    if estimate.remark:
        lines.append(estimate.remark)
    if runs == 1:
        return [*lines, f"the fit misses the slopes by {fit.misfit:.2g} of their error"]
    lines.append(f"errors of slopes from the scatter of {runs} independent runs")
    return [*lines, f"χ² of the fit per degree of freedom: {fit.misfit:.2g}"]
