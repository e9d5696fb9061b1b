"""Naive Bayes with two hidden classes and binary features, as moments."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, text_minus


@dataclass(frozen=True)
class NaiveBayes(Model):
    """Features that are independent within each of two hidden classes.

    Features that the truth does not make dependent are independent of everything.

    A table of 2^n probabilities is an invertible linear function of the moments E Π_{i∈S} X_i,
    so K is comparable with the squares of their errors.

    >>> NaiveBayes(2).polynomials().generators[2]
    'a*u1*u2 + (1 - a)*v1*v2'
    """

    id: ClassVar[str] = "naive-bayes"
    title: ClassVar[str] = "naive Bayes, two classes, binary features"
    example: ClassVar[str] = "--features 3"

    features: int = size_field("n, number of binary features")
    dependent: int = size_field(
        "features that depend on each other in the truth", least=0, default=0
    )

    def check(self) -> None:
        """Refuse an impossible truth."""
        if self.dependent == 1 or self.dependent > self.features:
            raise InputError(
                f"dependent must be 0 or from 2 to {self.features}, not {self.dependent}"
            )

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return 2 * self.features + 1

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if self.dependent:
            return "minimum over the fibre, all of whose parameters are alike"
        return "minimum over the fibre, reached where one class is empty (a = 0) and equal"

    def polynomials(self) -> Polynomials:
        """Write out the moments of features shifted by 1/2: u of class 1, v of class 2."""
        n, d = self.features, self.dependent
        check_term_count(2 * 2 ** min(n, 40))
        value = {i: Fraction(i <= d, 4) for i in range(1, n + 1)}
        generators = []
        for count in range(1, n + 1):
            for chosen in combinations(range(1, n + 1), count):
                u_product, v_product = _product("u", chosen), _product("v", chosen)
                truth = Fraction(1)
                for i in chosen:
                    truth *= value[i]
                truth = truth if count % 2 == 0 else Fraction(0)
                generators.append(text_minus(f"a*{u_product} + (1 - a)*{v_product}", truth))
        if d == 0:
            return Polynomials(generators, nonneg=["a"])
        at = {"a": Fraction(1, 2)}
        at |= {f"u{i}": value[i] for i in range(1, d + 1)}
        at |= {f"v{i}": -value[i] for i in range(1, d + 1)}
        return Polynomials(generators, at)


def _product(letter: str, chosen: Sequence[int]) -> str:
    return "*".join(f"{letter}{i}" for i in chosen)


MODEL = NaiveBayes
