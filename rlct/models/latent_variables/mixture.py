"""Finite mixtures, as moments of the mixing measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import (
    FibreEquations,
    Model,
    Polynomials,
    concentration_field,
    flag_field,
    size_field,
)
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_power, text_of_sum


@dataclass(frozen=True)
class Mixture(Model):
    """p(x) = Σ_h a_h f(x | b_h) with H components, when r of them are true.

    For Gaussian (known covariance), Poisson, binomial and multinomial components the moments
    Σ a_h b_h^I of degree ≤ n are means of fixed functions of x, and K is comparable with the
    squares of their errors (theory page *mixture*).

    >>> asked = Mixture(2, 1).polynomials()
    >>> asked.generators, asked.nonneg
    (['(1 - a2)*b1_1 + a2*b1_2', '(1 - a2)*b1_1**2 + a2*b1_2**2'], ['a2'])
    """

    id: ClassVar[str] = "mixture"
    title: ClassVar[str] = "finite mixture"
    example: ClassVar[str] = "--components 3 --true 1"

    #: 1 ≤ r ≤ H.
    components: int = size_field("H, number of components")
    true: int = size_field("r, number of true components")
    dimension: int = size_field("d, parameters per component", default=1)
    concentration: Fraction = concentration_field()  # noqa: RUF009 - a field
    #: A normal mixture as a regression; only for d = 1 and the uniform prior.
    signed: bool = flag_field("weights of any sign with sum 1, instead of the simplex")
    #: The moments stop there.
    trials: int | None = size_field("trials of binomial or multinomial components", default=None)

    def check(self) -> None:
        """Refuse impossible combinations."""
        if self.true > self.components:
            raise InputError(f"{self.true} true components exceed {self.components}")
        if self.signed and (self.dimension > 1 or self.concentration != 1 or self.trials):
            raise InputError("signed weights need dimension 1, concentration 1 and no trials")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.components * (self.dimension + 1) - 1

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if self.components == self.true:
            return "at the true parameter"
        place = "with spare weights 0 at a true component"
        return f"minimum over the fibre, reached {place}" if self.deepest else place

    @property
    def deepest(self) -> bool:
        """Proved if the moments that are seen determine the truth."""
        return self.trials is None or self.trials >= 2 * self.true

    @property
    def degree(self) -> int:
        """Degree up to which moments are written out."""
        H, r = self.components, self.true
        seen = H + r - 1 if self.dimension == 1 else 2 * r if r < H else 2 * r - 1
        return min(seen, self.trials or seen)

    def true_component(self, number: int) -> tuple[int, ...]:
        """Return the true component i of 0, …, r − 1: i·e_1, or (i, i³, i⁵, …), modulo 29 but i.

        The second if the trials are so few that it matters for three components or more whether
        they lie on a line.

        >>> Mixture(3, 3, dimension=2).true_component(2)
        (2, 0)
        >>> Mixture(3, 3, dimension=2, trials=4).true_component(2)
        (2, 8)
        """
        if self.true < 3 or self.trials is None or self.trials >= 2 * self.true:
            return (number, *[0] * (self.dimension - 1))
        return (number, *(pow(number, 2 * j + 1, 29) for j in range(1, self.dimension)))

    def polynomials(self) -> Polynomials:
        """Write out the moments; true components of equal weights at `true_component`."""
        H, r, d = self.components, self.true, self.dimension
        check_term_count(comb(self.degree + d, d) * H * H)
        weights = [f"a{h}" for h in range(2, H + 1)]
        first = f"(1 - {' - '.join(weights)})" if weights else "1"
        points = [self.true_component(i) for i in range(r)]
        generators = []
        for degree in range(1, self.degree + 1):
            for index in combinations_with_replacement(range(1, d + 1), degree):
                terms = [
                    f"{weight}*{_monomial(index, h)}"
                    for h, weight in enumerate([first, *weights], start=1)
                ]
                values = (prod(points[i][j - 1] for j in index) for i in range(r))
                generators.append(text_minus(text_of_sum(terms), Fraction(sum(values), r)))
        at: dict[str, Fraction] = {
            f"b{j}_{h}": Fraction(value)
            for h in range(2, r + 1)
            for j, value in enumerate(points[h - 1], start=1)
            if value
        }
        at |= {f"a{h}": Fraction(1, r) for h in range(2, r + 1)}
        if self.signed:
            return Polynomials(generators, at)
        spare = [f"a{h}" for h in range(r + 1, H + 1)]
        prior = {a: self.concentration - 1 for a in spare if self.concentration != 1}
        return Polynomials(generators, at, prior, spare)

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """The same equations, for weights of any sign with sum 1, if the prior is bounded."""
        if self.concentration < 1:
            return ()
        asked = self.polynomials()
        return (FibreEquations(asked.generators, complete=False, at=asked.at),)


def _monomial(index: tuple[int, ...], component: int) -> str:
    return "*".join(text_of_power(f"b{j}_{component}", index.count(j)) for j in sorted(set(index)))


MODEL = Mixture
