"""ReLU networks of any depth at the function of a smaller one."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import numbers_field
from rlct.models.relu_networks.smaller_relu import ReluShape, SmallerRelu


@dataclass(frozen=True)
class DeepRelu(SmallerRelu):
    """Layers with biases, on bounded inputs.

    >>> DeepRelu((2, 5, 5, 1), (2, 3, 1)).codimension, DeepRelu((2, 5, 5, 1)).codimension
    (10, 41)
    """

    id: ClassVar[str] = "deep-relu"
    title: ClassVar[str] = "ReLU network of any depth, function of a smaller one"
    example: ClassVar[str] = "2 8 8 1 --true-widths 2,3,1"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("widths",)
    where: ClassVar[str] = "minimum over all parameters of the true function; spare units inactive"

    widths: tuple[int, ...] = numbers_field(
        "widths of the model, from input to output, such as 2,5,5,1"
    )
    true_widths: tuple[int, ...] = numbers_field(
        "widths of the smaller network, such as 2,3,1; of the model itself", default=None
    )

    def check(self) -> None:
        """Refuse a truth that does not fit."""
        if self.true_widths is None:
            object.__setattr__(self, "true_widths", self.widths)
        for widths in (self.widths, self.true_widths):
            if len(widths) < 3:
                raise InputError(
                    "a ReLU network has an input, a hidden layer and an output: write 2 3 1"
                )
        if (self.widths[0], self.widths[-1]) != (self.true_widths[0], self.true_widths[-1]):
            raise InputError("both networks need the same inputs and outputs")
        super().check()

    @property
    def shape(self) -> ReluShape:
        """All layers are dense."""
        return ReluShape(self.widths[:-1], self.true_widths[:-1], self.widths[-1])

    def repeat(self, done: int) -> int:
        """No equations: a layer whose units all stay positive is linear."""
        return 0

    @property
    def parameter_count(self) -> int:
        """Number of parameters."""
        return self.shape.weight_count


MODEL = DeepRelu
