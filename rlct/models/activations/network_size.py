"""Networks of which only the number of parameters is known."""

from dataclasses import dataclass
from typing import ClassVar, Final

from rlct.models.base import Model, size_field

_MOST_PARAMETERS: Final = 10**15  # more than any network has; λ is half as many at most


@dataclass(frozen=True)
class NetworkSize(Model):
    """λ ≤ d/2 at every function that the network can realise.

    >>> NetworkSize(1000).parameter_count
    1000
    """

    id: ClassVar[str] = "network"
    title: ClassVar[str] = "any other network, by its number of parameters"
    example: ClassVar[str] = "124439808"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("parameters",)
    where: ClassVar[str] = "at every parameter of the true function, so for the minimum over them"

    parameters: int = size_field("d, number of trained parameters", most=_MOST_PARAMETERS)

    @property
    def parameter_count(self) -> int:
        """Number of parameters."""
        return self.parameters


MODEL = NetworkSize
