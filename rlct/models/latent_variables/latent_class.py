"""Latent class models with categorical features, at one or more true classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from random import Random
from typing import Any, ClassVar, Final

from rlct.algebra.exact_rank import RESIDUE_PRIME
from rlct.errors import InputError
from rlct.models.base import (
    FibreEquations,
    Model,
    Polynomials,
    concentration_field,
    numbers_field,
    size_field,
)
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_product, text_of_sum

_LARGEST_DRAW: Final = 99_999  # of the random numbers at which ranks are taken


@dataclass(frozen=True)
class LatentClass(Model):
    """Features that are independent within each of H hidden classes.

    A table of positive probabilities is regular in its entries, so K is comparable with the
    squares of the errors of the moments of the indicators of all but one category.

    >>> LatentClass(2, 1, (2, 2)).polynomials().generators[-1]
    '(1 - a2)*f1_1_1*f1_2_1 + a2*f2_1_1*f2_2_1'
    """

    id: ClassVar[str] = "latent-class"
    title: ClassVar[str] = "latent class model, categorical features"
    example: ClassVar[str] = "--classes 2 --true 1 --categories 2,2"

    classes: int = size_field("H, number of classes")
    true: int = size_field("r, number of true classes")
    categories: tuple[int, ...] = numbers_field(
        "categories of each feature, such as 2,2,3", least=2
    )
    concentration: Fraction = concentration_field()  # noqa: RUF009 - a field

    def check(self) -> None:
        """Refuse more true classes than there are."""
        if self.true > self.classes:
            raise InputError(f"{self.true} true classes exceed {self.classes}")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.classes * (sum(self.categories) - len(self.categories) + 1) - 1

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        place = "with spare classes of weight 0 that are equal to the first true one"
        return f"minimum over the fibre, reached {place}" if self.deepest else place

    @property
    def deepest(self) -> bool:
        """Proved for one true class and at most one spare one."""
        return self.true == 1 and self.classes <= 2

    def random_classes(self) -> list[list[list[int]]]:
        """Return a vector 1, x_2, …, x_m of random integers for each true class and feature.

        >>> [len(vector) for vector in LatentClass(1, 1, (2, 3)).random_classes()[0]]
        [2, 3]
        """
        rng = Random(self.true)
        return [
            [[1, *(rng.randint(1, _LARGEST_DRAW) for _ in range(m - 1))] for m in self.categories]
            for _ in range(self.true)
        ]

    def cell_derivative(self, cells: Any) -> Any:
        """Derivative of cells of Σ_h a_h x_h1 ⊗ x_h2 ⊗ … at `random_classes`, modulo 2³¹ − 1.

        A weight multiplies columns alone, and changes no rank: one more than of probabilities.
        """
        import numpy as np

        columns = []
        for vectors in self.random_classes():
            own = [np.array(x)[index] for x, index in zip(vectors, cells.T, strict=True)]
            columns.append(_residue_product(own))
            for i, size in enumerate(self.categories):
                cofactor = _residue_product(own[:i] + own[i + 1 :])
                columns += [cofactor * (cells[:, i] == k) for k in range(1, size)]
        return np.stack(columns, axis=1)

    def polynomials(self) -> Polynomials:
        """Write out the moments of shifted indicators; true classes of equal weights at `_true`."""
        r = self.true
        check_term_count(prod(self.categories) * self.classes * len(self.categories))
        weights = [f"a{h}" for h in range(2, self.classes + 1)]
        first = _rest(self.classes)
        generators = []
        for cell in product(*(range(m) for m in self.categories)):
            chosen = [(i, c) for i, c in enumerate(cell, start=1) if c]
            if chosen:
                terms = [
                    text_of_product([weight, *(f"f{h}_{i}_{c}" for i, c in chosen)])
                    for h, weight in enumerate([first, *weights], start=1)
                ]
                values = (prod(_true(h, i, c) for i, c in chosen) for h in range(r))
                truth = Fraction(sum(values), r)
                generators.append(text_minus(text_of_sum(terms), truth))
        generators.sort(key=len)
        spare_weights = weights[r - 1 :]
        prior = {a: self.concentration - 1 for a in spare_weights if self.concentration != 1}
        at = {f"a{h}": Fraction(1, r) for h in range(2, r + 1)}
        at |= {
            f"f{h}_{i}_{c}": Fraction(_true(h - 1, i, c))
            for h in range(2, r + 1)
            for i, m in enumerate(self.categories, start=1)
            for c in range(1, m)
        }
        return Polynomials(generators, at, prior, spare_weights)

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """The same equations, for weights of any sign with sum 1, if the prior is bounded.

        All weights are variables, and their sum a coordinate more.  Two true classes and two
        features or more are a tensor Σ a_h x_h ⊗ y_h ⊗ … = diag(1, 1, 0, …), with the sum of the
        weights as that coordinate, and a scaling of each vector.
        """
        if self.concentration < 1:
            return ()
        asked = self.polynomials()
        if self.true > 2 or self.classes == 1 or len(self.categories) < 2:
            return (FibreEquations(asked.generators, complete=False, at=asked.at),)
        if self.true == 1:
            total = text_of_sum(f"a{h}" for h in range(1, self.classes + 1))
            moments = [g.replace(f"({_rest(self.classes)})", "a1", 1) for g in asked.generators]
            equations = [text_minus(total, 1), *moments]
            return (FibreEquations(equations, complete=False, extra_coordinates=1),)
        check_term_count(prod(self.categories) * self.classes * (1 + len(self.categories)))
        entries = [
            text_minus(
                text_of_sum(
                    text_of_product(
                        [f"a{h}", *(f"x{h}_{i}_{k}" for i, k in enumerate(cell, start=1))]
                    )
                    for h in range(1, self.classes + 1)
                ),
                int(len(set(cell)) == 1 and cell[0] <= 2),
            )
            for cell in product(*(range(1, m + 1) for m in self.categories))
        ]
        modes = range(1, len(self.categories) + 1)
        true_terms = {f"a{h}": 1 for h in (1, 2)}
        true_terms |= {f"x{h}_{i}_{h}": 1 for h in (1, 2) for i in modes}
        return (FibreEquations(entries, complete=False, extra_coordinates=1, at=true_terms),)


def _residue_product(factors: Sequence[Any]) -> Any:
    return reduce(lambda a, b: a * b % RESIDUE_PRIME, factors, 1)


def _true(class_number: int, feature: int, category: int) -> int:
    """The true value of a class counted from 0: 0, 1, and numbers without a pattern."""
    return int(pow(class_number, feature * category + 1, 19))


def _rest(classes: int) -> str:
    """The weight of the first class."""
    weights = [f"a{h}" for h in range(2, classes + 1)]
    return f"1 - {' - '.join(weights)}" if weights else "1"


MODEL = LatentClass
