"""Three-layer ReLU networks on finitely many inputs, none of them on a boundary."""

from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.relu_networks.relu_units import (
    ON_DATA,
    ONE_INPUT,
    RELU_MODEL,
    after_shapes,
    by_groups,
    off_data,
    on_other_inputs,
    relu_network,
    weights_on_data,
)
from rlct.theorems.working import step


@after_shapes
def _findings(arguments: Arguments, network: ReluNetwork) -> tuple[Finding, ...]:
    boundary_finding = Finding.of(
        "no input lies on the boundary of a hidden unit",
        not network.on_boundary,
        f"{len(network.on_boundary)} of {len(network.inputs)} inputs do",
    )
    if boundary_finding.truth is Truth.FALSE:
        return (boundary_finding,)
    rank, needed_rank = network.told_apart
    sizes = ", ".join(f"{len(g.units)} on rank {g.seen}" for g in network.groups) or "none"
    return (
        boundary_finding,
        Finding.of(
            "some unit is active on an input, or outputs have biases",
            bool(network.groups) or network.output_bias,
            f"groups: {sizes}",
        ),
        Finding.of(
            "the inputs tell the groups apart: their active inputs side by side have the sum of "
            "the ranks",
            rank == needed_rank,
            f"rank {rank} of {needed_rank}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    pair = by_groups(relu_network(arguments))
    if pair is None:
        raise InputError("no unit is active on any input: K is 0")
    step(f"altogether λ = {pair.lam}", pair.lam)
    return pair


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, ReluNetwork) or question.data is None or question.on_boundary:
        return None
    rank, wanted = question.told_apart
    if rank < wanted or not (question.groups or question.output_bias):
        return None
    return weights_on_data(question)


_LINE_POINTS = ((-1,), ("-1/2",), ("1/2",), (1,))
_TWO_UNITS = {"hidden": ((1, 0), (1, 0)), "outer": (("1/2", "1/2"),), "data": _LINE_POINTS}

THEOREM = Theorem(
    id="relu-data",
    title="Three-layer ReLU network on finitely many inputs",
    model=RELU_MODEL,
    where="at the given weights",
    cites=("aoyagi2025, theorem 6", "seyoum2025, theorem 6, corrected"),
    parameters=ON_DATA,
    hypotheses=_findings,
    value=_value,
    fallback=on_other_inputs,
    question=relu_network,
    recognise=_recognise,
    rank=lambda arguments: relu_network(arguments).rank,
    instances=(
        Instance(_TWO_UNITS, Pair.of(1), (BY_ENGINE, BY_RANK, by_simulation())),
        known_instance((((1, 0), (-1, 0)), ((1, 1),), _LINE_POINTS), "2", 1, BY_RANK),
        Instance(
            {
                "hidden": ((1, 1, 0), (1, 1, 0)),
                "outer": ((0, 0), (0, 0)),
                "bias": False,
                "data": ((1, 0, 0), (0, 1, 0), (1, 1, 1)),
            },
            Pair.of(2, 2),
            (BY_ENGINE,),
        ),
        Instance(
            {
                "hidden": ((1, 0), (-1, 2), (-1, -5)),
                "outer": ((1, 0, 3),),
                "output_bias": True,
                "data": ((-2,), (-1,), (1,), (3,), (4,)),
            },
            Pair.of(2),
            (BY_ENGINE, BY_RANK),
        ),
        Instance(
            {**ONE_INPUT, "outer": ((0,),)}, Pair.of("1/2"), (BY_ENGINE, BY_RANK, by_simulation(1))
        ),
    ),
    counterexamples=(
        Counterexample.against(
            "no input lies on the boundary",
            {**_TWO_UNITS, "data": ((-1,), (0,), ("1/2",), (1,))},
            "3/2",
            "u; v; t",
        ),
        Counterexample.against(
            "tell the groups apart",
            (((1, 0), (1, 3)), ((1, 1),), ((-1,), (1,), (2,))),
            "3/2",
            "a; b; c",
        ),
        *off_data(_TWO_UNITS),
    ),
)
