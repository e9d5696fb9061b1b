"""Whether default intervals on data hold the mean of λ̂ over data sets, at truths and minima.

Run from the repository root; models that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 python validation/coverage/data_sets.py

Outputs are those of the truth with Gaussian noise of variance 1, of 400 Gaussian inputs.  w* is

- the truth, the same for all data sets;
- where gradient descent stops on each of them, that leads from a point beside it, the same for all;
- or the minimum to which BFGS leads from there: spare units run to weights of 10⁵ then.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rows import read, write
from scipy.optimize import minimize

from rlct.sampling.estimate import Estimate
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.network import NetworkTarget

FILE = Path(__file__).with_name("data_sets.json")
SAMPLES, SETS = 400, 200
STEPS, RATE = 5000, 0.1
UNUSED = np.array([[1.0, -0.5], [0.3, 0.8], [-0.7, 0.4]])
MODELS: dict[str, tuple[list[Any], str]] = {
    "w·x, d = 1": ([np.ones((1, 1))], "linear"),
    "w·x, d = 3": ([np.ones((1, 3))], "linear"),
    "w·x, d = 10": ([np.ones((1, 10))], "linear"),
    "a·b·x at 0": ([np.zeros((1, 1)), np.zeros((1, 1))], "linear"),
    "three unused tanh units": ([UNUSED, np.zeros((1, 3))], "tanh"),
}


def sample(name: str, end: str, seed: int) -> NetworkTarget:
    """A data set, and the network at its w*."""
    layers, activation = MODELS[name]
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(SAMPLES, layers[0].shape[1]))
    y = rng.normal(size=(SAMPLES, 1))
    if len(layers) == 1:
        y += x @ layers[0].T
    target = NetworkTarget(layers, x, y, activation)
    if end == "truth":
        return target

    def loss(w: Any) -> tuple[float, Any]:
        rows = w[None]
        return float(target.divergence(rows)[0]), target.gradient(rows)[0]

    w = 0.1 * np.random.default_rng(0).normal(size=target.dimension)  # off a saddle
    for _ in range(STEPS):
        w -= RATE * loss(w)[1]
    if end == "minimum":
        w = minimize(loss, w, jac=True, method="BFGS", options={"gtol": 1e-9}).x
    ends = np.cumsum([layer.size for layer in layers])[:-1]
    moved = [a + b.reshape(a.shape) for a, b in zip(layers, np.split(w, ends), strict=True)]
    return NetworkTarget(moved, x, y, activation)


def one(name: str, end: str, seed: int) -> Estimate:
    """λ̂ on one data set, without its draws."""
    return replace(estimate_llc(sample(name, end, seed), seed=seed), chains=None)


def measure(name: str, end: str, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """All data sets of a model: λ̂, its interval, and what of its error is scatter over data."""
    found = []
    for estimate in pool.map(partial(one, name, end), range(SETS)):
        found.append(estimate)
        print(f"{name}, {end}, {len(found)}/{SETS}", end="\r", file=sys.stderr)
    lam = np.array([e.lam for e in found])
    low, high = np.array([e.interval for e in found]).T
    stated = np.array([e.errors["data"] for e in found])
    return {
        "model": name,
        "w*": end,
        "sets": SETS,
        "mean": float(lam.mean()),
        "deviation": float(lam.std(ddof=1)),
        "stated": float(np.sqrt((stated**2).mean())),
        "monte_carlo": float(np.sqrt(np.mean([e.errors["monte_carlo"] ** 2 for e in found]))),
        "held": int(((low <= lam.mean()) & (lam.mean() <= high)).sum()),
        "taken_as_trained": sum(bool(e.run and e.run.data.trained) for e in found),
        "method": sorted({e.method for e in found}),
    }


def main() -> None:
    """Run what is not in the file, write, and print rows of a table."""
    rows = read(FILE)
    done = {(row["model"], row["w*"]) for row in rows}
    for name in MODELS:
        for end in ("truth", "stopped", "minimum"):
            convex = len(MODELS[name][0]) == 1  # where gradient descent stops at the minimum
            if (name, end) in done or (convex and end == "stopped"):
                continue
            with ProcessPoolExecutor() as pool:
                rows.append(measure(name, end, pool))
            write(FILE, rows)
    for row in rows:
        print(
            f"| {row['model']} | {row['w*']} | {row['mean']:.3f}, {row['deviation']:.3f} | "
            f"{row['stated']:.3f}, {row['monte_carlo']:.3f} | {row['held']} of {row['sets']} | "
            f"{row['taken_as_trained']} |"
        )


if __name__ == "__main__":
    main()
