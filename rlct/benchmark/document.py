"""The reference set as one JSON document that needs no rlct to be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rlct
from rlct.benchmark.problem import ReferenceProblem, all_problems

if TYPE_CHECKING:
    from rlct.sampling.targets.polynomial import PolynomialTarget
    from rlct.sampling.targets.relu import ReluTarget
    from rlct.sampling.targets.target import Target

DOCUMENT_NOTES = (
    "λ and θ are those of K, the least over the support of the prior.",
    "polynomial: K = Σ g² over the generators, or K = g if squared is false; the prior is "
    "Π|w_i|^h_i on the box, h the prior exponents.",
    "linear-network: K = ½‖A_L⋯A_1 − B‖² (Frobenius), B = diag(I_rank, 0), widths from input "
    "to output; with biases plus ½|total bias|². The prior is Gaussian with standard deviation "
    "sigma in every weight, centred at A_j = diag(I_rank, 0) and biases 0.",
    "relu-density: K = E|f(x) − f*(x)|², f(x) = Σ v_j max(0, w_j x + b_j) (+ c), x uniform on the "
    "interval, f* at the given weights; the prior is uniform on the box of half-width radius "
    "around the weights.",
    "means: E[nβK] under exp(−nβK)·prior; error is a numerical error for quadrature, one standard "
    "error for independent draws and for a Markov chain. That of a Markov chain is estimated, from "
    "the scatter of 12 groups of chains: (estimate − mean)/error follows Student's t with "
    "degrees_of_freedom = 11.",
)


def export_problems() -> dict[str, Any]:
    """Return the reference set as one JSON object.

    ``problems`` have each ``id``, ``lambda``, ``theta``, ``dimension``, ``proof``, a ``target``
    that says what to sample without rlct, and ``means``; ``notes`` says what the numbers of a
    target mean.
    """
    return {
        "schema": "rlct/1",
        "kind": "reference",
        "version": rlct.__version__,
        "notes": list(DOCUMENT_NOTES),
        "problems": [_entry(problem) for problem in all_problems()],
    }


def _entry(problem: ReferenceProblem) -> dict[str, Any]:
    return {
        "id": problem.id,
        "lambda": str(problem.pair.lam),
        "theta": problem.pair.theta,
        "dimension": problem.dimension,
        "proof": problem.proof,
        "asked": dict(problem.ask),
        "target": describe_target(problem.target()),
        "means": [
            {
                "n_beta": m.n_beta,
                "mean": m.mean,
                "error": m.error,
                "method": m.method,
                "degrees_of_freedom": m.degrees,
            }
            for m in problem.means
        ],
    }


def describe_target(target: Target) -> dict[str, Any]:
    """Say exactly what is sampled, in plain numbers.

    >>> found = describe_target(all_problems()[-1].target())
    >>> found["type"], found["sigma"]
    ('linear-network', 1.0)
    """
    from rlct.sampling.targets.linear import LinearNetworkTarget  # imports numpy
    from rlct.sampling.targets.polynomial import PolynomialTarget
    from rlct.sampling.targets.relu import ReluTarget

    if isinstance(target, PolynomialTarget):
        return _polynomial(target)
    if isinstance(target, ReluTarget):
        return _relu(target)
    if isinstance(target, LinearNetworkTarget):
        return {
            "type": "linear-network",
            "widths": list(target.widths),
            "rank": target.rank,
            "bias": target.bias,
            "sigma": target.sigma,
        }
    raise TypeError(f"no description of {type(target).__name__}")


def _polynomial(target: PolynomialTarget) -> dict[str, Any]:
    radius = target.radius
    return {
        "type": "polynomial",
        "variables": [f"w{i + 1}" for i in range(target.dimension)],
        "generators": [_text(g) for g in target.generators],
        "squared": target.squared,
        "box": [[0.0 if wall else -radius, radius] for wall in target.nonneg],
        "prior_exponents": [float(h) for h in target.prior],
    }


def _relu(target: ReluTarget) -> dict[str, Any]:
    return {
        "type": "relu-density",
        "units": target.units,
        "outputs": target.outputs,
        "weights": [float(x) for x in target.truth],
        "order": "w, b, v_1, v_2, … of each unit in turn, then output biases",
        "bias": target.bias,
        "output_bias": target.output_bias,
        "interval": [float(end) for end in target.box[0]],
        "radius": target.radius,
    }


def _text(generator: dict[tuple[int, ...], float]) -> str:
    """Write a polynomial; coefficients as they are in memory."""
    terms = []
    for exponents, c in generator.items():
        powers = [f"w{i + 1}" + (f"**{e}" if e > 1 else "") for i, e in enumerate(exponents) if e]
        factor = [] if c == 1 else [repr(int(c)) if c == int(c) else repr(c)]
        terms.append("*".join(factor + powers))
    return " + ".join(terms).replace("+ -", "- ")
