"""What the committed results say beside a run: what it contradicts, and what it touches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

from validation.framework.claim import Claim, Verdict
from validation.framework.experiment import Data, Experiment, Finding, Rows
from validation.framework.store import rows_by_unit

__all__ = ["Recorded", "changed", "contradictions", "of_record", "otherwise", "touched"]

EXACT_FIELDS = ("lambda", "theta", "exact")  # what rows call λ, θ, and a mean that is integrated


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


def of_record(experiment: Experiment, rows: Rows) -> dict[str, Finding]:
    """Return what recorded rows come to today, by place: it tells how much a smaller run is."""
    try:
        return (
            {one.place_id: one for one in experiment.judge(experiment.full, rows)} if rows else {}
        )
    except Exception:  # rows of other settings than today's
        return {}


def touched(experiment: Experiment, rows: Rows, row: Data, findings: Sequence[Finding]) -> set[str]:
    """Return the places that a piece of work enters: those of which something changes without it.

    Where the judge cannot do without it, or nothing changes, any may rest on it.
    """
    every = {one.place_id for one in findings}
    try:
        without = experiment.judge(experiment.full, [one for one in rows if one is not row])
        return (every - {one.place_id for one in without if one in findings}) or every
    except Exception:
        return every


def changed(experiment: Experiment, rows: Rows, recorded: Rows) -> list[tuple[str, Data]]:
    """Exact values of the calculator that are not those recorded for the same piece of work.

    Each in a sentence, with the row that has it.
    One that is missing now contradicts nothing: a slow machine may reach bounds alone in time.
    """
    run_rows, recorded_rows = (
        rows_by_unit(experiment, experiment.full, some) for some in (rows, recorded)
    )
    return [
        (f"{name} {row[name]}, recorded: {recorded_rows[unit][name]}: {unit}", row)
        for unit, row in run_rows.items()
        for name in EXACT_FIELDS
        if not _same(row.get(name), recorded_rows.get(unit, {}).get(name))
    ]


def _same(now: Any, before: Any) -> bool:
    """Whether nothing contradicts: text and whole numbers exactly, others to what is rounded."""
    if now is None or before is None:
        return True
    if isinstance(now, float) and isinstance(before, float):
        return isclose(now, before, rel_tol=1e-6)
    return bool(now == before)


def contradictions(
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
        f"part {one.verdict.value}, recorded: {before.value}: {one.text}"
        for one, before in otherwise(parts, recorded)
        if one.verdict.contradicts(before) and (whole or one.exact)
    ]


def otherwise(parts: Sequence[Claim], recorded: Recorded) -> list[tuple[Claim, Verdict]]:
    """Parts that are decided otherwise than in the record, with what stands there."""
    known = dict(recorded.parts)
    pairs = [(one, known.get(one.text, one.verdict)) for one in parts]
    return [pair for pair in pairs if pair[0].verdict not in (pair[1], Verdict.UNDECIDED)]
