"""`rlct.llc` at its defaults beside exact tempered means, at 10³ … 10⁶ weights.

Run from the repository root; each row is a process of its own, and rows of the file stay::

    python validation/llc/exact_means.py --json validation/llc/exact_means.json

Inputs are white, without noise; attention has each token once in a sample, so that X'X = 1.
Required: λ̂ within 2 % of the exact mean.  devinterp runs at its defaults, with our nβ and γ and
lr 1e-3, where it is installed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[2]))

import rlct  # noqa: E402
from rlct.models.kit.tempered_mean import monomial_mean, regression_mean, two_layer_mean  # noqa: E402
from validation.llc.networks import linear_module  # noqa: E402
from validation.records import processor_name, read_json, versions_of, write_rows  # noqa: E402

#: Widths of one layer, and of each of two, by the decade of their weights.
LAYER_WIDTHS = {3: (32, 22), 4: (100, 71), 5: (316, 224), 6: (1000, 707)}
SAMPLE_COUNT = 2000
ENERGY_KINDS = ("squares and fourth powers", "products of squares")
STUDY_KINDS = ("regression", "two layers", *ENERGY_KINDS, "attention")
Case = tuple[nn.Module, Any, Any, float, float]  # module, data, loss, exact mean and its error


class Energy(nn.Module):
    """½ Σ Π w^p over rows of weights, the same for each sample: the loss itself."""

    def __init__(self, count: int, powers: tuple[int, ...], product: bool) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(len(powers), count))
        self.powers, self.product = powers, product

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return energies, of shape (samples,)."""
        rows = torch.stack([w**p for w, p in zip(self.w, self.powers, strict=True)])
        return 0.5 * (rows.prod(0) if self.product else rows).sum() + 0 * x[:, 0]


class Attention(nn.Module):
    """XAB'X' of one-hot tokens X, which are given by their numbers, without softmax."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.a, self.b = (nn.Parameter(torch.zeros(width, width)) for _ in range(2))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return scores, of shape (samples, tokens, tokens)."""
        return self.a[tokens] @ self.b[tokens].mT


def build(kind: str, decade: int) -> Case:
    """Return a case of some 10^decade weights."""
    torch.manual_seed(0)
    count, width = SAMPLE_COUNT, LAYER_WIDTHS[decade][kind != "regression"]
    white = np.sqrt(count) * torch.linalg.qr(torch.randn(count, width).double())[0].float()
    n_beta, sweeps = count / np.log(count), max(300, min(1500, 10**6 // (2 * width**2)))
    net: Any
    if kind == "regression":
        net = nn.Linear(width, width, bias=False)
        mean = regression_mean(np.ones(width), n_beta, outputs=width)
        return net, (white, net(white).detach()), None, mean, 0.0
    if kind == "two layers":
        net = linear_module([width] * 3, width // 10)
        first, second = (layer.weight.detach().double().numpy() for layer in net)
        exact = two_layer_mean(first, second, n_beta, sweeps=sweeps, chains=3)
        return net, (white, net(white).detach()), None, *exact
    if kind == "attention":  # fewer samples: each has as many scores as there are weights
        count = 200 if decade < 6 else 16
        tokens = torch.stack([torch.randperm(width) for _ in range(count)])
        zero = np.zeros((width, width))
        exact = two_layer_mean(zero, zero, count / np.log(count), sweeps=sweeps, chains=3)
        loss = lambda scores, y: 0.5 * (scores**2).sum((1, 2)).mean()  # noqa: E731
        return Attention(width), (tokens, torch.zeros(count, 1)), loss, *exact
    half = 10**decade // 2
    shares = [[2, 2]] if kind == "products of squares" else [[2], [4]]
    mean = half * sum(monomial_mean(powers, n_beta, factor=0.5) for powers in shares)
    net = Energy(half, tuple(p for powers in shares for p in powers), len(shares) == 1)
    return net, (torch.zeros(count, 1),) * 2, lambda energy, y: energy.mean(), mean, 0.0


def peer_value(net: nn.Module, data: Any, loss: Any, n_beta: float) -> float | str:
    """λ̂ of devinterp at its defaults, by its own trace, or that it is not there."""
    if find_spec("devinterp") is None:
        return "not installed"
    from devinterp.slt.llc import llc  # type: ignore[import-not-found]

    from validation.llc.peer import Numbers

    loss = loss or (lambda f, y: 0.5 * (f - y).square().sum(-1).mean())

    def rows_loss(model: nn.Module, numbers: torch.Tensor) -> torch.Tensor:
        rows = numbers[:, 0]
        value: torch.Tensor = loss(model(data[0][rows]), data[1][rows])
        return value.expand(len(rows), 1)

    options = {"n_beta": n_beta, "localization": 1.0, "lr": 1e-3, "init_seed": 0}
    found = llc(net, Numbers(len(data[0])), {}, loss_fn=rows_loss, device="cpu", **options)
    return float(n_beta * found.loss_trace.values.mean())  # L(w*) = 0


def measure(kind: str, decade: int) -> dict[str, Any]:
    """Return a row: estimate, exact mean, processor seconds and how far the memory rises."""
    net, data, loss, exact, error = build(kind, decade)
    held, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    estimate = rlct.llc(net, data, loss=loss, seed=0, progress=False)
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    n_beta = len(data[0]) / float(np.log(len(data[0])))
    return {
        "kind": kind,
        "weights": sum(w.numel() for w in net.parameters()),
        "samples": len(data[0]),
        "exact": float(f"{exact:.8g}"),
        "exact error": float(f"{error:.2g}"),
        "lambda": float(f"{estimate.lam:.6g}"),
        "off": round(estimate.lam / exact - 1, 4),
        "verdict": "; ".join([str(estimate.verdict), *estimate.warnings]),
        "method": estimate.method,
        "seconds": round(seconds, 1),
        "MB": [held // 1000, peak // 1000],
        "devinterp": peer_value(net, data, loss, n_beta),
    }


def main() -> None:
    """Measure what the file lacks, smallest first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", type=Path, help="what it holds is not run again")
    parser.add_argument("--kinds", nargs="+", default=STUDY_KINDS)
    parser.add_argument("--decades", nargs="+", type=int, default=[*LAYER_WIDTHS])
    parser.add_argument("--row", nargs=2, metavar=("KIND", "DECADE"), help="one row, as JSON")
    options = parser.parse_args()
    if options.row:
        torch.set_num_threads(1)
        warnings.simplefilter("ignore")
        print(json.dumps(measure(options.row[0], int(options.row[1])), ensure_ascii=False))
        return
    rows = (read_json(options.json) or {"rows": []})["rows"]
    for decade in options.decades:
        for kind in options.kinds:
            if any((r["kind"], len(str(r["weights"] * 2)) - 1) == (kind, decade) for r in rows):
                continue
            command = [sys.executable, __file__, "--row", kind, str(decade)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(kind, decade, done.stderr.strip().splitlines()[-1:], flush=True)
                continue
            rows.append(json.loads(done.stdout.splitlines()[-1]))
            print(rows[-1], flush=True)
            if options.json:
                head = {
                    "command": "python validation/llc/exact_means.py --json exact_means.json",
                    "seed": 0,
                    "versions": versions_of("numpy", "torch", "rlct"),
                    "processor": processor_name(),
                }
                write_rows(options.json, rows, head)


if __name__ == "__main__":
    main()
