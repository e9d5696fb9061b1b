"""Wordings of the rules for questions over a box."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rlct.explain.reductions import REDUCTIONS, bracketed
from rlct.explain.told import Told, Wording, Words, listing, shown

__all__ = ["BOXES"]


def _squares(told: Told) -> Words:
    found = REDUCTIONS["squares"](told)
    return Words(found.title, found.text, page="points", why=found.why)


def _sum(told: Told) -> Words:
    rule = REDUCTIONS["sum"](told)
    return Words(
        "Sum rule over a box",
        (
            f"The generators fall into parts with separate variables: {_parts_named(told)}. A zero "
            "of `K` combines any zeros of the parts, so the least pairs add.",
        ),
        rule.then,
        page="points",
    )


def _product(told: Told) -> Words:
    rule = REDUCTIONS["product"](told)
    return Words(
        "Product rule over a box",
        (
            f"`K` is a product of factors with separate variables: {_parts_named(told)}. Each has "
            "zeros in its box, and a zero of `K` may combine them.",
        ),
        rule.then,
        page="points",
    )


def _parts_named(told: Told) -> str:
    parts = []
    for child, label in zip(told.branch.children, told.labels, strict=True):
        box = child.box
        assert box is not None
        written = listing(f"`{shown(g, child.node.names)}`" for g in box.generators)
        parts.append(f"{written} ({label})")
    return listing(parts)


def factors(told: Told) -> Words:
    """Factors of one variable each."""
    rows = _powers(told, ((item["factor"], item["exponent"]) for item in told.data["factors"]))
    box = told.branch.box
    assert box is not None
    scale = "(2e)" if box.is_ideal else "e"
    return Words(
        "Factors in one variable each",
        (
            f"{_subject(told)} is a constant times the product of {rows}. Bases in the same "
            "variable have no root in common and no multiple root, and Sturm's theorem tells "
            "which have a root in their interval.",
            f"Near a zero `K` is therefore a monomial: each factor with exponent `e` that vanishes "
            f"gives the pole `-1/{scale}`, or `-(1 + h)/{scale}` at 0 with prior `|x|^h`. A zero "
            "may combine one root for every variable, so the worst of each count together (product "
            f"rule): {told.result}.",
        ),
        page="points",
        sources=("watanabe2009", "basu2006"),
    )


def _powers(told: Told, factors_: Iterable[tuple[Any, int]]) -> str:
    """Factors with their exponents."""
    powers = ((bracketed(told.poly(f)), m) for f, m in factors_)
    return listing(f"`{base}`" if m == 1 else f"`{base}^{m}`" for base, m in powers)


def _subject(told: Told) -> str:
    """What the factors multiply to: K is the square of a single generator."""
    box = told.branch.box
    assert box is not None
    return "The generator" if box.is_ideal else "`K`"


def _where(told: Told) -> str:
    found = []
    for k, (label, child) in enumerate(zip(told.labels, told.branch.children, strict=True)):
        chart = child.node.chart if child.left_out else ""  # else the step itself says it
        found.append(f"{label}{f', `{chart}`,' if chart else ''} gives {told.pair(k)}")
    return "; ".join(found[:12])


def _walls(told: Told) -> list[str]:
    """What coordinates at walls do, if a step below has them."""
    if not any(re.search(r"= (?:-?\d+(?:/\d+)? [+-] |-)?\w+_\^2", c.chart) for c in told.children):
        return []
    return [
        "At a wall of the box `x = a + x_^2` (or `a - x_^2`) keeps to the inside, and its "
        "derivative `2*|x_|` becomes a factor of the prior."
    ]


def plane(told: Told) -> Words:
    """Two variables."""
    factors_ = told.data["factors"]
    text = []
    if factors_:
        rows = _powers(told, factors_)
        text.append(
            f"The generators have the common factor {rows}. Along a curve where one factor "
            "vanishes simply the pair is the same at all points but finitely many."
        )
    text.append(
        "The points to look at are critical points of a factor, crossings of two factors, points "
        "on the walls of the box, its corners, and isolated common zeros: finitely many, found as "
        "real roots of resultants."
    )
    order = told.data.get("order", 0)
    if order:
        text.append(f"At those not listed `K` has order at most {order}, which is enough.")
    crossed = told.data.get("crossed", [])
    if crossed:
        text.append("A curve of zeros certainly crosses the box, which gives an upper bound.")
    text += _walls(told)
    return Words(
        "All critical points in the plane",
        tuple(text),
        (f"{_where(told)}. The least pair over the box: {told.result}.",)
        if told.labels
        else (f"So over the box {told.result}.",),
        page="points",
        sources=("basu2006", "watanabe2009"),
    )


def cells(told: Told) -> Words:
    """Small boxes on which derivatives decide."""
    lam, theta = told.data["target"]
    rows = _powers(told, told.data.get("factors", []))
    text = [
        (f"{_subject(told)} is a constant times the product of {rows}. " if rows else "")
        + "The box is divided until on every cell intervals of values and derivatives show that "
        "factors do not vanish, are smooth and cross normally, or have ordinary double points; so "
        f"the pair is nowhere less than `λ = {lam}`, `θ = {theta}`."
    ]
    if told.data.get("smooth"):
        text.append("A smooth zero where that is reached is known to lie in the box.")
    then = f"{_where(told)}. Together: {told.result}." if told.labels else f"So {told.result}."
    return Words(
        "Cells", tuple(text), (then,), page="points", sources=("moore2009", "watanabe2009")
    )


def points(told: Told) -> Words:
    """Bounds: the degree below, single zeros above."""
    box = told.branch.box
    assert box is not None
    degree = min(max(map(sum, g)) for g in box.generators)
    lower = Fraction(1, box.scale * degree)
    where = f" {_where(told)}." if told.labels else ""
    return Words(
        "Bounds over a box",
        (
            f"At no zero is the order of a generator larger than its degree {degree}, so "
            f"`λ ≥ {lower}`. The least pair is at most the pair at any one zero.",
        ),
        (f"{where.strip()} So {told.result}.".strip(),),
        page="points",
    )


def everywhere(told: Told) -> Words:
    """Bounds at all zeros in a larger set."""
    first, *_ = told.branch.children
    s = first.node.names[0]
    chart = first.node.chart
    return Words(
        "All points at once",
        (
            (f"With `{chart}` all" if chart else "All")
            + " real values of the variables reach every point of the box, and more. The product "
            f"with `{s}`, whose prior makes it less singular than any zero, has near `{s} = 0` the "
            "pair of the ideal at its zeros, and a larger one elsewhere. So what bounds the germs "
            f"of this family from below ({told.labels[0] if told.labels else 'next'}), for all "
            "values of the variables, bounds the pair over the box.",
        ),
        (f"{_where(told)}. Together: {told.result}.",) if told.labels else (f"So {told.result}.",),
        page="points",
    )


def positive(told: Told) -> Words:
    """Terms that cannot cancel on the box."""
    return Words(
        "Terms that cannot cancel on the box",
        (
            f"In {told.list(told.generators[:4])} all terms of a generator have the same sign "
            "everywhere in the box. So `K` is comparable with a sum of monomials, and no point is "
            "worse than one where as many variables vanish as can: "
            f"`{told.children[0].chart or 'the origin'}`.",
        ),
        page="points",
    )


BOXES: dict[str, Wording] = {
    "squares": _squares,
    "sum": _sum,
    "product": _product,
    "univariate-factors": factors,
    "plane": plane,
    "cells": cells,
    "points": points,
    "everywhere": everywhere,
    "positive": positive,
}
