"""Random questions in two variables: every one exact, proved, and free of the coordinates.

Run ``python validation/fuzz/plane.py --seed 1 --count 3000``.  Each case is drawn from its own
seed, so that a run can be stopped (Ctrl-C) and resumed: the log holds one line a case, cases in
it are not run again, and ``--case`` repeats one.  Checked are: the answer is exact, `verify`
accepts its certificate, and after a polynomial change of coordinates the pair is the same.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

from plane_questions import QUESTION_KINDS, X, Y, case, coefficient
from sympy.polys.rings import PolyElement

import rlct
from validation.records import append_log, commit, provenance, read_log, write_json

ENGINE_COMMIT = commit()


def other_coordinates(
    rng: random.Random, generators: list[PolyElement], prior: dict[str, Fraction]
) -> list[PolyElement]:
    """Apply a polynomial automorphism of the plane that keeps the divisors of the prior."""
    x, y = X, Y
    if "x" not in prior:
        x = coefficient(rng) * X + rng.choice([0, 1, -2]) * Y ** rng.choice([1, 1, 2])
    if "y" not in prior:
        # Triangular after triangular: a bijection with constant Jacobian.
        y = coefficient(rng) * Y + rng.choice([0, 1, 2]) * x ** rng.choice([1, 1, 2])
    return [g.compose([(X, x), (Y, y)]) for g in generators]


def run(seed: int, timeout: float) -> dict[str, Any]:
    """Ask, verify, and ask again in other coordinates."""
    kind, generators, prior = case(seed)
    rng = random.Random(-seed - 1)
    report: dict[str, Any] = {"engine": ENGINE_COMMIT, "seed": seed, "kind": kind}
    start = time.perf_counter()
    answer = rlct.ideal([g.as_expr() for g in generators], prior=prior, timeout=timeout)
    report["seconds"] = round(time.perf_counter() - start, 4)
    start = time.perf_counter()
    rlct.verify(answer.certificate)
    report["verify"] = round(time.perf_counter() - start, 4)
    report["pair"] = [str(answer.lam), answer.theta]
    report["field"] = largest_field(answer.certificate["proof"])
    moved = other_coordinates(rng, generators, prior)
    used = {i for g in moved for m in g.itermonoms() for i, e in enumerate(m) if e}
    there = {name: h for name, h in prior.items() if "xy".index(name) in used}
    start = time.perf_counter()
    again = rlct.ideal([g.as_expr() for g in moved], prior=there, timeout=timeout)
    report["moved_seconds"] = round(time.perf_counter() - start, 4)
    rlct.verify(again.certificate)
    statuses = {answer.status, again.status}
    if statuses != {"exact"}:
        report["failed"] = f"not exact: {answer.status}, {again.status}"
    elif (answer.lam, answer.theta) != (again.lam, again.theta):
        report["failed"] = f"other coordinates: {again.lam}, {again.theta}"
    return report


def guarded(seed: int, timeout: float) -> dict[str, Any]:
    """Turn an exception into a failed case."""
    try:
        return run(seed, timeout)
    except Exception as error:
        kind = QUESTION_KINDS[seed % len(QUESTION_KINDS)]
        return {"seed": seed, "kind": kind, "failed": repr(error)}


def largest_field(node: dict[str, Any]) -> int:
    """Degree of the largest field in a proof."""
    points = node.get("data", {}).get("points", [])
    degrees = [len(point["field"]["minimal"]) - 1 for point in points if "field" in point]
    return max([1, *degrees, *map(largest_field, node.get("children", []))])


def reports(seeds: list[int], processes: int, timeout: float) -> Iterator[dict[str, Any]]:
    """Run the cases, in order."""
    if processes == 1:
        yield from (guarded(seed, timeout) for seed in seeds)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(guarded, seeds, [timeout] * len(seeds), chunksize=8)


def summary(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Figures of all cases so far."""
    seconds = [r["seconds"] for r in reports if "seconds" in r]
    checks = [r["verify"] for r in reports if "verify" in r]
    fields: dict[str, int] = {}
    for r in reports:
        fields[str(r.get("field"))] = fields.get(str(r.get("field")), 0) + 1
    return {
        "cases": len(reports),
        "failed": sorted(r["seed"] for r in reports if "failed" in r),
        "median_ms": round(1000 * statistics.median(seconds or [0]), 1),
        "p99_ms": round(1000 * sorted(seconds or [0])[len(seconds) * 99 // 100], 1),
        "largest_ms": round(1000 * max(seconds, default=0), 1),
        "verify_median_ms": round(1000 * statistics.median(checks or [0]), 1),
        "degree_of_field": dict(sorted(fields.items())),
    }


def main() -> None:
    """Run what is missing, and print one line of figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first case")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one question")
    parser.add_argument("--log", type=Path, default=Path("plane.jsonl"))
    parser.add_argument("--report", type=Path, help="write the figures with what produced them")
    parser.add_argument("--case", type=int, help="print one case and its report")
    options = parser.parse_args()
    if options.case is not None:
        print(*case(options.case), sep="\n")
        print(json.dumps(run(options.case, options.timeout)))
        return
    finished = read_log(options.log)
    done = {r["seed"] for r in finished}
    wanted = range(options.seed, options.seed + options.count)
    seeds = [seed for seed in wanted if seed not in done]
    try:
        for report in reports(seeds, options.processes, options.timeout):
            finished.append(report)
            append_log(options.log, report)
            if "failed" in report:
                print(json.dumps(report), flush=True)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
    finished = [r for r in finished if r["seed"] in wanted]
    print(json.dumps(summary(finished)))
    if options.report:
        write_json(options.report, {**provenance(finished), **summary(finished)})


if __name__ == "__main__":
    main()
