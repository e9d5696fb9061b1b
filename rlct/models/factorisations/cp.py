"""CP tensor decomposition."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import (
    FibreEquations,
    Model,
    Polynomials,
    flag_field,
    numbers_field,
    size_field,
)
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_sum


@dataclass(frozen=True)
class CpDecomposition(Model):
    """Tensor Σ_h a_h ⊗ b_h ⊗ … + noise with H terms, when r of them are true.

    The truth is Σ_{i≤r} e_i ⊗ e_i ⊗ …, so r ≤ min(dims).

    >>> CpDecomposition((1, 1, 2), 1).polynomials().generators
    ['a1_1*b1_1*c1_1', 'a1_1*b1_1*c2_1']
    """

    id: ClassVar[str] = "cp"
    title: ClassVar[str] = "CP tensor decomposition"
    example: ClassVar[str] = "--dims 2,2,2 --terms 1"

    dims: tuple[int, ...] = numbers_field("dimensions of the tensor, such as 2,2,3")
    terms: int = size_field("H, number of terms")
    true: int = size_field("r, number of true terms", least=0, default=0)
    nonneg: bool = flag_field("all factors are non-negative")

    def check(self) -> None:
        """Refuse an impossible truth."""
        if not 2 <= len(self.dims) <= 20:
            raise InputError(f"a tensor needs 2 to 20 dimensions here, not {len(self.dims)}")
        if self.true > min(self.terms, *self.dims):
            raise InputError(f"{self.true} true terms exceed min(H, dims)")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.terms * sum(self.dims)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if not self.true:
            return "at 0, the deepest parameter of the zero tensor"
        return "at the true terms and zero"

    @property
    def deepest(self) -> bool:
        """Proved for the zero tensor, whose equations are homogeneous."""
        return self.true == 0

    def polynomials(self) -> Polynomials:
        """Write out the entries minus the truth."""
        check_term_count(prod(self.dims) * self.terms * len(self.dims))
        mode_letters = "abcdefghijklmnopqrst"[: len(self.dims)]
        generators = []
        for index in product(*(range(1, d + 1) for d in self.dims)):
            terms = [
                "*".join(f"{x}{i}_{h}" for x, i in zip(mode_letters, index, strict=True))
                for h in range(1, self.terms + 1)
            ]
            generators.append(
                text_minus(text_of_sum(terms), int(len(set(index)) == 1 and index[0] <= self.true))
            )
        at = {f"{x}{i}_{i}": 1 for x in mode_letters for i in range(1, self.true + 1)}
        names = [
            f"{x}{i}_{h}"
            for x, d in zip(mode_letters, self.dims, strict=True)
            for i in range(1, d + 1)
            for h in range(1, self.terms + 1)
        ]
        return Polynomials(generators, at, nonneg=names if self.nonneg else ())

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """The same equations; the truth is diagonal."""
        asked = self.polynomials()
        return (FibreEquations(asked.generators, asked.nonneg, at=asked.at),)


MODEL = CpDecomposition
