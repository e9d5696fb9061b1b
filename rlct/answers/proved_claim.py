"""Whether a certificate is one of a question, and how much of its answer it proves."""

import json
from collections.abc import Callable, Iterator, Mapping
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
from rlct.models.latent_variables.factor_analysis import FactorAnalysis
from rlct.models.latent_variables.latent_class import LatentClass
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.models.quadratic_networks.generic import QuadraticArchitecture
from rlct.pair import Pair

_ANY_PAIR: Final = Pair(Fraction(1, 2), 1)  # a question does not depend on the answer

#: By the kind of a certificate about a model itself: the model, and the document about it.
_OWN_DOCUMENTS: Final[dict[str, tuple[type, Callable[[Any], Mapping[str, Any] | None]]]] = {
    "linear-network": (LinearNetwork, lambda asked: network_document(asked, "", _ANY_PAIR)),
    "latent-class": (LatentClass, lambda asked: class_document(asked, _ANY_PAIR)),
    "factor-analysis": (FactorAnalysis, lambda asked: factor_document(asked, _ANY_PAIR)),
    "quadratic-network": (QuadraticArchitecture, quadratic_document),
}


def how_proved(asked: object, answer: Mapping[str, Any], certificate: Mapping[str, Any]) -> str:
    """Say how much of an answer a certificate proves, after replaying it.

    The answer has ``status``, ``lambda``, ``theta``, ``lower`` and ``upper``, as ``--json`` prints
    them; the certificate is as `Result.certificate`.  It says ``"true"``;
    ``"in part"`` if that proves wider bounds than the answer, whose rest a theorem proves;
    ``"false"`` if it is broken, one of another question, or proves something else.

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


def _questions(asked_question: Any, kind: str) -> Iterator[tuple[Mapping[str, Any], Fraction]]:
    """Yield what certificates of a question are about, and by how much their λ is larger."""
    if isinstance(asked_question, Model):
        asked_question = asked_question.answered_as
    model_class, document_of = _OWN_DOCUMENTS.get(kind, (object, lambda asked: None))
    own_document = document_of(asked_question) if isinstance(asked_question, model_class) else None
    if own_document is not None:
        yield own_document["question"], Fraction(0)
    elif kind == "box" and isinstance(asked_question, Model):
        from rlct.answers.model_kinds import written_box

        for equations in asked_question.whole_fibre():
            extra_half = Fraction(equations.extra_coordinates, 2)
            yield box_question(written_box(equations)), extra_half
    elif kind == "box" or (kind == "walls" and hasattr(asked_question, "sides")):
        yield box_question(asked_question), Fraction(0)
    elif kind in ("K", "ideal", "walls"):
        problem = asked_question.problem() if hasattr(asked_question, "problem") else asked_question
        yield problem_question(problem), Fraction(0)


def _compare(
    given_answer: Mapping[str, Any], claim: Mapping[str, Any], extra_half: Fraction
) -> str:
    """Compare bounds of λ, and θ where both are exact."""
    low, high = (_number(given_answer[end]) for end in ("lower", "upper"))
    proved_lower, proved_upper = (_number(claim[end]) for end in ("lower", "upper"))
    proved_lower = max((proved_lower or 0) - extra_half, Fraction(0))
    proved_upper = None if proved_upper is None else proved_upper - extra_half
    low = low or Fraction(0)
    known = _number(given_answer["lambda"])
    if known != (low if low == high else None):
        return "false"
    if claim["status"] == "exact":
        same = (low, high, given_answer["theta"]) == (proved_lower, proved_upper, claim["theta"])
        return "true" if same and given_answer["status"] == "exact" else "false"
    if (low, high) == (proved_lower, proved_upper) and given_answer["status"] != "exact":
        return "true"
    inside = low >= proved_lower and (
        proved_upper is None or (high is not None and high <= proved_upper)
    )
    return "in part" if inside and (high is None or low <= high) else "false"


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
