"""Which reduction is tried when, and what remains when none finishes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rlct.algebra.polynomial import total_degree
from rlct.engine.bounds import GiveUpError, better
from rlct.engine.field import over_field
from rlct.engine.newton_polyhedra import initial, leaves, newton, polyhedra
from rlct.engine.plane_curves import plane_newton
from rlct.engine.reductions import (
    adapt,
    crossings,
    echelon,
    eliminate,
    factors,
    linear,
    modulus,
    monomials,
    positive,
    simplify,
    split,
    transverse,
)
from rlct.engine.resolution.family import Family
from rlct.engine.resolution.resolve import ResolutionSearch
from rlct.engine.resolution.strata import WantedError
from rlct.engine.step import Step
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ, Problem
from rlct.system.time_limit import Budget, OutOfTimeError, deep_recursion, time_limit

__all__ = ["prove", "prove_family", "prove_germ"]

Rule = Callable[[Germ], Step | Proof | None]


def _one_polyhedron(germ: Germ) -> Proof | None:
    """The Newton polyhedron of one generator, the classical proof, where it is enough."""
    if len(germ.generators) > 1 or germ.ring.ngens < 3:
        return None
    found = newton.apply(germ, hurry=True)
    return found if isinstance(found, Proof) and found.exact else None


#: Cheapest first.  The first group costs next to nothing and is tried even out of time.
CHEAP: tuple[Rule, ...] = (leaves.monomial, leaves.smooth, split.apply, positive.apply)
COSTLY: tuple[Rule, ...] = (
    transverse.early,
    simplify.apply,
    crossings.apply,
    factors.power,
    factors.product,
    eliminate.apply,
    monomials.apply,
    transverse.apply,
    _one_polyhedron,
    polyhedra.apply,
    linear.apply,
    adapt.apply,
    newton.apply,
)
#: Rules that look for hidden structure; over divisors they cost more than they find.
OUTERMOST: tuple[Rule, ...] = (
    transverse.early,
    transverse.apply,
    _one_polyhedron,
    polyhedra.apply,
    linear.apply,
    adapt.apply,
)
#: Rules whose child has the same pair.
_EQUAL = ("positive", "simplify", "newton", "linear", "coordinate")
#: Rules that find no end by themselves: one may undo what the other does.
_CHANGES: tuple[Rule, ...] = (linear.apply, adapt.apply)
_MOST_CHANGES = 3
_MOST_SUBIDEALS = 8
_MOST_BITS = 4_000  # of a coefficient
_HIGHEST_DEGREE = 2_000
_DEEPEST = 180  # of a proof


def prove(
    problem: Problem,
    timeout: float | None = None,
    progress: Callable[[int], object] | None = None,
    resolution: bool = False,
    budget: Budget | None = None,
) -> Proof:
    """Prove a pair, or enclose it, for a problem.

    Parameters
    ----------
    problem : Problem
    timeout : float, optional
        Seconds after which the best bounds so far are returned.
    progress : callable, optional
        Called with the number of germs over exceptional divisors looked at so far.
    resolution : bool
        Whether to blow up where polyhedra of the generators would be enough.
    budget : Budget, optional
        Instead of `timeout`; spent after the time limit and after Ctrl-C.

    Returns
    -------
    Proof
        With ``lower == upper`` if the engine could finish.

    Examples
    --------
    >>> proof = prove(Problem.poly("(x^2-y^3)^2 + z^2"))
    >>> proof.lower, proof.exact
    (Pair(11/12, 1), True)
    """
    budget = budget or Budget(timeout)
    timeout = budget.left

    def over_rationals(germ: Germ, goal: Pair | None, depth: int) -> Proof:
        if depth:
            return prove_germ(germ, budget, search, goal, depth)
        return _either_way(germ, budget, search)

    def resolved(germ: Germ, goal: Pair | None, depth: int) -> Proof:
        if germ.field is not None:
            return over_field.OverField(budget, search, over_rationals).germ(germ, goal, depth)
        return prove_germ(germ, budget, search, goal, depth)

    search = ResolutionSearch(budget, resolved, progress, resolution=resolution)
    if problem.field is not None:
        question = over_field.OverField(budget, search, over_rationals)
        try:
            with time_limit(timeout, budget), deep_recursion():
                proof = question.prove(problem)
                if proof.depth <= _DEEPEST:
                    return proof
                return replace(question, search=None).prove(problem)
        except (OutOfTimeError, KeyboardInterrupt):
            budget.stop()
            return replace(question, search=None).prove(problem)
    germ = problem.local
    try:
        with time_limit(timeout, budget), deep_recursion():
            proof = _first(problem, budget, search)
            # A deeper proof could not be replayed by the checker.
            return proof if proof.depth <= _DEEPEST else _first(problem, budget, None)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return prove_germ(germ, budget)


def prove_family(family: Family, goal: Pair | None, budget: Budget, most: int) -> Proof | None:
    """Bound all germs of a family with free parameters; None if that gives nothing.

    `goal` is a lower bound that is good enough, `most` the number of families looked at.
    """
    search = ResolutionSearch(
        budget, lambda germ, aim, depth: prove_germ(germ, budget, search, aim, depth), most=most
    )
    try:
        with deep_recursion():
            proof = search.prove(family, goal, 0)
    except (GiveUpError, RecursionError, WantedError):
        return None
    return proof if proof.depth <= _DEEPEST else None


def _first(problem: Problem, budget: Budget, search: ResolutionSearch | None) -> Proof:
    """Prove a problem, through the squares that its text shows if there are any."""
    germ, squares = problem.local, problem.local_squares
    even = all(c > 0 and not any(e % 2 for e in m) for m, c in germ.generators[0].terms())
    if problem.is_ideal or squares is None or even:
        return _either_way(germ, budget, search)
    step = modulus.from_squares(germ, squares)
    return step.prove(lambda child: _either_way(child, budget, search))


def _either_way(germ: Germ, budget: Budget, search: ResolutionSearch | None) -> Proof:
    """Prove a germ with the generators as given and in echelon form, the shorter ones first.

    Elimination finds products among sums, but it hides symmetries.
    """
    direct = partial(prove_germ, budget=budget, search=search)
    step = None if search is None or germ.field is not None else echelon.apply(germ)
    if search is None or step is None:
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
    search.restart()
    try:
        return better(proof, second())
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
        return proof


def _terms(germ: Germ) -> int:
    """Number of terms of the generators once they are simplified."""
    step = simplify.apply(germ)
    simpler = germ if step is None else step.children[0]
    return sum(map(len, simpler.generators))


def prove_germ(
    germ: Germ,
    budget: Budget,
    search: ResolutionSearch | None = None,
    goal: Pair | None = None,
    depth: int = 0,
    changes: int = 0,
) -> Proof:
    """Prove a germ by the first reduction that accepts it, else blow up, else enclose it.

    Without `search` there are no blow-ups; with it, a lower bound of `goal` is good enough.
    `changes` counts the changes of coordinates on the way here.
    """
    if too_large(germ):
        return leaves.hull(germ) if germ.is_ideal else modulus.last_resort(germ).prove(leaves.hull)
    if not germ.is_ideal:
        step = modulus.last_resort(germ) if budget.spent else modulus.apply(germ)
        return step.prove(lambda child: prove_germ(child, budget, search, None, depth))
    weak: Proof | None = None
    try:
        if depth and goal is not None and not budget.spent and germ.field is None:
            least = initial.lower(germ, goal)
            if least is not None and least.lower >= goal:
                return least
        for rule in CHEAP if budget.spent else CHEAP + COSTLY:
            if depth and rule in OUTERMOST:
                continue
            if rule is polyhedra.apply and search is not None and search.resolution:
                continue
            if changes >= _MOST_CHANGES and rule in _CHANGES:
                continue
            hurried = search is not None and rule is newton.apply and not budget.spent
            found = newton.apply(germ, hurry=True) if hurried else rule(germ)
            if isinstance(found, Step):
                aim = goal if found.rule in _EQUAL else None
                following = partial(
                    prove_germ,
                    budget=budget,
                    search=search,
                    goal=aim,
                    depth=depth,
                    changes=changes + (rule in _CHANGES),
                )
                proof = found.prove(following)
                return proof if weak is None or proof.exact else better(proof, weak)
            if found is not None and found.exact:
                return found
            weak = weak if found is None else found if weak is None else better(found, weak)
        if germ.ring.ngens == 2 and not budget.spent:
            found = plane_newton.prove_germ(germ, budget)
            if found is not None and found.exact:
                return found
            weak = found or weak
        if weak is not None and goal is not None and weak.lower >= goal:
            return weak
        # In two variables `plane_newton` has done what there is to do, within its limits.
        if search is not None and not budget.spent and germ.ring.ngens > 2:
            resolved = search.germ(germ, goal, depth)
            if resolved is not None:
                if resolved.exact or (goal is not None and resolved.lower >= goal):
                    return resolved
                weak = resolved if weak is None else better(weak, resolved)
            if depth == 0 and not budget.spent:
                found = newton.apply(germ)
                if isinstance(found, Proof):
                    weak = found if weak is None else better(weak, found)
    except (OutOfTimeError, KeyboardInterrupt):
        budget.stop()
    return _enclose(germ, weak, budget, subideals=depth == 0)


def too_large(germ: Germ) -> bool:
    """Whether a germ has grown beyond what further reductions can be worth."""
    return any(
        total_degree(g) > _HIGHEST_DEGREE
        or any(
            max(int(c.numerator).bit_length(), int(c.denominator).bit_length()) > _MOST_BITS
            for c in g.itercoeffs()
        )
        for g in germ.generators
    ) and any(len(g) > 1 for g in germ.generators)


def _enclose(germ: Germ, weak: Proof | None, budget: Budget, *, subideals: bool) -> Proof:
    """Best of several bounds; each child bounds the same germ."""
    children = [leaves.hull(germ)]
    if weak is not None:
        children.append(weak)
    if subideals and (least := initial.lower(germ)) is not None:
        children.append(least)
    if subideals and 1 < len(germ.generators) <= _MOST_SUBIDEALS and not budget.spent:
        for index, g in enumerate(germ.generators):
            child = prove_germ(Germ((g,), germ.prior, True), budget)
            children.append(Proof("subideal", child.lower, None, {"kept": [index]}, (child,)))
    lower = max(child.lower for child in children)
    upper: Pair = min(child.upper for child in children if child.upper is not None)
    for child in children:
        if child.lower == lower and child.upper == upper:
            return child
    below = next(child for child in children if child.lower == lower)
    above = next(child for child in children if child.upper == upper)
    return Proof("enclose", lower, upper, {}, (below, above))
