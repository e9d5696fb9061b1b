"""Mixtures of linear experts with softmax gates, at a generic truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import GENERIC_TRUTH, Model, Polynomials, flag_field, size_field

__all__ = ["MODEL", "SoftmaxExperts"]


@dataclass(frozen=True)
class SoftmaxExperts(Model):
    """f(x) = sum_e g_e(x) W_e x, with gates g = softmax(G x), at a generic truth.

    Each W_e is p × d, and G is E × d.

    Examples
    --------
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

    def polynomials(self) -> Polynomials:
        """Refuse: gates are exponentials."""
        raise InputError("softmax gates are no polynomials")


MODEL = SoftmaxExperts
