"""How often `rlct sample` says that a worse zero is near the point, where there is one and not.

Run from the repository root; problems that are in the file are not run again::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/boxes.py

At every polynomial problem of the reference set the point is the worst zero within 1/2: a warning
is a false alarm.  With every generator multiplied by (x − 1/5), x the first variable, the
hyperplane x = 1/5 has λ = 1/2 and the point keeps its own: where that is larger the warning must
come, and λ̂ be that of the point.
"""

import argparse
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import rlct
from rlct.benchmark import all_problems
from rlct.models.base import Model
from rlct.questions.problem import Problem
from rlct.sampling.targets.polynomial import PolynomialTarget
from validation.records import read_json, write_json

RESULTS_FILE = Path(__file__).with_name("boxes.json")
PLANTED_LAMBDA = Fraction(1, 2)


def planted(problem):
    """The same question with a zero of λ = 1/2 at distance 1/5."""
    ring = problem.generators[0].ring
    place = problem.point[0] if problem.point else 0
    factor = ring.gens[0] - ring.domain.convert(place) - ring.domain.convert(Fraction(1, 5))
    if not problem.is_ideal:
        factor = factor**2
    return replace(problem, generators=tuple(g * factor for g in problem.generators), squares=None)


def measure(question, pair):
    """One row."""
    begin = time.process_time()
    estimate = rlct.llc(question, seed=0)
    return {
        "lambda": str(pair.lam),
        "estimate": estimate.lam,
        "interval": list(estimate.interval),
        "held": bool(estimate.interval[0] <= pair.lam <= estimate.interval[1]),
        "worse_zero": any("a zero within" in words for words in estimate.warnings),
        "warnings": list(estimate.warnings),
        "cpu_seconds": round(time.process_time() - begin, 2),
    }


def main() -> None:
    """Run what is missing, write, and print the totals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--largest", type=int, default=9, metavar="D", help="parameters")
    options = parser.parse_args()
    report = read_json(RESULTS_FILE, {"as is": {}, "planted": {}})
    for problem in all_problems():
        if problem.dimension > options.largest:
            continue
        question = problem.question()
        if not isinstance(problem.target(), PolynomialTarget):
            continue
        asked = {"as is": question}
        whole = question.problem() if isinstance(question, Model) else question
        if isinstance(whole, Problem) and problem.pair.lam > PLANTED_LAMBDA:
            asked["planted"] = planted(whole)
        for kind, one in asked.items():
            if problem.id not in report[kind]:
                row = measure(one, problem.pair)
                report[kind][problem.id] = row
                report["version"] = rlct.__version__
                write_json(RESULTS_FILE, report)
                print(kind, problem.id, row, file=sys.stderr, flush=True)
    for kind in ("as is", "planted"):
        rows = report[kind].values()
        alarms, held = (sum(row[key] for row in rows) for key in ("worse_zero", "held"))
        print(f"{kind}: {len(rows)} problems, {alarms} warned, λ in {held} intervals")


if __name__ == "__main__":
    main()
