"""The minimum over a box: exact for products of functions of one variable, else bounds."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from rlct.algebra.polynomial import support, terms_of, value_at
from rlct.algebra.positivity.squares import squares_of_polynomial
from rlct.engine import limits
from rlct.engine.boxes.box_points import BoxZeros, ProvedPoint
from rlct.engine.boxes.cells import prove_cells
from rlct.engine.boxes.everywhere import has_group, prove_everywhere, substitution_power
from rlct.engine.boxes.plane_box import prove_plane
from rlct.engine.boxes.positive_box import prove_positive, split_terms
from rlct.engine.boxes.separate_box import product_of_parts, sum_of_parts, sum_of_squares
from rlct.engine.nonnegative import GENERATORS_HINT
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError, OutOfTimeError
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget, made_in_time, time_limit

_STOP_ERRORS = (OutOfTimeError, KeyboardInterrupt)  # with what there is by then


def prove_box(
    problem: BoxProblem, timeout: float | None = None, clock: Budget | None = None
) -> tuple[Proof, tuple[str, ...]]:
    """Prove or enclose the least pair over the box; the clock may run since before.

    InputError if K has no zero in the box, or is negative there.
    """
    budget = clock or Budget(timeout)
    with time_limit(budget.seconds_left, budget):
        proof = _solve(problem, budget)
        stopped = budget.spent
    notes = _notes(problem, proof)
    if timeout is not None and stopped and not proof.exact:
        notes = (*notes, f"stopped after {timeout:g} s: more time may give sharper bounds")
    return proof, notes


def prove_fibre(
    problem: BoxProblem,
    timeout: float | None,
    known_upper: Pair | None = None,
    likely_zero: Mapping[str, Any] | None = None,
) -> Proof | None:
    """Bound the pair at all zeros of an ideal, inside the box or not, by a tree of cells.

    A lower bound of `known_upper` is good enough; None if there is no bound in time.  From above a
    zero is looked at if it is in the box.
    """
    budget = Budget(timeout)

    def whole(problem: BoxProblem) -> Proof:
        box_zeros = BoxZeros(problem, budget)

        def points() -> Iterator[ProvedPoint]:
            if likely_zero:
                likely_point = tuple(
                    Fraction(likely_zero.get(name, 0)) for name in problem.variables
                )
                # A smooth zero is known at once.
                for seconds in (0.0, limits.LEAF_POINT_SECONDS):
                    yield likely_point, prove_problem(problem.at(likely_point), seconds)
            if likely_zero is not None:
                yield from box_zeros.all_zeros()

        return bounded(
            prove_everywhere(problem, (), points, None, budget, known_upper, walls_at_zero=True)
        )

    def part(problem: BoxProblem) -> Proof:
        return bounded(prove_everywhere(problem, (), lambda: (), None, budget, walls_at_zero=True))

    def bounded(proof: Proof | None) -> Proof:
        if proof is None:
            raise OutOfTimeError
        return proof

    def solve(problem: BoxProblem) -> Proof:
        return sum_of_parts(problem, part) or whole(problem)

    return made_in_time(lambda: split_terms(problem, solve) or solve(problem), budget, _STOP_ERRORS)


def _solve(problem: BoxProblem, budget: Budget) -> Proof:
    """Prove what the time allows; the zeros that a stopped part has proved stay."""
    box_zeros = BoxZeros(problem, budget)
    if not budget.spent:
        try:
            return _prove(problem, box_zeros, budget)
        except (OutOfTimeError, KeyboardInterrupt):
            budget.stop()
    return _after_time_limit(problem, box_zeros)


def _after_time_limit(problem: BoxProblem, box_zeros: BoxZeros) -> Proof:
    """Bounds from the zeros proved so far, with a short time for one if there is none."""
    budget = Budget(limits.BOX_GRACE_SECONDS)
    zeros = box_zeros.proved or made_in_time(
        BoxZeros(problem, budget).first_zero, budget, _STOP_ERRORS
    )
    return _bounds(problem, zeros or ())


def bounds_by_zeros(problem: BoxProblem, timeout: float) -> Proof:
    """Bounds with a short proof: by the degree of K, and at zeros that are proved in the time."""
    budget = Budget(timeout)
    box_zeros = BoxZeros(problem, budget)
    made_in_time(box_zeros.with_proofs, budget, _STOP_ERRORS)
    return _bounds(problem, box_zeros.proved)


def bound_at_a_zero(problem: BoxProblem) -> Pair | None:
    """λ ≤ Σ (1 + h)/m at a simple zero, where K has order m or more; without a search."""
    budget = Budget(limits.BOX_GRACE_SECONDS)
    zero = made_in_time(BoxZeros(problem, budget).simple_zero, budget, _STOP_ERRORS)
    if zero is None:
        return None
    K = problem.generators[0]
    slopes = (value_at(terms_of(K.diff(x)), zero) for x in K.ring.gens)
    order = 2 if problem.is_ideal or not any(slopes) else 1
    volume = sum(1 + (h if a == 0 else 0) for h, a in zip(problem.prior, zero, strict=True))
    return Pair(Fraction(volume, order), 1)


def _notes(problem: BoxProblem, proof: Proof) -> tuple[str, ...]:
    while proof.rule in ("squares", "split-terms"):
        (proof,) = proof.children
    if proof.rule not in ("points", "cells", "everywhere"):
        return ()
    shown = problem.squares is not None or squares_of_polynomial(problem.generators[0]) is not None
    if problem.is_ideal or shown:
        return ()
    assumed = "K ≥ 0 in the box was not proved; the bounds are those of |K|"
    return (assumed,) if proof.exact else (assumed, GENERATORS_HINT)


def _prove(problem: BoxProblem, box_zeros: BoxZeros, budget: Budget) -> Proof:
    """Try the rules for boxes, the cheapest first."""

    def solve(child: BoxProblem) -> Proof:
        return _solve(child, budget)

    proof = _separable(problem)
    if proof is None and len(problem.sides) == 2:
        proof = prove_plane(problem, lambda point: prove_problem(problem.at(point)), budget)
    if proof is None and len(problem.sides) > 2:
        proof = sum_of_squares(problem, solve) or prove_positive(problem, prove_problem)
        proof = proof or split_terms(problem, solve)
    if proof is None and len(problem.sides) > 2:
        proof = sum_of_parts(problem, solve) or product_of_parts(problem, solve)
        if proof is None and len(problem.sides) <= limits.MOST_HESSIAN_VARIABLES:
            points = box_zeros.with_proofs()
            proof = prove_cells(problem, points, lambda: (), budget, at_points_only=True)
        if proof is None and has_group(problem):
            # Cells of literals are few where a group acts, and small boxes many.
            proof = prove_everywhere(problem, (), box_zeros.all_zeros, None, budget)
        if proof is None or not proof.exact:
            proof = _better(
                prove_cells(problem, box_zeros.with_proofs(), box_zeros.on_slices, budget), proof
            )
        if proof is None or (not proof.exact and not has_group(problem)):
            proof = prove_everywhere(
                problem, box_zeros.proved, box_zeros.further_zeros, proof, budget
            )
    if proof is None:
        if not problem.is_ideal:
            _refuse_sign_change(problem)
        proof = _bounds(problem, box_zeros.with_proofs())
    return proof


def _better(first: Proof | None, second: Proof | None) -> Proof | None:
    """The proof with the larger lower bound; bounds from above are those of zeros."""
    if first is None or second is None:
        return first or second
    return max(first, second, key=lambda proof: (proof.lower, proof.exact))


def _separable(problem: BoxProblem) -> Proof | None:
    """The least pair is the product over variables of their least ((1 + h_i)/m, 1), h_i at 0 only.

    If K = c·Π p(x_i)^m with factors in one variable each; 2m for an ideal
    (``theory/certificates.md``, Boxes).
    """
    f, *later_generators = problem.generators
    if len(problem.sides) == 1:
        # Polynomials in one variable generate the ideal of their greatest common divisor.
        for g in later_generators:
            f = f.gcd(g)
    elif later_generators or len(f) > 200:
        return None
    content, factors = f.factor_list()
    scale = 2 if problem.is_ideal else 1
    items: list[dict[str, Any]] = []
    least_of_variable: dict[int, Pair] = {}
    sign = content > 0
    for p, m in factors:
        used = [i for i in range(f.ring.ngens) if p.degree(f.ring.gens[i]) > 0]
        if len(used) != 1:
            return None
        (i,) = used
        lower, upper = problem.sides[i]
        dense_p = sympy.Poly(p.as_expr(), f.ring.symbols[i])
        zeros = dense_p.count_roots(_rational(lower), _rational(upper))
        items.append({"variable": i, "factor": encode_polynomial(p), "exponent": m})
        if zeros:
            at_zero = dense_p.eval(0) == 0
            h = problem.prior[i] if at_zero else Fraction(0)
            candidate_pair = Pair((1 + h) / (scale * m), 1)
            least_of_variable[i] = min(candidate_pair, least_of_variable.get(i, candidate_pair))
            ends = (dense_p.eval(_rational(lower)) == 0) + (dense_p.eval(_rational(upper)) == 0)
            if not problem.is_ideal and m % 2 and zeros > ends:
                raise InputError("K changes sign in the box: λ needs K ≥ 0")
        middle = dense_p.eval(_rational(_inside(dense_p, lower, upper)))
        if m % 2 and middle < 0:
            sign = not sign
    if not problem.is_ideal and not sign:
        raise InputError("K is negative in the box: λ needs K ≥ 0")
    if not least_of_variable:
        raise InputError("K has no zero in the box")
    pair = Pair.product(least_of_variable.values())
    return Proof("univariate-factors", pair, pair, {"factors": items})


def _rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def _inside(p: Any, low: Fraction, high: Fraction) -> Fraction:
    """A point of the interval that is no root: p has finitely many, so halving ends."""
    value = (low + high) / 2
    while p.eval(_rational(value)) == 0:
        value = (low + value) / 2
    return value


def _refuse_sign_change(problem: BoxProblem) -> None:
    """Refuse K if a factor in one variable has a simple root inside its interval."""
    (K,) = problem.generators
    if len(K) > 200:
        return
    for p, m in K.factor_list()[1]:
        used = support(p)
        if m % 2 and len(used) == 1:
            (i,) = used
            ends = [_rational(side) for side in problem.sides[i]]
            dense = sympy.Poly(p.as_expr(), K.ring.symbols[i])
            if dense.count_roots(*ends) > sum(dense.eval(end) == 0 for end in ends):
                raise InputError("K changes sign in the box: λ needs K ≥ 0")


def _bounds(problem: BoxProblem, proved_points: Sequence[ProvedPoint]) -> Proof:
    """From below (1/D, 1) with D = deg K; from above the least pair of the proved zeros.

    Without a condition, since K has order at most D everywhere (``theory/points.md``): with x = y^q
    for a negative exponent of the prior, which is then bounded.
    """
    powers = [substitution_power(h, wall=False) for h in problem.prior]
    least = min(
        max(sum(q * e for q, e in zip(powers, m, strict=True)) for m in g.itermonoms())
        for g in problem.generators
    )
    lower = Pair(Fraction(1, (2 if problem.is_ideal else 1) * least), 1)
    least_upper: Pair | None = None
    points: list[dict[str, Any]] = []
    children: tuple[Proof, ...] = ()
    for point, child in proved_points:
        if child.upper is not None and (least_upper is None or child.upper < least_upper):
            least_upper, points, children = child.upper, [encode_place(point)], (child,)
    return Proof("points", lower, least_upper, {"points": points}, children)
