"""A Newton polyhedron for each factor of one generator."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import content_and_factors, terms_of
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, unit_beside
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.newton_polyhedra.division import TooLongError, WeightDivision
from rlct.engine.newton_polyhedra.joint_bounds import Cell, common_zero
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import has_one_sign
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


@germ_rule("factor-polyhedra", "exact-newton", RuleTrait.OUTERMOST | RuleTrait.NO_CHARTS)
def polyhedra_of_factors(germ: Germ) -> Proof | None:
    """(u·Π f_i^e_i): the pair of all terms times Π (1/(2·e_i), 1) over factors that may vanish.

    Condition: u(0) ≠ 0, and for all weights w > 0 initial forms of the f_i that vanish together
    have independent differentials there, in (R∖0)^n.  ``theory/polyhedra.md`` proves it.
    """
    if germ.field is not None or len(germ.generators) > 1 or germ.ring.ngens < 3:
        return None
    (f,) = germ.generators
    factors = [(g, e) for g, e in content_and_factors(f)[1] if not constant_term(g)]
    sizes = [len(g) for g, _ in factors]
    if sum(size > 1 for size in sizes) < 2 or sum(sizes) > limits.MOST_DIVISION_TERMS:
        return None
    exponents = sorted(f.itermonoms())
    optimum = monomial_optimum(exponents, germ.prior)
    weight_division = _FactorDivision(factors, germ, optimum.pair)
    try:
        tree = weight_division.tree()
    except TooLongError:
        return None
    data = {
        "factors": [[encode_polynomial(g), e] for g, e in factors],
        "unit": encode_polynomial(unit_beside(f, factors)),
        "tree": tree,
        **encode_programme(optimum, [list(map(int, a)) for a in exponents]),
    }
    assert weight_division.lower is not None
    return Proof("factor-polyhedra", weight_division.lower, weight_division.upper, data)


class _FactorDivision(WeightDivision):
    """Cells on which the initial forms of all factors are constant."""

    def __init__(self, factors: Iterable[tuple[Any, int]], germ: Germ, hull: Pair) -> None:
        polynomials, self._exponents = zip(*factors, strict=True)
        generators = [terms_of(g) for g in polynomials]
        super().__init__(generators, germ.prior, hull, 0, limits.MOST_DIVISION_CELLS)
        self.lower = hull

    def early_leaf(self, cell: Cell) -> None:
        """No cell is left before all forms are known: every factor counts."""

    def last_leaf(self, cell: Cell) -> dict[str, Any]:
        """Bound a cell; the search ends where forms may be dependent."""
        joint_sets = self.cell_bounds.joint_sets(
            cell, [i for i, form in cell.forms.items() if not has_one_sign(form)]
        )
        if joint_sets is None:
            raise TooLongError
        leaf: dict[str, Any] = {}
        for vanishing_set in filter(None, joint_sets):
            crossing_pair = Pair.product(
                Pair(Fraction(1, 2 * self._exponents[i]), 1) for i in vanishing_set
            )
            assert self.lower is not None
            self.lower = min(self.lower, self.goal * crossing_pair)
            if crossing_pair >= self.upper:
                continue
            signs = common_zero([cell.forms[i] for i in vanishing_set])
            if signs is not None:
                self.upper = crossing_pair
                inside = list(cell.samples[0])
                leaf = {"zeros": list(vanishing_set), "inside": inside, "signs": signs}
        return leaf
