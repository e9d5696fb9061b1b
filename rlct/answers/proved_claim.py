"""Whether a certificate is one of a question, and how much of its answer it proves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from rlct.answers.document import (
    box_question,
    class_document,
    factor_document,
    network_document,
    problem_question,
    quadratic_document,
)
from rlct.certificate.verify import verify
from rlct.errors import CertificateError, InputError
from rlct.models.base import Model
from rlct.models.factor_analysis import FactorAnalysis
from rlct.models.latent_class import LatentClass
from rlct.models.linear import LinearNetwork
from rlct.models.quadratic_generic import QuadraticArchitecture
from rlct.pair import Pair

__all__ = ["how_proved"]

_NOWHERE: Final = Pair(Fraction(1, 2), 1)  # a question does not depend on the answer


def how_proved(asked: object, answer: Mapping[str, Any], certificate: Mapping[str, Any]) -> str:
    """Say how much of an answer a certificate proves, after replaying it.

    Parameters
    ----------
    asked : Model, Problem, BoxProblem or network
        The question.
    answer : mapping
        ``status``, ``lambda``, ``theta``, ``lower`` and ``upper``, as ``--json`` prints them.
    certificate : mapping
        As `Result.certificate`.

    Returns
    -------
    str
        ``"true"``; ``"in part"`` if the certificate proves wider bounds than the answer, whose
        rest a theorem proves; ``"false"`` if it is broken, one of another question, or proves
        something else.

    Examples
    --------
    >>> from rlct import poly
    >>> found = poly("x**2*y**4")
    >>> how_proved(found.question, found.to_dict(), found.certificate)
    'true'
    >>> how_proved(found.question, {**found.to_dict(), "lambda": "1/2"}, found.certificate)
    'false'
    """
    try:
        written = certificate["question"]
        shifts = [s for q, s in _questions(asked, written["kind"]) if _plain(q) == written]
        if not shifts or not verify(certificate):
            return "false"
        return _compare(answer, certificate["claim"], shifts[0])
    except (CertificateError, InputError, KeyError, TypeError, ValueError):
        return "false"


def _plain(question: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(question))


def _questions(asked: Any, kind: str) -> Iterator[tuple[Mapping[str, Any], Fraction]]:
    """Yield what certificates of a question are about, and by how much their λ is larger."""
    found: Mapping[str, Any] | None = None
    if kind == "linear-network" and isinstance(asked, LinearNetwork):
        found = network_document(asked, "", _NOWHERE)
    elif kind == "latent-class" and isinstance(asked, LatentClass):
        found = class_document(asked, _NOWHERE)
    elif kind == "factor-analysis" and isinstance(asked, FactorAnalysis):
        found = factor_document(asked, _NOWHERE)
    elif kind == "quadratic-network" and isinstance(asked, QuadraticArchitecture):
        found = quadratic_document(asked)
    if found is not None:
        yield found["question"], Fraction(0)
    elif kind == "box" and isinstance(asked, Model):
        from rlct.answers.model_kinds import written_box

        for equations in asked.whole_fibre():
            extra_half = Fraction(equations.extra_coordinates, 2)
            yield box_question(written_box(equations)), extra_half
    elif kind == "box":
        yield box_question(asked), Fraction(0)
    elif kind in ("K", "ideal"):
        problem = asked.problem() if hasattr(asked, "problem") else asked
        yield problem_question(problem), Fraction(0)


def _compare(answer: Mapping[str, Any], claim: Mapping[str, Any], shift: Fraction) -> str:
    """Compare bounds of λ, and θ where both are exact."""
    low, high = (_number(answer[end]) for end in ("lower", "upper"))
    least, most = (_number(claim[end]) for end in ("lower", "upper"))
    least = max((least or 0) - shift, Fraction(0))
    most = None if most is None else most - shift
    low = low or Fraction(0)
    known = _number(answer["lambda"])
    if known != (low if low == high else None):
        return "false"
    if claim["status"] == "exact":
        same = (low, high, answer["theta"]) == (least, most, claim["theta"])
        return "true" if same and answer["status"] == "exact" else "false"
    if (low, high) == (least, most) and answer["status"] != "exact":
        return "true"
    inside = low >= least and (most is None or (high is not None and high <= most))
    return "in part" if inside and (high is None or low <= high) else "false"


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
