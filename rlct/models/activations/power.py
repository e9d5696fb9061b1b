"""Three-layer networks with a monomial activation."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, text_of_power, text_of_sum


@dataclass(frozen=True)
class PowerNetwork(Model):
    """y = Σ_h a_h (b_h x)^m + Gaussian noise with one input, when the truth is zero.

    >>> PowerNetwork(2, 3).polynomials().generators
    ['a1_1*b1**3 + a1_2*b2**3']
    """

    id: ClassVar[str] = "power"
    title: ClassVar[str] = "three-layer network with activation t^m, one input"
    example: ClassVar[str] = "1 2 1 --degree 3"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("1", "hidden", "outputs")
    where: ClassVar[str] = "at a = 0, b = 0, the deepest parameter of the zero function"

    hidden: int = size_field("H, number of hidden units")
    degree: int = size_field("m, degree of the activation")
    outputs: int = size_field("M, number of outputs", default=1)

    @property
    def parameter_count(self) -> int:
        """Number of weights."""
        return self.hidden * (1 + self.outputs)

    def polynomials(self) -> Polynomials:
        """Write out Σ_h a_kh b_h^m, one per output."""
        check_term_count(self.hidden * self.outputs)
        units = range(1, self.hidden + 1)
        return Polynomials(
            [
                text_of_sum(f"a{k}_{h}*{text_of_power(f'b{h}', self.degree)}" for h in units)
                for k in range(1, self.outputs + 1)
            ]
        )


MODEL = PowerNetwork
