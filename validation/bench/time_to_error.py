"""Seconds until λ̂ is within 1 % of λ, here by default and for devinterp tuned in hindsight.

Run from the repository root, with the path of a Python that has devinterp (never a
dependency)::

    python validation/bench/time_to_error.py --peer /path/to/python \
        --json validation/bench/time_to_error.json

The error is the root mean square of (λ̂ − λ)/λ over independent seeds.  Here a default ladder is
run with a part of its particles; there, with 10,000 data points and four chains, the step and the
localization are those of a grid whose answer at 1000 draws is closest to λ, which nobody knows
who needs an estimate, and then draws are doubled.  Both in processor time of one thread, in turns.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import tempfile
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
from langevin import GRID, SAMPLES, data, peer  # noqa: E402

import rlct  # noqa: E402
from rlct.sampling.run import estimate  # noqa: E402
from rlct.targets import target_of  # noqa: E402

PROBLEMS = {
    "[5,3,5] rank 1": ([5, 3, 5], 1),
    "[10,10,10,10] rank 5": ([10, 10, 10, 10], 5),
    "x**2*y**4": (None, None),
}
EFFORTS = (0.1, 0.25, 0.5, 1.0, 2.0)
DRAWS = (250, 500, 1000, 2000, 4000, 8000)
SEEDS = range(4)
WANTED = 0.01


def question(widths, rank):
    """What rlct is asked."""
    return rlct.linear(widths, rank=rank) if widths else rlct.poly("x**2*y**4")


def hold(folder, widths, rank):
    """Write the data of the peer; for the monomial u and noise."""
    path = str(Path(folder) / "data.npz")
    if widths is None:
        u, noise = np.random.default_rng(0).standard_normal((2, SAMPLES, 1))
        np.savez(path, x=u, y=noise, depth=0)
    else:
        layers, x, y = data(widths, rank)
        named = {f"layer{k}": layer for k, layer in enumerate(layers)}
        np.savez(path, x=x, y=y, depth=len(layers), **named)
    return path


def ours(widths, rank):
    """Error and seconds for each part of the default effort, until the error is reached."""
    asked = question(widths, rank)
    lam, rows = float(asked.lam), []
    for effort in EFFORTS:
        begin = time.process_time()
        found = [estimate(target_of(asked), seed=seed, effort=effort).lam for seed in SEEDS]
        rows.append(row(found, lam, time.process_time() - begin, {"effort": effort}))
        if rows[-1]["error"] <= WANTED:
            break
    return rows


def theirs(python, held, lam):
    """The same for the peer, with its best settings."""
    n_beta = SAMPLES / math.log(SAMPLES)

    def run(draws, seed, lr, localization):
        kwargs = {"lr": lr, "nbeta": n_beta, "localization": localization}
        done = peer(python, held, False, chains=4, draws=draws, burnin=0, sgld=kwargs, seed=seed)
        means = [n_beta * (np.mean(chain) - done["init"]) for chain in done["losses"]]
        return float(np.mean(means)), done["seconds"]

    tried = {settings: run(1000, 0, *settings)[0] for settings in GRID}
    best = min(tried, key=lambda s: abs(np.nan_to_num(tried[s], nan=1e99) - lam))
    rows = []
    for draws in DRAWS:
        found = [run(draws, 100 * (seed + 1), *best) for seed in SEEDS]
        seconds = sum(s for _, s in found)
        settings = {"draws": draws, "lr": best[0], "localization": best[1]}
        rows.append(row([value for value, _ in found], lam, seconds, settings))
        if rows[-1]["error"] <= WANTED:
            break
    return rows


def row(found, lam, seconds, settings):
    """Relative errors over seeds, and seconds of one of the runs."""
    gaps = np.array(found) / lam - 1
    return {
        **settings,
        "error": float(np.sqrt(np.mean(gaps**2))),
        "bias": float(gaps.mean()),
        "seconds": seconds / len(found),
    }


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer", metavar="PYTHON", required=True)
    parser.add_argument("--only", choices=[*PROBLEMS], action="append")
    parser.add_argument("--json", metavar="FILE", type=Path, help="other problems in it stay")
    options = parser.parse_args()
    found = {}
    if options.json and options.json.exists():
        found = json.loads(options.json.read_text(encoding="utf-8"))
    for name in options.only or PROBLEMS:
        widths, rank = PROBLEMS[name]
        here = ours(widths, rank)
        with tempfile.TemporaryDirectory() as folder:
            held = hold(folder, widths, rank)
            there = theirs(options.peer, held, float(question(widths, rank).lam))
        found[name] = {"rlct": here, "devinterp": there}
        print(name, json.dumps(found[name], indent=1), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
