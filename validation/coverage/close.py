"""Whether default intervals hold λ where more poles stand close to the first than one.

Run from the repository root; runs that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/close.py --seeds 0:3

Products and sums of high powers have poles at 1/2k or sums of these, some of higher order.  The
truth is what the engine proves.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

from scipy.stats import t as student

import rlct
from rlct.sampling.run import estimate
from rlct.targets import target_of

FILE = Path(__file__).with_name("close.json")
LEVEL = 0.95
ASKED = (
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


def measure(asked, seed):
    """One run with default settings."""
    answer = rlct.poly(asked)
    truth = answer.pair
    begin = time.process_time()
    found = estimate(target_of(answer), seed=seed, level=LEVEL)
    lam, error = found.fit.by_theta[truth.theta]
    return {
        "asked": asked,
        "seed": seed,
        "truth": [str(truth.lam), truth.theta],
        "lambda": found.lam,
        "interval": list(found.interval),
        "theta_interval": list(found.theta_interval),
        "held": bool(found.interval[0] <= truth.lam <= found.interval[1]),
        "z_given_theta": (lam - float(truth.lam)) / error,
        "quantile": float(student.ppf(0.5 + LEVEL / 2, found.degrees)),
        "warnings": list(found.warnings),
        "cpu_seconds": round(time.process_time() - begin, 2),
    }


def main() -> None:
    """Run what is missing, write, and print the totals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", default="0:3", help="half-open range (default 0:3)")
    options = parser.parse_args()
    rows = json.loads(FILE.read_text("utf-8"))["runs"] if FILE.exists() else []
    done = {(row["asked"], row["seed"]) for row in rows}
    for seed in range(*map(int, options.seeds.split(":"))):
        for asked in ASKED:
            if (asked, seed) not in done:
                rows.append(measure(asked, seed))
                text = json.dumps({"version": rlct.__version__, "runs": rows}, indent=1)
                FILE.write_text(text + "\n", "utf-8")
                print(rows[-1], file=sys.stderr, flush=True)
    held = sum(row["held"] for row in rows)
    given = sum(abs(row["z_given_theta"]) < row["quantile"] for row in rows)
    spread = math.sqrt(sum(row["z_given_theta"] ** 2 for row in rows) / len(rows))
    print(f"{len(rows)} runs: λ in {held} intervals, in {given} with θ as proved; z {spread:.2f}")


if __name__ == "__main__":
    main()
