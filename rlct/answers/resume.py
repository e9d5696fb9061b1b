"""A certificate of bounds with which a search goes on."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlct.answers.document import box_question, problem_question
from rlct.errors import CertificateError, InputError, OutOfTimeError
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget, deep_recursion, time_limit


def earlier_proof(
    question: object, certificate: Mapping[str, Any] | str | Path, budget: Budget
) -> Proof:
    """Return the proof of earlier bounds on the same question, verified.

    The certificate is a mapping, JSON text or a path; the time that verifying takes is part of the
    budget.  InputError if there is nothing to go on with, CertificateError if a step does not hold.
    """
    from rlct.certificate.verify import load_certificate, verify

    if isinstance(question, Problem):
        asked_json = problem_question(question)
    elif isinstance(question, BoxProblem):
        asked_json = box_question(question)
    else:
        raise InputError("only polynomials and ideals go on with earlier bounds")
    document = load_certificate(certificate)
    if document.get("kind") != "certificate":
        raise InputError("it is no certificate: go on with a file that --certificate wrote")
    if document.get("schema") != "rlct/1":
        raise InputError("the certificate is one of another version of rlct: ask anew")
    if document.get("question") != json.loads(json.dumps(asked_json)):
        raise InputError("the certificate is one of another question")
    try:
        with time_limit(budget.seconds_left, budget), deep_recursion():
            verify(document)
            proof = Proof.from_dict(document["proof"])
    except OutOfTimeError:
        raise InputError("no time is left once the certificate is verified: give more") from None
    except CertificateError as error:
        raise CertificateError(f"{error}; leave it out to ask anew") from None
    if proof.exact:
        raise InputError(f"the certificate proves the answer already, {proof.lower}")
    return proof
