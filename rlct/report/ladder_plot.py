"""A ladder of nβ, or of volumes, with what is fitted to it and the truth."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    SECOND_COLOR,
    new_figure,
    tidy_axes,
)
from rlct.sampling.ladders.expansion import slope

if TYPE_CHECKING:
    from rlct.sampling.comparison import Comparison
    from rlct.sampling.estimate import Estimate

_ENDLESS_DECADES: Final = 1e6  # decades: infinity, in a picture


def draw_ladder(
    estimate: Estimate, truth: Pair | Fraction | int | None = None, *, above_text: str = ""
) -> Any:
    """Draw the ladder of an estimate with its limit enlarged, and the volumes if it has them."""
    has_volumes = estimate.measured[0].volumes
    low, high = estimate.interval
    claim = "" if truth is None else f", beside {_value_of(truth)}"
    alt = (
        f"Slopes of the free energy against nβ lead to λ̂ = {estimate.lam:.4g} "
        f"[{low:.4g}, {high:.4g}]{claim}. {above_text}"
    )
    ratios = (3.2, 1.0, *([3.2] if has_volumes else []))
    figure = new_figure(13.0 if has_volumes else 8.2, 4.6, alt=alt.strip())
    axes = figure.subplots(1, len(ratios), width_ratios=ratios)
    plot_ladder(axes[0], estimate, truth)
    _limit(axes[1], estimate, truth)
    axes[0].legend(fontsize=8.5)
    if has_volumes:
        plot_volume(axes[2], estimate, truth if isinstance(truth, Pair) else None)
        axes[2].legend(fontsize=8.5)
    if above_text:
        figure.suptitle(above_text, fontsize=11)
    return figure


def draw_check(comparison: Comparison) -> Any:
    """Draw what simulation says about a claim: the ladder, its limit and the verdict."""
    head = f"{comparison.verdict}: claim {comparison.claimed}, z = {comparison.z:+.2f}"
    figure = draw_ladder(comparison.estimate, comparison.claim, above_text=head)
    limit, planted = figure.axes[1], comparison.control
    low, high = limit.get_ylim()
    if low < planted.lam < high:
        label = f"planted wrong\nvalue {planted.lam:.4g}"
        limit.plot([0], [planted.lam], "X", color=INK_COLOR, markersize=8, label=label)
        limit.legend(fontsize=8, loc="best")
    return figure


def plot_ladder(
    axes: Any, estimate: Estimate, true_pair: Pair | Fraction | int | None = None
) -> None:
    """Plot the local slopes of a ladder, the fitted expansion, λ̂ with its interval, and the truth.

    The points are −d log Z/d log nβ (volumes: d log V/d log t) between neighbouring levels; those
    from the window of the fit on are filled.  The curve is the asymptotic expansion with λ̂ and
    the likeliest θ, whose next terms are fitted to the filled points; it goes on, dotted, to its
    limit λ̂ at nβ = ∞, which the axis reaches: its scale is 1/log nβ.
    """
    ladder, ladder_fit = estimate.measured
    slopes, in_fit, level_decades = ladder.slope, ladder_fit.uses(ladder), ladder.decades
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
    fitted_curve = _expansion(ladder.middle, slopes, in_fit, theta, estimate.lam)
    if fitted_curve is not None:
        x = ladder.middle[in_fit]
        for grid, dashes, label in (
            (np.linspace(x.min(), x.max(), 200), "-", f"expansion, {name}"),
            (x.max() * np.geomspace(1, _ENDLESS_DECADES / x.max(), 400), ":", "extrapolated"),
        ):
            curve_decades = (grid + np.log(ladder.unit)) / np.log(10.0)
            curve = {"color": SECOND_COLOR, "linewidth": 2, "linestyle": dashes, "label": label}
            axes.plot(curve_decades, fitted_curve(grid), **curve, zorder=4)
    _limit_marks(axes, _ENDLESS_DECADES, estimate, true_pair)
    _endless_axis(axes, float(level_decades.min()), "1/t" if ladder.volumes else r"n\beta")
    axes.set_ylabel(r"d log V / d log t" if ladder.volumes else r"$-$d log Z / d log $n\beta$")
    lower_end, upper_end = estimate.interval
    shown = [*slopes, lower_end, upper_end]
    shown += [] if true_pair is None else [float(_value_of(true_pair))]
    room = 0.1 * max(max(shown) - min(shown), 0.05 * abs(estimate.lam))
    axes.set_ylim(max(0.0, min(shown) - room), max(shown) + room)
    axes.set_title(
        rf"$\hat\lambda$ = {estimate.lam:.4g} [{lower_end:.4g}, {upper_end:.4g}], {estimate.method}"
    )
    tidy_axes(axes)


def _value_of(truth: Pair | Fraction | int) -> Fraction | int:
    return truth.lam if isinstance(truth, Pair) else truth


def _limit_marks(
    axes: Any, at: float, estimate: Estimate, truth: Pair | Fraction | int | None
) -> None:
    """λ̂ with its interval at a place, and the value to compare with."""
    ends = np.array(estimate.interval)
    axes.errorbar(
        [at],
        [estimate.lam],
        np.abs(ends - estimate.lam)[:, None],
        fmt="s",
        color=SECOND_COLOR,
        markeredgecolor=INK_COLOR,
        capsize=5,
        elinewidth=2.4,
        clip_on=False,
        zorder=6,
        label=rf"$\hat\lambda$, {estimate.level:.0%} interval",
    )
    if truth is not None:
        axes.axhline(
            float(_value_of(truth)),
            color=ACCENT_COLOR,
            linestyle=(0, (6, 3)),
            linewidth=1.6,
            zorder=5,
            label=rf"$\lambda = {_value_of(truth)}$",
        )


def _endless_axis(axes: Any, first_decade: float, name: str) -> None:
    """Decades on a scale on which infinity is a place: 1/decades, from the right."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    start = min(0.0, first_decade - 1.0)
    least = 1e-9  # matplotlib also asks for what lies beyond the ends
    compress = (
        lambda x: -1 / np.maximum(x - start, least),
        lambda y: start - 1 / np.minimum(y, -least),
    )
    axes.set_xscale("function", functions=compress)
    ticks = [d for d in (*range(1, 6), 7, 10, 15, 30) if d > first_decade - 0.4]
    labels = [f"$10^{{{d}}}$" for d in ticks]
    axes.xaxis.set_major_locator(FixedLocator([*ticks, _ENDLESS_DECADES]))
    axes.xaxis.set_major_formatter(FixedFormatter([*labels, "∞"]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(start + 0.93 * (first_decade - start), _ENDLESS_DECADES)
    axes.set_xlabel(rf"${name}$, on the scale of $1/\log {name}$")


def _limit(axes: Any, estimate: Estimate, truth: Pair | Fraction | int | None) -> None:
    """The limit of a ladder enlarged: λ̂, its interval and the value to compare with."""
    _limit_marks(axes, 0.0, estimate, truth)
    low, high = estimate.interval
    values = [low, high, *([] if truth is None else [float(_value_of(truth))])]
    room = 0.6 * max(max(values) - min(values), 1e-3 * abs(estimate.lam))
    axes.set(xlim=(-1, 1), ylim=(min(values) - room, max(values) + room), xticks=[])
    axes.set_title("at ∞, enlarged", fontsize=9.5)
    tidy_axes(axes, grid="y")


def _expansion(
    log_n: Any, slopes: Any, in_fit: Any, theta: int, lam: float
) -> Callable[[Any], Any] | None:
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
    return lambda places: expansion(places, solved.x)


def plot_volume(axes: Any, estimate: Estimate, true_pair: Pair | None = None) -> None:
    """Plot the prior mass V(t) of {K < t} against t, both on logarithmic axes."""
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
