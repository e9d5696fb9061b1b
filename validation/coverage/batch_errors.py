"""How often the interval of ``errors="batches"`` holds what it is about.

Run from the repository root; needs torch::

    python validation/coverage/batch_errors.py

What it is about is λ̂ as it were with the losses of all data at the same draws.  Each run has its
own seed; the losses of all data are looked at beside the run, at every draw.  Beside it stands how
often the intervals of ``"batches"`` and of ``"chains"`` hold the exact tempered mean.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.integrate import quad
from scipy.stats import binomtest
from scipy.stats import t as student
from torch import nn

from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.networks.langevin_loop import GAUGE_EVERY
from rlct.sampling.networks.network_settings import complete_network_settings
from rlct.sampling.networks.preparation import prepare_network_run
from rlct.sampling.run_summary import summarize_run
from rlct.sampling.targets.regression import RegressionTarget
from validation.records import versions_of, write_json

RESULTS_FILE = Path(__file__).with_name("batch_errors.json")
RUN_COUNT, SAMPLE_COUNT, INTERVAL_LEVEL = 100, 500, 0.95
RUN_OPTIONS = {"num_chains": 4, "num_burnin": 400, "num_draws": 400, "batch_size": 32}


class Quartic(nn.Module):
    """Outputs w²x, so that the loss is a sum of fourth powers."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(4, dtype=torch.float64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """One output a weight."""
        return self.w**2 * x


def linear_case() -> tuple[nn.Module, tuple[torch.Tensor, torch.Tensor], float]:
    """[5, 3, 5] of rank 1 with noise, and its tempered mean by exact conditional draws."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(SAMPLE_COUNT, 5, generator=generator).double()
    net = nn.Sequential(nn.Linear(5, 3, bias=False), nn.Linear(3, 5, bias=False)).double()
    with torch.no_grad():
        for layer in net:
            layer.weight.zero_()[0, 0] = 1.0
        y = net(x) + torch.randn(SAMPLE_COUNT, 5, generator=generator).double()
    target = RegressionTarget([5, 3, 5], 1, samples=1).on(x.numpy(), y.numpy())
    exact = tempered_mean(target, SAMPLE_COUNT / np.log(SAMPLE_COUNT))
    return net, (x, y), exact.value


def quartic_case() -> tuple[nn.Module, tuple[torch.Tensor, torch.Tensor], float]:
    """Σ (w_j² x_ij − y_ij)²/2 without noise, and its tempered mean by quadrature."""
    x = torch.randn(SAMPLE_COUNT, 4, generator=torch.Generator().manual_seed(0)).double()
    exact = 0.0
    for mass in (x**2).mean(0).tolist():

        def weight(w: float, order: int, mass: float = mass) -> float:
            energy = SAMPLE_COUNT / np.log(SAMPLE_COUNT) * mass * w**4 / 2
            return float(energy**order * np.exp(-energy - w**2 / 2))

        exact += quad(weight, 0, 5, args=(1,))[0] / quad(weight, 0, 5, args=(0,))[0]
    return Quartic(), (x, torch.zeros_like(x)), exact


def run_once(held: NetworkLoss, lr: float, seed: int) -> dict[str, float]:
    """λ̂, its errors, and λ̂ by the losses of all data at the same draws."""
    settings = complete_network_settings(held, {**RUN_OPTIONS, "lr": lr, "seed": seed})
    run = prepare_network_run(held, settings)
    x, y = held.samples.take(torch.arange(SAMPLE_COUNT))

    def whole(weights: torch.Tensor) -> np.ndarray:
        losses = held.sample_losses(weights, x, y) - run.target.start
        return settings.n_beta * losses.mean(1).double().numpy()

    seen = [run.loop.step(run.traces, whole) for _ in range(run.traces.losses.shape[1])]
    summary = summarize_run(
        *run.traces.draws,
        gauge_every=GAUGE_EVERY,
        moving_weights=held.moving,
        localization=settings.localization,
        level=INTERVAL_LEVEL,
    )
    by_all = float(np.mean(seen[run.traces.burnin :])) - summary.excess
    return {
        "lam": summary.lam,
        "by_all": by_all,
        "batches": summary.batch_error,
        "chains": summary.error,
    }


def main() -> None:
    """Run, write and print."""
    torch.set_num_threads(1)
    by_case: dict[str, Any] = {}
    for name, case, lr in (("linear", linear_case, 2e-3), ("quartic", quartic_case, 5e-3)):
        net, data, exact = case()
        held = NetworkLoss(net, data)
        rows = [run_once(held, lr, seed) for seed in range(RUN_COUNT)]
        reach = float(student.ppf(0.5 + INTERVAL_LEVEL / 2, np.inf))
        wide = float(student.ppf(0.5 + INTERVAL_LEVEL / 2, RUN_OPTIONS["num_chains"] - 1))
        gaps = np.array([row["lam"] - row["by_all"] for row in rows])
        errors = np.array([row["batches"] for row in rows])
        count = int((abs(gaps) <= reach * errors).sum())
        interval = binomtest(count, RUN_COUNT).proportion_ci()
        lam = np.array([row["lam"] for row in rows])
        chains = np.array([row["chains"] for row in rows])
        by_case[name] = {
            "lr": lr,
            "held": count,
            "runs": RUN_COUNT,
            "binomial_95": [round(float(end), 4) for end in interval],
            "stated_over_seen": float(np.sqrt((errors**2).mean() / (gaps**2).mean())),
            "exact": exact,
            "mean": float(lam.mean()),
            "exact_held_by_batches": int((abs(lam - exact) <= reach * errors).sum()),
            "exact_held_by_chains": int((abs(lam - exact) <= wide * chains).sum()),
        }
        print(name, by_case[name], flush=True)
    versions = versions_of("numpy", "torch", "rlct")
    content = {
        "options": RUN_OPTIONS,
        "samples": SAMPLE_COUNT,
        "seeds": [0, RUN_COUNT - 1],
        **by_case,
    }
    write_json(RESULTS_FILE, {**content, "versions": versions})


if __name__ == "__main__":
    main()
