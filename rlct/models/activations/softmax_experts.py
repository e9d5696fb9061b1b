"""Mixtures of linear experts with softmax gates, at a generic truth."""

from dataclasses import dataclass
from typing import Any, ClassVar

from rlct.models.base import GENERIC_TRUTH, Model, flag_field, size_field


@dataclass(frozen=True)
class SoftmaxExperts(Model):
    """f(x) = sum_e g_e(x) W_e x, with gates g = softmax(G x), at a generic truth.

    Each W_e is p × d, and G is E × d.

    >>> model = SoftmaxExperts(3, 2, 1)
    >>> model.parameter_count, model.generic_rank
    (12, 9)
    """

    id: ClassVar[str] = "experts"
    title: ClassVar[str] = "mixture of linear experts with softmax gates"
    example: ClassVar[str] = "4 3 2"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("inputs", "experts", "outputs")
    where: ClassVar[str] = GENERIC_TRUTH

    inputs: int = size_field("d, number of inputs")
    experts: int = size_field("E, number of experts")
    outputs: int = size_field("p, number of outputs")
    bias: bool = flag_field("gates and experts have biases")

    @property
    def parameter_count(self) -> int:
        """Number of weights and biases."""
        return self.experts * (self.outputs + 1) * (self.inputs + self.bias)

    @property
    def generic_rank(self) -> int:
        """Largest rank of the derivative: gates do not see a shift of all their weights."""
        return self.parameter_count - self.inputs - self.bias

    def values(self, weights: Any, inputs: Any) -> Any:
        """What the mixture gives, shape ``(n, m, outputs)``, by G and then the W_e."""
        import numpy as np

        if self.bias:
            inputs = np.concatenate([inputs, np.ones((len(inputs), 1))], axis=1)
        width = inputs.shape[1]
        gates = weights[:, : self.experts * width].reshape(-1, self.experts, width)
        maps = weights[:, self.experts * width :].reshape(-1, self.experts, self.outputs, width)
        scores = gates @ inputs.T
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = shares / shares.sum(axis=1, keepdims=True)
        return (shares[:, :, None] * (maps @ inputs.T)).sum(axis=1).transpose(0, 2, 1)


MODEL = SoftmaxExperts
