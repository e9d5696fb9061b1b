"""Tucker tensor decomposition."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import FibreEquations, Model, Polynomials, numbers_field, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_sum


@dataclass(frozen=True)
class TuckerDecomposition(Model):
    """Tensor G ×₁ A ×₂ B … + noise, when the truth is superdiagonal of rank r.

    The truth is Σ_{i≤r} e_i ⊗ e_i ⊗ …, of multilinear rank (r, …, r).

    >>> TuckerDecomposition((1, 1), (1, 1)).polynomials().generators
    ['g1_1*a1_1*b1_1']
    """

    id: ClassVar[str] = "tucker"
    title: ClassVar[str] = "Tucker tensor decomposition"
    example: ClassVar[str] = "--dims 2,2,2 --core 1,1,2 --true 1"

    dims: tuple[int, ...] = numbers_field("dimensions of the tensor, such as 3,3,3")
    core: tuple[int, ...] = numbers_field("dimensions of the core, such as 2,2,2")
    true: int = size_field("r, rank of the superdiagonal truth", least=0, default=0)

    def check(self) -> None:
        """Refuse an impossible truth."""
        if not 2 <= len(self.dims) <= 20 or len(self.core) != len(self.dims):
            raise InputError("dims and core must be equally many dimensions, from 2 to 20")
        if self.true > min(*self.dims, *self.core):
            raise InputError(f"rank {self.true} exceeds the smallest dimension")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        matrices = sum(d * c for d, c in zip(self.dims, self.core, strict=True))
        return prod(self.core) + matrices

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        return "at 0" if not self.true else "at the true factors and core, the spare ones zero"

    @property
    def deepest(self) -> bool:
        """Proved for the zero tensor, whose equations are homogeneous."""
        return self.true == 0

    def polynomials(self) -> Polynomials:
        """Write out the entries minus the truth."""
        check_term_count(prod(self.dims) * prod(self.core) * (len(self.dims) + 1))
        mode_letters = "abcdefhijklmnopqrstu"[: len(self.dims)]  # g is the core
        cells = list(product(*(range(1, k + 1) for k in self.core)))
        generators = []
        for index in product(*(range(1, d + 1) for d in self.dims)):
            terms = [
                "*".join(
                    [f"g{'_'.join(map(str, cell))}"]
                    + [f"{x}{i}_{k}" for x, i, k in zip(mode_letters, index, cell, strict=True)]
                )
                for cell in cells
            ]
            truth = int(len(set(index)) == 1 and index[0] <= self.true)
            generators.append(text_minus(text_of_sum(terms), truth))
        at = {f"{x}{i}_{i}": 1 for x in mode_letters for i in range(1, self.true + 1)}
        at |= {"g" + "_".join([str(i)] * len(self.dims)): 1 for i in range(1, self.true + 1)}
        return Polynomials(generators, at)

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """The same equations; the truth is diagonal."""
        return (FibreEquations(self.polynomials().generators),)


MODEL = TuckerDecomposition
