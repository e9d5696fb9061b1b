"""Factor analysis, as the entries of the covariance matrix."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_sum


@dataclass(frozen=True)
class FactorAnalysis(Model):
    """Σ = D + L Lᵀ with p variables and k factors, when the truth has r generic factors.

    Gaussian distributions of mean zero are regular in their covariance matrix, so K is
    comparable with the squares of Σ − Σ*.

    >>> FactorAnalysis(2, 1).polynomials().generators
    ['d1 + a1_1**2', 'd2 + a2_1**2', 'a1_1*a2_1']
    """

    id: ClassVar[str] = "factor-analysis"
    title: ClassVar[str] = "factor analysis"
    example: ClassVar[str] = "--variables 3 --factors 2"

    variables: int = size_field("p, number of observed variables", least=2)
    factors: int = size_field("k, number of factors", least=0)
    true_factors: int = size_field("r, number of true factors", least=0, default=0)

    def check(self) -> None:
        """Refuse a truth with more factors than the model."""
        if self.true_factors > self.factors:
            raise InputError(f"{self.true_factors} true factors exceed {self.factors}")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.variables * (1 + self.factors)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if not self.true_factors:
            return "at L = 0, the deepest parameter of a diagonal covariance matrix"
        return "at the parameter whose spare loadings are 0"

    @property
    def deepest(self) -> bool:
        """Proved for a diagonal truth, whose equations in L are homogeneous."""
        return self.true_factors == 0

    def true_loadings(self) -> list[list[int]]:
        """Return the p rows of true loadings: powers 1, i, i^3, i^6 and so on of i = 1, …, p.

        Powers without gaps would put all variables on a rational normal curve, which is a
        special position: six of them on a conic, for three factors.

        >>> FactorAnalysis(3, 4, 3).true_loadings()
        [[1, 1, 1], [1, 2, 8], [1, 3, 27]]
        """
        rows, columns = range(1, self.variables + 1), range(self.true_factors)
        return [[i ** (j * (j + 1) // 2) for j in columns] for i in rows]

    def polynomials(self) -> Polynomials:
        """Write out Σ − Σ*, d measured from its true value."""
        p, k, r = self.variables, self.factors, self.true_factors
        check_term_count(p * p * k)
        true_loadings = [row + [0] * (k - r) for row in self.true_loadings()]
        rows, columns = range(1, p + 1), range(1, k + 1)
        generators = [
            text_minus(
                text_of_sum([f"d{i}", *(f"a{i}_{j}**2" for j in columns)]),
                sum(value**2 for value in true_loadings[i - 1]),
            )
            for i in rows
        ]
        for i, m in combinations(rows, 2) if k else ():
            value = sum(
                x * y for x, y in zip(true_loadings[i - 1], true_loadings[m - 1], strict=True)
            )
            generators.append(text_minus(text_of_sum(f"a{i}_{j}*a{m}_{j}" for j in columns), value))
        at = {
            f"a{i}_{j}": Fraction(true_loadings[i - 1][j - 1])
            for i in rows
            for j in columns
            if j <= r
        }
        return Polynomials(generators, at)


MODEL = FactorAnalysis
