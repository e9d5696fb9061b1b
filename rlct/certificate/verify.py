"""Replaying a certificate with arithmetic of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from rlct.certificate import box, generic_rank, linear_network
from rlct.certificate.arithmetic import constant, fraction, number, read, shift
from rlct.certificate.family import Family
from rlct.certificate.field import Field, Number
from rlct.certificate.points import read_field
from rlct.certificate.resolution import FAMILY_RULES
from rlct.certificate.rules import RULES
from rlct.certificate.statement import Bounds, Statement
from rlct.errors import CertificateError, InputError, TooLargeError

__all__ = ["load", "verify"]

_DEEPEST = 200
T = TypeVar("T")
_ENTRIES = {"rule", "lower", "upper", "data", "children"}


def verify(certificate: Mapping[str, Any] | str | Path) -> bool:
    """Check that a certificate proves its claim.

    The checker shares no code with the engine, the polyhedra or the theorems: it has its own
    polynomials, linear algebra, real roots and faces.

    Parameters
    ----------
    certificate : mapping, JSON text or path
        What `Result.certificate` holds, or a file written by ``--certificate``.

    Returns
    -------
    bool
        True.

    Raises
    ------
    CertificateError
        Naming the step that fails.
    InputError
        If there is no such file, it is not JSON, or it is too large to be replayed.

    Examples
    --------
    >>> import rlct
    >>> verify(rlct.poly("x**2*y**4").certificate)
    True
    """
    document = load(certificate)
    try:
        _check(document)
    except (CertificateError, TooLargeError):
        raise
    except Exception as error:  # the document may hold anything where numbers belong
        raise CertificateError(f"the certificate is malformed: {error!r}") from error
    return True


def load(certificate: Mapping[str, Any] | str | Path) -> Mapping[str, Any]:
    """Read a certificate from a mapping, JSON text or a file."""
    if isinstance(certificate, Mapping):
        return certificate
    text = certificate
    if isinstance(certificate, Path) or not certificate.lstrip().startswith("{"):
        try:
            text = Path(certificate).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # no such file, not UTF-8, a NUL in its name
            reason = getattr(error, "strerror", None) or "it is not text"
            raise InputError(f"cannot read the certificate {certificate}: {reason}") from error
    return load_text(str(text))


def load_text(text: str) -> Mapping[str, Any]:
    """Read a certificate from JSON text."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the certificate is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise InputError("the certificate is not a JSON object")
    return document


def _check(document: Mapping[str, Any]) -> None:
    if document["schema"] != "rlct/1" or document["kind"] != "certificate":
        raise CertificateError("this is not a certificate of schema rlct/1")
    question, proof = document["question"], document["proof"]
    if question["kind"] == "linear-network":
        bounds: Bounds = linear_network.replay(question, proof)
        _compare(proof, bounds, proof["rule"])
    elif question["kind"] == "quadratic-network":
        bounds = generic_rank.replay(question, proof)
        _compare(proof, bounds, proof["rule"])
    elif question["kind"] == "box":

        def local(inner: Statement | box.Box, child: Mapping[str, Any]) -> Bounds:
            if isinstance(inner, Statement):
                return _replay(inner, child, "proof", _DEEPEST)
            found = box.bounds(inner, child, local)
            _compare(child, found, f"box > {child['rule']}")
            return found

        bounds = box.replay(question, proof, local)
        _compare(proof, bounds, proof["rule"])
    else:
        bounds = _replay(_statement(question), proof, "proof", _DEEPEST)
    _check_claim(document["claim"], bounds)


def _statement(question: Mapping[str, Any]) -> Statement:
    """Move the question to the origin and remove its constraints."""
    names = question["variables"]
    width = len(names)
    if len(set(names)) != width or not all(isinstance(name, str) for name in names):
        raise CertificateError("the variables are not distinct names")
    if question["kind"] not in ("K", "ideal"):
        raise CertificateError(f"unknown kind of question {question['kind']!r}")
    generators = [read(g, width) for g in question["generators"]]
    prior = [fraction(h) for h in question["prior"]]
    field = read_field(question["field"]) if "field" in question else None
    point = [_coordinate(a, field) for a in question["point"]]
    walls, powers = question["nonneg"], question["powers"]
    if not len(prior) == len(point) == len(walls) == len(powers) == width:
        raise CertificateError("prior, point, nonneg and powers need one entry per variable")
    if question["kind"] == "K" and len(generators) != 1:
        raise CertificateError("K is one polynomial")
    moved_prior = []
    for h, a, wall, q in zip(prior, point, walls, powers, strict=True):
        if h <= -1 or type(wall) is not bool or (wall and a < 0):
            raise CertificateError("the prior or the domain is not valid")
        active = wall and a == 0
        if type(q) is not int or q < 1 or (q % 2 == 0) is not active:
            raise CertificateError("a substitution x = y^q needs q even exactly on a wall x ≥ 0")
        if a != 0 and q != 1:
            raise CertificateError("a substitution x = y^q needs x = 0")
        moved_prior.append(q * (h + 1) - 1 if a == 0 else Fraction(0))
    if min(moved_prior) < 0:
        raise CertificateError("the prior still has a negative exponent")
    moved = []
    for g in generators:
        local = shift(g, point)
        moved.append(
            {tuple(e * q for e, q in zip(m, powers, strict=True)): c for m, c in local.items()}
        )
    kept = tuple(g for g in moved if g)
    if not kept or any(constant(g) for g in kept):
        raise CertificateError("K does not vanish at the point, or is zero")
    return Statement(kept, tuple(moved_prior), question["kind"] == "ideal", field)


def _coordinate(data: Any, field: Field | None) -> Number:
    """A rational, or a number of the field of the question."""
    return number(data, field) if isinstance(data, list) else fraction(data)


def _replay(
    statement: Statement | Family, node: Mapping[str, Any], path: str, depth: int
) -> Bounds:
    """Recompute the bounds of a node and compare them with what it records."""
    name = node["rule"]
    here = f"{path} > {name}"
    if depth == 0:
        raise CertificateError(f"{path}: the proof is more than {_DEEPEST} steps deep")
    if not set(node) <= _ENTRIES:
        raise CertificateError(f"{here}: unknown entries {sorted(set(node) - _ENTRIES)}")
    children = list(node.get("children", []))
    try:
        if name == "enclose":
            bounds = _enclose([_replay(statement, c, here, depth - 1) for c in children])
        else:
            rest = iter(children)

            def solve(child: Statement | Family) -> Bounds:
                following = next(rest, None)
                if following is None:
                    raise CertificateError("a step of the proof is missing")
                return _replay(child, following, here, depth - 1)

            data = node.get("data", {})
            if isinstance(statement, Family):
                bounds = _known(FAMILY_RULES, name)(statement, data, solve)
            else:
                bounds = _known(RULES, name)(statement, data, solve)
            if next(rest, None) is not None:
                raise CertificateError("the proof has a step too many")
    except CertificateError as error:
        if str(error).startswith("proof"):
            raise
        raise CertificateError(f"{here}: {error}") from error
    _compare(node, bounds, here)
    return bounds


def _known(rules: Mapping[str, T], name: str) -> T:
    if name not in rules:
        raise CertificateError(f"unknown rule {name!r}")
    return rules[name]


def _enclose(bounds: list[Bounds]) -> Bounds:
    uppers = [upper for _, upper in bounds if upper is not None]
    return max(lower for lower, _ in bounds), min(uppers) if uppers else None


def _compare(node: Mapping[str, Any], bounds: Bounds, where: str) -> None:
    for key, found in zip(("lower", "upper"), bounds, strict=True):
        expected = None if found is None else [str(found.lam), found.theta]
        if node[key] != expected or (expected and type(node[key][1]) is not int):
            raise CertificateError(f"{where}: {key} is {expected}, not {node[key]}")


def _check_claim(claim: Mapping[str, Any], bounds: Bounds) -> None:
    """The claim must be exactly what the proof gives."""
    lower, upper = bounds
    expected = {
        "status": "exact" if lower == upper else "bounds",
        "lambda": str(lower.lam) if upper is not None and lower.lam == upper.lam else None,
        "theta": lower.theta if lower == upper else None,
        "lower": str(lower.lam),
        "upper": None if upper is None else str(upper.lam),
    }
    for key, value in expected.items():
        if claim[key] != value or type(claim[key]) is not type(value):
            raise CertificateError(f"claim: {key} is {value!r}, not {claim[key]!r}")
    if set(claim) != set(expected):
        raise CertificateError("claim: unexpected entries")
