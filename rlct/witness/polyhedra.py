"""Witnesses of Newton polyhedra: comparisons of weights, identities, points of charts."""

from dataclasses import dataclass
from typing import Any

from rlct.algebra.positivity.comparable import minimal_monomials
from rlct.kernel.algebra import QPoly, combine, qpoly
from rlct.kernel.rules import LocalGerm
from rlct.newton.cone_programme import Multipliers, interior_weight
from rlct.newton.nondegeneracy import sign_change
from rlct.witness.faces import FaceForms
from rlct.witness.programme import Corner, programme
from rlct.witness.terms import NotCoveredError, choice, write, write_rows

_MOST_CELLS = 3_000  # of a tree of comparisons


class ShearError(NotCoveredError):
    """Initial forms vanish where a coordinate could stand in place of a variable."""

    def __init__(self, variable: int, image: QPoly) -> None:
        super().__init__("newton with zeros not smooth")
        self.variable, self.image = variable, image


@dataclass
class _Leaf:
    """What is known about the initial forms of some weights."""

    lowest: list[Corner]
    weight: list[int]
    has_derivatives: bool
    factors: list[QPoly]
    form: QPoly


def newton_witness(germ: LocalGerm) -> Any:
    """Prove the pair of a Newton polyhedron, with what bounds it from above."""
    return _Polyhedron(germ).witness()


class _Polyhedron:
    def __init__(self, germ: LocalGerm) -> None:
        self._germ = germ
        exponents = sorted({m for g in germ.generators for m in g}, key=lambda m: (sum(m), m))
        corners = minimal_monomials(exponents)
        self._order = [*corners, *(m for m in exponents if m not in corners)]
        self._value, self._weights, self._programme = programme(germ, self._order)
        self._leaves: list[_Leaf] = []
        self._cells = 0

    def witness(self) -> Any:
        tree = self._tree(self._order[1:], self._order[:1], [])
        smooth = [leaf for leaf in self._leaves if leaf.has_derivatives]
        top = [leaf for leaf in smooth if self._is_top(leaf.lowest)]
        return {
            "rule": "newton",
            "order": [list(m) for m in self._order],
            "smooth": bool(smooth),
            "free": self._value == 1 and not top,
            "programme": self._programme,
            "tree": _filled(tree),
            "signs": next(filter(None, map(self._signs, [*top, *smooth])), None),
        }

    def _is_top(self, monomials: list[Corner]) -> bool:
        return all(
            sum(w * m[i] for i, w in enumerate(weight)) == 1
            for weight in self._weights
            for m in monomials
        )

    def _signs(self, leaf: _Leaf) -> Any:
        form = _only(self._germ.generators[0], leaf.lowest)
        points = sign_change(form)
        return write_rows([leaf.weight, *points]) if points else None

    def _tree(self, later: list[Corner], lowest: list[Corner], conditions: list[Any]) -> Any:
        """Compare the next exponent with the lowest so far, where there are weights."""
        self._cells += 1
        if self._cells > _MOST_CELLS:
            raise NotCoveredError("newton with too many cells")
        strict, ties = ([d for flag, d in conditions if flag is kind] for kind in (True, False))
        weight = interior_weight(len(self._germ.prior), strict, ties)
        if isinstance(weight, Multipliers):
            numbers = {True: iter(range(len(strict))), False: iter(range(len(ties)))}
            multipliers = {True: weight.positive, False: weight.zero}
            closed = [str(multipliers[b].get(next(numbers[b]), 0)) for b, _ in conditions]
            return {"closed": closed}
        if not later:
            self._leaves.append(self._leaf(lowest, weight))
            return self._leaves[-1]
        d = tuple(x - y for x, y in zip(later[0], lowest[0], strict=True))
        branches = [
            (lowest, (True, d)),
            ([later[0], *lowest], (False, d)),
            (later[:1], (True, tuple(-x for x in d))),
        ]
        return {"branches": [self._tree(later[1:], tied, [c, *conditions]) for tied, c in branches]}

    def _leaf(self, lowest: list[Corner], weight: list[int]) -> _Leaf:
        forms, size = [_only(g, lowest) for g in self._germ.generators], len(self._germ.generators)
        for k, form in enumerate(forms):
            if form and form.is_one_signed():
                factors = choice(len(self._germ.prior), size, k)
                return _Leaf(lowest, weight, False, factors, form)
        face = FaceForms(forms, lowest)
        for used in [False, True][: 1 + (size == 1)]:
            cofactors = face.identity(used)
            if cofactors is not None:
                forms += _slopes(forms[0], len(self._germ.prior)) if used else []
                return _Leaf(lowest, weight, used, cofactors, combine(cofactors, forms))
        shear = face.shear()
        raise ShearError(*shear) if shear else NotCoveredError("newton with zeros not smooth")


def _only(g: QPoly, monomials: list[Corner]) -> QPoly:
    return qpoly({m: g[m] for m in monomials if m in g})


def _slopes(form: QPoly, width: int) -> list[QPoly]:
    return [qpoly({m: c * m[i] for m, c in form.items()}) for i in range(width)]


def _filled(node: Any) -> Any:
    """Write a tree."""
    if isinstance(node, _Leaf):
        shown = {"factors": write(node.factors), "form": write([node.form])}
        return {"derivatives": node.has_derivatives, **shown}
    if "closed" in node:
        return node
    return {"branches": [_filled(child) for child in node["branches"]]}
