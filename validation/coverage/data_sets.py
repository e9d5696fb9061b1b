"""Whether intervals with errors="data" hold the mean of λ̂ over data sets, at trained weights.

Run from the repository root; models that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 python validation/coverage/data_sets.py

Outputs are those of the truth with Gaussian noise of variance 1, of 400 Gaussian inputs.  w* is
where gradient descent stops on each of them, that leads from a point beside the truth, the same for
all.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rows import read, write
from scipy.stats import t as student

from rlct.sampling.estimate import Estimate
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.network import NetworkTarget

RESULTS_FILE = Path(__file__).with_name("data_sets.json")
SAMPLE_COUNT, SET_COUNT = 400, 60
DESCENT_STEPS, DESCENT_RATE = 5000, 0.1
UNUSED_WEIGHTS = np.array([[1.0, -0.5], [0.3, 0.8], [-0.7, 0.4]])
NETWORK_MODELS: dict[str, tuple[list[Any], str]] = {
    "w·x, d = 3": ([np.ones((1, 3))], "linear"),
    "a·b·x at 0": ([np.zeros((1, 1)), np.zeros((1, 1))], "linear"),
    "three unused tanh units": ([UNUSED_WEIGHTS, np.zeros((1, 3))], "tanh"),
}


def sample(name: str, seed: int) -> NetworkTarget:
    """A data set, and the network at its w*."""
    layers, activation = NETWORK_MODELS[name]
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(SAMPLE_COUNT, layers[0].shape[1]))
    y = rng.normal(size=(SAMPLE_COUNT, 1))
    if len(layers) == 1:
        y += x @ layers[0].T
    target = NetworkTarget(layers, x, y, activation)

    w = 0.1 * np.random.default_rng(0).normal(size=target.dimension)  # off a saddle
    for _ in range(DESCENT_STEPS):
        w -= DESCENT_RATE * target.gradient(w[None])[0]
    ends = np.cumsum([layer.size for layer in layers])[:-1]
    moved = [a + b.reshape(a.shape) for a, b in zip(layers, np.split(w, ends), strict=True)]
    return NetworkTarget(moved, x, y, activation)


def one(name: str, seed: int) -> Estimate:
    """λ̂ on one data set, without its draws."""
    found = estimate_llc(sample(name, seed), seed=seed, errors="data")
    return replace(found, chains=None)


def measure(name: str, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """All data sets of a model: λ̂, its interval, and what of its error is scatter over data."""
    estimates = []
    for estimate in pool.map(partial(one, name), range(SET_COUNT)):
        estimates.append(estimate)
        print(f"{name}, {len(estimates)}/{SET_COUNT}", end="\r", file=sys.stderr)
    lam = np.array([e.lam for e in estimates])
    low, high = np.array([e.interval for e in estimates]).T
    quantile = float(student.ppf(0.975, estimates[0].degrees))
    stated = np.array([e.errors["data"] for e in estimates])
    return {
        "model": name,
        "sets": SET_COUNT,
        "mean": float(lam.mean()),
        "deviation": float(lam.std(ddof=1)),
        "stated": float(np.sqrt((stated**2).mean())),
        "chains": float(np.sqrt(np.mean([e.errors["chains"] ** 2 for e in estimates]))),
        "held": int(((low <= lam.mean()) & (lam.mean() <= high)).sum()),
        "held by chains": int(
            sum(abs(e.lam - lam.mean()) <= quantile * e.errors["chains"] for e in estimates)
        ),
        "method": sorted({e.method for e in estimates}),
    }


def main() -> None:
    """Run what is not in the file, write, and print rows of a table."""
    rows = read(RESULTS_FILE)
    done = {row["model"] for row in rows}
    for name in NETWORK_MODELS:
        if name not in done:
            with ProcessPoolExecutor(max_workers=2) as pool:
                rows.append(measure(name, pool))
            write(RESULTS_FILE, rows)
    for row in rows:
        print(
            f"| {row['model']} | {row['mean']:.3f}, {row['deviation']:.3f} | "
            f"{row['stated']:.3f}, {row['chains']:.3f} | {row['held']} of {row['sets']} | "
            f"{row['held by chains']} |"
        )


if __name__ == "__main__":
    main()
