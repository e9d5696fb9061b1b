"""What a run found, as one JSON object; the page and the table are made from it."""

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlct.errors import InputError
from validation.framework.against import Recorded, changed, of_record, touched
from validation.framework.catalogue import SOURCE_TITLES, Entry, Place, all_entries, places
from validation.framework.claim import Verdict
from validation.framework.experiment import Suite
from validation.framework.extent import ran
from validation.framework.origin import processor, versions
from validation.framework.shown import shown
from validation.framework.work import Done, told

__all__ = ["assess", "build", "picture"]


def assess(
    entry: Entry, suite: Suite, done: Done, recorded: Mapping[str, Recorded] | None = None
) -> dict[str, Any]:
    """Judge the rows of an experiment.

    ``recorded`` is by place: at full size the verdict must come out, at a smaller one not its
    opposite; and of no part the opposite, at a smaller one of no exact part.  At full size exact
    values of the same piece of work must be the same.

    Returned are ``id``, ``status`` (``"reproduces"``, ``"refuted"``, ``"failed"`` or
    ``"not run"``), ``reason`` if there is one, ``findings`` and what is needed to rerun it.
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
        "about": experiment.about,
        "full_settings": dict(experiment.full),
        "ran": ran(experiment, suite, done),
        "findings": [],
    }
    if experiment.missing and not done.rows:
        return {**answer, "status": "not run", "reason": experiment.missing}
    if done.errors:
        reason = f"{len(done.errors)} pieces of work failed, the first: {done.errors[0]}"
        return {**answer, "status": "failed", "reason": reason}
    if done.absent:
        answer["reason"] = f"{len(done.absent)} pieces of work not run: {done.absent[0]}"
        if not experiment.partial or not done.rows:
            return {**answer, "status": "not run"}
    try:
        findings = list(experiment.judge(experiment.settings(suite), done.rows))
    except Exception as problem:
        return {**answer, "status": "failed", "reason": f"its judge: {told(problem)}"}
    whole = answer["ran"]["whole"]
    before = next(iter((recorded or {}).values()), Recorded(Verdict.UNDECIDED)).rows
    full = {} if whole else of_record(experiment, before)
    answer["findings"] = [
        shown(finding, whole, (recorded or {}).get(finding.place_id), full.get(finding.place_id))
        for finding in findings
    ]
    # Sizes decide exact values, too: those of a smaller suite may be others.
    for said, row in changed(experiment, done.rows, before) if whole else ():
        entered = touched(experiment, done.rows, row, findings)
        for finding in answer["findings"]:
            if finding["place"] in entered:
                finding["against"].append(said)
                finding["reproduced"] = False
    good = bool(findings) and all(finding["reproduced"] for finding in answer["findings"])
    return {**answer, "status": "reproduces" if good else "refuted"}


def build(root: Path, suite: Suite, assessed: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Put together the report of a run in the folder ``validation``, from answers of `assess`.

    It has ``rows``: one for each finding; of the places of these experiments that have none,
    ``left_out``: those that the suite leaves out, and ``not_judged``: those of experiments that
    failed, or were not run.
    """
    listed = places(root)
    rows: list[dict[str, Any]] = []
    for answer in assessed:
        shared = {name: answer[name] for name in ("command", "seconds")}
        shared["experiment"] = answer["id"]
        for finding in answer["findings"]:
            rows.append({**_of(listed[finding["place"]]), **finding, **shared})
    judged = {row["place"] for row in rows}
    lost = {kind: _spoken(root, assessed, [kind]) - judged for kind in ("failed", "not run")}
    out = _spoken(root, assessed, ["reproduces", "refuted"]) - judged.union(*lost.values())
    open_places = [
        _of(place_id) | {"note": place_id.note}
        for place_id in listed.values()
        if not any(place_id.id in e.experiment.places for e in all_entries(root).values())
    ]
    return {
        "schema": "rlct/1",
        "kind": "validation",
        "suite": suite,
        "reproduced": all(answer["status"] != "refuted" for answer in assessed),
        "failed": [answer["id"] for answer in assessed if answer["status"] == "failed"],
        "versions": versions(["torch"]),
        "machine": platform.machine(),
        "processor": processor(),
        "experiments": [dict(answer) for answer in assessed],
        "rows": rows,
        "left_out": [place_id for place_id in listed if place_id in out],
        "not_judged": {
            kind: [place_id for place_id in listed if place_id in some]
            for kind, some in lost.items()
        },
        "open": open_places,
    }


def _spoken(root: Path, assessed: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> set[str]:
    """Return the places of which experiments speak that ended so."""
    entries = [all_entries(root)[one["id"]] for one in assessed if one["status"] in kinds]
    return {place for entry in entries for place in entry.experiment.places}


def _of(listed_place: Place) -> dict[str, str]:
    return {
        "place": listed_place.id,
        "source": SOURCE_TITLES[listed_place.source],
        "where": listed_place.where,
        "claim": listed_place.claim,
    }


def picture(entry: Entry, suite: Suite, rows: Sequence[Mapping[str, Any]]) -> bytes | None:
    """Draw an experiment as SVG; None if it has no picture.

    Rows that it cannot draw are refused, and all where matplotlib is not installed.
    """
    from rlct.report.picture import new_figure, render_figure

    experiment = entry.experiment
    if experiment.draw is None:
        return None
    draw = experiment.draw

    def figure() -> Any:
        made = new_figure(*experiment.size)
        try:
            draw(experiment.settings(suite), rows, made)
        except Exception as problem:
            raise InputError(f"{experiment.id} cannot be drawn: {told(problem)}") from problem
        return made

    return render_figure(figure, "svg")
