"""What the theorems share on models whose parameters of the truth all have the same rank."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rlct.models.base import Model
from rlct.models.kit.derivative_rank import ResidueValue, function_rank, random_weights
from rlct.pair import Pair
from rlct.theorems.arguments import Truth
from rlct.theorems.base import Arguments, Finding
from rlct.theorems.evidence import TheoremBounds, sharper_bounds
from rlct.theorems.kit.given import only_open
from rlct.theorems.kit.sizes import HypothesisCheck
from rlct.theorems.working import note_case, step


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


@dataclass(frozen=True)
class HiddenParts:
    """Hidden classes or states whose true ones are generic: λ = R/2 where the rank R is known."""

    #: Name of the arguments of the parts of the model; those of the truth are ``true``.
    parts: str
    sizes: HypothesisCheck
    #: Rank of the tables of as many random parts as are true, 0 if it is not computed.
    reached: Callable[[Arguments], int]
    #: What no rank of the model exceeds, and why.
    largest: Callable[[Arguments], tuple[int, str]]
    #: Coordinates that every truth shows, and of what.
    always: Callable[[Arguments], tuple[int, str]]

    def findings(self, arguments: Arguments) -> tuple[Finding, ...]:
        """Check the sizes, and that the rank is the largest."""
        of_sizes = self.sizes(arguments)
        reaches, evidence = Truth.OPEN, "not computed"
        if all(finding.truth is Truth.TRUE for finding in of_sizes):
            rank, (most, why) = self.reached(arguments), self.largest(arguments)
            reaches = Truth.TRUE if rank == most else Truth.OPEN
            evidence = f"{rank or 'not computed'} at random {self.parts}, at most {most}: {why}"
        statement = f"the true {self.parts} reach the largest rank of the derivative"
        return (*of_sizes, Finding(statement, reaches, evidence))

    def value(self, arguments: Arguments) -> Pair:
        """Half the largest rank."""
        most, why = self.largest(arguments)
        note_case(f"rank {most}: {why}")
        return regular_pair(most)

    def fallback(self, arguments: Arguments) -> TheoremBounds | None:
        """From below by the rank at random parts; of a special truth, by what every one shows."""
        if not only_open(arguments, "generic", "interior"):
            return None
        least, why = self.always(arguments)
        if not arguments["generic"].held:
            return TheoremBounds(why, regular_pair(least))
        lower = regular_pair(max(least, self.reached(arguments)))
        if not arguments["interior"].held or arguments["true"] < arguments[self.parts]:
            return TheoremBounds("rank of the derivative", lower)
        return TheoremBounds(
            "rank of the derivative", lower, regular_pair(self.largest(arguments)[0])
        )
