"""The estimator on residual and attention networks whose λ is known.

The source announces ResNet image models and transformer language models, without numbers. Their
two building blocks stand in for them, linear and at a true parameter, as torch modules.

*Residual.* Π(1 + B_l A_l) at the identity map: with the blocks side by side, C = (B_1 … B_L) and D
of the A_l, the product is 1 + C·U·D with U unit triangular, so that λ is that of one product of two
matrices with as many hidden units as all blocks together; the engine is asked the polynomials of a
small case. *Attention.* (xᵀQx)·v at 0.

λ̂ by Hamiltonian trajectories with a Metropolis test at a large nβ and a small pull γ (*far*) is
compared with λ, and SGLD on batches with trajectories at another nβ and a larger γ (*near*): with a
small pull chains wander along the zeros to where the loss is so steep that no step of SGLD suits
both places. At these points the curvature is 0, from which no step follows; it is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

import rlct
from rlct.audit.row import close, exact
from rlct.sampling.llc import llc
from rlct.validation.experiment import Data, Experiment, Finding, Rows, Verdict

NAMES = {"residual": "linear residual network", "attention": "linear attention"}


def units(settings: Data) -> Iterable[Data]:
    """A network, a method, and how far chains may go."""
    for name in settings["networks"]:
        yield {"network": name, "method": "hmc", "at": "far"}
        for method in ("hmc", "sgld"):
            yield {"network": name, "method": method, "at": "near"}


def _network(name: str, size: Data) -> Any:
    """A network with all its parameters 0."""
    import torch
    from torch import nn

    class Residual(nn.Module):
        """x + B_l A_l x, layer after layer."""

        def __init__(self) -> None:
            super().__init__()
            shape = (size["blocks"], size["hidden"], size["width"])
            self.inner = nn.Parameter(torch.zeros(shape, dtype=torch.float64))
            self.outer = nn.Parameter(torch.zeros(shape, dtype=torch.float64))

        def forward(self, x: Any) -> Any:
            for a, b in zip(self.inner, self.outer, strict=True):
                x = x + x @ a.T @ b
            return x

    class Attention(nn.Module):
        """(xᵀQx)·v."""

        def __init__(self) -> None:
            super().__init__()
            width = size["width"]
            self.scores = nn.Parameter(torch.zeros(width, width, dtype=torch.float64))
            self.values = nn.Parameter(torch.zeros(width, dtype=torch.float64))

        def forward(self, x: Any) -> Any:
            return ((x @ self.scores) * x).sum(dim=-1, keepdim=True) * self.values

    return {"residual": Residual, "attention": Attention}[name]()


def _right(name: str, size: Data) -> Any:
    width = size["width"]
    if name == "attention":
        return rlct.theorem("linear-attention", inputs=width, outputs=width)
    return rlct.linear([width, size["blocks"] * size["hidden"], width], rank=0)


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """λ̂ of one network by one method, beside λ."""
    import torch

    from rlct.sampling.module import ModuleTarget

    torch.set_num_threads(1)
    name, seed = unit["network"], int(rng.integers(2**31))
    size = settings[name]
    net = _network(name, size)
    draws = np.random.default_rng(0).standard_normal((settings["samples"], size["width"]))
    x = torch.as_tensor(draws)
    with torch.no_grad():
        y = net(x)
    n_beta, gamma = settings[unit["at"]]
    options = dict(settings[unit["method"]])
    target = ModuleTarget(net, (x, y), "gaussian")
    found = llc(
        target,
        n_beta=n_beta,
        localization=gamma,
        method=unit["method"],
        num_chains=4,
        seed=seed,
        **options,
    )
    right = _right(name, size)
    return {
        "lambda": str(right.lam),
        "theta": right.theta,
        "parameters": target.dimension,
        "estimate": found.lam,
        "error": found.errors["monte_carlo"],
        "sampler": found.errors.get("sampler", 0.0),
        "rhat": found.rhat,
        "warnings": list(found.warnings),
    }


def _error(row: Data) -> float:
    return float(np.hypot(row["error"], row["sampler"]))


def _shown(row: Data) -> str:
    return f"{row['estimate']:.2f} ± {_error(row):.2f}"


def _engine() -> str:
    """λ and θ of (1 + b₁a₁ᵀ)(1 + b₂a₂ᵀ) = 1 in two dimensions."""
    import sympy

    a, b, c, d = (sympy.Matrix(sympy.symbols(f"{v}1:3")) for v in "abcd")
    gap = (sympy.eye(2) + a * b.T) * (sympy.eye(2) + c * d.T) - sympy.eye(2)
    found = rlct.ideal([str(sympy.expand(entry)) for entry in gap])
    return f"{found.lam} {found.theta}"


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """λ̂ against λ, and one sampler against the other."""
    known = rlct.linear([2, 2, 2], rank=0)
    facts = [
        exact("two blocks of one unit, width 2, by the engine", _engine(),
              f"{known.lam} {known.theta}")
    ]  # fmt: skip
    told, above = [], []
    for name in settings["networks"]:
        own = {(r["method"], r["at"]): r for r in rows if r["network"] == name}
        hmc, sgld, far = own["hmc", "near"], own["sgld", "near"], own["hmc", "far"]
        half, lam = hmc["parameters"] / 2, float(Fraction(far["lambda"]))
        both = float(np.hypot(_error(hmc), _error(sgld)))
        facts += [
            close(f"{NAMES[name]}: λ̂ with a small pull, λ = {far['lambda']}", far["estimate"],
                  lam, 4 * _error(far) + 0.15 * lam, control=half),
            close(f"{NAMES[name]}: SGLD, trajectories at the same nβ and γ", sgld["estimate"],
                  hmc["estimate"], 4 * both + 0.05 * hmc["estimate"], control=half),
        ]  # fmt: skip
        above.append(f"{sgld['estimate'] / hmc['estimate'] - 1:+.0%}")
        told.append(
            f"{NAMES[name]}: {_shown(far)} for λ = {far['lambda']} (d/2 = {half:g}); with a "
            f"larger pull SGLD {_shown(sgld)}, trajectories {_shown(hmc)}"
        )
    yield Finding(
        "004-architectures",
        Verdict.CONFIRMED,
        ". ".join(told),
        facts,
        "Skip connections and attention are no obstacle: λ̂ is λ within its error and far from "
        f"d/2. SGLD with its one step differs from trajectories by {', '.join(above)}, within four "
        "errors: the step shows.",
        "No ResNet and no language model: linear blocks of twelve to eighteen parameters at a true "
        "parameter. A small transformer is in the experiment on Figure 13 of 002. The summary that "
        "was read gives no numbers to compare with.",
    )


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Estimates and λ, over half the number of parameters."""
    axes = figure.add_subplot()
    styles = {("hmc", "far"): "C2^", ("hmc", "near"): "C0s", ("sgld", "near"): "C1o"}
    for k, name in enumerate(settings["networks"]):
        for row in (r for r in rows if r["network"] == name):
            key = row["method"], row["at"]
            half, shift = row["parameters"] / 2, 0.2 * (list(styles).index(key) - 1)
            label = ", ".join(key) if k == 0 else None
            axes.errorbar(k + shift, row["estimate"] / half, 4 * _error(row) / half,
                          fmt=styles[key], markersize=5, label=label)  # fmt: skip
            axes.plot(k + shift, float(Fraction(row["lambda"])) / half, "k_", markersize=20)
    names = [NAMES[name].replace(" ", "\n") for name in settings["networks"]]
    axes.set_xticks(range(len(names)), names, fontsize=8)
    axes.set(ylim=(0, 1), ylabel="λ̂ over half the number of parameters")
    axes.legend(title="lines: λ; bars: 4 errors", fontsize=8, title_fontsize=8, frameon=False)


_SHARED = {"samples": 100, "far": [1e5, 0.1], "near": [1e3, 10.0]}

EXPERIMENT = Experiment(
    id="004-architectures",
    source="004",
    title="Residual and attention networks",
    places=("004-architectures",),
    quick={
        **_SHARED,
        "networks": ["residual"],
        "residual": {"width": 2, "hidden": 1, "blocks": 2},
        "hmc": {"num_draws": 100},
        "sgld": {"num_draws": 1000, "lr": 1e-3},
    },
    full={
        **_SHARED,
        "networks": ["residual", "attention"],
        "residual": {"width": 3, "hidden": 1, "blocks": 3},
        "attention": {"width": 3},
        "hmc": {"num_draws": 200},
        "sgld": {"num_draws": 3000, "lr": 1e-3},
    },
    units=units,
    run=run,
    judge=judge,
    draw=draw,
    size=(6.0, 4.2),
    needs=("torch",),
)
