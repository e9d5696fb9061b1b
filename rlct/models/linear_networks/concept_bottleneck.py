"""Linear concept bottleneck models."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, less_identity, matrix, product_of_matrices


@dataclass(frozen=True)
class ConceptBottleneck(Model):
    """y = B A x and observed concepts c = A x, all with Gaussian noise.

    With a positive definite second moment of x, K is comparable with
    |A − A*|² + |B A − B*A*|².

    >>> ConceptBottleneck(1, 1, 1).polynomials().generators
    ['a1_1 - 1', 'b1_1*a1_1']
    """

    id: ClassVar[str] = "concept-bottleneck"
    title: ClassVar[str] = "linear concept bottleneck model"
    example: ClassVar[str] = "--inputs 3 --concepts 2 --outputs 1"
    where: ClassVar[str] = "minimum over the fibre, all of whose parameters are alike"

    inputs: int = size_field("n, number of inputs")
    concepts: int = size_field("K, number of observed concepts")
    outputs: int = size_field("m, number of outputs")
    rank: int | None = size_field("rank of the true A; min(n, K) by default", least=0, default=None)

    def check(self) -> None:
        """Refuse an impossible rank."""
        if self.concept_rank > min(self.inputs, self.concepts):
            raise InputError(f"rank {self.rank} exceeds min(n, K)")

    @property
    def concept_rank(self) -> int:
        """Rank of the true A."""
        return min(self.inputs, self.concepts) if self.rank is None else self.rank

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.concepts * (self.inputs + self.outputs)

    def polynomials(self) -> Polynomials:
        """Write out A − diag(I, 0) and B A, for the truth B* = 0."""
        n, K, m = self.inputs, self.concepts, self.outputs
        check_term_count(n * K * (m + 1))
        a, b = matrix("a", K, n), matrix("b", m, K)
        r = self.concept_rank
        outputs = [entry for row in product_of_matrices(b, a) for entry in row]
        at = {f"a{i}_{i}": 1 for i in range(1, r + 1)}
        return Polynomials([*less_identity(a, r), *outputs], at)


MODEL = ConceptBottleneck
