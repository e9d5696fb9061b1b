"""A run at one nβ: how each chain fared, as a table and as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rlct.sampling.markov_chains.diagnostics import ess
from rlct.sampling.targets.target import Floats

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.local.spikes import Spikes

_SHOWN_DRAWS = 400  # points of a trace
_FEW_CHAINS = 3  # chains that have a colour each


class _Panel(NamedTuple):
    """Bars by chain."""

    title: str
    values: Floats
    top: float | None = None  # of the axis


def chain_table(estimate: Estimate) -> str:
    """One line per chain and one for all of them.

    The estimate is that of `rlct.llc` at one nβ.

    >>> import rlct
    >>> run = rlct.llc(rlct.LinearNetwork((1, 1), 0), n_beta=100, num_draws=500, num_chains=2)
    >>> print(chain_table(run).splitlines()[0])
    chain        λ̂   error    ESS  accepted      step  distance
    """
    chains, run_settings = estimate.sampled
    settled = estimate.unbiased
    lines = ["chain        λ̂   error    ESS  accepted      step  distance"]
    for j, values in enumerate(settled):
        effective = ess(values[None])
        error = float(values.std() / np.sqrt(max(effective, 1.0)))
        accepted = float(chains.acceptance[0, j])
        lines.append(
            f"{j + 1:5}{values.mean():10.4g}{error:8.2g}{effective:7.0f}"
            f"{'—' if np.isnan(accepted) else f'{accepted:.0%}':>10}"
            f"{chains.lr[0, j]:10.2g}{chains.distance[0, j, -1]:10.3g}"
        )
    own = estimate.errors.get("chains", estimate.error)
    rhat = "" if estimate.rhat is None else f"   R-hat {estimate.rhat:.3f}"
    lines.append(f"  all{estimate.lam:10.4g}{own:8.2g}{estimate.ess or 0:7.0f}{rhat}")
    if run_settings.excess:
        lines.append(
            f"means of nβL are larger by {run_settings.excess:.2g}, which the step and "
            "mini-batches add"
        )
    if estimate.verdict is not None:
        effects = [
            f"{name.removeprefix('effect of ')} {100 * share:.2g} %"
            for name, share in estimate.diagnostics.items()
            if name.startswith("effect of ")
        ]
        lines.append(f"{estimate.verdict}; effects on λ̂: {', '.join(effects)}")
    if estimate.nu is not None:
        value, error = estimate.nu
        lines.append(
            f"ν = {value:.4g} ± {error:.2g}, an error with {estimate.degrees:.0f} "
            "degrees of freedom"
        )
    return "\n".join(lines)


def draw_chains(estimate: Estimate) -> Any:
    """Loss, running λ̂, distance from w₀, acceptance and effective draws by chain.

    Of more than three chains two have a colour: the one with fewest effective draws, and the one
    whose λ̂ is farthest from that of all.  Acceptance is there for samplers with a Metropolis test.
    """
    from rlct.report.picture import INK_COLOR, PALE_COLOR, new_figure, tidy_axes

    chains, _ = estimate.sampled
    alt = f"{len(chains.draws[0])} chains: loss, running mean, distance; {estimate.headline}"
    figure = new_figure(11.0, 6.4, alt=alt)
    upper_panels, lower_panels = figure.subfigures(2, 1, height_ratios=(1.2, 1.0))
    loss, running_mean, distance_axes = upper_panels.subplots(1, 3)
    draws, distance = chains.draws[0], chains.distance[0]
    count = draws.shape[1]
    settled_draws = estimate.unbiased
    every = max(1, count // _SHOWN_DRAWS)
    steps = np.arange(0, count, every)
    chain_styles = _chain_styles(estimate)
    running_mean.axhspan(*estimate.interval, color=PALE_COLOR, zorder=0)
    for j, chain_style in enumerate(chain_styles):
        loss.plot(steps, draws[j, ::every], **chain_style)
        mean = np.cumsum(settled_draws[j]) / np.arange(1, count + 1)
        running_mean.plot(steps, mean[::every], **chain_style)
        distance_axes.plot(steps, distance[j, ::every], **chain_style)
    running_mean.axhline(estimate.lam, color=INK_COLOR, linestyle="--", linewidth=1.6, zorder=4)
    named = {line.get_label(): line for line in loss.lines if line.get_label()[0] != "_"}
    upper_panels.legend(named.values(), named.keys(), loc="outside upper center", ncols=3)
    whole = f"all {estimate.lam:.4g} with its {estimate.level:.0%} interval"
    for axes, title in (
        (loss, "nβ(L(w) − L(w₀)) of each chain"),
        (running_mean, f"running λ̂; {whole}"),
        (distance_axes, "distance from w₀"),
    ):
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("draw", fontsize=8)
        tidy_axes(axes)
    panels, spiked = _panels(estimate), estimate.run is not None and estimate.run.spiked is not None
    lower_axes = lower_panels.subplots(1, len(panels) + spiked, squeeze=False)[0]
    for axes, panel in zip(lower_axes, panels, strict=False):
        _bars(axes, panel, [chain_style["color"] for chain_style in chain_styles])
    if spiked:
        _draw_spikes(lower_axes[-1], estimate.spikes)
    return figure


def _draw_spikes(axes: Any, spikes: Spikes) -> None:
    """What planted weights recover of their exact means, by how much nβL bends along them."""
    from rlct.report.picture import ACCENT_COLOR, INK_COLOR, tidy_axes

    for power, color, mark, label in ((2, INK_COLOR, "o", "½hv²"), (4, ACCENT_COLOR, "^", "¼cv⁴")):
        these = spikes.powers == power
        shares = spikes.recovered[these].clip(0.0, 2.0)
        axes.plot(spikes.stiffness[these], shares, mark, color=color, markersize=3, label=label)
    axes.axhline(1.0, color=INK_COLOR, linestyle="--", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_ylim(0.0, 2.0)
    axes.set_title("planted weights: mean over exact mean", fontsize=9)
    axes.set_xlabel("how nβL bends along them", fontsize=8)
    axes.legend(fontsize=7)
    tidy_axes(axes)


def _chain_styles(estimate: Estimate) -> list[dict[str, Any]]:
    """Colour, width and label of each chain."""
    from rlct.report.picture import ACCENT_COLOR, FAINT_COLOR, INK_COLOR, SECOND_COLOR

    settled_draws = estimate.unbiased
    if len(settled_draws) <= _FEW_CHAINS:
        colors = (INK_COLOR, ACCENT_COLOR, SECOND_COLOR)[: len(settled_draws)]
        labels = [f"chain {j + 1}" for j in range(len(settled_draws))]
        return [
            {"color": color, "label": label, "linewidth": 0.9, "zorder": 3}
            for color, label in zip(colors, labels, strict=True)
        ]
    faint = {"color": FAINT_COLOR, "label": "other chains", "linewidth": 0.6, "zorder": 1}
    chain_styles = [dict(faint) for _ in settled_draws]
    poorest = int(np.argmin([ess(row[None]) for row in settled_draws]))
    apart = np.abs(settled_draws.mean(axis=1) - estimate.lam)
    apart[poorest] = -1.0  # a second one
    farthest = int(np.argmax(apart))
    for j, color, trait in (
        (poorest, ACCENT_COLOR, "fewest effective draws"),
        (farthest, SECOND_COLOR, "mean farthest from all"),
    ):
        chain_styles[j] |= {
            "color": color, "label": f"chain {j + 1}, {trait}", "linewidth": 1.2, "zorder": 3,
        }  # fmt: skip
    return chain_styles


def _panels(estimate: Estimate) -> list[_Panel]:
    """What is known of each chain besides its traces."""
    chains, _ = estimate.sampled
    chain_panels = []
    accepted = chains.acceptance[0]
    if not np.isnan(accepted).any():
        chain_panels.append(_Panel("acceptance by chain", accepted, 1.0))
    effective = np.array([ess(row[None]) for row in estimate.unbiased])
    title = f"effective draws by chain; {estimate.ess or 0:.0f} together"
    chain_panels.append(_Panel(title, effective))
    return chain_panels


def _bars(axes: Any, panel: _Panel, colors: list[str]) -> None:
    from rlct.report.picture import INK_COLOR, tidy_axes

    places = np.arange(1, len(panel.values) + 1)
    axes.bar(places, panel.values, color=colors, edgecolor=INK_COLOR, linewidth=0.5)
    axes.set_xlim(0.4, len(places) + 0.6)
    axes.set_ylim(0, panel.top)
    axes.set_title(panel.title, fontsize=9)
    axes.set_xlabel("chain", fontsize=8)
    tidy_axes(axes, integers="x")
