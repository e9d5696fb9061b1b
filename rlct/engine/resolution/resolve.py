"""Resolution by blow-ups: what is done with a family, in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rlct.algebra.polynomial import Polynomial
from rlct.engine import bounds, limits
from rlct.engine.bounds import GiveUpError, tighter_bounds
from rlct.engine.newton_polyhedra import initial
from rlct.engine.reductions import monomials, simplify
from rlct.engine.resolution import algebraic, coordinate, strata, symmetry, uniform, wanted, witness
from rlct.engine.resolution.adjoin import adjoin, without_roots
from rlct.engine.resolution.charts import centres, charts
from rlct.engine.resolution.compose import compose
from rlct.engine.resolution.family import (
    Family,
    family_of,
    non_units,
    reordered,
    vanishing_priors,
)
from rlct.engine.resolution.strata import WantedError
from rlct.engine.step import Step
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial, encode_polynomials
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ
from rlct.system.time_limit import Budget, OutOfTimeError

__all__ = ["Search"]

_EQUALITIES = ("coordinate", "compose", "simplify", "forget", "unit")
_RULES = (
    algebraic.reduced,
    uniform.monomial,
    uniform.split,
    uniform.simplify,
    uniform.product,
    monomials.monomials_of_family,
)


class Search:
    """One search for a resolution.

    Parameters
    ----------
    budget : Budget
    prove_germ : callable
        Proves a germ without parameters: (germ, goal, depth) to a proof.
    progress : callable, optional
        Called with the number of families looked at.
    most : int, optional
        Work after which nothing new is begun: families over Q.
    resolution : bool
        Whether a resolution is wanted, and no shorter proof that looks at weights alone.
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
        family = family_of(germ)
        for find in (coordinate.straighten, compose):
            step = find(family)
            if step is not None and _simpler(family, step):
                break
        else:
            step = None
        moved = None if step is None else self._prove(step, goal, depth)
        if moved is not None and (moved.exact or depth or (goal and moved.lower >= goal)):
            return moved
        try:
            found = self._blow_up(family, goal, depth)
        except (GiveUpError, RecursionError):
            return moved
        return found if moved is None else tighter_bounds(found, moved)

    def _prove(self, step: Step, goal: Pair | None, depth: int) -> Proof:
        """Prove a step; a bound that suffices for the whole suffices for an only equal part."""
        inner = goal if step.rule in _EQUALITIES else None
        deeper = depth + (step.rule in ("coordinate", "compose"))
        return step.prove(lambda child: self.prove(child, inner, deeper))

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
        step = uniform.forget(family)
        if step is not None:
            return self._prove(step, goal, depth)
        if goal is not None:
            least = initial.initial_bound_of_family(family, goal)
            if least is not None and least.lower >= goal:
                return least
        for rule in _RULES:
            found = rule(family)
            if isinstance(found, Step):
                return self._prove(found, goal, depth)
            if found is not None:
                return found
        below = bounds.monomial_part(family)
        if below is not None and goal is not None and below.lower >= goal:
            return below
        if depth < limits.DEEPEST_RESOLUTION:
            step = coordinate.straighten(family) or compose(family)
            if step is not None:
                return self._prove(step, goal, depth)
        if not self.spent:
            polynomial = wanted.coefficient(family)
            if polynomial is not None:
                return self._decided(family, polynomial, goal, depth)
            if depth < limits.DEEPEST_RESOLUTION:
                return self._blow_up(family, goal, depth)
        return bounds.weak_bounds(family, below)

    def _decided(self, family: Family, c: Polynomial, goal: Pair | None, depth: int) -> Proof:
        """A polynomial in constants is a unit by the relations, or has to be asked further out."""
        found = algebraic.settle(family, c)
        if found is None:
            found = algebraic.reduced(family, whole=True)
        if isinstance(found, Step):
            return self._prove(found, goal, depth)
        raise WantedError(c)

    def _free(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Family with free parameters: fix them, or split where that needs a unit."""
        vanishing = vanishing_priors(family)
        if vanishing:
            return self._split(family, family.ring.gens[vanishing[0]], goal, depth)
        try:
            proof = self._fixed(strata.fixed(family), goal, depth)
        except WantedError as error:
            (g,) = reordered([error.polynomial], family.names)
            if not strata.meets(family, g):
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
        waiting: tuple[Polynomial, ...] = (),
    ) -> Proof:
        """Where g ≠ 0, and where g = 0; polynomials that wait for this are not asked again."""
        waiting = (*waiting, g)
        if self.spent:
            return bounds.unresolved_family(family)
        settled = algebraic.settle(family, g)
        if isinstance(settled, Step):
            return self._prove(settled, goal, depth)
        proper = algebraic.factor(family, g)
        if proper is not None and proper not in waiting:
            return self._either(family, proper, goal, depth, waiting)
        like = symmetry.covered(family, g) if family.seen else None
        solution = None if like is not None else strata.solve_for(family, g)
        if solution is not None and not isinstance(solution, tuple):
            return self._either(family, solution, goal, depth, waiting)
        if solution is None and like is None:
            other = strata.other_zeros(family, g)
            if other is not None and other not in waiting:
                return self._either(family, other, goal, depth, waiting)
        zeros: dict[str, object] = {}
        child: Family | Proof | None = None
        if solution is not None:
            j, a, b = solution
            child = strata.stratum(family, j, a, b)
            zeros = {"solve": j, "units": encode_polynomials(child.units)}
        elif like is not None:
            zeros = {"symmetric": like}
        elif (evidence := strata.no_zeros(family, g)) is not None:
            zeros = {"none": evidence}
        elif (leaf := strata.smooth(family, g)) is not None and _enough(leaf, goal):
            child, zeros = leaf, {"smooth": True}
        elif (larger := self._larger(family, g)) is not None:
            zeros, child = larger
        else:
            found = adjoin(family, g)
            if isinstance(found, tuple):
                child, zeros = found
            elif found is not None and found not in waiting:
                return self._either(family, found, goal, depth, waiting)
            elif leaf is not None:
                child, zeros = leaf, {"smooth": True}
            else:
                child, zeros = bounds.unresolved_family(family), {"open": True}
        seen = (*family.seen, (g, family.units))
        nonzero = replace(family, units=(*family.units, g), seen=seen)
        proofs = [self._anyhow(nonzero, goal, depth)]
        if isinstance(child, Proof):
            proofs.append(child)
        elif child is not None:
            best = proofs[0].upper
            aim = best if goal is None or (best is not None and best < goal) else goal
            try:
                proofs.append(self._anyhow(child, aim, depth))
            except WantedError as error:
                if "adjoin" not in zeros:
                    raise
                factor = without_roots(family, child, error.polynomial)
                if factor is None or factor in waiting:
                    proofs.append(bounds.unresolved_family(family))
                    child, zeros = None, {"open": True}
                else:
                    return self._either(family, factor, goal, depth, waiting)
        lower = min(proof.lower for proof in proofs)
        claimed = proofs
        if "adjoin" in zeros:
            claimed = proofs if "line" in zeros else proofs[:1]
        elif isinstance(child, Family) and not strata.inhabited(family, child):
            claimed = proofs[:1]
        uppers = [proof.upper for proof in claimed if proof.upper is not None]
        upper = min(uppers) if uppers else None
        data = {"by": encode_polynomial(g), "zeros": zeros}
        return Proof("stratify", lower, upper, data, tuple(proofs))

    def _either(
        self,
        family: Family,
        g: Polynomial,
        goal: Pair | None,
        depth: int,
        waiting: tuple[Polynomial, ...],
    ) -> Proof:
        """Split by a polynomial if it involves free parameters, else ask further out."""
        if strata.meets(family, g):
            return self._split(family, g, goal, depth, waiting)
        return self._decided(family, g, goal, depth)

    def _larger(self, family: Family, g: Polynomial) -> tuple[dict[str, object], Family] | None:
        """A larger set that can be solved: one square of a definite g vanishes with it."""
        found = strata.in_square(family, g)
        if found is None:
            return None
        evidence, squares = found
        for index, h in enumerate(squares):
            factors = non_units(h, family.units)
            if len(factors) != 1 or not strata.meets(family, factors[0]):
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
        best = bounds.weak_bounds(family, None)
        tried = centres(family)
        for weights in tried if depth == 0 else tried[:1]:
            if self.spent:
                break
            proof = self._blow_up_at(family, weights, goal, depth)
            if proof is None:
                continue
            if proof.exact or (goal is not None and proof.lower >= goal):
                return proof
            best = tighter_bounds(best, proof)
        return best

    def _blow_up_at(
        self, family: Family, weights: tuple[int, ...], goal: Pair | None, depth: int
    ) -> Proof | None:
        known = bounds.weak_bounds(family, None)
        aim = known.upper if goal is None or (known.upper and known.upper < goal) else goal
        proofs: list[Proof] = []
        failed = False
        cells, permutations = symmetry.orbits(family, weights)
        for chart in charts(family, weights, cells):
            if failed or self.spent:
                proof = bounds.unresolved_family(chart)
            else:
                proof = self._anyhow(chart, aim, depth + limits.BLOW_UP_DEPTH)
            if proof.upper is not None and (aim is None or proof.upper < aim):
                aim = proof.upper
            # Where only θ is missing, or at the first blow-up, others may still lower the aim.
            short = aim is None or proof.lower.lam < aim.lam
            failed = failed or (short and not proof.exact and depth >= limits.BLOW_UP_DEPTH)
            proofs.append(proof)
        lower = min(proof.lower for proof in proofs)
        uppers = [proof.upper for proof in proofs if proof.upper is not None]
        upper = min(uppers) if uppers else None
        data: dict[str, object] = {"weights": list(weights)}
        if permutations:
            data["symmetries"] = permutations
        proof = Proof("blowup", lower, upper, data, tuple(proofs))
        return proof if proof.exact else tighter_bounds(known, proof)


def _simpler(family: Family, step: Step) -> bool:
    """Whether a germ is simpler after a change of coordinates and what simplifies germs then.

    Otherwise the change could be undone and made again without end.
    """
    (child,) = step.children
    assert isinstance(child, Family)
    generators = tuple(reordered(child.generators, child.names))
    germ = Germ(generators, child.prior, True, child.field)
    following = simplify.simplify_generators(germ)
    if following is not None:
        (simpler,) = following.children
        assert isinstance(simpler, Germ)
        germ = simpler
    return coordinate.complexity(family_of(germ)) < coordinate.complexity(family)


def _enough(proof: Proof, goal: Pair | None) -> bool:
    return proof.exact or (goal is not None and proof.lower >= goal)
