"""Completing powers: Tschirnhaus' change of coordinates, again and again."""

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.germs import uniform
from rlct.engine.germs.coordinate import change_coordinate
from rlct.engine.germs.family import Family, family_of_germ
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


@dataclass(frozen=True)
class Chain(Step):
    """Steps with one child each; ``inner`` are those after the first, outermost first."""

    inner: tuple[Step, ...] = field(default=())

    def prove(self, solve: Callable[[Any], Proof]) -> Proof:
        """Solve the last child and wrap it."""
        proof = self.inner[-1].prove(solve) if self.inner else super().prove(solve)
        for step in reversed((self, *self.inner[:-1]) if self.inner else ()):
            proof = Proof(step.rule, proof.lower, proof.upper, step.data, (proof,))
        return proof


@germ_rule("powers", "polyhedra", RuleTrait.OUTERMOST | RuleTrait.MOVES)
def complete_powers(germ: Germ) -> Step | None:
    """c·x_i^k + x_i^(k−1)·b + …: the same pair in the coordinate x_i + b/(k·c), without x_i^(k−1).

    Condition: c ≠ 0 is a number, and no prior on x_i; ``theory/flows.md`` proves it.

    The coordinate x_i + b/(k·c) in place of x_i does, where c ≠ 0 is the coefficient of x_i^k; the
    same with a monomial in other variables as common factor.  First whatever makes the generators
    shorter, the shortest first; else shifts that are not inside the polyhedron, up to the
    point where the upper bound of the exponents, or else the forms that attain it, are smallest.
    """
    if germ.ring.ngens < 3:
        return None
    family = family_of_germ(germ)
    steps = _shorter(family) or _adapted(family)
    if not steps:
        return None
    (last,) = steps[-1].children
    assert isinstance(last, Family)
    forget = uniform.forget_parameters(last)
    assert forget is not None
    first, *rest = [*steps, forget]
    return Chain(first.rule, forget.children, same_bounds, first.data, tuple(rest))


def _shorter(family: Family) -> list[Step]:
    """Changes each of which leaves fewer terms."""
    steps: list[Step] = []
    while len(steps) < limits.MOST_ADAPT_CHANGES:
        best_step: tuple[int, Step] | None = None
        for step in islice(_changes(family, None), limits.MOST_ADAPT_CANDIDATES):
            size = _size(_child(step))
            if best_step is None or size < best_step[0]:
                best_step = size, step
        if best_step is None or best_step[0] >= _size(family):
            break
        steps.append(best_step[1])
        family = _child(best_step[1])
    return steps


def _adapted(family: Family) -> list[Step]:
    """Changes up to the smallest upper bound, or the shortest forms."""
    size_measures: list[Callable[[Family], Any]] = [_upper, _visible]
    best_values = [measure(family) for measure in size_measures]
    best_prefixes: list[list[Step]] = [[] for _ in size_measures]
    longest = 3 * _size(family) + limits.ADAPT_GROWTH
    steps: list[Step] = []
    while len(steps) < limits.MOST_ADAPT_CHANGES:
        step = next(_changes(family, _optimum(family).weight), None)
        if step is None:
            break
        family = _child(step)
        if _size(family) > longest or _longest(family) > limits.MOST_ADAPT_BITS:
            break
        steps.append(step)
        for k, measure in enumerate(size_measures):
            value = measure(family)
            if value < best_values[k]:
                best_values[k], best_prefixes[k] = value, list(steps)
    return next((prefix for prefix in best_prefixes if prefix), [])


def _child(step: Step) -> Family:
    (child,) = step.children
    assert isinstance(child, Family)
    return child


def _optimum(family: Family) -> MonomialOptimum:
    exponents = sorted({m for g in family.generators for m in g.itermonoms()})
    return monomial_optimum(exponents, family.prior)


def _upper(family: Family) -> Pair:
    return _optimum(family).pair


def _whole(weight: Sequence[Fraction]) -> list[int]:
    """The same order of terms by whole numbers, which are compared much faster."""
    unit = math.lcm(*(w.denominator for w in weight))
    return [int(w * unit) for w in weight]


def _lowest(g: Polynomial, weight: Sequence[int]) -> list[tuple[int, ...]]:
    orders = {m: _order(m, weight) for m in g.itermonoms()}
    least = min(orders.values())
    return [m for m, order in orders.items() if order == least]


def _visible(family: Family) -> int:
    """Terms of the lowest forms under the optimal weight."""
    weight = _whole(_optimum(family).weight)
    return sum(len(_lowest(g, weight)) for g in family.generators)


def _size(family: Family) -> int:
    return sum(map(len, family.generators))


def _longest(family: Family) -> int:
    return max(
        max(int(c.numerator).bit_length(), int(c.denominator).bit_length())
        for g in family.generators
        for c in g.itercoeffs()
    )


def _changes(family: Family, weight: Sequence[Fraction] | None) -> Iterator[Step]:
    """Changes that complete a power; with a weight, by terms that are not above that of x_i."""
    d = family.ring.ngens
    term_weights = _whole(_optimum(family).weight if weight is None else weight)
    shift_candidates: list[tuple[int, int, int, int, Polynomial]] = []
    for g in family.generators:
        if len(g) > limits.MOST_ADAPT_TERMS:
            continue
        heads = set(_lowest(g, term_weights)) | set(_lowest(g, (1,) * d))
        for head_exponent in sorted(heads) if len(heads) <= limits.MOST_ADAPT_HEADS else ():
            for i, k in enumerate(head_exponent):
                if not k or family.prior[i]:
                    continue
                base = tuple(e - (j == i) for j, e in enumerate(head_exponent))
                terms = {
                    tuple(a - b for a, b in zip(m, base, strict=True)): c
                    for m, c in g.terms()
                    if m[i] == k - 1 and all(a >= b for a, b in zip(m, base, strict=True))
                }
                terms = {m: c / (k * g[head_exponent]) for m, c in terms.items() if any(m)}
                orders = {m: _order(m, term_weights) for m in terms}
                if weight is not None:
                    terms = {m: c for m, c in terms.items() if orders[m] <= term_weights[i]}
                if terms and len(terms) <= limits.MOST_SHIFT_TERMS:
                    b = g.ring.from_dict(terms)
                    shift_candidates.append((k, min(orders.values()), i, len(b), b))
    shift_candidates.sort(key=lambda item: (-item[0], *item[1:4]))
    tried_shifts = []
    for _, _, i, _, b in shift_candidates:
        if (i, b) not in tried_shifts:
            tried_shifts.append((i, b))
            yield change_coordinate(family, i, family.ring.one, b)


def _order(m: Sequence[int], weight: Sequence[int]) -> int:
    return sum(map(operator.mul, weight, m))
