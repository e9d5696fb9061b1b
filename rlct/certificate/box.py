"""The checker on questions over a box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    Poly,
    add,
    degree,
    fraction,
    multiply,
    power,
    read,
    scale,
    variables,
)
from rlct.certificate.cells import cells
from rlct.certificate.everywhere import everywhere
from rlct.certificate.family import Family
from rlct.certificate.field import Number
from rlct.certificate.plane_box import Box, exponent, plane, read_place, statement_at
from rlct.certificate.question import read_names
from rlct.certificate.statement import (
    Bounds,
    Statement,
    by_group,
    disjoint_groups,
    index,
    need,
    product_of,
    sum_of,
)
from rlct.certificate.univariate import Dense, derivative, gcd, has_root_between
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["Box", "bounds", "replay"]

#: Solves a local question with the proof of a child.
Local = Callable[[Statement | Box | Family, Mapping[str, Any]], Bounds]


def replay(question: Mapping[str, Any], proof: Mapping[str, Any], local: Local) -> Bounds:
    """Recompute the bounds of a question over a box."""
    width = len(read_names(question))
    generators = tuple(read(g, width) for g in question["generators"])
    prior = tuple(fraction(h) for h in question["prior"])
    sides = tuple((fraction(a), fraction(b)) for a, b in question["sides"])
    ideal = question["ideal"]
    if not (len(prior) == len(sides) == width and type(ideal) is bool):
        raise CertificateError("box: prior and sides need one entry per variable")
    if min(prior) <= -1 or any(a >= b for a, b in sides) or not all(generators):
        raise CertificateError("box: an interval is empty or a prior exponent not above -1")
    if not generators or (len(generators) > 1 and not ideal):
        raise CertificateError("box: K is one polynomial")
    return bounds(Box(generators, prior, sides, ideal), proof, local)


def bounds(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """Bounds of the least pair over a box, by the rule of its proof."""
    if proof["rule"] not in RULES:
        raise CertificateError(f"box: unknown rule {proof['rule']!r}")
    return RULES[proof["rule"]](box, proof, local)


def _squares(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """K = Σ c·g², c > 0."""
    need(not box.is_ideal, "squares: the question is already about an ideal")
    width = len(box.sides)
    items = [(fraction(c), read(g, width)) for c, g in proof["data"]["squares"]]
    need(bool(items) and all(c > 0 and g for c, g in items), "squares: a coefficient or root")
    total = add(*(scale(multiply(g, g), c) for c, g in items))
    need(total == box.generators[0], "squares: the sum of squares is not K")
    child = replace(box, generators=tuple(g for _, g in items), is_ideal=True)
    return local(child, _only(proof))


def _only(proof: Mapping[str, Any]) -> Mapping[str, Any]:
    children = proof.get("children", [])
    need(len(children) == 1, "box: a step of the proof is missing, or one too many")
    only: Mapping[str, Any] = children[0]
    return only


def _sum(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """Generators in separate variables: zeros may be chosen apart, and pairs add."""
    need(box.is_ideal, "sum: not an ideal")
    groups = disjoint_groups(len(box.sides), proof["data"])
    parts = by_group(box.generators, groups, len(box.sides))
    return sum_of(_parts(box, proof, groups, parts, local))


def _product(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """Factors in separate variables, each with zeros in its box."""
    need(len(box.generators) == 1, "product: more than one generator")
    groups = disjoint_groups(len(box.sides), proof["data"])
    factors = [read(f, len(box.sides)) for f in proof["data"]["factors"]]
    need(len(factors) == len(groups) and all(factors), "product: a factor for every group")
    whole: Poly = {(0,) * len(box.sides): Fraction(1)}
    for f in factors:
        whole = multiply(whole, f)
    lead = max(box.generators[0])
    ratio = box.generators[0][lead] / whole[lead] if lead in whole else Fraction(0)
    need(scale(whole, ratio) == box.generators[0], "product: the factors do not multiply to K")
    return product_of(_parts(box, proof, groups, [[f] for f in factors], local))


def _parts(
    box: Box,
    proof: Mapping[str, Any],
    groups: list[list[int]],
    parts: list[list[Poly]],
    local: Local,
) -> list[Bounds]:
    """Solve the parts over their own boxes."""
    children = proof.get("children", [])
    need(len(children) == len(groups), "box: as many proofs as parts are needed")
    found = []
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
        found.append(local(inner, child))
    return found


def _factors(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """K = c·Π p(x_i)^m with coprime squarefree p: a zero may combine any of their roots."""
    width = len(box.prior)
    f = box.generators[0]
    if width == 1:
        # Polynomials in one variable generate the ideal of their greatest common divisor.
        f = {(k,): c for k, c in enumerate(gcd([_dense(g, 0) for g in box.generators])) if c}
    elif len(box.generators) != 1:
        raise CertificateError("box: more than one generator")
    whole: Poly = {(0,) * width: Fraction(1)}
    seen: dict[int, Dense] = {}
    best: dict[int, Pair] = {}
    for item in proof["data"]["factors"]:
        i, m = index(item["variable"], width, "box: a factor has no variable"), item["exponent"]
        p = read(item["factor"], width)
        if type(m) is not int or m < 1:
            raise CertificateError("box: a factor has no exponent")
        if not p or any(e for q in p for k, e in enumerate(q) if k != i):
            raise CertificateError("box: a factor depends on several variables")
        if m * degree(p) > degree(f):
            raise CertificateError("box: the degree of a factor is too high")
        whole = multiply(whole, power(p, m, width))
        dense = _dense(p, i)
        if len(gcd([dense, derivative(dense)])) != 1:
            raise CertificateError("box: a factor is not squarefree")
        if i in seen and len(gcd([dense, seen[i]])) != 1:
            raise CertificateError("box: two factors share a root")
        seen[i] = _times(seen.get(i, [Fraction(1)]), dense)
        low, high = box.sides[i]
        candidates = []
        if dense[0] == 0 and low <= 0 <= high:
            candidates.append(Pair((1 + box.prior[i]) / (box.scale * m), 1))
        if has_root_between(dense[1:] if dense[0] == 0 else dense, low, high):
            candidates.append(Pair(Fraction(1, box.scale * m), 1))
        if candidates:
            best[i] = min([*candidates, *([best[i]] if i in best else [])])
    lead = max(f)
    if scale(whole, f[lead] / whole.get(lead, Fraction(1))) != f:
        raise CertificateError("box: the factors do not multiply to K")
    if not best:
        raise CertificateError("box: K has no zero in the box")
    first, *others = best.values()
    for pair in others:
        first = first * pair
    return first, first


def _dense(p: Poly, i: int) -> Dense:
    places = {q[i]: c for q, c in p.items()}
    cost.charge(10 * max(places), "a polynomial in one variable")
    return [places.get(k, Fraction(0)) for k in range(max(places) + 1)]


def _times(p: Dense, q: Dense) -> Dense:
    bits = (cost.length(p) + cost.length(q)) * min(len(p), len(q))
    cost.charge(2 * len(p) * len(q) * cost.rational(bits), "a product in one variable")
    result: list[Number] = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


def _points(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """1/deg K below, the pair of a zero in the box above.

    With x = y^q for a negative exponent of the prior: then it is bounded.
    """
    powers = [exponent(h, wall=False) for h in box.prior]
    least = min(
        max(sum(q * e for q, e in zip(powers, m, strict=True)) for m in g) for g in box.generators
    )
    lower = Pair(Fraction(1, box.scale * least), 1)
    points, children = proof["data"]["points"], proof.get("children", [])
    if len(points) != len(children):
        raise CertificateError("box: as many points as proofs are needed")
    uppers = []
    for item, child in zip(points, children, strict=True):
        place, field = read_place(box, item)
        _, upper = local(statement_at(box, place, field), child)
        if upper is not None:
            uppers.append(upper)
    return lower, min(uppers) if uppers else None


def _positive(box: Box, proof: Mapping[str, Any], local: Local) -> Bounds:
    """Terms that cannot cancel on the box: no point is worse than one with most zeros."""
    for g in box.generators:
        signs = set()
        for m, c in g.items():
            odd = [i for i, e in enumerate(m) if e % 2]
            negative = [i for i in odd if box.sides[i][1] <= 0]
            both = frozenset(i for i in odd if box.sides[i][0] < 0 < box.sides[i][1])
            signs.add(((c > 0) is (len(negative) % 2 == 0), both))
        need(len(signs) == 1, "positive: the terms of a generator may cancel in the box")
    place = tuple(low if low > 0 else high if high < 0 else Fraction(0) for low, high in box.sides)
    return local(statement_at(box, place, None), _only(proof))


RULES: dict[str, Callable[[Box, Mapping[str, Any], Local], Bounds]] = {
    "univariate-factors": _factors,
    "plane": plane,
    "positive": _positive,
    "cells": cells,
    "everywhere": everywhere,
    "points": _points,
    "squares": _squares,
    "sum": _sum,
    "product": _product,
}
