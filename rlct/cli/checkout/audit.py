"""The command ``rlct audit``."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rlct.cli import common
from rlct.cli.checkout.root_folder import enter_checkout
from rlct.errors import InputError

if TYPE_CHECKING:
    from validation.audit.row import Fact, Row

_AUDIT_VERDICTS = ("confirmed", "corrected", "refuted", "unverifiable")


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "audit",
        help="every formula of the sources: confirmed, corrected, refuted or unverifiable",
        description="Recompute the evidence for every row of the audit, or for those named. "
        "Exit code 1 if the evidence of a row no longer reproduces.",
        examples=["rlct audit 000-lambda", "rlct audit --list --verdict refuted", "rlct audit"],
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="rows, as printed by --list")
    parser.add_argument("--source", metavar="NUMBER", help="only rows of this source, such as 000")
    parser.add_argument("--verdict", choices=_AUDIT_VERDICTS, help="only rows with this verdict")
    parser.add_argument("--list", action="store_true", help="list the rows, recompute nothing")
    parser.add_argument("--quick", action="store_true", help="leave out the slower rows")
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _chosen(options: argparse.Namespace) -> Sequence[Row]:
    enter_checkout("audit")
    from validation.audit import all_rows, get
    from validation.audit.sources import AUDITED_SOURCES

    if options.source is not None and options.source not in AUDITED_SOURCES:
        numbers = ", ".join(AUDITED_SOURCES)
        raise InputError(f"no source {options.source[:40]!r}; there are: {numbers}")
    rows = [get(name) for name in dict.fromkeys(options.ids)] if options.ids else all_rows()
    chosen_rows = [
        row
        for row in rows
        if (options.source is None or row.source == options.source)
        and (options.verdict is None or row.verdict.value == options.verdict)
        and not (options.quick and row.slow)
    ]
    if not chosen_rows:
        raise InputError("no row of the audit fits; see 'rlct audit --list'")
    return chosen_rows


def _reproduce(row: Row) -> tuple[bool, tuple[Fact, ...], str]:
    """Recompute a row; a check that stops with an error does not reproduce its evidence."""
    try:
        ok, facts = row.reproduce()
    except Exception as error:
        text = " ".join(str(error).split())[:200]
        return False, (), f"{type(error).__name__}: {text}"
    return ok, facts, ""


def _run(options: argparse.Namespace) -> int:
    rows = _chosen(options)
    if options.list:
        if options.json:
            common.print_json({"schema": "rlct/1", "rows": [row.to_dict() for row in rows]})
        else:
            for row in rows:
                common.print_text(f"{row.id:35} {row.verdict.value:12} {row.claim}")
        return 0
    start_time = time.perf_counter()
    failed_count = 0
    row_answers: list[dict[str, Any]] = []
    for row in rows:
        ok, facts, error = _reproduce(row)
        failed_count += not ok
        if options.json:
            found = [str(fact) for fact in facts] + ([error] if error else [])
            row_answers.append({**row.to_dict(), "reproduced": ok, "found": found})
        else:
            _print(row, ok, facts, error, in_full=bool(options.ids))
    if options.json:
        common.print_json({"schema": "rlct/1", "rows": row_answers})
    elif len(rows) > 1:
        counts = Counter(row.verdict.value for row in rows)
        verdict_counts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _AUDIT_VERDICTS)
        state = (
            "all evidence reproduces" if not failed_count else f"{failed_count} DO NOT REPRODUCE"
        )
        common.print_text(
            f"{len(rows)} rows: {verdict_counts}; {state} "
            f"({time.perf_counter() - start_time:.1f} s)"
        )
    return 1 if failed_count else 0


def _print(row: Row, ok: bool, facts: Sequence[Fact], error: str, *, in_full: bool) -> None:
    failure_mark = "" if ok else "   EVIDENCE DOES NOT REPRODUCE"
    if not in_full:
        common.print_text(f"{row.verdict.value:12} {row.id}: {row.statement}{failure_mark}")
        if not ok:
            for line in [
                *(str(fact) for fact in facts if not fact.holds),
                *filter(None, [error]),
            ]:
                common.print_text(f"             {line}")
        return
    from validation.audit.sources import AUDITED_SOURCES

    common.print_text(f"{row.id}: {row.verdict.value}{failure_mark}")
    common.print_text(f"Printed   {row.claim}")
    common.print_text(f"True      {row.statement}")
    common.print_text(f"Evidence  {row.evidence}")
    for fact in facts:
        common.print_text(f"          {fact}")
    if error:
        common.print_text(f"          {error}")
    if row.beside:
        common.print_text(f"Beside    {row.beside}")
    common.print_text(f"Command   {row.command}")
    common.print_text(f"Source    {AUDITED_SOURCES[row.source]}")
