"""ReLU networks whose units have different boundaries; the value (3m + 1)/2 of a source."""

from fractions import Fraction

from rlct.models.relu_networks.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.relu_networks.relu_units import (
    HIDDEN_BIAS,
    INPUT_BOX,
    INPUT_DENSITY,
    RELU_HIDDEN,
    RELU_MODEL,
    after_shapes,
    density_rank,
    on_other_inputs,
    relu_network,
)
from rlct.theorems.working import step


@after_shapes
def _findings(arguments: Arguments, network: ReluNetwork) -> tuple[Finding, ...]:
    from rlct.models.relu_networks.relu_regions import regions

    box_regions = regions(network)
    crossing_units = sum(len(boundary.jumps) for boundary in box_regions.boundaries)
    zero_units = sum(not any(network.vector(j)) for j in range(network.units))
    return (
        Finding.of(
            "the boundary of every hidden unit crosses the box",
            crossing_units == network.units,
            f"{crossing_units} of {network.units}",
        ),
        Finding.of(
            "no two units share a boundary",
            len(box_regions.boundaries) == crossing_units,
            f"{len(box_regions.boundaries)} boundaries",
        ),
        Finding.of("no outer weight vector is 0", not zero_units, f"{zero_units} are"),
    )


def _value(arguments: Arguments) -> Pair:
    network = relu_network(arguments)
    each = network.width + network.outputs - 1
    total = network.units * each + network.outputs * network.output_bias
    outputs = f" + {network.outputs}" * network.output_bias
    unit = f"({network.width} + {network.outputs} − 1)"
    return Pair(step(f"λ = ({network.units}·{unit}{outputs})/2", Fraction(total, 2)), 1)


_LINE_BOX, _SQUARE_BOX = ((-1, 1),), ((-1, 1), (-1, 1))
_THREE_UNITS = ((4, -3, "-5/3"), (0, 1, "-1/3"), (-4, -3, "-5/3"))
_FIVE_UNITS = (*_THREE_UNITS, (3, 4, "-5/3"), (-3, 4, "-5/3"))


THEOREM = Theorem(
    id="relu-distinct",
    title="Three-layer ReLU network with distinct boundaries",
    model=RELU_MODEL + "; with output biases c",
    where="at the given weights",
    cites=("murfet2020, section 6: (3m + 1)/2 if minimally singular",),
    parameters=(
        RELU_HIDDEN,
        OUTER_WEIGHTS,
        INPUT_BOX,
        HIDDEN_BIAS,
        Parameter("output_bias", Kind.FLAG, "whether outputs have biases", True),
        INPUT_DENSITY,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=on_other_inputs,
    question=relu_network,
    rank=lambda arguments: density_rank(relu_network(arguments)),
    instances=(
        Instance((_THREE_UNITS, ((1, 1, 1),), _SQUARE_BOX), Pair.of(5), (BY_RANK,)),
        known_instance(
            (_FIVE_UNITS, ((1, 1, 1, 1, 1),), _SQUARE_BOX), "8", 1, BY_RANK, engine=False
        ),
        known_instance(
            (((1, 0),), ((1,),), _LINE_BOX), "3/2", 1, BY_RANK, by_simulation(), engine=False
        ),
        Instance(
            {
                "hidden": ((1, 0), (-1, "1/2")),
                "outer": ((1, 0), (1, 2)),
                "box": _LINE_BOX,
                "output_bias": False,
            },
            Pair.of(3),
            (BY_RANK,),
        ),
    ),
    counterexamples=(
        Counterexample.against(
            "share a boundary",
            {
                "hidden": ((1, 0), (1, 0)),
                "outer": (("1/2", "1/2"),),
                "box": _LINE_BOX,
                "output_bias": False,
            },
            "4/3",
            "u; v; t**3",
            prior="t",
        ),
        Counterexample.against("crosses the box", (((1, 2),), ((1,),), _LINE_BOX), "1", "u; v"),
        Counterexample.against(
            "no outer weight vector is 0",
            {"hidden": ((1, 0),), "outer": ((0,),), "box": _LINE_BOX, "output_bias": False},
            "1/2",
            "v",
        ),
        Counterexample.against("density", (((1, 0),), ((1,),), _LINE_BOX), "1", "u; v"),
        squared_prior((((1, 0),), ((1,),), _LINE_BOX), "prior_positive", "u v w"),
    ),
)
