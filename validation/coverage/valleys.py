"""Whether verdicts tell where chains of `hmc` and `mala` are too low in curved valleys.

Run from the repository root; runs that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/valleys.py

Linear networks with spare units on 1000 samples, the first input S times larger than the others:
the valley of zeros is 1/S narrower than long.  The exact tempered mean, for the same data, nβ and
γ = 1, is by Gibbs sampling of whole layers, 48 chains of 3000 sweeps.
"""

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rows import read, write

from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.regression import RegressionTarget

RESULTS_FILE = Path(__file__).with_name("valleys.json")
LINEAR_NETWORKS = (
    ([2, 2, 2], 1),
    ([3, 2, 3], 1),
    ([2, 1, 2], 0),
    ([3, 3, 3], 1),
    ([3, 3, 3], 0),
    ([4, 3, 3, 4], 2),
    ([2, 2, 2, 2], 1),
    ([6, 4, 6], 2),
)
INPUT_SCALES, SAMPLE_COUNT, SEED_COUNT, FREE_WIDTH = (1, 100), 1000, 1, 1e6
DATA_SETS = 1  # data sets
TOO_LOW = 0.1  # of the exact mean


def twins(widths: list[int], rank: int, scale: float, seed: int) -> tuple[Any, NetworkTarget]:
    """The same loss for exact draws, γ being their prior, and for gradients."""
    exact = RegressionTarget(widths, rank, samples=SAMPLE_COUNT, noise=0.3, seed=seed)
    noise = exact.y - exact.x @ exact.truth.T
    exact.x[:, 0] *= scale
    exact.y = exact.x @ exact.truth.T + noise
    exact._second = exact.x.T @ exact.x / SAMPLE_COUNT
    exact._cross = noise.T @ exact.x / SAMPLE_COUNT
    layers = exact.layers(np.zeros((1, exact.dimension)))
    weights = [layer[0] for layer in layers]
    return exact, NetworkTarget(weights, exact.x, exact.y, "linear", sigma=FREE_WIDTH)


def measure(widths: list[int], rank: int, scale: float, seed: int) -> list[dict[str, Any]]:
    """Both samplers, with two seeds each."""
    exact, network = twins(widths, rank, scale, seed)
    n_beta = SAMPLE_COUNT / float(np.log(SAMPLE_COUNT))
    rng = np.random.default_rng(7)
    mean = float(gibbs(exact, n_beta, rng=rng, num_chains=48, num_draws=3000).draws.mean())
    rows = []
    for method, own in product(("hmc", "mala"), range(SEED_COUNT)):
        estimate = estimate_llc(network, method=method, seed=own)
        rows.append(
            {
                "widths": widths,
                "rank": rank,
                "scale": scale,
                "data": seed,
                "method": method,
                "seed": own,
                "exact": mean,
                "estimate": estimate.lam,
                "error": estimate.errors["chains"],
                "filling": estimate.diagnostics["filling"],
                "verdict": estimate.verdict,
            }
        )
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Run what is not in the file, write, and print how many of which are told."""
    rows = read(RESULTS_FILE)
    done = {(str(row["widths"]), row["rank"], row["scale"], row["data"]) for row in rows}
    for seed, (widths, rank), scale in product(range(DATA_SETS), LINEAR_NETWORKS, INPUT_SCALES):
        if (str(widths), rank, scale, seed) not in done:
            rows += measure(widths, rank, scale, seed)
            write(RESULTS_FILE, rows)
    for method in ("hmc", "mala"):
        own = [row for row in rows if row["method"] == method]
        off = np.array([row["estimate"] / row["exact"] - 1 for row in own])
        warned = np.array([row["verdict"] != "usable" for row in own])
        new = np.array([row["verdict"] == "too short" for row in own])
        low, near = off < -TOO_LOW, abs(off) < TOO_LOW / 2
        print(
            f"{method}: of {low.sum()} runs more than {TOO_LOW:.0%} too low {warned[low].sum()} "
            f"are told, {new[low].sum()} as too short; of {near.sum()} within "
            f"{TOO_LOW / 2:.0%} {warned[near].sum()} and {new[near].sum()}"
        )


if __name__ == "__main__":
    main()
