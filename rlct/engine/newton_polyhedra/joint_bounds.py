"""Bounds of a cell of weights on which the initial forms of some generators are constant."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Any

from rlct.algebra.exact_rank import matrix_rank
from rlct.algebra.polynomial import Terms
from rlct.engine import limits
from rlct.engine.newton_polyhedra.joint_zeros import (
    exponent_steps,
    independent_differentials,
    never_together,
    subsets_of,
)
from rlct.newton.cone_programme import ConeProgramme, Multipliers
from rlct.newton.nondegeneracy import has_one_sign, sign_change
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers

Exponent = tuple[int, ...]
InitialForms = Mapping[int, Terms]


@dataclass(frozen=True)
class Cell:
    """Weights w > 0 with z·w = 0 and p·w > 0, the initial forms known there, some weights."""

    positive: tuple[Exponent, ...] = ()
    zero: tuple[Exponent, ...] = ()
    forms: InitialForms = field(default_factory=dict)
    samples: tuple[Exponent, ...] = ()


class CellBounds:
    """Bounds of cells; ``theory/polyhedra.md`` proves them.

    ``costs`` are one more than the exponents of the prior.
    """

    def __init__(self, costs: Sequence[Fraction]) -> None:
        self._costs = costs
        self._judged_forms: dict[tuple[Any, ...], tuple[bool, bool]] = {}

    def lower(
        self,
        cell: Cell,
        of_one_sign: Sequence[int],
        mixed_subset: Sequence[int],
        goal_pair: Pair | None = None,
    ) -> tuple[Pair, dict[str, Any]] | None:
        """Pair by these generators, the chosen ones of which may vanish, and its evidence."""
        joint_sets = self.joint_sets(cell, mixed_subset)
        if joint_sets is None:
            return None
        cases, case_pairs = [], []
        for zero_set in joint_sets:
            known_generators = [*of_one_sign, *mixed_subset]
            terms = [next(iter(cell.forms[i])) for i in known_generators]
            places = [known_generators.index(i) for i in zero_set]
            programme = ConeProgramme(self._costs, terms, places, cell.positive, cell.zero)
            value = programme.value
            if goal_pair is not None and value is not None and value < 2 * goal_pair.lam:
                return None
            multipliers = programme.multipliers(2 * sum(self._costs, Fraction(1)))
            pair = self._pair(cell, known_generators, zero_set, multipliers)
            if goal_pair is not None and pair < goal_pair:
                return None
            case_pairs.append(pair)
            numbers = [[known_generators[k], str(y)] for k, y in multipliers.terms.items()]
            cases.append(
                {"zeros": list(zero_set), "generators": numbers, **encode_multipliers(multipliers)}
            )
        return min(case_pairs), {"cases": cases}

    def joint_sets(self, cell: Cell, mixed_subset: Sequence[int]) -> list[tuple[int, ...]] | None:
        """The largest sets that may vanish together; None if their forms may be dependent."""
        excluded_sets: list[set[int]] = []
        joint_sets: list[tuple[int, ...]] = [()]
        for vanishing_set in subsets_of(mixed_subset):
            if any(other <= set(vanishing_set) for other in excluded_sets):
                continue
            key = tuple((i, tuple(cell.forms[i])) for i in vanishing_set)
            if key not in self._judged_forms:
                forms = [cell.forms[i] for i in vanishing_set]
                self._judged_forms[key] = independent_differentials(forms), never_together(forms)
            regular, empty = self._judged_forms[key]
            if not regular:
                return None
            if empty:
                excluded_sets.append(set(vanishing_set))
            else:
                joint_sets.append(vanishing_set)
        return [a for a in joint_sets if not any(set(a) < set(b) for b in joint_sets)]

    def _pair(
        self,
        cell: Cell,
        known_generators: Sequence[int],
        zero_set: Sequence[int],
        multipliers: Multipliers,
    ) -> Pair:
        """Value of the multipliers; θ − 1 is at most the dimension of what they leave free."""
        width = len(self._costs) + len(zero_set)
        zero_padding = [0] * len(zero_set)
        reduced_costs = list(self._costs)
        equations: list[Sequence[int]] = []
        tight_generators = set()
        for k, y in multipliers.terms.items():
            a = next(iter(cell.forms[known_generators[k]]))
            reduced_costs = [x - y * e for x, e in zip(reduced_costs, a, strict=True)]
            equations.append([*a, *(int(known_generators[k] == i) for i in zero_set)])
            if known_generators[k] in zero_set and y == 1:
                tight_generators.add(known_generators[k])
        for rows, values in ((cell.positive, multipliers.positive), (cell.zero, multipliers.zero)):
            for k, y in values.items():
                reduced_costs = [x - y * e for x, e in zip(reduced_costs, rows[k], strict=True)]
        equations += [[*cell.positive[k], *zero_padding] for k in multipliers.positive]
        equations += [[*row, *zero_padding] for row in cell.zero]
        fixed = [j for j, x in enumerate(reduced_costs) if x]
        fixed += [len(self._costs) + k for k, i in enumerate(zero_set) if i not in tight_generators]
        equations += [[int(j == k) for k in range(width)] for j in fixed]
        total = sum(multipliers.terms.values(), Fraction(0))
        return Pair(total / 2, max(1, 1 + width - matrix_rank(equations)))

    def attained(self, cell: Cell, pair: Pair) -> tuple[Pair, dict[str, Any]] | None:
        """A common zero at which the bound is attained, with independent optimal weights."""
        others = [i for i in cell.forms if not has_one_sign(cell.forms[i])]
        joint_sets = self.joint_sets(cell, others)
        for zeros in joint_sets or ():
            signs = common_zero([cell.forms[i] for i in zeros]) if zeros else None
            if signs is None:
                continue
            weights = self._optimal(cell, zeros, 2 * pair.lam)
            if weights:
                data = {
                    "zeros": list(zeros),
                    "weights": [encode_numbers(w) for w in weights],
                    "inside": list(cell.samples[0]),
                    "signs": signs,
                }
                return Pair(pair.lam, len(weights)), data
        return None

    def _optimal(self, cell: Cell, zeros: Sequence[int], value: Fraction) -> list[list[Fraction]]:
        """Affinely independent weights of a value, by small changes of the costs."""
        known = list(cell.forms)
        terms = [next(iter(cell.forms[i])) for i in known]
        places = [known.index(i) for i in zeros]
        costs = [*self._costs, *(Fraction(1) for _ in zeros)]
        rng = random.Random(0)
        optimal_weights: list[list[Fraction]] = []
        for k in range(limits.JOINT_TILTS):
            tilted = [c + Fraction(rng.randint(0, 99) * bool(k), 10**6) for c in self._costs]
            weight = ConeProgramme(tilted, terms, places, cell.positive, cell.zero).weight()
            if sum(map(mul, weight, costs)) != value:
                continue
            spread = [[x - y for x, y in zip(w, weight, strict=True)] for w in optimal_weights]
            if matrix_rank(spread) == len(spread):
                optimal_weights.append(weight)
        return optimal_weights


def encode_multipliers(multipliers: Multipliers) -> dict[str, Any]:
    """Multipliers of the rows of the cone, without empty lists."""
    rows = {"positive": multipliers.positive, "zero": multipliers.zero}
    return {key: [[k, str(y)] for k, y in part.items()] for key, part in rows.items() if part}


def common_zero(forms: Sequence[Terms]) -> list[Any] | None:
    """Evidence of a common zero in the real torus: signs of the variables, or two points."""
    if len(steps := exponent_steps(forms)) == matrix_rank(steps):
        width = len(next(iter(forms[0])))
        for number in range(2 ** min(width, 12)):
            signs = [-1 if number >> k & 1 else 1 for k in range(width)]
            if all(_both_signs(form, signs) for form in forms):
                return signs
        return None
    if len(forms) == 1:
        points = sign_change(forms[0])
        return None if points is None else [[str(v) for v in point] for point in points]
    return None


def _both_signs(form: Terms, signs: Sequence[int]) -> bool:
    signs_of_terms = set()
    for a, c in form.items():
        odd = sum(e for e, s in zip(a, signs, strict=True) if s < 0) % 2
        signs_of_terms.add((c > 0) != bool(odd))
    return len(signs_of_terms) == 2
