"""What theorems G.1 and G.2 share: one output, biases, and where they fail."""

from typing import Any, Final

from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.quadratic import (
    ALL_FEATURES,
    HIDDEN_WITH_BIAS,
    quadratic_network,
    vanishing_prior,
)

_ONE_UNIT: Final = (((1, 0),), ((1,),))

SHARED_FIELDS: Final[dict[str, Any]] = {
    "model": "y = Σ_j v_j (w_j·x + b_j)² + c + Gaussian noise",
    "where": "at the given weights, for any c",
    "parameters": (HIDDEN_WITH_BIAS, OUTER_WEIGHTS, ALL_FEATURES, PRIOR_POSITIVE),
    "rank": lambda arguments: quadratic_network(arguments, bias=True).rank,
    "question": lambda arguments: quadratic_network(arguments, bias=True),
}
"""Fields of both theorems."""

LINE_INSTANCE: Final = Instance(_ONE_UNIT, Pair.of("3/2"), (BY_ENGINE, BY_RANK, by_simulation()))


def one_output(arguments: Arguments) -> Finding:
    """Check that there is one output."""
    outputs = len(arguments["outer"])
    return Finding.of("there is one output", outputs == 1, f"{outputs} outputs")


def inactive_unit(hypothesis: str) -> Counterexample:
    """Deny a hypothesis by a unit whose outer weight is 0."""
    return Counterexample.against(
        hypothesis, (((1, 0),), ((0,),)), "1", confirmed=(BY_ENGINE, BY_RANK)
    )


SINGLE_OUTPUT_COUNTEREXAMPLES: Final = (
    Counterexample.against(
        "one output", (((1, 0),), ((1,), (1,))), "5/2", confirmed=(BY_ENGINE, BY_RANK)
    ),
    Counterexample.against("features", _ONE_UNIT, "1", "(1+v)*b**2 + c; (1+v)*(1+w+b)**2 + c - 1"),
    vanishing_prior(_ONE_UNIT, 3),
)
