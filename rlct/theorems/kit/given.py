"""Hypotheses that many theorems share and the user vouches for; what is left without them.

The rules named here are proved on theory/conventions.md.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from rlct.pair import Pair
from rlct.theorems.arguments import Arguments, Parameter, Truth
from rlct.theorems.evidence import TheoremBounds
from rlct.theorems.working import step

FallbackRule = Callable[[Arguments], "TheoremBounds | None"]

BOUNDARY_TRUTH: Final = "a truth on the boundary"
BOUNDED_PRIOR: Final = "any bounded prior on a compact set"
FIRST_POWER: Final = "distance to the first power"
FEWER_INPUTS: Final = "inputs that see less"
FEWER_MOMENTS: Final = "components that show less"
HEAVY_TAILS: Final = "nothing: heavy tails change the exponents"
SMALLER_SET: Final = "a smaller parameter set"
TRAINED_PARAMETERS: Final = "more trained parameters"
UNBOUNDED_PRIOR: Final = "nothing: Gamma priors of shape less than 1 are not bounded"

PRIOR_POSITIVE = Parameter.stated(
    "prior_positive", "the prior is positive and continuous there", lower=BOUNDED_PRIOR
)
INTERIOR_PARAMETERS = Parameter.stated(
    "interior",
    "the prior is positive and continuous near the parameters in question, and the parameter set "
    "contains a neighbourhood of them",
    lower=BOUNDED_PRIOR,
)
SECOND_MOMENT = Parameter.given(
    "second_moment", "the second moment of the inputs is positive definite", upper=FEWER_INPUTS
)


def only_open(arguments: Arguments, *names: str) -> bool:
    """Whether no given hypothesis but these is open or denied."""
    return all(
        value.held or name in names for name, value in arguments.items() if isinstance(value, Truth)
    )


def half_dimension(parameters: int) -> TheoremBounds:
    """Bound λ by half the number of parameters, for K smooth and a positive prior."""
    upper = Pair(step(f"λ ≤ {parameters}/2", Fraction(parameters, 2)), 1)
    return TheoremBounds("half the number of parameters", upper=upper)


def output_biases(outputs: int) -> TheoremBounds:
    """Bound λ from below by biases that add to the outputs, for the mean squared error."""
    lower = Pair(step(f"λ ≥ {outputs}/2", Fraction(outputs, 2)), 1)
    return TheoremBounds("biases of the outputs", lower=lower)


def by_dimension(names: str, parameters: Callable[[Arguments], int]) -> FallbackRule:
    """Build the fallback that knows only the number of parameters, if some of ``names`` is open."""
    known = names.split()

    def fallback(arguments: Arguments) -> TheoremBounds | None:
        return half_dimension(parameters(arguments)) if only_open(arguments, *known) else None

    return fallback
