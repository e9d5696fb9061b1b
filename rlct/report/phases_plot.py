"""Free energies of competing models over n, and λ of the one that is preferred."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rlct.criteria.transition import SMALLEST_N, phases
from rlct.errors import InputError
from rlct.report.picture import FAINT_COLOR, PALE_COLOR, SERIES_STYLES, new_figure, tidy_axes

if TYPE_CHECKING:
    from rlct.criteria.transition import Basin

_CURVE_POINTS: Final = 400  # of a curve
_BEYOND_CRITICAL: Final = 8.0  # times the last critical n
_LEAST_END: Final = 1000.0  # observations, at least
_LEAST_TOP: Final = 12.0  # least height of the picture that is shown, in units of free energy


def draw_phases(basins: Sequence[Basin]) -> Any:
    """Draw which model is preferred at which n."""
    found_phases = phases(basins)
    places = ", then ".join(str(found_phases).splitlines())
    figure = new_figure(7.0, 5.6, alt=f"Preferred model by number of observations: {places}")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2.4, 1.0))
    plot_energies(upper, basins)
    upper.set_xlabel("")
    ends = _ends(found_phases.critical)
    names = _names(basins)
    for name, (low, high) in zip(
        found_phases.basins, pairwise([ends[0], *found_phases.critical, ends[1]]), strict=True
    ):
        k = names.index(name)
        lower.plot([low, high], [float(basins[k].lam)] * 2, color=SERIES_STYLES[k][0], linewidth=3)
    for n in found_phases.critical:
        lower.axvline(n, color=FAINT_COLOR, linewidth=1, linestyle=(0, (4, 3)))
    lower.set_ylabel(r"$\lambda$ of the preferred")
    lower.set_xlabel("observations $n$")
    lower.margins(y=0.25)
    tidy_axes(lower)
    figure.legend(*upper.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def plot_energies(axes: Any, basins: Sequence[Basin]) -> None:
    """Plot free energies less the smallest over n, with the n at which another is preferred."""
    if len(basins) > len(SERIES_STYLES):
        raise InputError(f"{len(basins)} models: a picture shows at most {len(SERIES_STYLES)}")
    found_phases = phases(basins)
    low, high = _ends(found_phases.critical)
    n = np.geomspace(low, high, _CURVE_POINTS)
    common = min(basin.loss for basin in basins)
    energies = np.array([[b.free_energy(x) - x * common for x in n] for b in basins])
    energy_gaps = energies - energies.min(axis=0)
    for k, (name, basin) in enumerate(zip(_names(basins), basins, strict=True)):
        color, mark, dashes = SERIES_STYLES[k]
        label = rf"{name}: $\lambda = {basin.lam}$" if "λ" not in name else name
        style = {"color": color, "marker": mark, "linestyle": dashes, "markevery": (11 * k, 90)}
        axes.plot(n, energy_gaps[k], **style, markersize=5, linewidth=1.8, label=label)
    for k, (start, end) in enumerate(pairwise([low, *found_phases.critical, high])):
        if k % 2:
            axes.axvspan(start, end, color=PALE_COLOR, zorder=0, linewidth=0)
    # As high as models are before their time; later they only leave.
    names = _names(basins)
    last = zip(found_phases.basins, [*found_phases.critical, low], strict=True)
    early = [energy_gaps[names.index(name)][n <= end].max() for name, end in last]
    early.append(energy_gaps[names.index(found_phases.basins[-1])].max())
    top = max(_LEAST_TOP, 1.4 * float(max(early)))
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    for k, size in enumerate(found_phases.critical):
        axes.axvline(size, color=FAINT_COLOR, linewidth=1, linestyle=(0, (4, 3)))
        axes.text(
            size,
            (0.97 - 0.08 * (k % 3)) * top,
            f" n = {size:,.0f}",
            fontsize=8.5,
            va="top",
            bbox=box,
        )
    axes.set_xscale("log")
    axes.set(xlim=(low, high), ylim=(-0.04 * top, top))
    axes.set_ylabel("free energy less the smallest")
    axes.set_xlabel("observations $n$")
    tidy_axes(axes)


def _ends(critical: Sequence[float]) -> tuple[float, float]:
    return SMALLEST_N, max(_LEAST_END, _BEYOND_CRITICAL * max(critical, default=0.0))


def _names(basins: Sequence[Basin]) -> list[str]:
    """As `rlct.criteria.transition.phases` calls them."""
    return [basin.name or str(k) for k, basin in enumerate(basins, 1)]
