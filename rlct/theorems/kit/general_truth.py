"""What the theorems share on models whose parameters of the truth all have the same rank."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from rlct.models.base import Model
from rlct.models.kit.derivative_rank import ResidueValue, function_rank, random_weights
from rlct.pair import Pair
from rlct.theorems.arguments import Truth
from rlct.theorems.base import Arguments
from rlct.theorems.evidence import TheoremBounds, sharper_bounds
from rlct.theorems.kit.given import only_open
from rlct.theorems.working import step


def regular_pair(dimension: int) -> Pair:
    """Pair of a regular model in that many coordinates."""
    return Pair(step(f"λ = {dimension}/2", Fraction(dimension, 2)), 1)


def outputs_rank(outputs: Callable[..., Sequence[ResidueValue]], model: Model, inputs: int) -> int:
    """Rank of the derivative of the outputs of a model at random weights."""
    assert model.parameter_count is not None
    weights = random_weights(model.parameter_count, seed=1)
    return function_rank(partial(outputs, model), weights, inputs)


def any_truth(
    name: str, dimension: Callable[[Arguments], int], rule: str, factors: Callable[[Arguments], int]
) -> Callable[[Arguments], TheoremBounds | None]:
    """Build the fallback for a truth that may be special.

    ``dimension`` gives twice the upper bound for any truth, by ``rule``; ``factors`` the degree of
    an entry of the tensor, linear in each variable (theory/tucker-bound.md).
    """

    def fallback(arguments: Arguments) -> TheoremBounds | None:
        if arguments[name] is not Truth.OPEN or not only_open(arguments, name, "interior"):
            return None
        half_of_one = step("λ ≥ 1/2", Fraction(1, 2))
        lower = TheoremBounds(
            "one entry of the tensor", lower=Pair(half_of_one, factors(arguments))
        )
        if not only_open(arguments, name):
            return lower
        return sharper_bounds(lower, TheoremBounds(rule, upper=regular_pair(dimension(arguments))))

    return fallback


def rank_at(model: Model) -> int:
    """Exact rank of the derivative of the equations at the parameter that they are written at."""
    from rlct.engine.germs.leaves import jacobian_rank

    return jacobian_rank(model.problem().local)
