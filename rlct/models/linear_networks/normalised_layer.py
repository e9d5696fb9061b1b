"""A linear layer before RMSNorm or LayerNorm, at a generic truth."""

from dataclasses import dataclass
from typing import Any, ClassVar

from rlct.errors import InputError
from rlct.models.base import GENERIC_TRUTH, Model, flag_field, size_field


@dataclass(frozen=True)
class NormalisedLayer(Model):
    """f(x) = gains * N(W x) + shifts, N(z) = sqrt(m) z/|z|, or z less its mean for LayerNorm.

    W is m × d.

    >>> model = NormalisedLayer(3, 4, gains=True)
    >>> model.parameter_count, model.generic_rank
    (16, 15)
    """

    id: ClassVar[str] = "norm"
    title: ClassVar[str] = "linear layer before RMSNorm or LayerNorm"
    example: ClassVar[str] = "4 8 --gains"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("inputs", "units")
    where: ClassVar[str] = GENERIC_TRUTH

    inputs: int = size_field("d, number of inputs")
    units: int = size_field("m, number of units", least=2)
    centred: bool = flag_field("LayerNorm: less the mean of the units; RMSNorm without")
    gains: bool = flag_field("each unit has a gain after the norm")
    shifts: bool = flag_field("each unit has a shift after the norm")
    bias: bool = flag_field("the linear layer has a bias")

    def check(self) -> None:
        """Refuse layers whose norm leaves signs only."""
        if self.centred and self.units < 3:
            raise InputError("LayerNorm of two units leaves a sign only: take three or more")
        if self.shifts and self.inputs + self.bias < 2:
            raise InputError("shifts after a norm need two inputs, or one and a bias")

    @property
    def parameter_count(self) -> int:
        """Number of weights, gains, shifts and biases."""
        return self.units * (self.inputs + self.bias + self.gains + self.shifts)

    @property
    def symmetry_count(self) -> int:
        """Directions along which no norm moves: a scale, and the mean of the rows of W."""
        return 1 + self.centred * (self.inputs + self.bias)

    @property
    def columns(self) -> int:
        """Number of columns of W."""
        return self.inputs + self.bias

    @property
    def codimension(self) -> int:
        """Dimensions of what is normed: of the zeros of a generic one, if it has any."""
        return self.units - self.centred

    @property
    def kernel(self) -> int:
        """Dimension of the kernel of what is normed at a generic truth."""
        return max(0, self.columns - self.codimension)

    @property
    def generic_rank(self) -> int:
        """Largest rank of the derivative."""
        columns = self.columns
        seen = columns * (columns + 1) // 2 + self.centred * columns
        unseen_gains = max(0, self.units - seen) * self.gains
        return self.parameter_count - self.symmetry_count - unseen_gains

    def values(self, weights: Any, inputs: Any) -> Any:
        """What the layer gives, shape ``(n, m, units)``, by W with its bias, gains and shifts."""
        import numpy as np

        if self.bias:
            inputs = np.concatenate([inputs, np.ones((len(inputs), 1))], axis=1)
        matrix = weights[:, : self.units * self.columns].reshape(-1, self.units, self.columns)
        vectors = weights[:, None, self.units * self.columns :]
        z = inputs @ matrix.transpose(0, 2, 1)
        if self.centred:
            z = z - z.mean(axis=2, keepdims=True)
        normed = np.sqrt(self.units) * z / np.sqrt((z**2).sum(axis=2, keepdims=True))
        if self.gains:
            normed = normed * vectors[..., : self.units]
        return normed + vectors[..., -self.units :] if self.shifts else normed


MODEL = NormalisedLayer
