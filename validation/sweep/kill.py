"""A sweep killed with signal 9 at random moments: nothing is lost, nothing stored asked again.

``python validation/sweep/kill.py --kills 10 --seed 0 --jobs 2 --out validation/sweep/kill.json``

The sweep runs as ``rlct sweep`` does, in a process of its own whose questions are noted in a log
when they begin and when they end.  After each kill the store is read as it was left.  What must
hold: every stored row stays, to the bit; no question whose answer was stored begins again; what
had ended but was not stored is at most the questions under way; no process survives the kill; in
the end the table is that of an undisturbed run.
"""

import argparse
import os
import platform
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rlct.cli.asking import CommandAsker
from rlct.cli.main import main as rlct_main
from rlct.sweep.store import StoredAnswer, key_of
from validation.records import write_json

SWEEP_QUESTIONS = """ask = 'poly "(x**{p} - {c}*y**{q})**2*(1 + x*y)"'
[grid]
p = "2..5"
c = ["1", "-2", "1/3"]
q = "3..{last}"
"""


class Noting(CommandAsker):
    """Notes in the log each question that begins or ends, with its process."""

    def answer(self, words: list[str]) -> StoredAnswer:
        """Answer as usual."""
        key = key_of(self.question(words)[0]).hex()
        self._note(f"begin {key} {os.getpid()}")
        found = super().answer(words)
        self._note(f"end {key} {os.getpid()}")
        return found

    @staticmethod
    def _note(line: str) -> None:
        with open(os.environ["RLCT_LOG"], "a", encoding="utf-8") as file:
            file.write(line + "\n")  # one write, appended whole


def noted_sweep(arguments: list[str]) -> int:
    """Run ``rlct sweep`` with a log."""
    import rlct.cli.asking

    rlct.cli.asking.CommandAsker = Noting  # type: ignore[misc]
    return rlct_main(["sweep", *arguments])


def stored(store: Path) -> dict[str, tuple[Any, ...]]:
    """Read every row of a store, by key."""
    if not store.exists():
        return {}
    database = sqlite3.connect(store)
    try:
        rows = database.execute("SELECT lower(hex(key)), * FROM answers").fetchall()
    except sqlite3.OperationalError:  # killed before the tables were there
        rows = []
    database.close()
    return {row[0]: row[1:] for row in rows}


def table(store: Path) -> list[tuple[Any, ...]]:
    """Read what is stored of each question of the sweep, times aside."""
    database = sqlite3.connect(store)
    rows = database.execute(
        "SELECT number, status, lambda, theta, lower, upper, method FROM points "
        "JOIN answers ON answers.id = answer ORDER BY number"
    ).fetchall()
    database.close()
    return rows


def alive(process: int) -> bool:
    """Whether a process is still there."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def trial(folder: Path, kills: int, seed: int, jobs: int, last: int) -> dict[str, Any]:
    """Kill a sweep some times, let it finish, and count what went wrong."""
    rng = random.Random(seed)
    question = folder / "sweep.toml"
    question.write_text(SWEEP_QUESTIONS.replace("{last}", str(last)), encoding="utf-8")
    log, store = folder / "log", folder / "sweep.sqlite"
    log.touch()
    command = [sys.executable, __file__, "--run", str(question), "--jobs", str(jobs)]
    environment = os.environ | {"RLCT_LOG": str(log)}

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=-3)

    def lines(since: int = 0) -> list[list[str]]:
        return [line.split() for line in log.read_text(encoding="utf-8").splitlines()[since:]]

    began = time.monotonic()
    counts: dict[str, Any] = {"changed": 0, "repeated": 0, "survivors": 0, "unwritten": []}
    progress = []
    before: dict[str, tuple[Any, ...]] = {}
    for _ in range(kills):
        seen = len(lines())
        run = start()
        # From while it loads to some questions further on, however fast the machine is.
        target = seen + rng.randint(0, 24 * (jobs + 1))
        while run.poll() is None and len(lines()) < target:
            time.sleep(0.01)
        time.sleep(rng.random() / 5)
        if run.poll() is not None:
            raise SystemExit("the sweep ended before it was killed: give it more questions")
        run.send_signal(signal.SIGKILL)
        run.wait()
        workers = {int(line[2]) for line in lines(seen)} - {run.pid}
        deadline = time.monotonic() + 10
        while any(map(alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.02)
        counts["survivors"] += sum(map(alive, workers))
        after = stored(store)
        new = lines(seen)
        counts["changed"] += sum(after.get(key) != row for key, row in before.items())
        counts["repeated"] += sum(kind == "begin" and key in before for kind, key, _ in new)
        ended = {key for kind, key, _ in new if kind == "end"}
        counts["unwritten"].append(len(ended - set(after)))
        progress.append(len(after))
        before = after
    seen = len(lines())
    code = start().wait()
    counts["changed"] += sum(stored(store).get(key) != row for key, row in before.items())
    counts["repeated"] += sum(k == "begin" and key in before for k, key, _ in lines(seen))
    calm = folder / "calm.sqlite"
    subprocess.run(
        [*command, "--store", str(calm)], env=environment, check=False, capture_output=True
    )
    return {
        **counts,
        "stored_after_each_kill": progress,
        "exit_code": code,
        "questions": len(table(calm)),
        "same_table": table(store) == table(calm),
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    """Print what was found as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", help="the sweep itself, with a log")
    parser.add_argument("--store")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--last", type=int, default=60)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.run:
        place = ["--store", options.store] if options.store else []
        sys.exit(noted_sweep([options.run, "--jobs", str(options.jobs), *place]))
    with tempfile.TemporaryDirectory() as folder:
        counts = trial(Path(folder), options.kills, options.seed, options.jobs, options.last)
    command = f"python validation/sweep/kill.py --kills {options.kills} --seed {options.seed}"
    record = {
        "command": f"{command} --jobs {options.jobs} --last {options.last}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **counts,
    }
    print(write_json(options.out, record, sort=True), end="")


if __name__ == "__main__":
    main()
