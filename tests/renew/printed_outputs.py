"""Outputs of commands in README, the guides and the paper, run as readers type them."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONSOLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", ROOT / "paper" / "paper.md", *sorted((ROOT / "docs").glob("*.md"))]
# What another processor may change: timings, and digits of a simulation.
ESTIMATE = re.compile(r"(λ̂ =|λ ≈|λ̂ ≈) (\S+?),?(?: 95% interval)? \[(\S+), (\S+)\]")
NOISE = re.compile(
    r"\d+\.\d s\b|about \d+ (?:s|min) more|ESS \d+|R-hat \d\.\d+|z = [-+]\d+\.\d+|"
    r"beyond \d\.\d+(?:: λ below \S+ or above [\d.e-]+)?|"
    r"(?:[-+]?\d[\d.e-]* )?± [\d.e-]+|moves it by [-+][\d.]+|by \d+% of their distance|"
    r"(?:Monte Carlo|finite nβ|sampler) [\d.][\d.e-]*|"
    r"planted wrong (?:value |λ = )\d+\.?\d*|odds [\d.e-]+|is \d+\.\d standard errors"
)
# What a slow machine adds.
PROGRESS = re.compile(r"simulation |(?:sweep|atlas) +\d+% |\d+ germs examined, \d+ s; ")


def commands(block):
    """Split a block into commands and their outputs."""
    found = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line[2:].strip(), ""])
        else:
            found[-1][1] += line
    return found


@contextmanager
def programs():
    """A folder with `rlct`, which a process runs that has its imports behind it, and `python`."""
    python, warm = shlex.quote(sys.executable), shlex.quote(str(ROOT / "tests" / "warm.py"))
    with tempfile.TemporaryDirectory() as name:
        socket = Path(name) / "socket"
        for shim, line in (
            ("rlct", f'{python} -S -I {warm} {socket} "$@"'),
            ("python", f'{python} "$@"'),
        ):
            path = Path(name) / shim
            path.write_text(f"#!/bin/sh\nexec {line}\n")
            path.chmod(0o755)
        server = subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "warm.py"), str(socket)],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        )
        try:
            assert server.stdout.readline() == b"ready\n"
            yield name
        finally:
            server.kill()
            server.communicate()


def run(block, folder, shims):
    """Type the commands of a block into a shell; return them with what is printed."""
    paths = [str(shims), os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(paths), "PYTHONPATH": str(ROOT)}
    environment.pop("COLUMNS", None)  # the width of somebody's terminal
    code, found = 0, []
    for command, _ in commands(block):
        done = subprocess.run(
            ["sh", "-c", f"(exit {code}); {command}"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
        )
        code = done.returncode
        errors = [x for x in done.stderr.splitlines(True) if not PROGRESS.match(x)]
        found.append([command, done.stdout + "".join(errors)])
    return found


def close(one, other):
    """Whether two estimates are those of one simulation on two processors.

    Draws of chains with a Metropolis test part from the last digits on: their means at one nβ
    differ as those of two seeds do, three times the standard error of the difference at most, and
    their errors as those of eight chains.  Ladders keep 2 %.
    """
    if one[0] != "λ̂ ≈":
        return [float(x) for x in one[1:]] == pytest.approx([float(x) for x in other[1:]], rel=0.02)
    (a, low, high), (b, lower, higher) = map(float, one[1:]), map(float, other[1:])
    widths = high - low, higher - lower
    return abs(a - b) < sum(widths) / 2 and max(widths) < 3 * min(widths)


def same(shown, printed):
    """Whether two outputs agree up to timings and what a simulation leaves open."""
    one, other = (ESTIMATE.findall(text) for text in (shown, printed))
    if [x[0] for x in one] != [x[0] for x in other]:
        return False
    bare = [NOISE.sub("#", ESTIMATE.sub("#", text)) for text in (shown, printed)]
    return all(map(close, one, other)) and bare[0] == bare[1]


def renewed(text):
    """A page with what the program prints, where that differs."""

    def printed(match, shims):
        with tempfile.TemporaryDirectory() as folder:
            found = run(match[0], Path(folder), shims)
        pairs = zip(commands(match[0]), found, strict=True)
        return "".join(f"$ {c}\n{old if same(old, new) else new}" for (c, old), (_, new) in pairs)

    with programs() as shims:
        return CONSOLE.sub(partial(printed, shims=shims), text)


def renew():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if CONSOLE.search(text):
            page.write_text(renewed(text), encoding="utf-8")
