"""What ReLU networks at the function of a smaller one share."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from rlct.errors import InputError
from rlct.models.base import Model
from rlct.models.kit.layers import cheapest_placement
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_fibre import ReluFibre


class ReluShape(NamedTuple):
    """Convolutional layers, those that are dense having one position, and a dense output layer."""

    #: Of the model and of the truth, without the outputs.
    channels: tuple[int, ...]
    true_channels: tuple[int, ...]
    outputs: int
    taps: int = 1
    positions: int = 1
    #: Residual ones that the truth lacks.
    blocks: int = 0

    @property
    def layers(self) -> list[tuple[int, int]]:
        """Channels before and after each hidden layer, and blocks behind the last."""
        return [*pairwise(self.channels), *[(self.channels[-1],) * 2] * self.blocks]

    @property
    def weight_count(self) -> int:
        """Number of weights and biases."""
        hidden = sum((self.taps * before + 1) * after for before, after in self.layers)
        return hidden + (self.positions * self.channels[-1] + 1) * self.outputs


@dataclass(frozen=True)
class SmallerRelu(Model):
    """A ReLU network whose true function is that of a smaller one."""

    bounds_on_trial: ClassVar[tuple[str, ...]] = ("lower", "upper")

    @property
    @abstractmethod
    def shape(self) -> ReluShape:
        """Sizes of model and truth."""

    @abstractmethod
    def repeat(self, done: int) -> int | None:
        """Equations of a layer that repeats what so many true layers give; None if none can."""

    def check(self) -> None:
        """Refuse a truth that does not fit."""
        if self._placement is None:
            raise InputError("the layers of the smaller network do not fit into those of the model")

    @property
    def _placement(self) -> tuple[int, tuple[int, ...]] | None:
        return cheapest_placement(self.shape.channels, self.shape.true_channels, self.repeat)

    @property
    def codimension(self) -> int:
        """Equations of the same function: weights of the truth less its scalings, and repeats."""
        shape, true = self.shape, self.shape.true_channels
        filters = sum(b * (shape.taps * a + 1) for a, b in pairwise(true))
        dense = shape.outputs * (shape.positions * true[-1] + 1)
        return filters + dense - sum(true[1:]) + (self._placement or (0,))[0]

    def fibre(self) -> ReluFibre | None:
        """One dense hidden layer, if there is no other, with parallel kinks on [−1, 1]^inputs."""
        shape = self.shape
        hidden_layers = {len(shape.channels) - 1, len(shape.true_channels) - 1}
        if hidden_layers != {1} or shape.positions != 1 or shape.blocks:
            return None
        inputs, true = shape.taps * shape.channels[0], shape.true_channels[1]
        first = (Fraction(1),) + (Fraction(0),) * (inputs - 1)
        hidden = tuple((*first, 1 - Fraction(2 * j + 2, true + 1)) for j in range(true))
        outer = ((Fraction(1),) * true,) * shape.outputs
        box = ((Fraction(-1), Fraction(1)),) * inputs
        network = ReluNetwork(hidden, outer, None, box, output_bias=True)
        return ReluFibre(network, shape.channels[1])

    def values(self, weights: Any, inputs: Any) -> Any:
        """Outputs at inputs ≥ 0 on a circle, by layers, units, taps, channels before, biases."""
        import numpy as np

        shape, at = self.shape, 0
        h = np.abs(inputs).reshape(1, len(inputs), shape.positions, -1)
        for number, (before, after) in enumerate(shape.layers, 1):
            size = shape.taps * before + 1
            rows = weights[:, at : at + after * size].reshape(-1, 1, after, size)
            patches = np.concatenate([np.roll(h, tap, axis=2) for tap in range(shape.taps)], axis=3)
            units = patches @ rows[..., :-1].swapaxes(2, 3) + rows[:, :, None, :, -1]
            h = np.maximum(units, 0) + (h if number >= len(shape.channels) else 0.0)
            at += after * size
        outer = weights[:, at:].reshape(len(weights), shape.outputs, -1)
        flat = h.reshape(*h.shape[:2], -1)
        return np.asarray(flat @ outer[..., :-1].swapaxes(1, 2) + outer[:, None, :, -1])

    def true_weights(self) -> Any:
        """Weights of a random smaller network, spare channels and blocks inactive."""
        import numpy as np

        rng = np.random.default_rng(20_261)  # any: the same truth each time
        shape, done = self.shape, 0
        layers: list[Any] = []
        path = (self._placement or (0, ()))[1]
        reached = [*path, *[len(shape.true_channels) - 1] * shape.blocks]
        for (before, after), now in zip(shape.layers, reached, strict=True):
            seen, wanted = shape.true_channels[done], shape.true_channels[now]
            rows, biases = np.zeros((after, shape.taps, before)), np.full(after, -1.0)
            if now > done:  # every unit has its kink among the inputs
                rows[:wanted, :, :seen] = rng.standard_normal((wanted, shape.taps, seen))
                biases[:wanted] = -rng.random(wanted) * rows[:wanted].sum(axis=(1, 2))
            elif len(layers) < len(path):
                rows[:seen, 0, :seen] = np.eye(seen)
                biases[:seen] = 0.0
            layers.append(np.column_stack([rows.reshape(after, -1), biases]).ravel())
            done = now
        outer = np.zeros((shape.outputs, shape.positions * shape.channels[-1] + 1))
        used = [c < shape.true_channels[-1] for c in range(shape.channels[-1])] * shape.positions
        outer[:, [*used, False]] = rng.standard_normal((shape.outputs, sum(used)))
        return np.concatenate([*layers, outer.ravel()])
