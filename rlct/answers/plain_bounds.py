"""Bounds that need no search: half the number of parameters from above, a rank from below."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import Any, Final

from rlct.answers.result import Result, Route, theorem_route
from rlct.pair import Pair
from rlct.theorems import get_theorem

#: Networks with squared error: K is at most C·|w|² next to a parameter of the true function.
_AT_WEIGHTS: Final = {"LinearPoint", "QuadraticNetwork", "ReluNetwork"}
_OVER_FIBRE: Final = {"ReluDataFibre", "ReluFibre"}


def with_upper_end(question: Any, found_routes: Sequence[Route]) -> Sequence[Route]:
    """Add a bound from above where no route has one; a route without any bound goes.

    ``theory/parameter-count-bound.md`` proves it.
    """
    if any(route.upper is not None for route in found_routes):
        return found_routes
    kind = type(question).__name__  # a polynomial imports sympy, which other questions spare
    if kind == "Problem":
        end = _by_order(question)
    elif kind == "BoxProblem":
        from rlct.engine.boxes.box import bound_at_a_zero

        upper = bound_at_a_zero(question)
        if upper is None:
            return found_routes
        end = Route("order of K at a zero in the box", None, upper)
    # With fewer units than the given weights there may be no parameter of the same function.
    elif kind in _AT_WEIGHTS or (kind in _OVER_FIBRE and question.size >= question.network.units):
        theorem = get_theorem("parameter-count-bound")
        end = theorem_route(theorem.apply(parameters=question.parameter_count))
    else:
        return found_routes
    return [*(route for route in found_routes if route.lower is not None), end]


def notes_without_upper_end(question: Any, routes: Sequence[Route]) -> tuple[str, ...]:
    """What would give a box an end from above: a zero of K, which nobody has found in it."""
    if type(question).__name__ != "BoxProblem" or any(route.upper for route in routes):
        return ()
    return (
        "no zero of K was found among simple points of the box: λ = ∞ if it has none, and λ is at "
        "most the value at any zero in it, which rlct poly or ideal with --at gives",
    )


def _by_order(problem: Any) -> Route:
    """λ ≤ Σ ω(1 + h)/m if K ≤ C·r^m where |x_i| ≤ r^ω_i; ω = 1, or 2 for all that are ≥ 0."""
    germ, bounds = problem.local, []  # in it x = u^q, with even q for x ≥ 0
    for at_walls, said in ((1, ""), (2, ", of weight 2 in what is ≥ 0")):
        weights = [Fraction(1 if q % 2 else at_walls, q) for q in problem.powers]
        terms = (m for g in germ.generators for m in g.itermonoms())
        order = min(sum(map(mul, weights, m)) for m in terms) * (1 + germ.is_ideal)
        volume = sum(w * (1 + h) for w, h in zip(weights, germ.prior, strict=True))
        bounds.append((Pair(volume / order, 1), f"order {order} of K at the point{said}"))
    upper, method = min(bounds)
    return Route(method, None, upper)


def near_rounded(
    result: Result,
    rank: int,
    note: str,
    matrix_name: str = "derivative",
    hypotheses: tuple[Mapping[str, str], ...] = (),
) -> Result:
    """Weaken an answer at rounded weights to the bound that a rank gives for all near them."""
    lower = Pair(Fraction(rank, 2), 1) if rank else None
    method = f"rank of the {matrix_name} at the tolerance"
    near_routes = with_upper_end(
        result.question, [Route(method, lower, None, result.sources, hypotheses)]
    )
    where = "at weights within rounding errors of the given ones"
    return Result.of(near_routes, where, None, result.asked, (*result.notes, note))
