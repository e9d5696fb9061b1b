"""What ReLU networks at the function of a smaller one share."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_fibre import ReluFibre


@dataclass(frozen=True)
class SmallerRelu(Model):
    """A ReLU network whose true function is that of a smaller one."""

    @property
    @abstractmethod
    def codimension(self) -> int:
        """Number of equations of the parameters with the same function."""

    @property
    @abstractmethod
    def output_count(self) -> int:
        """Number of outputs."""

    @abstractmethod
    def fibre(self) -> ReluFibre | None:
        """Return an example with one fully connected hidden layer, if that is what it is."""

    def polynomials(self) -> Polynomials:
        """Refuse: K is only piecewise analytic."""
        raise InputError("K of a ReLU network is no polynomial")


def one_layer(inputs: int, true: int, outputs: int, units: int) -> ReluFibre:
    """One hidden layer at a function with `true` parallel kinks, on [−1, 1]^inputs."""
    first = (Fraction(1),) + (Fraction(0),) * (inputs - 1)
    hidden = tuple((*first, 1 - Fraction(2 * j + 2, true + 1)) for j in range(true))
    outer = ((Fraction(1),) * true,) * outputs
    box = ((Fraction(-1), Fraction(1)),) * inputs
    return ReluFibre(ReluNetwork(hidden, outer, None, box, output_bias=True), units)
