"""What the theorems on three-layer networks by Taylor orders share."""

from typing import Final

from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample
from rlct.theorems.kit.given import FEWER_INPUTS, HEAVY_TAILS, INTERIOR_PARAMETERS
from rlct.theorems.kit.sizes import integer_parameter

TAYLOR_ORDERS = Parameter.stated(
    "orders",
    "the Taylor series of the activation at 0 has exactly the orders 1, 1 + Q, 1 + 2Q, … "
    "(Q = 2: tanh, sin, arctan, erf; Q = 1: exp − 1)",
    fallback_text="λ ≤ half the number of parameters",
)
INPUT_LAW = Parameter.given(
    "input_law",
    "the law of the input has a positive density on an open set",
    upper=FEWER_INPUTS,
)
INPUT_MOMENTS = Parameter.given(
    "moments",
    "the inputs are bounded, or have moments of every order",
    fallback_text=HEAVY_TAILS,
)
OUTPUTS_TO_PRIOR = (
    integer_parameter("outputs", "M, number of outputs", default=1),
    integer_parameter("step", "Q, distance of the Taylor orders", default=2),
    TAYLOR_ORDERS,
    INPUT_LAW,
    INPUT_MOMENTS,
    INTERIOR_PARAMETERS,
)
"""Parameters after the sizes of the theorems on the zero function."""
AT_ZERO: Final = "at a = 0, b = 0, the deepest parameter of the zero function"


def heavy_tails(units: int, arguments: Arguments) -> Counterexample:
    """Deny the moments: one or two units of one input, three of two, at the zero function.

    For a Cauchy input K is comparable with ρQ(a, b/ρ), ρ = |b|, with a quadratic form Q in a that
    degenerates only where units coincide or vanish; ``r`` is √ρ.
    """
    generators, prior, truth = _HEAVY_TAILS[units]
    return Counterexample.against("moments", arguments, Pair.of(*truth), generators, prior=prior)


_HEAVY_TAILS: Final = {
    1: (("a*r",), "r", ("1/2", 1)),
    2: (("r*u", "r*d*v"), "r**3", ("1", 2)),
    3: (
        (
            "r*u",
            "r*(v*d + w*p)",
            "r*(v*e + w*q)",
            "r*v*d**2 + r*w*p**2",
            "r*v*d*e + r*w*p*q",
            "r*v*e**2 + r*w*q**2",
        ),
        "r**11",
        ("3/2", 1),
    ),
}
