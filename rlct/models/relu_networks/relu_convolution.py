"""Convolutional ReLU networks at the function of a smaller one."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import numbers_field, size_field
from rlct.models.kit.layers import cheapest_placement
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.models.relu_networks.smaller_relu import SmallerRelu, one_layer


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
        if self._repeats is None:
            raise InputError("the layers of the smaller network do not fit into those of the model")

    @property
    def _repeats(self) -> int | None:
        """Equations of plain layers that repeat the layer before them."""

        def repeat(done: int) -> int | None:
            # The image itself may be negative and cannot be handed through a ReLU.
            width = self.true_channels[done]
            return (self.taps - 1) * width**2 + width if done else None

        return cheapest_placement(self.channels, self.true_channels, repeat)

    @property
    def codimension(self) -> int:
        """Number of equations of the parameters with the same function."""
        true = self.true_channels
        filters = sum(b * (self.taps * a + 1) for a, b in pairwise(true))
        dense = self.outputs * (self.positions * true[-1] + 1)
        return filters + dense - sum(true[1:]) + (self._repeats or 0)

    @property
    def parameter_count(self) -> None:
        """Not known: the width of the blocks is not said."""
        return

    @property
    def output_count(self) -> int:
        """Number of outputs."""
        return self.outputs

    def fibre(self) -> ReluFibre | None:
        """Return an example with one position and one layer, which is fully connected."""
        if self.positions != 1 or len(self.channels) != 2 or self.blocks:
            return None
        inputs = self.taps * self.channels[0]
        return one_layer(inputs, self.true_channels[1], self.outputs, self.channels[1])


MODEL = ReluConvolution
