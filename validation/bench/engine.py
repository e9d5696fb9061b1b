"""Processor time and answers of two versions of the engine, in turns on the same questions.

``python validation/bench/engine.py OLD --timeout 60 --out validation/bench/engine.json``

OLD is a checkout of the other version (``git worktree add --detach OLD 32a0c036``).  For each case
of the reference set, or of ``--cases FILE``, both versions answer one after the other, each in a
process that has loaded all beforehand, and seconds of its processor are counted.  An answer is lost
where a bound of the new version is worse.  Questions that stay open take all of their time with
both; the share of the others is given beside that of all.  Exit code 1 if an answer is lost, or the
new version takes more than half of the time of all.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from validation.records import provenance, write_rows  # noqa: E402

MOST_SHARE = 0.5  # of the old version's processor time
CASES_FILE = ROOT / "validation" / "reference" / "engine.json"
Found = dict[str, Any]

#: Answers questions from standard input, each in a process forked from one that is warm.
SERVER_CODE = """
import json, os, sys, time
import rlct
rlct.verify(rlct.ideal(["x*y + z**2", "(x + y)**2"], timeout=60).certificate)
for line in sys.stdin:
    case, timeout = json.loads(line)
    if os.fork():
        os.wait()
        continue
    began, found = time.process_time(), {}
    try:
        if case["kind"] == "poly":
            result = rlct.poly(case["expr"], timeout=timeout, **case["options"])
        else:
            result = rlct.ideal(case["generators"], timeout=timeout, **case["options"])
        ends = result.bounds
        found["ends"] = [None if e is None else [str(e.lam), e.theta] for e in ends]
    except Exception as error:
        found["error"] = repr(error)
    found["seconds"] = round(time.process_time() - began, 3)
    print(json.dumps(found), flush=True)
    os._exit(0)
"""


def main() -> int:
    """Ask both, print a line for each case, and say how many answers were lost and the share."""
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=Path, help="checkout of the other version")
    parser.add_argument(
        "--cases", type=Path, default=CASES_FILE, help="JSON file with a list of cases"
    )
    parser.add_argument("--timeout", type=float, default=60.0, help="wall seconds for each")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    servers = [_server(options.old), _server(ROOT)]
    rows = []
    for case in json.loads(options.cases.read_text(encoding="utf-8")):
        old, new = (_ask(server, case, options.timeout) for server in servers)
        rows.append({"id": case["id"], "old": old, "new": new, "lost": _lost(old, new)})
        print(json.dumps(rows[-1]), flush=True)
    answered = _seconds(r for r in rows if _exact(r["new"]))
    seconds = _seconds(rows)
    report: Found = {
        "asked": len(rows),
        "exact": {name: sum(_exact(r[name]) for r in rows) for name in ("old", "new")},
        "processor_seconds": seconds,
        "share": round(seconds["new"] / seconds["old"], 3),
        "share_of_answered": round(answered["new"] / (answered["old"] or 1), 3),
        "most_share": MOST_SHARE,
        "lost": [r["id"] for r in rows if r["lost"]],
        "run": provenance({"engine": f"{n}: {_commit(p)}"} for n, p in zip(
            ("old", "new"), (options.old, ROOT), strict=True)),
    }  # fmt: skip
    print(json.dumps(report, indent=1))
    if options.out:
        write_rows(options.out, rows, report)
    return int(bool(report["lost"]) or report["share"] > MOST_SHARE)


def _server(folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder.resolve())}
    command = [sys.executable, "-W", "ignore", "-c", SERVER_CODE]
    return subprocess.Popen(
        command, env=environment, cwd="/", text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def _ask(server: subprocess.Popen[str], case: Found, timeout: float) -> Found:
    assert server.stdin
    assert server.stdout
    server.stdin.write(json.dumps([case, timeout]) + "\n")
    server.stdin.flush()
    found: Found = json.loads(server.stdout.readline())
    return found


def _seconds(rows: Iterable[Found]) -> dict[str, float]:
    kept = list(rows)
    return {name: round(sum(r[name]["seconds"] for r in kept), 1) for name in ("old", "new")}


def _exact(answer: Found) -> bool:
    ends = answer.get("ends") or [None, None]
    return ends[0] is not None and ends[0] == ends[1]


def _lost(old: Found, new: Found) -> bool:
    """Whether an end of the new answer is worse than that of the old one.

    A pair with the smaller λ, or with the same λ and the larger θ, comes first.
    """
    before, after = (list(_places(found)) for found in (old, new))
    return after[0] < before[0] or after[1] > before[1]


def _places(answer: Found) -> Iterator[tuple[Fraction | float, float]]:
    for end, none in zip(answer.get("ends") or [None, None], (0.0, float("inf")), strict=True):
        yield (none, 0) if end is None else (Fraction(end[0]), -end[1])


def _commit(folder: Path) -> str:
    command = ["git", "-C", str(folder), "log", "-1", "--format=%h", "--", "rlct"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
