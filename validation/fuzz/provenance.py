"""What produced a result: command, versions, machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


def provenance(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Command, engines that gave the rows (commit and how many), versions, machine."""
    from sympy.external.gmpy import GROUND_TYPES

    versions = {"python": platform.python_version(), "ground types": GROUND_TYPES}
    for name in ("sympy", "numpy", "scipy", "python-flint"):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "command": " ".join(
            ["python", os.path.relpath(sys.argv[0], ROOT), *map(_short, sys.argv[1:])]
        ),
        "engines": dict(Counter(row.get("engine", "unknown") for row in rows)),
        "versions": versions,
        "machine": f"{_processor()}, {os.cpu_count()} cores, shared",
        "load": [round(x, 1) for x in os.getloadavg()],
    }


def commit() -> str:
    """Last commit that changed the package, with + if the files differ from it.

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


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((li.split(":")[1].strip() for li in lines if "model name" in li), "unknown")


def _short(argument: str) -> str:
    """An absolute path says nothing to others: its name only."""
    return os.path.basename(argument) if os.path.isabs(argument) else argument
