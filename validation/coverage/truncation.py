"""Whether intervals hold the mean of chains of which a burn-in is dropped, as it is chosen.

Run from the repository root; it takes a minute and replaces the file of the same name::

    python validation/coverage/truncation.py

Draws are ½ Σ v² over four, or ¼ Σ v⁴ over two, autoregressions; these begin as they go on, or
from a start of another size.  Shares of intervals of 95 % that hold the mean: with the scatter of
what is left for its error, with that of the choice, too, and with all draws.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rows import write
from scipy.signal import lfilter
from scipy.stats import t as student

from rlct.sampling.markov_chains.burnin import draws_to_drop, truncated_mean

FILE = Path(__file__).with_suffix(".json")
RUNS, SEED = 600, 2
LENGTHS = ((120, 0.74), (400, 0.9), (400, 0.98))
STARTS = {"stationary": 1.0, "from 0": 0.0, "from 0.7": 0.7}


def energy(v: Any, tails: str) -> tuple[Any, float]:
    """Draws from autoregressions, and their mean."""
    if tails == "short":
        return 0.5 * (v**2).sum(axis=2), 0.5 * v.shape[2]
    return 0.25 * (v**4).sum(axis=2), 0.75 * v.shape[2]


def measure(
    tails: str, chains: int, length: tuple[int, float], start: str, rng: np.random.Generator
) -> dict[str, Any]:
    """One setting."""
    draws, rho = length
    size = 4 if tails == "short" else 2
    quantile = float(student.isf(0.025, chains - 1))
    held = []
    for _ in range(RUNS):
        noise = np.sqrt(1.0 - rho**2) * rng.normal(size=(chains, draws, size))
        first = rho * STARTS[start] * rng.normal(size=(chains, 1, size))
        values, exact = energy(lfilter([1.0], [1.0, -rho], noise, axis=1, zi=first)[0], tails)
        drop, _ = draws_to_drop(values)
        both = truncated_mean(values, drop)
        left = truncated_mean(values[:, drop:], 0)
        whole = truncated_mean(values, 0)
        held.append([abs(m - exact) < quantile * error for m, error in (left, both, whole)])
    shares = np.mean(held, axis=0).round(3).tolist()
    named = dict(zip(("scatter", "with choice", "all draws"), shares, strict=True))
    return {"tails": tails, "chains": chains, "draws": draws, "rho": rho, "start": start, **named}


def main() -> None:
    """Run all settings, write, and print a table."""
    rng = np.random.default_rng(SEED)
    settings = product(("short", "long"), (64, 8), LENGTHS, STARTS)
    rows = [measure(*setting, rng) for setting in settings]
    write(FILE, rows)
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")


if __name__ == "__main__":
    main()
