"""ReLU networks of any depth, upper bound over the parameters of a smaller network."""

from rlct.models.relu_networks.deep_relu import DeepRelu
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance
from rlct.theorems.relu_networks.smaller_relu import (
    BOUNDED_INPUTS,
    inactive_prior,
    never_inactive,
    smaller_relu_fields,
)

THEOREM = Theorem(
    id="deep-relu-bound",
    title="ReLU network of any depth, upper bound",
    model="ReLU network with biases; the truth is a smaller such network",
    cites=("nagayasu2023 (a bound of this kind; proved on the theory page)",),
    parameters=(
        Parameter("widths", Kind.INTEGERS, "widths of the model, from input to output"),
        Parameter("true_widths", Kind.INTEGERS, "widths of the smaller network"),
        BOUNDED_INPUTS,
        inactive_prior("units"),
    ),
    **smaller_relu_fields(DeepRelu, "spare units inactive, spare layers linear"),
    instances=(
        bounded_instance(
            ((1, 1, 1), (1, 1, 1)), "1/2", "3/2", "3/2", BY_RANK, by_simulation(), engine=False
        ),
        bounded_instance(((1, 4, 1), (1, 2, 1)), "1/2", "5/2", "5/2", BY_RANK, engine=False),
        bounded_instance(((1, 3, 3, 1), (1, 1, 1)), "1/2", "3/2", None),
        bounded_instance(((2, 5, 5, 3), (2, 3, 2, 3)), "3/2", "21/2", None),
    ),
    counterexamples=(
        never_inactive({"widths": (1, 2, 1), "true_widths": (1, 1, 1)}),
        squared_prior(((1, 1, 1), (1, 1, 1)), "interior", "u v w"),
    ),
)
