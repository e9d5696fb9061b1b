"""Rank pattern of a ReLU network whose numbers were given as floats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rlct.models.relu_networks.relu import Group, ReluNetwork


@dataclass(frozen=True)
class ReluPattern:
    """The ranks on which λ rests: of the derivative, of each group, of the groups together."""

    derivative: int
    groups: tuple[Group, ...]
    #: Rank of the inputs of all groups side by side.
    apart: int

    def __str__(self) -> str:
        shown = "; ".join(
            f"units {', '.join(str(j + 1) for j in g.units)}: inputs {g.seen}, W {g.inner}, "
            f"V {g.outer}, VW {g.product}"
            for g in self.groups
        )
        return f"rank {self.derivative} of the derivative; ranks of {shown or 'no active unit'}"


def exact_pattern(network: ReluNetwork) -> ReluPattern:
    """Return the pattern of the numbers taken as exact."""
    return ReluPattern(network.rank, network.groups, network.told_apart[0])


def relu_pattern(network: ReluNetwork, tolerance: float) -> ReluPattern:
    """Return the pattern at a tolerance: smaller singular values are taken for rounding errors.

    The network is on data.  The tolerance is relative to the largest singular value; of a product,
    to the product of those of its factors, because what is left of a product that should vanish has
    no scale of its own.

    >>> net = ReluNetwork([[0.1], [0.3]], [[0.9, -0.3]], data=[[1], [2]], bias=False)
    >>> exact_pattern(net).groups[0].product, relu_pattern(net, 1e-6).groups[0].product
    (1, 0)
    """
    import numpy as np

    def table(rows: Sequence[Sequence[Any]]) -> Any:
        size = max((abs(x) for row in rows for x in row), default=0) or 1
        return np.array([[float(x / size) for x in row] for row in rows])

    def rank(matrix: Any, *factors: Any) -> int:
        values = np.linalg.svd(matrix, compute_uv=False)
        scale = np.prod([np.linalg.norm(factor, 2) for factor in factors or (matrix,)])
        return int((values > tolerance * scale).sum())

    W, V, Z = table(network.hidden), table(network.outer), table(network.inputs)
    # Scaling a unit and its outer weights changes nothing: every w is given length 1.  None of
    # an active unit is 0.
    length = np.linalg.norm(W, axis=1)
    W, V = W / np.where(length > 0, length, 1.0)[:, None], V * length
    groups = []
    for group in network.groups:
        units = list(group.units)
        active = [sign > 0 for sign in network.signs[units[0]]]
        inputs, inner, outer = Z[active], W[units], V[:, units]
        values = inner @ inputs.T
        groups.append(
            Group(
                group.units,
                rank(inputs),
                rank(values, inner, inputs),
                rank(outer),
                rank(outer @ values, outer, inner, inputs),
            )
        )
    return ReluPattern(
        rank(table(network.jacobian)), tuple(groups), rank(table(network.beside)) if groups else 0
    )
