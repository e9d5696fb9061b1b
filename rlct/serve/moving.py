"""Numbers for the pictures that move in the page: exact where they decide, as text."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final

from rlct.pair import Pair

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

_MOST_SHOWN: Final = 40  # exponent, and number of exponents, that can be told apart in a picture
_LARGEST_RAY: Final = 1_000_000  # so that all products in the page stay exact integers
_MOST_TERMS: Final = 200  # of K where the page computes it at each sample


def polygon_numbers(
    problem: Problem, polyhedron: dict[str, Any], pair: Pair | None
) -> dict[str, Any] | None:
    """What a Newton polygon is drawn and moved from; None if the picture would be unreadable.

    ``polyhedron`` is that of `rlct.report.newton.describe_polyhedron`, and ``pair`` what is proved
    of the question.

    >>> from rlct.questions.problem import Problem
    >>> from rlct.report.newton import describe_polyhedron
    >>> problem = Problem.ideal(["x", "y^3"], prior="y")
    >>> numbers = polygon_numbers(problem, describe_polyhedron(problem), Pair(Fraction(5, 6), 1))
    >>> numbers["ray"], numbers["agrees"]
    ([1, 2], True)
    """
    ray = [Fraction(text) for text in polyhedron["ray"]]
    scale = lcm(*(c.denominator for c in ray))
    integers = [int(c * scale) for c in ray]
    exponents = polyhedron["exponents"]
    if len(ray) != 2 or len(exponents) > _MOST_SHOWN or max(map(max, exponents)) > _MOST_SHOWN:
        return None
    if max(scale, *integers) > _LARGEST_RAY:
        return None
    own = Pair(Fraction(polyhedron["lambda_polyhedron"]), polyhedron["theta_polyhedron"])
    return {
        "names": polyhedron["variables"],
        "exponents": exponents,
        "ray": integers,
        "scale": scale,
        "factor": 2 if problem.germ().is_ideal else 1,
        "local": any(problem.point) or set(problem.powers) != {1},
        "agrees": pair == own,
    }


def volume_numbers(problem: Problem, answer_part: dict[str, Any]) -> dict[str, Any] | None:
    """K around its point in floats, and the pairs its volume is compared with; None if too much."""
    from rlct.algebra.polynomial import terms_of  # imports sympy

    if len(problem.variables) != 2 or problem.field is not None or set(problem.powers) != {1}:
        return None
    germ = problem.local
    if sum(map(len, germ.generators)) > _MOST_TERMS:
        return None
    try:
        generators = [
            [[float(c), list(map(int, m))] for m, c in terms_of(g).items()] for g in germ.generators
        ]
        prior = [float(h) for h in germ.prior]
    except OverflowError:
        return None
    return {
        "names": list(problem.variables),
        "centre": list(map(str, problem.point)),
        "ideal": germ.is_ideal,
        "generators": generators,
        "prior": prior,
        "pairs": _pairs(answer_part),
    }


def energy_numbers(answer: dict[str, Any]) -> dict[str, Any] | None:
    """λ and θ, or their bounds, and d/2; None if nothing but λ > 0 is known."""
    half = None if answer["regular"] is None else answer["regular"][1]
    pairs = _pairs(answer)
    return {"pairs": pairs, "half": half} if pairs else None


def _pairs(answer: dict[str, Any]) -> list[dict[str, Any]]:
    if answer["lambda"] is not None and answer["theta"] is not None:
        return [{"name": "", "lambda": answer["lambda"], "theta": answer["theta"]}]
    ends = [("lower bound: ", answer["lower"]), ("upper bound: ", answer["upper"])]
    return [
        {"name": name, "lambda": end[0], "theta": end[1]}
        for name, end in ends
        if end is not None and end[0] != "0"
    ]
