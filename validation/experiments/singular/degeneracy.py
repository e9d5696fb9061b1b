"""Rank of the Fisher matrix and of the Hessian of random ReLU networks, appendix A.1.

Networks of several depths with biases, weights three times as large as PyTorch draws them (else
tanh is nearly linear), inputs N(0, I). The source's words are that the Fisher matrix is degenerate
at every parameter with a nonzero weight or bias at a hidden unit, and the Hessian of K at those
that are true. A random parameter stands for every one, and is its own truth: of the Hessian
elsewhere nothing is claimed, nor is it tried. The Fisher matrix of (2) is E JᵀJ with J the
derivative of the outputs, over a sample of the inputs; the Hessian of K at the truth is the same
matrix (the source's factor in (13) is not there), which differences of K along its eigenvectors
confirm. The zeros are counted beside the scalings of the hidden units, each of which gives one.
Networks with tanh in the place of ReLU are the control: they have none.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rlct.sampling.targets.activations import NAMED_ACTIVATIONS
from rlct.sampling.targets.target import Floats
from validation.audit.row import close, exact
from validation.framework.claim import at_least, span
from validation.framework.experiment import Data, Finding, Rows, experiment, suites

ZERO_SHARE = 1e-11  # of the largest eigenvalue; rounding is at 1e-15


def draw_layers(widths: Sequence[int], gain: float, rng: np.random.Generator) -> list[Floats]:
    """Weights and, in the last column, biases: uniform, ``gain`` times PyTorch's 1/√(inputs)."""
    return [gain * rng.uniform(-1, 1, (b, a + 1)) / np.sqrt(a) for a, b in pairwise(widths)]


def outputs_and_derivative(
    layers: Sequence[Floats], activation: str, x: Floats
) -> tuple[Floats, Floats]:
    """f(x), shape (n, outputs), and its derivative by the parameters, (n, outputs, d)."""
    act = NAMED_ACTIVATIONS[activation]
    inputs, before = [x], []
    for k, layer in enumerate(layers):
        before.append(inputs[-1] @ layer[:, :-1].T + layer[:, -1])
        if k + 1 < len(layers):
            inputs.append(act.function(before[-1]))
    n, outputs = before[-1].shape
    back = np.broadcast_to(np.eye(outputs), (n, outputs, outputs))
    parts = []
    for k in range(len(layers) - 1, -1, -1):
        ones = np.concatenate([inputs[k], np.ones((n, 1))], axis=1)
        parts.append((back[:, :, :, None] * ones[:, None, None, :]).reshape(n, outputs, -1))
        if k:
            back = (back @ layers[k][:, :-1]) * act.derivative(before[k - 1])[:, None, :]
    return before[-1], np.concatenate(parts[::-1], axis=2)


def units(settings: Data) -> Iterable[Data]:
    """One for each architecture and activation."""
    for widths in settings["widths"]:
        for activation in ("relu", "tanh"):
            yield {"widths": widths, "activation": activation}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Count the zeros of several networks."""
    nullity, gap, dead, ratios = [], [], [], []
    spectrum: Floats = np.zeros(0)
    for _ in range(settings["networks"]):
        layers = draw_layers(unit["widths"], settings["gain"], rng)
        x = rng.standard_normal((settings["inputs"], unit["widths"][0]))
        truth, derivative = outputs_and_derivative(layers, unit["activation"], x)
        flat = derivative.reshape(-1, derivative.shape[-1])
        values, vectors = np.linalg.eigh(flat.T @ flat / len(x))
        zeros = int((values < ZERO_SHARE * values[-1]).sum())
        nullity.append(zeros)
        gap.append(float(values[zeros] / values[-1]))
        dead.append(int((np.abs(flat).max(axis=0) == 0).sum()))
        spectrum = np.maximum(values, 1e-18) / values[-1]
        for column, scale in ((values.argmax(), values[-1]), (0, 0.0)):
            moved = _moved(layers, 1e-4 * vectors[:, column])
            change, _ = outputs_and_derivative(moved, unit["activation"], x)
            second = ((change - truth) ** 2).sum(axis=1).mean() / 1e-8  # 2K(εv)/ε²
            ratios.append(float(second / values[-1] - scale / values[-1]))
    return {
        "parameters": int(sum(a.size for a in layers)),
        "hidden": int(sum(unit["widths"][1:-1])),
        "nullity": nullity,
        "smallest_nonzero": min(gap),
        "unused": dead,
        "hessian": max(abs(r) for r in ratios),
        "spectrum": spectrum.tolist(),
    }


def _moved(layers: Sequence[Floats], step: Floats) -> list[Floats]:
    ends = np.cumsum([a.size for a in layers])
    parts = np.split(step, ends[:-1])
    return [a + part.reshape(a.shape) for a, part in zip(layers, parts, strict=True)]


def _range(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """At least one zero per hidden unit for ReLU, none for tanh."""
    checks: list[Any] = []
    said = []
    zeros = {(*row["widths"], row["activation"]): row["nullity"] for row in rows}
    for row in rows:
        name = f"{'-'.join(map(str, row['widths']))} {row['activation']}"
        if row["activation"] == "relu":
            checks.append(
                at_least(
                    f"{name}: least number of zeros in {len(row['nullity'])} networks with "
                    f"{row['hidden']} hidden units (planted: tanh)",
                    min(row["nullity"]),
                    row["hidden"],
                    control=max(zeros[*row["widths"], "tanh"]),
                )
            )
            said.append(
                f"{name}: {row['parameters']} parameters, {row['hidden']} hidden units, "
                f"{span(row['nullity'])} zeros"
            )
        else:
            checks.append(exact(f"{name}: zeros of the control", max(row["nullity"]), 0))
        checks.append(
            close(
                f"{name}: Hessian less Fisher, of the largest", row["hessian"], 0, 0.02, control=1
            )
        )
    relu = [row for row in rows if row["activation"] == "relu"]
    yield Finding(
        "001-appendix-a1",
        f"ReLU networks with {_range(row['hidden'] for row in relu)} hidden units have "
        f"{_range(min(row['nullity']) for row in relu)} zeros or more; with tanh at most "
        f"{max(max(row['nullity']) for row in rows if row['activation'] != 'relu')}",
        checks,
        details="; ".join(said),
        why="The scaling of each hidden unit is a zero, as Lemma A.2 says. More zeros belong to "
        "units that are off, or on, for nearly all inputs, and to layers behind them; they are not "
        "a count of the degeneracy that λ measures, which also sees what is flat to second order.",
    )


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Draw the spectra: a cliff of the ReLU networks, none with tanh."""
    axes = figure.subplots(1, 2, sharey=True)
    for row in rows:
        panel = axes[0 if row["activation"] == "relu" else 1]
        panel.semilogy(row["spectrum"], label="-".join(map(str, row["widths"])))
    for panel, name in zip(axes, ("ReLU", "tanh, the control"), strict=True):
        panel.set(xlabel="eigenvalue, by size", title=name)
        panel.axhline(ZERO_SHARE, color="0.5", linewidth=0.7)
    axes[0].set_ylabel("of the Fisher matrix, relative to the largest")
    axes[0].legend(fontsize=7)


EXPERIMENT = experiment(
    __name__,
    title="Degeneracy of the Fisher matrix and the Hessian",
    places=("001-appendix-a1",),
    **suites(
        widths=([[3, 5, 3]], [[2, 5, 1], [3, 5, 3], [3, 5, 5, 3], [3, 8, 8, 8, 3], [10, 10, 10]]),
        networks=(3, 10),
        inputs=(3000, 8000),
        gain=3.0,
    ),
)
