"""An end from above for every answer at a parameter: K is at most C·|w|^m next to it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from rlct.answers.result import Route
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.kit.arguments import text_of

if TYPE_CHECKING:
    from rlct.theorems.base import AppliedTheorem

__all__ = ["theorem_route", "with_upper_end"]

#: Networks at given weights, whose loss is of least order 2 there.
_NETWORKS: Final = {"LinearPoint", "QuadraticNetwork", "ReluNetwork"}


def with_upper_end(question: Any, found_routes: Sequence[Route]) -> Sequence[Route]:
    """Add a bound from above where no route has one; routes without any bound go.

    ``theory/parameter-count-bound.md`` proves it.
    """
    if any(route.upper is not None for route in found_routes):
        return found_routes
    kind = type(question).__name__  # a polynomial imports sympy, which other questions spare
    if kind == "Problem":
        end = _by_order(question)
    elif kind in _NETWORKS:
        theorem = get_theorem("parameter-count-bound")
        end = theorem_route(theorem.apply(parameters=question.parameter_count))
    else:
        return found_routes
    return [*(route for route in found_routes if route.lower is not None), end]


def _by_order(problem: Any) -> Route:
    """λ ≤ Σ (1 + h)/m: the ball of radius t^(1/m) lies in {K < C·t}."""
    germ = problem.local  # walls and priors x^h with h < 0 are substituted away
    least = min(sum(m) for g in germ.generators for m in g.itermonoms())
    order = 2 * least if germ.is_ideal else least
    volume = sum(germ.prior, Fraction(len(germ.prior)))
    method = f"order of K: at most a constant times the power {order} of the distance"
    return Route(method, None, Pair(volume / order, 1))


def theorem_route(application: AppliedTheorem) -> Route:
    """Turn an applied theorem into a route."""
    bounds = application.bounds
    return Route(
        f"theorem {application.theorem.id}" + (f" ({bounds.rule})" if bounds else ""),
        bounds.lower if bounds else application.pair,
        bounds.upper if bounds else application.pair,
        application.theorem.sources,
        tuple(finding.to_dict() for finding in application.findings),
        application.theorem.title,
        {name: text_of(value) for name, value in application.arguments.items()},
        application.working,
    )
