"""Questions as words after ``rlct``: their canonical form, and their answer as a record."""

from __future__ import annotations

import argparse
import hashlib
import json
import threading
import time
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rlct.cli import common
from rlct.cli.kit import ranges
from rlct.errors import InputError
from rlct.sweep.linear import linear_question
from rlct.sweep.store import StoredAnswer

if TYPE_CHECKING:
    from rlct.answers.result import Result

#: What can be asked in a sweep.
ASKED_COMMANDS: Final = ("poly", "ideal", "net", "model", "theorem eval", "sample", "check")

_OUTPUT_OPTIONS = (
    "json",
    "csv",
    "plot",
    "certificate",
    "chains",
    "checkpoint",
    "explain",
    "cite",
    "format",
    "cache",
    "resume",
)
_FILE_OPTIONS = ("weights", "data")
_PLACE_OPTIONS = ("at", "prior", "nonneg", "over", "expression", "expressions")
# Standard output belongs to the process, and a worker of a cluster may have several threads.
_ONE_AT_A_TIME = threading.Lock()


class CommandAsker:
    """Asks as if the words had been typed after ``rlct``; a `QuestionAsker` of sweeps."""

    def question(self, words: list[str]) -> tuple[str, float | None]:
        """Return the canonical form of a question, and its time limit.

        InputError if it cannot be asked, or not in a sweep.

        >>> CommandAsker().question(["net", "linear", "5x2", "3", "--bias", "--rank", "1"])
        ('net linear 5 5 3 --rank 1 --bias', None)
        """
        command, leaf, options = _parse(words)
        return _canonical(command, leaf, options), getattr(options, "timeout", None)

    def answer(self, words: list[str]) -> StoredAnswer:
        """Answer a question; what goes wrong becomes part of the answer."""
        start_time = time.perf_counter()
        timeout = None
        with _ONE_AT_A_TIME, redirect_stderr(StringIO()):
            try:
                _, _, options = _parse(words)
                timeout = getattr(options, "timeout", None)
                if hasattr(options, "answer") and not getattr(options, "check", False):
                    result: Result = options.answer(options)
                    answer_record = _of_document(result.to_dict())
                    answer_record["certificate"] = result.certificate
                else:
                    answer_record = _of_document(_printed(options))
            except InputError as error:
                answer_record = {"status": "refused", "message": str(error)}
            except Exception as error:  # one broken question must not end a sweep
                text = f"{type(error).__name__}: {error}"
                answer_record = {"status": "failed", "message": " ".join(text.split())[:500]}
        return StoredAnswer(
            seconds=time.perf_counter() - start_time, timeout=timeout, **answer_record
        )

    def asked(self, words: list[str]) -> tuple[argparse.Namespace, Any]:
        """Return the options of a question and what it asks about; None for a theorem."""
        _, _, options = _parse(words)
        if hasattr(options, "ask"):
            return options, options.ask(ranges.cases(options)[0].options)
        if getattr(options, "kind", None) not in ("poly", "ideal"):
            return options, None
        if getattr(options, "over", None) is None:
            return options, common.problem_of(options)
        return options, common.box_problem_of(options)


@lru_cache(maxsize=1)
def _parser() -> argparse.ArgumentParser:
    from rlct.cli.commands import build_parser

    return build_parser()


def _parse(words: list[str]) -> tuple[str, argparse.ArgumentParser, argparse.Namespace]:
    """Parse words; return the command, its parser and the options."""
    command, leaf = "", _parser()
    for word in words:
        groups = [a for a in leaf._actions if isinstance(a, argparse._SubParsersAction)]
        if not groups or word not in groups[0].choices:
            break
        leaf = groups[0].choices[word]
        command = f"{command} {word}".strip()
    if not any(f"{command} ".startswith(f"{known} ") for known in ASKED_COMMANDS):
        shown = " ".join(words[:2])[:40]
        raise InputError(f"{shown!r} is no question with a λ: ask {', '.join(ASKED_COMMANDS)}")
    if "-" in words:
        raise InputError("- stands for standard input, which a sweep does not read")
    messages = StringIO()
    try:
        with redirect_stderr(messages), redirect_stdout(StringIO()):
            options = _parser().parse_args([*words, "--json"])
    except SystemExit:
        reason = messages.getvalue().strip().removeprefix("rlct: error: ") or "no question"
        raise InputError(reason) from None
    for name in _OUTPUT_OPTIONS:
        if name != "json" and getattr(options, name, None):
            raise InputError(f"--{name} says what to print, which is no part of a question")
    if ranges.is_range(options):
        raise InputError(
            'a range in ask: write a placeholder such as {rank}, and rank = "1..8" in [grid]'
        )
    return command, leaf, options


def _canonical(command: str, leaf: argparse.ArgumentParser, options: argparse.Namespace) -> str:
    from rlct.answers.document import problem_question

    options = ranges.cases(options)[0].options
    given_options = {
        action.dest: getattr(options, action.dest)
        for action in leaf._actions
        if getattr(options, action.dest, action.default) != action.default
        and action.dest not in (*_OUTPUT_OPTIONS, "timeout")
    }
    if command == "net linear" and not set(given_options) - {
        "widths",
        "rank",
        "bias",
        "input_rank",
    }:
        linear = common.network_of(options)
        return linear_question(linear.widths, linear.rank, linear.bias, linear.input_rank)
    if getattr(options, "kind", None) in ("poly", "ideal") and not given_options.get("over"):
        for name in _PLACE_OPTIONS:
            given_options.pop(name, None)
        given_options["problem"] = problem_question(common.problem_of(options))
    for name in _FILE_OPTIONS:
        if given_options.get(name) and not str(given_options[name]).startswith("modular:"):
            given_options[name] = _digest(given_options[name])
    return canonical_question(command, given_options)


def canonical_question(command: str, given: Mapping[str, Any]) -> str:
    """Write a question down as it is known in stores and caches.

    >>> canonical_question("poly", {"b": 1, "a": [2]})
    'poly {"a": [2], "b": 1}'
    """
    return f"{command} {json.dumps(given, ensure_ascii=False, sort_keys=True, default=str)}"


def _digest(path: str) -> str:
    """Stand for the content of a file."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def _printed(options: argparse.Namespace) -> dict[str, Any]:
    """Run a command and read the object that it prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        options.run(options)
    document: dict[str, Any] = json.loads(printed.getvalue())
    return document


def _of_document(document: dict[str, Any]) -> dict[str, Any]:
    trial_json = document.get("check", document)
    if "interval" in document:
        low, high = document["interval"] or (None, None)
    else:
        low, high = document.get("lower"), document.get("upper")
    return {
        "status": trial_json.get("verdict") or document.get("status") or "estimate",
        "lam": _text(document.get("lambda")),
        "theta": document.get("theta"),
        "lower": _text(low),
        "upper": _text(high),
        "method": document.get("method"),
        "message": trial_json.get("reason"),
        "document": document,
    }


def _text(value: str | float | None) -> str | None:
    return value if value is None or isinstance(value, str) else repr(value)
