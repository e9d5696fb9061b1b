"""A million linear networks swept, stored and exported, with one process.

``python validation/bench/sweep.py --out validation/bench/sweep.json``
"""

import argparse
import os
import platform
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from validation.records import child_seconds, write_json

SWEEP_QUESTION = """ask = "net linear {a} {b} {c} {a} --rank {r}"
[grid]
a = "3..102"
b = "3..52"
c = "3..52"
r = "0..3"
"""


def main() -> None:
    """Time each step as typed in a shell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    report: dict[str, object] = {
        "command": "python validation/bench/sweep.py",
        "question": SWEEP_QUESTION.splitlines(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "processors": os.cpu_count(),
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "million.toml"
        file.write_text(SWEEP_QUESTION, encoding="utf-8")
        steps = {
            "sweep": [],
            "sweep again": [],
            "csv": ["export", "--out", f"{folder}/million.csv"],
            "parquet": ["export", "--out", f"{folder}/million.parquet"],
        }
        for name, arguments in steps.items():
            action, out = arguments[:1], arguments[1:]
            command = [sys.executable, "-m", "rlct", "sweep", *action, str(file), *out]
            began, before = time.perf_counter(), child_seconds()
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            report[name] = {
                "seconds": round(time.perf_counter() - began, 1),
                "processor_seconds": round(child_seconds() - before, 1),
                "printed": done.stdout.replace(f"{folder}/", "").splitlines(),
            }
        for path in sorted(Path(folder).iterdir()):
            report[f"megabytes {path.name}"] = round(path.stat().st_size / 1e6, 1)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    report["peak megabytes of memory"] = round(peak / 1024)
    print(write_json(options.out, report), end="")


if __name__ == "__main__":
    main()
