"""λ̂ over nβ and localization: where it stays the same, and what λ is as nβ grows.

λ̂(nβ, γ) = λ − (θ − 1)/log nβ + … − what γ takes: both go to 0 as nβ grows at fixed γ, and in what
ways they may is known (`limit_fit`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import DivergedError, InputError
from rlct.sampling.checks import check_scale, real_array
from rlct.sampling.estimate import Estimate
from rlct.sampling.kernels import kernel_class
from rlct.sampling.local.limit_fit import LimitFit, fit_limit
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.kernel import Kernel, RunSettings
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import without_vmap_remark
from rlct.sampling.networks.network_llc import run_estimate, suitable_threads
from rlct.sampling.networks.network_run import NetworkRun
from rlct.sampling.networks.network_settings import complete_network_settings
from rlct.sampling.networks.preparation import prepare_network_run

if TYPE_CHECKING:
    import torch

LEVEL_FACTORS = (1.0, 4.0, 16.0)  # of n / log n
USUAL_LOCALIZATIONS = (1.0, 10.0, 100.0)
SAME_PLATEAU = 0.05  # of λ̂: neighbours that differ by less, beside two errors, lie on one plateau
CELL_SIZES = 16, 8000  # of each cell of the least γ, where no budget is named
FEWER_DRAWS = 4  # times fewer at larger γ, which only show what γ takes
CALM_FACTOR = 3.0  # by which a step is shorter than found: the farthest of many draws bear it
LEAST_DRAWS = 128  # of each such cell: fewer say nothing, and a quarter settles in eight
SETTLING_SHARE = 0.25  # of the draws, before them at each nβ: chains come from the nβ before
SOUND_VERDICTS = ("usable", "localized")  # verdicts of cells of a plateau


@dataclass(frozen=True)
class SweepCell:
    """One pair of settings."""

    n_beta: float
    localization: float
    #: None where the chains diverged.
    estimate: Estimate | None

    @property
    def sound(self) -> bool:
        """Whether nothing but γ may move λ̂ by much."""
        return self.estimate is not None and self.estimate.verdict in SOUND_VERDICTS

    def agrees(self, cell: SweepCell) -> bool:
        """Whether λ̂ is the same here and there, to a twentieth and two errors."""
        if not (self.sound and cell.sound) or self.estimate is None or cell.estimate is None:
            return False
        gap = abs(self.estimate.lam - cell.estimate.lam)
        noise = 2.0 * float(np.hypot(self.estimate.error, cell.estimate.error))
        return gap <= SAME_PLATEAU * max(abs(self.estimate.lam), abs(cell.estimate.lam)) + noise


@dataclass(frozen=True)
class SettingsSweep:
    """λ̂ over nβ and γ, and where it stays the same."""

    #: By nβ, then by γ.
    cells: tuple[SweepCell, ...]
    interrupted: bool = False

    @property
    def plateau(self) -> tuple[SweepCell, ...]:
        """The largest set of neighbouring cells of which each agrees with the chosen one."""
        largest: tuple[SweepCell, ...] = ()
        for cell in self.cells:
            alike = tuple(other for other in self._neighbours(cell) if cell.agrees(other))
            # Of equal ones that of the larger nβ, at which less is left of it in λ̂.
            if len(alike) + 1 >= len(largest):
                largest = (cell, *alike)
        return largest if len(largest) > 1 else ()

    def _neighbours(self, cell: SweepCell) -> list[SweepCell]:
        levels = sorted({c.n_beta for c in self.cells})
        pulls = sorted({c.localization for c in self.cells})

        def place(c: SweepCell) -> tuple[int, int]:
            return levels.index(c.n_beta), pulls.index(c.localization)

        row, column = place(cell)
        return [
            other
            for other in self.cells
            if abs(place(other)[0] - row) + abs(place(other)[1] - column) == 1
        ]

    @property
    def _cell(self) -> SweepCell | None:
        """That of the plateau with the least pull, and of such the best known."""
        known = [(c.localization, c.estimate.error, c) for c in self.plateau if c.estimate]
        return min(known, key=lambda row: row[:2])[2] if known else None

    @property
    def chosen(self) -> Estimate | None:
        """The estimate on the plateau with the least pull; None without one."""
        return None if self._cell is None else self._cell.estimate

    @property
    def limit(self) -> LimitFit | None:
        """λ as nβ grows, by λ̂ at the least γ; None where fewer than two of these are sound."""
        sound_cells = [cell for cell in self.cells if cell.sound and cell.localization > 0]
        least = min((cell.localization for cell in sound_cells), default=0.0)
        row = [
            (cell.n_beta, cell.estimate.lam, cell.estimate.error)
            for cell in sound_cells
            if cell.localization == least and cell.estimate is not None
        ]
        return fit_limit(*np.array(row).T) if len(row) > 1 else None

    @property
    def settings(self) -> dict[str, Any] | None:
        """Options of `rlct.llc` on the plateau; None without one."""
        cell = self._cell
        if cell is None or self.chosen is None:
            return None
        return {
            "method": self.chosen.method,
            "n_beta": cell.n_beta,
            "localization": cell.localization,
        }

    def __str__(self) -> str:
        lines = ["        nβ         γ        λ̂    error   step adds  verdict"]
        for cell in self.cells:
            head = f"{cell.n_beta:10.4g}{cell.localization:10.4g}"
            if cell.estimate is None:
                lines.append(f"{head}  diverged")
                continue
            llc = cell.estimate
            share = llc.diagnostics["excess"] / abs(llc.lam) if llc.lam else 0.0
            mark = " *" if cell in self.plateau else ""
            lines.append(f"{head}{llc.lam:10.4g}{llc.error:9.2g}{share:11.1%}  {llc.verdict}{mark}")
        if self.plateau:
            lines.append("* λ̂ is the same here, to a twentieth and two errors: the plateau")
        elif any(cell.sound for cell in self.cells):
            lines.append("no plateau: λ̂ depends on nβ or γ wherever it was tried")
        else:
            lines.append("no plateau: no run is sound; where they are too short, raise budget")
        if self.limit is not None and self.limit.fits:
            lines.append(f"λ ≈ {self.limit.lam:.4g} ± {self.limit.error:.2g}, as nβ grows")
        elif self.limit is not None:
            lines.append(
                "λ̂ falls as nβ grows, as it does where the data are noisy: λ stays unknown"
            )
        return "\n".join([*lines, *(["interrupted"] if self.interrupted else [])])


def sweep_settings(
    module: torch.nn.Module,
    data: Any,
    loss: Any = None,
    *,
    method: str | type[Kernel] = "sgld",
    n_betas: Sequence[float] | None = None,
    localization_values: Sequence[float] = USUAL_LOCALIZATIONS,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> SettingsSweep:
    """Estimate λ̂ at several nβ and γ, each with the step that adds little.

    Parameters
    ----------
    module, data, loss
        As in `rlct.llc`.
    method : str or class
        A kernel of `rlct.sampling.kernels`.
    n_betas : sequence of float, optional
        1, 4 and 16 times n / log n.  Beyond n the minimum of the data shows, which is another point
        than that of the truth.
    localization_values : sequence of float
    budget : float, optional
        Sample gradients of all cells together; as many as sixteen chains of 8000 draws take
        without, and a quarter of these draws at all but the least γ; of other methods than
        ``"sgld"`` four times their usual draws.
    seed : int
        The same noise in all cells.
    progress : callable, optional

    Examples
    --------
    >>> import torch
    >>> x = torch.randn(200, 3, generator=torch.Generator().manual_seed(0))
    >>> net = torch.nn.Linear(3, 2)
    >>> data = x, net(x).detach()
    >>> found = sweep_settings(net, data, budget=4e6, localization_values=[1.0, 10.0])
    >>> found.settings["localization"], abs(found.chosen.lam - 4.0) < 0.3
    (1.0, True)
    """
    with without_vmap_remark():
        network_loss = NetworkLoss(module, data, loss)
    kernel = kernel_class(method)
    sizes = CELL_SIZES if kernel.on_batches else (kernel.usual_chains, 4 * kernel.usual_draws)
    usual_options = {"method": method, "num_chains": sizes[0], "num_draws": sizes[1], "seed": seed}
    base_settings = complete_network_settings(network_loss, usual_options)
    levels = (
        [base_settings.n_beta * factor for factor in LEVEL_FACTORS] if n_betas is None else n_betas
    )
    levels = _in_turn("n_betas", levels, zero=False)
    pull_values = _in_turn("localization_values", localization_values, zero=True)
    with without_vmap_remark(), suitable_threads(network_loss):
        prepared_run = prepare_network_run(network_loss, replace(base_settings, lr=1.0))
    if budget is not None:
        check_scale("budget", budget, zero=False)
        spent_gradients = network_loss.count.gradients
        rows = 1.0 + (len(pull_values) - 1) / FEWER_DRAWS
        draw = (
            base_settings.gradients(len(network_loss.samples))
            * rows
            * (1.0 + len(levels) * (1.0 + SETTLING_SHARE))
        )
        least = spent_gradients + draw * LEAST_DRAWS
        if budget < least:
            words = f"these settings take {least:.2g} gradients of samples or more"
            raise InputError(f"budget={budget:g} is too small: {words}")
        base_settings = replace(base_settings, num_draws=int((budget - spent_gradients) / draw))
    cells: list[SweepCell] = []
    run: NetworkRun | None
    with without_vmap_remark(), suitable_threads(network_loss):
        for row, pull_value in enumerate(pull_values):
            draws = base_settings.num_draws // (FEWER_DRAWS if row else 1)
            run = None
            for level in levels:
                first, count = len(cells), len(levels) * len(pull_values)

                def shown(share: float, text: str, first: int = first, count: int = count) -> None:
                    if progress is not None:
                        text = f"settings {first + 1} of {count}, {text}"
                        progress((first + share) / count, text)

                cell_settings = replace(
                    base_settings,
                    n_beta=float(level),
                    localization=float(pull_value),
                    num_draws=draws,
                    num_burnin=int(SETTLING_SHARE * draws),
                )
                try:
                    run, estimate = _next_run(prepared_run, cell_settings, run, shown)
                except DivergedError:
                    run, estimate = None, None
                except KeyboardInterrupt:
                    if not cells:
                        raise
                    return SettingsSweep(_in_order(cells), interrupted=True)
                cells.append(SweepCell(level, pull_value, estimate))
                if run is not None and run.interrupted:
                    return SettingsSweep(_in_order(cells), interrupted=True)
    return SettingsSweep(_in_order(cells))


def _in_turn(name: str, values: Sequence[float], *, zero: bool) -> list[float]:
    """Values that are tried, from the least on; InputError if there are none or one is none."""
    numbers = sorted(real_array(name, values, ndmin=1).ravel().tolist())
    for number in numbers or [values]:
        check_scale(name, number, zero=zero)
    return numbers


def _in_order(cells: list[SweepCell]) -> tuple[SweepCell, ...]:
    return tuple(sorted(cells, key=lambda cell: (cell.n_beta, cell.localization)))


def _next_run(
    prepared_run: NetworkRun,
    settings: RunSettings,
    before: NetworkRun | None,
    progress: Progress,
) -> tuple[NetworkRun, Estimate]:
    """Chains that go on from the nβ before; the first find their step, and settle with a calm one.

    What they have filled at a smaller nβ, where steps are longer, they need not fill again.
    """
    started_at = time.perf_counter()
    if before is None:
        before = prepared_run.anew(replace(settings, num_burnin=settings.num_draws))
        before.burn_in(progress)
        run = before.at_other_settings(settings, CALM_FACTOR)
    else:
        run = before.at_other_settings(settings)
    run.sample(None, progress)
    ends = run.loop.state()  # of weights the estimate makes offsets
    estimate = run_estimate(run, started_at)
    run.loop.restore(ends)
    return run, estimate
