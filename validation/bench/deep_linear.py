"""Architectures a second of the closed form for deep linear networks, on one core.

Run ``python validation/bench/deep_linear.py``; the best of five passes is printed, since other
work on the machine only ever slows a pass down.
"""

import time

import numpy as np

from rlct.theorems.kit.deep_linear_arrays import deep_linear_pairs
from rlct.theorems.linear_networks.deep_linear import deep_linear_pair

TIMED_ROWS = 1_000_000
LARGEST_WIDTH = 1_000


def architectures(layers: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw widths up to `LARGEST_WIDTH` and ranks up to the smallest width of each row."""
    rng = np.random.default_rng(layers)
    widths = rng.integers(1, LARGEST_WIDTH + 1, size=(rows, layers + 1))
    return widths, rng.integers(0, widths.min(axis=1) + 1)


def main() -> None:
    """Print one line per depth."""
    for layers in (2, 3, 4, 8, 16, 32):
        widths, rank = architectures(layers, TIMED_ROWS)
        seconds = []
        for _ in range(5):
            start = time.perf_counter()
            deep_linear_pairs(widths, rank)
            seconds.append(time.perf_counter() - start)
        start = time.perf_counter()
        for row, r in zip(widths[:10_000].tolist(), rank[:10_000].tolist(), strict=True):
            deep_linear_pair(row, r)
        scalar = 10_000 / (time.perf_counter() - start)
        print(
            f"{layers:2d} layers: {TIMED_ROWS / min(seconds):12,.0f} architectures/s vectorised, "
            f"{scalar:9,.0f} one by one"
        )


if __name__ == "__main__":
    main()
