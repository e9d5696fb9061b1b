"""Bounds of a cell of weights on which the initial forms of some generators are constant."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Any

from rlct.algebra.exact_rank import matrix_rank
from rlct.algebra.polynomial import Terms
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

__all__ = ["Bounds", "Cell", "Exponent", "Forms", "encoded"]

_TILTS = 16
Exponent = tuple[int, ...]
Forms = Mapping[int, Terms]


@dataclass(frozen=True)
class Cell:
    """Weights w > 0 with z·w = 0 and p·w > 0, the initial forms known there, some weights."""

    positive: tuple[Exponent, ...] = ()
    zero: tuple[Exponent, ...] = ()
    forms: Forms = field(default_factory=dict)
    samples: tuple[Exponent, ...] = ()


class Bounds:
    """Bounds of cells; ``theory/polyhedra.md`` proves them.

    Parameters
    ----------
    costs : sequence of Fraction
        One more than the exponents of the prior.
    """

    def __init__(self, costs: Sequence[Fraction]) -> None:
        self._costs = costs
        self._known: dict[tuple[Any, ...], tuple[bool, bool]] = {}

    def lower(
        self, cell: Cell, sure: Sequence[int], chosen: Sequence[int], goal: Pair | None = None
    ) -> tuple[Pair, dict[str, Any]] | None:
        """Pair by these generators, the chosen ones of which may vanish, and its evidence."""
        live = self._together(cell, chosen)
        if live is None:
            return None
        cases, pairs = [], []
        for zeros in live:
            known = [*sure, *chosen]
            terms = [next(iter(cell.forms[i])) for i in known]
            places = [known.index(i) for i in zeros]
            programme = ConeProgramme(self._costs, terms, places, cell.positive, cell.zero)
            value = programme.value
            if goal is not None and value is not None and value < 2 * goal.lam:
                return None
            found = programme.multipliers(2 * sum(self._costs, Fraction(1)))
            pair = self._pair(cell, known, zeros, found)
            if goal is not None and pair < goal:
                return None
            pairs.append(pair)
            numbers = [[known[k], str(y)] for k, y in found.terms.items()]
            cases.append({"zeros": list(zeros), "generators": numbers, **encoded(found)})
        return min(pairs), {"cases": cases}

    def _together(self, cell: Cell, chosen: Sequence[int]) -> list[tuple[int, ...]] | None:
        """The largest sets that may vanish together; None if their forms may be dependent."""
        never: list[set[int]] = []
        live: list[tuple[int, ...]] = [()]
        for some in subsets_of(chosen):
            if any(other <= set(some) for other in never):
                continue
            key = tuple((i, tuple(cell.forms[i])) for i in some)
            if key not in self._known:
                forms = [cell.forms[i] for i in some]
                self._known[key] = independent_differentials(forms), never_together(forms)
            regular, empty = self._known[key]
            if not regular:
                return None
            if empty:
                never.append(set(some))
            else:
                live.append(some)
        return [a for a in live if not any(set(a) < set(b) for b in live)]

    def _pair(
        self, cell: Cell, known: Sequence[int], zeros: Sequence[int], found: Multipliers
    ) -> Pair:
        """Value of the multipliers; θ − 1 is at most the dimension of what they leave free."""
        width = len(self._costs) + len(zeros)
        blank = [0] * len(zeros)
        rest = list(self._costs)
        equations: list[Sequence[int]] = []
        tight = set()
        for k, y in found.terms.items():
            a = next(iter(cell.forms[known[k]]))
            rest = [x - y * e for x, e in zip(rest, a, strict=True)]
            equations.append([*a, *(int(known[k] == i) for i in zeros)])
            if known[k] in zeros and y == 1:
                tight.add(known[k])
        for rows, values in ((cell.positive, found.positive), (cell.zero, found.zero)):
            for k, y in values.items():
                rest = [x - y * e for x, e in zip(rest, rows[k], strict=True)]
        equations += [[*cell.positive[k], *blank] for k in found.positive]
        equations += [[*row, *blank] for row in cell.zero]
        fixed = [j for j, x in enumerate(rest) if x]
        fixed += [len(self._costs) + k for k, i in enumerate(zeros) if i not in tight]
        equations += [[int(j == k) for k in range(width)] for j in fixed]
        total = sum(found.terms.values(), Fraction(0))
        return Pair(total / 2, max(1, 1 + width - matrix_rank(equations)))

    def attained(self, cell: Cell, pair: Pair) -> tuple[Pair, dict[str, Any]] | None:
        """A common zero at which the bound is attained, with independent optimal weights."""
        others = [i for i in cell.forms if not has_one_sign(cell.forms[i])]
        live = self._together(cell, others)
        for zeros in live or ():
            signs = _common_zero([cell.forms[i] for i in zeros]) if zeros else None
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
        found: list[list[Fraction]] = []
        for k in range(_TILTS):
            tilted = [c + Fraction(rng.randint(0, 99) * bool(k), 10**6) for c in self._costs]
            weight = ConeProgramme(tilted, terms, places, cell.positive, cell.zero).weight()
            if sum(map(mul, weight, costs)) != value:
                continue
            spread = [[x - y for x, y in zip(w, weight, strict=True)] for w in found]
            if matrix_rank(spread) == len(spread):
                found.append(weight)
        return found


def encoded(found: Multipliers) -> dict[str, Any]:
    """Multipliers of the rows of the cone, without empty lists."""
    rows = {"positive": found.positive, "zero": found.zero}
    return {key: [[k, str(y)] for k, y in part.items()] for key, part in rows.items() if part}


def _common_zero(forms: Sequence[Terms]) -> list[Any] | None:
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
    seen = set()
    for a, c in form.items():
        odd = sum(e for e, s in zip(a, signs, strict=True) if s < 0) % 2
        seen.add((c > 0) != bool(odd))
    return len(seen) == 2
