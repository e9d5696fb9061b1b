"""Names of the coordinates below a step of a proof, and the substitution that makes them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.blowup.writing import (
    field_text,
    fresh_letter,
    fresh_names,
    number_text,
    polynomial_text,
    power_text,
)
from rlct.certificate.families.resolution import orbits_of
from rlct.certificate.family import GermFamily, family_without_parameters
from rlct.certificate.numbers.arithmetic import Poly, poly_product, poly_sum, read_polynomial
from rlct.certificate.numbers.field import RealField
from rlct.certificate.statement import Statement

Named = tuple[list[str], str]


def child_coordinates(
    rule: str,
    data: Mapping[str, Any],
    index: int,
    names: list[str],
    statement: Statement | GermFamily,
    width: int,
) -> Named:
    """Name the variables of a child, where they are not those of its parent.

    With the substitution or condition that leads to it, empty if there is none; names are new where
    nothing better is known.  Of `names`, those of the parent, the first are of what vanishes.

    >>> germ = Statement(({(1, 1, 0): Fraction(1)},), (Fraction(0),) * 3, True)
    >>> child_coordinates("blowup", {"weights": [1, 1, 0]}, 1, ["x", "y", "z"], germ, 3)
    (['z', 'u2', 'u1'], 'x = u2*u1, y = u2')
    """
    local_count = statement.locals if isinstance(statement, GermFamily) else statement.width
    field = statement.field
    child_names, text = fresh_names(names, width), ""
    if rule in ("sum", "product"):
        child_names = [*(names[i] for i in data["groups"][index]), *names[local_count:]]
    elif rule == "forget":
        child_names = names[:local_count]
    elif rule in ("eliminate", "discriminant"):
        child_names = [name for i, name in enumerate(names) if i != data["variable"]]
    elif rule == "newton" and len(names) == width == 2:
        text = plane_chart(names, child_names, data["points"][index])
    elif rule == "blowup":
        child_names, text = _blowup(statement, data, index, names)
    elif rule == "coordinate":
        child_names, text = _replaced(
            names, data["variable"], new_coordinate(data, len(names), field)
        )
    elif rule == "compose":
        value = read_polynomial(data["coordinate"], len(names), field)
        child_names, text = _replaced(names, data["variable"], value)
    elif rule == "linear":
        rows = [{_unit(k, width): Fraction(c) for k, c in enumerate(row)} for row in data["matrix"]]
        text = ", ".join(
            f"{name} = {polynomial_text({m: c for m, c in row.items() if c}, child_names)}"
            for name, row in zip(names, rows, strict=True)
        )
    elif rule == "stratify":
        child_names, text = _stratify(data, index, names, local_count, field)
    return (child_names, text) if len(child_names) == width else (fresh_names(names, width), "")


def plane_chart(names: Sequence[str], new: Sequence[str], point: Mapping[str, Any]) -> str:
    """Write x = s^p·(root + t)^a, y = s^q·(root + t)^b."""
    s, t = new
    powers, roots = point["chart"]
    base = f"({number_text(point['root'])} + {t})"
    parts = []
    for name, p, a in zip(names, powers, roots, strict=True):
        factors = [power_text(s, p), *([power_text(base, a)] if a else [])]
        parts.append(f"{name} = {'*'.join(factors)}")
    if "field" in point:
        parts.append(field_text(point["field"]))
    return ", ".join(parts)


def _blowup(
    statement: Statement | GermFamily, data: Mapping[str, Any], index: int, names: list[str]
) -> Named:
    """Chart x_i = ±u^w_i, x_k = u^w_k·u_k; two signs where w_i is even."""
    if isinstance(statement, Statement):
        statement = family_without_parameters(statement)
    weights, local_count = data["weights"], statement.locals
    orbits = orbits_of(statement, weights, data.get("symmetries", []))
    centre = [i for i in range(local_count) if weights[i]]
    charts = [
        (orbit_index, sign)
        for orbit_index, (i, *_) in enumerate(orbits)
        for sign in ((1, -1) if weights[i] % 2 == 0 else (1,))
    ]
    orbit_index, sign = charts[index]
    i = orbits[orbit_index][0]
    letter = fresh_letter(names)
    new_names = {k: f"{letter}{k + 1}" for k in centre}
    texts = []
    for k in centre:
        power = power_text(new_names[i], weights[k])
        image = f"{power}*{new_names[k]}" if k != i else power if sign > 0 else f"-{power}"
        texts.append(f"{names[k]} = {image}")
    order = [k for k in range(local_count) if not weights[k]]
    earlier = [k for orbit in orbits[:orbit_index] for k in orbit]
    later = [k for k in centre if k != i and k not in earlier]
    order += [i, *earlier, *later, *range(local_count, len(names))]
    return [new_names.get(k, names[k]) for k in order], ", ".join(texts)


def _unit(i: int, width: int) -> tuple[int, ...]:
    return tuple(int(k == i) for k in range(width))


def new_coordinate(data: Mapping[str, Any], width: int, field: RealField | None = None) -> Poly:
    """The coordinate scale·x_i + shift in place of x_i."""
    x: Poly = {_unit(data["variable"], width): Fraction(1)}
    scale, shift = (read_polynomial(data[key], width, field) for key in ("scale", "shift"))
    return poly_sum(poly_product(scale, x), shift)


def _replaced(names: list[str], i: int, value: Poly) -> Named:
    new = _primed(names, i)
    return new, f"{new[i]} = {polynomial_text(value, names)}"


def _stratify(
    data: Mapping[str, Any], index: int, names: list[str], local_count: int, field: RealField | None
) -> Named:
    text = polynomial_text(read_polynomial(data["by"], len(names), field), names)
    if index == 0:
        return names, f"where {text} ≠ 0"
    zeros = data["zeros"]
    if "solve" not in zeros:
        return names, f"near points where {text} = 0"
    j = zeros["solve"]
    if "within" in zeros:
        text = polynomial_text(read_polynomial(zeros["within"]["factor"], len(names), field), names)
    new = _primed(names, j)
    rest = [name for k, name in enumerate(names) if k != j]
    return [*rest[:local_count], new[j], *rest[local_count:]], f"at {new[j]} = {text} = 0"


def _primed(names: list[str], i: int) -> list[str]:
    name = f"{names[i]}_"
    while name in names:
        name += "_"
    return [*names[:i], name, *names[i + 1 :]]
