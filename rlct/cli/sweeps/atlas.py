"""The command ``rlct atlas``: a table of learning coefficients, each of them verified."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import rlct
from rlct.cli import common, files
from rlct.cli.sweeps.grid_run import (
    add_jobs,
    single_writer,
    sweep_pool,
    sweep_progress,
    try_first,
    warn_of_changes,
)
from rlct.errors import InputError
from rlct.system.files import check_folder

if TYPE_CHECKING:
    from rlct.sweep.atlas import AtlasFamily, AtlasRow
    from rlct.sweep.grid import Grid
    from rlct.sweep.store import Store, StoredAnswer

# Seconds of a question: a theorem takes milliseconds, the engine beside it more.
_ASK_LIMIT: Final = 2.0
_TIMED_COMMANDS: Final = ("poly", "ideal", "net", "model")
_NO_ANSWER: Final = ("refused", "failed")
_FILE_HELP = """FILE.toml holds a family a table, with the grids of 'rlct sweep':

  [nets]
  title = "Linear networks"

  [[nets.grids]]
  ask = "net linear 5 {h} 5 --rank {r}"
  grid = { h = "1..6", r = [0, 1, 2] }

FOLDER gets atlas.csv, atlas.json, index.html and a page a family. Its atlas.sqlite holds the \
answers, with their certificates: the same command resumes after Ctrl-C or a crash, and asks \
nothing twice. Every certificate is replayed each time; an answer that its certificate does not \
prove is marked false, and asked anew by the next run.

exit codes: 0 written; 1 written, but an answer is not proved by its certificate, or a question \
failed; 2 bad input; 130 interrupted"""


def add_atlas(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "atlas",
        help="a table of thousands of λ and θ, as CSV, JSON and pages",
        description="Answer the grids of many families, verify the answers, and write them as "
        "tables and as pages that need no network.",
        epilog=_FILE_HELP,
        examples=["rlct atlas --out atlas", "rlct atlas --grids FILE.toml --out FOLDER"],
    )
    parser.add_argument(
        "--out",
        default="atlas",
        metavar="FOLDER",
        help="where to write (default atlas)",
    )
    parser.add_argument(
        "--grids", metavar="FILE.toml", help="other grids than those of the program"
    )
    add_jobs(parser)
    common.add_timeout(parser, f"seconds for one question (default {_ASK_LIMIT:g})", is_whole=False)
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.cli.asking import CommandAsker
    from rlct.sweep.atlas import default_grids, read_families
    from rlct.sweep.store import Store, store_error

    text = default_grids() if options.grids is None else files.read_text(options.grids)
    try:
        families = read_families(text)
    except InputError as error:
        raise InputError(f"{options.grids}: {error}") from None
    for family in families:
        for grid in family.grids:
            try_first(grid, CommandAsker(), family.id)
    if not options.out:
        raise InputError("--out is empty: name a folder, or leave it out for 'atlas'")
    folder = Path(options.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from None
    store_path = folder / "atlas.sqlite"
    check_folder(store_path)
    try:
        with ExitStack() as stack:
            store = stack.enter_context(Store(store_path))
            stack.enter_context(single_writer(store_path))
            if not _answer(families, store, options):
                return 130
            rows, missing_counts = _rows(families, store)
    except sqlite3.Error as error:
        raise store_error(store_path, error) from None
    _write(folder, families, rows)
    return _report(options, folder, families, rows, missing_counts)


def _timed(grid: Grid, timeout: float | None) -> Grid:
    """Add a time limit to a question that has none and takes one."""
    if grid.ask[0] not in _TIMED_COMMANDS or "--timeout" in grid.ask:
        return grid
    return replace(grid, ask=(*grid.ask, "--timeout", f"{timeout or _ASK_LIMIT:g}"))


def _answer(families: Sequence[AtlasFamily], store: Store, options: argparse.Namespace) -> bool:
    """Answer what is not there; whether nothing interrupted it."""
    from rlct.cli.asking import CommandAsker
    from rlct.sweep.running import run_sweep

    grids = [_timed(grid, options.timeout) for family in families for grid in family.grids]
    starts = [*accumulate((grid.count for grid in grids), initial=0)]
    changed_count = 0
    try:
        with sweep_pool(options.jobs) as pool, sweep_progress("atlas") as show:
            for grid, start in zip(grids, starts, strict=False):

                def done(count: int, _: int, start: int = start) -> None:
                    show(start + count, starts[-1])

                changed_count += run_sweep(grid, store, CommandAsker(), pool, done).changed
    except KeyboardInterrupt:
        line = f"interrupted; finished answers are in {store.path}"
        sys.stderr.write(f"rlct: {line}; run the same command again to resume\n")
        return False
    warn_of_changes(store.path, changed_count)
    return True


def _rows(families: Sequence[AtlasFamily], store: Store) -> tuple[list[AtlasRow], Counter[str]]:
    """Return the rows of all families, and count the questions that have no answer."""
    rows, missing_counts = [], Counter[str]()
    for family in families:
        seen_keys = set()
        for grid in family.grids:
            for number in range(grid.count):
                words = grid.words(number)
                stored_pair = _stored(store, words)
                if stored_pair is None:
                    missing_counts["refused"] += 1
                    continue
                key, answer = stored_pair
                if answer.status in _NO_ANSWER:
                    missing_counts[answer.status] += 1
                elif key not in seen_keys:
                    seen_keys.add(key)
                    row = atlas_row(family.id, words, answer)
                    if row.verified == "false":
                        store.doubt(key)
                    rows.append(row)
    return rows, missing_counts


def _stored(store: Store, words: list[str]) -> tuple[bytes, StoredAnswer] | None:
    """Return what is stored of a question; None if it cannot be asked."""
    from rlct.cli.asking import CommandAsker
    from rlct.sweep.store import DamagedError, StoredAnswer, key_of

    try:
        key = key_of(CommandAsker().question(words)[0])
    except InputError:
        return None
    try:
        answer = store.find(key)
    except DamagedError:
        store.doubt(key)
        answer = None
    return key, answer or StoredAnswer("failed", message="it is damaged")


def atlas_row(family: str, words: list[str], stored_answer: StoredAnswer) -> AtlasRow:
    """Make the row of a question and its answer, and replay the certificate.

    ``words`` are the question, after ``rlct``.
    """
    from rlct.answers.proved_claim import how_proved
    from rlct.answers.result import Result
    from rlct.cli.asking import CommandAsker
    from rlct.cli.sweeps.python_line import python_line
    from rlct.sweep.atlas import AtlasRow

    options, asked_question = CommandAsker().asked(words)
    if isinstance(asked_question, Result):
        asked_question = asked_question.question
    claim = {
        "status": stored_answer.status,
        "lambda": stored_answer.lam,
        "theta": stored_answer.theta,
        "lower": stored_answer.lower,
        "upper": stored_answer.upper,
    }
    proof_state = "no certificate"
    if stored_answer.certificate is not None:
        proof_state = how_proved(asked_question, claim, stored_answer.certificate)
    count = getattr(asked_question, "parameter_count", None)
    if count is None and hasattr(asked_question, "variables"):
        count = len(asked_question.variables)
    return AtlasRow(
        family=family,
        question=_shell(words),
        python=python_line(options, asked_question),
        status=stored_answer.status,
        lam=stored_answer.lam or "",
        theta="" if stored_answer.theta is None else str(stored_answer.theta),
        lower=stored_answer.lower or "",
        upper=stored_answer.upper or "",
        half_parameters="" if count is None else str(Fraction(count, 2)),
        method=stored_answer.method or "",
        verified=proof_state,
    )


def _shell(words: Sequence[str]) -> str:
    """Write words as they are typed, in double quotes where a shell needs them."""
    safe = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,./:+")
    return " ".join(word if set(word) <= safe and word else f'"{word}"' for word in words)


def _write(folder: Path, families: Sequence[AtlasFamily], rows: Sequence[AtlasRow]) -> None:
    from rlct.cli.sweeps.atlas_page import write_pages

    try:
        write_pages(folder, [(family.id, family.title) for family in families], rows)
    except OSError as error:
        path = error.filename or folder
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def _report(
    options: argparse.Namespace,
    folder: Path,
    families: Sequence[AtlasFamily],
    rows: Sequence[AtlasRow],
    missing_counts: Counter[str],
) -> int:
    status_counts = Counter(row.status for row in rows)
    proof_counts = Counter(row.verified for row in rows if row.status == "exact")
    wrong_rows = [row for row in rows if row.verified == "false"]
    if options.json:
        counts = {"rows": len(rows), "counts": dict(status_counts), "verified": dict(proof_counts)}
        common.print_json(
            {
                **{"schema": "rlct/1", "kind": "atlas", "version": rlct.__version__},
                **counts,
                **{name: missing_counts[name] for name in _NO_ANSWER},
                "families": len(families),
                "out": str(folder),
            }
        )
    else:
        for line in _lines(folder, families, rows, status_counts, proof_counts, missing_counts):
            common.print_text(line)
    for row in wrong_rows[:3]:
        sys.stderr.write(
            f"rlct: the certificate of {row.question!r} does not prove λ = {row.lam or '?'}; "
            "run the same command again to ask anew\n"
        )
    return 1 if wrong_rows or missing_counts["failed"] else 0


def _lines(
    folder: Path,
    families: Sequence[AtlasFamily],
    rows: Sequence[AtlasRow],
    status_counts: Counter[str],
    proof_counts: Counter[str],
    missing_counts: Counter[str],
) -> Iterator[str]:
    found = ", ".join(f"{count} {status}" for status, count in status_counts.most_common())
    many = "family" if len(families) == 1 else "families"
    yield f"{len(rows)} rows of {len(families)} {many}: {found or 'none'}"
    texts = {
        "true": "proved by a certificate",
        "in part": "by a certificate and a theorem",
        "no certificate": "by a theorem alone",
        "false": "not proved by their certificates",
    }
    shown = [f"{proof_counts[name]} {text}" for name, text in texts.items() if proof_counts[name]]
    yield f"exact rows: {', '.join(shown) or 'none'}"
    left_out = [f"{missing_counts[name]} {name}" for name in _NO_ANSWER if missing_counts[name]]
    if left_out:
        yield f"left out: {', '.join(left_out)}"
    yield f"in {folder / 'index.html'}, atlas.csv and atlas.json"
