"""Convolutional ReLU networks, upper bound over the parameters of a smaller network."""

from rlct.models.relu_networks.relu_convolution import ReluConvolution
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance, integer_parameter
from rlct.theorems.relu_networks.smaller_relu import (
    BOUNDED_INPUTS,
    inactive_prior,
    never_inactive,
    smaller_relu_fields,
)

_UNIT_SIZES = ((1, 1), (1, 1), 1, 1, 1)

THEOREM = Theorem(
    id="relu-convolution-bound",
    title="Convolutional ReLU network, upper bound",
    model=(
        "convolutional ReLU layers with biases, residual blocks h + ReLU(w ∗ h + b), a dense "
        "output layer; the truth is a smaller such network"
    ),
    cites=("nagayasu2023b (bounds of this kind; proved on the theory page)",),
    parameters=(
        Parameter("channels", Kind.INTEGERS, "channels of the model, input first"),
        Parameter("true_channels", Kind.INTEGERS, "channels of the smaller network"),
        integer_parameter("taps", "s, positions of a filter"),
        integer_parameter("positions", "P, positions of the last layer that the dense layer sees"),
        integer_parameter("outputs", "p, number of outputs"),
        integer_parameter("blocks", "residual blocks that the truth lacks", default=0),
        BOUNDED_INPUTS,
        inactive_prior("channels"),
    ),
    **smaller_relu_fields(ReluConvolution, "spare channels and blocks inactive"),
    instances=(
        bounded_instance(_UNIT_SIZES, "1/2", "3/2", "3/2", BY_RANK, by_simulation(), engine=False),
        bounded_instance(((1, 3), (1, 2), 1, 1, 1), "1/2", "5/2", "5/2", BY_RANK, engine=False),
        bounded_instance(((1, 8), (1, 2), 9, 4, 3), "3/2", "45/2", None),
        bounded_instance(((1, 8, 8), (1, 2), 9, 4, 3), "3/2", "79/2", None),
        bounded_instance(((1, 8), (1, 2), 9, 4, 3, 50), "3/2", "45/2", None),
    ),
    counterexamples=(
        never_inactive(((1, 2), *_UNIT_SIZES[1:])),
        squared_prior(_UNIT_SIZES, "interior", "u v w"),
    ),
)
