"""Seconds until λ̂ is within 5, 2 and 1 % of λ, here and for devinterp, tuned in three ways.

Run from the repository root, with the path of a Python that has devinterp (never a
dependency)::

    python validation/bench/time_to_error.py --peer /path/to/python \
        --json validation/bench/time_to_error.json

The error is the root mean square of (λ̂ − λ)/λ over independent seeds.  Here `rlct.llc` is asked
for an interval as narrow, which makes the errors smaller; nothing is tuned, and it is counted
how many of the intervals hold λ.  There, with 10,000 data points and four chains, the step, the
localization and nβ are

- those of its README ("defaults"),
- where its answer changes least from one step to the next of a coarse grid, which is what can be
  done without knowing λ ("plateau"),
- the three with the least error over three seeds among the README's, the coarse grid, and fine ones
  around the best of either, which nobody can find who needs an estimate ("truth"); for each error
  the fastest of the three counts.

The error after fewer draws is that of the beginning of the same chains.  All in processor time of
one thread; the runs of the grids count in the seconds with tuning.  What is here runs before and
after the peer, and its time is the mean of both ("turns").
"""

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
from langevin import SAMPLE_COUNT, data, peers, provenance  # noqa: E402

import rlct  # noqa: E402
from rlct.answers.targets import target_of  # noqa: E402
from validation.records import read_json, write_json  # noqa: E402

TIMED_PROBLEMS = {
    "[5,3,5] rank 1": ([5, 3, 5], 1),
    "x**2*y**4": (None, None),
    "quadratic 2-2-1": ([2, 2, 1], None),
    "[10,10,10,10] rank 5": ([10, 10, 10, 10], 5),
}
GRID_STRENGTH = SAMPLE_COUNT / math.log(SAMPLE_COUNT)  # nβ of the grid
DRAW_COUNTS = (125, 250, 500, 1000, 2000, 4000)
TUNING_DRAWS, TUNING_SEEDS = 500, range(3)
# Of linear networks more: an error near one of those wanted is not to be within it by luck.  Fewer
# of the peer, whose errors are large.
OUR_SEEDS, LINEAR_SEEDS, PEER_SEEDS = range(100, 120), range(100, 220), range(100, 110)
PEER_CHAINS = 4  # of the peer
WANTED_ERRORS = (0.05, 0.02, 0.01)
PEER_DEFAULTS = (1e-3, 0.0, 30.0)  # step, localization and nβ of its README
SETTINGS_GRID = [
    (lr, g, GRID_STRENGTH) for lr in (1e-6, 1e-5, 1e-4, 1e-3) for g in (1.0, 10.0, 100.0)
]
CANDIDATE_COUNT = 3  # of the settings found with λ, which are run in full
FINER_STEPS = (0.35, 0.45, 0.6, 0.8, 1.25, 1.7, 2.2, 3.0)  # of the best step


def question(widths, rank):
    """What rlct is asked."""
    if widths is None:
        return rlct.poly("x**2*y**4")
    if rank is None:
        return rlct.quadratic(inputs=widths[0], units=widths[1], outputs=widths[2])
    return rlct.linear(widths, rank=rank)


def hold(folder, widths, rank):
    """Write the data of the peer, with unit noise; for the monomial inputs and noise."""
    path, rng = str(Path(folder) / "data.npz"), np.random.default_rng(0)
    if widths is None:
        layers, (x, y) = [], rng.standard_normal((2, SAMPLE_COUNT, 1))
    elif rank is None:  # at the weights that the question here is sampled at
        truth = question(widths, rank).question.example()
        layers = [np.array(rows, dtype=float) for rows in (truth.hidden, truth.outer)]
        x, noise = (rng.standard_normal((SAMPLE_COUNT, k)) for k in (widths[0], widths[-1]))
        y = (x @ layers[0].T) ** 2 @ layers[1].T + noise
    else:
        layers, x, y = data(widths, rank)
    named = {f"layer{k}": layer for k, layer in enumerate(layers)}
    np.savez(path, x=x, y=y, depth=len(layers), **named)
    return path


def ours(widths, rank):
    """Errors and seconds of narrower and narrower intervals, until all errors are reached."""
    asked, rows = question(widths, rank), []
    target, lam = target_of(asked), float(asked.lam)
    seeds = OUR_SEEDS if rank is None else LINEAR_SEEDS
    rlct.llc(target, seed=0, accuracy=WANTED_ERRORS[0])  # imports what it needs
    for accuracy in WANTED_ERRORS:
        begin, wall = time.process_time(), time.perf_counter()
        estimates = [rlct.llc(target, seed=seed, accuracy=accuracy) for seed in seeds]
        seconds, wall = time.process_time() - begin, time.perf_counter() - wall
        rows.append(row([each.lam for each in estimates], lam, seconds, {"accuracy": accuracy}))
        rows[-1]["wall"] = wall / len(estimates)
        rows[-1]["held"] = sum(each.interval[0] <= lam <= each.interval[1] for each in estimates)
        rows[-1]["as_narrow"] = sum(not _wider(each, accuracy) for each in estimates)
        if rows[-1]["error"] <= WANTED_ERRORS[-1]:
            break
    return {"rows": rows, "seconds": reached(rows)}


def mean_of(first_row, second_row):
    """Two runs of the same seeds, with their mean times."""
    turns = [first_row["seconds"], second_row["seconds"]]
    seconds = {}
    for error, first in turns[0].items():
        second = turns[1][error]
        seconds[error] = None if None in (first, second) else (first + second) / 2
    return {**first_row, "seconds": seconds, "turns": turns}


def _wider(estimate, accuracy):
    low, high = estimate.interval
    return high - low > 2 * accuracy * estimate.lam


def theirs(python, held, quadratic, lam):
    """The same for the peer, with settings found in three ways, and what finding them took."""

    def run(points, draws, seeds):
        """By settings: losses less that at w*, (seeds, chains, draws), and the seconds to each."""
        common = {"chains": PEER_CHAINS * len(seeds), "draws": draws, "burnin": 0}
        common["seed"] = PEER_CHAINS * seeds[0]
        sgld = [dict(zip(("lr", "localization", "nbeta"), point, strict=True)) for point in points]
        every = peers(python, held, quadratic, [common | {"sgld": each} for each in sgld])
        shape, runs = (len(seeds), PEER_CHAINS, draws), {}
        for point, done in zip(points, every, strict=True):
            losses, clocks = (
                np.reshape([padded(part, draws) for part in done[name]], shape)
                for name in ("losses", "clocks")
            )
            runs[point] = losses - done["init"], np.fmax.accumulate(clocks, axis=-1)
        return runs

    def grid(points):
        runs = run(points, TUNING_DRAWS, TUNING_SEEDS).items()
        return {p: (p[2] * losses.mean(axis=(1, 2)), c[..., -1].sum()) for p, (losses, c) in runs}

    def error(point):
        return float(np.nan_to_num(np.mean((tried[point][0] - lam) ** 2), nan=1e99))

    tried = grid([PEER_DEFAULTS, *SETTINGS_GRID])
    coarse = sum(seconds for _, seconds in tried.values())
    ways = {"defaults": ([PEER_DEFAULTS], 0.0), "plateau": ([plateau(tried)], coarse)}
    centres = {min(tried, key=error), min(SETTINGS_GRID, key=error)}
    tried |= grid([(lr * factor, *rest) for lr, *rest in centres for factor in FINER_STEPS])
    seconds = sum(seconds for _, seconds in tried.values())
    ways["truth"] = (sorted(tried, key=error)[:CANDIDATE_COUNT], seconds)
    runs = run(
        sorted({point for points, _ in ways.values() for point in points}),
        DRAW_COUNTS[-1],
        PEER_SEEDS,
    )
    by_way = {}
    for way, (points, seconds) in ways.items():
        rows = []
        for point in points:
            losses, clocks = runs[point]
            named = dict(zip(("lr", "localization", "n_beta"), point, strict=True))
            for draws in DRAW_COUNTS:
                means = point[2] * losses[..., :draws].mean(axis=(1, 2))
                spent = float(clocks[..., draws - 1].sum())
                rows.append(row(means, lam, spent, {"draws": draws, **named}))
        by_way[way] = {"tuning_seconds": float(seconds), "rows": rows, "seconds": reached(rows)}
    return by_way


def padded(values, size):
    """What a chain that diverged does not have is missing."""
    return [*values, *[math.nan] * (size - len(values))]


def plateau(tried):
    """Settings whose answer differs least, relatively, from that of the next larger step."""
    changes = {}
    for point in SETTINGS_GRID:
        larger = (min((b[0] for b in SETTINGS_GRID if b[0] > point[0]), default=None), *point[1:])
        if larger in tried:
            pair = [tried[step][0].mean() for step in (point, larger)]
            change = abs(pair[1] - pair[0]) / max(abs(pair[0]), 1e-300)
            changes[point] = np.nan_to_num(change, nan=1e99)
    return min(changes, key=lambda point: changes[point])


def reached(rows):
    """Seconds of the fastest run within each error; None if none is."""
    within = {w: [r["seconds"] for r in rows if (r["error"] or 1.0) <= w] for w in WANTED_ERRORS}
    return {f"{wanted:.0%}": min(seconds, default=None) for wanted, seconds in within.items()}


def row(estimates, lam, seconds, settings):
    """Relative errors over seeds, and seconds of one of the runs."""
    gaps = np.array(estimates) / lam - 1
    ended = bool(np.isfinite(gaps).all())  # else a chain diverged
    return {
        **settings,
        "error": float(np.sqrt(np.mean(gaps**2))) if ended else None,
        "bias": float(gaps.mean()) if ended else None,
        "seconds": seconds / len(estimates),
    }


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer", metavar="PYTHON", help="without it what is here alone")
    parser.add_argument("--theirs", action="store_true", help="the peer alone")
    parser.add_argument("--only", choices=[*TIMED_PROBLEMS], action="append")
    parser.add_argument("--json", metavar="FILE", type=Path, help="what is not run stays in it")
    options = parser.parse_args()
    report = read_json(options.json, {})
    made = provenance(options.peer)
    for name in options.only or TIMED_PROBLEMS:
        widths, rank = TIMED_PROBLEMS[name]
        done = report.setdefault(name, {})
        if not options.theirs:
            done["rlct"] = ours(widths, rank)
        if options.peer:
            lam = float(question(widths, rank).lam)
            with tempfile.TemporaryDirectory() as folder:
                held = hold(folder, widths, rank)
                done["devinterp"] = theirs(options.peer, held, bool(widths) and rank is None, lam)
            if not options.theirs:  # minutes later the machine may have another pace
                done["rlct"] = mean_of(done["rlct"], ours(widths, rank))
        done["made"] = made
        print(name, json.dumps(done, indent=1), flush=True)
        write_json(options.json, report)


if __name__ == "__main__":
    main()
