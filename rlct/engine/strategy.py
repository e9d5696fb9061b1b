"""Which reduction is tried when, and what remains when none finishes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rlct.algebra.polynomial import total_degree
from rlct.engine import limits, rules
from rlct.engine.field import over_field
from rlct.engine.germs import initial, leaves, simplify
from rlct.engine.germs.bounds import GiveUpError, tighter_bounds
from rlct.engine.germs.family import Family
from rlct.engine.germs.rule import ProofSearch, RuleTrait
from rlct.engine.germs.step import Step
from rlct.engine.newton_polyhedra import newton
from rlct.engine.plane_curves import plane_newton
from rlct.engine.reductions import echelon, modulus
from rlct.engine.resolution.resolve import ResolutionSearch
from rlct.engine.resolution.strata import WantedError
from rlct.errors import OutOfTimeError
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ, Problem
from rlct.system.time_limit import Budget, deep_recursion, time_limit


def prove_problem(
    problem: Problem,
    timeout: float | None = None,
    progress: Callable[[int], object] | None = None,
    resolution: bool = False,
    budget: Budget | None = None,
) -> Proof:
    """Prove a pair, or enclose it, for a problem.

    ``progress`` is called with the number of germs over exceptional divisors looked at so far; with
    ``resolution`` it blows up where polyhedra of the generators would be enough.  After ``timeout``
    seconds, or when ``budget`` is spent, which it is after Ctrl-C, too, the best bounds so far are
    returned.

    >>> proof = prove_problem(Problem.poly("(x^2-y^3)^2 + z^2"))
    >>> proof.lower, proof.exact
    (Pair(11/12, 1), True)
    """
    budget = budget or Budget(timeout)
    timeout = budget.seconds_left

    def over_rationals(germ: Germ, goal_pair: Pair | None, depth: int) -> Proof:
        if depth:
            return prove_germ(germ, budget, blowup_search, goal_pair, depth)
        return _either_way(germ, budget, blowup_search)

    def resolved(germ: Germ, goal_pair: Pair | None, depth: int) -> Proof:
        if germ.field is not None:
            return over_field.OverField(budget, blowup_search, over_rationals).germ(
                germ, goal_pair, depth
            )
        return prove_germ(germ, budget, blowup_search, goal_pair, depth)

    blowup_search = ResolutionSearch(budget, resolved, progress, resolution=resolution)
    if problem.field is not None:
        question = over_field.OverField(budget, blowup_search, over_rationals)
        try:
            with time_limit(timeout, budget), deep_recursion():
                proof = question.prove(problem)
                if proof.depth <= limits.DEEPEST_PROOF:
                    return proof
                return replace(question, search=None).prove(problem)
        except (OutOfTimeError, KeyboardInterrupt):
            budget.stop()
            return replace(question, search=None).prove(problem)
    germ = problem.local
    try:
        with time_limit(timeout, budget), deep_recursion():
            proof = _first(problem, budget, blowup_search)
            # A deeper proof could not be replayed by the checker.
            return proof if proof.depth <= limits.DEEPEST_PROOF else _first(problem, budget, None)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return prove_germ(germ, budget)


def prove_family(
    family: Family, goal_pair: Pair | None, budget: Budget, most_families: int
) -> Proof | None:
    """Bound all germs of a family with free parameters; None if that gives nothing.

    `goal_pair` is a lower bound that is good enough; at most `most_families` are looked at.
    """
    blowup_search = ResolutionSearch(
        budget,
        lambda germ, aim, depth: prove_germ(germ, budget, blowup_search, aim, depth),
        most=most_families,
    )
    try:
        with deep_recursion():
            proof = blowup_search.prove(family, goal_pair, 0)
    except (GiveUpError, RecursionError, WantedError):
        return None
    return proof if proof.depth <= limits.DEEPEST_PROOF else None


def _first(problem: Problem, budget: Budget, blowup_search: ResolutionSearch | None) -> Proof:
    """Prove a problem, through the squares that its text shows if there are any."""
    germ, squares = problem.local, problem.local_squares
    even = all(c > 0 and not any(e % 2 for e in m) for m, c in germ.generators[0].terms())
    if problem.is_ideal or squares is None or even:
        return _either_way(germ, budget, blowup_search)
    step = modulus.from_squares(germ, squares)
    return step.prove(lambda child: _either_way(child, budget, blowup_search))


def _either_way(germ: Germ, budget: Budget, blowup_search: ResolutionSearch | None) -> Proof:
    """Prove a germ with the generators as given and in echelon form, the shorter ones first.

    Elimination finds products among sums, but it hides symmetries.
    """
    direct = partial(prove_germ, budget=budget, blowup_search=blowup_search)
    step = None if blowup_search is None or germ.field is not None else echelon.echelon_form(germ)
    if blowup_search is None or step is None:
        return direct(germ)
    (child,) = step.children
    assert isinstance(child, Germ)
    routes: list[Callable[[], Proof]] = [partial(direct, germ), partial(step.prove, direct)]
    if _terms(child) < _terms(germ):
        routes.reverse()
    first, second = routes
    proof = first()
    if proof.exact or budget.spent:
        return proof
    blowup_search.restart()
    try:
        return tighter_bounds(proof, second())
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return proof


def _terms(germ: Germ) -> int:
    """Number of terms of the generators once they are simplified."""
    step = simplify.simplify_generators(germ)
    simpler = germ if step is None else step.children[0]
    return sum(map(len, simpler.generators))


def bounds_by_exponents(germ: Germ) -> Proof:
    """Bounds with a short proof, whatever the germ is."""
    bounds = leaves.hull_bounds
    return bounds(germ) if germ.is_ideal else modulus.last_resort(germ).prove(bounds)


def prove_germ(
    germ: Germ,
    budget: Budget,
    blowup_search: ResolutionSearch | None = None,
    goal_pair: Pair | None = None,
    depth: int = 0,
    change_count: int = 0,
) -> Proof:
    """Prove a germ by the first reduction that accepts it, else blow up, else enclose it.

    Without `blowup_search` there are no blow-ups; with it, a lower bound of `goal_pair` is
    good enough.  `change_count` counts the changes of coordinates on the way here.
    """
    if too_large(germ):
        return bounds_by_exponents(germ)
    if not germ.is_ideal:
        step = modulus.last_resort(germ) if budget.spent else modulus.reduce_function(germ)
        return step.prove(lambda child: prove_germ(child, budget, blowup_search, None, depth))
    weak_proof: Proof | None = None
    rule_result: Step | Proof | None
    try:
        if depth and goal_pair is not None and not budget.spent and germ.field is None:
            least = initial.initial_bound(germ, goal_pair)
            if least is not None and least.lower >= goal_pair:
                return least
        cheap_only = budget.spent
        for rule in rules.GERM_RULES:
            if cheap_only and RuleTrait.CHEAP not in rule.traits:
                break
            if _out_of_place(rule.traits, blowup_search, depth, change_count):
                continue
            blowups_follow = blowup_search is not None and not budget.spent
            rule_result = rule(germ, ProofSearch(prove_germ, blowups_follow))
            if isinstance(rule_result, Step):
                following = partial(
                    prove_germ,
                    budget=budget,
                    blowup_search=blowup_search,
                    goal_pair=goal_pair if rule_result.keeps_pair else None,
                    depth=depth,
                    change_count=change_count + (RuleTrait.MOVES in rule.traits),
                )
                proof = rule_result.prove(following)
                return proof if proof.exact else tighter_bounds(proof, weak_proof or proof)
            if rule_result is not None and rule_result.exact:
                return rule_result
            if rule_result is not None:
                weak_proof = tighter_bounds(rule_result, weak_proof or rule_result)
        if germ.ring.ngens == 2 and not budget.spent:
            rule_result = plane_newton.prove_plane_ideal(germ, budget)
            if rule_result is not None and rule_result.exact:
                return rule_result
            weak_proof = rule_result or weak_proof
        if weak_proof is not None and goal_pair is not None and weak_proof.lower >= goal_pair:
            return weak_proof
        # In two variables `plane_newton` has done what there is to do, within its limits.
        if blowup_search is not None and not budget.spent and germ.ring.ngens > 2:
            resolved = blowup_search.germ(germ, goal_pair, depth)
            if resolved is not None:
                if resolved.exact or (goal_pair is not None and resolved.lower >= goal_pair):
                    return resolved
                weak_proof = tighter_bounds(weak_proof or resolved, resolved)
            if depth == 0 and not budget.spent:
                rule_result = newton.newton_polyhedron(germ)
                if rule_result is not None:
                    weak_proof = tighter_bounds(weak_proof or rule_result, rule_result)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
    return _enclose(germ, weak_proof, budget, with_subideals=depth == 0)


def _out_of_place(
    traits: RuleTrait, blowup_search: ResolutionSearch | None, depth: int, change_count: int
) -> bool:
    """Whether a rule is not tried: over divisors, before a resolution, or once more."""
    return (
        (depth > 0 and RuleTrait.OUTERMOST in traits)
        or (change_count >= limits.MOST_COORDINATE_CHANGES and RuleTrait.MOVES in traits)
        or (
            blowup_search is not None and blowup_search.resolution and RuleTrait.NO_CHARTS in traits
        )
    )


def too_large(germ: Germ) -> bool:
    """Whether a germ has grown beyond what further reductions can be worth."""
    return any(
        total_degree(g) > limits.HIGHEST_GERM_DEGREE
        or any(
            max(int(c.numerator).bit_length(), int(c.denominator).bit_length())
            > limits.MOST_GERM_BITS
            for c in g.itercoeffs()
        )
        for g in germ.generators
    ) and any(len(g) > 1 for g in germ.generators)


def _enclose(
    germ: Germ, weak_proof: Proof | None, budget: Budget, *, with_subideals: bool
) -> Proof:
    """Best of several bounds; each child bounds the same germ."""
    children = [leaves.hull_bounds(germ)]
    if weak_proof is not None:
        children.append(weak_proof)
    if with_subideals:
        more = (initial.initial_bound(germ), leaves.sign_change_bounds(germ))
        children += filter(None, more)
    if with_subideals and 1 < len(germ.generators) <= limits.MOST_SUBIDEALS and not budget.spent:
        for index, g in enumerate(germ.generators):
            child = prove_germ(Germ((g,), germ.prior, True), budget)
            children.append(Proof("subideal", child.lower, None, {"kept": [index]}, (child,)))
    return tighter_bounds(*children)
