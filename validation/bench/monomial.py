"""Time λ and θ of random and structured monomial ideals, and the listing of faces.

    python validation/bench/monomial.py [--seed N] [--repeat R]

Prints one line a case: median and largest time, and how the median compares with the budget.
A report, not a test: the numbers depend on the machine.
"""

import argparse
import time
from collections.abc import Callable
from itertools import combinations
from statistics import median

import numpy as np

from rlct.newton.linear_program import monomial_optimum
from rlct.newton.polyhedron import compact_faces

SIZE_BUDGETS = {(12, 40): 0.02, (50, 500): 1.0, (200, 5000): 10.0}
"""Variables and generators, with the budget in seconds."""
ENTRY_DENSITIES = (0.05, 0.5, 1.0)


def random_ideal(rng: np.random.Generator, d: int, m: int, density: float) -> np.ndarray:
    """Draw exponents 0 … 9, each non-zero with about this probability; no row is zero."""
    exponents = rng.integers(0, 10, (m, d)) * (rng.random((m, d)) < density)
    empty = np.flatnonzero(~exponents.any(axis=1))
    exponents[empty, rng.integers(0, d, len(empty))] = 1
    return exponents


def edge_ideal(n: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Return x_i·x_j for the edges of a graph: degenerate programmes, often with θ > 1."""
    return [[int(k in pair) for k in range(n)] for pair in pairs]


def grid(side: int) -> list[tuple[int, int]]:
    """List the edges of a square grid graph."""
    across = [(i, i + 1) for i in range(side * side) if (i + 1) % side]
    return across + [(i, i + side) for i in range(side * (side - 1))]


def report(name: str, budget: float, work: Callable[[], str], repeat: int) -> None:
    """Time `work` and print one line."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        answer = work()
        seconds.append(time.perf_counter() - start)
    middle = median(seconds)
    print(
        f"{name:<34} median {middle * 1e3:9.1f} ms   max {max(seconds) * 1e3:9.1f} ms"
        f"   {middle / budget:6.1%} of {budget:g} s   {answer}",
        flush=True,
    )


def main() -> None:
    """Run all cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    monomial_optimum([[1]])  # imports are not what is timed

    def random_case(d: int, m: int, density: float) -> Callable[[], str]:
        return lambda: theta(random_ideal(rng, d, m, density))

    def theta(exponents: np.ndarray | list[list[int]]) -> str:
        pair = monomial_optimum(exponents).pair
        digits = len(str(pair.lam.denominator))
        return f"θ = {pair.theta}, denominator of λ: {digits} digits"

    for (d, m), budget in SIZE_BUDGETS.items():
        repeat = options.repeat * (20 if d < 20 else 1)
        for density in ENTRY_DENSITIES:
            report(
                f"random ({d}, {m}), density {density}", budget, random_case(d, m, density), repeat
            )
    structured = {
        "x^(10^9)": [[10**9]],
        "product of 200 variables": [[1] * 200],
        "cycle of 200": edge_ideal(200, [(i, (i + 1) % 200) for i in range(200)]),
        "grid of 14 × 14": edge_ideal(196, grid(14)),
        "complete graph on 100": edge_ideal(100, list(combinations(range(100), 2))),
    }
    for name, exponents in structured.items():
        report(name, 10.0, lambda rows=exponents: theta(rows), options.repeat)
    for d, high in ((3, 12), (4, 10), (5, 8), (6, 8), (6, 30)):
        points = rng.integers(0, high, (60, d))
        report(
            f"faces of 60 points, {d} variables",
            1.0,
            lambda points=points: f"{len(compact_faces(points))} faces",
            options.repeat,
        )


if __name__ == "__main__":
    main()
