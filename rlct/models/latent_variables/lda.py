"""Latent Dirichlet allocation as a product of stochastic matrices."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import (
    TextMatrix,
    check_term_count,
    matrix,
    product_of_matrices,
    text_minus,
)
from rlct.models.kit.positive import exact_matrix_product, positive_factors, widened_factors


@dataclass(frozen=True)
class TopicModel(Model):
    """Words of N documents drawn from A B, A of M × H and B of H × N with columns on simplices.

    The truth is a product of positive stochastic matrices that needs all its topics.

    Counts of words are regular in the word probabilities of each document, so K is comparable
    with the squares of A B − A*B*.

    >>> TopicModel(2, 1, 1).polynomials().generators
    ['a1_1 - 1/2']
    """

    id: ClassVar[str] = "lda"
    title: ClassVar[str] = "latent Dirichlet allocation"
    example: ClassVar[str] = "--words 3 --topics 2 --documents 2"
    where: ClassVar[str] = (
        "minimum over the fibre, reached at positive A, B with columns in a common plane"
    )

    words: int = size_field("M, number of different words", least=2)
    topics: int = size_field("H, number of topics")
    documents: int = size_field("N, number of documents")
    true_topics: int = size_field("topics of the truth", default=1)

    def check(self) -> None:
        """Refuse an impossible truth."""
        smallest = min(self.words, self.topics, self.documents)
        if self.true_topics > smallest:
            raise InputError(f"{self.true_topics} true topics exceed the smallest size {smallest}")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.topics * (self.words - 1) + self.documents * (self.topics - 1)

    def polynomials(self) -> Polynomials:
        """Write out A B − A*B*, the last row of A B left out and of B eliminated."""
        M, H, N = self.words, self.topics, self.documents
        check_term_count(M * H * N * H)
        a, b = matrix("a", M - 1, H), _with_last(matrix("b", H - 1, N), N)
        true_a, true_b = widened_factors(*positive_factors(M, self.true_topics, N), H)
        truth = exact_matrix_product(true_a, true_b)
        generators = [
            text_minus(entry, value)
            for row, values in zip(product_of_matrices(a, b), truth[:-1], strict=True)
            for entry, value in zip(row, values, strict=True)
        ]
        at: dict[str, Fraction] = {}
        for names, values in [(a, true_a[:-1]), (b[:-1], true_b[:-1])]:
            for line, numbers in zip(names, values, strict=True):
                at |= dict(zip(line, numbers, strict=True))
        return Polynomials(generators, at)


def _with_last(rows: TextMatrix, columns: int) -> TextMatrix:
    """Append the row that makes every column sum to one."""
    if not rows:
        return [["1"] * columns]
    return [*rows, ["1 - " + " - ".join(column) for column in zip(*rows, strict=True)]]


MODEL = TopicModel
