"""Three-layer ReLU networks: the minimum over all parameters of the same function."""

from fractions import Fraction

from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.given import BOUNDED_PRIOR
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.relu_networks.relu_units import (
    HIDDEN_BIAS,
    INPUT_BOX,
    INPUT_DENSITY,
    OUTPUT_BIAS,
    RELU_MODEL,
    UNIT_COUNT,
    after_shapes,
    on_other_inputs,
    relu_network,
)
from rlct.theorems.working import step


def _fibre(arguments: Arguments) -> ReluFibre:
    return ReluFibre(relu_network(arguments), arguments["units"])


@after_shapes
def _findings(arguments: Arguments, network: ReluNetwork) -> tuple[Finding, ...]:
    try:
        density_fibre = ReluFibre(network, arguments["units"])
    except InputError as error:
        return (Finding.of("there are units and a density", False, str(error)),)
    kinks_text = f"{len(density_fibre.kinks)} kinks"
    constancy_finding = Finding.of(
        "the true function is not constant on the box", not density_fibre.constant, kinks_text
    )
    if density_fibre.constant:
        return (constancy_finding,)
    statement = (
        "one unit for each kink is enough for the true function, or one or two more as the "
        "theory page says"
    )
    if not density_fibre.decided:
        return (
            constancy_finding,
            Finding(statement, Truth.OPEN, f"{kinks_text} have many orientations"),
        )
    least_fibre = density_fibre.minimal
    if least_fibre is None:
        return (
            constancy_finding,
            Finding.of(statement, False, "an affine function is left"),
        )
    spare_units = density_fibre.size - least_fibre.units
    return (
        constancy_finding,
        Finding.of(statement, True, f"{kinks_text}, {least_fibre.units} units"),
        Finding.of("there are so many units", spare_units >= 0, f"{density_fibre.size} units"),
        Finding.of(
            "spare units can be inactive on the whole box: none, or units have biases",
            spare_units <= 0 or density_fibre.network.bias,
            f"{spare_units} spare units",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    fibre = _fibre(arguments)
    net = fibre.network
    m, unit_rank = len(fibre.kinks), net.width + net.outputs - 1
    outputs = f" + {net.outputs}" * net.output_bias
    extra = fibre.equations - m * unit_rank - net.outputs * net.output_bias
    text = f"({m}·({net.width} + {net.outputs} − 1){outputs}{f' + {extra}' * (extra > 0)})/2"
    return Pair(step(f"λ = {text}", Fraction(fibre.equations, 2)), 1)


def _rank(arguments: Arguments) -> int | None:
    from rlct.models.relu_networks.relu_regions import on_sampled_inputs

    example = _fibre(arguments).example()
    return None if example is None else on_sampled_inputs(example).rank


def _question(arguments: Arguments) -> object | None:
    example = _fibre(arguments).example()
    return example if example and len(example.box or ()) == 1 else None


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, ReluFibre):
        return None
    names = ("hidden", "outer", "box", "bias", "output_bias")
    arguments = {name: getattr(question.network, name) for name in names}
    arguments["units"] = question.units
    held = all(finding.truth is not Truth.FALSE for finding in _findings(arguments))
    return arguments if held else None


_LINE_BOX = ((-1, 1),)
_TWO_UNITS = {"hidden": ((1, 0), (1, 0)), "outer": (("1/2", "1/2"),), "box": _LINE_BOX}
_ONE_UNIT = {"hidden": ((1, 0),), "outer": ((1,),), "box": _LINE_BOX}
_ARGUMENT_NAMES = "hidden outer box units"

THEOREM = Theorem(
    id="relu-fibre",
    title="Three-layer ReLU network, minimum over all parameters of the function",
    model=RELU_MODEL + "; H units, biases b and perhaps c",
    where="minimum over all parameters of the same function, spare units inactive",
    cites=(
        "nagayasu2023 (that λ does not grow with spare units; the value is proved on the theory "
        "page)",
    ),
    parameters=(
        Parameter("hidden", Kind.MATRIX, "weights of the truth, one row per unit, b_j at its end"),
        OUTER_WEIGHTS,
        INPUT_BOX,
        HIDDEN_BIAS,
        OUTPUT_BIAS,
        UNIT_COUNT,
        INPUT_DENSITY,
        Parameter.stated(
            "interior",
            "the prior is positive and continuous, also where spare units are inactive on the box",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=on_other_inputs,
    question=_question,
    rank=_rank,
    recognise=_recognise,
    instances=(
        Instance(_TWO_UNITS, Pair.of(1), (BY_RANK, by_simulation())),
        Instance({**_ONE_UNIT, "units": 4, "output_bias": True}, Pair.of("3/2"), (BY_RANK,)),
        Instance(
            {
                "hidden": ((1, 0), (-1, 0), (1, 2)),
                "outer": ((1, 1, 1),),
                "box": _LINE_BOX,
                "output_bias": True,
            },
            Pair.of("3/2"),
            (BY_RANK,),
        ),
        Instance(
            {
                "hidden": ((1, 1, 0), (2, 2, 0), (1, -1, "1/2")),
                "outer": ((1, 0, 1), (1, 1, 0)),
                "box": ((-1, 1), (-1, 1)),
                "units": 5,
            },
            Pair.of(4),
            (BY_RANK,),
        ),
        known_instance(
            _ARGUMENT_NAMES,
            (((1, 0), (-1, 0)), ((1, 1),), _LINE_BOX, 3),
            "2",
            1,
            BY_RANK,
            engine=False,
        ),
        Instance(
            {
                "hidden": ((1, 0), (1, 5), (0, "11/2")),
                "outer": ((1, 1, -1),),
                "box": _LINE_BOX,
            },
            Pair.of(2),
            (BY_RANK,),
        ),
    ),
    counterexamples=(
        Counterexample.against(
            "not constant",
            {
                "hidden": ((1,),),
                "outer": ((0,),),
                "box": _LINE_BOX,
                "bias": False,
                "output_bias": True,
            },
            ("1", 2),
            "c; v*w",
        ),
        Counterexample.against(
            "one unit for each kink",
            {"hidden": ((1, 0), (1, 2), (0, 1)), "outer": ((1, 1, 0), (0, 0, 1)), "box": _LINE_BOX},
            "7/2",
            "a; b; c; d; e; g; h",
        ),
        Counterexample.against(
            "spare units can be inactive",
            {
                "hidden": ((1, 0),),
                "outer": ((1,),),
                "box": ((-1, 1), (-1, 1)),
                "bias": False,
                "units": 2,
            },
            "4/3",
            "u; v; t**3",
            prior="t",
        ),
        Counterexample.without("density", _ONE_UNIT, "1/2", "u"),
        squared_prior(_ONE_UNIT, "interior", "u v"),
    ),
)
