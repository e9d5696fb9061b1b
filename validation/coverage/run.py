"""Measure how often the default intervals hold λ on the reference set, and how far λ̂ is off.

Run from the repository root::

    python validation/coverage/run.py --seeds 0:20 --log coverage.jsonl
    python validation/coverage/run.py --log coverage.jsonl --report validation/coverage/results.json

Each problem is estimated with default settings once a seed.  Finished runs are kept in the log,
one JSON object a line, and are not repeated; Ctrl-C loses at most the run in progress.  A run by
quadrature does not depend on the seed and is done once.  The report has one row per problem.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

from rlct.benchmark import ReferenceProblem, all_problems, get_problem
from rlct.benchmark.score import binomial_interval
from rlct.sampling.ladders.check import near_miss
from rlct.sampling.ladders.run import estimate
from validation.records import versions_of, write_json

INTERVAL_LEVEL = 0.95
SMALL_SAMPLE = 100


def measure(name: str, seed: int, method: str | None) -> dict[str, Any]:
    """One run with default settings, as one line of the log."""
    problem = get_problem(name)
    target = problem.target()
    began = time.process_time()
    held_estimate = estimate(target, seed=seed, method=method)
    given = held_estimate.fit.by_theta.get(problem.pair.theta)
    return {
        "id": name,
        "seed": seed,
        "method": held_estimate.method,
        "lambda": held_estimate.lam,
        "interval": list(held_estimate.interval),
        "theta": held_estimate.theta,
        "theta_interval": list(held_estimate.theta_interval or ()),
        "given_theta": None if given is None else list(given),
        "degrees": held_estimate.degrees if np.isfinite(held_estimate.degrees) else None,
        "warnings": list(held_estimate.warnings),
        "remark": held_estimate.remark,
        "cpu_seconds": round(time.process_time() - began, 2),
    }


def read(log: Path) -> list[dict[str, Any]]:
    """Lines of the log; a last line cut short by an interruption is left out."""
    rows = []
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def outstanding(
    chosen: Iterable[ReferenceProblem], seeds: range, rows: list[dict[str, Any]]
) -> Iterable[tuple[str, int]]:
    """Runs that are not in the log, seed by seed, so that all problems grow together."""
    done = {(row["id"], row["seed"]) for row in rows}
    once = {row["id"] for row in rows if row["method"] == "quadrature"}
    for seed in seeds:
        for problem in chosen:
            if (problem.id, seed) not in done and problem.id not in once:
                yield problem.id, seed


def row_of(problem: ReferenceProblem, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Coverage, error and power of one problem."""
    lam = float(problem.pair.lam)
    gap = float(near_miss(problem.pair.lam))

    def holds(run: dict[str, Any], value: float) -> bool:
        return bool(run["interval"][0] <= value <= run["interval"][1])

    def holds_given(run: dict[str, Any], value: float) -> bool:
        degrees = run["degrees"] if run["degrees"] is not None else np.inf
        centre, error = run["given_theta"]
        return bool(abs(centre - value) <= student.ppf(0.5 + INTERVAL_LEVEL / 2, degrees) * error)

    of_known_theta = [run for run in runs if run["given_theta"]]
    errors = [abs(run["lambda"] - lam) / lam for run in runs]
    return {
        "id": problem.id,
        "dimension": problem.dimension,
        "lambda": str(problem.pair.lam),
        "theta": problem.pair.theta,
        "method": runs[0]["method"],
        "runs": len(runs),
        "held": sum(holds(run, lam) for run in runs),
        "mean": statistics.fmean(run["lambda"] for run in runs),
        "median_error": statistics.median(errors),
        "half_width": statistics.fmean(0.5 * (r["interval"][1] - r["interval"][0]) for r in runs),
        "near_misses_rejected": sum(
            not holds(run, lam + shift) for run in runs for shift in (-gap, gap)
        ),
        "theta_held": sum(
            run["theta_interval"][0] <= problem.pair.theta <= run["theta_interval"][1]
            for run in runs
        ),
        "given_theta": {
            "runs": len(of_known_theta),
            "held": sum(holds_given(run, lam) for run in of_known_theta),
            "median_error": statistics.median(
                abs(r["given_theta"][0] - lam) / lam for r in of_known_theta
            )
            if of_known_theta
            else None,
            "near_misses_rejected": sum(
                not holds_given(run, lam + shift) for run in of_known_theta for shift in (-gap, gap)
            ),
        },
        "warned": sum(bool(run["warnings"]) for run in runs),
        "cpu_seconds": statistics.median(run["cpu_seconds"] for run in runs),
    }


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Totals over problems, quadrature apart from sampling."""

    def rate(part: list[dict[str, Any]], key: str, each: int = 1) -> dict[str, Any]:
        count, total = sum(r[key] for r in part), each * sum(r["runs"] for r in part)
        return {"count": count, "of": total, "interval": list(binomial_interval(count, total))}

    sampled = [r for r in rows if r["method"] != "quadrature"]
    exact = [r for r in rows if r["method"] == "quadrature"]
    small = [r for r in rows if r["dimension"] <= SMALL_SAMPLE]
    given = [{**r["given_theta"], "method": r["method"]} for r in rows]
    parts = {"sampled": sampled, "quadrature": exact}
    totals: dict[str, Any] = {
        name: {
            "problems": len(part),
            "held": rate(part, "held"),
            "near_misses_rejected": rate(part, "near_misses_rejected", 2),
            "warned": rate(part, "warned"),
        }
        for name, part in parts.items()
        if part
    }
    sure = [g for g in given if g["method"] != "quadrature" and g["runs"]]
    if sure:
        totals["sampled_given_theta"] = {
            "problems": len(sure),
            "held": rate(sure, "held"),
            "near_misses_rejected": rate(sure, "near_misses_rejected", 2),
        }
    totals["small"] = {
        "parameters": SMALL_SAMPLE,
        "problems": len(small),
        "median_error": statistics.median(r["median_error"] for r in small) if small else None,
        "above_2_percent": [r["id"] for r in small if r["median_error"] > 0.02],
    }
    # Each problem is tested at 5 % over their number: a right program fails somewhere in 5 %.
    tail = 0.05 / len(rows)
    totals["below_nominal"] = [
        r["id"]
        for r in rows
        if binomial_interval(r["held"], r["runs"], 1 - 2 * tail)[1] < INTERVAL_LEVEL
    ]
    return totals


def table(report: dict[str, Any]) -> str:
    """Totals and one line per problem, in Markdown: README.md holds it."""
    totals = report["summary"]

    def share(part: dict[str, Any]) -> str:
        low, high = (100 * end for end in part["interval"])
        return f"{part['count']} of {part['of']} ({low:.0f}–{high:.0f} %)"

    lines = [
        "| | problems | intervals that hold λ | wrong values rejected |",
        "|---|---|---|---|",
    ]
    names = {
        "sampled": "sampled, θ unknown",
        "sampled_given_theta": "sampled, θ as proved",
        "quadrature": "quadrature, θ unknown",
    }
    for key, name in names.items():
        if key in totals:
            part = totals[key]
            held, rejected = share(part["held"]), share(part["near_misses_rejected"])
            lines.append(f"| {name} | {part['problems']} | {held} | {rejected} |")
    lines += [
        "",
        "| problem | d | λ, θ | by | runs | held | median error | half-width | rejected | s |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in report["problems"]:
        lam = float(Fraction(r["lambda"]))
        lines.append(
            f"| {r['id']} | {r['dimension']} | {r['lambda']}, {r['theta']} | {r['method']} "
            f"| {r['runs']} | {r['held']} | {100 * r['median_error']:.1f} % "
            f"| {100 * r['half_width'] / lam:.1f} % "
            f"| {r['near_misses_rejected']}/{2 * r['runs']} | {r['cpu_seconds']:.1f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is missing, or report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="0:5", help="first:last+1")
    parser.add_argument("--only", nargs="*", metavar="ID")
    parser.add_argument("--largest", type=int, metavar="D", help="only up to D parameters")
    parser.add_argument("--method", help="instead of the default for each problem")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    first, _, last = options.seeds.partition(":")
    seeds = range(int(first), int(last))
    chosen = [get_problem(name) for name in options.only] if options.only else list(all_problems())
    chosen = [p for p in chosen if p.dimension <= (options.largest or p.dimension)]
    if options.report:
        rows = [row for row in read(options.log) if row["seed"] in seeds]
        runs = {p.id: [row for row in rows if row["id"] == p.id] for p in chosen}
        missing = outstanding(chosen, seeds, rows)
        measured = [row_of(p, runs[p.id]) for p in chosen if runs[p.id]]
        report = {
            "versions": versions_of("rlct", "numpy", "scipy"),
            "seeds": options.seeds,
            "cpu_seconds": round(sum(row["cpu_seconds"] for row in rows)),
            "not_run": [p.id for p in chosen if not runs[p.id]],
            "runs_missing": [f"{name}, seed {seed}" for name, seed in missing],
            "summary": summary(measured),
            "problems": measured,
        }
        write_json(options.report, report)
        print(table(report), end="")
        return
    with options.log.open("a", encoding="utf-8") as log:

        def keep(row: dict[str, Any]) -> None:
            log.write(json.dumps(row, ensure_ascii=False) + "\n")
            log.flush()
            lam = get_problem(row["id"]).pair.lam
            held = row["interval"][0] <= lam <= row["interval"][1]
            print(
                f"{row['id']} seed {row['seed']}: {row['lambda']:.4f} "
                f"({100 * (row['lambda'] / float(lam) - 1):+.1f}%) {'held' if held else 'MISSED'} "
                f"{row['method']} {row['cpu_seconds']} s",
                flush=True,
            )

        for seed in seeds:  # by quadrature a problem is in the log then, and not run again
            todo = [
                name for name, _ in outstanding(chosen, range(seed, seed + 1), read(options.log))
            ]
            if options.jobs == 1:
                for name in todo:
                    keep(measure(name, seed, options.method))
                continue
            with ProcessPoolExecutor(options.jobs) as pool:
                futures = [pool.submit(measure, name, seed, options.method) for name in todo]
                for future in as_completed(futures):
                    keep(future.result())


if __name__ == "__main__":
    main()
