"""``--cache``: expensive exact answers kept in a file with their certificates."""

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
from rlct.errors import CertificateError, InputError

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.questions.problem import Problem
    from rlct.sweep.store import Store, StoredAnswer

__all__ = ["VARIABLE", "add_cache", "cached"]

VARIABLE: Final = "RLCT_CACHE"
#: What reading an answer raises if somebody wrote into the file.
_DAMAGED = (CertificateError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError)


def add_cache(parser: argparse.ArgumentParser) -> None:
    """``--cache``."""
    parser.add_argument(
        "--cache",
        type=files.file_name,
        metavar="FILE",
        help="keep exact answers here, each with its certificate, which is verified when it "
        f"serves again; default: the file that {VARIABLE} names, if any",
    )


def cached(options: argparse.Namespace, problem: Problem, solve: Callable[[], Result]) -> Result:
    """Answer from the cache, if there is one and its certificate proves the answer.

    Parameters
    ----------
    options : Namespace
        With ``kind``, ``cache`` and ``timeout``.
    problem : Problem
    solve : callable
        Answers the problem anew.

    Raises
    ------
    InputError
        If the file cannot be used.
    """
    path = options.cache or os.environ.get(VARIABLE)
    if not path:
        return solve()
    import sqlite3

    from rlct.answers.document import problem_question
    from rlct.cli.asking import canonical
    from rlct.sweep.store import Store, key_of

    asked = json.loads(json.dumps(problem_question(problem)))
    text = canonical(options.kind, {"problem": asked})
    key = key_of(text)
    try:
        with Store(Path(path)) as store:
            found = _kept(store, key, asked, problem, options.timeout)
            if found is not None:
                return found
            began = time.perf_counter()
            result = solve()
            if _proved(result.certificate, result.lam, result.theta):
                store.put(key, text, _record(result, time.perf_counter() - began))
            return result
    except sqlite3.Error as error:
        raise InputError(f"cannot use {path} as a cache: {error}") from None


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


def _kept(
    store: Store, key: bytes, asked: Any, problem: Problem, timeout: float | None
) -> Result | None:
    """Rebuild an answer; every number in it is one that its certificate proves."""
    from rlct.certificate.verify import verify
    from rlct.system.time_limit import Budget, OutOfTimeError, time_limit

    budget = Budget(timeout)
    try:
        known = store.find(key)
        if known is None or known.status != "exact" or known.certificate is None:
            return None
        proof = known.certificate
        if proof.get("question") != asked or known.lam is None or known.theta is None:
            raise CertificateError("it is one of another question")
        if not _proved(proof, Fraction(known.lam), known.theta):
            raise CertificateError("it proves another value")
        with time_limit(timeout, budget):
            verify(proof)
            budget.stop()
        return _result(known, problem, store.path)
    except OutOfTimeError:
        budget.stop()
        return None
    except _DAMAGED as error:
        text = " ".join(str(error).split())[:200]
        store.doubt(key, text)
        sys.stderr.write(f"rlct: warning: certificate in {store.path} refused: {text}\n")
        return None


def _result(known: StoredAnswer, problem: Problem, path: Path) -> Result:
    from rlct.answers.result import Result, Route
    from rlct.pair import Pair

    assert known.lam is not None
    assert known.theta is not None
    pair = Pair(Fraction(known.lam), known.theta)
    document = known.document or {}
    routes = [
        Route(route["method"], pair, pair, tuple(route["sources"]), tuple(route["hypotheses"]))
        for route in document.get("routes", ())
        if (route["lambda"], route["theta"]) == (known.lam, known.theta)
    ] or [Route("certificate", pair, pair)]
    notes = (*document.get("notes", ()), f"from {path}, its certificate verified anew")
    return Result.of(routes, problem.where, known.certificate, problem, notes)
