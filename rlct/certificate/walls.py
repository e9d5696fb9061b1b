"""Questions with linear walls: the same in coordinates that have these at 0."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
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
    is_box = inner["kind"] == "box"
    return (_over_simplices if is_box else _at_corner)(question, inner, walls)


def _at_corner(
    question: Mapping[str, Any], inner: Mapping[str, Any], walls: Sequence[Row]
) -> tuple[list[Poly], dict[str, Any]]:
    width, signs, prior = len(inner["variables"]), inner["nonneg"], inner["prior"]
    need(len(signs) == len(prior) == len(inner["point"]) == width, "walls: a wrong length")
    need(all(type(sign) is bool for sign in signs), "walls: the domain is not valid")
    field = read_field(inner["field"]) if "field" in inner else None
    point = [
        read_number(a, field) if isinstance(a, list) else read_fraction(a) for a in inner["point"]
    ]
    rows = [*_units(width), *walls]
    values: list[RealNumber] = []
    for row in rows:
        total: RealNumber = row[-1]
        for c, a in zip(row, point, strict=False):
            total = total + a * c
        values.append(total)
    outside = any(v < 0 and (k >= width or signs[k]) for k, v in enumerate(values))
    need(not outside, "walls: the point is outside")
    active = [k for k, v in enumerate(values) if v == 0 and (k >= width or signs[k])]
    frame = read_indices(question["frame"], len(rows), "walls: no such coordinate")
    images = [_row(row, width + 1) for row in question["images"]]
    need(len(frame) == len(images) == width, "walls: a coordinate for every variable")
    need(all(k < width or k in active for k in frame), "walls: a coordinate is not 0 at the point")
    for unit, k in zip(_units(width), frame, strict=True):
        need(_pulled_back(rows[k], images) == unit, "walls: the change is not inverse to itself")
    for k in active:
        sums = _pulled_back(rows[k], images)[:-1]
        positive = (c == 0 or (c > 0 and frame[s] in active) for s, c in enumerate(sums))
        need(all(positive), "walls: a wall does not follow from the coordinates")
    for i, (h, a) in enumerate(zip(prior, point, strict=True)):
        need(i in frame or h == "0" or a != 0, "walls: the prior is no monomial")
        need(read_fraction(h) > -1, "walls: the prior is not valid")
    return [_affine(row) for row in images], {
        "prior": [prior[k] if k < width else "0" for k in frame],
        "nonneg": [k in active for k in frame],
        "point": [inner["point"][k] if k < width else "0" for k in frame],
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
    images = [_affine(unit) for unit in _units(width)]
    least, beside = [row[-1] for row in rows], set(range(width))
    for item in question["simplices"]:
        group = read_indices(item["variables"], width, "walls: no such variable")
        facets = read_indices(item["walls"], len(rows), "walls: no such wall")
        vertices = [_row(row, len(group)) for row in item["vertices"]]
        need(beside >= {*group}, "walls: a variable of two simplices")
        need(len({*group}) == len(group), "walls: a variable twice")
        need(len(facets) == len(vertices) == len(group) + 1, "walls: no simplex")
        beside -= {*group}
        parts = [[row[i] for i in group] for row in rows]
        for k in facets:
            outside = any(c for i, c in enumerate(rows[k][:-1]) if i not in group)
            need(not outside, "walls: one of a simplex has another variable")
            values = [scalar_product(vertex, parts[k]) + rows[k][-1] for vertex in vertices]
            own = values.pop(facets.index(k))
            need(own > 0 and not any(values), "walls: the vertices are not those of the walls")
        for k, part in enumerate(parts):
            least[k] += min(scalar_product(vertex, part) for vertex in vertices)
        for j, i in enumerate(group):
            need(prior[i] == "0", "walls: the prior is no monomial")
            sides[i], prior[i] = ["0", "1"], str(len(group) - 1 - j)
            exponents = [0] * width
            image = {tuple(exponents): vertices[0][j]}
            for s, before, after in zip(group, vertices, vertices[1:], strict=False):
                exponents[s] = 1
                image[tuple(exponents)] = after[j] - before[j]
            images[i] = {m: c for m, c in image.items() if c}
    for k, row in enumerate(rows):
        least[k] += sum(min(row[i] * end for end in _row(inner["sides"][i], 2)) for i in beside)
    need(min(least) >= 0, "walls: a wall does not follow from the simplices")
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
