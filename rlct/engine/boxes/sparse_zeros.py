"""Zeros with few coordinates that are not 0, one of each kind, by terms that cancel others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, product
from math import comb

from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.algebra.polynomial import terms_of
from rlct.engine import limits
from rlct.engine.zeros.axis_roots import real_roots_in
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

Place = tuple[Fraction, ...]
Terms = dict[tuple[int, ...], Fraction]
_UNIT_VALUES = (Fraction(1), Fraction(-1))


@dataclass(frozen=True)
class SparseZero:
    """A zero, the rank of the derivative there, and a guess of λ."""

    point: Place
    #: As many generators are coordinates, so λ ≥ rank/2.
    rank: int
    #: Coordinates of the linear, the quadratic and the other terms, each with its weight.
    guess: Fraction


def sparse_zeros(problem: BoxProblem, budget: Budget) -> Iterator[SparseZero]:
    """Zeros by the number of moves from 0: coordinates become ±1, or roots of one equation.

    Where a generator does not vanish a move takes the variables of one more of its terms; at a zero
    one more variable, or one more term.  Of places whose generators look alike one is followed.
    """
    sparse_search = _SparseSearch(problem)
    numbers, found_kinds = count(), set[object]()
    pending_places = [(0, 0, next(numbers), sparse_search.start)]
    for _ in range(limits.MOST_SPARSE_PLACES):
        if not pending_places or budget.spent:
            return
        move_count, _, _, place_reached = heappop(pending_places)
        local_terms = [_moved(g, place_reached) for g in sparse_search.generators]
        kind = sparse_search.kind_of(place_reached, local_terms)
        if kind in found_kinds:
            continue
        found_kinds.add(kind)
        violated = [k for k, g in enumerate(local_terms) if any(not any(m) for m in g)]
        if violated:
            further_places = sparse_search.repaired(place_reached, violated)
        else:
            yield sparse_search.described(place_reached, local_terms)
            further_places = sparse_search.extended(place_reached)
        for further in further_places:
            distance = sparse_search.distance(further)
            heappush(pending_places, (move_count + 1, distance, next(numbers), further))


class _SparseSearch:
    """Places reached from the point of a box that is next to 0."""

    def __init__(self, problem: BoxProblem) -> None:
        self.generators = [terms_of(g) for g in problem.generators]
        self.sides, self.prior = problem.sides, problem.prior
        self.start = tuple(min(max(low, Fraction(0)), high) for low, high in problem.sides)

    def distance(self, zero: Place) -> int:
        """Number of coordinates that have been changed."""
        return sum(a != b for a, b in zip(zero, self.start, strict=True))

    def kind_of(self, zero: Place, local: Sequence[Terms]) -> object:
        """What equal germs have in common: degrees and coefficients, by generator and variable."""
        shapes = [{m: (sum(m), abs(c)) for m, c in g.items()} for g in local]
        of_variables = []
        for i, (a, side) in enumerate(zip(zero, self.sides, strict=True)):
            own = sorted((m[i], *shape[m]) for shape in shapes for m in shape if m[i])
            of_variables.append((a in side, self.prior[i] if not a else 0, tuple(own)))
        of_generators = sorted(tuple(sorted(shape.values())) for shape in shapes)
        return tuple(of_generators), tuple(sorted(of_variables))

    def described(self, zero: Place, local: Sequence[Terms]) -> SparseZero:
        """A zero with its rank, and a guess of λ from the terms of degree 1, 2 and more."""
        width = len(zero)
        linear = [[g.get(_unit(width, i), Fraction(0)) for i in range(width)] for g in local]
        rank = rank_modulo_prime(linear) if width else 0
        used = {i for row in linear for i, c in enumerate(row) if c}
        guess = Fraction(rank, 2)
        for degree in (2, 3):
            new = {i for g in local for m in g if sum(m) == degree for i, e in enumerate(m) if e}
            guess += Fraction(len(new - used), 2 * degree)
            used |= new
        return SparseZero(zero, rank, guess)

    def repaired(self, zero: Place, violated: Sequence[int]) -> Iterator[Place]:
        """Places where a generator that did not vanish does, by one more of its terms."""
        g = min((self.generators[k] for k in violated), key=len)
        for m in g:
            missing = [i for i, e in enumerate(m) if e and zero[i] == self.start[i]]
            if not missing:
                continue
            *earlier_missing, last = missing
            for values in product(*(self._simple(i) for i in earlier_missing)):
                filled = list(zero)
                for i, value in zip(earlier_missing, values, strict=True):
                    filled[i] = value
                for root in _roots(_restricted(g, filled, last), self.sides[last]):
                    if root != zero[last]:
                        yield (*filled[:last], root, *filled[last + 1 :])

    def extended(self, zero: Place) -> Iterator[Place]:
        """One more variable, or the variables of one more term."""
        chosen = {frozenset({i}) for i in range(len(zero))}
        for g in self.generators:
            chosen |= {frozenset(i for i, e in enumerate(m) if e) for m in g}
        for indices in sorted(chosen, key=sorted):
            missing = [i for i in sorted(indices) if zero[i] == self.start[i]]
            values = [self._simple(i)[:1] for i in missing]
            if missing and all(values):
                filled = list(zero)
                for i, (value,) in zip(missing, values, strict=True):
                    filled[i] = value
                yield tuple(filled)

    def _simple(self, i: int) -> list[Fraction]:
        low, high = self.sides[i]
        inside = [a for a in _UNIT_VALUES if low <= a <= high and a != self.start[i]]
        return inside or [a for a in (high, low) if a != self.start[i]][:1]


def _unit(width: int, i: int) -> tuple[int, ...]:
    return tuple(int(k == i) for k in range(width))


def _moved(g: Terms, zero: Place) -> Terms:
    """The terms of g(zero + x)."""
    moved_terms: Terms = {}
    for m, c in g.items():
        parts: list[tuple[tuple[int, ...], Fraction]] = [(m, c)]
        for i, a in enumerate(zero):
            if a and m[i]:
                parts = [
                    ((*n[:i], k, *n[i + 1 :]), b * comb(m[i], k) * a ** (m[i] - k))
                    for n, b in parts
                    for k in range(m[i] + 1)
                ]
        for n, b in parts:
            moved_terms[n] = moved_terms.get(n, Fraction(0)) + b
    return {n: b for n, b in moved_terms.items() if b}


def _restricted(g: Terms, zero: Sequence[Fraction], i: int) -> tuple[Fraction, ...]:
    """Coefficients of g in x_i alone, from the constant term up."""
    dense: dict[int, Fraction] = {}
    for m, c in g.items():
        for k, e in enumerate(m):
            if e and k != i:
                c = c * zero[k] ** e
        dense[m[i]] = dense.get(m[i], Fraction(0)) + c
    return tuple(dense.get(k, Fraction(0)) for k in range(max(dense) + 1))


def _roots(dense: tuple[Fraction, ...], side: tuple[Fraction, Fraction]) -> list[Fraction]:
    """Rational roots in an interval."""
    if len([c for c in dense if c]) < 2:
        return []
    while not dense[-1]:
        dense = dense[:-1]
    found = (root.rational for root in real_roots_in(list(dense), *side))
    return sorted((a for a in found if a is not None), key=lambda a: (abs(a), -a))
