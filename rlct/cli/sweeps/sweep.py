"""The command ``rlct sweep``: a question over a grid."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.suggest import nearest_hint
from rlct.cli.sweeps.atlas import add_atlas
from rlct.cli.sweeps.grid_run import (
    add_jobs,
    single_writer,
    sweep_pool,
    sweep_progress,
    try_first,
    warn_of_changes,
)
from rlct.errors import InputError
from rlct.system.files import replace_file

if TYPE_CHECKING:
    from rlct.sweep.grid import Grid
    from rlct.sweep.running import SweepCounts
    from rlct.sweep.store import Store

_FILE_HELP = """FILE.toml holds a question with placeholders, and their values:

  ask = "net linear {a} {h} {a} --rank {r} {b}"

  [grid]                  # every combination
  h = "1..6"              # or "1:6", both ends included; "0..10..2" goes by twos
  r = [0, 1, 2]

  [zip]                   # lists of one length, gone through together
  a = [5, 7]
  b = ["", "--bias"]      # no word or one; a list stands for several

Anything with a λ can be asked: poly, ideal, net, model, theorem eval,
sample, check. A value in a formula is a value: {a}**2 at a = -1 is (-1)**2.

Every answer is written to FILE.sqlite when it is there. The same command
resumes after Ctrl-C, a crash or a larger grid, and asks nothing twice.

exit codes: 0 all exact, estimated or agreeing; 1 some refuted or failed;
2 bad input; 3 some only bounded or inconclusive; 130 interrupted"""

_STATUS_ORDER = (
    "exact",
    "bounds",
    "estimate",
    "agrees",
    "refuted",
    "inconclusive",
    "refused",
    "failed",
)


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "sweep",
        help="a question over a grid, resumable, its answers in a file",
        usage="rlct sweep [status|export] FILE.toml [options]",
        description="Ask a question over a grid of parameters, in one process or many; go on where "
        "an earlier run stopped.",
        epilog=_FILE_HELP,
        examples=[
            "rlct sweep FILE.toml --jobs 4",
            "rlct sweep status FILE.toml",
            "rlct sweep export FILE.toml --out FILE.csv",
        ],
    )
    parser.add_argument(
        "words",
        nargs="+",
        metavar="[status|export] FILE.toml",
        help="the sweep; status counts its answers, export writes them as a table",
    )
    parser.add_argument(
        "--store",
        type=files.file_name,
        metavar="FILE",
        help="where the answers are (default FILE.sqlite)",
    )
    where = parser.add_mutually_exclusive_group()
    add_jobs(where)
    where.add_argument(
        "--scheduler", metavar="tcp://…", help="a Dask cluster instead (extra: dask)"
    )
    parser.add_argument(
        "--out",
        type=files.file_name,
        metavar="FILE",
        help="export: FILE.csv or FILE.parquet; CSV on stdout by default",
    )
    common.add_json(parser)
    parser.set_defaults(run=_run)
    add_atlas(subparsers)


def _run(options: argparse.Namespace) -> int:
    sweep_actions: dict[str, Callable[[argparse.Namespace, str], int]]
    sweep_actions = {"status": _status, "export": _export}
    words = list(options.words)
    chosen_action = (
        sweep_actions[words.pop(0)] if words[0] in sweep_actions and len(words) > 1 else _sweep
    )
    meant = nearest_hint(words[0], list(sweep_actions))
    if len(words) > 1:
        hint = meant or ": rlct sweep [status|export] FILE.toml"
        raise InputError(f"{' '.join(words)[:60]!r} is one word too many{hint}")
    if meant and words[0] not in sweep_actions and not os.path.exists(words[0]):
        raise InputError(f"there is no file {words[0][:60]!r}{meant}")
    if words[0] in sweep_actions:
        raise InputError(f"which sweep? rlct sweep {words[0]} FILE.toml")
    if options.out and chosen_action is not _export:
        raise InputError("--out belongs to 'rlct sweep export'")
    try:
        return chosen_action(options, words[0])
    except sqlite3.Error as error:
        from rlct.sweep.store import store_error

        raise store_error(_place(options, words[0]), error) from None


def _grid(path: str) -> Grid:
    from rlct.sweep.grid import read_grid

    try:
        return read_grid(files.read_text(path))
    except InputError as error:
        if str(error).startswith("cannot read"):
            raise
        raise InputError(f"{path}: {error}") from None


def _place(options: argparse.Namespace, path: str) -> Path:
    if options.store is not None:
        return Path(options.store)
    if path == "-":
        raise InputError("a sweep from standard input needs --store FILE")
    return Path(path).with_suffix(".sqlite")


def _sweep(options: argparse.Namespace, path: str) -> int:
    from rlct.cli.asking import CommandAsker
    from rlct.sweep.running import run_sweep
    from rlct.sweep.store import Store

    grid = _grid(path)
    try_first(grid, CommandAsker(), path)
    store_path = _place(options, path)
    with (
        Store(store_path) as store,
        single_writer(store_path),
        sweep_pool(options.jobs, options.scheduler) as pool,
    ):
        start_time = time.monotonic()
        with sweep_progress() as show:
            try:
                counted = run_sweep(grid, store, CommandAsker(), pool, show)
            except KeyboardInterrupt:
                number = store.sweep(grid.identity, grid.count)
                stored_count = sum(store.counts(number).values())
                line = f"interrupted; {stored_count} of {grid.count} answers are in {store_path}"
                sys.stderr.write(f"rlct: {line}; run the same command again to resume\n")
                return 130
        warn_of_changes(store_path, counted.changed)
        return _report(options, grid, store, counted, time.monotonic() - start_time)


def _counted(options: argparse.Namespace, grid: Grid, store: Store) -> Counter[str]:
    number = store.find_sweep(grid.identity)
    return Counter() if number is None else store.counts(number)


def _report(
    options: argparse.Namespace, grid: Grid, store: Store, sweep_counts: SweepCounts, seconds: float
) -> int:
    status_counts = _counted(options, grid, store)
    if options.json:
        common.print_json(
            {
                **_object(grid, store, status_counts),
                "answered": sweep_counts.answered,
                "repeated": sweep_counts.repeated,
                "seconds": round(seconds, 3),
            }
        )
    else:
        common.print_text(_sentence(grid, store, status_counts))
        again = f"{sweep_counts.repeated} the same as these, " * (sweep_counts.repeated > 0)
        new = f"{sweep_counts.answered} new answer{'s' * (sweep_counts.answered != 1)}"
        before = grid.count - sweep_counts.answered - sweep_counts.repeated
        common.print_text(f"{new}, {again}{before} from {store.path}")
    return _code(status_counts)


def _object(grid: Grid, store: Store, counts: Counter[str]) -> dict[str, Any]:
    return {
        "schema": "rlct/1",
        "kind": "sweep",
        "questions": grid.count,
        "counts": dict(counts),
        "left": grid.count - sum(counts.values()),
        "store": str(store.path),
    }


def _sentence(grid: Grid, store: Store, counts: Counter[str]) -> str:
    number = store.find_sweep(grid.identity)
    parts = [f"{counts[name]} {name}" for name in _STATUS_ORDER if counts[name]]
    left = grid.count - sum(counts.values())
    if left:
        parts.append(f"{left} not yet asked")
    lines = [f"{grid.count} question{'s' * (grid.count > 1)}: {', '.join(parts)}"]
    for status in ("refused", "failed"):
        if counts[status] and number is not None:
            lines.append(f"the first {status}: {store.first_message(number, status)}")
    return "\n".join(lines)


def _code(counts: Counter[str]) -> int:
    if counts["refuted"] or counts["failed"]:
        return 1
    if set(counts) == {"refused"}:
        return 2
    return 3 if counts["bounds"] or counts["inconclusive"] else 0


def _status(options: argparse.Namespace, path: str) -> int:
    from rlct.sweep.store import Store

    grid = _grid(path)
    with Store(_place(options, path), read_only=True) as store:
        _check_unchanged(grid, store, path)
        counts = _counted(options, grid, store)
        status = _object(grid, store, counts)
        common.print_answer(options, status, _sentence(grid, store, counts))
        return _code(counts)


def _check_unchanged(grid: Grid, store: Store, path: str) -> None:
    """Refuse a store in which an answer of the sweep is not as it was written."""
    number = store.find_sweep(grid.identity)
    for point, _ in store.changed(number) if number is not None else ():
        raise InputError(
            f"{store.path}: the answer to {' '.join(grid.words(point))[:80]!r} was changed after "
            f"it was written: 'rlct sweep {path}' asks it anew"
        )


def _export(options: argparse.Namespace, path: str) -> int:
    from rlct.sweep.export import answer_rows, write_csv, write_parquet
    from rlct.sweep.store import Store

    if options.json:
        raise InputError("export writes CSV or Parquet: leave out --json")
    file_writers = {".csv": write_csv, ".parquet": write_parquet}
    if options.out is not None and Path(options.out).suffix.lower() not in file_writers:
        raise InputError(f"--out {options.out!r} does not end in .csv or .parquet")
    grid = _grid(path)
    with Store(_place(options, path), read_only=True) as store:
        number = store.find_sweep(grid.identity)
        if number is None:
            raise InputError(f"{store.path} has no answer to {path} as it is now: run it first")
        _check_unchanged(grid, store, path)
        rows = answer_rows(grid, store, number)
        if open_count := grid.count - store.counts(number).total():
            sys.stderr.write(
                f"rlct: {open_count} of {grid.count} questions have no answer, and no row: "
                f"'rlct sweep {path}' asks them\n"
            )
        if options.out is None:
            write_csv(sys.stdout.buffer, grid, rows)
        else:
            try:
                with replace_file(Path(options.out)) as target:
                    file_writers[Path(options.out).suffix.lower()](target, grid, rows)
            except OSError as error:
                raise InputError(f"cannot write {options.out}: {error.strerror or error}") from None
    return 0
