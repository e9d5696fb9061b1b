"""Resolution by blow-ups: what is done with a family, in which order."""

from __future__ import annotations

from collections.abc import Callable

from rlct.certificate.encode import encode_polynomial, encode_polynomials
from rlct.certificate.proof import Proof
from rlct.engine import coordinate, leaves, monomials, simplify, strata, symmetry, uniform
from rlct.engine.budget import Budget
from rlct.engine.charts import centres, charts
from rlct.engine.family import (
    Family,
    family_of,
    is_unit,
    local_terms,
    non_units,
    reordered,
    strip,
)
from rlct.engine.step import Step
from rlct.engine.strata import WantedError
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.polynomial import Polynomial, degree
from rlct.problem import Germ

__all__ = ["Search", "better"]

_DEEPEST = 28  # a blow-up counts four, a change of coordinates one
_BLOW_UP = 4
_MOST_NODES = 4_000
_RULES = (
    uniform.monomial,
    uniform.split,
    uniform.simplify,
    uniform.product,
    uniform.power,
    monomials.of_family,
)


class _GiveUpError(Exception):
    """Too much work, and not even a weak bound holds for every value of the constants."""


class Search:
    """One search for a resolution.

    Parameters
    ----------
    budget : Budget
    prove_germ : callable
        Proves a germ without parameters: (germ, goal, depth) to a proof.
    progress : callable, optional
        Called with the number of families looked at.
    """

    def __init__(
        self,
        budget: Budget,
        prove_germ: Callable[[Germ, Pair | None, int], Proof],
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._budget = budget
        self._prove_germ = prove_germ
        self._progress = progress
        self._nodes = 0

    @property
    def spent(self) -> bool:
        """Whether no more work should be begun."""
        return self._budget.spent or self._nodes >= _MOST_NODES

    def germ(self, germ: Germ, goal: Pair | None, depth: int) -> Proof | None:
        """Resolve a germ that no other rule finishes; None if that gives nothing new."""
        if self.spent or depth >= _DEEPEST:
            return None
        family = family_of(germ)
        step = coordinate.straighten(family)
        if step is None or not _simpler(family, step):
            step = coordinate.shifts(family)
        if step is None:
            step = coordinate.shorten(family)
            if step is not None and not _simpler(family, step):
                step = None
        moved = None if step is None else self._prove(step, goal, depth)
        if moved is not None and (moved.exact or depth or (goal and moved.lower >= goal)):
            return moved
        try:
            found = self._blow_up(family, goal, depth)
        except _GiveUpError:
            return moved
        return found if moved is None else better(found, moved)

    def _prove(self, step: Step, goal: Pair | None, depth: int) -> Proof:
        """Prove a step; a bound that suffices for the whole suffices for an only equal part."""
        inner = goal if step.rule in ("coordinate", "simplify", "forget") else None
        deeper = depth + (step.rule == "coordinate")
        return step.prove(lambda child: self.prove(child, inner, deeper))

    def prove(self, child: Germ | Family, goal: Pair | None, depth: int) -> Proof:
        """Prove a germ or a family; `goal` is a lower bound that is good enough."""
        if isinstance(child, Germ):
            return self._prove_germ(child, goal, depth)
        return self._free(child, goal, depth) if child.free else self._fixed(child, goal, depth)

    def _fixed(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Family without free parameters."""
        self._nodes += 1
        if self._progress is not None:
            self._progress(self._nodes)
        step = uniform.forget(family)
        if step is not None:
            return self._prove(step, goal, depth)
        for rule in _RULES:
            found = rule(family)
            if isinstance(found, Step):
                return self._prove(found, goal, depth)
            if found is not None:
                return found
        below = _monomial_part(family)
        if below is not None and goal is not None and below.lower >= goal:
            return below
        if depth < _DEEPEST:
            step = coordinate.straighten(family) or coordinate.shorten(family)
            if step is not None:
                return self._prove(step, goal, depth)
        if not self.spent:
            polynomial = _wanted(family)
            if polynomial is not None:
                raise WantedError(polynomial)
            if depth < _DEEPEST:
                return self._blow_up(family, goal, depth)
        return _weak(family, below)

    def _free(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Family with free parameters: fix them, or split where that needs a unit."""
        d = len(family.prior)
        for k, h in enumerate(family.free):
            x = family.ring.gens[d + k]
            if h and not is_unit(x, family.units):
                return self._split(family, x, goal, depth)
        try:
            proof = self._fixed(strata.fixed(family), goal, depth)
        except WantedError as wanted:
            (g,) = reordered([wanted.polynomial], family.names)
            if not strata.meets(family, g):
                raise
            return self._split(family, g, goal, depth)
        except _GiveUpError:
            return _open(family)
        point = strata.witness(family)
        upper = None if point is None else proof.upper
        data = {} if point is None else {"point": point}
        return Proof("fix", proof.lower, upper, data, (proof,))

    def _split(self, family: Family, g: Polynomial, goal: Pair | None, depth: int) -> Proof:
        """Where g ≠ 0, and where g = 0."""
        if self.spent:
            return _open(family)
        like = symmetry.covered(family, g) if family.seen else None
        solution = None if like is not None else strata.solve(family, g)
        if solution is not None and not isinstance(solution, tuple):
            return self._either(family, solution, goal, depth)
        if solution is None and like is None:
            other = strata.other_zeros(family, g)
            if other is not None:
                return self._either(family, other, goal, depth)
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
        elif (leaf := strata.smooth(family, g)) is not None:
            child, zeros = leaf, {"smooth": True}
        else:
            larger = self._larger(family, g)
            if larger is not None:
                zeros, child = larger
            else:
                factor = _discriminant_factor(family, g)
                if factor is not None:
                    return self._either(family, factor, goal, depth)
                child, zeros = _open(family), {"open": True}
        nonzero = Family(
            family.generators,
            family.prior,
            family.free,
            (*family.units, g),
            (*family.seen, (g, family.units)),
        )
        proofs = [self.prove(nonzero, goal, depth)]
        if isinstance(child, Proof):
            proofs.append(child)
        elif child is not None:
            best = proofs[0].upper
            aim = best if goal is None or (best is not None and best < goal) else goal
            proofs.append(self.prove(child, aim, depth))
        lower = min(proof.lower for proof in proofs)
        claimed = proofs
        if isinstance(child, Family) and not strata.inhabited(family, child):
            claimed = proofs[:1]
        uppers = [proof.upper for proof in claimed if proof.upper is not None]
        upper = min(uppers) if uppers else None
        data = {"by": encode_polynomial(g), "zeros": zeros}
        return Proof("stratify", lower, upper, data, tuple(proofs))

    def _either(self, family: Family, g: Polynomial, goal: Pair | None, depth: int) -> Proof:
        """Split by a polynomial if it involves free parameters, else ask further out."""
        if strata.meets(family, g):
            return self._split(family, g, goal, depth)
        raise WantedError(g)

    def _larger(self, family: Family, g: Polynomial) -> tuple[dict[str, object], Family] | None:
        """A larger set that can be solved: one square of a definite g vanishes with it."""
        found = strata.in_square(g)
        if found is None:
            return None
        evidence, squares = found
        for index, h in enumerate(squares):
            factors = non_units(h, family.units)
            if len(factors) != 1 or not strata.meets(family, factors[0]):
                continue
            solution = strata.solve(family, factors[0])
            if isinstance(solution, tuple):
                child = strata.stratum(family, *solution)
                data = {**evidence, "index": index, "factor": encode_polynomial(factors[0])}
                zeros = {"within": data, "solve": solution[0]}
                return {**zeros, "units": encode_polynomials(child.units)}, child
        return None

    def _blow_up(self, family: Family, goal: Pair | None, depth: int) -> Proof:
        """Blow up; a few centres are tried until one is exact."""
        weak = _weak(family, None)
        best = weak
        tried = centres(family)
        for weights in tried if depth == 0 else tried[:1]:
            if self.spent:
                break
            proof = self._blow_up_at(family, weights, goal, depth)
            if proof is None:
                continue
            if proof.exact or (goal is not None and proof.lower >= goal):
                return proof
            best = better(best, proof)
        return best

    def _blow_up_at(
        self, family: Family, weights: tuple[int, ...], goal: Pair | None, depth: int
    ) -> Proof | None:
        weak = _weak(family, None)
        aim = weak.upper if goal is None or (weak.upper and weak.upper < goal) else goal
        proofs: list[Proof] = []
        failed = False
        cells, permutations = symmetry.orbits(family, weights)
        for chart in charts(family, weights, cells):
            if failed or self.spent:
                proof = _open(chart)
            else:
                proof = self.prove(chart, aim, depth + _BLOW_UP)
            if proof.upper is not None and (aim is None or proof.upper < aim):
                aim = proof.upper
            failed = failed or (not proof.exact and (aim is None or proof.lower < aim))
            proofs.append(proof)
        lower = min(proof.lower for proof in proofs)
        uppers = [proof.upper for proof in proofs if proof.upper is not None]
        upper = min(uppers) if uppers else None
        data: dict[str, object] = {"weights": list(weights)}
        if permutations:
            data["symmetries"] = permutations
        proof = Proof("blowup", lower, upper, data, tuple(proofs))
        return proof if proof.exact else better(weak, proof)


def _simpler(family: Family, step: Step) -> bool:
    """Whether a germ is simpler after a change of coordinates and what simplifies germs then.

    Otherwise the change could be undone and made again without end.
    """
    (child,) = step.children
    assert isinstance(child, Family)
    germ = Germ(tuple(reordered(child.generators, child.names)), child.prior, True)
    following = simplify.apply(germ)
    if following is not None:
        (simpler,) = following.children
        assert isinstance(simpler, Germ)
        germ = simpler
    return coordinate.complexity(family_of(germ)) < coordinate.complexity(family)


def better(first: Proof, second: Proof) -> Proof:
    """Enclose by both."""
    lower = max(first.lower, second.lower)
    uppers = [p.upper for p in (first, second) if p.upper is not None]
    upper = min(uppers) if uppers else None
    for proof in (first, second):
        if proof.lower == lower and proof.upper == upper:
            return proof
    return Proof("enclose", lower, upper, {}, (first, second))


def _open(family: Family) -> Proof:
    """Only the bound that needs no work."""
    lower = uniform.floor(family)
    if lower is None:
        raise _GiveUpError
    return Proof("open", lower, None)


def _weak(family: Family, below: Proof | None) -> Proof:
    """Bounds from exponents, and the given lower bound if there is one."""
    plain = not family.fixed and not family.free
    germ = Germ(family.generators, family.prior, True)
    hull = leaves.hull(germ) if plain else uniform.hull(family)
    if hull is None:
        if below is None:
            raise _GiveUpError
        return below
    return hull if below is None else better(hull, below)


def _monomial_part(family: Family) -> Proof | None:
    """Lower bound by the generators that are monomials."""
    d = len(family.prior)
    kept = [
        index
        for index, g in enumerate(family.generators)
        if len(terms := local_terms(g, d)) == 1
        and is_unit(next(iter(terms.values())), family.units)
    ]
    if not kept:
        return None
    proof = uniform.monomial(family.with_generators(family.generators[k] for k in kept))
    assert proof is not None
    return Proof("subideal", proof.lower, None, {"kept": kept}, (proof,))


def _wanted(family: Family) -> Polynomial | None:
    """A factor of a coefficient that should be decided first.

    Coefficients at which a strict transform meets the divisor come first, then those of linear
    terms, which give coordinates, then those that decide the linear programme.  Generators with
    small common monomials come first: they may simplify the others.
    """
    d = len(family.prior)
    found: list[tuple[tuple[int, int], Polynomial]] = []
    for g in family.generators:
        low, rest = strip(g, d)
        for m, c in local_terms(rest, d).items():
            if is_unit(c, family.units):
                continue
            if not any(m):
                found.append(((0, sum(low)), c))
            elif sum(m) == 1 and not family.prior[m.index(1)]:
                found.append(((1, sum(low)), c))
    if not found:
        terms: dict[tuple[int, ...], list[Polynomial]] = {}
        for g in family.generators:
            for m, c in local_terms(g, d).items():
                terms.setdefault(m, []).append(c)
        exponents = sorted(terms)
        for row in monomial_optimum(exponents, family.prior).multipliers:
            coefficients = terms[exponents[row]]
            if not any(is_unit(c, family.units) for c in coefficients):
                found.append(((2, 0), coefficients[0]))
    choices = [
        (level, degree(f), len(f), str(f), f)
        for level, c in found
        for f in non_units(c, family.units)
    ]
    return min(choices, key=lambda item: item[:4])[-1] if choices else None


def _discriminant_factor(family: Family, g: Polynomial) -> Polynomial | None:
    """A factor of a resultant of g and a derivative, which is to become a unit."""
    d, m = len(family.prior), len(family.free)
    best: list[Polynomial] = []
    for j in range(d, d + m):
        x = family.ring.gens[j]
        if g.degree(x) < 1 or (best and g.degree(x) > 8):
            continue
        found = strata.bezout(family.ring, g, g.diff(x), j)
        if found is not None:
            factors = non_units(found[2], family.units)
            if factors and (not best or sum(map(degree, factors)) < sum(map(degree, best))):
                best = factors
    return min(best, key=lambda f: (degree(f), len(f))) if best else None
