"""Generators whose exponents differ by independent vectors: one linear programme is enough."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product
from operator import mul
from typing import Any

from rlct.algebra.exact_rank import matrix_rank
from rlct.algebra.polynomial import Terms, terms_of
from rlct.engine import limits
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.newton_polyhedra.joint_bounds import common_zero
from rlct.newton.cone_programme import Multipliers, interior_weight
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.newton.nondegeneracy import has_one_sign
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Exponent = tuple[int, ...]


def independent_ideal(germ: Germ) -> Proof | None:
    """Σ_j c_kj·x^a_kj, k = 1, …, r: the pair of the monomials x^a_kj·z_k, z_k new variables.

    Condition: a_kj − a_k0 are independent vectors; ``theory/independent.md`` proves it.
    """
    if germ.field is not None:
        return None
    generators = [terms_of(g) for g in germ.generators]
    forms = [{a: g[a] for a in least_terms(g)} for g in generators]
    if all(len(form) == 1 for form in forms):
        return None
    independent = IndependentForms(dict(enumerate(forms)), germ.prior, range(len(germ.prior)))
    pair_bound = independent.bound(generators)
    if pair_bound is None:
        return None
    lower, data, attained = pair_bound
    return Proof("independent", lower, lower if attained else None, data)


def least_terms(g: Terms) -> list[Exponent]:
    """Terms that no other one divides."""
    return sorted(
        a
        for a in g
        if not any(b != a and all(x <= y for x, y in zip(b, a, strict=True)) for b in g)
    )


@dataclass(frozen=True)
class IndependentForms:
    """Sums Σ c·x^a of generators, by their number; c is a number, or 0 for a unit of any sign."""

    forms: Mapping[int, Mapping[Exponent, Fraction]]
    prior: Sequence[Fraction]
    #: Those in which the differences of exponents have to be independent.
    local_variables: Sequence[int]

    def bound(
        self, generators: Sequence[Iterable[Exponent]] | None
    ) -> tuple[Pair, dict[str, Any], bool] | None:
        """The bound from below, its evidence, and whether 0 attains it for these generators.

        With None for their terms 0 is not asked.
        """
        used_forms = self._chosen()
        if not used_forms:
            return None
        mixed_forms = [k for k in used_forms if self._is_mixed(k)]
        rows = [
            (*a, *(int(k == n) for n in mixed_forms))
            for k in used_forms
            for a in sorted(self.forms[k])
        ]
        prior = [*self.prior, *(Fraction(0) for _ in mixed_forms)]
        optimum = monomial_optimum(rows, prior)
        tied_terms = None
        if generators is not None:
            blank = (0,) * len(mixed_forms)
            earlier_forms = [
                (*a, *blank) for k, g in enumerate(generators) if k not in used_forms for a in g
            ]
            is_zero = all(map(any, earlier_forms))
            stronger = monomial_optimum([*rows, *earlier_forms], prior) if is_zero else None
            if stronger is not None and stronger.pair == optimum.pair:
                # The same multipliers, and weights that hold for the other generators too.
                optimum = MonomialOptimum(optimum.pair, stronger.points, optimum.multipliers)
                tied_terms = self._ties(mixed_forms, optimum)
        data = {"generators": used_forms, **encode_programme(optimum, [list(row) for row in rows])}
        if tied_terms is not None:
            data["attained"] = tied_terms
        return optimum.pair, data, tied_terms is not None

    def _is_mixed(self, k: int) -> bool:
        form = self.forms[k]
        return len(form) > 1 and (not all(form.values()) or not has_one_sign(dict(form)))

    def _chosen(self) -> list[int]:
        """Generators whose differences are independent, the shortest first."""
        used_forms: list[int] = []
        steps: list[list[int]] = []
        for k in sorted(self.forms, key=lambda k: (len(self.forms[k]), k)):
            first, *later_exponents = sorted(self.forms[k])
            if not self._is_mixed(k):
                used_forms += [k] if any(first) else []  # else there is no zero
                continue
            differences = [[a[i] - first[i] for i in self.local_variables] for a in later_exponents]
            if matrix_rank([*steps, *differences]) == len(steps) + len(differences):
                used_forms.append(k)
                steps += differences
        return sorted(used_forms)

    def _ties(self, mixed_forms: Sequence[int], optimum: MonomialOptimum) -> dict[str, Any] | None:
        """A weight w > 0 that ties terms of both signs of each form whose new variable counts."""
        width = len(self.prior)
        mean = optimum.weight
        counted_forms = [k for n, k in enumerate(mixed_forms) if mean[width + n]]
        if not counted_forms:
            return {}
        tight: list[list[Exponent]] = []
        for k in counted_forms:
            values = {a: sum(map(mul, mean, a)) for a in sorted(self.forms[k])}
            tight.append([a for a, value in values.items() if value == min(values.values())])
        for tied_rows in islice(_choices(tight), limits.MOST_TIES):
            signs = common_zero(
                [
                    {a: self.forms[k][a] for a in row}
                    for k, row in zip(counted_forms, tied_rows, strict=True)
                ]
            )
            if signs is None:
                continue
            zero, positive = [], []
            for k, row in zip(counted_forms, tied_rows, strict=True):
                zero += [_minus(a, row[0]) for a in row[1:]]
                positive += [_minus(a, row[0]) for a in self.forms[k] if a not in row]
            inside = interior_weight(width, positive, zero)
            if not isinstance(inside, Multipliers):
                return {"inside": list(map(int, inside)), "signs": signs}
        return None


def _choices(tight: Sequence[Sequence[Exponent]]) -> Iterator[tuple[Sequence[Exponent], ...]]:
    """All terms that optimal weights tie, then two of each form."""
    if any(len(row) < 2 for row in tight):
        return
    yield tuple(tight)
    yield from product(*(combinations(row, 2) for row in tight))


def _minus(a: Exponent, b: Exponent) -> Exponent:
    return tuple(x - y for x, y in zip(a, b, strict=True))


@germ_rule("independent", "discriminant", RuleTrait.NO_CHARTS)
def independent_exponents(germ: Germ) -> Proof | None:
    """`independent_ideal`: one linear programme for all faces.

    Condition: more variables than `polyhedra` takes, which looks at each face; the exponents of the
    generators differ by independent vectors (``theory/independent.md``).
    """
    if germ.ring.ngens <= limits.MOST_POLYHEDRA_VARIABLES:
        return None
    return independent_ideal(germ)
