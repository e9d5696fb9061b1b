"""Tables of architectures on the command line: ranges, CSV and pictures."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.kit import ranges
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.answers.table import Table


def add_table(parser: argparse.ArgumentParser) -> None:
    """``--csv`` and ``--plot`` of a command whose sizes may be ranges."""
    parser.add_argument(
        "--csv", action="store_true", help="print a table as comma-separated values"
    )
    parser.add_argument(
        "--plot",
        type=files.picture_file,
        metavar="FILE",
        help="draw λ and d/2 against a range: FILE.png, FILE.svg or FILE.pdf",
    )


def asks_table(options: argparse.Namespace) -> bool:
    """Whether the options ask for a table instead of one answer."""
    return ranges.is_range(options) or bool(options.csv or options.plot)


def run_table(options: argparse.Namespace) -> int:
    """Answer a command with ranges; exit with 3 if some row is only bounded."""
    for name in ("certificate", "check"):
        if getattr(options, name, None):
            raise InputError(f"--{name} is for one network, not for a table: leave out the ranges")
    files.check_plot(options.plot)
    return print_table(tabulate_cases([("", options)], options.timeout), options)


def tabulate_cases(
    architectures: list[tuple[str, argparse.Namespace]], timeout: float | None = None
) -> Table:
    """Answer architectures, each perhaps with ranges.

    Each has a name, and the options of a ``net`` command that sets ``ask``; ``timeout`` is in
    seconds for the engine, for each row.
    """
    from dataclasses import replace

    from rlct.answers.table import compare
    from rlct.system.interrupts import deferred_interrupt
    from rlct.system.progress import work_counter

    questions: list[Any] = []
    names, case_coordinates, left_out = [], [], []
    written_cases = [
        (name, case) for name, options in architectures for case in ranges.cases(options)
    ]
    families = []
    if len(written_cases) > ranges.MOST_CASES:
        raise InputError(f"{len(written_cases)} cases: a table shows at most {ranges.MOST_CASES}")
    if len(written_cases) > 1 and any(
        "-" in vars(case.options).values() for _, case in written_cases
    ):
        raise InputError("standard input serves one network only: write the name of a file")
    for text, case in written_cases:
        name = _spelled(case.options) if case.coordinates or not text else text
        try:
            question = case.options.ask(case.options)
        except InputError as error:
            if not case.coordinates:
                if len(architectures) > 1:
                    raise InputError(f"{text}: {error}") from None
                raise
            entry = {"architecture": name, "case": case.coordinates, "reason": str(error)}
            left_out.append(entry)
            continue
        questions.append(question)
        names.append(name)
        families.append(text if len(architectures) > 1 else "")
        case_coordinates.append(case.coordinates)
    if not questions:
        raise InputError(f"no case is possible; the first: {left_out[0]['reason']}")
    with work_counter("rows", "stops") as show, deferred_interrupt(0) as stop_requests:

        def progress(count: int) -> None:
            if stop_requests:  # which the engine took for the end of one row
                raise KeyboardInterrupt
            show(count)

        table = compare(
            questions, names=names, coordinates=case_coordinates, timeout=timeout, progress=progress
        )
    rows = [replace(r, family=f) for r, f in zip(table.rows, families, strict=True)]
    return replace(table, rows=tuple(rows), left_out=tuple(left_out))


def _spelled(options: argparse.Namespace) -> str:
    """Write the options of one network as they would be typed after ``rlct net``."""
    model, *names = options.spelled
    values = [getattr(options, name.removeprefix("--").replace("-", "_")) for name in names]
    widths = [options.widths, *values] if model == "linear" else values
    words = [model, *(str(n) for value in widths if isinstance(value, list) for n in value)]
    for name, value in zip(names, values, strict=True):
        if isinstance(value, list):
            continue
        if value is True:
            words.append(name)
        elif value is not None and value is not False and value != "":  # 0 is a number
            words += [name, str(value)]
    return shlex.join(words)


def print_table(table: Table, options: argparse.Namespace) -> int:
    """Print a table as asked, draw it, and return the exit code."""
    if options.csv and options.json:
        raise InputError("--csv and --json exclude each other")
    if options.json:
        common.print_json(table.to_dict())
    elif options.csv:
        print(table.to_csv(), end="")
    else:
        common.print_text(table)
    if options.plot:
        from rlct.report.lambda_plot import draw_table

        # Last, so that a table too large for a picture is still printed.
        files.write_plot(options.plot, lambda: draw_table(table))
    return 0 if table.status == "exact" else 3
