"""What the two studies of hostile input share: options, the run in an empty folder, the report."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from watch import snapshot, until_stopped

from validation.records import commit, provenance, write_json

__all__ = ["conduct", "options_of"]

ROOT = Path(__file__).resolve().parents[2]
_OF_THE_PROCESS = ("memory", "threads", "engine")  # not of the case
Row = dict[str, Any]


def options_of(about: str | None) -> argparse.ArgumentParser:
    """Seed, cases and report."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--case", type=int, help="run this one here and show what happens")
    parser.add_argument("--report", type=Path)
    return parser


def conduct(
    cases: Callable[[range], Iterable[Row]],
    options: argparse.Namespace,
    summary: Callable[[list[Row]], Row],
) -> int:
    """Run the cases in a folder of their own; 1 if one failed or a file was touched.

    A row of ``cases`` has ``case``, ``kind``, ``seconds`` and ``failure``; ``summary`` makes the
    entries of the report that only this study has from all rows.
    """
    engine = commit()
    report = options.report and options.report.resolve()
    began = time.monotonic()
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.expanduser("~")
        os.chdir(folder)
        before = snapshot(folder, home)
        numbers = range(options.start, options.start + options.count)
        for row in until_stopped(cases(numbers)):
            rows.append({**row, "engine": engine})
            if row["failure"]:
                failed.append({k: v for k, v in row.items() if k not in _OF_THE_PROCESS})
                print(json.dumps(failed[-1]), flush=True)
            if len(rows) % 500 == 0:
                print(f"{len(rows)} cases, {time.monotonic() - began:.0f} s", file=sys.stderr)
        os.chdir(ROOT)
        touched = sorted(set(snapshot(folder, home).items()) ^ set(before.items()))
    seconds = sorted(row["seconds"] for row in rows if "seconds" in row)
    content = {
        **provenance(rows),
        "cases": len(rows),
        "failed": failed,
        "files touched": [path for path, _ in touched],
        "kinds": dict(sorted(Counter(row["kind"] for row in rows).items())),
        "median_ms": round(1000 * seconds[len(seconds) // 2], 1),
        "longest_s": seconds[-1],
        **summary(rows),
        "wall_s": round(time.monotonic() - began),
    }
    print(write_json(report, content), end="")
    return int(bool(failed or touched))
