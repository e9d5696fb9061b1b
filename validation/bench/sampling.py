"""Measure how often the intervals of the samplers hold the true λ, and how long they take.

Run from the repository root::

    python validation/bench/sampling.py --seeds 20 --method tempering
    python validation/bench/sampling.py --seeds 1 --method quadrature

Prints one line per problem: the true pair, the mean estimate, the root mean square of z,
the half-width of the interval, how many of the intervals hold λ, how often ``check_target``
agrees with the truth and how often it refutes the near miss below and above, and seconds
per run.  With ``--free`` θ is estimated too; else the true θ is assumed, as in a check.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction

import numpy as np

from rlct.pair import Pair
from rlct.sampling.check import check_target, estimate, near_miss
from rlct.sampling.comparison import Comparison
from rlct.sampling.linear import LinearNetworkTarget
from rlct.sampling.polynomial import PolynomialTarget
from rlct.sampling.target import Target


def squares(*generators: dict[tuple[int, ...], int]) -> PolynomialTarget:
    """K = Σ g² on the default box."""
    return PolynomialTarget(generators, squared=True)


# Monomials, sums of disjoint variables and rotations: combination rules by hand.
# (x² − y³)²: 5/12, the cusp.  Linear networks: Aoyagi (2005, 2024), closed forms.
PROBLEMS: dict[str, tuple[Target, Fraction, int]] = {
    "x^2 y^4": (squares({(1, 2): 1}), Fraction(1, 4), 1),
    "x^2+y^4+z^6": (
        squares({(1, 0, 0): 1}, {(0, 2, 0): 1}, {(0, 0, 3): 1}),
        Fraction(11, 12),
        1,
    ),
    "x^2 y^2": (squares({(1, 1): 1}), Fraction(1, 2), 2),
    "x^2 y^2 z^2": (squares({(1, 1, 1): 1}), Fraction(1, 2), 3),
    "(x^2-y^2)^2": (squares({(2, 0): 1, (0, 2): -1}), Fraction(1, 2), 2),
    "(x^2-y^3)^2": (squares({(2, 0): 1, (0, 3): -1}), Fraction(5, 12), 1),
    "x^2+y^2": (squares({(1, 0): 1}, {(0, 1): 1}), Fraction(1), 1),
    "(x^2-y^2)^2+z^2": (
        squares({(2, 0, 0): 1, (0, 2, 0): -1}, {(0, 0, 1): 1}),
        Fraction(1),
        2,
    ),
    "[2,2,2] r0": (LinearNetworkTarget([2, 2, 2], 0), Fraction(3, 2), 1),
    "[3,3,3] r0": (LinearNetworkTarget([3, 3, 3], 0), Fraction(7, 2), 2),
    "[2,2,2,2] r0": (LinearNetworkTarget([2, 2, 2, 2], 0), Fraction(3, 2), 3),
    "[1,1,1,1] r0": (LinearNetworkTarget([1, 1, 1, 1], 0), Fraction(1, 2), 3),
    "[5,3,5] r1": (LinearNetworkTarget([5, 3, 5], 1), Fraction(8), 1),
    "[5,2,7] r1": (LinearNetworkTarget([5, 2, 7], 1), Fraction(15, 2), 1),
    "[2,2,2] r0 bias": (LinearNetworkTarget([2, 2, 2], 0, bias=True), Fraction(5, 2), 1),
}


def measure(name: str, seeds: int, method: str, free: bool, trial: bool) -> str:
    """Return one line of the table."""
    target, lam, theta = PROBLEMS[name]
    found, seconds, verdicts = [], [], []
    for seed in range(seeds):
        began = time.perf_counter()
        found.append(estimate(target, seed=seed, method=method, theta=None if free else theta))
        seconds.append(time.perf_counter() - began)
        if trial:
            gap = near_miss(lam)
            outcomes: list[Comparison] = [
                check_target(target, Pair(lam + shift, theta), seed=seed, method=method)
                for shift in (Fraction(0), -gap, gap)
            ]
            verdicts.append([c.verdict for c in outcomes])
    lams = np.array([e.lam for e in found])
    errors = np.array([e.error for e in found])
    half = np.mean([0.5 * (e.interval[1] - e.interval[0]) for e in found])
    held = sum(e.interval[0] <= lam <= e.interval[1] for e in found)
    warned = sum(bool(e.warnings) for e in found)
    z = (lams - float(lam)) / errors
    spread = float(np.sqrt((z**2).mean()))
    line = (
        f"{name:16s} {lam!s:>5s},{theta}  mean {lams.mean():.4f}  rms z {spread:.2f}"
        f"  half {half:.4f}  held {held}/{seeds}  warned {warned}  {np.mean(seconds):.1f} s"
    )
    if free:
        spans = [e.theta_interval for e in found if e.theta_interval]
        inside = sum(a <= theta <= b for a, b in spans)
        line += f"  θ held {inside}/{len(spans)}, settled {sum(e.theta is not None for e in found)}"
    if verdicts:
        agreed = sum(v[0] == "agrees" for v in verdicts)
        refuted = sum(v[0] == "refuted" for v in verdicts)
        missed = sum(v[k] == "refuted" for v in verdicts for k in (1, 2))
        line += f"  agrees {agreed}, refuted {refuted}; near misses refuted {missed}/{2 * seeds}"
    return line


def main() -> None:
    """Run the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--method", default="tempering")
    parser.add_argument("--free", action="store_true", help="estimate θ too")
    parser.add_argument("--check", action="store_true", help="run check_target as well")
    parser.add_argument("--only", nargs="*", help="names of problems")
    options = parser.parse_args()
    for name, (target, _, _) in PROBLEMS.items():
        if options.only and name not in options.only:
            continue
        if options.method == "quadrature" and not (
            isinstance(target, PolynomialTarget) and target.dimension <= 3
        ):
            continue
        print(measure(name, options.seeds, options.method, options.free, options.check), flush=True)


if __name__ == "__main__":
    main()
