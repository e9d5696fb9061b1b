"""Restricted Boltzmann machines without biases, at the uniform truth."""

from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, text_of_sum


@dataclass(frozen=True)
class BoltzmannMachine(Model):
    """p(x) ∝ Σ_y exp(Σ a_ij x_i y_j), units ±1, when the truth is uniform.

    With t_ij = tanh a_ij the sum over y is, up to a factor that does not depend on x,
    Π_j Σ_{|S| even} t_Sj x_S, t_Sj = Π_{i∈S} t_ij: a polynomial.  K is comparable with the
    squares of its coefficients of x_S, S ≠ ∅.  For M ≤ 3 or N ≤ 3 the scalar products of the rows
    of A are enough (theory page *rbm*).

    >>> BoltzmannMachine(3, 1).polynomials().generators
    ['a1_1*a2_1', 'a1_1*a3_1', 'a2_1*a3_1']
    """

    id: ClassVar[str] = "rbm"
    title: ClassVar[str] = "restricted Boltzmann machine"
    example: ClassVar[str] = "--visible 3 --hidden 2"

    visible: int = size_field("M, number of visible units", least=2)
    hidden: int = size_field("N, number of hidden units")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.visible * self.hidden

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        deepest = ", the deepest parameter of the uniform distribution" if self.deepest else ""
        return f"at A = 0{deepest}"

    @property
    def deepest(self) -> bool:
        """Proved where the scalar products of rows, which are homogeneous, are enough."""
        return min(self.visible, self.hidden) <= 3

    def polynomials(self) -> Polynomials:
        """Write out the scalar products of rows where they are enough, else all coefficients."""
        if min(self.visible, self.hidden) > 3:
            return Polynomials(self.coefficients())
        check_term_count(self.visible**2 * self.hidden)
        units = range(1, self.hidden + 1)
        return Polynomials(
            [
                text_of_sum(f"a{i}_{j}*a{k}_{j}" for j in units)
                for i, k in combinations(range(1, self.visible + 1), 2)
            ]
        )

    def coefficients(self) -> list[str]:
        """Write the coefficients of x_S, S ≠ ∅, with a_ij for tanh a_ij: the exact ideal."""
        M, N = self.visible, self.hidden
        check_term_count(2 ** min((M - 1) * N, 60) * N)
        even_subsets = [
            frozenset(subset)
            for count in range(0, M + 1, 2)
            for subset in combinations(range(1, M + 1), count)
        ]
        terms: dict[frozenset[int], list[str]] = {}
        for choice in product(even_subsets, repeat=N):
            whole: frozenset[int] = frozenset()
            for subset in choice:
                whole ^= subset
            factors = [f"a{i}_{j}" for j, s in enumerate(choice, start=1) for i in sorted(s)]
            if whole:
                terms.setdefault(whole, []).append("*".join(factors))
        return [text_of_sum(terms[subset]) for subset in even_subsets if subset]


MODEL = BoltzmannMachine
