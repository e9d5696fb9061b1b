"""A copy of the checkout, in which tests write new files and run what was written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def copy_checkout(folder, names):
    """Copy files and folders of the checkout."""
    for name in names:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, place)
    return folder


def run_in(folder, *words):
    """Run Python in a copy, on the code of the copy."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def output_of(folder, *words, code=0):
    """What Python prints in a copy, where it ends with this code."""
    done = run_in(folder, *words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout
