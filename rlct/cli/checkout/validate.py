"""The command ``rlct validate``."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.checkout.root_folder import CHECKOUT_ROOT, enter_checkout
from rlct.errors import InputError
from rlct.system.files import check_folder

if TYPE_CHECKING:
    from validation.framework.catalogue import Entry
    from validation.framework.experiment import Suite
    from validation.framework.work import Done

_REPORT_FOLDER = "build/validation"
_REPORT_FILES = ("report.json", "report.html")
_LINE_WIDTH, _LEAST_REASON = 200, 60  # characters of a claim's line, and of what decides in it


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "validate",
        help="rerun the experiments of the sources: theory beside simulation",
        description="Rerun experiments and write report.json and report.html. Finished work "
        "is saved: after Ctrl-C the same command goes on, unless the program has changed. A "
        "check compares a measured value with the claimed range; most must also reject a "
        "planted wrong value. Exit code 1: a simulation refutes a value of rlct, accepts a "
        "planted one, or differs from a recorded verdict or value. Exit code 3: work failed or "
        "was killed. Experiments whose software is missing are left out.",
        examples=[
            "rlct validate",
            "rlct validate 003 --list",
            "rlct validate 003-figure-7 --suite full",
        ],
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="an experiment, a table or figure such as 003-figure-7, or a source such as 003; "
        "all of them by default",
    )
    parser.add_argument(
        "--suite",
        choices=("quick", "full"),
        default="quick",
        help="quick: some minutes in all (default); full: the published results, hours",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default all)"
    )
    parser.add_argument(
        "--output",
        default=_REPORT_FOLDER,
        metavar="DIR",
        help=f"folder of the report and of finished work (default {_REPORT_FOLDER})",
    )
    parser.add_argument("--list", action="store_true", help="list the experiments, run nothing")
    parser.add_argument(
        "--record",
        action="store_true",
        help="with --suite full: write results, figure and page beside each experiment",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="with --record: take over what is recorded for the same settings, seed and version",
    )
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    if options.jobs < 1:
        raise InputError(f"--jobs must be positive, not {options.jobs}")
    if options.record and options.suite != "full":
        raise InputError("--record writes published results: they need --suite full")
    if options.resume and not options.record:
        raise InputError("--resume takes over what is recorded: it needs --record")
    root = enter_checkout("validate")
    from validation.framework.catalogue import chosen

    entries = chosen(root, options.names)
    if options.list:
        return _list(root, entries, options.suite, options.json)
    return _validate(root, entries, options)


def _list(root: Path, entries: Sequence[Entry], suite: Suite, as_json: bool) -> int:
    from validation.framework.catalogue import places

    rows = [
        {
            "id": one.id,
            "source": one.source,
            "title": one.title,
            "places": list(one.places),
            "claims": [places(root)[id].claim for id in one.places],
            "command": one.command(suite),
            "needs": list(one.needs),
        }
        for one in (entry.experiment for entry in entries)
    ]
    if as_json:
        common.print_json({"schema": "rlct/1", "experiments": rows})
        return 0
    width = max((len(row["id"]) for row in rows), default=0)
    for row in rows:
        common.print_text(f"{row['id']:{width}}  {row['source']}  {row['title']}")
        common.print_text(f"{'':{width}}       {', '.join(row['places'])}")
    return 0


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write into {name}: {error.strerror or error}") from error
    check_folder(folder / "report.json")
    return folder


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _validate(root: Path, entries: Sequence[Entry], options: argparse.Namespace) -> int:
    from validation.framework.catalogue import all_entries
    from validation.framework.record import record, resume, verdicts
    from validation.framework.report import assess, build
    from validation.framework.store import Store
    from validation.framework.work import Done, carry_out

    start_time = time.perf_counter()
    folder = _folder(options.output)
    store = Store(_folder(str(folder / "units")))
    for path in (folder / name for name in _REPORT_FILES):
        if path.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
    if root.parent != CHECKOUT_ROOT:
        _say(f"the experiments are those of {root}, not of {CHECKOUT_ROOT}")
    # All of them are read before any work is done: a damaged one is reported at once.
    recorded_verdicts = {name: verdicts(entry) for name, entry in all_entries(root).items()}
    ready_entries = [entry for entry in entries if not entry.experiment.missing]
    if options.resume:
        for entry in ready_entries:
            resume(entry, store)
    try:
        work_done = carry_out(ready_entries, options.suite, options.jobs, store, _say)
    except KeyboardInterrupt:
        _say(f"finished work is saved in {folder}; run the same command again to resume")
        raise
    done_by_id = {
        entry.experiment.id: work_done.get(entry.experiment.id, Done()) for entry in entries
    }
    assessments = [
        # What is recorded anew need not be what it was.
        assess(
            entry,
            options.suite,
            done_by_id[entry.experiment.id],
            None if options.record else recorded_verdicts[entry.experiment.id],
        )
        for entry in entries
    ]
    report = build(root, options.suite, assessments)
    _write(folder, report, ready_entries, options.suite, work_done)
    if options.record:
        good = {one["id"] for one in assessments if one["status"] == "reproduces"}
        for entry in ready_entries:
            own = done_by_id[entry.experiment.id]
            if entry.experiment.id in good and not own.absent:
                record(root, entry, own)
            else:
                _say(f"{entry.experiment.id} is not recorded: it is refuted, or not whole")
    if options.json:
        common.print_json(report)
    else:
        _print(report, folder, time.perf_counter() - start_time)
    if not report["reproduced"]:
        return 1
    return 3 if report["failed"] else 0


def _write(
    folder: Path, report: Any, entries: Sequence[Entry], suite: Suite, work_done: dict[str, Done]
) -> None:
    import json

    from validation.framework.html import write_html
    from validation.framework.report import picture

    picture_bytes: dict[str, bytes] = {}
    notes: list[str] = []
    for entry in entries:
        own = work_done[entry.experiment.id]
        if own.errors or not own.rows or (own.absent and not entry.experiment.partial):
            continue
        try:
            drawn = picture(entry, suite, own.rows)
        except InputError as error:
            if str(error) not in notes:  # the same for all without matplotlib
                notes.append(str(error))
                _say(f"no picture: {error}")
            continue
        if drawn is not None:
            picture_bytes[entry.experiment.id] = drawn
    note = f"Pictures are missing here: {'; '.join(notes)}" if notes else ""
    text = json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True)
    for name, whole in zip(
        _REPORT_FILES, (text + "\n", write_html(report, picture_bytes, note)), strict=True
    ):
        files.write_text(str(folder / name), whole)


def _line(row: Any) -> str:
    """One claim: the verdict, what it rests on, and what decides, within _LINE_WIDTH."""
    from validation.framework.extent import part

    verdict, ran = row["verdict"], part(row["ran"])
    if ran and verdict == "confirmed":
        verdict = "held here"
    aside = [ran, f"recorded: {row['recorded'] or 'nothing'}"] if ran else []
    causes = [*row["against"], *row["failing"]]
    reason_text = row["ours"] if row["verdict"] != "undecided" else row["unfit"] or row["ours"]
    count_text = ""
    if not row["reproduced"]:
        aside, verdict = [verdict, *aside], "REFUTED"
        reason_text = causes[0] if causes else "there is nothing to judge by"
        count_text = f" ({len(causes) - 1} more)" if len(causes) > 1 else ""
    head = f"{verdict:10} {row['place']}" + (f" ({'; '.join(aside)}): " if aside else ": ")
    room = max(_LINE_WIDTH - len(head) - len(count_text), _LEAST_REASON)
    return head + textwrap.shorten(reason_text, room, placeholder=" …") + count_text


def _print(report: Any, folder: Path, seconds: float) -> None:
    from validation.framework.extent import notice, tally

    if note := notice(report):
        common.print_text(f"{note}\n")
    for row in report["rows"]:
        common.print_text(_line(row))
    for one in report["experiments"]:
        if one.get("reason"):
            common.print_text(f"{one['status']:10} {one['id']}: {one['reason']}")
    ids_by_status = {kind: [one["id"] for one in report["experiments"] if one["status"] == kind]
             for kind in ("refuted", "failed", "not run")}  # fmt: skip
    number = len(report["experiments"])
    count = f"{number} experiment{'s' * (number != 1)}"
    if ids_by_status["refuted"]:
        state = f"REFUTED, exit code 1: {', '.join(ids_by_status['refuted'])}"
    elif ids_by_status["failed"]:
        state = f"FAILED, exit code 3: {', '.join(ids_by_status['failed'])}"
    elif len(ids_by_status["not run"]) == len(report["experiments"]):
        state = "nothing was tried"
    else:
        state = "nothing is refuted"
    extra = f", {len(ids_by_status['not run'])} not run" if ids_by_status["not run"] else ""
    counts = tally(report)
    common.print_text(f"{count}{extra}{counts and f'; {counts}'}; {state} ({seconds:.0f} s)")
    common.print_text(f"report: {folder / 'report.html'} and {folder / 'report.json'}")
