"""What the bounds at the function of a smaller ReLU network share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.errors import InputError
from rlct.models.kit.smaller_relu import SmallerRelu
from rlct.models.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.base import Counterexample, Finding, Instance
from rlct.theorems.kit.arguments import Parameter, Truth
from rlct.theorems.kit.evidence import ENGINE, Bounds, Confirmation, impossible
from rlct.theorems.kit.given import BOUNDED_PRIOR
from rlct.theorems.kit.sizes import linked
from rlct.theorems.kit.working import step

__all__ = ["bounded", "given", "shared", "vanishing"]

Arguments = Mapping[str, Any]


def shared(model: type[SmallerRelu], fields: Sequence[str], rule: str) -> dict[str, Any]:
    """Fields of a theorem: half the number of equations bounds λ from above."""
    build, recognise = linked(model, fields)

    def asked(arguments: Arguments) -> SmallerRelu:
        found = build(arguments)
        assert isinstance(found, SmallerRelu)
        return found

    def findings(arguments: Arguments) -> tuple[Finding, ...]:
        statement = "the smaller network fits into the model, layer by layer"
        try:
            found = asked(arguments)
        except InputError as error:
            return (Finding.of(statement, False, str(error)),)
        return (Finding.of(statement, True, f"{found.codimension} equations"),)

    def value(arguments: Arguments) -> Bounds:
        found = asked(arguments)
        outputs, equations = found.output_count, found.codimension
        step("number of equations", equations)
        ends = (
            step(f"λ ≥ {outputs}/2", Fraction(outputs, 2)),
            step(f"λ ≤ {equations}/2", Fraction(equations, 2)),
        )
        return Bounds(f"{rule}; lower: output biases", *(Pair(end, 1) for end in ends))

    def example(arguments: Arguments) -> ReluNetwork | None:
        """A network with one hidden layer, for which the bound is known to be the value."""
        fibre = asked(arguments).fibre()
        return fibre.example() if fibre else None

    def rank(arguments: Arguments) -> int | None:
        from rlct.models.relu_regions import on_sampled_inputs

        found = example(arguments)
        return on_sampled_inputs(found).rank if found else None

    def question(arguments: Arguments) -> object | None:
        found = example(arguments)
        return found if found and len(found.box or ()) == 1 else None

    return {
        "kind": "bound",
        "where": "minimum over all parameters of the true function",
        "hypotheses": findings,
        "value": value,
        "rank": rank,
        "question": question,
        "recognise": recognise,
    }


def given(what: str) -> Parameter:
    """Declare that the prior allows spare units, or channels, to be inactive."""
    return Parameter.given(
        "interior",
        f"the prior is positive and continuous at these parameters, spare {what} inactive",
        lower=BOUNDED_PRIOR,
    )


def bounded(
    fields: Sequence[str],
    values: Sequence[Any],
    ends: tuple[str, str],
    origin: str,
    *,
    tight: tuple[Confirmation, ...] = (),
) -> Instance:
    """Build an instance; the upper end is the true value if it is confirmed as `tight`."""
    arguments = dict(zip(fields, values, strict=False))
    low, high = (Pair.of(end) for end in ends)
    if tight:
        return Instance(arguments, high, origin, tight, Bounds("", low, high))
    reason = impossible("K is no polynomial, and the least λ over the fibre is not known")
    return Instance(arguments, None, origin, (reason,), Bounds("", low, high))


def vanishing(arguments: Arguments) -> Counterexample:
    """Deny `given` for a single unit."""
    return Counterexample(
        {**arguments, "interior": Truth.FALSE},
        "interior",
        Pair.of("5/2"),
        ("u", "v", "w"),
        "K is u² + v² + w² in suitable coordinates; a prior u² adds 1 to λ.",
        prior="u**2",
        confirmed=(ENGINE,),
    )
