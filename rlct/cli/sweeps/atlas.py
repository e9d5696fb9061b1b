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
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import rlct
from rlct.cli import common, files
from rlct.errors import InputError
from rlct.system.files import check_folder

if TYPE_CHECKING:
    from rlct.sweep.atlas import AtlasRow, Family
    from rlct.sweep.grid import Grid
    from rlct.sweep.store import Store, StoredAnswer

__all__ = ["add_atlas", "atlas_row"]

_LIMIT: Final = (
    2.0  # seconds of a question: a theorem takes milliseconds, the engine beside it more
)
_TIMED: Final = ("poly", "ideal", "net", "model")
_UNKNOWN: Final = ("refused", "failed")
_FILE = """FILE.toml holds a family a table, with the grids of 'rlct sweep':

  [nets]
  title = "Linear networks"

  [[nets.grids]]
  ask = "net linear 5 {h} 5 --rank {r}"
  grid = { h = "1..6", r = [0, 1, 2] }

FOLDER gets atlas.csv, atlas.json, index.html and a page a family; atlas.sqlite holds the answers,
with their certificates. The same command resumes after Ctrl-C or a crash, and asks nothing twice.
Every certificate is replayed each time; an answer that its certificate does not prove is marked
false, and asked anew by the next run.

exit codes: 0 written; 1 written, but an answer is not proved by its certificate, or a question
failed; 2 bad input; 130 interrupted"""


def add_atlas(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    from rlct.cli.sweep import count_jobs

    parser = subparsers.add_parser(
        "atlas",
        help="a table of thousands of λ and θ, as CSV, JSON and pages",
        description="Answer the grids of many families, verify the answers, and write them as "
        "tables and as pages that need no network.",
        epilog=_FILE,
        examples=["rlct atlas --out atlas", "rlct atlas --grids FILE.toml --out FOLDER"],
    )
    parser.add_argument(
        "--out",
        default="atlas",
        metavar="FOLDER",
        help="where to write (default atlas); made if it is not there",
    )
    parser.add_argument(
        "--grids", metavar="FILE.toml", help="other grids than those of the program"
    )
    parser.add_argument(
        "--jobs",
        type=count_jobs,
        default=1,
        metavar="N",
        help="processes of this machine (default 1; all: one per processor)",
    )
    common.add_timeout(parser, f"seconds for one question (default {_LIMIT:g})")
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.cli.sweep import single_writer
    from rlct.sweep.atlas import default_grids, read_families
    from rlct.sweep.store import Store

    try:
        families = read_families(
            default_grids() if options.grids is None else files.read_text(options.grids)
        )
    except InputError as error:
        raise InputError(f"{options.grids}: {error}") from None
    _refuse_nonsense(families)
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
            rows, lost = _rows(families, store)
    except sqlite3.Error as error:
        raise InputError(f"{store_path}: {error}") from None
    _write(folder, families, rows)
    return _report(options, folder, families, rows, lost)


def _refuse_nonsense(families: Sequence[Family]) -> None:
    """Refuse a grid none of whose first questions can be asked, before anything is written."""
    from rlct.cli.asking import CommandAsker

    asker = CommandAsker()
    for family in families:
        for grid in family.grids:
            reasons = []
            for number in range(min(grid.count, 1000)):
                try:
                    asker.question(grid.words(number))
                except InputError as error:
                    reasons.append(str(error))
                else:
                    break
            else:
                asked = " ".join(grid.words(0))[:80]
                raise InputError(f"{family.id}: {asked!r}: {reasons[0]}")


def _timed(grid: Grid, timeout: float | None) -> Grid:
    """Add a time limit to a question that has none and takes one."""
    if grid.ask[0] not in _TIMED or "--timeout" in grid.ask:
        return grid
    return replace(grid, ask=(*grid.ask, "--timeout", f"{timeout or _LIMIT:g}"))


def _answer(families: Sequence[Family], store: Store, options: argparse.Namespace) -> bool:
    """Answer what is not there; whether nothing interrupted it."""
    from rlct.cli.asking import CommandAsker
    from rlct.cli.sweep import sweep_pool, sweep_progress
    from rlct.sweep.running import run_sweep

    grids = [_timed(grid, options.timeout) for family in families for grid in family.grids]
    total = sum(grid.count for grid in grids)
    before = 0
    try:
        with sweep_pool(options.jobs) as pool, sweep_progress("atlas") as show:
            for grid in grids:
                start = before
                run_sweep(grid, store, CommandAsker(), pool, lambda k, _: show(start + k, total))  # noqa: B023
                before += grid.count
    except KeyboardInterrupt:
        line = f"interrupted; finished answers are in {store.path}"
        sys.stderr.write(f"rlct: {line}; run the same command again to resume\n")
        return False
    return True


def _rows(families: Sequence[Family], store: Store) -> tuple[list[AtlasRow], Counter[str]]:
    """Return the rows of all families, and count the questions that have no answer."""
    rows, lost = [], Counter[str]()
    for family in families:
        seen = set()
        for grid in family.grids:
            for number in range(grid.count):
                found = _stored(store, grid.words(number))
                if found is None:
                    lost["refused"] += 1
                    continue
                words, key, answer = found
                if answer.status in _UNKNOWN:
                    lost[answer.status] += 1
                elif key not in seen:
                    seen.add(key)
                    row = atlas_row(family.id, words, answer)
                    if row.verified == "false":
                        store.doubt(key, "its certificate does not prove it")
                    rows.append(row)
    return rows, lost


def _stored(store: Store, words: list[str]) -> tuple[list[str], bytes, StoredAnswer] | None:
    """Return what is stored of a question; None if it cannot be asked."""
    from rlct.cli.asking import CommandAsker
    from rlct.sweep.store import DamagedError, StoredAnswer, key_of

    try:
        key = key_of(CommandAsker().question(words)[0])
    except InputError:
        return None
    try:
        answer = store.find(key)
    except DamagedError as error:
        store.doubt(key, str(error))
        answer = None
    return words, key, answer or StoredAnswer("failed", message="it is damaged")


def atlas_row(family: str, words: list[str], answer: StoredAnswer) -> AtlasRow:
    """Make the row of a question and its answer, and replay the certificate.

    Parameters
    ----------
    family : str
    words : list of str
        The question, after ``rlct``.
    answer : StoredAnswer

    Returns
    -------
    AtlasRow
    """
    from rlct.answers.proved_claim import how_proved
    from rlct.answers.result import Result
    from rlct.cli.asking import CommandAsker
    from rlct.cli.sweeps.python_line import python_line
    from rlct.sweep.atlas import AtlasRow

    options, asked = CommandAsker().asked(words)
    if isinstance(asked, Result):
        asked = asked.question
    claim = {
        "status": answer.status,
        "lambda": answer.lam,
        "theta": answer.theta,
        "lower": answer.lower,
        "upper": answer.upper,
    }
    verified = "no certificate"
    if answer.certificate is not None:
        verified = how_proved(asked, claim, answer.certificate)
    count = getattr(asked, "parameter_count", None)
    if count is None and hasattr(asked, "variables"):
        count = len(asked.variables)
    return AtlasRow(
        family=family,
        question=_shell(words),
        python=python_line(options, asked),
        status=answer.status,
        lam=answer.lam or "",
        theta="" if answer.theta is None else str(answer.theta),
        lower=answer.lower or "",
        upper=answer.upper or "",
        half_parameters="" if count is None else str(Fraction(count, 2)),
        method=answer.method or "",
        verified=verified,
    )


def _shell(words: Sequence[str]) -> str:
    """Write words as they are typed, in double quotes where a shell needs them."""
    safe = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,./:+")
    return " ".join(word if set(word) <= safe and word else f'"{word}"' for word in words)


def _write(folder: Path, families: Sequence[Family], rows: Sequence[AtlasRow]) -> None:
    from rlct.cli.sweeps.atlas_page import write_pages

    try:
        write_pages(folder, [(family.id, family.title) for family in families], rows)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from None


def _report(
    options: argparse.Namespace,
    folder: Path,
    families: Sequence[Family],
    rows: Sequence[AtlasRow],
    lost: Counter[str],
) -> int:
    statuses = Counter(row.status for row in rows)
    verified = Counter(row.verified for row in rows if row.status == "exact")
    wrong = [row for row in rows if row.verified == "false"]
    if options.json:
        counts = {"rows": len(rows), "counts": dict(statuses), "verified": dict(verified)}
        common.print_json(
            {
                **{"schema": "rlct/1", "kind": "atlas", "version": rlct.__version__},
                **counts,
                **{name: lost[name] for name in _UNKNOWN},
                "families": len(families),
                "out": str(folder),
            }
        )
    else:
        for line in _lines(folder, families, rows, statuses, verified, lost):
            common.print_text(line)
    for row in wrong[:3]:
        sys.stderr.write(
            f"rlct: the certificate of {row.question!r} does not prove λ = {row.lam or '?'}; "
            "run the same command again to ask anew\n"
        )
    return 1 if wrong or lost["failed"] else 0


def _lines(
    folder: Path,
    families: Sequence[Family],
    rows: Sequence[AtlasRow],
    statuses: Counter[str],
    verified: Counter[str],
    lost: Counter[str],
) -> Iterator[str]:
    found = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
    yield f"{len(rows)} rows of {len(families)} families: {found}"
    texts = {
        "true": "proved by a certificate",
        "in part": "by a certificate and a theorem",
        "no certificate": "by a theorem alone",
        "false": "not proved by their certificates",
    }
    shown = [f"{verified[name]} {text}" for name, text in texts.items() if verified[name]]
    yield f"exact rows: {', '.join(shown) or 'none'}"
    left_out = [f"{lost[name]} {name}" for name in _UNKNOWN if lost[name]]
    if left_out:
        yield f"left out: {', '.join(left_out)}"
    yield f"in {folder / 'index.html'}, atlas.csv and atlas.json"
