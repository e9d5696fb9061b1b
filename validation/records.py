"""What studies share: files of results, logs that a run goes on from, and what made a result.

It imports the standard library alone: some ask for `commit` before the package is there.
"""

import json
import multiprocessing
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = [
    "append_log",
    "child_seconds",
    "commit",
    "peer_version",
    "processor_name",
    "provenance",
    "read_json",
    "read_log",
    "sent_by",
    "versions_of",
    "warm_up",
    "write_json",
    "write_rows",
]

ROOT = Path(__file__).parents[1]
Row = dict[str, Any]


def read_json(path: Path | None, otherwise: Any = None) -> Any:
    """Return what a file holds; ``otherwise`` where there is none."""
    return json.loads(path.read_text("utf-8")) if path and path.exists() else otherwise


def write_json(path: Path | None, content: Any, *, sort: bool = False) -> str:
    """Return a JSON text, and write it if there is where to."""
    text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=sort) + "\n"
    if path is not None:
        path.write_text(text, encoding="utf-8")
    return text


def write_rows(
    path: Path, rows: Iterable[Any], head: Row | None = None, name: str = "rows"
) -> None:
    """Write rows, one a line: as a list, or under a name behind what is said of all of them."""
    indent = "  " if head else " "
    lines = ",\n".join(indent + json.dumps(row, ensure_ascii=False) for row in rows)
    text = f"[\n{lines}\n]"
    if head:
        above = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
        text = f'{above},\n "{name}": [\n{lines}\n ]\n}}'
    path.write_text(f"{text}\n", encoding="utf-8")


def read_log(path: Path | None) -> list[Row]:
    """Return what a run has finished before, a line each."""
    lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
    return [json.loads(line) for line in lines]


def append_log(path: Path | None, row: Row) -> None:
    """Add a line, which is there whatever ends the run next."""
    if path is not None:
        with path.open("a", encoding="utf-8") as log:
            log.write(json.dumps(row, ensure_ascii=False) + "\n")


def warm_up() -> None:
    """Import everything here, so that the processes of the cases start with it."""
    import rlct

    rlct.verify(rlct.ideal(["x*y + z**2", "(x + y)**2"], timeout=5).certificate)


def sent_by(ask: Callable[..., None], arguments: tuple[Any, ...], limit: float) -> Row:
    """Return what ``ask(pipe, *arguments)`` sends from a process of its own, ended at the limit."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.Process(target=ask, args=(theirs, *arguments))
    began = time.perf_counter()
    child.start()
    theirs.close()
    answer: Row = {"error": "did not stop in time"}
    try:
        if ours.poll(limit):
            answer = ours.recv()
    except EOFError:
        answer = {"error": "the process died"}
    finally:
        child.kill()
        child.join()
    answer.setdefault("seconds", time.perf_counter() - began)
    return answer


def child_seconds() -> float:
    """Return processor seconds of all processes that were started here and have ended."""
    import resource  # of Unix alone

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def versions_of(*packages: str) -> dict[str, str]:
    """Return the versions of Python and of packages, of those that are installed."""
    held = {"python": platform.python_version()}
    for name in packages:
        try:
            held[name] = version(name)
        except PackageNotFoundError:
            continue
    return held


def processor_name() -> str:
    """Return the name of the processor, which decides how arithmetic and interpreters compare."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def peer_version(python: str | None, *packages: str) -> str | None:
    """Return the versions that another Python has of packages."""
    if not python:
        return None
    code = f"import importlib.metadata as m; print(*map(m.version, {packages}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def provenance(rows: Iterable[Row]) -> Row:
    """Return command, engines that gave the rows (commit and how many), versions and machine."""
    from sympy.external.gmpy import GROUND_TYPES

    command = ["python", os.path.relpath(sys.argv[0], ROOT), *map(_short, sys.argv[1:])]
    versions = versions_of("sympy", "numpy", "scipy", "python-flint")
    return {
        "command": " ".join(command),
        "engines": dict(Counter(row.get("engine", "unknown") for row in rows)),
        "versions": {"python": versions.pop("python"), "ground types": GROUND_TYPES, **versions},
        "machine": f"{processor_name()}, {os.cpu_count()} cores, shared",
        "load": [round(x, 1) for x in os.getloadavg()],
    }


def commit() -> str:
    """Return the last commit that changed the package, with + if the files differ from it.

    To be called before the package is imported, and kept: the files may change during a run.
    """
    git = ["git", "-C", str(ROOT)]
    try:
        last = subprocess.run(
            [*git, "log", "-1", "--format=%h", "--", "rlct"],
            capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "rlct"]).returncode
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return last + ("+" if changed else "")


def _short(argument: str) -> str:
    """An absolute path says nothing to others: its name only."""
    return os.path.basename(argument) if os.path.isabs(argument) else argument
