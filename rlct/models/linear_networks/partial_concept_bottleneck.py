"""Linear concept bottleneck models with unobserved concepts."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import (
    check_term_count,
    less_identity,
    matrix,
    product_of_matrices,
    text_minus,
    text_of_sum,
)


@dataclass(frozen=True)
class PartialConceptBottleneck(Model):
    """y = B₁A₁x + B₂A₂x with observed concepts c = A₂x and tacit ones A₁x, Gaussian noise.

    Without tacit concepts all are seen, without observed ones none is.

    The true observed concepts are linearly independent.  With a positive definite second moment
    of x, K is comparable with |A₂ − A₂*|² + |B₁A₁ + B₂A₂ − Z*|², Z* the true map.

    >>> PartialConceptBottleneck(2, 1, 1, 1).polynomials().generators[2:]
    ['b1_1*a1_1 + d1_1*c1_1', 'b1_1*a1_2 + d1_1*c1_2']
    """

    id: ClassVar[str] = "partial-concept-bottleneck"
    title: ClassVar[str] = "linear concept bottleneck model with tacit concepts"
    example: ClassVar[str] = "--inputs 3 --tacit 1 --observed 1 --outputs 2"
    where: ClassVar[str] = (
        "minimum over the fibre, reached where the tacit weights have the least ranks"
    )

    inputs: int = size_field("n, number of inputs")
    tacit: int = size_field("K1, number of tacit concepts", least=0)
    observed: int = size_field("K2, number of observed concepts", least=0)
    outputs: int = size_field("m, number of outputs")
    rank: int = size_field(
        "rank of the true map where the observed concepts vanish", least=0, default=0
    )

    def check(self) -> None:
        """Refuse impossible sizes."""
        if not self.tacit + self.observed:
            raise InputError("without concepts there are no parameters, and K is 0")
        if self.observed > self.inputs:
            raise InputError(f"{self.observed} observed concepts of {self.inputs} inputs")
        if self.rank > min(self.inputs - self.observed, self.tacit, self.outputs):
            raise InputError(f"rank {self.rank} exceeds min(n - K2, K1, m)")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return (self.tacit + self.observed) * (self.inputs + self.outputs)

    def polynomials(self) -> Polynomials:
        """Write out A₂ − (I, 0) and B₁A₁ + B₂A₂ − (0, diag(1, …, 1, 0, …))."""
        n, K, L, m, r = self.inputs, self.tacit, self.observed, self.outputs, self.rank
        check_term_count(n * (L + m * (K + L)))
        a, b = matrix("a", K, n), matrix("b", m, K)
        c, d = matrix("c", L, n), matrix("d", m, L)
        nothing = [["0"] * n] * m
        hidden = product_of_matrices(b, a) if K else nothing
        seen = product_of_matrices(d, c) if L else nothing
        whole = [
            text_minus(text_of_sum(x for x in (one, two) if x != "0"), int(j - L == i < r))
            for i, (left, right) in enumerate(zip(hidden, seen, strict=True))
            for j, (one, two) in enumerate(zip(left, right, strict=True))
        ]
        at = {f"c{i}_{i}": 1 for i in range(1, L + 1)}
        at |= {f"a{i}_{L + i}": 1 for i in range(1, r + 1)}
        at |= {f"b{i}_{i}": 1 for i in range(1, r + 1)}
        return Polynomials([*less_identity(c, L), *whole], at)


MODEL = PartialConceptBottleneck
