"""``--cache``: expensive exact answers stored in a file with their certificates."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rlct.cli import files
from rlct.errors import CertificateError

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.questions.problem import Problem
    from rlct.sweep.store import Store, StoredAnswer

CACHE_VARIABLE: Final = "RLCT_CACHE"
#: What reading an answer raises if somebody wrote into the file.
_BAD_ENTRY = (CertificateError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError)


def add_cache(parser: argparse.ArgumentParser) -> None:
    """``--cache``."""
    parser.add_argument(
        "--cache",
        type=files.file_name,
        metavar="FILE",
        help="keep exact answers with their certificates in this file and answer from it, after "
        f"each certificate is verified; default: the file that {CACHE_VARIABLE} names, if any",
    )


def answer_cached(
    options: argparse.Namespace, problem: Problem, solve_anew: Callable[[], Result]
) -> Result:
    """Answer from the cache, if there is one and its certificate proves the answer."""
    path = options.cache or os.environ.get(CACHE_VARIABLE)
    if not path:
        return solve_anew()
    import sqlite3

    from rlct.answers.document import problem_question
    from rlct.cli.asking import canonical_question
    from rlct.sweep.store import Store, key_of, store_error

    asked = json.loads(json.dumps(problem_question(problem)))
    text = canonical_question(options.kind, {"problem": asked})
    key = key_of(text)
    try:
        with Store(Path(path)) as store:
            found = _cached_answer(store, key, asked, problem, options.timeout)
            if found is not None:
                return found
            began = time.perf_counter()
            result = solve_anew()
            if not store.read_only and _proved(result.certificate, result.lam, result.theta):
                store.put(key, text, _record(result, time.perf_counter() - began))
            return result
    except sqlite3.Error as error:
        raise store_error(path, error) from None


def _proved(certificate: Any, lam: Fraction | None, theta: int | None) -> bool:
    """Whether a certificate claims exactly these values: a theorem may know more than it."""
    claim = certificate["claim"] if certificate else {}
    return lam is not None and (claim.get("lambda"), claim.get("theta")) == (str(lam), theta)


def _record(result: Result, seconds: float) -> StoredAnswer:
    from rlct.sweep.store import StoredAnswer

    lam = str(result.lam)
    return StoredAnswer(
        "exact",
        lam,
        result.theta,
        lam,
        lam,
        result.method,
        seconds=seconds,
        document=result.to_dict(),
        certificate=result.certificate,
    )


def _cached_answer(
    store: Store, key: bytes, question_json: Any, problem: Problem, timeout: float | None
) -> Result | None:
    """Rebuild an answer; every number in it is one that its certificate proves."""
    from rlct.certificate.verify import verify
    from rlct.system.time_limit import Budget, made_in_time

    try:
        stored_answer = store.find(key)
        if (
            stored_answer is None
            or stored_answer.status != "exact"
            or stored_answer.certificate is None
        ):
            return None
        proof = stored_answer.certificate
        if (
            proof.get("question") != question_json
            or stored_answer.lam is None
            or stored_answer.theta is None
        ):
            raise CertificateError("it is one of another question")
        if not _proved(proof, Fraction(stored_answer.lam), stored_answer.theta):
            raise CertificateError("it proves another value")
        if made_in_time(lambda: verify(proof), Budget(timeout)) is None:
            return None
        return _result(stored_answer, problem, store.path)
    except _BAD_ENTRY as error:
        text = " ".join(str(error).split())[:200]
        if not store.read_only:
            store.doubt(key)
        sys.stderr.write(f"rlct: warning: certificate in {store.path} refused: {text}\n")
        return None


def _result(stored_answer: StoredAnswer, problem: Problem, path: Path) -> Result:
    """The answer of a verified certificate; whatever the entry says beside it is asked anew."""
    from rlct.answers.kinds import engine_route
    from rlct.answers.result import Result
    from rlct.answers.routes import theorem_routes
    from rlct.engine.nonnegative import nonnegativity_notes
    from rlct.proof.tree import Proof

    assert stored_answer.certificate is not None
    proof = Proof.from_dict(stored_answer.certificate["proof"])
    routes = [engine_route(proof), *theorem_routes(problem)]
    notes = nonnegativity_notes(problem, proof)
    note = f"from {path}, its certificate verified anew"
    return Result.of(routes, problem.where, stored_answer.certificate, problem, (*notes, note))
