"""Resolution by blow-ups: what is done with a family, in which order."""

from collections.abc import Callable
from dataclasses import replace

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.germs import (
    algebraic,
    bounds,
    coordinate,
    initial,
    monomials,
    simplify,
    symmetry,
    uniform,
    wanted,
)
from rlct.engine.germs.bounds import GiveUpError, tighter_bounds
from rlct.engine.germs.compose import curved_coordinate
from rlct.engine.germs.family import (
    Family,
    family_of_germ,
    in_variable_order,
    non_units,
    vanishing_priors,
)
from rlct.engine.germs.rule import STATED_RULES, RuleTrait
from rlct.engine.germs.step import Step
from rlct.engine.resolution import strata, witness
from rlct.engine.resolution.adjoin import adjoin_root, without_roots
from rlct.engine.resolution.charts import blowup_centres, charts
from rlct.engine.resolution.strata import WantedError
from rlct.errors import OutOfTimeError
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial, encode_polynomials
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ
from rlct.system.time_limit import Budget

_CHART_RULES = (
    algebraic.reduce_powers,
    uniform.monomial_of_family,
    uniform.split_family,
    uniform.simplify_family,
    uniform.product_of_family,
    monomials.monomials_of_family,
)


class ResolutionSearch:
    """One search for a resolution.

    ``prove_germ`` proves a germ without parameters: (germ, goal, depth) to a proof.  ``progress``
    is called with the number of families looked at; after ``most`` families over Q nothing new is
    begun.  With ``resolution`` no shorter proof from weights alone will do.
    """

    def __init__(
        self,
        budget: Budget,
        prove_germ: Callable[[Germ, Pair | None, int], Proof],
        progress: Callable[[int], object] | None = None,
        most: int | None = None,
        resolution: bool = False,
    ) -> None:
        self.resolution = resolution
        self._budget = budget
        self._most = limits.MOST_FAMILIES if most is None else most
        self._prove_germ = prove_germ
        self._progress = progress
        self._nodes = self._work = 0

    @property
    def spent(self) -> bool:
        """Whether no more work should be begun."""
        return self._budget.spent or self._work >= self._most

    def restart(self) -> None:
        """Allow as much work again."""
        self._nodes = self._work = 0

    def germ(self, germ: Germ, goal: Pair | None, depth: int) -> Proof | None:
        """Resolve a germ that no other rule finishes; None if that gives nothing new."""
        if self.spent or depth >= limits.DEEPEST_RESOLUTION:
            return None
        family = family_of_germ(germ)
        for find in (coordinate.straighten_factor, curved_coordinate, coordinate.shared_sum):
            step = find(family)
            if step is not None and _simpler(family, step):
                break
        else:
            step = None
        moved = None if step is None else self._prove(step, goal, depth)
        if moved is not None and (moved.exact or depth or (goal and moved.lower >= goal)):
            return moved
        try:
            blown_up = self._blow_up(family, goal, depth)
        except (GiveUpError, RecursionError):
            return moved
        return blown_up if moved is None else tighter_bounds(blown_up, moved)

    def _prove(self, step: Step, goal: Pair | None, depth: int) -> Proof:
        """Prove a step; a bound that suffices for the whole suffices for an only equal part."""
        child_goal = goal if step.keeps_pair else None
        rule = STATED_RULES.get(step.rule)
        child_depth = depth + (rule is not None and RuleTrait.MOVES in rule.traits)
        return step.prove(lambda child: self.prove(child, child_goal, child_depth))

    def prove(self, child: Germ | Family, goal: Pair | None, depth: int) -> Proof:
        """Prove a germ or a family; `goal` is a lower bound that is good enough."""
        if isinstance(child, Germ):
            return self._prove_germ(child, goal, depth)
        if self._budget.stopped:
            # One of its siblings ran out of time: nothing would end what is begun now.
            return bounds.unresolved_family(child)
        return self._free(child, goal, depth) if child.free else self._fixed(child, goal, depth)

    def _anyhow(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Prove one of several families; out of time, what was proved of the others stays."""
        if self.spent:
            return bounds.unresolved_family(family)
        try:
            return self.prove(family, goal, depth)
        except (OutOfTimeError, KeyboardInterrupt):
            self._budget.stop()
            return bounds.unresolved_family(family)

    def _fixed(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Family without free parameters."""
        self._nodes += 1
        self._work += 1 if family.field is None else limits.FIELD_WORK
        if self._progress is not None:
            self._progress(self._nodes)
        step = uniform.forget_parameters(family)
        if step is not None:
            return self._prove(step, goal, depth)
        if goal is not None:
            initial_bound = initial.initial_bound_of_family(family, goal)
            if initial_bound is not None and initial_bound.lower >= goal:
                return initial_bound
        for rule in _CHART_RULES:
            rule_result = rule(family)
            if isinstance(rule_result, Step):
                return self._prove(rule_result, goal, depth)
            if rule_result is not None:
                return rule_result
        monomial_bound = bounds.monomial_part(family)
        if monomial_bound is not None and goal is not None and monomial_bound.lower >= goal:
            return monomial_bound
        if depth < limits.DEEPEST_RESOLUTION:
            step = coordinate.straighten_factor(family) or coordinate.shared_sum(family)
            step = step or curved_coordinate(family)
            if step is not None:
                return self._prove(step, goal, depth)
        if not self.spent:
            polynomial = wanted.undecided_coefficient(family)
            if polynomial is not None:
                return self._decided(family, polynomial, goal, depth)
            if depth < limits.DEEPEST_RESOLUTION:
                return self._blow_up(family, goal, depth)
        return bounds.weak_bounds(family, monomial_bound)

    def _decided(self, family: Family, c: Polynomial, goal: Pair | None, depth: int) -> Proof:
        """A polynomial in constants is a unit by the relations, or has to be asked further out."""
        step = algebraic.unit_by_relations(family, c)
        if step is None:
            step = algebraic.reduce_powers(family, whole_generators=True)
        if isinstance(step, Step):
            return self._prove(step, goal, depth)
        raise WantedError(c)

    def _free(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """The bounds are those with the free parameters fixed (rule `fix`).

        If t_j is a unit where it has a prior; from above, if there is a point
        (``theory/blowups.md``, Strata).  Where a unit is missing, it splits the family.
        """
        vanishing = vanishing_priors(family)
        if vanishing:
            return self._split(family, family.ring.gens[vanishing[0]], goal, depth)
        try:
            proof = self._fixed(strata.with_fixed_parameters(family), goal, depth)
        except WantedError as error:
            (g,) = in_variable_order([error.polynomial], family.names)
            if not strata.involves_free(family, g):
                raise
            return self._split(family, g, goal, depth)
        except GiveUpError:
            return bounds.unresolved_family(family)
        point = witness.point(family)
        upper = None if point is None else proof.upper
        data = {} if point is None else {"point": point}
        return Proof("fix", proof.lower, upper, data, (proof,))

    def _split(
        self,
        family: Family,
        g: Polynomial,
        goal: Pair | None,
        depth: int,
        waiting_polynomials: tuple[Polynomial, ...] = (),
    ) -> Proof:
        """The bounds are the least of those where g ≠ 0 and where g = 0 (rule `stratify`).

        If g is a polynomial in the parameters; an upper bound of a part needs a point in it
        (``theory/blowups.md``, Strata).  The waiting polynomials are not asked again.
        """
        waiting_polynomials = (*waiting_polynomials, g)
        if self.spent:
            return bounds.unresolved_family(family)
        settled = algebraic.unit_by_relations(family, g)
        if isinstance(settled, Step):
            return self._prove(settled, goal, depth)
        proper_factor = algebraic.factor(family, g)
        if proper_factor is not None and proper_factor not in waiting_polynomials:
            return self._either(family, proper_factor, goal, depth, waiting_polynomials)
        symmetric_split = symmetry.covered_by_symmetry(family, g) if family.earlier_splits else None
        linear_solution = None if symmetric_split is not None else strata.solve_for(family, g)
        if linear_solution is not None and not isinstance(linear_solution, tuple):
            return self._either(family, linear_solution, goal, depth, waiting_polynomials)
        if linear_solution is None and symmetric_split is None:
            other_factor = strata.other_zeros(family, g)
            if other_factor is not None and other_factor not in waiting_polynomials:
                return self._either(family, other_factor, goal, depth, waiting_polynomials)
        zeros: dict[str, object] = {}
        child: Family | Proof | None = None
        if linear_solution is not None:
            child = strata.stratum(family, *linear_solution)
            zeros = {"solve": linear_solution[0], "units": encode_polynomials(child.units)}
        elif symmetric_split is not None:
            zeros = {"symmetric": symmetric_split}
        elif (evidence := strata.no_zeros(family, g)) is not None:
            zeros = {"none": evidence}
        elif (leaf := strata.smooth_zeros(family, g)) is not None and _enough(leaf, goal):
            child, zeros = leaf, {"smooth": True}
        elif (larger := self._larger(family, g)) is not None:
            zeros, child = larger
        else:
            adjoined = adjoin_root(family, g)
            if isinstance(adjoined, tuple):
                child, zeros = adjoined
            elif adjoined is not None and adjoined not in waiting_polynomials:
                return self._either(family, adjoined, goal, depth, waiting_polynomials)
            elif leaf is not None:
                child, zeros = leaf, {"smooth": True}
            else:
                child, zeros = bounds.unresolved_family(family), {"open": True}
        earlier_splits = (*family.earlier_splits, (g, family.units))
        nonzero = replace(family, units=(*family.units, g), earlier_splits=earlier_splits)
        proofs = [self._anyhow(nonzero, goal, depth)]
        if isinstance(child, Proof):
            proofs.append(child)
        elif child is not None:
            child_goal = min(filter(None, (goal, proofs[0].upper)), default=None)
            try:
                proofs.append(self._anyhow(child, child_goal, depth))
            except WantedError as error:
                if "adjoin" not in zeros:
                    raise
                factor = without_roots(family, child, error.polynomial)
                if factor is None or factor in waiting_polynomials:
                    proofs.append(bounds.unresolved_family(family))
                    child, zeros = None, {"open": True}
                else:
                    return self._either(family, factor, goal, depth, waiting_polynomials)
        return _stratified(family, g, zeros, child, proofs)

    def _either(
        self,
        family: Family,
        g: Polynomial,
        goal: Pair | None,
        depth: int,
        waiting_polynomials: tuple[Polynomial, ...],
    ) -> Proof:
        """Split by a polynomial if it involves free parameters, else ask further out."""
        if strata.involves_free(family, g):
            return self._split(family, g, goal, depth, waiting_polynomials)
        return self._decided(family, g, goal, depth)

    def _larger(self, family: Family, g: Polynomial) -> tuple[dict[str, object], Family] | None:
        """A larger set that can be solved: one square of a definite g vanishes with it."""
        definite_squares = strata.in_square(family, g)
        if definite_squares is None:
            return None
        evidence, squares = definite_squares
        for index, h in enumerate(squares):
            factors = non_units(h, family.units)
            if len(factors) != 1 or not strata.involves_free(family, factors[0]):
                continue
            solution = strata.solve_for(family, factors[0])
            if isinstance(solution, tuple):
                child = strata.stratum(family, *solution)
                data = {**evidence, "index": index, "factor": encode_polynomial(factors[0])}
                zeros = {"within": data, "solve": solution[0]}
                return {**zeros, "units": encode_polynomials(child.units)}, child
        return None

    def _blow_up(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Blow up; a few centres are tried until one is exact."""
        best_proof = bounds.weak_bounds(family, None)
        weight_choices = blowup_centres(family)
        for weights in weight_choices if depth == 0 else weight_choices[:1]:
            if self.spent:
                break
            proof = self._blow_up_at(family, weights, goal, depth)
            if proof is None:
                continue
            if proof.exact or (goal is not None and proof.lower >= goal):
                return proof
            best_proof = tighter_bounds(best_proof, proof)
        return best_proof

    def _blow_up_at(
        self, family: Family, weights: tuple[int, ...], goal: Pair | None, depth: int
    ) -> Proof | None:
        """The bounds are the least over the charts of a weighted blow-up (rule `blowup`).

        For all weights: the charts hold each point of the exceptional fibre, up to symmetry
        (``theory/blowups.md``, Weighted blow-ups).
        """
        hull = bounds.weak_bounds(family, None)
        chart_goal = hull.upper if goal is None or (hull.upper and hull.upper < goal) else goal
        proofs: list[Proof] = []
        gave_up = False
        orbits, permutations = symmetry.local_orbits(family, weights)
        for chart in charts(family, weights, orbits):
            if gave_up or self.spent:
                proof = bounds.unresolved_family(chart)
            else:
                proof = self._anyhow(chart, chart_goal, depth + limits.BLOW_UP_DEPTH)
            if proof.upper is not None and (chart_goal is None or proof.upper < chart_goal):
                chart_goal = proof.upper
            # Where only θ is missing, or at the first blow-up, others may still lower the aim.
            short_of_goal = chart_goal is None or proof.lower.lam < chart_goal.lam
            gave_up = gave_up or (
                short_of_goal and not proof.exact and depth >= limits.BLOW_UP_DEPTH
            )
            proofs.append(proof)
        lower = min(proof.lower for proof in proofs)
        uppers = [proof.upper for proof in proofs if proof.upper is not None]
        upper = min(uppers) if uppers else None
        data: dict[str, object] = {"weights": list(weights)}
        if permutations:
            data["symmetries"] = permutations
        proof = Proof("blowup", lower, upper, data, tuple(proofs))
        return proof if proof.exact else tighter_bounds(hull, proof)


def _stratified(
    family: Family,
    g: Polynomial,
    zeros: dict[str, object],
    child: Family | Proof | None,
    proofs: list[Proof],
) -> Proof:
    """The least of the bounds of both parts; from above only of parts that surely have a point."""
    if "adjoin" in zeros:
        zeros_inhabited = "line" in zeros
    else:
        zeros_inhabited = not isinstance(child, Family) or strata.always_inhabited(family, child)
    lower = min(proof.lower for proof in proofs)
    inhabited = proofs if zeros_inhabited else proofs[:1]
    uppers = [proof.upper for proof in inhabited if proof.upper is not None]
    data = {"by": encode_polynomial(g), "zeros": zeros}
    return Proof("stratify", lower, min(uppers) if uppers else None, data, tuple(proofs))


def _simpler(family: Family, step: Step) -> bool:
    """Whether a germ is simpler after a change of coordinates and what simplifies germs then.

    Otherwise the change could be undone and made again without end.
    """
    (child,) = step.children
    assert isinstance(child, Family)
    generators = tuple(in_variable_order(child.generators, child.names))
    germ = Germ(generators, child.prior, True, child.field)
    following = simplify.simplify_generators(germ)
    if following is not None:
        (simpler,) = following.children
        assert isinstance(simpler, Germ)
        germ = simpler
    return coordinate.family_complexity(family_of_germ(germ)) < coordinate.family_complexity(family)


def _enough(proof: Proof, goal: Pair | None) -> bool:
    return proof.exact or (goal is not None and proof.lower >= goal)
