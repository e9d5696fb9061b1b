"""What a run found, as one JSON object; the page and the table are made from it."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

from rlct.audit.row import Fact
from rlct.errors import InputError
from rlct.validation.catalogue import TITLES, Entry, Place, all_entries, places
from rlct.validation.claim import Claim, Verdict, number
from rlct.validation.estimate import Estimate
from rlct.validation.experiment import Data, Experiment, Finding, Rows, Suite
from rlct.validation.extent import judged, ran
from rlct.validation.origin import processor, versions
from rlct.validation.store import rows_by_unit
from rlct.validation.work import Done, told

__all__ = ["Recorded", "assess", "build", "picture"]

EXACT = ("lambda", "theta", "exact")  # what rows call λ, θ, and a mean that is integrated
FULL = "Of the full run:"
_NAMED = 3  # parts that a sentence names; the list has them all


def assess(
    entry: Entry, suite: Suite, done: Done, recorded: Mapping[str, Recorded] | None = None
) -> dict[str, Any]:
    """Judge the rows of an experiment.

    Parameters
    ----------
    entry : Entry
    suite : str
    done : Done
    recorded : mapping, optional
        By place: at full size the verdict must come out, at a smaller one not its opposite; and
        of no part the opposite, at a smaller one of no exact part.  At full size exact values of
        the same piece of work must be the same.

    Returns
    -------
    dict
        ``id``, ``status`` (``"reproduces"``, ``"refuted"``, ``"failed"`` or
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
    full = {} if whole else _of_record(experiment, before)
    answer["findings"] = [
        _shown(one, whole, (recorded or {}).get(one.place), full.get(one.place)) for one in findings
    ]
    # Sizes decide exact values, too: those of a smaller suite may be others.
    for said, row in _changed(experiment, done.rows, before) if whole else ():
        touched = _touched(experiment, done.rows, row, findings)
        for shown in answer["findings"]:
            if shown["place"] in touched:
                shown["against"].append(said)
                shown["reproduced"] = False
    good = bool(findings) and all(one["reproduced"] for one in answer["findings"])
    return {**answer, "status": "reproduces" if good else "refuted"}


@dataclass(frozen=True)
class Recorded:
    """What was said when results were last written: the verdict, and of its parts what and how.

    ``why`` is the reason that was given, ``unfit`` that for being undecided; ``rows`` are those of
    the whole experiment.
    """

    verdict: Verdict
    parts: tuple[tuple[str, Verdict], ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    why: str = ""
    unfit: str = ""


def _of_record(experiment: Experiment, rows: Rows) -> dict[str, Finding]:
    """Return what recorded rows come to today, by place: it tells how much a smaller run is."""
    try:
        return {one.place: one for one in experiment.judge(experiment.full, rows)} if rows else {}
    except Exception:  # rows of other settings than today's
        return {}


def _touched(
    experiment: Experiment, rows: Rows, row: Data, findings: Sequence[Finding]
) -> set[str]:
    """Return the places that a piece of work enters: those of which something changes without it.

    Where the judge cannot do without it, or nothing changes, any may rest on it.
    """
    every = {one.place for one in findings}
    try:
        without = experiment.judge(experiment.full, [one for one in rows if one is not row])
        return (every - {one.place for one in without if one in findings}) or every
    except Exception:
        return every


def _changed(experiment: Experiment, rows: Rows, recorded: Rows) -> list[tuple[str, Data]]:
    """Exact values of the calculator that are not those recorded for the same piece of work.

    Each in a sentence, with the row that has it.
    One that is missing now contradicts nothing: a slow machine may reach bounds alone in time.
    """
    found, known = (rows_by_unit(experiment, experiment.full, some) for some in (rows, recorded))
    return [
        (f"{name} {row[name]}, recorded: {known[unit][name]}: {unit}", row)
        for unit, row in found.items()
        for name in EXACT
        if not _same(row.get(name), known.get(unit, {}).get(name))
    ]


def _same(now: Any, before: Any) -> bool:
    """Whether nothing contradicts: text and whole numbers exactly, others to what is rounded."""
    if now is None or before is None:
        return True
    if isinstance(now, float) and isinstance(before, float):
        return isclose(now, before, rel_tol=1e-6)
    return bool(now == before)


def _against(
    finding: Finding, parts: Sequence[Claim], whole: bool, recorded: Recorded
) -> list[str]:
    """What of the record a run contradicts, in sentences.

    Of parts only the opposite does: what is close to the edge of a range may fall on either side
    on another machine.  Runs of a smaller size need not see what takes size.
    """
    verdict, said = finding.verdict, []
    if verdict.contradicts(recorded.verdict) or (whole and verdict != recorded.verdict):
        said.append(f"verdict {verdict.value}, recorded: {recorded.verdict.value}")
    return said + [
        f"part {one.verdict.value}, recorded: {before.value}: {one.what}"
        for one, before in _otherwise(parts, recorded)
        if one.verdict.contradicts(before) and (whole or one.exact)
    ]


def _otherwise(parts: Sequence[Claim], recorded: Recorded) -> list[tuple[Claim, Verdict]]:
    """Parts that are decided otherwise than in the record, with what stands there."""
    known = dict(recorded.parts)
    pairs = [(one, known.get(one.what, one.verdict)) for one in parts]
    return [pair for pair in pairs if pair[0].verdict not in (pair[1], Verdict.UNDECIDED)]


def _because(finding: Finding, parts: Sequence[Claim]) -> str:
    """Why a claim is undecided; nothing if it is not."""
    if finding.unfit or finding.verdict is not Verdict.UNDECIDED:
        return finding.unfit
    if not parts:
        return "no part of the claim is run at this size"
    weak = [one for one in parts if one.verdict is Verdict.UNDECIDED and not one.depends]
    bare = [one.what for one in weak if one.control is None]
    blunt = [one.what for one in weak if one.control is not None and not one.planted]
    edge = [one.what for one in weak if one.planted]
    depends = dict.fromkeys(f"it depends on {one.depends}" for one in parts if one.depends)
    reasons = [
        (["; ".join(depends)] if depends else [], ""),
        (blunt, "what is planted passes as well: "),
        (edge, "outside of the range by less than the margin: "),
        (bare, "nothing wrong is planted that could fail: "),
    ]
    return ". ".join(f"{text}{_first(list(held))}" for held, text in reasons if held)


def _first(held: Sequence[str]) -> str:
    """The first, and how many more there are."""
    return held[0] + f" ({len(held) - 1} more)" * (len(held) > 1)


def _shown(
    finding: Finding, whole: bool, recorded: Recorded | None, full: Finding | None = None
) -> dict[str, Any]:
    """Return what is said of a finding; ``full`` is that of the recorded rows, by today's judge."""
    parts, extent = finding.parts, judged(finding, full, whole)
    against = _against(finding, parts, whole, recorded) if recorded else []
    # The sentences were written beside the recorded parts: if others hold they may be untrue.
    other = recorded is not None and (
        [one.verdict for one in parts] != [word for _, word in recorded.parts]
    )
    extent["whole"] = whole or (extent["whole"] and not other)
    verdict, because = finding.verdict, _because(finding, parts)
    why = _turned(parts, recorded) if recorded and other else finding.why
    if recorded and not whole:
        if recorded.verdict is Verdict.UNDECIDED is not verdict:
            # A smaller run tries fewer choices and sees less: it decides nothing that is left open.
            verdict, because = Verdict.UNDECIDED, "the full run does not decide it"
        # Reasons are those of the full run: a smaller one has none of its own.
        why = why if extent["whole"] else _joined(why if other else "", recorded.why)
        if verdict is Verdict.UNDECIDED and because != recorded.unfit:
            because = _joined(because, recorded.unfit)
    return {
        "place": finding.place,
        "ran": extent,
        "verdict": verdict.value,
        "recorded": recorded and recorded.verdict.value,
        "reproduced": finding.holds and not against,
        "against": against,
        "ours": (_measured(parts, recorded) if recorded and other else "") or finding.ours,
        "more": finding.more,
        "why": why,
        "scale": finding.scale,
        "unfit": because,
        "planted": sum(one.planted for one in parts),
        "open": sum(not one.planted and one.verdict is Verdict.UNDECIDED for one in parts),
        "claims": [str(one) for one in parts],
        "parts": [(one.what, one.verdict.value) for one in parts],
        "facts": [_fact(one) for one in finding.facts],
        "failing": [_fact(one) for one in finding.facts if not one.holds],
        "estimates": [one.to_dict() for one in finding.checks if isinstance(one, Estimate)],
    }


def _joined(here: str, full: str) -> str:
    """What is said of a smaller run, and then what was said of the full one."""
    return " ".join(filter(None, [here and here.rstrip(".") + ".", full and f"{FULL} {full}"]))


def _turned(parts: Sequence[Claim], recorded: Recorded) -> str:
    """Which parts are decided otherwise than recorded, in a sentence; of a smaller run they may."""
    told = [
        f"{one.what} ({one.verdict.value}, recorded: {before.value})"
        for one, before in _otherwise(parts, recorded)
    ]
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    listed = "; ".join([*told[:_NAMED], *more])
    return f"Parts come out otherwise than recorded: {listed}." if told else ""


def _measured(parts: Sequence[Claim], recorded: Recorded) -> str:
    """What parts came to: first what is not as recorded or does not hold, then how many hold."""
    known = {one.what: before for one, before in _otherwise(parts, recorded)}
    weight = [Verdict.DIFFERS, Verdict.UNDECIDED, Verdict.CONFIRMED]
    listed = sorted(parts, key=lambda one: (one.what not in known, weight.index(one.verdict)))
    loose = [one for one in listed if one.what in known or one.verdict is not Verdict.CONFIRMED]
    told = [_value(one, known.get(one.what)) for one in (loose or listed)[:_NAMED]]
    rest = Counter(one.verdict for one in listed[len(told) :])
    words = zip(weight, ("differ", "undecided", "hold"), strict=True)
    return "; ".join(told + [f"{rest[kind]} more {word}" for kind, word in words if rest[kind]])


def _value(one: Claim, before: Verdict | None) -> str:
    """What a part came to, with its verdict if it does not hold, or did not."""
    held = one.verdict is Verdict.CONFIRMED and before is None
    also = f", recorded: {before.value}" if before else ""
    return f"{one.what}: {number(one.found)}" + ("" if held else f" ({one.verdict.value}{also})")


def _fact(fact: Fact) -> str:
    """Return a fact with the wrong value that it rejects, if one is planted."""
    told = fact.holds and fact.tolerance and fact.control is not None
    return f"{fact}; rejects {fact.control:.4g}" if told else str(fact)


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
        ``rows``: one for each finding; of the places of these experiments that have none,
        ``left_out``: those that the suite leaves out, and ``not_judged``: those of experiments
        that failed, or were not run.
    """
    listed = places(root)
    rows: list[dict[str, Any]] = []
    for one in assessed:
        shared = {name: one[name] for name in ("command", "seconds")}
        shared["experiment"] = one["id"]
        for found in one["findings"]:
            rows.append({**_of(listed[found["place"]]), **found, **shared})
    found = {row["place"] for row in rows}
    lost = {kind: _spoken(root, assessed, [kind]) - found for kind in ("failed", "not run")}
    out = _spoken(root, assessed, ["reproduces", "refuted"]) - found.union(*lost.values())
    open_places = [
        _of(place) | {"note": place.note}
        for place in listed.values()
        if not any(place.id in e.experiment.places for e in all_entries(root).values())
    ]
    return {
        "schema": "rlct/1",
        "kind": "validation",
        "suite": suite,
        "reproduced": all(one["status"] != "refuted" for one in assessed),
        "failed": [one["id"] for one in assessed if one["status"] == "failed"],
        "versions": versions(["torch"]),
        "machine": platform.machine(),
        "processor": processor(),
        "experiments": [dict(one) for one in assessed],
        "rows": rows,
        "left_out": [place for place in listed if place in out],
        "not_judged": {
            kind: [place for place in listed if place in some] for kind, some in lost.items()
        },
        "open": open_places,
    }


def _spoken(root: Path, assessed: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> set[str]:
    """Return the places of which experiments speak that ended so."""
    entries = [all_entries(root)[one["id"]] for one in assessed if one["status"] in kinds]
    return {place for entry in entries for place in entry.experiment.places}


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
        If matplotlib is not installed, or the experiment cannot draw these rows.
    """
    from rlct.report.picture import new_figure, render

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

    return render(figure, "svg")
