"""What the theorems on three-layer networks by Taylor orders share."""

from __future__ import annotations

from typing import Final

from rlct.theorems._arguments import Parameter
from rlct.theorems._given import FEWER_INPUTS, INTERIOR
from rlct.theorems._sizes import integer

__all__ = ["AT_ZERO", "INPUT_LAW", "ORDERS", "OUTPUTS_TO_PRIOR"]

ORDERS = Parameter.given(
    "orders",
    "the Taylor series of the activation at 0 has exactly the orders 1, 1 + Q, 1 + 2Q, … "
    "(Q = 2: tanh, sin, arctan, erf; Q = 1: exp − 1)",
    rest="λ ≤ half the number of parameters",
)
INPUT_LAW = Parameter.given(
    "input_law",
    "the law of the input has a positive density on an open set",
    upper=FEWER_INPUTS,
)
OUTPUTS_TO_PRIOR = (
    integer("outputs", "M, number of outputs", default=1),
    integer("step", "Q, distance of the Taylor orders", default=2),
    ORDERS,
    INPUT_LAW,
    INTERIOR,
)
"""Parameters after the sizes of the theorems on the zero function."""
AT_ZERO: Final = "at a = 0, b = 0, the deepest parameter of the zero function"
