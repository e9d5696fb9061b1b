"""How long a command takes to start, against what it cannot do without.

``python validation/bench/start.py --out validation/bench/start.json``

Processor time, user and system, of whole processes: the median of rounds in which all
commands take turns.  Byte code is kept in a folder of its own, written in a first round that
does not count, as if rlct were installed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from validation.records import child_seconds, versions_of, write_json

ROOT = Path(__file__).parents[2]
TIMED_COMMANDS = {
    "python": ["-c", "pass"],
    "sympy": ["-c", "import sympy"],
    "version": ["-m", "rlct", "--version"],
    "poly": ["-m", "rlct", "poly", "(x**2-y**3)**2"],
    "net linear": ["-m", "rlct", "net", "linear", "5", "3", "5", "--rank", "1"],
    "theorem eval": ["-m", "rlct", "theorem", "eval", "sum-of-powers", "powers=1,2,3"],
}
#: What each is compared with, and the most that it may cost, as a multiple.
RATIO_LIMITS = {"version": ("python", 3.0), "poly": ("sympy", 1.4)}


def main() -> int:
    """Time the commands; the exit code is 1 if a ratio is over its limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in TIMED_COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds + 1):
            for name, words in TIMED_COMMANDS.items():
                seconds = processor_seconds([sys.executable, *words], folder)
                if number:
                    times[name].append(seconds)
    middle = {name: median(values) for name, values in times.items()}
    ratios = {
        f"{name} / {base}": {"ratio": round(middle[name] / middle[base], 2), "limit": limit}
        for name, (base, limit) in RATIO_LIMITS.items()
    }
    report = {
        "command": "python validation/bench/start.py",
        "rounds": options.rounds,
        "commands": {name: " ".join(["python", *words]) for name, words in TIMED_COMMANDS.items()},
        **versions_of("sympy", "numpy"),
        "processors": os.cpu_count(),
        "processor_milliseconds": {name: round(1000 * t) for name, t in middle.items()},
        "ratios": ratios,
    }
    print(write_json(options.out, report), end="")
    return int(any(entry["ratio"] > entry["limit"] for entry in ratios.values()))


def processor_seconds(command: list[str], folder: str) -> float:
    """Run a command to its end, with its byte code in a folder."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPYCACHEPREFIX": folder, "PYTHONPATH": str(ROOT)}
    before = child_seconds()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return child_seconds() - before


if __name__ == "__main__":
    sys.exit(main())
