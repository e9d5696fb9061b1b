"""Is what a verdict says true?  Thirteen networks with exact tempered means, ten seeds each.

Run from the repository root::

    python validation/llc/verdicts/run.py --json validation/llc/verdicts/results.json

Each sentence is a claim, and `judge` has for each cause what makes it false.  Required: at most
1 sentence in 20 is false, no λ̂ that is called usable is off by more than 5 %, and 93 % of the
intervals of usable runs hold the exact mean.
"""

import argparse
import os
import re
import sys
import time
import warnings
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import torch  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[3]))

import rlct  # noqa: E402
from validation.llc.verdicts.targets import Target, targets  # noqa: E402
from validation.records import processor_name, versions_of, write_rows  # noqa: E402

STUDY_SEEDS = range(10)
NEAR_SHARE = 0.05  # of the mean, which a usable λ̂ may be off by
MOST_FALSE, LEAST_HELD = 1 / 20, 0.93

Row = dict[str, Any]


def judge(row: Row, target: Target) -> bool:
    """Return whether the verdict is true.

    - usable: λ̂ is within 5 % of the mean;
    - too short, by what is not filled: at least a quarter of what may be added is lacking;
    - too short, by scatter: the mean is within one and a half times what λ̂ is known to;
    - too short, as chains disagree: it is (R-hat is a number that the run shows);
    - biased, too hot: λ̂ is too large by more than 15 %;
    - biased, by what was taken off: without it λ̂ is right, within a third of it;
    - not a minimum: w* is none;
    - localized: the exact mean at twice the localization changes so, within 5 % of it.
    """
    lam, exact, sentence = row["lambda"], row["exact"], row["sentence"]
    off = lam / exact - 1
    share = _percent(sentence)
    if row["verdict"] == "usable":
        return abs(off) <= NEAR_SHARE
    if row["verdict"] == "not a minimum":
        return not target.minimum
    if "R-hat" in sentence:
        return True
    if "explored" in sentence or "not filled" in sentence:  # as recorded sentences say
        return exact - lam >= 0.25 * share * lam
    if "is known to" in sentence:
        return abs(exact - lam) <= 1.5 * share * abs(lam)
    if "too hot" in sentence:
        return off > 0.15
    if "was taken off" in sentence:
        return abs(lam - exact) <= abs(row["excess"]) / 3
    if row["verdict"] == "localized":
        change = target.exact_mean(2.0) / exact - 1
        said = -share if "falls" in sentence else share
        return abs(said - change) <= NEAR_SHARE
    raise ValueError(sentence)


def _percent(sentence: str) -> float:
    match = re.search(r"([\d.]+) ?%", sentence)
    return float(match[1]) / 100 if match else 0.0


def measure(label: str, target: Target, seed: int) -> Row:
    """Return what a run says, and the exact mean."""
    began = time.process_time()
    estimate = rlct.llc(target.network, target.data, method="sgld", seed=seed, **target.options)
    exact = target.exact_mean(1.0)
    low, high = estimate.interval
    row = {
        "target": label,
        "seed": seed,
        "exact": round(exact, 3),
        "lambda": round(estimate.lam, 3),
        "interval": [round(low, 3), round(high, 3)],
        "holds": low <= exact <= high,
        "verdict": estimate.verdict,
        "sentence": "; ".join(estimate.warnings),
        "filling": round(estimate.diagnostics["filling"], 3),
        "excess": round(estimate.diagnostics["excess"], 3),
        "rhat": round(estimate.rhat, 3),
        "lr": float(f"{estimate.diagnostics['lr']:.3g}"),
        "seconds": round(time.process_time() - began, 1),
    }
    return row | {"true": judge(row, target)}


def summary(rows: list[Row]) -> Row:
    """Return the counts that are required."""
    usable = [row for row in rows if row["verdict"] == "usable"]
    off = [abs(row["lambda"] / row["exact"] - 1) for row in usable]
    return {
        "runs": len(rows),
        "false": sum(not row["true"] for row in rows),
        "usable": len(usable),
        "farthest usable": round(max(off, default=0.0), 4),
        "usable intervals that hold": sum(row["holds"] for row in usable),
    }


def main() -> int:
    """Run the trial; 1 if it fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--targets", nargs="*", help="some of them alone")
    parser.add_argument("--seeds", type=int, default=len(STUDY_SEEDS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rows = []
    for label, target in targets().items():
        if options.targets and label not in options.targets:
            continue
        for seed in STUDY_SEEDS[: options.seeds]:
            rows.append(measure(label, target, seed))
            row = rows[-1]
            said = row["sentence"] or row["verdict"]
            print(f"{label:18} {row['lambda']:10.3f} of {row['exact']:10.3f} "
                  f"{'true ' if row['true'] else 'FALSE'} {said}", flush=True)  # fmt: skip
    counts = summary(rows)
    print(counts)
    if options.json:
        head = {
            "command": "python validation/llc/verdicts/run.py --json results.json",
            "versions": versions_of("numpy", "torch"),
            "processor": processor_name(),
            **counts,
        }
        write_rows(options.json, rows, head)
    held = counts["usable intervals that hold"] / max(counts["usable"], 1)
    return int(
        counts["false"] > MOST_FALSE * counts["runs"]
        or counts["farthest usable"] > NEAR_SHARE
        or held < LEAST_HELD
    )


if __name__ == "__main__":
    sys.exit(main())
