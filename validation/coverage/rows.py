"""Runs in a file beside the study, one per line, that grows from one call to the next."""

from pathlib import Path
from typing import Any

from validation.records import read_json, versions_of, write_rows

__all__ = ["read", "write"]


def read(file: Path) -> list[dict[str, Any]]:
    """Runs that were made before; none where there is no file."""
    runs: list[dict[str, Any]] = read_json(file, {"runs": []})["runs"]
    return runs


def write(file: Path, runs: list[dict[str, Any]]) -> None:
    """All runs, and what the last of them were made with."""
    write_rows(file, runs, {"versions": versions_of("rlct", "numpy")}, "runs")
