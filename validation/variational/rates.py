"""Slopes of variational free energies in log n beside λ_VB.

``python -m validation.variational.rates`` runs the study and writes ``results.json``.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from rlct import variational
from validation.records import write_json
from validation.variational import ascent

__all__ = ["RESULTS_FILE", "STUDY_CASES", "agrees", "measured", "row"]

RESULTS_FILE = Path(__file__).with_name("results.json")
SLOPE_TOLERANCE = (
    0.05  # of a slope; what is left are terms of order log log n and the scatter of data
)
_MIXTURE_SIZES = {"components": 3, "parameters": 3}
_NMF_SIZES = {"rows": 4, "inner": 3, "columns": 5, "true": 1}
_MARKOV_SIZES = {"states": 2, "symbols": 3}
_GAUSSIAN_SIZES = {"components": 3, "dimension": 2}

#: Family, its arguments, and a wrong value: another phase, λ, or the count of all parameters.
STUDY_CASES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("gaussian-mixture", {**_GAUSSIAN_SIZES, "true": 1, "concentration": "1"}, "2"),
    ("gaussian-mixture", {**_GAUSSIAN_SIZES, "true": 1, "concentration": "3"}, "7"),
    ("mixture", {**_MIXTURE_SIZES, "true": 1, "concentration": "1/2"}, "2"),
    ("mixture", {**_MIXTURE_SIZES, "true": 1, "concentration": "1"}, "5/2"),
    ("mixture", {**_MIXTURE_SIZES, "true": 1, "concentration": "3"}, "15/2"),
    ("mixture", {**_MIXTURE_SIZES, "true": 2, "concentration": "1/2"}, "15/4"),
    ("hidden-markov", {**_MARKOV_SIZES, "true": 1, "concentration": "1/4"}, "3/2"),
    ("hidden-markov", {**_MARKOV_SIZES, "true": 1, "concentration": "1"}, "3"),
    ("hidden-markov", {**_MARKOV_SIZES, "true": 1, "concentration": "3"}, "4"),
    ("hidden-markov", {"states": 3, "symbols": 3, "true": 2, "concentration": "1/2"}, "6"),
    ("linear", {"inputs": 5, "hidden": 3, "outputs": 4, "true": 0}, "15/2"),
    ("linear", {"inputs": 5, "hidden": 3, "outputs": 4, "true": 2}, "10"),
    ("linear", {"inputs": 2, "hidden": 3, "outputs": 4, "true": 1}, "4"),
    ("nmf", {**_NMF_SIZES, "row_shape": "1", "column_shape": "1"}, "8"),
    ("nmf", {**_NMF_SIZES, "row_shape": "1/2", "column_shape": "1"}, "25/2"),
    ("nmf", {**_NMF_SIZES, "row_shape": "1/4", "column_shape": "1/4"}, "7"),
    ("nmf", {**_NMF_SIZES, "row_shape": "3", "column_shape": "3"}, "33/2"),
    ("boltzmann", {"visible": 3, "hidden": 1, "true": 0}, "3/2"),
    ("boltzmann", {"visible": 3, "hidden": 1, "true": 1}, "1/2"),
    ("boltzmann", {"visible": 2, "hidden": 2, "true": 0}, "1/2"),
)


def measured(family: str, arguments: dict[str, Any], seed: int = 0) -> float:
    """Return the slope of F_VB − n S_n in log n, by simulation.

    Tables and least squares have n = 10⁶ and 10⁹; Gaussian data, of which each is kept, 300 and
    20 000, eight times.
    """
    shapes = {name: float(Fraction(value)) for name, value in arguments.items()}
    sizes = {name: value for name, value in arguments.items() if isinstance(value, int)}
    function = "latent_class" if family == "mixture" else family.replace("-", "_")
    energy = getattr(ascent, function)
    ends, repeats = ((300, 20_000), 8) if family == "gaussian-mixture" else ((10**6, 10**9), 1)
    given = shapes | sizes

    def mean(n: int) -> float:
        drawn = (np.random.default_rng([seed, i]) for i in range(repeats))
        return float(np.mean([energy(rng, n, **given) for rng in drawn]))

    return (mean(ends[1]) - mean(ends[0])) / float(np.log(ends[1] / ends[0]))


def agrees(slope: float, lower: str, upper: str) -> bool:
    """Whether a slope is within the tolerance of bounds, or of a value that is both."""
    return Fraction(lower) - SLOPE_TOLERANCE <= slope <= Fraction(upper) + SLOPE_TOLERANCE


def row(family: str, arguments: dict[str, Any], planted: str) -> dict[str, Any]:
    """Return one row of the results: slope, bounds of λ_VB, and the planted wrong value."""
    rate = variational(family, **arguments)
    slope = round(measured(family, arguments), 3)
    values = {"lower": str(rate.lower), "upper": str(rate.upper), "planted": planted}
    return {"family": family, "arguments": arguments, "slope": slope, **values}


if __name__ == "__main__":
    ROWS = [row(*case) for case in STUDY_CASES]
    write_json(RESULTS_FILE, ROWS)
