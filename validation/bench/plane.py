"""Time of exact answers in two variables, degree at most 12, inside Python.

    python validation/bench/plane.py --seed 1 --count 400

The questions are those of ``validation/fuzz/plane.py``, each asked once in this process after
one warm-up; processor seconds, so that other work on the machine hardly counts.  The unit is
measured in the same run, between the questions: sympy factors (x³ − y²)²(x + y)³(x − 2y) over Q.
Ratios to it can be compared between machines.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import sympy

import rlct

sys.path.insert(0, str(Path(__file__).parent.parent / "fuzz"))
from plane_questions import QUESTION_KINDS, case

MEDIAN_BUDGET = 0.1  # seconds, of the median
X, Y = sympy.symbols("x y")
UNIT_POLYNOMIAL = sympy.Poly(sympy.expand((X**3 - Y**2) ** 2 * (X + Y) ** 3 * (X - 2 * Y)), X, Y)


def timed(call: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def main() -> int:
    """Print a line for each kind and one for all; exit code 1 beyond the budget."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first question")
    parser.add_argument("--count", type=int, default=400)
    options = parser.parse_args()
    rlct.verify(rlct.ideal(["(y-x**2)**2-x**5", "x*y**4"]).certificate)
    UNIT_POLYNOMIAL.factor_list()
    answers: dict[str, list[float]] = {kind: [] for kind in QUESTION_KINDS}
    checks, units = [], []
    for seed in range(options.seed, options.seed + options.count):
        kind, generators, prior = case(seed)
        given = [g.as_expr() for g in generators]
        began = time.process_time()
        result = rlct.ideal(given, prior=prior)
        answers[kind].append(time.process_time() - began)
        assert result.status == "exact", seed
        checks.append(timed(lambda: rlct.verify(result.certificate)))  # noqa: B023
        if seed % 4 == 0:
            units.append(timed(UNIT_POLYNOMIAL.factor_list))
    unit = statistics.median(units)
    print(f"unit (sympy factors one polynomial): {1e3 * unit:.2f} ms")
    for kind, seconds in [
        *answers.items(),
        ("all", [t for some in answers.values() for t in some]),
    ]:
        seconds.sort()
        median = statistics.median(seconds)
        print(
            f"{kind:<9} {len(seconds):4d} questions   median {1e3 * median:6.1f} ms "
            f"= {median / unit:5.2f} units   90% {1e3 * seconds[len(seconds) * 9 // 10]:6.1f} ms   "
            f"largest {1e3 * seconds[-1]:7.1f} ms"
        )
    check = statistics.median(checks)
    print(
        f"verification of the certificate: median {1e3 * check:.1f} ms = {check / unit:.2f} units"
    )
    print(f"median of all is {100 * median / MEDIAN_BUDGET:.1f}% of {MEDIAN_BUDGET:g} s")
    return int(median > MEDIAN_BUDGET)


if __name__ == "__main__":
    raise SystemExit(main())
