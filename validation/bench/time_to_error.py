"""Seconds until λ̂ is within 5, 2 and 1 % of λ, here and for devinterp, tuned in three ways.

Run from the repository root, with the path of a Python that has devinterp (never a
dependency)::

    python validation/bench/time_to_error.py --peer /path/to/python \
        --json validation/bench/time_to_error.json

The error is the root mean square of (λ̂ − λ)/λ over independent seeds.  Here `rlct.llc` is asked
for an interval as narrow, which makes the errors smaller; nothing is tuned, and it is counted
how many of the intervals hold λ.  There, with 10,000 data points and four chains, the step and the
localization are

- those of its README ("defaults"),
- where its answer changes least from one step to the next of a coarse grid, which is what can be
  done without knowing λ ("plateau"),
- those whose answer is closest to λ on the coarse grid and a fine one around its best point, which
  nobody can find who needs an estimate ("truth").

Draws are then multiplied.  All in processor time of one thread; the runs of the grids count in
the seconds with tuning.
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
from rlct.targets import target_of  # noqa: E402

PROBLEMS = {
    "[5,3,5] rank 1": ([5, 3, 5], 1),
    "[10,10,10,10] rank 5": ([10, 10, 10, 10], 5),
    "x**2*y**4": (None, None),
}
STRENGTH = SAMPLES / math.log(SAMPLES)  # nβ there
DRAWS = (250, 1000, 4000)
TUNING_DRAWS = 1000
SEEDS = range(10)
CHAINS = 4  # of the peer
WANTED = (0.05, 0.02, 0.01)
DEFAULTS = (1e-3, 0.0, 30.0)  # step, localization and nβ of its README
FINER = (0.35, 0.45, 0.6, 0.8, 1.25, 1.7, 2.2, 3.0)  # of the best coarse step


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
    """Errors and seconds of narrower and narrower intervals, until all errors are reached."""
    asked, rows = question(widths, rank), []
    target, lam = target_of(asked), float(asked.lam)
    rlct.llc(target, seed=len(SEEDS), accuracy=WANTED[0])  # imports what it needs
    for accuracy in WANTED:
        begin, wall = time.process_time(), time.perf_counter()
        found = [rlct.llc(target, seed=seed, accuracy=accuracy) for seed in SEEDS]
        seconds, wall = time.process_time() - begin, time.perf_counter() - wall
        rows.append(row([each.lam for each in found], lam, seconds, {"accuracy": accuracy}))
        rows[-1]["wall"] = wall / len(found)
        rows[-1]["held"] = sum(each.interval[0] <= lam <= each.interval[1] for each in found)
        if rows[-1]["error"] <= WANTED[-1]:
            break
    return rows


def theirs(python, held, lam):
    """The same for the peer, with settings found in three ways, and what finding them took."""

    def run(draws, seeds, lr, localization, n_beta=STRENGTH):
        """Estimates of all seeds in one process, and the seconds of all."""
        kwargs = {"lr": lr, "nbeta": n_beta, "localization": localization}
        count = CHAINS * len(seeds)
        done = peer(
            python, held, False, chains=count, draws=draws, burnin=0, sgld=kwargs, seed=seeds[0]
        )
        means = n_beta * (np.mean(done["losses"], axis=1) - done["init"])
        return means.reshape(-1, CHAINS).mean(axis=1), done["seconds"]

    def grid(points):
        found = {point: run(TUNING_DRAWS, range(1), *point) for point in points}
        return {point: (float(value[0]), seconds) for point, (value, seconds) in found.items()}

    def best(tried):
        return min(tried, key=lambda p: abs(np.nan_to_num(tried[p][0], nan=1e99) - lam))

    coarse = grid(GRID)
    lr, localization = best(coarse)
    fine = grid([(lr * factor, localization) for factor in FINER])
    seconds = {"coarse": sum(s for _, s in coarse.values())}
    seconds["fine"] = sum(s for _, s in fine.values())
    ways = {
        "defaults": (DEFAULTS, 0.0),
        "plateau": (plateau(coarse), seconds["coarse"]),
        "truth": (best(coarse | fine), seconds["coarse"] + seconds["fine"]),
    }
    return {name: doubled(run, lam, *settings) for name, settings in ways.items()}


def plateau(tried):
    """Settings whose answer differs least, relatively, from that of the next larger step."""
    changes = {}
    for lr, localization in tried:
        larger = min((b for b, g in tried if g == localization and b > lr), default=None)
        if larger is not None:
            pair = [tried[step, localization][0] for step in (lr, larger)]
            change = abs(pair[1] - pair[0]) / max(abs(pair[0]), 1e-300)
            changes[lr, localization] = np.nan_to_num(change, nan=1e99)
    return min(changes, key=lambda point: changes[point])


def doubled(run, lam, settings, tuning):
    """Errors for more and more draws."""
    rows = []
    for draws in DRAWS:
        found, seconds = run(draws, range(100, 100 + len(SEEDS)), *settings)
        named = {"draws": draws, "lr": settings[0], "localization": settings[1]}
        rows.append(row(found, lam, seconds, named))
    return {"tuning_seconds": tuning, "rows": rows}


def reached(rows):
    """Seconds of the first run within each error; None if none is."""
    return {
        f"{wanted:.0%}": next((r["seconds"] for r in rows if r["error"] <= wanted), None)
        for wanted in WANTED
    }


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
        peers = {way: part | {"seconds": reached(part["rows"])} for way, part in there.items()}
        found[name] = {"rlct": {"rows": here, "seconds": reached(here)}, "devinterp": peers}
        print(name, json.dumps(found[name], indent=1), flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
