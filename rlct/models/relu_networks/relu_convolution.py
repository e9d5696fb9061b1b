"""Convolutional ReLU networks at the function of a smaller one."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import numbers_field, size_field
from rlct.models.relu_networks.smaller_relu import ReluShape, SmallerRelu


@dataclass(frozen=True)
class ReluConvolution(SmallerRelu):
    """Convolutional ReLU layers, residual blocks, one dense output layer; bounded inputs.

    A residual block is h + ReLU(w ∗ h + b).

    >>> ReluConvolution((1, 8), (1, 2), taps=9, positions=4, outputs=3).codimension
    45
    >>> ReluConvolution((1, 8, 8), (1, 2), taps=9, positions=4, outputs=3).codimension
    79
    """

    id: ClassVar[str] = "relu-convolution"
    title: ClassVar[str] = "convolutional ReLU network, function of a smaller one"
    example: ClassVar[str] = "3 16 16 --true-channels 3,4 --taps 9 --positions 49 --outputs 10"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("channels",)
    where: ClassVar[str] = (
        "minimum over all parameters of the true function; spare channels inactive"
    )

    channels: tuple[int, ...] = numbers_field("channels of the model, input first, such as 3,16,16")
    true_channels: tuple[int, ...] = numbers_field("channels of the smaller network, such as 3,4")
    taps: int = size_field("positions of a filter: 9 for 3 x 3")
    positions: int = size_field("positions of the last layer that the dense layer sees")
    outputs: int = size_field("number of outputs")
    blocks: int = size_field(
        "residual blocks of the model that the truth lacks", least=0, default=0
    )

    def check(self) -> None:
        """Refuse a truth that does not fit."""
        for channels in (self.channels, self.true_channels):
            if len(channels) < 2:
                raise InputError("a convolutional network has an input and a convolutional layer")
        if self.channels[0] != self.true_channels[0]:
            raise InputError("both networks need the same input channels")
        super().check()

    @property
    def shape(self) -> ReluShape:
        """Plain layers and residual blocks."""
        sizes = self.outputs, self.taps, self.positions, self.blocks
        return ReluShape(self.channels, self.true_channels, *sizes)

    def repeat(self, done: int) -> int | None:
        """Of a plain layer; the image itself may be negative and cannot be handed on."""
        width = self.true_channels[done]
        return (self.taps - 1) * width**2 + width if done else None

    @property
    def parameter_count(self) -> None:
        """Not known: the width of the blocks is not said."""
        return


MODEL = ReluConvolution
