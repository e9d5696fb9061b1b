"""Questions at irrational points: two variables in full, more by what works over any field."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from rlct.algebra.number_field import FieldNumber, NumberField, field_number
from rlct.algebra.polynomial import Polynomial, total_degree
from rlct.algebra.positivity.squares import SumOfSquares, squares_of_polynomial
from rlct.algebra.real_algebraic import AlgebraicNumber, Coordinate, number_of
from rlct.engine import limits, rules
from rlct.engine.field.straighten_point import straightened_point
from rlct.engine.germs import initial, leaves
from rlct.engine.germs.bounds import tighter_bounds
from rlct.engine.germs.rule import RuleTrait
from rlct.engine.germs.signed_squares import rational_part
from rlct.engine.germs.step import Step, same_bounds
from rlct.engine.newton_polyhedra import newton_over_field
from rlct.engine.plane_curves import plane_newton
from rlct.engine.plane_curves.curve import Curve, from_numbers
from rlct.engine.plane_curves.plane import PlaneGerm, at_point, common_factors
from rlct.engine.resolution.resolve import ResolutionSearch
from rlct.errors import OutOfTimeError
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ, Problem
from rlct.system.time_limit import Budget

_ONE_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class OverField:
    """What a proof over a field may use."""

    budget: Budget
    #: Blow-ups; None for none.
    search: ResolutionSearch | None
    #: Proves an ideal over Q: (germ, goal, depth) to a proof.
    rational: Callable[[Germ, Pair | None, int], Proof]

    def prove(self, problem: Problem) -> Proof:
        """K has the pair of the ideal (g), or |K| that of the ideal (K) with λ doubled.

        If K = Σ c·g² with c > 0, and else without a condition (``theory/conventions.md``, Squares
        and Power).  The point has irrational coordinates.
        """
        if problem.is_ideal:
            return self._ideal(problem, problem.generators)
        (K,) = problem.generators
        squares: SumOfSquares | None = problem.squares
        if squares is None and problem.number_field is None:
            squares = squares_of_polynomial(K)
        if squares is None:
            child = self._ideal(problem, (K,))
            upper = None if child.upper is None else child.upper / _ONE_HALF
            return Proof("modulus", child.lower / _ONE_HALF, upper, {}, (child,))
        nonzero = [(c, g) for c, g in squares if g]
        child = self._ideal(problem, [g for _, g in nonzero])
        data = {"squares": [[str(c), encode_polynomial(problem.localise(g))] for c, g in nonzero]}
        return Proof("squares", child.lower, child.upper, data, (child,))

    def _ideal(self, problem: Problem, generators: Sequence[Polynomial]) -> Proof:
        """An ideal at the point of a problem has the pair of its germ there.

        In two variables the Newton polygon is always exact; in more, minimal polynomials are
        coordinates first (``theory/points.md``, Algebraic points).
        """
        field = problem.field
        prior = problem.local.prior
        if field is None:
            germ = Germ(tuple(map(problem.localise, generators)), prior, True)
            child = self.rational(germ, None, 0)
            return Proof("rational", child.lower, child.upper, {}, (child,))
        if len(prior) == 2 and problem.number_field is None:
            x, y = (number_in(a, field) for a in problem.point)
            p, q = problem.powers
            plane = at_point(generators, (x, y), field, (p, q), prior)
            return plane_newton.prove_plane_germ(plane, self.budget)
        rational = problem.number_field is None and not self.budget.spent
        moved = straightened_point(problem, generators) if rational else None
        if moved is not None:
            data, simpler, outer = moved
            child = self._ideal(simpler, outer)
            forget = Proof("forget", child.lower, child.upper, {}, (child,))
            return Proof("compose", child.lower, child.upper, data, (forget,))
        return self.germ(Germ(tuple(map(problem.localise, generators)), prior, True, field))

    def germ(self, germ: Germ, goal: Pair | None = None, depth: int = 0) -> Proof:
        """Prove an ideal over a field by the first rule that accepts it, else enclose it."""
        best_bounds: Proof | None = None
        try:
            rational_step = over_rationals(germ)
            if rational_step is not None:
                return rational_step.prove(lambda child: self.rational(child, goal, depth))
            if depth and goal is not None and not self.budget.spent:
                initial_bound = initial.initial_bound(germ, goal)
                if initial_bound is not None and initial_bound.lower >= goal:
                    return initial_bound
            for rule in _rules(germ, self.budget):
                rule_result = rule(germ)
                if isinstance(rule_result, Step):
                    aim = goal if rule_result.keeps_pair else None
                    return rule_result.prove(partial(self.germ, goal=aim, depth=depth))
                if rule_result is not None and rule_result.exact:
                    return rule_result
                best_bounds = rule_result or best_bounds
            if germ.ring.ngens == 2 and not self.budget.spent:
                rule_result = plane_newton.prove_plane_germ(_plane(germ), self.budget)
                if rule_result.exact:
                    return rule_result
                best_bounds = rule_result
            elif self.search is not None and not self.budget.spent:
                resolved = self.search.germ(germ, goal, depth)
                if resolved is not None:
                    if resolved.exact or (goal is not None and resolved.lower >= goal):
                        return resolved
                    best_bounds = (
                        resolved if best_bounds is None else tighter_bounds(best_bounds, resolved)
                    )
        except (OutOfTimeError, KeyboardInterrupt):
            self.budget.stop()
        return self._enclose(germ, best_bounds, subideals=depth == 0)

    def _enclose(self, germ: Germ, best_bounds: Proof | None, *, subideals: bool) -> Proof:
        """Enclose by the largest of several lower and the least of several upper bounds.

        Without a condition; from below also by each generator alone (`subideal`), which makes K
        smaller (``theory/conventions.md``, Comparison).
        """
        children = [leaves.hull_bounds(germ)] + ([] if best_bounds is None else [best_bounds])
        if subideals and (initial_bound := initial.initial_bound(germ)) is not None:
            children.append(initial_bound)
        if subideals and len(germ.generators) > 1 and not self.budget.spent:
            plain = replace(self, search=None)
            for index, g in enumerate(germ.generators):
                child = plain.germ(Germ((g,), germ.prior, True, germ.field))
                children.append(Proof("subideal", child.lower, None, {"kept": [index]}, (child,)))
        return tighter_bounds(*children)


def over_rationals(germ: Germ) -> Step | None:
    """The pair is that of the same germ over Q.

    If no coefficient is irrational (``theory/points.md``, Algebraic points).
    """
    parts = [rational_part(g) for g in germ.generators]
    generators = tuple(g for g in parts if g is not None)
    if len(generators) < len(parts):
        return None
    return Step("rational", (Germ(generators, germ.prior, True),), same_bounds)


def number_in(value: Coordinate, field: NumberField) -> FieldNumber:
    """A coordinate as a number of a field."""
    if isinstance(value, AlgebraicNumber):
        return value.value
    return field_number([value, *[Fraction(0)] * (field.degree - 1)])


def _rules(germ: Germ, budget: Budget) -> list[Callable[[Germ], Step | Proof | None]]:
    """Rules that hold over a field; those that factorise come late, and where it is small."""
    field, top = germ.field, max(map(total_degree, germ.generators))
    assert field is not None
    cheap_only = (
        budget.spent
        or sum(map(len, germ.generators)) > limits.MOST_FIELD_TERMS
        or top > limits.HIGHEST_FIELD_DEGREE
    )
    large = field.degree > limits.LARGEST_FACTORED_FIELD or top > limits.HIGHEST_FACTORED_DEGREE
    factors = not cheap_only and not large
    wanted_traits = RuleTrait.ANY_FIELD | (RuleTrait.SMALL_FIELD if factors else RuleTrait.USUAL)
    field_rules = [
        rule
        for rule in rules.GERM_RULES
        if rule.traits & wanted_traits and (not cheap_only or RuleTrait.CHEAP in rule.traits)
    ]
    field_rules.sort(key=lambda rule: RuleTrait.SMALL_FIELD in rule.traits)
    last = [] if cheap_only else [newton_over_field.newton_polyhedron_over_field]
    return [*(rule.apply for rule in field_rules), *last]


def _plane(germ: Germ) -> PlaneGerm:
    """A germ in two variables that other rules led to."""
    field = germ.field
    assert field is not None
    axes, common_curves, cofactors = common_factors(germ.generators)

    def curve(polynomial: Polynomial) -> Curve:
        return from_numbers(
            {(int(m), int(n)): number_of(c, field.degree) for (m, n), c in polynomial.terms()}
        )

    return PlaneGerm(
        field,
        axes,
        tuple((curve(f), m) for f, m in common_curves),
        tuple(map(curve, cofactors)),
        germ.prior,
    )
