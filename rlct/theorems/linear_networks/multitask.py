"""Linear networks that predict outputs and concepts from shared hidden units."""

from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, SECOND_MOMENT
from rlct.theorems.kit.sizes import integer_parameter, known_instance, positive_sizes
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    n, H, m, K, r = (arguments[name] for name in _ARGUMENT_NAMES.split())
    smallest = min(n, H, m + K)
    return (
        positive_sizes(arguments, "inputs", "hidden", "outputs", "concepts"),
        Finding.of(
            "the rank is between 0 and the least of n, H and m + K",
            0 <= r <= smallest,
            f"rank {r}, least {smallest}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    n, H, m, K, r = (arguments[name] for name in _ARGUMENT_NAMES.split())
    return reduced_rank_pair(n, H, m + K, r)


def _question(arguments: Arguments) -> object | None:
    n, H, m, K, r = (arguments[name] for name in _ARGUMENT_NAMES.split())
    return LinearNetwork((n, H, m + K), r)


_ARGUMENT_NAMES = "inputs hidden outputs concepts rank"
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
    question=_question,
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
