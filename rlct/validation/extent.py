"""How much of the full run a run was, for machines and for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlct.validation.experiment import Experiment, Suite
from rlct.validation.work import Done

__all__ = ["part", "quick_note", "ran", "tally"]


def ran(experiment: Experiment, suite: Suite, done: Done) -> dict[str, Any]:
    """How much of the full run was run: pieces of work, and whether that is all of it."""
    same = dict(experiment.settings(suite)) == dict(experiment.full)
    count = len(list(experiment.units(experiment.full)))
    whole = same and len(done.rows) == count
    return {"pieces": len(done.rows), "of": count, "whole": whole}


def part(extent: Mapping[str, Any]) -> str:
    """Say it in words; nothing if it was all of it.

    Examples
    --------
    >>> part({"pieces": 6, "of": 40, "whole": False})
    '6 of 40 pieces of work'
    >>> part({"pieces": 2, "of": 2, "whole": False})
    'smaller pieces of work'
    """
    if extent["whole"]:
        return ""
    if extent["pieces"] == extent["of"]:
        return "smaller pieces of work"
    return f"{extent['pieces']} of {extent['of']} pieces of work"


def quick_note(report: Mapping[str, Any]) -> str:
    """Return what a reader of a quick run is to know first; nothing of a full one.

    Examples
    --------
    >>> print(quick_note({"suite": "quick", "left_out": ["001-figure-3"]})[-42:])
    Of 1 claims it runs nothing: 001-figure-3.
    """
    if report["suite"] == "full":
        return ""
    out = report["left_out"]
    return (
        "The quick suite runs a part of each claim, to see that nothing has broken. The verdict on "
        "a source is that of the full run, shown beside it."
        + (f" Of {len(out)} claims it runs nothing: {', '.join(out)}." if out else "")
    )


def tally(report: Mapping[str, Any]) -> str:
    """Count the verdicts, apart from those of runs that are only a part of the full one."""
    said = []
    for whole, held, where in (
        (True, "confirmed", ""),
        (False, "held", " in the part that was run"),
    ):
        found = [row["verdict"] for row in report["rows"] if row["ran"]["whole"] is whole]
        words = {"confirmed": held, "differs": "differing", "undecided": "undecided"}
        counts = [f"{found.count(kind)} {word}" for kind, word in words.items() if kind in found]
        said += [", ".join(counts) + where] if counts else []
    return "; ".join(said)
