"""Questions with linear walls: the same in coordinates that have these at 0."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rlct.certificate.numbers.arithmetic import (
    Poly,
    poly_power,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    read_number,
    read_polynomial,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.linear import scalar_product
from rlct.certificate.statement import need, read_indices
from rlct.certificate.torus.points import read_field

Row = Sequence[Fraction]


def without_walls(question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a question with its walls at 0, or as it is if it has none (``theory/points.md``).

    At a point: the coordinates are variables or walls, and each wall through the point is a sum of
    those among them, with coefficients ≥ 0.  Over a box: walls bound simplices, and tail sums of
    barycentric coordinates are products of those of a box.
    """
    if question["kind"] != "walls":
        return question
    inner = question["question"]
    images, changed = change_of(question)
    generators = [_composed(read_polynomial(g, len(images)), images) for g in inner["generators"]]
    encoded = [[[str(c), list(m)] for m, c in sorted(g.items())] for g in generators]
    names = question["coordinates"]
    return {**dict(inner.items()), "variables": names, "generators": encoded, **changed}


def change_of(question: Mapping[str, Any]) -> tuple[list[Poly], dict[str, Any]]:
    """The variables as polynomials in the coordinates, and what else changes with them."""
    inner, width = question["question"], len(question["question"]["variables"])
    walls = [_row(row, width + 1) for row in question["walls"]]
    need(all(any(row[:-1]) for row in walls), "walls: a wall has no variable")
    is_box = inner["kind"] == "box"
    return (_over_simplices if is_box else _at_corner)(question, inner, walls)


def _at_corner(
    question: Mapping[str, Any], inner: Mapping[str, Any], walls: Sequence[Row]
) -> tuple[list[Poly], dict[str, Any]]:
    prior, width = inner["prior"], len(inner["variables"])
    need(inner["nonneg"] == [False] * width, "walls: x ≥ 0 is one of the walls")
    field = read_field(inner["field"]) if "field" in inner else None
    point = [read_number(a, field) if type(a) is list else read_fraction(a) for a in inner["point"]]
    need(len(prior) == len(point) == width, "walls: a wrong length")
    rows, active = [*_units(width), *walls], []
    for row in walls:
        value: RealNumber = row[-1]
        for c, a in zip(row[:-1], point, strict=True):
            value = value + a * c
        need(not value < 0, "walls: the point is outside")
        active += [row] if value == 0 else []
    frame = [rows[k] for k in read_indices(question["frame"], len(rows), "walls: no coordinate")]
    images = [_row(row, width + 1) for row in question["images"]]
    need(len(frame) == len(images) == width, "walls: a coordinate for every variable")
    need([_pulled_back(row, images) for row in frame] == _units(width), "walls: no inverse")
    need(all(row in active for row in frame if row not in rows[:width]), "walls: not at the point")
    is_wall = [row in active for row in frame]
    for row in active:
        sums = zip(_pulled_back(row, images)[:-1], is_wall, strict=True)
        positive = all(c >= 0 if at_wall else c == 0 for c, at_wall in sums)
        need(positive, "walls: a wall does not follow from the coordinates")
    places = [rows.index(row) for row in frame]
    for i, (h, a) in enumerate(zip(prior, point, strict=True)):
        need(i in places or h == "0" or a != 0, "walls: the prior is no monomial")
        need(read_fraction(h) > -1, "walls: the prior is not valid")
    return [_affine(row) for row in images], {
        "prior": [prior[k] if k < width else "0" for k in places],
        "nonneg": is_wall,
        "point": [inner["point"][k] if k < width else "0" for k in places],
    }


def _over_simplices(
    question: Mapping[str, Any], inner: Mapping[str, Any], walls: Sequence[Row]
) -> tuple[list[Poly], dict[str, Any]]:
    width, sides, prior = len(inner["variables"]), list(inner["sides"]), list(inner["prior"])
    need(len(sides) == len(prior) == width, "walls: a wrong length")
    rows: list[Row] = []
    for unit, side in zip(_units(width), sides, strict=True):
        low, high = _row(side, 2)
        rows += [[*unit[:-1], -low], [*(-c for c in unit[:-1]), high]]
    rows += walls
    images, beside = [_affine(unit) for unit in _units(width)], set(range(width))
    for item in question["simplices"]:
        group = read_indices(item["variables"], width, "walls: no such variable")
        facets = read_indices(item["walls"], len(rows), "walls: no such wall")
        vertices = [_row(row, len(group)) for row in item["vertices"]]
        need(len({*group} & beside) == len(group), "walls: a variable twice")
        need(len({*facets}) == len(facets) == len(vertices) == len(group) + 1, "walls: no simplex")
        beside -= {*group}
        for k, row in enumerate(rows):
            part = [row[i] for i in group]
            if k not in facets and not any(part):
                continue
            values = [scalar_product(vertex, part) + row[-1] for vertex in vertices]
            need(min(values) >= 0, "walls: a wall does not follow from the simplices")
            need(sum(map(bool, row[:-1])) == sum(map(bool, part)), "walls: a wall of two groups")
            own = values.pop(facets.index(k)) if k in facets else 0
            need(k not in facets or (own > 0 and not any(values)), "walls: no vertices of a wall")
        for j, i in enumerate(group):
            need(prior[i] == "0", "walls: the prior is no monomial")
            sides[i], prior[i] = ["0", "1"], str(len(group) - 1 - j)
            column = [vertex[j] for vertex in vertices]
            steps = [column[0], *(b - a for a, b in pairwise(column))]
            tails = [tuple(int(s in group[:k]) for s in range(width)) for k in range(len(steps))]
            images[i] = {m: c for m, c in zip(tails, steps, strict=True) if c}
    need(not any(row[i] for row in walls for i in beside), "walls: a wall beside the simplices")
    return images, {"prior": prior, "sides": sides}


def _row(data: Any, width: int) -> list[Fraction]:
    row = [read_fraction(c) for c in data]
    need(len(row) == width, "walls: a row has the wrong length")
    return row


def _units(width: int) -> list[list[Fraction]]:
    """The variables as rows: coefficients, and the constant."""
    return [[Fraction(i == k) for k in range(width + 1)] for i in range(width)]


def _affine(row: Row) -> Poly:
    return {tuple(int(i == k) for k in range(len(row) - 1)): c for i, c in enumerate(row) if c}


def _pulled_back(form: Row, images: Sequence[Row]) -> list[Fraction]:
    """A form in the coordinates."""
    columns = zip(*images, strict=True)
    *linear, constant = (scalar_product(column, form[:-1]) for column in columns)
    return [*linear, constant + form[-1]]


def _composed(p: Poly, images: Sequence[Poly]) -> Poly:
    """A polynomial in the coordinates."""
    width, terms = len(images), []
    for m, c in p.items():
        term: Poly = {(0,) * width: Fraction(1)}
        for image, e in zip(images, m, strict=True):
            if e:
                term = poly_product(term, poly_power(image, e, width))
        terms.append(poly_scale(term, c))
    return poly_sum(*terms)
