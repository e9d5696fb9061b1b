"""What the bounds at the function of a smaller ReLU network share."""

from dataclasses import fields
from fractions import Fraction
from typing import Any

from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.smaller_relu import SmallerRelu
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample
from rlct.theorems.evidence import TheoremBounds
from rlct.theorems.kit.given import BOUNDED_PRIOR
from rlct.theorems.kit.sizes import by_building, model_links, model_of
from rlct.theorems.relu_networks.relu_units import density_rank, on_a_line
from rlct.theorems.working import step


def smaller_relu_fields(model: type[SmallerRelu], rule: str) -> dict[str, Any]:
    """Fields of a theorem: half the number of equations bounds λ from above."""

    def shown(arguments: Arguments) -> str:
        return f"{model_of(model, arguments).codimension} equations"

    def value(arguments: Arguments) -> TheoremBounds:
        smaller_network = model_of(model, arguments)
        outputs, equations = smaller_network.shape.outputs, smaller_network.codimension
        step("number of equations", equations)
        ends = (
            step(f"λ ≥ {outputs}/2", Fraction(outputs, 2)),
            step(f"λ ≤ {equations}/2", Fraction(equations, 2)),
        )
        return TheoremBounds(f"{rule}; lower: output biases", *(Pair(end, 1) for end in ends))

    def example(arguments: Arguments) -> ReluNetwork | None:
        """A network with one hidden layer, for which the bound is known to be the value."""
        fibre = model_of(model, arguments).fibre()
        return fibre.example() if fibre else None

    def statements(arguments: Arguments) -> dict[str, str]:
        model_sizes, true_sizes = (arguments[field.name] for field in fields(model)[:2])
        spare = model_sizes != true_sizes or arguments.get("blocks")
        return {"bounded": f"the inputs {'are bounded' if spare else 'have second moments'}"}

    return {
        "kind": "bound",
        "where": "minimum over all parameters of the true function",
        "statements": statements,
        "hypotheses": by_building("the smaller network fits into the model, layer by layer", shown),
        "value": value,
        "rank": lambda arguments: density_rank(example(arguments)),
        "question": lambda arguments: on_a_line(example(arguments)),
        "recognise": model_links(model)["recognise"],
    }


BOUNDED_INPUTS = Parameter.given(
    "bounded",
    "the inputs are bounded, or have second moments if the truth is any function of the network",
    lower="biases of the outputs",
)


def inactive_prior(spare_parts: str) -> Parameter:
    """Declare that the prior allows spare units, or channels, to be inactive."""
    return Parameter.stated(
        "interior",
        f"the prior is positive and continuous at these parameters, spare {spare_parts} inactive",
        lower=BOUNDED_PRIOR,
    )


def never_inactive(arguments: Any) -> Counterexample:
    """Deny `BOUNDED_INPUTS` for one unit, and a spare one."""
    return Counterexample.against("bounded", arguments, "7/4", "u; v; w; s**2")
