"""Whether default intervals hold λ where poles stand close to the first, or logarithms are late.

Run from the repository root; runs that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/close.py close --seeds 0:3
    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/close.py thin --seeds 0:3

Products and sums of high powers have poles at 1/2k or sums of these, some of higher order.  Where
facets meet at the diagonal in a thin cone, log nβ has a small coefficient.  The truth is what the
engine proves.
"""

import argparse
import math
import sys
import time
from pathlib import Path

from rows import read, write
from scipy.stats import t as student

import rlct
from rlct.answers.targets import target_of
from rlct.sampling.ladders.run import estimate

RESULTS_FILE = Path(__file__).with_name("close.json")
INTERVAL_LEVEL = 0.95
CLOSE_POLES = (
    "x**8*y**6*z**4*w**2",
    "x**12*y**10*z**8*w**6",
    "x**10*y**8*z**8*w**8",
    "x**6*y**4*z**4*w**4",
    "x**6*y**6*z**4*w**4",
    "x**4*y**4*z**4*w**2",
    "x**4*y**2+z**6*w**4",
    "x**4*y**2+z**4*w**2",
    "x**8*y**2+z**8*w**6",
    "x**6*y**4*z**2+w**4*u**2",
    "x**6*y**4+z**6*w**2+u**2*v**4",
)
THIN_SETS = (
    "x**4*y**4+x**10+y**10",
    "x**4*y**4+x**12+y**12",
    "x**6*y**6+x**14+y**14",
    "x**6*y**6+x**16+y**16",
    "x**6*y**6+x**14",
    "x**4*y**6+x**12+y**12",
    "x**6*y**8+x**16+y**16",
    "x**8*y**10+x**20+y**20",
    "x**4*y**4*z**4+x**14+y**14+z**14",
    "x**6*y**6+x**14+y**14+z**2",
    "x**4*y**4+x**10+y**10+z**2+u**2",
    "x**2*y**2+x**6+y**6+z**2*u**2+z**6+u**6",
)
QUESTION_FAMILIES = {"close": CLOSE_POLES, "thin": THIN_SETS}


def measure(asked, seed):
    """One run with default settings."""
    answer = rlct.poly(asked)
    truth = answer.pair
    begin = time.process_time()
    held_estimate = estimate(target_of(answer), seed=seed, level=INTERVAL_LEVEL)
    lam, error = held_estimate.fit.by_theta[truth.theta]
    return {
        "asked": asked,
        "seed": seed,
        "method": held_estimate.method,
        "truth": [str(truth.lam), truth.theta],
        "lambda": held_estimate.lam,
        "interval": list(held_estimate.interval),
        "theta_interval": list(held_estimate.theta_interval),
        "held": bool(held_estimate.interval[0] <= truth.lam <= held_estimate.interval[1]),
        "z_given_theta": (lam - float(truth.lam)) / error,
        "quantile": float(student.ppf(0.5 + INTERVAL_LEVEL / 2, held_estimate.degrees)),
        "warnings": list(held_estimate.warnings),
        "cpu_seconds": round(time.process_time() - begin, 2),
    }


def main() -> None:
    """Run what is missing, write, and print the totals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("family", choices=[*QUESTION_FAMILIES])
    parser.add_argument("--seeds", default="0:3", help="half-open range (default 0:3)")
    options = parser.parse_args()
    rows = read(RESULTS_FILE)
    done = {(row["asked"], row["seed"]) for row in rows}
    asked_for, settled = QUESTION_FAMILIES[options.family], set()
    for seed in range(*map(int, options.seeds.split(":"))):
        for asked in asked_for:
            if (asked, seed) not in done and asked not in settled:
                rows.append(measure(asked, seed))
                if rows[-1]["method"] == "quadrature":
                    settled.add(asked)  # there is no randomness
                write(RESULTS_FILE, rows)
                print(rows[-1], file=sys.stderr, flush=True)
    rows = [row for row in rows if row["asked"] in asked_for]
    held = sum(row["held"] for row in rows)
    given = sum(abs(row["z_given_theta"]) < row["quantile"] for row in rows)
    spread = math.sqrt(sum(row["z_given_theta"] ** 2 for row in rows) / len(rows))
    print(f"{len(rows)} runs: λ in {held} intervals, in {given} with θ as proved; z {spread:.2f}")


if __name__ == "__main__":
    main()
