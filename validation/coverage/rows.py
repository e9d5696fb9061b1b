"""Runs in a file beside the study, one per line, that grows from one call to the next."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import numpy as np

import rlct

__all__ = ["read", "write"]


def read(file: Path) -> list[dict[str, Any]]:
    """Runs that were made before; none where there is no file."""
    if not file.exists():
        return []
    runs: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["runs"]
    return runs


def write(file: Path, runs: list[dict[str, Any]]) -> None:
    """All runs, and what the last of them were made with."""
    versions = {
        "rlct": rlct.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    lines = ",\n".join(json.dumps(run, ensure_ascii=False) for run in runs)
    text = f'{{"versions": {json.dumps(versions)}, "runs": [\n{lines}\n]}}\n'
    file.write_text(text, encoding="utf-8")
