"""How far beyond λ the next candidate pole of ζ lies, on the polynomials of the reference set.

Run from the repository root::

    python validation/coverage/poles.py

The prior of the fit of a ladder (`rlct.sampling.ladders.priors.POLE_GAPS`) rests on it.  A
candidate need not be a pole: the next pole may be farther.
"""

from fractions import Fraction

import numpy as np

import rlct
from rlct.benchmark import ReferenceProblem, all_problems
from rlct.errors import InputError

QUESTION_SECONDS = 10.0


def distance(problem: ReferenceProblem) -> Fraction | None:
    """δ of the largest candidate −λ − δ, or None where no resolution is known."""
    try:
        found = rlct.blow_up(problem.question(), timeout=QUESTION_SECONDS)
    except InputError:  # the route that answers is no resolution
        return None
    others = [-pole.z for pole in found.poles if pole.status != "none"]
    beyond = [z for z in others if z > problem.pair.lam]
    return min(beyond) - problem.pair.lam if beyond else None


def main() -> None:
    """Print one line a problem, then quantiles."""
    ratios = []
    for problem in all_problems():
        if "theorem" in problem.ask:
            continue
        delta = distance(problem)
        lam = problem.pair.lam
        if delta is not None:
            ratios.append(float(delta / min(lam, Fraction(1))))
            print(f"{problem.id}: λ = {lam}, δ = {delta}, δ/min(λ, 1) = {ratios[-1]:.3f}")
    quantiles = np.quantile(ratios, [0, 0.05, 0.25, 0.5, 0.75, 1])
    print(len(ratios), "problems; least, 5 %, quarter, half, three quarters, most:", *quantiles)


if __name__ == "__main__":
    main()
