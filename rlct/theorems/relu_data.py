"""Three-layer ReLU networks on finitely many inputs, none of them on a boundary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlct.errors import InputError
from rlct.models.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.base import Counterexample, Finding, Instance, Theorem
from rlct.theorems.kit import relu as _relu
from rlct.theorems.kit.arguments import Truth
from rlct.theorems.kit.evidence import ENGINE, RANK, simulated
from rlct.theorems.kit.working import step

__all__ = ["THEOREM"]


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    first = _relu.shapes(arguments)
    if first.truth is Truth.FALSE:
        return (first,)
    found = _relu.network(arguments)
    near = Finding.of(
        "no input lies on the boundary of a hidden unit",
        not found.on_boundary,
        f"{len(found.on_boundary)} of {len(found.inputs)} inputs do",
    )
    if near.truth is Truth.FALSE:
        return first, near
    rank, wanted = found.told_apart
    sizes = ", ".join(f"{len(g.units)} on rank {g.seen}" for g in found.groups) or "none"
    return (
        first,
        near,
        Finding.of(
            "some unit is active on an input, or outputs have biases",
            bool(found.groups) or found.output_bias,
            f"groups: {sizes}",
        ),
        Finding.of(
            "the inputs tell the groups apart: their active inputs side by side have the sum of "
            "the ranks",
            rank == wanted,
            f"rank {rank} of {wanted}",
        ),
    )


def _value(arguments: Mapping[str, Any]) -> Pair:
    pair = _relu.by_groups(_relu.network(arguments))
    if pair is None:
        raise InputError("no unit is active on any input: K is 0")
    step(f"altogether λ = {pair.lam}", pair.lam)
    return pair


def _recognise(question: object) -> dict[str, Any] | None:
    if not isinstance(question, ReluNetwork) or question.data is None or question.on_boundary:
        return None
    rank, wanted = question.told_apart
    if rank < wanted or not (question.groups or question.output_bias):
        return None
    names = ("hidden", "outer", "data", "bias", "output_bias")
    return {name: getattr(question, name) for name in names}


def _rank(arguments: Mapping[str, Any]) -> int:
    return _relu.network(arguments).rank


_LINE = ((-1,), ("-1/2",), ("1/2",), (1,))
_TWO = {"hidden": ((1, 0), (1, 0)), "outer": (("1/2", "1/2"),), "data": _LINE}

THEOREM = Theorem(
    id="relu-data",
    title="Three-layer ReLU network on finitely many inputs",
    model=_relu.RELU_MODEL,
    statement=(
        "λ = Σ λ_g and θ = 1 + Σ (θ_g − 1) over the groups g of units that are active on the "
        "same inputs, with (λ_g, θ_g) of the two-layer linear network of the group at its "
        "weights, whose input width is the rank of the active (x, 1); output biases add p/2; "
        "units that no input activates add nothing."
    ),
    where="at the given weights",
    sources=(_relu.AOYAGI + ".", _relu.SURVEY + ", corrected."),
    parameters=_relu.ON_DATA,
    hypotheses=_findings,
    value=_value,
    fallback=_relu.on_other_inputs,
    question=_relu.network,
    recognise=_recognise,
    rank=_rank,
    instances=(
        Instance(
            _TWO,
            Pair.of(1),
            "two values of f on x > 0 are free",
            (ENGINE, RANK, simulated()),
        ),
        Instance(
            {"hidden": ((1, 0), (-1, 0)), "outer": ((1, 1),), "data": _LINE},
            Pair.of(2),
            "two values on either side",
            (ENGINE, RANK),
        ),
        Instance(
            {
                "hidden": ((1, 1, 0), (1, 1, 0)),
                "outer": ((0, 0), (0, 0)),
                "bias": False,
                "data": ((1, 0, 0), (0, 1, 0), (1, 1, 1)),
            },
            Pair.of(2, 2),
            "V (2×2) times W with V = 0 and W of rank one",
            (ENGINE,),
        ),
        Instance(
            {
                "hidden": ((1, 0), (-1, 2), (-1, -5)),
                "outer": ((1, 0, 3),),
                "output_bias": True,
                "data": ((-2,), (-1,), (1,), (3,), (4,)),
            },
            Pair.of(2),
            "three regions; the second unit has v = 0, the third is never active",
            (ENGINE, RANK),
        ),
        Instance(
            {**_relu.ONE_INPUT, "outer": ((0,),)},
            Pair.of("1/2"),
            "K = v²(1 + w)²",
            (ENGINE, RANK, simulated(1)),
        ),
    ),
    counterexamples=(
        Counterexample(
            {**_TWO, "data": ((-1,), (0,), ("1/2",), (1,))},
            "no input lies on the boundary",
            Pair.of("3/2"),
            ("u", "v", "t"),
            "The input 0 sees boundaries ∓t at once: f(0) = t/2 in K ≍ u² + v² + t².",
            confirmed=(ENGINE,),
        ),
        Counterexample(
            {"hidden": ((1, 0), (1, 3)), "outer": ((1, 1),), "data": ((-1,), (1,), (2,))},
            "tell the groups apart",
            Pair.of("3/2"),
            ("a", "b", "c"),
            "Three inputs determine three values of f, not two coefficients of two groups.",
            confirmed=(ENGINE,),
        ),
        *_relu.off_data(_TWO),
    ),
)
