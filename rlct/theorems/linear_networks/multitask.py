"""Linear networks that predict outputs and concepts from shared hidden units."""

from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, SECOND_MOMENT
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair


def _sizes(arguments: Arguments) -> tuple[tuple[int, int, int], int]:
    """Widths of the network of outputs and concepts together, and the rank of its map."""
    ends = arguments["outputs"] + arguments["concepts"]
    return (arguments["inputs"], arguments["hidden"], ends), arguments["rank"]


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    widths, r = _sizes(arguments)
    return (
        positive_sizes(arguments, "inputs", "hidden", "outputs", "concepts"),
        Finding.of(
            "the rank is between 0 and the least of n, H and m + K",
            0 <= r <= min(widths),
            f"rank {r}, least {min(widths)}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    widths, r = _sizes(arguments)
    return reduced_rank_pair(*widths, r)


_SMALL_SIZES = {"inputs": 1, "hidden": 1, "outputs": 1, "concepts": 1, "rank": 0}

THEOREM = Theorem(
    id="multitask",
    title="Linear network for outputs and concepts",
    model="(y, c) = B A x + Gaussian noise; n inputs, H hidden units, m outputs, K concepts",
    where="minimum over all parameters of the true map",
    cites=("hayashi2023", "aoyagi2005rrr"),
    parameters=(
        integer_parameter("inputs", "n, number of inputs"),
        integer_parameter("hidden", "H, number of hidden units"),
        integer_parameter("outputs", "m, number of outputs"),
        integer_parameter("concepts", "K, number of concepts"),
        integer_parameter("rank", "rank of the true map (y, c)"),
        SECOND_MOMENT,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    question=lambda arguments: LinearNetwork(*_sizes(arguments)),
    instances=(
        known_instance((3, 3, 1, 2, 2), "9/2", 2),
        known_instance((1, 1, 1, 1, 0), "1/2", 1, by_simulation()),
        known_instance((2, 1, 1, 1, 0), "1", 2),
        known_instance((2, 2, 1, 1, 1), "2", 2),
    ),
    counterexamples=(
        Counterexample.against("second_moment", {**_SMALL_SIZES, "inputs": 2}, "1/2", "a*b; a*c"),
        Counterexample.against("interior", _SMALL_SIZES, "1", "a*b; a*c", prior="a**2"),
    ),
)
