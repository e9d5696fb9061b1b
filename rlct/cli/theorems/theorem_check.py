"""The command ``rlct theorem check``."""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rlct.cli import common
from rlct.errors import InputError
from rlct.theorems import all_theorems, get_theorem

Rows = list[dict[str, Any]]


def add_check(commands: Any) -> None:
    """Add the command to the subparsers of ``rlct theorem``."""
    parser = commands.add_parser(
        "check",
        help="confirm the known values of a theorem by engine, exact rank and simulation",
        description="Evaluate a theorem where its value is known and where a hypothesis fails, and "
        "confirm those values in the ways it names, without its formula. Exit code 1 if anything "
        "is refuted, 3 if something stays open.",
        examples=["rlct theorem check deep-linear", "rlct theorem check --all"],
    )
    parser.add_argument("id", nargs="?", help="as printed by 'rlct theorem list'")
    parser.add_argument("--all", action="store_true", help="every theorem, a line each")
    parser.add_argument(
        "--jobs", type=int, default=2, metavar="N", help="processes of --all (default 2)"
    )
    common.add_timeout(parser, "seconds for the engine, each (default 60)", is_whole=False)
    common.add_json(parser)
    parser.set_defaults(run=_run, timeout=60.0)


def _run(options: argparse.Namespace) -> int:
    if options.all == (options.id is not None):
        raise InputError("check takes the id of a theorem, or --all")
    if options.jobs < 1:
        raise InputError(f"--jobs must be positive, not {options.jobs}")
    return _all(options) if options.all else _one(options)


def _rows(name: str, timeout: float) -> Iterator[dict[str, Any]]:
    from rlct.answers.confirm_theorem import confirm_all, evaluate_all

    theorem = get_theorem(name)
    yield from evaluate_all(theorem)
    yield from confirm_all(theorem, timeout=timeout)


def _one(options: argparse.Namespace) -> int:
    rows = []
    for row in _rows(options.id, options.timeout):
        rows.append(row)
        if not options.json:
            _print(row)
    if options.json:
        common.print_json({"schema": "rlct/1", "id": options.id, "rows": rows})
    return _code(rows)


def _print(row: dict[str, Any]) -> None:
    common.print_text(f"{row['verdict']:12} {row['way']:10} {row['case']}: {row['claim']}")
    common.print_text(f"{'':12} {row['evidence']}")


def _code(rows: Rows) -> int:
    verdicts = {row["verdict"] for row in rows}
    return 1 if "refuted" in verdicts else 3 if "inconclusive" in verdicts else 0


def _timed(name: str, timeout: float) -> tuple[Rows, float]:
    began = time.process_time()
    return list(_rows(name, timeout)), time.process_time() - began


def _all(options: argparse.Namespace) -> int:
    from rlct.system.workers import end_workers, start_workers

    start_time = time.monotonic()
    names = [theorem.id for theorem in all_theorems()]
    theorem_rows: list[dict[str, Any]] = []
    processor_seconds = 0.0
    pool = start_workers(options.jobs)
    try:
        found = pool.map(_timed, names, [options.timeout] * len(names))
        for name, (rows, seconds) in zip(names, found, strict=True):
            processor_seconds += seconds
            theorem_rows.append({"id": name, "seconds": round(seconds, 2), "rows": rows})
            if not options.json:
                common.print_text(
                    f"{name:{max(map(len, names))}} {seconds:6.1f} s  {_counts(rows)}"
                )
                for row in rows:
                    if row["verdict"] in ("refuted", "inconclusive"):
                        _print(row)
    finally:
        end_workers(pool)
    rows = [row for entry in theorem_rows for row in entry["rows"]]
    wall = time.monotonic() - start_time
    if options.json:
        times = {"processor_seconds": round(processor_seconds, 1), "seconds": round(wall, 1)}
        common.print_json({"schema": "rlct/1", "theorems": theorem_rows, **times})
    else:
        common.print_text(f"{len(names)} theorems: {_counts(rows)}")
        common.print_text(f"{processor_seconds:.0f} s of processor time, {wall:.0f} s by the clock")
    return _code(rows)


def _counts(rows: Rows) -> str:
    """Say how often each way confirmed, and what else came out."""
    ways = Counter(row["way"] for row in rows if row["verdict"] == "confirmed")
    other = Counter(row["verdict"] for row in rows if row["verdict"] != "confirmed")
    parts = [f"{count} by {way}" for way, count in ways.items()]
    return ", ".join(parts + [f"{count} {verdict}" for verdict, count in other.items()])
