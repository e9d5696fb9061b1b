"""Candidate poles read off the tree of a proof, where every step allows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from rlct.blowup.fan import TooManyChartsError
from rlct.blowup.poles import PoleCandidates, PoleProgression, facet_candidates
from rlct.blowup.replay import Node
from rlct.certificate.family import GermFamily
from rlct.certificate.rules import ChildTrait
from rlct.certificate.statement import Statement

_MOST_CONES = 2_000  # sets of poles that may meet


@dataclass(frozen=True)
class _Mode:
    """What K of the question is, at a step; ``theory/toric.md`` explains its use."""

    #: It is what the steps so far show, not only comparable with it: then evenness of monomials
    #: passes to it.
    even: bool
    #: It has products of the generators here with others, in other variables.
    crossed: bool = False
    #: And a common factor of the generators here was taken out on the way.
    factor: bool = False

    @property
    def comparable(self) -> _Mode:
        """The mode below a change of generators."""
        return replace(self, even=False)

    @property
    def divided(self) -> _Mode:
        """The mode of a factor."""
        return replace(self, even=False, factor=self.crossed)


def tree_candidates(root: Node) -> PoleCandidates | None:
    """Candidate poles of the zeta function that a proof is about.

    None if some step only compares pairs and says nothing on other poles.  ``theory/toric.md``
    proves each case.

    >>> import rlct
    >>> found = rlct.blow_up(rlct.poly("(x*y-z**3)**2")).candidates
    >>> [(str(z), order) for z, order in found.down_to(Fraction(-1))]
    [('-1/2', 1), ('-2/3', 2), ('-1', 2)]
    """
    try:
        return _candidates(root, _Mode(even=True))
    except TooManyChartsError:
        return None


def _candidates(node: Node, mode: _Mode) -> PoleCandidates | None:
    if node.statement is None or node.checked_rule is None:
        return None
    rank, child = _rank(node), node.checked_rule.child
    if rank is not None:
        return PoleCandidates(node.statement.width, ((_coordinates(rank, mode),),))
    if own := _OWN_POLES.get(node.rule):
        return own(node, mode)
    if ChildTrait.EQUAL in child:
        return _same(node, mode)
    if ChildTrait.COMPARABLE in child:
        return _comparable(node, mode)
    return _anywhere(node, mode) if ChildTrait.ABOVE in child else None


def _rank(node: Node) -> int | None:
    """Number of coordinates that generate the ideal, off the prior; None if none are seen."""
    if node.rule == "smooth":
        return len(node.generators)
    if node.rule in ("monomial", "monomials"):
        rows, prior = _exponents(node)
        simple = all(sum(row) == 1 and not prior[row.index(1)] for row in rows)
        return len({*map(tuple, rows)}) if simple else None
    ranks = [_rank(child) for child in node.children]
    known_ranks = [rank for rank in ranks if rank is not None]
    passes = node.checked_rule is not None and ChildTrait.COMPARABLE in node.checked_rule.child
    if not passes and node.rule not in ("eliminate", "sum"):
        return None
    if not _is_ideal(node) or len(known_ranks) < len(ranks):
        return None
    return sum(known_ranks) + (node.rule == "eliminate")


def _is_ideal(node: Node) -> bool:
    return isinstance(node.statement, GermFamily) or (
        node.statement is not None and node.statement.is_ideal
    )


def _coordinates(rank: int, mode: _Mode) -> PoleProgression:
    """K is a definite quadratic form in coordinates, if need be after others were completed."""
    return _radial(rank, odd=mode.crossed and mode.factor)


def _radial(rank: int, *, odd: bool) -> PoleProgression:
    """Poles of ∫ |z|^(2s) over `rank` coordinates z."""
    return PoleProgression(Fraction(rank), Fraction(2), (1,) if odd else (2,))


def _same(node: Node, mode: _Mode) -> PoleCandidates | None:
    return _candidates(node.children[0], mode)


def _comparable(node: Node, mode: _Mode) -> PoleCandidates | None:
    return _candidates(node.children[0], mode.comparable)


def _anywhere(node: Node, mode: _Mode) -> PoleCandidates | None:
    """The points of an exceptional divisor, or of strata of one."""
    parts = _all(node, mode.comparable)
    if not parts:
        return None
    cones = dict.fromkeys(cone for part in parts for cone in part.cones)
    if len(cones) > _MOST_CONES:
        raise TooManyChartsError(_MOST_CONES)
    assert node.statement is not None
    return PoleCandidates(node.statement.width, tuple(cones))


def _all(node: Node, mode: _Mode) -> list[PoleCandidates]:
    """Candidates of all children; empty if one is not known."""
    parts = [_candidates(child, mode) for child in node.children]
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) else []


def _sum(node: Node, mode: _Mode) -> PoleCandidates | None:
    """Coordinates are completed to squares; others may have products with each other."""
    ranks = [_rank(child) for child in node.children]
    unranked = [c for c, rank in zip(node.children, ranks, strict=True) if rank is None]
    if not mode.even and len(unranked) > 1 and not mode.crossed:
        mode = replace(mode, crossed=True, factor=False)
    parts = [_candidates(child, mode) for child in unranked]
    rank = sum(rank for rank in ranks if rank is not None)
    if rank:
        parts.append(PoleCandidates(rank, ((_coordinates(rank, mode),),)))
    known_parts = [part for part in parts if part is not None]
    if len(known_parts) < len(parts):
        return None
    return reduce(partial(PoleCandidates.plus, limit=_MOST_CONES), known_parts)


def _eliminate(node: Node, mode: _Mode) -> PoleCandidates | None:
    others = _comparable(node, mode)
    own = PoleCandidates(1, ((_coordinates(1, mode),),))
    return others and own.plus(others, _MOST_CONES)


def _transverse(node: Node, mode: _Mode) -> PoleCandidates | None:
    way = _sum if node.data["way"] == "sum" else _product
    return way(node, mode.comparable)


def _modulus(node: Node, mode: _Mode) -> PoleCandidates | None:
    found = _same(node, mode)
    return found and found.power(Fraction(1, 2))


def _power(node: Node, mode: _Mode) -> PoleCandidates | None:
    """Exact over a germ; over a family up to a unit."""
    inner = mode if isinstance(node.statement, Statement) else mode.comparable
    found = _same(node, replace(inner, factor=mode.crossed))
    return found and found.power(int(node.data["exponent"]))


def _product(node: Node, mode: _Mode) -> PoleCandidates | None:
    parts = _all(node, mode.divided)
    size = 1
    for part in parts:
        size *= len(part.cones)
    if not parts or size > _MOST_CONES:
        return None
    return reduce(PoleCandidates.times, parts)


def _exponents(node: Node) -> tuple[list[list[int]], list[Fraction]]:
    """Monomials in locals, or in the coordinates of the evidence, and the prior of these."""
    statement = node.statement
    assert statement is not None
    prior = list(statement.prior)
    if node.rule == "monomial":
        return [list(m[: len(prior)]) for g in statement.generators for m in g], prior
    candidates = []
    for terms in node.data["coordinates"]:
        exponents = terms[0][1] if len(terms) == 1 else []
        variable = sum(exponents) == 1 and exponents.index(1) < len(prior)
        candidates.append(prior[exponents.index(1)] if variable else Fraction(0))
    return [list(row) for row in node.data["exponents"]], candidates


def _monomial(node: Node, mode: _Mode) -> PoleCandidates | None:
    exponents, prior = _exponents(node)
    even = mode.even and node.rule == "monomial"
    return replace(
        facet_candidates(exponents, prior, even=even, signed=not mode.crossed, limit=_MOST_CONES),
        width=0 if node.statement is None else node.statement.width,
    )


def _zeros(node: Node, mode: _Mode) -> PoleCandidates | None:
    """Monomials in coordinates, of all generators."""
    assert node.statement is not None
    complete = set(node.data["kept"]) == set(range(len(node.statement.generators)))
    return _monomial(node, mode.comparable) if complete else None


def _positive(node: Node, mode: _Mode) -> PoleCandidates | None:
    """The divisors that make the monomials principal make the ideal so."""
    assert isinstance(node.statement, Statement)
    exponents = [list(m) for g in node.statement.generators for m in g]
    return facet_candidates(exponents, node.statement.prior, even=False, signed=not mode.crossed)


def _crossings(node: Node, mode: _Mode) -> PoleCandidates | None:
    statement = node.statement
    assert isinstance(statement, Statement)
    cone = []
    for terms, e in node.data["factors"]:
        h = Fraction(0)
        if len(terms) == 1:  # the factor is a variable
            h = statement.prior[next(i for i, x in enumerate(terms[0][1]) if x)]
        cone.append(PoleProgression(1 + h, Fraction(2 * e), (1,) if mode.crossed else (2,)))
    return PoleCandidates(statement.width, (tuple(cone),))


def _newton(node: Node, mode: _Mode) -> PoleCandidates | None:
    """Facets; the strict transform if it is a product of coordinates; the children."""
    statement = node.statement
    assert isinstance(statement, Statement)
    rank = len(statement.generators)
    exponents = [list(m) for g in statement.generators for m in g]
    signed = not mode.crossed
    pole_candidates = facet_candidates(exponents, statement.prior, even=False, signed=signed)
    zeros = [face for face in node.data["faces"] if "rank" in face or "order" in face]
    for face in zeros:
        smooth = face.get("rank") == rank or (rank == 1 and face.get("order") == 1)
        if not smooth:
            return None
    if zeros:
        pole_candidates = pole_candidates.crossing(_radial(rank, odd=mode.crossed))
    points = _all(node, mode.comparable)
    return pole_candidates.or_at(points) if len(points) == len(node.children) else None


#: Of rules for which the trait of their children does not say it.
_OWN_POLES: dict[str, Callable[[Node, _Mode], PoleCandidates | None]] = {
    "sum": _sum,
    "eliminate": _eliminate,
    "transverse": _transverse,
    "modulus": _modulus,
    "power": _power,
    "product": _product,
    "monomial": _monomial,
    "monomials": _monomial,
    "smooth-zeros": _zeros,
    "positive": _positive,
    "crossings": _crossings,
    "newton": _newton,
}
