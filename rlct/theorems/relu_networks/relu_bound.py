"""Three-layer ReLU networks at any weights, whether or not inputs lie on boundaries."""

from dataclasses import replace
from fractions import Fraction

from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.base import Arguments, Finding, Instance, TheoremBounds
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.kit.sizes import bounded_instance, by_building
from rlct.theorems.relu_networks import relu_data
from rlct.theorems.relu_networks.relu_units import (
    after_shapes,
    by_groups,
    by_units,
    off_data,
    relu_network,
    weights_on_data,
)
from rlct.theorems.working import step


@after_shapes
def _findings(arguments: Arguments, network: ReluNetwork) -> tuple[Finding, ...]:
    return by_building(
        "some unit can be active on an input", lambda _: f"λ ≤ {by_units(network).lam} unit by unit"
    )(arguments)


def _value(arguments: Arguments) -> TheoremBounds:
    network = relu_network(arguments)
    inside = network.without_boundary()
    rank = inside.rank if inside else network.outputs * network.output_bias
    lower = Pair(step(f"λ ≥ {rank}/2", Fraction(rank, 2)), 1) if rank else None
    uppers = [(by_units(network), "units one by one")]
    grouped = None if network.on_boundary else by_groups(network)
    if grouped:
        uppers.append((grouped, "groups one by one"))
    upper, rule = min(uppers)
    step(f"λ ≤ {upper.lam}", upper.lam)
    low = "rank of the derivative on the inputs off all boundaries ≤ 2λ; " if rank else ""
    return TheoremBounds(f"{low}upper: {rule}", lower, upper)


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, ReluNetwork) or question.data is None:
        return None
    rank, wanted = question.told_apart
    if rank == wanted and not question.on_boundary:
        return None  # relu-data is exact there
    try:
        by_units(question)
    except InputError:
        return None
    return weights_on_data(question)


_TWO_UNITS = {"hidden": ((1, 0), (1, 0)), "outer": (("1/2", "1/2"),)}

THEOREM = replace(
    relu_data.THEOREM,
    id="relu-bound",
    title="Three-layer ReLU network at any weights, bounds",
    cites=("aoyagi2025, theorem 6 (groups)",),
    hypotheses=_findings,
    value=_value,
    recognise=_recognise,
    kind="bound",
    instances=(
        Instance(
            (((1, 0), (1, 3)), ((1, 1),), ((-1,), (1,), (2,))),
            Pair.of("3/2"),
            (BY_ENGINE, BY_RANK),
            TheoremBounds("", Pair.of("3/2"), Pair.of(2)),
        ),
        Instance(
            {**_TWO_UNITS, "data": ((1,),)},
            Pair.of("1/2"),
            (BY_ENGINE, BY_RANK, by_simulation()),
            TheoremBounds("", Pair.of("1/2"), Pair.of("1/2")),
        ),
        Instance(
            {**_TWO_UNITS, "data": ((-1,), (0,), ("1/2",), (1,))},
            Pair.of("3/2"),
            (BY_ENGINE,),
            TheoremBounds("", Pair.of(1), Pair.of(2)),
        ),
        bounded_instance((((0,),), ((1,),), ((1,), (-1,)), False), None, "1/2", "1/2"),
    ),
    counterexamples=off_data({**_TWO_UNITS, "data": ((1,),)}),
)
