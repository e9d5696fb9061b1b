"""Two linear layers at given weights: exact."""

from rlct.algebra.exact_rank import matrix_rank
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE, SECOND_MOMENT
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import by_building, known_instance
from rlct.theorems.linear_networks.two_layer import two_layer


def _network(arguments: Arguments) -> LinearPoint:
    return LinearPoint((arguments["first"], arguments["second"]))


def _shown(arguments: Arguments) -> str:
    network = _network(arguments)
    a, b, r = (network.ranks[key] for key in ((0, 1), (1, 2), (0, 2)))
    widths = "-".join(map(str, network.widths))
    return f"widths {widths}, ranks {a}, {b}, of the product {r}"


def _value(arguments: Arguments) -> Pair:
    found = _network(arguments)
    inputs, hidden, outputs = found.widths
    ranks = found.ranks
    return two_layer(outputs, hidden, inputs, ranks[0, 1], ranks[1, 2], ranks[0, 2])


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, LinearPoint) or question.depth != 2:
        return None
    return {"first": question.layers[0], "second": question.layers[1]}


_ZERO_LAYER = ((0, 0), (0, 0))
_UNIT_LAYER = ((1, 0), (0, 0))
_ONE_UNIT = (((1,),), ((1,),))

THEOREM = Theorem(
    id="linear-point",
    title="Two linear layers at any weights",
    model="y = BAx + Gaussian noise near weights (A₀, B₀); A is H×M, B is N×H",
    where="at the given weights",
    cites=("aoyagi2005rrr (the deepest weights)",),
    parameters=(
        Parameter("first", Kind.MATRIX, "A₀, one row per hidden unit"),
        Parameter("second", Kind.MATRIX, "B₀, one row per output"),
        SECOND_MOMENT,
        PRIOR_POSITIVE,
    ),
    hypotheses=by_building("the matrices compose", _shown),
    value=_value,
    question=_network,
    recognise=_recognise,
    rank=lambda arguments: matrix_rank(_network(arguments).jacobian),
    instances=(
        known_instance((_ZERO_LAYER, _ZERO_LAYER), "3/2", 1, by_simulation()),
        known_instance((_UNIT_LAYER, ((0, 0), (0, 1))), "3/2", 1, BY_RANK),
        known_instance((_UNIT_LAYER, _UNIT_LAYER), "2", 2, by_simulation()),
        known_instance((((1, 0), (0, 1), (1, 1)), ((0, 0, 0),)), "1", 1, BY_RANK),
        known_instance((_ZERO_LAYER, ((1, 0),)), "1", 1, BY_RANK),
    ),
    counterexamples=(
        Counterexample.against(
            "second_moment", (_ZERO_LAYER, _ZERO_LAYER), ("1", 2), "a*c + b*d; a*e + b*f"
        ),
        squared_prior(_ONE_UNIT, "prior_positive", "u"),
    ),
)
