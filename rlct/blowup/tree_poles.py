"""Candidate poles read off the tree of a proof, where every step allows it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from rlct.blowup.fan import TooManyChartsError
from rlct.blowup.poles import Candidates, Progression, facet_candidates
from rlct.blowup.replay import Node
from rlct.certificate.statement import Statement

__all__ = ["tree_candidates"]

_MOST_CONES = 2_000


def tree_candidates(node: Node, *, even: bool = True) -> Candidates | None:
    """Candidate poles of the zeta function that a proof is about.

    Parameters
    ----------
    node : Node
    even : bool
        Whether K is what the steps so far show, not only comparable with it: then evenness
        of monomials passes to K.

    Returns
    -------
    Candidates or None
        None if some step only compares pairs and says nothing on other poles.

    Notes
    -----
    ``theory/toric.md`` proves each case.

    Examples
    --------
    >>> import rlct
    >>> found = rlct.blow_up(rlct.poly("(x*y-z**3)**2")).candidates
    >>> [(str(z), order) for z, order in found.down_to(Fraction(-1))]
    [('-1/2', 1), ('-2/3', 2), ('-5/6', 2), ('-1', 2)]
    """
    rule = _RULES.get(node.rule)
    if rule is None or not isinstance(node.statement, Statement):
        return None
    try:
        return rule(node, even)
    except TooManyChartsError:
        return None


def _same(node: Node, even: bool) -> Candidates | None:
    return tree_candidates(node.children[0], even=even)


def _simplify(node: Node, even: bool) -> Candidates | None:
    return tree_candidates(node.children[0], even=False)


def _sum(node: Node, even: bool) -> Candidates | None:
    """One group only: the other variables do not occur in K."""
    return _same(node, even) if len(node.children) == 1 else None


def _modulus(node: Node, even: bool) -> Candidates | None:
    found = _same(node, even)
    return found and found.power(Fraction(1, 2))


def _power(node: Node, even: bool) -> Candidates | None:
    found = _same(node, even)
    return found and found.power(int(node.data["exponent"]))


def _product(node: Node, even: bool) -> Candidates | None:
    parts = [tree_candidates(child, even=False) for child in node.children]
    known = [part for part in parts if part is not None]
    size = 1
    for part in known:
        size *= len(part.cones)
    if len(known) < len(parts) or size > _MOST_CONES:
        return None
    return reduce(Candidates.times, known)


def _monomial(node: Node, even: bool) -> Candidates | None:
    assert isinstance(node.statement, Statement)
    exponents = [list(m) for g in node.statement.generators for m in g]
    return facet_candidates(exponents, node.statement.prior, even=even)


def _positive(node: Node, even: bool) -> Candidates | None:
    """The divisors that make the monomials principal make the ideal so."""
    return _monomial(node, even=False)


def _smooth(node: Node, even: bool) -> Candidates | None:
    assert isinstance(node.statement, Statement)
    rank = len(node.statement.generators)
    return Candidates(node.statement.width, ((_radial(rank),),))


def _crossings(node: Node, even: bool) -> Candidates | None:
    statement = node.statement
    assert isinstance(statement, Statement)
    cone = []
    for terms, e in node.data["factors"]:
        h = Fraction(0)
        if len(terms) == 1:  # the factor is a variable
            h = statement.prior[next(i for i, x in enumerate(terms[0][1]) if x)]
        cone.append(Progression(1 + h, Fraction(2 * e), (2,)))
    return Candidates(statement.width, (tuple(cone),))


def _newton(node: Node, even: bool) -> Candidates | None:
    """Facets; the strict transform if it is a product of coordinates; the points looked at."""
    statement = node.statement
    assert isinstance(statement, Statement)
    rank = len(statement.generators)
    exponents = [list(m) for g in statement.generators for m in g]
    found = facet_candidates(exponents, statement.prior, even=False)
    zeros = [face for face in node.data["faces"] if "rank" in face or "order" in face]
    for face in zeros:
        smooth = face.get("rank") == rank or (rank == 1 and face.get("order") == 1)
        if not smooth:
            return None
    if zeros:
        found = found.crossing(_radial(rank))
    points = [tree_candidates(child, even=False) for child in node.children]
    known = [point for point in points if point is not None]
    return found.or_at(known) if len(known) == len(points) else None


def _radial(rank: int) -> Progression:
    """Poles of ∫ |z|^(2s) over `rank` coordinates z."""
    return Progression(Fraction(rank), Fraction(2), (2,))


_RULES: dict[str, Callable[[Node, bool], Candidates | None]] = {
    "squares": _same,
    "simplify": _simplify,
    "sum": _sum,
    "modulus": _modulus,
    "power": _power,
    "product": _product,
    "monomial": _monomial,
    "positive": _positive,
    "smooth": _smooth,
    "crossings": _crossings,
    "newton": _newton,
}
