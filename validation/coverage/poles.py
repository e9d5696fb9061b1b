"""How far beyond λ the next candidate pole of ζ lies, on the polynomials of the reference set.

Run from the repository root::

    python validation/coverage/poles.py

The prior of the fit of a ladder (`rlct.sampling.ladders.priors.POLE_GAPS`) rests on it.  A
candidate need not be a pole: the next pole may be farther.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np

import rlct
from rlct.benchmark import ReferenceProblem, all_problems
from rlct.errors import InputError
from validation.records import write_json

QUESTION_SECONDS = 10.0


def distance(problem: ReferenceProblem) -> tuple[Fraction, str] | None:
    """δ of the largest candidate −λ − δ and whether it is a pole, or None without a resolution."""
    try:
        found = rlct.blow_up(problem.question(), timeout=QUESTION_SECONDS)
    except InputError:  # the route that answers is no resolution
        return None
    gaps = ((-pole.z - problem.pair.lam, pole.status) for pole in found.poles)
    return min((gap for gap in gaps if gap[0] > 0 and gap[1] != "none"), default=None)


def main() -> None:
    """Write a row for each problem, and print quantiles."""
    rows = {}
    for problem in all_problems():
        if "theorem" in problem.ask:
            continue
        nearest, lam = distance(problem), problem.pair.lam
        if nearest is not None:
            ratio = float(nearest[0] / min(lam, Fraction(1)))
            rows[problem.id] = {"gap": str(nearest[0]), "ratio": ratio, "status": nearest[1]}
    write_json(Path(__file__).with_suffix(".json"), rows)
    quantiles = np.quantile([row["ratio"] for row in rows.values()], [0, 0.05, 0.25, 0.5, 0.75, 1])
    print(len(rows), "problems; least, 5 %, quarter, half, three quarters, most:", *quantiles)


if __name__ == "__main__":
    main()
