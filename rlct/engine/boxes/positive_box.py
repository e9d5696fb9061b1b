"""Boxes on which the terms of K cannot cancel: the least pair is that of one point."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from rlct.algebra.polynomial import Polynomial, Terms, terms_of
from rlct.algebra.positivity.comparable import minimal_monomials
from rlct.engine.germs.step import same_bounds
from rlct.errors import InputError
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem

Side = tuple[Fraction, Fraction]

_POSITIVE_SIGN: tuple[bool, tuple[int, ...]] = (True, ())


def prove_positive(problem: BoxProblem, prove_point: Callable[[Problem], Proof]) -> Proof | None:
    """The least pair is that at the point of the box with as many coordinates 0 as possible.

    If on the box all terms of a generator have one sign (``theory/points.md``, Terms that cannot
    cancel).  InputError if K has no zero in the box.
    """
    for g in problem.generators:
        signs = {sign_on(problem.sides, m, c) for m, c in terms_of(g).items()}
        if len(signs) > 1 or (not problem.is_ideal and signs != {_POSITIVE_SIGN}):
            return None
    point = tuple(map(_nearest_to_zero, problem.sides))
    local = problem.at(point)
    zero = (0,) * len(point)
    if any(zero in g for g in local.generators):
        raise InputError("K has no zero in the box")
    child = prove_point(local)
    return Proof("positive", *same_bounds([(child.lower, child.upper)]), {}, (child,))


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
        signs = {sign_on(problem.sides, m, c) for m, c in terms.items()}
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


def sign_on(
    sides: Sequence[Side], exponents: tuple[int, ...], c: Fraction
) -> tuple[bool, tuple[int, ...]]:
    """Sign of a term on a box: a constant, times odd powers of variables of both signs."""
    odd = [i for i, e in enumerate(exponents) if e % 2]
    negative = sum(sides[i][1] <= 0 for i in odd)
    return (c > 0) is (negative % 2 == 0), tuple(i for i in odd if sides[i][0] < 0 < sides[i][1])


def cannot_cancel(terms: Terms, sides: Sequence[Side]) -> bool:
    """Whether a polynomial is comparable with the sum of its minimal monomials on a box.

    If these have one sign, and the terms of another sign are multiples of them whose sizes, in
    terms of theirs, add to less than 1.
    """
    minimal = minimal_monomials(list(terms))
    sign, *further_signs = {sign_on(sides, m, terms[m]) for m in minimal}
    sizes = dict.fromkeys(minimal, Fraction(0))
    for m, c in terms.items():
        if sign_on(sides, m, c) != sign:
            least = next(k for k in minimal if all(a <= b for a, b in zip(k, m, strict=True)))
            powers = zip(sides, m, least, strict=True)
            size = prod((max(-low, high) ** (e - k) for (low, high), e, k in powers), start=abs(c))
            sizes[least] += size / abs(terms[least])
    return not further_signs and all(size < 1 for size in sizes.values())


def _nearest_to_zero(side: Side) -> Fraction:
    low, high = side
    return low if low > 0 else high if high < 0 else Fraction(0)
