"""A run at one nβ: how each chain fared, as a table and as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rlct.sampling.local.run_warnings import noise_allowed
from rlct.sampling.markov_chains.diagnostics import ess
from rlct.sampling.targets.target import Floats

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate

__all__ = ["chain_table", "draw"]

_SHOWN = 400  # points of a trace


class _Panel(NamedTuple):
    """Bars by chain."""

    title: str
    values: Floats
    top: float | None = None  # of the axis
    limit: float | None = None  # beyond which there is a warning


def chain_table(found: Estimate) -> str:
    """One line per chain and one for all of them.

    Parameters
    ----------
    found : Estimate
        Of `rlct.llc` at one nβ.

    Examples
    --------
    >>> import rlct
    >>> run = rlct.llc(rlct.LinearNetwork((1, 1), 0), n_beta=100, num_draws=500, num_chains=2)
    >>> print(chain_table(run).splitlines()[0])
    chain        λ̂   error    ESS  accepted      step  distance
    """
    chains, run = found.sampled
    dropped = run.dropped
    settled = found.unbiased
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
    own = found.errors.get("monte_carlo", found.error)
    rhat = "" if found.rhat is None else f"   R-hat {found.rhat:.3f}"
    lines.append(f"  all{found.lam:10.4g}{own:8.2g}{found.ess or 0:7.0f}{rhat}")
    if run.excess:
        lines.append(
            f"means of nβL are larger by {run.excess:.2g}, which the step and mini-batches add"
        )
    if dropped:
        lines.append(f"the first {dropped} draws of each chain were dropped as burn-in")
    if run.growth:
        lines.append(f"the distance from w* grew by {run.growth:.0%} while draws were taken")
    if run.gradient_noise is not None:
        lines.append(f"mini-batch noise: {run.gradient_noise:.2g} of the injected noise")
    if found.nu is not None:
        value, error = found.nu
        lines.append(
            f"ν = {value:.4g} ± {error:.2g}, an error with {run.step_degrees:.0f} degrees of "
            "freedom"
        )
    return "\n".join(lines)


def draw(found: Estimate) -> Any:
    """Loss, running λ̂, distance from w₀, acceptance, effective draws and mini-batch noise by chain.

    Acceptance is there for samplers with a Metropolis test, and the noise of mini-batches, as a
    share of the noise that the sampler injects, for those that take them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from rlct.report.picture import ACCENT, FAINT, PALE, new_figure, tidy

    chains, run = found.sampled
    figure = new_figure(11.0, 6.0)
    above, below = figure.subfigures(2, 1, height_ratios=(1.2, 1.0))
    loss, running, far = above.subplots(1, 3)
    draws, distance = chains.draws[0], chains.distance[0]
    count = draws.shape[1]
    dropped = run.dropped
    settled = found.unbiased
    every = max(1, count // _SHOWN)
    steps = np.arange(0, count, every)
    shades = np.linspace(0.0, 0.7, len(draws))
    for j, (shade, kept) in enumerate(zip(shades, settled, strict=True)):
        style: dict[str, Any] = {"color": str(round(float(shade), 2)), "linewidth": 0.7}
        loss.plot(steps, draws[j, ::every], **style)
        mean = np.cumsum(kept) / np.arange(1, len(kept) + 1)
        running.plot(dropped + np.arange(len(kept))[::every], mean[::every], **style)
        far.plot(steps, distance[j, ::every], **style)
    running.axhline(found.lam, color=ACCENT, linestyle="--", linewidth=1.4)
    running.axhspan(*found.interval, color=PALE)
    whole = f"all {found.lam:.4g} with its {found.level:.0%} interval"
    for axes, title in (
        (loss, "nβ(L(w) − L(w₀)) of each chain"),
        (running, f"running λ̂; {whole}"),
        (far, "distance from w₀"),
    ):
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("draw", fontsize=8)
        if dropped:
            axes.axvline(dropped, color=FAINT, linestyle=":", linewidth=1.2)
        tidy(axes)
    panels = _panels(found)
    for axes, panel in zip(below.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        _bars(axes, panel)
    return figure


def _panels(found: Estimate) -> list[_Panel]:
    """What is known of each chain besides its traces."""
    chains, run = found.sampled
    panels = []
    accepted = chains.acceptance[0]
    if not np.isnan(accepted).any():
        panels.append(_Panel("acceptance by chain", accepted, 1.0))
    effective = np.array([ess(row[None]) for row in found.unbiased])
    title = f"effective draws by chain; {found.ess or 0:.0f} together"
    panels.append(_Panel(title, effective))
    noise = run.gradient_noise
    if noise is not None:
        share = noise * chains.lr[0] / chains.lr.mean()
        allowed = noise_allowed(found.lam, run)
        title = "mini-batch noise by chain, as a share of the injected noise\n"
        title += f"{noise:.2g} on average; a warning above {allowed:.2g}"
        panels.append(_Panel(title, share, max(1.0, 1.1 * float(share.max())), allowed))
    return panels


def _bars(axes: Any, panel: _Panel) -> None:
    from rlct.report.picture import ACCENT, INK, SECOND, tidy

    places = np.arange(1, len(panel.values) + 1)
    axes.bar(places, panel.values, color=SECOND, edgecolor=INK, linewidth=0.5)
    if panel.limit is not None:
        axes.axhline(panel.limit, color=ACCENT, linestyle="--", linewidth=1.4)
    axes.set_xlim(0.4, len(places) + 0.6)
    axes.set_ylim(0, panel.top)
    axes.set_title(panel.title, fontsize=9)
    axes.set_xlabel("chain", fontsize=8)
    tidy(axes, integers="x")
