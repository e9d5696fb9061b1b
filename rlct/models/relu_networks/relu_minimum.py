"""What the questions of a least λ over many parameters of a ReLU network share."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork


@dataclass(frozen=True)
class ReluMinimum:
    """A true network, and the number of units of the model."""

    bounds_on_trial: ClassVar[tuple[str, ...]] = ("lower",)

    network: ReluNetwork
    #: Number of hidden units of the model; by default as many as `network` has.
    units: int | None = None

    def __post_init__(self) -> None:
        """Refuse a model without units."""
        if self.units is not None and self.units < 1:
            raise InputError(f"the number of units must be positive, not {self.units}")

    @property
    def size(self) -> int:
        """Number of hidden units of the model."""
        return self.network.units if self.units is None else self.units

    @property
    def parameter_count(self) -> int:
        """Number of parameters of the model."""
        net = self.network
        return self.size * (net.width + net.outputs) + net.outputs * net.output_bias
