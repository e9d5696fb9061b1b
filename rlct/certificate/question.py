"""The question of a certificate: nothing in it may be printed that the checker has not read."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.certificate.numbers.arithmetic import (
    Poly,
    read_fraction,
    read_number,
    read_polynomial,
    taylor_shift,
    value_at_origin,
)
from rlct.certificate.numbers.field import RealField, RealNumber
from rlct.certificate.statement import Statement
from rlct.certificate.torus.points import read_field
from rlct.errors import CertificateError

_LOCAL_ENTRIES = {"kind", "variables", "generators", "prior", "nonneg", "point", "powers"}
_NEEDED_ENTRIES = {
    "K": _LOCAL_ENTRIES,
    "ideal": _LOCAL_ENTRIES,
    "box": {"kind", "ideal", "variables", "generators", "prior", "sides"},
    "factor-analysis": {"kind", "variables", "factors", "true_factors"},
    "walls": {"kind", "question", "walls", "coordinates"},
    "latent-class": {"kind", "classes", "true", "categories"},
    "linear-network": {"kind", "widths", "rank", "bias", "input_rank"},
    "quadratic-network": {"kind", "inputs", "units", "outputs", "bias", "data", "centred"},
}
_OPTIONAL_ENTRIES = {"field"}  # of a local question
_WALL_ENTRIES = {True: {"simplices"}, False: {"frame", "images"}}  # over a box, at a point
#: Letters that look like no other: a name must not be taken for another, or for an expression.
_LEGAL_NAME = re.compile(r"[A-Za-zα-ξπ-ωΓΔΘΛΞΠΣΦΨΩ_][A-Za-zα-ξπ-ωΓΔΘΛΞΠΣΦΨΩ_0-9]*\Z")
_LONGEST_NAME = 100  # characters
#: Names that stand for numbers where polynomials are written.
_NUMBER_NAMES = {"I", "pi", "E", "oo", "zoo", "inf", "nan"}


def check_entries(question: Any) -> None:
    """Refuse a question of an unknown kind, or with entries that the checker does not look at."""
    kind = question.get("kind") if isinstance(question, Mapping) else None
    if not isinstance(kind, str) or kind not in _NEEDED_ENTRIES:
        raise CertificateError(f"unknown kind of question {str(kind)[:40]!r}")
    needed = _NEEDED_ENTRIES[kind]
    if kind == "walls":
        inner = question["question"]
        check_entries(inner)
        kinds = ("box", "K", "ideal")
        if inner["kind"] not in kinds:
            raise CertificateError("walls are of a question about polynomials")
        needed = needed | _WALL_ENTRIES[inner["kind"] == "box"]
        read_variables(inner)
    optional = _OPTIONAL_ENTRIES if needed is _LOCAL_ENTRIES else set()
    if not needed <= set(question) <= needed | optional:
        wrong = sorted(map(str, set(question) ^ needed))[0]
        raise CertificateError(
            f"a question of kind {kind} has the entries {', '.join(sorted(needed))}: "
            f"{wrong[:40]!r} is unknown or missing"
        )


def read_variables(question: Mapping[str, Any]) -> list[str]:
    """Read the variables, which are distinct names as a polynomial is written with."""
    names = question["variables"]
    if not isinstance(names, list):
        raise CertificateError("the variables are not a list of names")
    for name in names:
        legal = isinstance(name, str) and len(name) <= _LONGEST_NAME and _LEGAL_NAME.match(name)
        if not legal or name in _NUMBER_NAMES:
            raise CertificateError(f"{str(name)[:40]!r} is not the name of a variable")
    if len(set(names)) != len(names):
        raise CertificateError("the variables are not distinct names")
    return names


def statement(question: Mapping[str, Any]) -> Statement:
    """Move the question to the origin and remove its constraints."""
    width = len(read_variables(question))
    field = read_field(question["field"]) if "field" in question else None
    generators = [read_generator(g, width, field) for g in question["generators"]]
    prior = [read_fraction(h) for h in question["prior"]]
    point = [_coordinate(a, field) for a in question["point"]]
    walls, powers = question["nonneg"], question["powers"]
    if not len(prior) == len(point) == len(walls) == len(powers) == width:
        raise CertificateError("prior, point, nonneg and powers need one entry per variable")
    if question["kind"] == "K" and len(generators) != 1:
        raise CertificateError("K is one polynomial")
    moved_prior = tuple(map(_substituted, prior, point, walls, powers))
    moved = []
    for g in generators:
        local = taylor_shift(g, point)
        moved.append(
            {tuple(e * q for e, q in zip(m, powers, strict=True)): c for m, c in local.items()}
        )
    nonzero = tuple(g for g in moved if g)
    if not nonzero or any(value_at_origin(g) for g in nonzero):
        raise CertificateError("K does not vanish at the point, or is zero")
    return Statement(nonzero, moved_prior, question["kind"] == "ideal", field)


def read_generator(data: Any, width: int, field: RealField | None) -> Poly:
    """A polynomial over Q, or over the field of the question."""
    irrational = isinstance(data, list) and any(isinstance(c, list) for c, _ in data)
    return read_polynomial(data, width, field if irrational else None)


def _substituted(h: Fraction, a: RealNumber, wall: Any, q: Any) -> Fraction:
    """The exponent of the prior |x|^h, x ≥ 0 on a wall, near x = a after x = a + y^q."""
    if h <= -1 or type(wall) is not bool or (wall and a < 0):
        raise CertificateError("the prior or the domain is not valid")
    active = wall and a == 0
    if type(q) is not int or q < 1 or (q % 2 == 0) is not active:
        raise CertificateError("a substitution x = y^q needs q even exactly on a wall x ≥ 0")
    if a != 0 and q != 1:
        raise CertificateError("a substitution x = y^q needs x = 0")
    exponent = q * (h + 1) - 1 if a == 0 else Fraction(0)
    if exponent < 0:
        raise CertificateError("the prior still has a negative exponent")
    return exponent


def _coordinate(data: Any, field: RealField | None) -> RealNumber:
    """A rational, or a number of the field of the question."""
    return read_number(data, field) if isinstance(data, list) else read_fraction(data)
