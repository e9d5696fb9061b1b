"""A ladder of nβ, or of volumes, with what is fitted to it and the truth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    PALE_COLOR,
    SECOND_COLOR,
    new_figure,
    tidy_axes,
)
from rlct.sampling.ladders.expansion import slope

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate

__all__ = ["draw_ladder", "plot_ladder", "plot_volume"]


def draw_ladder(found: Estimate, truth: Pair | Fraction | int | None = None) -> Any:
    """Draw the ladder of an estimate, and the volumes if it measured volumes.

    Returns
    -------
    matplotlib.figure.Figure
    """
    volumes = found.measured[0].volumes
    figure = new_figure(11.0 if volumes else 6.2, 4.4)
    axes = figure.subplots(1, 2 if volumes else 1, squeeze=False)[0]
    plot_ladder(axes[0], found, truth)
    if volumes:
        plot_volume(axes[1], found, truth if isinstance(truth, Pair) else None)
    for each in axes:
        each.legend(fontsize=8.5)
    return figure


def plot_ladder(
    axes: Any, estimate: Estimate, true_pair: Pair | Fraction | int | None = None
) -> None:
    """Plot the local slopes of a ladder, the fitted expansion, λ̂ with its interval, and the truth.

    The points are −d log Z/d log nβ (volumes: d log V/d log t) between neighbouring levels; those
    from the window of the fit on are filled.  The curve is the asymptotic expansion with λ̂ and
    the likeliest θ, whose next terms are fitted to the filled points.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    estimate : Estimate
        Without ``n_beta``.
    true_pair : Pair or Fraction, optional

    Raises
    ------
    InputError
        If the estimate has no ladder.
    """
    ladder, ladder_fit = estimate.measured
    slopes, in_fit, level_decades = ladder.slope, ladder_fit.uses(ladder), ladder.decades
    lower_end, upper_end = estimate.interval
    axes.axhspan(
        lower_end, upper_end, color=PALE_COLOR, zorder=0, label=f"{estimate.level:.0%} interval"
    )
    axes.axhline(estimate.lam, color=SECOND_COLOR, linewidth=1.2, zorder=1)
    style: dict[str, Any] = {"fmt": "none", "ecolor": FAINT_COLOR, "elinewidth": 1}
    axes.errorbar(level_decades, slopes, ladder.slope_error, **style, zorder=2)
    for chosen, face, name in ((~in_fit, "white", "before the fit"), (in_fit, INK_COLOR, "fitted")):
        axes.plot(
            level_decades[chosen],
            slopes[chosen],
            "o",
            color=INK_COLOR,
            markerfacecolor=face,
            markersize=4,
            zorder=3,
            label=name,
        )
    theta = estimate.theta or ladder_fit.theta
    # An order that the run does not settle is only its best guess.
    name = (
        f"θ = {theta}"
        if estimate.theta
        else f"likeliest θ = {theta} ({ladder_fit.thetas[theta]:.0%})"
    )
    curve = _expansion(ladder.middle, slopes, in_fit, theta, estimate.lam)
    if curve is not None:
        grid, values = curve
        curve_decades = (grid + np.log(ladder.unit)) / np.log(10.0)
        label = f"expansion, {name}"
        axes.plot(curve_decades, values, color=SECOND_COLOR, linewidth=2, zorder=4, label=label)
    value = true_pair.lam if isinstance(true_pair, Pair) else true_pair
    if value is not None:
        axes.axhline(
            float(value),
            color=ACCENT_COLOR,
            linestyle=(0, (6, 3)),
            linewidth=1.6,
            zorder=5,
            label=rf"$\lambda = {value}$",
        )
    axes.set_xlabel(r"$\log_{10}(1/t)$" if ladder.volumes else r"$\log_{10} n\beta$")
    axes.set_ylabel(r"d log V / d log t" if ladder.volumes else r"$-$d log Z / d log $n\beta$")
    top = max(upper_end, float(np.max(slopes)), float(value or 0))
    axes.set_ylim(0, 1.12 * top)
    axes.set_title(
        rf"$\hat\lambda$ = {estimate.lam:.4g} [{lower_end:.4g}, {upper_end:.4g}], {estimate.method}"
    )
    tidy_axes(axes)


def _expansion(
    log_n: Any, slopes: Any, in_fit: Any, theta: int, lam: float
) -> tuple[Any, Any] | None:
    """The expansion of `expansion.slope` with λ̂ given; None if it does not fit."""
    from scipy.optimize import least_squares

    if in_fit.sum() < 4:
        return None
    x, y = log_n[in_fit], slopes[in_fit]

    def expansion(x: Any, parameters: Any) -> Any:
        log_delta, rho, shift = map(float, parameters)
        return slope(x, theta, lam, float(np.exp(log_delta)), rho, shift if theta > 1 else 0.0)

    def residuals(parameters: Any) -> Any:
        log_delta, rho, shift = parameters
        # Weak priors, as in the fit, bound the parameters that the points do not determine.
        priors = [1e-4 * rho / 5, 1e-4 * shift / 6, 1e-4 * log_delta]
        return np.append(expansion(x, parameters) - y, priors)

    lowest = float(-x.min() + 0.5)
    bounds = ([np.log(0.03), -20, lowest], [np.log(3.0), 20, 60])
    solved = least_squares(residuals, [np.log(0.4), 0.1, 1.0], bounds=bounds)
    grid = np.linspace(x.min(), x.max(), 200)
    return grid, expansion(grid, solved.x)


def plot_volume(axes: Any, estimate: Estimate, true_pair: Pair | None = None) -> None:
    """Plot the prior mass V(t) of {K < t} against t, both on logarithmic axes.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    estimate : Estimate
        By ``method="splitting"``.
    true_pair : Pair, optional
        The line t^λ (log 1/t)^(θ−1) through the last point.

    Raises
    ------
    InputError
        If the estimate has no volumes.
    """
    ladder, _ = estimate.measured
    if not ladder.volumes:
        raise InputError('volumes need method="splitting"')
    edges = np.append(ladder.start, ladder.stop[-1])
    heights = np.append(0.0, np.cumsum(ladder.slope * np.diff(edges)))
    # At the first level half of the prior mass is left.
    mass = 0.5 * np.exp(-heights)
    t = np.exp(-edges) / ladder.unit
    axes.loglog(t, mass, "o", color=INK_COLOR, markersize=4, label="splitting", zorder=3)
    pair = (
        (estimate.lam, estimate.theta or 1)
        if true_pair is None
        else (float(true_pair.lam), true_pair.theta)
    )
    line = _asymptotics(edges + np.log(ladder.unit), mass[-1], *pair)
    logs = {1: "", 2: r"$\,\log(1/t)$"}.get(pair[1], rf"$\,(\log 1/t)^{{{pair[1] - 1}}}$")
    name = (
        rf"$t^{{{estimate.lam:.3g}}}$, fitted"
        if true_pair is None
        else rf"$t^{{{true_pair.lam}}}${logs}"
    )
    axes.loglog(
        t, line, color=ACCENT_COLOR, linestyle=(0, (6, 3)), linewidth=1.6, label=name, zorder=2
    )
    axes.set_xlabel("$t$")
    axes.set_ylabel("prior mass of $\\{K < t\\}$")
    low, high = estimate.interval
    axes.set_title(rf"$\hat\lambda$ = {estimate.lam:.4g} [{low:.4g}, {high:.4g}] from volumes")
    from matplotlib.ticker import NullFormatter

    if mass[0] > 100 * mass[-1]:  # else decades alone leave an axis without numbers
        axes.yaxis.set_minor_formatter(NullFormatter())
    tidy_axes(axes)


def _asymptotics(logs: Any, last: float, lam: float, theta: int) -> Any:
    """C·t^λ (log 1/t)^(θ−1) through the last point, from log 1/t."""
    safe = np.maximum(logs, 0.5)
    values = -lam * logs + (theta - 1) * np.log(safe)
    return last * np.exp(values - values[-1])
