"""What a run found, as one JSON object; the page and the table are made from it."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import rlct
from rlct.validation.catalogue import TITLES, Entry, Place, all_entries, places
from rlct.validation.experiment import Finding, Suite
from rlct.validation.work import Done

__all__ = ["assess", "build", "picture", "versions"]

_PACKAGES = ("numpy", "scipy", "sympy", "torch")


def versions(needs: Sequence[str] = ()) -> dict[str, str]:
    """Return the versions that results depend on."""
    found = {"rlct": rlct.__version__, "python": platform.python_version()}
    for name in dict.fromkeys([*_PACKAGES[:3], *needs]):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def assess(entry: Entry, suite: Suite, done: Done) -> dict[str, Any]:
    """Judge the rows of an experiment.

    Returns
    -------
    dict
        ``id``, ``status`` (``"reproduces"``, ``"does not reproduce"`` or ``"not run"``),
        ``reason`` if there is one, ``findings`` and what is needed to rerun it.
    """
    experiment = entry.experiment
    answer: dict[str, Any] = {
        "id": experiment.id,
        "source": experiment.source,
        "title": experiment.title,
        "command": experiment.command(suite),
        "seed": experiment.seed,
        "settings": dict(experiment.settings(suite)),
        "seconds": round(done.seconds, 1),
        "findings": [],
    }
    if experiment.missing and not done.rows:
        return {**answer, "status": "not run", "reason": experiment.missing}
    if done.absent and not done.errors:
        return {**answer, "status": "not run", "reason": done.absent[0]}
    if done.errors:
        reason = f"{len(done.errors)} pieces of work failed, the first: {done.errors[0]}"
        return {**answer, "status": "does not reproduce", "reason": reason}
    try:
        findings = list(experiment.judge(experiment.settings(suite), done.rows))
    except Exception as problem:
        reason = f"{type(problem).__name__}: {' '.join(str(problem).split())[:200]}"
        return {**answer, "status": "does not reproduce", "reason": reason}
    answer["findings"] = [_shown(one) for one in findings]
    good = bool(findings) and all(one.reproduces for one in findings)
    return {**answer, "status": "reproduces" if good else "does not reproduce"}


def _shown(finding: Finding) -> dict[str, Any]:
    return {
        "place": finding.place,
        "verdict": finding.verdict.value,
        "reproduced": finding.reproduces,
        "ours": finding.ours,
        "why": finding.why,
        "scale": finding.scale,
        "facts": [str(fact) for fact in finding.facts],
    }


def build(root: Path, suite: Suite, assessed: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Put together the report of a run.

    Parameters
    ----------
    root : Path
        The folder ``validation``.
    suite : str
    assessed : sequence of mapping
        From `assess`.

    Returns
    -------
    dict
        ``rows``: one for each finding, and for each place of an experiment that found nothing.
    """
    listed = places(root)
    rows: list[dict[str, Any]] = []
    for one in assessed:
        shared = {"experiment": one["id"], "command": one["command"], "seconds": one["seconds"]}
        for found in one["findings"]:
            rows.append({**_of(listed[found["place"]]), **found, **shared})
    open_places = [
        _of(place) | {"note": place.note}
        for place in listed.values()
        if not any(place.id in e.experiment.places for e in all_entries(root).values())
    ]
    return {
        "schema": "rlct/1",
        "kind": "validation",
        "suite": suite,
        "reproduced": all(one["status"] != "does not reproduce" for one in assessed),
        "versions": versions(["torch"]),
        "machine": platform.machine(),
        "experiments": [dict(one) for one in assessed],
        "rows": rows,
        "open": open_places,
    }


def _of(place: Place) -> dict[str, str]:
    return {
        "place": place.id,
        "source": TITLES[place.source],
        "where": place.where,
        "claim": place.claim,
    }


def picture(entry: Entry, suite: Suite, rows: Sequence[Mapping[str, Any]]) -> bytes | None:
    """Draw an experiment as SVG; None if it has no picture.

    Raises
    ------
    InputError
        If matplotlib is not installed.
    """
    from rlct.report.picture import new_figure, render

    experiment = entry.experiment
    if experiment.draw is None:
        return None
    draw = experiment.draw

    def figure() -> Any:
        made = new_figure(*experiment.size)
        draw(experiment.settings(suite), rows, made)
        return made

    return render(figure, "svg")
