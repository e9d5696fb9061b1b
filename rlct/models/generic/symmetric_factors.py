"""Symmetric factorisation U Uᵀ of a matrix of known rank, with or without noise s I."""

from dataclasses import dataclass
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, flag_field, size_field
from rlct.models.kit.expressions import check_term_count


@dataclass(frozen=True)
class SymmetricFactors(Model):
    """The matrix U Uᵀ, or with noise U Uᵀ + s I, of n × k factors U, when its rank is r.

    >>> SymmetricFactors(2, 1).polynomials().generators
    ['u1_1*u1_1', 'u1_1*u2_1', 'u2_1*u2_1']
    """

    id: ClassVar[str] = "gram"
    title: ClassVar[str] = "symmetric factorisation"
    example: ClassVar[str] = "3 2 --rank 1"
    group: ClassVar[str] = "net"
    where: ClassVar[str] = "minimum over the fibre, which is one orbit of rotations of U"

    rows: int = size_field("n, number of rows")
    factors: int = size_field("k, number of factors")
    true_rank: int = size_field("r, rank of the true matrix", least=0, default=0)
    #: As in probabilistic principal components; then k < n.
    noise: bool = flag_field("s I is added")

    def check(self) -> None:
        """Refuse an impossible truth."""
        if self.true_rank > min(self.rows, self.factors):
            raise InputError(
                f"U U^T of {self.rows} x {self.factors} factors has rank at most "
                f"{min(self.rows, self.factors)}, not {self.true_rank}"
            )
        if self.noise and self.factors >= self.rows:
            raise InputError(
                f"with {self.factors} factors of {self.rows} rows s I is a part of U U^T: "
                "take fewer factors than rows"
            )

    @property
    def comparable_if(self) -> str:
        """What the divergence of normal laws needs to be comparable with that of covariances."""
        return "the true noise s is positive" * self.noise

    @property
    def parameter_count(self) -> int:
        """Number of entries of U, and s."""
        return self.rows * self.factors + self.noise

    def polynomials(self) -> Polynomials:
        """Write out the entries, less diag(1, …, 1, 0, …, 0); t is s less its true value."""
        check_term_count(self.rows**2 * self.factors)
        generators = []
        for i in range(1, self.rows + 1):
            for j in range(i, self.rows + 1):
                terms = [f"u{i}_{h}*u{j}_{h}" for h in range(1, self.factors + 1)]
                terms += ["t"] if self.noise and i == j else []
                true_entry = " - 1" if i == j <= self.true_rank else ""
                generators.append(" + ".join(terms) + true_entry)
        return Polynomials(generators, {f"u{i}_{i}": 1 for i in range(1, self.true_rank + 1)})
