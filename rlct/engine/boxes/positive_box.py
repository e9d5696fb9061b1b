"""Boxes on which the terms of K cannot cancel: the least pair is that of one point."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from rlct.algebra.polynomial import Polynomial, terms_of, value_at
from rlct.engine import limits
from rlct.engine.germs.step import same_bounds
from rlct.errors import InputError
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem

Side = tuple[Fraction, Fraction]

_POSITIVE_SIGN: tuple[bool, tuple[int, ...]] = (True, ())


def prove_positive(problem: BoxProblem, prove_point: Callable[[Problem], Proof]) -> Proof | None:
    """The least pair is that at the point of the box with as many coordinates 0 as possible.

    If on the box all terms of a generator have one sign, in variables that are 0 at the origin or
    at a corner of it (``theory/points.md``, Terms that cannot cancel).  InputError if K has no zero
    in the box.
    """
    for corner in _corners(problem):
        sides = tuple((a - c, b - c) for c, (a, b) in zip(corner, problem.sides, strict=True))
        ring = problem.generators[0].ring
        shifts = zip(ring.gens, corner, strict=True)
        moves = [(x, x + ring.domain(c.numerator, c.denominator)) for x, c in shifts if c]
        generators = [g.compose(moves) if moves else g for g in problem.generators]
        signs = [{_sign_on(sides, m, c) for m, c in terms_of(g).items()} for g in generators]
        if all(len(s) == 1 for s in signs) and (problem.is_ideal or signs == [{_POSITIVE_SIGN}]):
            nearest = map(_nearest_to_zero, sides)
            local = problem.at(tuple(c + a for c, a in zip(corner, nearest, strict=True)))
            zero = (0,) * len(corner)
            if any(zero in g for g in local.generators):
                raise InputError("K has no zero in the box")
            child = prove_point(local)
            data = {"corner": [str(c) for c in corner]} if moves else {}
            return Proof("positive", *same_bounds([(child.lower, child.upper)]), data, (child,))
    return None


def _corners(problem: BoxProblem) -> Iterator[tuple[Fraction, ...]]:
    """The origin, and zeros whose coordinates are 0 or at walls where the prior is bounded."""
    generators = [terms_of(g) for g in problem.generators]
    choices = [
        sorted(
            {Fraction(0), low, high} if h >= 0 or low > 0 or high < 0 else {Fraction(0)}, key=abs
        )
        for h, (low, high) in zip(problem.prior, problem.sides, strict=True)
    ]
    yield (Fraction(0),) * len(choices)
    for corner in islice(product(*choices), limits.MOST_BOX_CORNERS):
        inside = all(a <= c <= b for c, (a, b) in zip(corner, problem.sides, strict=True) if c)
        if any(corner) and inside and not any(value_at(g, corner) for g in generators):
            yield corner


def split_terms(problem: BoxProblem, prove_split: Callable[[BoxProblem], Proof]) -> Proof | None:
    """The least pair is that of the ideal in which terms that cannot cancel are generators.

    If on the box, and only there, all terms of a generator of an ideal have one sign
    (``theory/fibres.md``).
    """
    ring = problem.generators[0].ring
    monomials: list[Polynomial] = []
    split_generators: list[int] = []
    for k, g in enumerate(problem.generators):
        terms = terms_of(g)
        signs = {_sign_on(problem.sides, m, c) for m, c in terms.items()}
        parities = {tuple(e % 2 for e in m) for m in terms}
        parts = [g]
        if len(signs) == 1 < len(parities):
            split_generators.append(k)
            parts = [ring.from_dict({m: ring.domain.one}) for m in sorted(terms)]
        monomials += [part for part in parts if part not in monomials]
    if not problem.is_ideal or not split_generators:
        return None
    child = prove_split(replace(problem, generators=tuple(monomials)))
    data = {"generators": split_generators}
    return Proof("split-terms", child.lower, child.upper, data, (child,))


def _sign_on(
    sides: tuple[Side, ...], exponents: tuple[int, ...], c: Fraction
) -> tuple[bool, tuple[int, ...]]:
    """Sign of a term on a box: a constant, times odd powers of variables of both signs."""
    odd = [i for i, e in enumerate(exponents) if e % 2]
    negative = sum(sides[i][1] <= 0 for i in odd)
    return (c > 0) is (negative % 2 == 0), tuple(i for i in odd if sides[i][0] < 0 < sides[i][1])


def _nearest_to_zero(side: Side) -> Fraction:
    low, high = side
    return low if low > 0 else high if high < 0 else Fraction(0)
