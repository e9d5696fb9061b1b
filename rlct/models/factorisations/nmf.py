"""Non-negative matrix factorisation."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, matrix, product_of_matrices, text_minus
from rlct.models.kit.positive import RationalMatrix, positive_factors, widened_factors


@dataclass(frozen=True)
class NonnegativeFactorization(Model):
    """X = U V + noise with U, V ≥ 0 entrywise, when the truth is 0 or a product of positive ones.

    >>> NonnegativeFactorization(2, 1, 1, 0).polynomials().generators
    ['u1_1*v1_1', 'u2_1*v1_1']
    """

    id: ClassVar[str] = "nmf"
    title: ClassVar[str] = "non-negative matrix factorisation"
    example: ClassVar[str] = "--rows 2 --inner 2 --columns 2"

    rows: int = size_field("M, rows of the data")
    inner: int = size_field("H, inner dimension")
    columns: int = size_field("N, columns of the data")
    true: int = size_field("r, rank of the truth U*V* with positive U*, V*", least=0, default=0)

    def check(self) -> None:
        """Refuse a rank that no such product has."""
        if self.true > min(self.rows, self.inner, self.columns):
            raise InputError(f"rank {self.true} exceeds the smallest dimension")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.inner * (self.rows + self.columns)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if not self.true:
            return "at U = 0, V = 0, the deepest parameter of the zero matrix"
        return "minimum over the fibre, reached at positive U, V that both have the true rank"

    def polynomials(self) -> Polynomials:
        """Write out the entries of U V − U*V*."""
        check_term_count(self.rows * self.inner * self.columns)
        u, v = matrix("u", self.rows, self.inner), matrix("v", self.inner, self.columns)
        entries = product_of_matrices(u, v)
        if not self.true:
            names = [name for row in (*u, *v) for name in row]
            return Polynomials([e for row in entries for e in row], nonneg=names)
        true_u, true_v = self._truth()
        generators = [
            text_minus(entry, sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)))
            for row, line in zip(true_u, entries, strict=True)
            for entry, column in zip(line, zip(*true_v, strict=True), strict=True)
        ]
        at = {
            name: value
            for names, values in [*zip(u, true_u, strict=True), *zip(v, true_v, strict=True)]
            for name, value in zip(names, values, strict=True)
        }
        return Polynomials(generators, at)

    def _truth(self) -> tuple[RationalMatrix, RationalMatrix]:
        true_u, true_v = positive_factors(self.rows, self.true, self.columns)
        return widened_factors(true_u, true_v, self.inner)


MODEL = NonnegativeFactorization
