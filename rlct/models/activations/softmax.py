"""Linear networks with a softmax output."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, less_identity, matrix, product_of_matrices


@dataclass(frozen=True)
class SoftmaxNetwork(Model):
    """Class probabilities softmax(B A x), A of H × N, B of C × H.

    Probabilities of C classes are regular in the C − 1 differences of logits, so K is comparable
    with |B̃ A − B̃*A*|², B̃ being the rows of B minus the last one.

    >>> SoftmaxNetwork(1, 1, 2).polynomials().generators
    ['(b1_1 - b2_1)*a1_1']
    """

    id: ClassVar[str] = "softmax"
    title: ClassVar[str] = "linear network with softmax output"
    example: ClassVar[str] = "3 2 3"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("inputs", "hidden", "classes")
    where: ClassVar[str] = (
        "minimum over the fibre, reached at A = diag(I_r, 0), B the same and a zero row"
    )

    inputs: int = size_field("N, number of inputs")
    hidden: int = size_field("H, number of hidden units")
    classes: int = size_field("C, number of classes", least=2)
    rank: int = size_field("rank of the true differences of logits", least=0, default=0)

    def check(self) -> None:
        """Refuse an impossible rank."""
        smallest = min(self.inputs, self.hidden, self.classes - 1)
        if self.rank > smallest:
            raise InputError(f"rank {self.rank} exceeds {smallest}, the least of N, H and C - 1")

    @property
    def parameter_count(self) -> int:
        """Number of weights."""
        return self.hidden * (self.inputs + self.classes)

    def polynomials(self) -> Polynomials:
        """Write out the differences of logits minus diag(I_r, 0)."""
        check_term_count(self.inputs * self.hidden * self.classes * 2)
        a, b = matrix("a", self.hidden, self.inputs), matrix("b", self.classes, self.hidden)
        rows = [[f"({x} - {y})" for x, y in zip(row, b[-1], strict=True)] for row in b[:-1]]
        generators = [
            text.replace("((", "(").replace("))", ")")
            for text in less_identity(product_of_matrices(rows, a), self.rank)
        ]
        at = {f"{x}{i}_{i}": 1 for x in "ab" for i in range(1, self.rank + 1)}
        return Polynomials(generators, at)


MODEL = SoftmaxNetwork
