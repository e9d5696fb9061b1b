"""What the theorems on linear networks share: arguments, hypotheses, what holds without them."""

from collections.abc import Callable
from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Finding
from rlct.theorems.evidence import TheoremBounds, sharper_bounds
from rlct.theorems.kit.given import (
    BOUNDED_PRIOR,
    FEWER_INPUTS,
    FallbackRule,
    only_open,
    output_biases,
)
from rlct.theorems.working import step

LINEAR_MODEL = "y = A_L⋯A_1 x (+ biases) + Gaussian noise; widths from input to output"
LINEAR_MINIMUM = (
    "minimum over all parameters that realise the true map, reached at the deepest one, "
    "A_j = diag(I_r, 0) up to invertible changes of basis"
)

LINEAR_PARAMETERS = (
    Parameter("widths", Kind.INTEGERS, "layer widths from input to output, at least two"),
    Parameter("rank", Kind.INTEGER, "rank of the true linear map (on the span of the inputs)"),
    Parameter("bias", Kind.FLAG, "whether every layer has a free bias", False),
    Parameter(
        "input_rank",
        Kind.INTEGER,
        "rank of the second moment of the inputs, if it is less than the input width",
        None,
    ),
    Parameter.given(
        "second_moment",
        "the inputs have second moments and span all dimensions, or input_rank of them, affinely "
        "if there are biases",
        fallback_text="λ ≤ the value for inputs of full rank",
    ),
    Parameter.stated(
        "interior",
        "the deepest parameter is interior to the parameter set and the prior is positive and "
        "continuous there",
        lower=BOUNDED_PRIOR,
    ),
)


def plain_statements(arguments: Arguments) -> dict[str, str]:
    """Say what the inputs must span, if it is known of which network."""
    if not arguments:
        return {}
    count = arguments.get("input_rank") or "all"
    affinely = ", affinely" * bool(arguments.get("bias"))
    spanned = f"the inputs have second moments and span {count} dimensions{affinely}"
    return {"second_moment": spanned}


def effective_widths(arguments: Arguments) -> tuple[int, ...]:
    """Widths with the input width replaced by the rank of the inputs."""
    widths: tuple[int, ...] = arguments["widths"]
    rank = arguments["input_rank"]
    return widths if rank is None else (rank, *widths[1:])


def linear_findings(arguments: Arguments) -> tuple[Finding, ...]:
    """Check what the widths and the rank themselves decide."""
    widths, rank = arguments["widths"], arguments["rank"]
    positive = len(widths) >= 2 and min(widths) >= 1
    findings = [
        Finding.of(
            "the network has at least one layer and positive widths",
            positive,
            f"{len(widths)} widths" + (f", the smallest {min(widths)}" if widths else ""),
        )
    ]
    if not positive:
        return tuple(findings)
    input_rank = arguments["input_rank"]
    if input_rank is not None:
        findings.append(
            Finding.of(
                "the inputs span at least one dimension and at most the input width",
                1 <= input_rank <= widths[0],
                f"input rank {input_rank}, input width {widths[0]}",
            )
        )
    smallest = min(effective_widths(arguments))
    findings.append(
        Finding.of(
            "the rank is between 0 and the smallest width",
            0 <= rank <= smallest,
            f"rank {rank}, smallest width {smallest}",
        )
    )
    return tuple(findings)


def with_biases(pair: Pair, arguments: Arguments) -> Pair:
    """Add half the number of outputs if there are biases."""
    if not arguments["bias"]:
        return pair
    outputs = arguments["widths"][-1]
    lam = pair.lam + Fraction(outputs, 2)
    return Pair(step(f"altogether λ = {pair.lam} + {outputs}/2 with the biases", lam), pair.theta)


def on_all_inputs(value: Callable[[Arguments], Pair | TheoremBounds]) -> FallbackRule:
    """Bound the value by that on inputs of full rank, and by biases, if their moments are open."""

    def fallback(arguments: Arguments) -> TheoremBounds | None:
        if arguments["second_moment"] is not Truth.OPEN:
            return None
        biased = arguments.get("bias") and only_open(arguments, "second_moment", "interior")
        lower = output_biases(arguments["widths"][-1]) if biased else None
        if not only_open(arguments, "second_moment"):
            return lower
        there = value({**arguments, "input_rank": None})
        upper = there if isinstance(there, Pair) else there.upper
        return sharper_bounds(lower, TheoremBounds(FEWER_INPUTS, upper=upper) if upper else None)

    return fallback
