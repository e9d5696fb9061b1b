"""The germ of the question at the point of a leaf, proved by the rules of germs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.algebra.division import quotient_if_whole
from rlct.algebra.polynomial import Polynomial, Ring, from_terms, terms_of, to_fraction
from rlct.engine import limits
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.germs.family import substitute_fraction
from rlct.engine.germs.generators import restrict_germ
from rlct.engine.newton_polyhedra.independent import independent_ideal
from rlct.proof.encode import encode_polynomial, encode_polynomials
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

CellRule = tuple[str, Mapping[str, Any]]


def prove_leaf_germ(
    germ: Germ,
    point: Sequence[Fraction],
    cells: tuple[LiteralCell, LiteralCell],
    way: Iterable[CellRule],
    proof: Proof,
    solve: Callable[[Germ], Proof],
) -> Proof | None:
    """The proof of a germ, with the rules on the way to a leaf read as rules of germs.

    `point` is its point in the variables of the first cell, `proof` that of the leaf, the last one.
    None where a rule does not hold at this point, such as a slide along a variable that is 0 there,
    or a wall that the cells do not have.
    """
    whole, leaf = cells
    prior = tuple(Fraction(0) if a else h for a, h in zip(point, whole.prior, strict=True))
    near = [terms_of(_centred(g, point)) for g in whole.generators]
    if (near, prior) != ([terms_of(g) for g in germ.generators], germ.prior):
        return None
    moved_germ = _MovedGerm(germ, point)
    if not all(moved_germ.follow(rule, data) for rule, data in way):
        return None
    if proof.rule == "independent":
        # What is left has monomials only, or a form of several terms.
        return moved_germ.proved(independent_ideal(moved_germ.germ) or solve(moved_germ.germ))
    return moved_germ.proved(proof.children[0]) if moved_germ.is_germ_of(leaf) else None


class _MovedGerm:
    """A germ in the coordinates of a cell, less those of the point, and the steps that led to it.

    Every step keeps the pair.
    """

    def __init__(self, germ: Germ, point: Sequence[Fraction]) -> None:
        self.germ, self.point = germ, list(point)
        self.steps: list[CellRule] = []
        self._is_family = False

    def follow(self, rule: str, data: Mapping[str, Any]) -> bool:
        """Do what a rule of cells does; those that only choose a cell do nothing."""
        if rule == "solve":
            self.point[data["variable"]] = Fraction(0)
        if rule == "change":
            return self._change(data["variable"], data["scale"], data["shift"])
        if rule == "subtract":
            return self._subtract(data["operations"])
        if rule == "slide":
            return self._slide(data)
        if rule == "normalise":
            return self._normalise(data["variable"], data["weights"])
        return len(self.steps) < limits.DEEPEST_PROOF

    def is_germ_of(self, leaf: LiteralCell) -> bool:
        """Whether the leaf is a point with this germ."""
        terms = [terms_of(g) for g in leaf.generators]
        return (
            terms == [terms_of(g) for g in self.germ.generators] and self.germ.prior == leaf.prior
        )

    def proved(self, end: Proof) -> Proof:
        """The proof of the first germ from that of the last one."""
        self._leave_families()
        for rule, data in reversed(self.steps):
            end = Proof(rule, end.lower, end.upper, data, (end,))
        return end

    def _change(self, i: int, scale_data: Any, shift_data: Any) -> bool:
        """The coordinate a·x_i + r, less its value, in place of x_i."""
        a, r, ring = self._moved(scale_data), self._moved(shift_data), self.germ.ring
        if self.germ.prior[i] or not _constant(a):
            return False
        r += self._number(self.point[i]) * a
        value = _constant(r)
        r -= self._number(value)
        self.point[i] = value
        numerator = ring.gens[i] - r
        new_generators = [substitute_fraction(g, i, numerator, a) for g in self.germ.generators]
        self._is_family = True
        data = {"variable": i, "scale": encode_polynomial(a), "shift": encode_polynomial(r)}
        self.steps.append(("coordinate", data))
        operations = []
        for k in range(len(new_generators)):
            while (
                not a.is_ground
                and (quotient := quotient_if_whole(new_generators[k], a)) is not None
            ):
                new_generators[k] = quotient
                operations.append({"divide": k, "by": data["scale"]})
        if operations:
            self.steps.append(("simplify", {"operations": operations}))
        return self._take(new_generators)

    def _subtract(self, operations: Sequence[Mapping[str, Any]]) -> bool:
        generators, moved_operations = list(self.germ.generators), list[dict[str, Any]]()
        for operation in operations:
            i, j, factor = operation["from"], operation["subtract"], self._moved(operation["times"])
            generators[i] -= factor * generators[j]
            moved_operations.append({**operation, "times": encode_polynomial(factor)})
        self.steps.append(("simplify", {"operations": moved_operations}))
        return self._take(generators)

    def _slide(self, data: Mapping[str, Any]) -> bool:
        ring = self.germ.ring
        field = [ring.zero] * ring.ngens
        for k, row in data["field"]:
            terms = {tuple(int(m == n) for m in range(ring.ngens)): Fraction(c) for n, c in row}
            field[k] = _centred(from_terms(ring, terms), self.point)
        cofactors = [[self._number(Fraction(c)) for c in row] for row in data["matrix"]]
        return self._flow(data["variable"], field, cofactors)

    def _normalise(self, i: int, weights: Sequence[int]) -> bool:
        ring, count = self.germ.ring, len(self.germ.generators)
        field = [_centred(w * x, self.point) for w, x in zip(weights, ring.gens, strict=True)]
        degrees = []
        for g in self.germ.generators:
            # A term of highest degree is one before the point is moved to 0, too.
            highest = max(g.itermonoms(), key=sum)
            degrees.append(sum(w * e for w, e in zip(weights, highest, strict=True)))
        cofactors = [
            [self._number(Fraction(degrees[k] * (k == n))) for n in range(count)]
            for k in range(count)
        ]
        return self._flow(i, field, cofactors)

    def _flow(self, i: int, field: list[Polynomial], cofactors: list[list[Polynomial]]) -> bool:
        """The slice x_i = its value, to which a field leads from all points near this one."""
        moved = [k for k, a in enumerate(field) if a]
        if not _constant(field[i]) or any(self.germ.prior[k] for k in moved):
            return False
        step: dict[str, Any] = {"variable": i, "field": encode_polynomials(field)}
        if any(map(any, cofactors)):
            step["cofactors"] = [encode_polynomials(row) for row in cofactors]
        part = {"generators": [*range(len(self.germ.generators))], "steps": [step]}
        self._leave_families()
        self.steps.append(("transverse", {"way": "sum", "parts": [part]}))
        ring = self.germ.ring
        on_slice = [
            ring.from_dict({m: c for m, c in g.terms() if not m[i]}) for g in self.germ.generators
        ]
        variables_left = [k for k in range(ring.ngens) if k != i]
        del self.point[i]
        if not any(on_slice) or not variables_left:
            return False
        self.germ = restrict_germ([g for g in on_slice if g], self.germ, variables_left, True)
        return True

    def _take(self, generators: Sequence[Polynomial]) -> bool:
        kept_generators = tuple(g for g in generators if g)
        self.germ = Germ(kept_generators, self.germ.prior, True)
        size = sum(map(len, kept_generators))
        return 0 < size <= limits.MOST_CHANGED_TERMS and len(self.steps) < limits.DEEPEST_PROOF

    def _leave_families(self) -> None:
        if self._is_family:
            self.steps.append(("forget", {}))
        self._is_family = False

    def _moved(self, data: Any) -> Polynomial:
        """A polynomial of a rule, near the point."""
        terms = {tuple(m): Fraction(c) for c, m in data}
        return _centred(from_terms(self.germ.ring, terms), self.point)

    def _number(self, value: Fraction) -> Polynomial:
        return _number(self.germ.ring, value)


def _centred(p: Polynomial, point: Sequence[Fraction]) -> Polynomial:
    """The polynomial in the differences to the coordinates of a point."""
    pairs = zip(p.ring.gens, point, strict=True)
    shifts = [(x, x + _number(p.ring, a)) for x, a in pairs if a]
    return p.compose(shifts) if shifts else p


def _number(ring: Ring, value: Fraction) -> Polynomial:
    return ring.ground_new(ring.domain(value.numerator, value.denominator))


def _constant(p: Polynomial) -> Fraction:
    return to_fraction(p.coeff(1)) if p else Fraction(0)
