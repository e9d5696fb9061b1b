"""Replaying a certificate with arithmetic of its own."""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from rlct.certificate import cost
from rlct.certificate.boxes import box
from rlct.certificate.entries import Document, without_duplicates
from rlct.certificate.family import GermFamily
from rlct.certificate.poles import replay_poles
from rlct.certificate.question import check_entries, statement
from rlct.certificate.rules import CheckedRule, ChildTrait, RuleScope, rules_about, rules_for
from rlct.certificate.statement import PairBounds, Statement, need
from rlct.certificate.walls import without_walls
from rlct.errors import CertificateError, InputError, TooLargeError

_LONGEST_MESSAGE = 400  # characters
P = ParamSpec("P")
T = TypeVar("T")


def _explain_options(call: Callable[P, T]) -> Callable[P, T]:
    """Name the cure where an option is given; the checker has none."""

    @wraps(call)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        for name in kwargs.keys() - {"certificate"}:
            raise InputError(f"verify has no option {name}; there is certificate")
        return call(*args, **kwargs)

    return checked


@_explain_options
def verify(certificate: Mapping[str, Any] | str | Path | None) -> bool:
    """Check that a certificate proves its claim.

    The checker shares no code with the engine, the polyhedra or the theorems: it has its own
    polynomials, linear algebra, real roots and faces.

    Parameters
    ----------
    certificate : mapping, JSON text or path
        What `Result.certificate` holds, or a file written by ``--certificate``; None is refused.

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
    replay_certificate(load_certificate(certificate))
    return True


def replay_certificate(certificate: Mapping[str, Any]) -> list[tuple[Fraction, bool]]:
    """Check a certificate as `verify` does, and return what `replayed_poles` does."""
    try:
        with cost.budget():
            document = Document(certificate)
            poles = _check(document.root)
            document.check_all_read()
    except TooLargeError as error:
        raise TooLargeError(_one_line(str(error))) from error
    except CertificateError as error:
        raise CertificateError(_one_line(str(error))) from error
    except RecursionError as error:
        raise TooLargeError("too large to be checked: its steps are nested too deeply") from error
    except KeyError as error:
        raise CertificateError(_one_line(f"an entry is missing: {error}")) from error
    except Exception as error:  # the document may hold anything where numbers belong
        raise CertificateError(
            "the certificate is malformed: an entry has no legal value"
        ) from error
    return poles


def _one_line(message: str) -> str:
    """Words of the document that a message quotes must not look like lines of their own."""
    shown = "".join(c if c.isprintable() else " " for c in message)
    return shown if len(shown) <= _LONGEST_MESSAGE else shown[:_LONGEST_MESSAGE] + "…"


def load_certificate(certificate: Mapping[str, Any] | str | Path | None) -> Mapping[str, Any]:
    """Read a certificate from a mapping, JSON text or a file."""
    if isinstance(certificate, Mapping):
        return certificate
    if not isinstance(certificate, str | Path):
        kind = type(certificate).__name__
        raise InputError(f"{kind} is not a certificate: give a mapping, JSON text or a path")
    text = certificate
    if isinstance(certificate, Path) or not certificate.lstrip().startswith("{"):
        try:
            with Path(certificate).open(encoding="utf-8") as file:
                text = file.read(cost.MOST_TEXT + 1)
        except (OSError, ValueError) as error:  # no such file, not UTF-8, a NUL in its name
            reason = getattr(error, "strerror", None) or "it is not text"
            raise InputError(f"cannot read the certificate {certificate}: {reason}") from error
    return load_text(str(text))


def certificate_text(certificate: Mapping[str, Any]) -> str:
    """JSON, with lines unless they make it too long to be read: a deep proof is mostly spaces."""
    text = json.dumps(certificate, ensure_ascii=False, sort_keys=True, indent=1)
    if len(text) <= cost.MOST_TEXT:
        return text
    return json.dumps(certificate, ensure_ascii=False, sort_keys=True)


def load_text(text: str) -> Mapping[str, Any]:
    """Read a certificate from JSON text."""
    if len(text) > cost.MOST_TEXT:
        raise TooLargeError(f"the certificate has more than {cost.MOST_TEXT:,} characters")
    try:
        document = json.loads(text, object_pairs_hook=without_duplicates)
    except CertificateError as error:
        raise CertificateError(_one_line(str(error))) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"the certificate is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise InputError("the certificate is not a JSON object")
    return document


def _check(document: Mapping[str, Any]) -> list[tuple[Fraction, bool]]:
    if document.get("schema") != "rlct/1" or document.get("kind") != "certificate":
        raise CertificateError("this is not a certificate of schema rlct/1")
    for name in ("question", "claim", "proof"):
        if not isinstance(document[name], Mapping):
            raise CertificateError(f"the {name} of the certificate is not an object")
    proof = document["proof"]
    check_entries(document["question"])
    question = without_walls(document["question"])
    bounds: PairBounds
    if question["kind"] in ("K", "ideal"):
        bounds = _replay(statement(question), proof, "proof")
    elif question["kind"] == "box":

        def local(inner: Statement | box.Box | GermFamily, child: Mapping[str, Any]) -> PairBounds:
            if isinstance(inner, Statement | GermFamily):
                return _replay(inner, child, "proof")
            each = 20 + 2 * len(inner.sides)
            cost.charge(sum(map(len, inner.generators)) * each, "the steps of a proof")
            box_bounds = box.bounds(inner, child, local)
            _compare(child, box_bounds, f"box > {child['rule']}")
            return box_bounds

        bounds = box.bounds(box.read_box(question), proof, local)
        _compare(proof, bounds, proof["rule"])
    else:
        bounds = _known(rules_about(RuleScope.SIZES), proof["rule"])(question, proof)
        _compare(proof, bounds, proof["rule"])
    _check_claim(document["claim"], bounds)
    return replayed_poles(document)


def replayed_poles(document: Mapping[str, Any]) -> list[tuple[Fraction, bool]]:
    """The poles that stand beside a proof, and whether the reason of each is replayed."""
    if "poles" not in document:
        return []
    question = without_walls(document["question"])
    need(question["kind"] in ("K", "ideal"), "poles: not at a point")
    return replay_poles(statement(question), document["poles"])


def _replay(state: Statement | GermFamily, node: Mapping[str, Any], path: str) -> PairBounds:
    """Recompute the bounds of a node and compare them with what it records."""
    name = node["rule"]
    path_here = f"{path} > {name}"
    children = list(node.get("children", []))
    bounds: PairBounds
    try:
        _afford(state)
        rule = _known(rules_for(state), name)
        if ChildTrait.SAME_STATEMENT in rule.child:
            bounds = rule([_replay(state, c, path_here) for c in children])
        else:
            children_left = iter(children)

            def solve_child(child: Statement | GermFamily) -> PairBounds:
                following = next(children_left, None)
                if following is None:
                    raise CertificateError("a step of the proof is missing")
                return _replay(child, following, path_here)

            data = node.get("data", {})
            bounds = rule(state, data, solve_child)
            if next(children_left, None) is not None:
                raise CertificateError("the proof has a step too many")
    except (CertificateError, TooLargeError) as error:
        if str(error).startswith("proof"):
            raise
        raise type(error)(f"{path_here}: {error}") from error
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise CertificateError(f"{path_here}: an entry has no legal value") from error
    _compare(node, bounds, path_here)
    return bounds


def _afford(state: Statement | GermFamily) -> None:
    """Charge for reading a statement a few times, which every rule does."""
    polynomials = [*state.generators]
    if isinstance(state, GermFamily):
        polynomials += [*state.units, *state.relations]
    terms = sum(map(len, polynomials))
    cost.charge(100 + 5 * state.width + terms * (20 + 2 * state.width), "the steps of a proof")
    highest = max((max(m) for p in polynomials for m in p if m), default=0)
    if highest > cost.MOST_EXPONENT:
        raise TooLargeError(f"an exponent is larger than {cost.MOST_EXPONENT:,}")


def _known(rules: Mapping[str, CheckedRule], name: str) -> CheckedRule:
    if name not in rules:
        raise CertificateError(f"unknown rule {name!r}")
    return rules[name]


def _compare(node: Mapping[str, Any], bounds: PairBounds, where: str) -> None:
    for key, bound in zip(("lower", "upper"), bounds, strict=True):
        expected = None if bound is None else [str(bound.lam), bound.theta]
        if node[key] != expected or (expected and type(node[key][1]) is not int):
            raise CertificateError(f"{where}: {key} is {expected}, not {node[key]}")


def _check_claim(claim: Mapping[str, Any], bounds: PairBounds) -> None:
    """The claim must be exactly what the proof gives."""
    lower, upper = bounds
    expected_claim = {
        "status": "exact" if lower == upper else "bounds",
        "lambda": str(lower.lam) if upper is not None and lower.lam == upper.lam else None,
        "theta": lower.theta if lower == upper else None,
        "lower": str(lower.lam),
        "upper": None if upper is None else str(upper.lam),
    }
    for key, value in expected_claim.items():
        if claim[key] != value or type(claim[key]) is not type(value):
            raise CertificateError(f"claim: {key} is {value!r}, not {claim[key]!r}")
    if set(claim) != set(expected_claim):
        raise CertificateError("claim: unexpected entries")
