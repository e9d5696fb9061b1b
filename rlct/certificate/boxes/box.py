"""The checker on questions over a box."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

from rlct.certificate import cost
from rlct.certificate.boxes.plane_box import (
    Box,
    bounds_at_points,
    sign_of_powers,
    sign_on,
    statement_at,
    substitution_exponent,
)
from rlct.certificate.family import GermFamily
from rlct.certificate.numbers.arithmetic import (
    Poly,
    poly_power,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    read_polynomial,
    total_degree,
    variables,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.univariate import (
    DensePoly,
    dense_derivative,
    dense_gcd,
    has_root_between,
)
from rlct.certificate.question import read_variables
from rlct.certificate.rules import ChildTrait, RuleScope, Sign, checked_rule, rules_about
from rlct.certificate.statement import (
    PairBounds,
    Statement,
    by_group,
    disjoint_groups,
    need,
    product_of,
    read_index,
    read_indices,
    sum_of,
)
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["Box", "bounds", "read_box"]

#: Solves a local question with the proof of a child.
ReplayChild = Callable[[Statement | Box | GermFamily, Mapping[str, Any]], PairBounds]


def read_box(question: Mapping[str, Any]) -> Box:
    """Read a question over a box."""
    width = len(read_variables(question))
    generators = tuple(read_polynomial(g, width) for g in question["generators"])
    prior = tuple(read_fraction(h) for h in question["prior"])
    sides = tuple((read_fraction(a), read_fraction(b)) for a, b in question["sides"])
    ideal = question["ideal"]
    if not (len(prior) == len(sides) == width and type(ideal) is bool):
        raise CertificateError("box: prior and sides need one entry per variable")
    if min(prior) <= -1 or any(a >= b for a, b in sides) or not all(generators):
        raise CertificateError("box: an interval is empty or a prior exponent not above -1")
    if not generators or (len(generators) > 1 and not ideal):
        raise CertificateError("box: K is one polynomial")
    return Box(generators, prior, sides, ideal)


def bounds(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """Bounds of the least pair over a box, by the rule of its proof."""
    rule = rules_about(RuleScope.BOX).get(proof["rule"])
    if rule is None:
        raise CertificateError(f"box: unknown rule {proof['rule']!r}")
    box_bounds: PairBounds
    if ChildTrait.SAME_STATEMENT in rule.child:
        box_bounds = rule([replay_child(box, c) for c in proof.get("children", [])])
    else:
        box_bounds = rule(box, proof, replay_child)
    return box_bounds


@checked_rule("squares", scope=RuleScope.BOX, sign=Sign.NONNEGATIVE)
def _squares(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """K = Σ c·g² has the least pair of the ideal of the g over the same box.

    If all c > 0: K lies between multiples of Σ g² at every point (``theory/points.md``).
    """
    need(not box.is_ideal, "squares: the question is already about an ideal")
    width = len(box.sides)
    items = [(read_fraction(c), read_polynomial(g, width)) for c, g in proof["data"]["squares"]]
    need(bool(items) and all(c > 0 and g for c, g in items), "squares: a coefficient or root")
    total = poly_sum(*(poly_scale(poly_product(g, g), c) for c, g in items))
    need(total == box.generators[0], "squares: the sum of squares is not K")
    child = replace(box, generators=tuple(g for _, g in items), is_ideal=True)
    return replay_child(child, _only(proof))


def _only(proof: Mapping[str, Any]) -> Mapping[str, Any]:
    children = proof.get("children", [])
    need(len(children) == 1, "box: a step of the proof is missing, or one too many")
    only: Mapping[str, Any] = children[0]
    return only


@checked_rule("sum", scope=RuleScope.BOX)
def _sum(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """The least pair of I_1 + I_2 + … over a box is the sum of the least pairs over its parts.

    If the generators lie in disjoint groups of variables: zeros are chosen apart, and addition is
    monotone (``theory/points.md``).
    """
    need(box.is_ideal, "sum: not an ideal")
    groups = disjoint_groups(len(box.sides), proof["data"])
    parts = by_group(box.generators, groups, len(box.sides))
    return sum_of(_parts(box, proof, groups, parts, replay_child))


@checked_rule(
    "product",
    scope=RuleScope.BOX,
    sign=lambda step, below: reduce(and_, below, Sign.NONNEGATIVE),
)
def _product(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """The least pair of c·K_1·K_2⋯ over a box is the product of the least pairs over its parts.

    If the factors use disjoint groups of variables, and each has a zero in its box
    (``theory/points.md``).
    """
    need(len(box.generators) == 1, "product: more than one generator")
    groups = disjoint_groups(len(box.sides), proof["data"])
    factors = [read_polynomial(f, len(box.sides)) for f in proof["data"]["factors"]]
    need(len(factors) == len(groups) and all(factors), "product: a factor for every group")
    factors_product: Poly = {(0,) * len(box.sides): Fraction(1)}
    for f in factors:
        factors_product = poly_product(factors_product, f)
    lead = max(box.generators[0])
    ratio = (
        box.generators[0][lead] / factors_product[lead] if lead in factors_product else Fraction(0)
    )
    need(
        poly_scale(factors_product, ratio) == box.generators[0],
        "product: the factors do not multiply to K",
    )
    return product_of(_parts(box, proof, groups, [[f] for f in factors], replay_child))


def _parts(
    box: Box,
    proof: Mapping[str, Any],
    groups: list[list[int]],
    parts: list[list[Poly]],
    replay_child: ReplayChild,
) -> list[PairBounds]:
    """Solve the parts over their own boxes."""
    children = proof.get("children", [])
    need(len(children) == len(groups), "box: as many proofs as parts are needed")
    part_bounds = []
    for group, part, child in zip(groups, parts, children, strict=True):
        need(
            bool(part) and variables(part) <= set(group) and group == sorted(group),
            "box: a part uses variables outside its group",
        )
        inner = Box(
            tuple({tuple(m[i] for i in group): c for m, c in g.items()} for g in part),
            tuple(box.prior[i] for i in group),
            tuple(box.sides[i] for i in group),
            box.is_ideal,
        )
        part_bounds.append(replay_child(inner, child))
    return part_bounds


@checked_rule(
    "univariate-factors",
    "{factors: [{variable: index, factor: polynomial, exponent: positive}]}",
    RuleScope.BOX,
    sign=sign_of_powers,
)
def _factors(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """The least pair of c·Π p(x_i)^m is the product over i of the least (1/(s·m), 1).

    If the p are squarefree, those of one variable coprime, and p has a root in its side, by Sturm's
    theorem; for the root 0 it is ((1 + h)/(s·m), 1).  s = 2 for an ideal
    (``theory/certificates.md``).
    """
    width = len(box.prior)
    f = box.generators[0]
    if width == 1:
        # Polynomials in one variable generate the ideal of their greatest common divisor.
        f = {(k,): c for k, c in enumerate(dense_gcd([_dense(g, 0) for g in box.generators])) if c}
    elif len(box.generators) != 1:
        raise CertificateError("box: more than one generator")
    factors_product: Poly = {(0,) * width: Fraction(1)}
    dense_by_variable: dict[int, DensePoly] = {}
    least_pairs: dict[int, Pair] = {}
    for item in proof["data"]["factors"]:
        i, m, p = _read_factor(item, width, total_degree(f))
        factors_product = poly_product(factors_product, poly_power(p, m, width))
        dense_factor = _dense(p, i)
        # Squarefree and coprime: at a root K has exactly the exponent m in x_i.
        if len(dense_gcd([dense_factor, dense_derivative(dense_factor)])) != 1:
            raise CertificateError("box: a factor is not squarefree")
        if i in dense_by_variable and len(dense_gcd([dense_factor, dense_by_variable[i]])) != 1:
            raise CertificateError("box: two factors share a root")
        dense_by_variable[i] = _times(dense_by_variable.get(i, [Fraction(1)]), dense_factor)
        for pair in _pairs_at_roots(box, i, m, dense_factor):
            least_pairs[i] = min(pair, least_pairs.get(i, pair))
    # Equal up to a number: K has no other factor.
    lead = max(f)
    if poly_scale(factors_product, f[lead] / factors_product.get(lead, Fraction(1))) != f:
        raise CertificateError("box: the factors do not multiply to K")
    if not least_pairs:
        raise CertificateError("box: K has no zero in the box")
    product_pair = Pair.product(least_pairs.values())
    return product_pair, product_pair


def _read_factor(item: Mapping[str, Any], width: int, highest: int) -> tuple[int, int, Poly]:
    """A variable, an exponent and a polynomial in that variable."""
    i = read_index(item["variable"], width, "box: a factor has no variable")
    m, p = item["exponent"], read_polynomial(item["factor"], width)
    if type(m) is not int or m < 1:
        raise CertificateError("box: a factor has no exponent")
    if not p or any(e for q in p for k, e in enumerate(q) if k != i):
        raise CertificateError("box: a factor depends on several variables")
    if m * total_degree(p) > highest:
        raise CertificateError("box: the degree of a factor is too high")
    return i, m, p


def _pairs_at_roots(box: Box, i: int, m: int, dense_factor: DensePoly) -> list[Pair]:
    """Pairs of the power m of a factor at its root 0, and at others, if there are such."""
    low, high = box.sides[i]
    pairs = []
    if dense_factor[0] == 0 and low <= 0 <= high:
        pairs.append(Pair((1 + box.prior[i]) / (box.scale * m), 1))
    if has_root_between(dense_factor[1:] if dense_factor[0] == 0 else dense_factor, low, high):
        pairs.append(Pair(Fraction(1, box.scale * m), 1))
    return pairs


def _dense(p: Poly, i: int) -> DensePoly:
    places = {q[i]: c for q, c in p.items()}
    cost.charge(10 * max(places), "a polynomial in one variable")
    return [places.get(k, Fraction(0)) for k in range(max(places) + 1)]


def _times(p: DensePoly, q: DensePoly) -> DensePoly:
    bits = (cost.bits_in(p) + cost.bits_in(q)) * min(len(p), len(q))
    cost.charge(2 * len(p) * len(q) * cost.of_rational(bits), "a product in one variable")
    result: list[RealNumber] = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


@checked_rule("points", "{points: [place]}", RuleScope.BOX)
def _points(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """(1/(s·D), 1) ≤ least pair ≤ the pair at any zero in the box; s = 2 for an ideal.

    If a generator has degree D, so that some derivative of that order is not 0, and the prior is
    bounded: where h < 0, x = y^q with q(1 + h) ≥ 1 makes it so (``theory/certificates.md``).
    """
    exponents_of_y = [substitution_exponent(h, wall=False) for h in box.prior]
    least_degree = min(
        max(sum(q * e for q, e in zip(exponents_of_y, m, strict=True)) for m in g)
        for g in box.generators
    )
    # The order of a zero is at most the degree.
    lower = Pair(Fraction(1, box.scale * least_degree), 1)
    need("points" in proof["data"], "points: no list of points")
    at_points = bounds_at_points(box, proof, replay_child)
    upper_pairs = [upper for _, (_, upper) in at_points if upper is not None]
    return lower, min(upper_pairs) if upper_pairs else None


@checked_rule(
    "positive",
    scope=RuleScope.BOX,
    wording="Terms that cannot cancel on the box\n"
    "In {generators} all terms of a generator have the same sign everywhere in the box. So `K` is "
    "comparable with a sum of monomials, and no point is worse than one where as many variables "
    "vanish as can: `{chart}`.",
    sign=Sign.NONNEGATIVE,
)
def _positive(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """The least pair is that at p with p_i = 0 if the side holds 0, and else its end nearest to 0.

    If all terms of a generator have one sign at every point of the box, and those of K are nowhere
    negative (``theory/points.md``).
    """
    signs = [_signs_of_terms(box, g) for g in box.generators]
    need(
        all(len(s) == 1 for s in signs), "positive: the terms of a generator may cancel in the box"
    )
    nowhere_negative = box.is_ideal or signs == [{(True, frozenset())}]
    need(nowhere_negative, "positive: K < 0 at points of the box: λ needs K ≥ 0")
    place = tuple(low if low > 0 else high if high < 0 else Fraction(0) for low, high in box.sides)
    return replay_child(statement_at(box, place, None), _only(proof))


def _signs_of_terms(box: Box, g: Poly) -> set[tuple[bool, frozenset[int]]]:
    """Signs of terms in the box, up to those of variables; |g| = Σ |terms| if it is one only."""
    return {sign_on(box.sides, m, c) for m, c in g.items()}


@checked_rule(
    "split-terms",
    "{generators: [index]}",
    RuleScope.BOX,
    "Terms that cannot cancel\n"
    "Where all terms of an equation have one sign in the box, its square is comparable "
    "with the sum of their squares: each term is an equation of its own.",
)
def _split_terms(box: Box, proof: Mapping[str, Any], replay_child: ReplayChild) -> PairBounds:
    """Σ g² has the least pair of the ideal in which terms that cannot cancel are generators.

    If |g| = Σ |terms| in the box: g² lies between Σ terms² and their number times it
    (``theory/fibres.md``).
    """
    need(box.is_ideal, "split-terms: not an ideal")
    chosen = read_indices(proof["data"]["generators"], len(box.generators), "split-terms: indices")
    generators: list[Poly] = []
    for k, g in enumerate(box.generators):
        split = k in chosen
        need(
            not split or len(_signs_of_terms(box, g)) == 1,
            "split-terms: the terms may cancel in the box",
        )
        parts: list[Poly] = [{m: Fraction(1)} for m in sorted(g)] if split else [g]
        generators += [p for p in parts if p not in generators]
    return replay_child(replace(box, generators=tuple(generators)), _only(proof))
