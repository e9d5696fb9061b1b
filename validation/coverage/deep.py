"""How often intervals hold λ of linear networks of four to thirteen layers.

Run from the repository root; runs that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/deep.py --count 100
    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/deep.py --count 100 --accuracy 0.05
    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/deep.py --count 40 --equal

Widths, rank and biases are random, number k from seed k; none is left out but those beyond MOST
parameters, which are drawn again.  λ and θ are those of Aoyagi's theorem.  Equal widths, of four to
twelve layers, are those where the number of layers divides width less rank: θ is 1, and many poles
are close.
"""

import argparse
import math
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from rows import read, write

import rlct
from rlct.answers.targets import target_of
from rlct.benchmark.score import binomial_interval
from rlct.sampling.ladders.check import near_miss
from rlct.sampling.ladders.run import estimate

RESULTS_FILE = Path(__file__).with_name("deep.json")
LAYER_RANGE, WIDEST_LAYER, MOST_PARAMETERS = (5, 13), 12, 1000
EQUAL_LAYERS, EQUAL_MOST = (4, 12), 3000


def network(number: int) -> dict[str, Any]:
    """Random widths, rank and biases."""
    rng = np.random.default_rng(number)
    layers = int(rng.integers(LAYER_RANGE[0], LAYER_RANGE[1] + 1))
    while True:
        widths = rng.integers(1, rng.integers(1, WIDEST_LAYER + 1) + 1, layers + 1).tolist()
        if np.dot(widths[1:], widths[:-1]) <= MOST_PARAMETERS:
            break
    rank = int(rng.integers(0, min(widths) + 1))
    return {"widths": widths, "rank": rank, "bias": bool(rng.integers(0, 4) == 0)}


def equal(number: int) -> dict[str, Any]:
    """Equal widths with θ = 1."""
    rng = np.random.default_rng([1, number])
    while True:
        layers = int(rng.integers(EQUAL_LAYERS[0], EQUAL_LAYERS[1] + 1))
        rank = int(rng.integers(0, 4))
        width = layers * int(rng.integers(1, 3)) + rank
        if layers * width**2 <= EQUAL_MOST:
            break
    return {"widths": [width] * (layers + 1), "rank": rank, "bias": bool(rng.integers(0, 4) == 0)}


def measure(number: int, accuracy: float | None, same: bool) -> dict[str, Any]:
    """One estimate with default settings, or one as exact as is asked for."""
    asked = equal(number) if same else network(number)
    question = rlct.linear(asked["widths"], rank=asked["rank"], bias=asked["bias"])
    lam, theta = float(question.lam), question.theta
    begin = time.process_time()
    held_estimate = estimate(target_of(question), seed=number, accuracy=accuracy)
    low, high = held_estimate.interval
    gap = float(near_miss(question.lam))
    return {
        "number": number,
        "accuracy": accuracy,
        "equal": same,
        **asked,
        "lambda": str(question.lam),
        "theta": theta,
        "estimate": round(held_estimate.lam, 6),
        "interval": [round(low, 6), round(high, 6)],
        "held": low <= lam <= high,
        "rejected": sum(not low <= lam + shift <= high for shift in (-gap, gap)),
        "z": round((held_estimate.lam - lam) / held_estimate.error, 3),
        "theta_interval": list(held_estimate.theta_interval or ()),
        "warnings": list(held_estimate.warnings),
        "seconds": round(time.process_time() - begin, 2),
    }


def summary(rows: list[dict[str, Any]]) -> str:
    """Totals, as a row of a table."""
    lams = [float(rlct.linear(r["widths"], rank=r["rank"], bias=r["bias"]).lam) for r in rows]
    errors = [abs(r["estimate"] - lam) / lam for r, lam in zip(rows, lams, strict=True)]
    held = sum(r["held"] for r in rows)
    low, high = binomial_interval(held, len(rows))
    width = statistics.fmean(
        (r["interval"][1] - r["interval"][0]) / 2 / lam for r, lam in zip(rows, lams, strict=True)
    )
    spread = math.sqrt(statistics.fmean(r["z"] ** 2 for r in rows))
    theta = sum(r["theta_interval"][0] <= r["theta"] <= r["theta_interval"][1] for r in rows)
    return (
        f"| {held} of {len(rows)} ({low:.0%}–{high:.0%}) | {statistics.median(errors):.2%} | "
        f"{width:.1%} | {spread:.2f} | {sum(r['rejected'] for r in rows)} of {2 * len(rows)} | "
        f"{theta} | {statistics.fmean(r['seconds'] for r in rows):.1f} |"
    )


def main() -> None:
    """Run what is not in the file, and print the totals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--accuracy", type=float)
    parser.add_argument("--equal", action="store_true")
    options = parser.parse_args()
    kept = read(RESULTS_FILE)
    kind = options.accuracy, options.equal
    done = {(row["number"], row["accuracy"], row["equal"]) for row in kept}
    try:
        for number in range(options.count):
            if (number, *kind) not in done:
                kept.append(measure(number, *kind))
                row = kept[-1]
                print(
                    number, row["lambda"], row["theta"], row["estimate"], row["z"], file=sys.stderr
                )
    except KeyboardInterrupt:
        pass
    write(RESULTS_FILE, kept)
    print("| held | median error | half-width | root mean square z | rejected | θ held | s |")
    print("|---|---|---|---|---|---|---|")
    print(summary([row for row in kept if (row["accuracy"], row["equal"]) == kind]))


if __name__ == "__main__":
    main()
