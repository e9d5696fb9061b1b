"""The leading coefficient at a pole as a functional: the coefficients of derivatives of φ."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter
from typing import Any

from mpmath import iv

from rlct.algebra.polynomial import Terms
from rlct.blowup.face_residue import SPARE_KEY, FaceResidue, Form, terms_product
from rlct.blowup.plane_poles import ResolvedGerm, zero_reason
from rlct.blowup.pole import Pole, TaylorCoefficient
from rlct.blowup.residue_ball import finite_part, to_interval

_MOST_COEFFICIENTS = 12  # of a table; each takes a fifth of a second


def residue_table(
    germ: ResolvedGerm, pole: Pole, factor: Any, degree: float = inf
) -> tuple[TaylorCoefficient, ...] | None:
    """Coefficients of the Taylor coefficients φ_ij in that of (s − s₀)^(−order), times a factor.

    Integrals are done for φ of this degree, in signed coordinates, alone.

    None where it is no such functional, as at order 1 along a curve or an axis, or if it is long.
    """
    s = pole.z
    faces = germ.even_faces(s)
    is_along = pole.order == 1 and germ.is_off_origin(s)
    if is_along or any(face.is_long for face, _ in faces):
        return None
    table: dict[tuple[int, int], Any] = {}
    if pole.order == 2:
        table = {index: 4 * part for index, part in germ.curve_sums(s, None).items()}
        for k in germ.crossings(s):
            _add_vertex(table, germ, k, s)
    for face, _ in faces if pole.order == 1 else ():
        low = ((index, form) for index, form in face.forms() if sum(index) <= degree)
        forms = [(index, form) for index, form in low if not zero_reason(face, form)]
        if len(forms) > _MOST_COEFFICIENTS:
            return None
        integrals: list[tuple[Form, Any]] = []
        for index, form in forms:
            part = _integral(face, form, integrals)
            if part is None:
                return None
            table[index] = table.get(index, 0) + 2 * part / face.edge.least
    return tuple(
        # Rounded to floats outwards.
        TaylorCoefficient(
            germ.exponents(*index),
            nextafter(float((total * factor).a), -inf),
            nextafter(float((total * factor).b), inf),
        )
        for index, total in sorted(table.items())
    )


def _integral(face: FaceResidue, form: Form, integrals: list[tuple[Form, Any]]) -> Any:
    """A multiple of one that is there, if they differ by an exact form, or a new one."""
    for base, whole in integrals:
        if (primitive := face.primitive(form, base)) is not None:
            return whole * to_interval(primitive.get(SPARE_KEY, 0))
    integrals.append((form, finite_part(face, form)))
    return integrals[-1][1]


def _add_vertex(table: dict[tuple[int, int], Any], germ: ResolvedGerm, k: int, s: Fraction) -> None:
    """4·det/(N·N″)·|c|^s times the coefficient of x^p·y^q in |f/(c·x^α·y^β)|^s·φ."""
    corner = germ.vertices[k]
    rays = [edge.weight for edge in germ.edges]
    # Axes are the neighbours of the first and the last vertex.
    low, high = ([(1, 0), *rays][k], [*rays, (0, 1)][k])
    least = [ray[0] * corner[0] + ray[1] * corner[1] for ray in (low, high)]
    c = germ.terms[corner]
    scale = iv.mpf(4 * abs(low[0] * high[1] - low[1] * high[0])) / (least[0] * least[1])
    scale *= to_interval(abs(c)) ** to_interval(s)
    goal = [int(-n * s - 1 - h) for n, h in zip(corner, germ.prior, strict=True)]
    weight = (low[0] + high[0], low[1] + high[1])
    tail: Terms = {(i - corner[0], j - corner[1]): x / c for (i, j), x in germ.terms.items()}
    del tail[0, 0]
    most = weight[0] * goal[0] + weight[1] * goal[1]
    power: Terms = {(0, 0): Fraction(1)}
    binomial, n = Fraction(1), 0
    while power:
        for (i, j), x in power.items():
            taylor_index = goal[0] - i, goal[1] - j
            if min(taylor_index) >= 0:
                part = scale * to_interval(binomial * x)
                table[taylor_index] = table.get(taylor_index, 0) + part
        binomial, n = binomial * (s - n) / (n + 1), n + 1
        power = {
            m: x
            for m, x in terms_product(power, tail).items()
            if weight[0] * m[0] + weight[1] * m[1] <= most
        }
