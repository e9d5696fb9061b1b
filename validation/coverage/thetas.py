"""How often the trial of θ rejects the right one, and θ − 1 and θ + 1, on the reference set.

Run from the repository root::

    OPENBLAS_NUM_THREADS=1 python validation/coverage/thetas.py --seeds 500:503

Each problem is estimated once a seed with its λ and θ, as `rlct check` does, without the second run
that follows where θ stays open.  Finished runs stand in thetas.json and are not repeated.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from rlct.benchmark import ReferenceProblem, all_problems
from rlct.benchmark.score import binomial_interval
from rlct.sampling.ladders.run import estimate
from rlct.sampling.ladders.theta_trial import theta_trial

RECORD_FILE = Path(__file__).with_suffix(".json")


def measure(problem: ReferenceProblem, seed: int) -> dict[str, Any]:
    """Odds of the right θ, and of those planted beside it, in one run."""
    began = time.process_time()
    target = problem.target()
    ladder_estimate = estimate(target, seed=seed, theta=problem.pair.theta)
    assert ladder_estimate.ladder is not None
    trial = theta_trial(target, ladder_estimate.ladder, problem.pair)
    return {
        "id": problem.id,
        "seed": seed,
        "method": ladder_estimate.method,
        "theta": problem.pair.theta,
        "odds": trial.odds[problem.pair.theta],
        "refuted": trial.refuted,
        "planted": {str(theta): trial.odds[theta] for theta in trial.planted},
        "rejected": len(trial.planted) - len(trial.survivors),
        "warned": bool(ladder_estimate.warnings),
        "cpu_seconds": round(time.process_time() - began, 1),
    }


def totals(rows: list[dict[str, Any]]) -> str:
    """Shares of right and of planted θ that are rejected, of runs without a warning."""
    judged = [row for row in rows if not row["warned"]]
    alarms, planted = sum(row["refuted"] for row in judged), sum(len(r["planted"]) for r in judged)
    rejected = sum(row["rejected"] for row in judged)
    low, high = binomial_interval(alarms, len(judged))
    return (
        f"{len(rows)} runs, {len(judged)} without a warning: right θ rejected in {alarms} "
        f"({100 * low:.1f} to {100 * high:.1f} %), {rejected} of {planted} planted θ rejected "
        f"({100 * rejected / max(1, planted):.0f} %)"
    )


def main() -> None:
    """Run what is missing, write, and print the totals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", default="500:503", metavar="A:B")
    parser.add_argument("--largest", type=int, default=60, metavar="D", help="parameters")
    parser.add_argument("--gibbs", action="store_true", help="linear networks alone, fast ones")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(":"))
    rows = json.loads(RECORD_FILE.read_text("utf-8")) if RECORD_FILE.exists() else []
    linear = {row["id"] for row in rows if row["method"] == "gibbs"}
    exact = {row["id"] for row in rows if row["method"] == "quadrature"}
    done = {(row["id"], row["seed"]) for row in rows}
    for seed in range(first, last):
        for problem in all_problems():
            is_left_out = options.gibbs and problem.id not in linear
            if is_left_out or problem.dimension > options.largest or problem.id in exact:
                continue
            if (problem.id, seed) not in done:
                row = measure(problem, seed)
                rows.append(row)
                exact |= {problem.id} if row["method"] == "quadrature" else set()
                text = ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
                RECORD_FILE.write_text(f"[\n{text}\n]\n", "utf-8")
                print(row, flush=True)
    print(totals(rows))


if __name__ == "__main__":
    main()
