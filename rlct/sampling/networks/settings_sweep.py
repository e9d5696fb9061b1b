"""Which localization and inverse temperature λ̂ does not depend on: a sweep with its plateau.

λ̂(nβ, γ) = λ − (θ − 1)/log nβ + … − what γ takes: both go to 0 as nβ grows at fixed γ.  At a
minimum that is a point γ takes as γ, along a fibre more slowly: a larger γ tells how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import DivergedError
from rlct.sampling.estimate import Estimate
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.modules.torch_arrays import without_vmap_remark
from rlct.sampling.networks.network_llc import estimate_loss
from rlct.sampling.networks.network_loss import NetworkLoss
from rlct.sampling.networks.network_settings import complete_network_settings

if TYPE_CHECKING:
    import torch

__all__ = ["SettingsSweep", "SweepCell", "sweep_settings"]

FACTORS = (1.0, 4.0, 16.0)  # of n / log n
LOCALIZATIONS = (1.0, 10.0, 100.0)
SAME = 0.05  # of λ̂: neighbours that differ by less, beside two errors, lie on one plateau
CHAINS, DRAWS = 8, 2000  # of each cell, where no budget is named
SOUND = ("usable", "localized")  # verdicts of cells of a plateau


@dataclass(frozen=True)
class SweepCell:
    """One pair of settings.

    Parameters
    ----------
    n_beta, localization : float
    estimate : Estimate or None
        None where the chains diverged.
    """

    n_beta: float
    localization: float
    estimate: Estimate | None

    @property
    def sound(self) -> bool:
        """Whether nothing but γ may move λ̂ by much."""
        return self.estimate is not None and self.estimate.verdict in SOUND

    def agrees(self, other: SweepCell) -> bool:
        """Whether λ̂ is the same here and there, to a twentieth and two errors."""
        if not (self.sound and other.sound) or self.estimate is None or other.estimate is None:
            return False
        gap = abs(self.estimate.lam - other.estimate.lam)
        noise = 2.0 * float(np.hypot(self.estimate.error, other.estimate.error))
        return gap <= SAME * max(abs(self.estimate.lam), abs(other.estimate.lam)) + noise


@dataclass(frozen=True)
class SettingsSweep:
    """λ̂ over nβ and γ, and where it stays the same.

    Parameters
    ----------
    cells : tuple of SweepCell
        By nβ, then by γ.
    interrupted : bool
    """

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
    def without_pull(self) -> tuple[float, float] | None:
        """λ̂ as γ goes to 0 at the chosen nβ, and its error; None without a plateau.

        Half-way between what goes as γ and as √γ, by the next γ; half of the difference is in the
        error.  What is left to λ is (θ − 1)/log nβ.
        """
        least_pulled, chosen_estimate = self._cell, self.chosen
        if least_pulled is None or chosen_estimate is None:
            return None
        pulled_estimates = [
            (cell.localization, cell.estimate.lam)
            for cell in self.cells
            if cell.estimate is not None and cell.sound and cell.n_beta == least_pulled.n_beta
        ]
        stronger = [pair for pair in pulled_estimates if pair[0] > least_pulled.localization > 0]
        if not stronger:
            return chosen_estimate.lam, chosen_estimate.error
        stronger_pull, pulled_lam = min(stronger)
        ratio, gap = stronger_pull / least_pulled.localization, chosen_estimate.lam - pulled_lam
        ends = gap / (ratio - 1.0), gap / (ratio**0.5 - 1.0)
        error = float(np.hypot(chosen_estimate.error, 0.5 * (ends[1] - ends[0])))
        return chosen_estimate.lam + 0.5 * (ends[0] + ends[1]), error

    @property
    def settings(self) -> dict[str, Any] | None:
        """Options of `rlct.llc` on the plateau; None without one."""
        cell = self._cell
        if cell is None or self.chosen is None:
            return None
        return {
            "method": "sgld",
            "n_beta": cell.n_beta,
            "localization": cell.localization,
            "lr": float(self.chosen.diagnostics["lr"]),
        }

    def __str__(self) -> str:
        lines = ["        nβ         γ        λ̂    error   step adds  verdict"]
        for cell in self.cells:
            head = f"{cell.n_beta:10.4g}{cell.localization:10.4g}"
            if cell.estimate is None:
                lines.append(f"{head}  diverged")
                continue
            found = cell.estimate
            share = found.diagnostics["excess"] / abs(found.lam) if found.lam else 0.0
            mark = " *" if cell in self.plateau else ""
            lines.append(
                f"{head}{found.lam:10.4g}{found.error:9.2g}{share:11.1%}  {found.verdict}{mark}"
            )
        if self.without_pull is not None:
            lines.append("* λ̂ is the same here, to a twentieth and two errors: the plateau")
            lam, error = self.without_pull
            lines.append(f"without the pull {lam:.4g} ± {error:.2g}; λ is more by (θ − 1)/log nβ")
        else:
            lines.append("no plateau: λ̂ depends on nβ or γ wherever it was tried")
        return "\n".join([*lines, *(["interrupted"] if self.interrupted else [])])


def sweep_settings(
    module: torch.nn.Module,
    data: Any,
    loss: Any = None,
    *,
    n_betas: Sequence[float] | None = None,
    localization_values: Sequence[float] = LOCALIZATIONS,
    budget: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> SettingsSweep:
    """Estimate λ̂ at several nβ and γ, each with the step that adds little.

    Parameters
    ----------
    module, data, loss
        As in `rlct.llc`.
    n_betas : sequence of float, optional
        1, 4 and 16 times n / log n.  Beyond n the minimum of the data shows, which is another point
        than that of the truth.
    localization_values : sequence of float
    budget : float, optional
        Sample gradients of all cells together; as many as eight chains of 2000 draws take without.
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
    usual_options = {"num_chains": CHAINS, "num_draws": DRAWS, "seed": seed}
    base_settings = complete_network_settings(network_loss, usual_options)
    levels = [base_settings.n_beta * f for f in FACTORS] if n_betas is None else list(n_betas)
    pairs = [(level, localization) for level in levels for localization in localization_values]
    if budget is not None:
        draws = int(budget / (len(pairs) * CHAINS * base_settings.batch_size * 1.5))
        base_settings = replace(base_settings, num_draws=max(draws, 8))
    base_settings = replace(base_settings, num_burnin=base_settings.num_draws // 2)
    cells: list[SweepCell] = []
    for k, (level, localization) in enumerate(pairs):
        cell_settings = replace(
            base_settings, n_beta=float(level), localization=float(localization)
        )

        def shown(share: float, text: str, k: int = k) -> None:
            if progress is not None:
                progress((k + share) / len(pairs), f"settings {k + 1} of {len(pairs)}, {text}")

        try:
            cells.append(
                SweepCell(
                    level, localization, estimate_loss(network_loss, cell_settings, progress=shown)
                )
            )
        except DivergedError:
            cells.append(SweepCell(level, localization, None))
        except KeyboardInterrupt:
            if not cells:
                raise
            return SettingsSweep(tuple(cells), interrupted=True)
    return SettingsSweep(tuple(cells))
