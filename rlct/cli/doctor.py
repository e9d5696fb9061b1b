"""The command ``rlct doctor``: what is installed, what is missing, and whether it works."""

import argparse
import os
import platform
import re
import shutil
import subprocess
import time
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import rlct
from rlct.cli import common

#: Distributions with what they are imported by and the oldest release that is enough.
CORE_PACKAGES: Final = {
    "sympy": ("sympy", "1.13"),
    "numpy": ("numpy", "2.0"),
    "scipy": ("scipy", "1.15"),
    "arviz-stats": ("arviz_stats", "0.6"),
    "networkx": ("networkx", "3.2"),
    "mpmath": ("mpmath", "1.3"),
}
#: For each extra that users ask for: distribution, import name, what it is for.
EXTRA_PACKAGES: Final = {
    "fast": ("python-flint", "flint", "faster exact arithmetic"),
    "torch": ("torch", "torch", "λ̂ of torch modules"),
    "plot": ("matplotlib", "matplotlib", "pictures: --plot"),
    "arviz": ("arviz-base", "arviz_base", "runs as a DataTree, files .nc, tables of fits"),
    "select": ("scikit-learn", "sklearn", "models fitted to data"),
    "dask": ("distributed", "distributed", "sweeps on a cluster"),
    "parquet": ("pyarrow", "pyarrow", "sweeps exported as Parquet"),
    "nuts": ("mici", "mici", "the No-U-Turn sampler"),
    "completion": ("shtab", "shtab", "completion in the shell"),
}
_ORACLE_COMMANDS: Final = {"Singular": ["Singular", "-v"], "Macaulay2": ["M2", "--version"]}
_ORACLE_SECONDS: Final = 10.0  # seconds for another program to say its version


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "doctor",
        help="versions, extras and programs found, and whether a first answer comes out right",
        description="Say what this installation has: versions, extras, other computer algebra "
        "systems that validation can compare with, and a first answer with its certificate. "
        "Exit code 1 if something that is needed is missing or too old, or the answer is wrong.",
        examples=["rlct doctor", "rlct doctor --json"],
    )
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    found = _examine()
    common.print_answer(options, found, "\n".join(_lines(found)))
    return 1 if found["problems"] else 0


def _examine() -> dict[str, Any]:
    core_versions = {name: _version(name) for name in CORE_PACKAGES}
    problems = []
    for name, version in core_versions.items():
        least = CORE_PACKAGES[name][1]
        if version is None:
            problems.append(f"{name} is missing: pip install '{name}>={least}'")
        elif _numbers(version) < _numbers(least):
            problems.append(f"{name} {version} is too old: pip install '{name}>={least}'")
    first_answer = None if problems else _first_answer()
    if first_answer is not None and not first_answer["right"]:
        problems.append(f"a first answer came out wrong: {first_answer['text']}")
    return {
        "schema": "rlct/1",
        "kind": "doctor",
        "rlct": rlct.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "package": str(Path(rlct.__file__).parent),
        "core": core_versions,
        "extras": {
            extra: _version(name) if find_spec(module) else None
            for extra, (name, module, _) in EXTRA_PACKAGES.items()
        },
        "oracles": {name: _oracle(command) for name, command in _ORACLE_COMMANDS.items()},
        "answer": first_answer,
        "problems": problems,
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def _oracle(command: list[str]) -> str | None:
    """Where a program is and what it says of its version; None if it is not there."""
    path = shutil.which(command[0])
    if path is None:
        return None
    try:
        finished_run = subprocess.run(
            [path, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ORACLE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return f"{path} (does not answer)"
    version_match = re.search(r"\d+(?:\.\d+)+", f"{finished_run.stdout}{finished_run.stderr}")
    return f"{path}, version {version_match[0]}" if version_match else path


def _first_answer() -> dict[str, Any]:
    """Ask something of which the answer is known, and verify its certificate."""
    began = time.monotonic()
    result = rlct.poly("(x**2 - y**3)**2")
    right = str(result.pair) == "λ = 5/12, θ = 1" and rlct.verify(result.certificate)
    seconds = round(time.monotonic() - began, 2)
    return {"text": str(result), "right": bool(right), "seconds": seconds}


def _lines(report: dict[str, Any]) -> list[str]:
    lines = [
        f"rlct {report['rlct']} in {report['package']}",
        f"Python {report['python']}, {report['processors']} processors, {report['platform']}",
        "",
        "needed",
    ]
    lines += [f"  {name:14}{version or 'missing'}" for name, version in report["core"].items()]
    lines += ["", "extras"]
    for extra, version in report["extras"].items():
        name, _, use = EXTRA_PACKAGES[extra]
        state = f"{name} {version}" if version else f"not found: pip install 'rlct[{extra}]'"
        lines.append(f"  {extra:14}{state}  ({use})")
    lines += ["", "other programs, for validation"]
    lines += [f"  {name:14}{place or 'not found'}" for name, place in report["oracles"].items()]
    answer = report["answer"]
    if answer is not None:
        verdict = "certificate verified" if answer["right"] else "WRONG"
        lines += ["", f"first answer  {answer['text']}; {verdict}, {answer['seconds']} s"]
    lines += ["", *(f"problem: {p}" for p in report["problems"])]
    return [*lines, "everything that is needed is here"] if not report["problems"] else lines
