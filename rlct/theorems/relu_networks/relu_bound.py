"""Three-layer ReLU networks at any weights, whether or not inputs lie on boundaries."""

from __future__ import annotations

from fractions import Fraction

from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Truth
from rlct.theorems.base import Arguments, Finding, Instance, Theorem, TheoremBounds
from rlct.theorems.evidence import ENGINE, RANK, by_simulation
from rlct.theorems.relu_networks.relu_units import (
    ON_DATA,
    RELU_MODEL,
    by_groups,
    by_units,
    off_data,
    on_other_inputs,
    relu_network,
    relu_shapes,
)
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    first = relu_shapes(arguments)
    if first.truth is Truth.FALSE:
        return (first,)
    try:
        bound = by_units(relu_network(arguments))
    except InputError as error:
        return first, Finding.of("some unit can be active on an input", False, str(error))
    return first, Finding.of(
        "some unit can be active on an input", True, f"λ ≤ {bound.lam} unit by unit"
    )


def _value(arguments: Arguments) -> TheoremBounds:
    found = relu_network(arguments)
    inside = found.without_boundary()
    rank = inside.rank if inside else found.outputs * found.output_bias
    lower = Pair(step(f"λ ≥ {rank}/2", Fraction(rank, 2)), 1) if rank else None
    uppers = [(by_units(found), "units one by one")]
    grouped = None if found.on_boundary else by_groups(found)
    if grouped:
        uppers.append((grouped, "groups one by one"))
    upper, rule = min(uppers)
    step(f"λ ≤ {upper.lam}", upper.lam)
    low = "rank of the derivative on the inputs off all boundaries ≤ 2λ; " if rank else ""
    return TheoremBounds(f"{low}upper: {rule}", lower, upper)


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, ReluNetwork) or question.data is None:
        return None
    names = ("hidden", "outer", "data", "bias", "output_bias")
    arguments = {name: getattr(question, name) for name in names}
    rank, wanted = question.told_apart
    if rank == wanted and not question.on_boundary:
        return None  # relu-data is exact there
    try:
        by_units(question)
    except InputError:
        return None
    return arguments


_TWO = {"hidden": ((1, 0), (1, 0)), "outer": (("1/2", "1/2"),)}

THEOREM = Theorem(
    id="relu-bound",
    title="Three-layer ReLU network at any weights, bounds",
    model=RELU_MODEL,
    where="at the given weights",
    cites=("aoyagi2025, theorem 6 (groups)",),
    parameters=ON_DATA,
    hypotheses=_findings,
    value=_value,
    fallback=on_other_inputs,
    question=relu_network,
    recognise=_recognise,
    rank=lambda arguments: relu_network(arguments).rank,
    kind="bound",
    instances=(
        Instance(
            {"hidden": ((1, 0), (1, 3)), "outer": ((1, 1),), "data": ((-1,), (1,), (2,))},
            Pair.of("3/2"),
            "three values of f, which the weights move independently",
            (ENGINE, RANK),
            TheoremBounds("", Pair.of("3/2"), Pair.of(2)),
        ),
        Instance(
            {**_TWO, "data": ((1,),)},
            Pair.of("1/2"),
            "one value of f",
            (ENGINE, RANK, by_simulation()),
            TheoremBounds("", Pair.of("1/2"), Pair.of("1/2")),
        ),
        Instance(
            {**_TWO, "data": ((-1,), (0,), ("1/2",), (1,))},
            Pair.of("3/2"),
            "K ≍ u² + v² + t² with boundaries ∓t, and the input 0 sees t",
            (ENGINE,),
            TheoremBounds("", Pair.of(1), Pair.of(2)),
        ),
        Instance(
            {"hidden": ((0,),), "outer": ((1,),), "data": ((1,), (-1,)), "bias": False},
            Pair.of("1/2"),
            "K = (1 + v)²w² for either sign of w",
            (ENGINE,),
            TheoremBounds("", None, Pair.of("1/2")),
        ),
    ),
    counterexamples=off_data({**_TWO, "data": ((1,),)}),
)
