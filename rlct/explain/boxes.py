"""Wordings of the rules for questions over a box."""

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rlct.explain.proved_step import (
    ProvedStep,
    Words,
    end_cells,
    joined_items,
    shortened_polynomial,
    words_for,
)
from rlct.explain.reductions import bracketed_base, common_factor, total


@words_for("sum", box=True)
def _sum(step: ProvedStep) -> Words:
    text = (
        f"The generators fall into parts with separate variables: {_parts_named(step)}. A zero "
        "of `K` combines any zeros of the parts, so the least pairs add."
    )
    return Words("Sum rule over a box", (text,), total(step).then)


@words_for("product", box=True)
def _product(step: ProvedStep) -> Words:
    text = (
        f"`K` is a product of factors with separate variables: {_parts_named(step)}. Each has "
        "zeros in its box, and a zero of `K` may combine them."
    )
    return Words("Product rule over a box", (text,), common_factor(step).then)


def _parts_named(step: ProvedStep) -> str:
    parts = []
    for child, label in zip(step.branch.children, step.labels, strict=True):
        box = child.box
        assert box is not None
        written = joined_items(
            f"`{shortened_polynomial(g, child.node.names)}`" for g in box.generators
        )
        parts.append(f"{written} ({label})")
    return joined_items(parts)


@words_for("univariate-factors", box=True)
def factors(step: ProvedStep) -> Words:
    """Factors of one variable each."""
    rows = _powers(step, ((item["factor"], item["exponent"]) for item in step.data["factors"]))
    box = step.branch.box
    assert box is not None
    scale = "(2e)" if box.is_ideal else "e"
    return Words(
        "Factors in one variable each",
        (
            f"{_subject(step)} is a constant times the product of {rows}. Bases in the same "
            "variable have no root in common and no multiple root, and Sturm's theorem decides "
            "which have a root in their interval.",
            f"Near a zero `K` is therefore a monomial: each factor with exponent `e` that vanishes "
            f"gives the pole `-1/{scale}`, or `-(1 + h)/{scale}` at 0 with prior `|x|^h`. A zero "
            "may combine one root for every variable, so the worst of each count together (product "
            f"rule): {step.result}.",
        ),
        page="points",
        sources=("watanabe2009", "basu2006"),
    )


def _powers(step: ProvedStep, factors_: Iterable[tuple[Any, int]]) -> str:
    """Factors with their exponents."""
    powers = ((bracketed_base(step.poly(f)), m) for f, m in factors_)
    return joined_items(f"`{base}`" if m == 1 else f"`{base}^{m}`" for base, m in powers)


def _subject(step: ProvedStep) -> str:
    """What the factors multiply to: K is the square of a single generator."""
    box = step.branch.box
    assert box is not None
    return "The generator" if box.is_ideal else "`K`"


def _where(step: ProvedStep) -> str:
    charts = []
    for k, (label, child) in enumerate(zip(step.labels, step.branch.children, strict=True)):
        chart = child.node.chart if child.left_out else ""  # else the step itself says it
        charts.append(f"{label}{f', `{chart}`,' if chart else ''} gives {step.pair(k)}")
    return "; ".join(charts[:12])


def _walls(step: ProvedStep) -> list[str]:
    """What coordinates at walls do, if a step below has them."""
    if not any(re.search(r"= (?:-?\d+(?:/\d+)? [+-] |-)?\w+_\^2", c.chart) for c in step.children):
        return []
    return [
        "At a wall of the box `x = a + x_^2` (or `a - x_^2`) keeps to the inside, and its "
        "derivative `2*|x_|` becomes a factor of the prior."
    ]


@words_for("plane", box=True)
def plane(step: ProvedStep) -> Words:
    """Two variables."""
    factor_rows = step.data["factors"]
    text = []
    if factor_rows:
        rows = _powers(step, factor_rows)
        text.append(
            f"The generators have the common factor {rows}. Along a curve where one factor "
            "vanishes simply the pair is the same at all points but finitely many."
        )
    text.append(
        "The points to look at are critical points of a factor, crossings of two factors, points "
        "on the walls of the box, its corners, and isolated common zeros: finitely many, found as "
        "real roots of resultants."
    )
    order = step.data.get("order", 0)
    if order:
        text.append(f"At those not listed `K` has order at most {order}, which is enough.")
    crossed = step.data.get("crossed", [])
    if crossed:
        text.append("A curve of zeros certainly crosses the box, which gives an upper bound.")
    text += _walls(step)
    return Words(
        "All critical points in the plane",
        tuple(text),
        (f"{_where(step)}. The least pair over the box: {step.result}.",)
        if step.labels
        else (f"So over the box {step.result}.",),
        sources=("basu2006", "watanabe2009"),
    )


@words_for("cells", box=True)
def cells(step: ProvedStep) -> Words:
    """Small boxes on which derivatives decide."""
    lam, theta = step.data["target"]
    rows = _powers(step, step.data.get("factors", []))
    text = [
        (f"{_subject(step)} is a constant times the product of {rows}. " if rows else "")
        + "The box is divided until on every cell intervals of values and derivatives show that "
        "factors do not vanish, are smooth and cross normally, or have ordinary double points, or "
        "that no terms cancel, seen from a listed zero, which then is the worst in the cell; so "
        f"the pair is nowhere less than `λ = {lam}`, `θ = {theta}`."
    ]
    if step.data.get("smooth"):
        text.append("A smooth zero where that is reached is known to lie in the box.")
    then = f"{_where(step)}. Together: {step.result}." if step.labels else f"So {step.result}."
    return Words("Cells", tuple(text), (then,), sources=("moore2009", "watanabe2009"))


@words_for("points", box=True)
def points(step: ProvedStep) -> Words:
    """Bounds: the degree below, single zeros above."""
    box = step.branch.box
    assert box is not None
    degree = min(max(map(sum, g)) for g in box.generators)
    lower = Fraction(1, box.scale * degree)
    where = f" {_where(step)}." if step.labels else ""
    return Words(
        "Bounds over a box",
        (
            f"At no zero is the order of a generator larger than its degree {degree}, so "
            f"`λ ≥ {lower}`. The least pair is at most the pair at any one zero.",
        ),
        (f"{where.strip()} So {step.result}.".strip(),),
        page="points",
    )


@words_for("everywhere", box=True)
def everywhere(step: ProvedStep) -> Words:
    """Bounds at all zeros in a larger set."""
    first_branch, *_ = step.branch.children
    chart = first_branch.node.chart
    extra_name = first_branch.node.names[0]
    text = (
        (f"With `{chart}` all" if chart else "All")
        + " real values of the variables reach every point of the box, and more. "
        f"What bounds the pair at their zeros from below ({step.labels[0]}) bounds it over the box."
    )
    ends = [end.node.rule for end in end_cells(first_branch)]
    if ends:
        kinds = [
            (ends.count("point"), "single point", "single points"),
            (ends.count("absent"), "without a zero", "without a zero"),
            (ends.count("same"), "like an earlier one", "like earlier ones"),
        ]
        kinds += [(len(ends) - sum(n for n, *_ in kinds), *(("with variables left",) * 2))]
        counts = [f"{n} {one if n == 1 else more}" for n, one, more in kinds if n]
        text += (
            " Zeros are put into cells: in each some variables are 0 and some are not. Rules lead "
            f"each cell to simpler ones, up to {joined_items(counts)}."
        )
    if first_branch.node.parameters:
        text += (
            f" The product with `{extra_name}`, whose prior makes it less singular than any zero, "
            f"has near `{extra_name} = 0` the pair of the ideal at its zeros, and a larger one "
            "elsewhere."
        )
    return Words(
        "All points at once",
        (text,),
        (f"{_where(step)}. Together: {step.result}.",),
    )
