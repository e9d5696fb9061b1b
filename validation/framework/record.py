"""Results beside an experiment, its page, and the table of all tables and figures."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlct.errors import InputError
from rlct.system.files import write_whole
from validation.framework.against import Recorded
from validation.framework.catalogue import Entry, all_entries, places
from validation.framework.claim import Verdict
from validation.framework.origin import processor, versions
from validation.framework.report import assess, picture
from validation.framework.store import Store, key, plain, rows_by_unit, unit_text
from validation.framework.work import Done

__all__ = ["keep", "page", "read", "record", "renew", "renewed", "resume", "table", "verdicts"]

TABLE_BEGIN = "<!-- every table and figure: written by rlct validate -->"
TABLE_END = "<!-- end -->"


def record(root: Path, entry: Entry, done: Done) -> None:
    """Write ``<name>.json``, ``.svg`` and ``.md`` of a full run beside the experiment."""
    experiment = entry.experiment
    drawn = picture(entry, "full", done.rows)
    held = {
        "schema": "rlct/1",
        "id": experiment.id,
        "command": experiment.command("full"),
        "version": experiment.version,
        "seed": experiment.seed,
        "settings": dict(experiment.full),
        "versions": versions(experiment.needs),
        "processor": processor(),
        "seconds": round(done.seconds, 1),
        "taken_over": done.taken_over,  # pieces of work of an earlier recording
        "rows": done.rows,
    }
    keep(entry, held)
    if drawn is not None:
        write_whole(entry.beside(".svg"), drawn)
    write_whole(entry.beside(".md"), page(root, entry).encode())
    renew(root)


def keep(entry: Entry, held: dict[str, Any]) -> None:
    """Write results beside an experiment, with the verdicts that they come to today."""
    judged = assess(entry, "full", Done(held["rows"], held["seconds"]))["findings"]
    derived = {"verdicts": "verdict", "parts": "parts", "why": "why", "unfit": "unfit"}
    before = {name: value for name, value in held.items() if name not in (*derived, "rows")}
    before |= {
        name: {one["place"]: one[field] for one in judged} for name, field in derived.items()
    }
    head = json.dumps(before, ensure_ascii=False, indent=1)[:-2]
    rows = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in held["rows"])
    write_whole(entry.beside(".json"), f'{head},\n "rows": [\n{rows}\n ]\n}}\n'.encode())


def read(entry: Entry) -> dict[str, Any] | None:
    """Return the committed results of an experiment, or None."""
    path = entry.beside(".json")
    if not path.exists():
        return None
    try:
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        held["rows"], held["seconds"] = list(held["rows"]), float(held["seconds"])
        held["verdicts"] = {
            place_id: Verdict(word).value for place_id, word in held["verdicts"].items()
        }
        held["parts"] = {
            place_id: [[what, Verdict(word).value] for what, word in held["parts"][place_id]]
            for place_id in held["verdicts"]
        }
        for name in ("why", "unfit"):  # older records do not have them
            held[name] = {place_id: str(text) for place_id, text in held.get(name, {}).items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is no record of an experiment: {error}") from None
    return held


def resume(entry: Entry, store: Store) -> None:
    """Put what is recorded for the same seed and version into the store, as finished.

    That is for settings which ask for more pieces of work than before; the record says how many
    were taken over.
    """
    experiment, held = entry.experiment, read(entry)
    if held is None or (held["version"], held["seed"]) != (experiment.version, experiment.seed):
        return
    share = held["seconds"] / max(1, len(held["rows"]))
    settings = {**experiment.full, **held["settings"]}  # it may ask for what it did not know then
    known = rows_by_unit(experiment, settings, held["rows"])
    for unit in experiment.units(experiment.full):
        if (row := known.get(unit_text(unit))) is not None:
            result = {name: value for name, value in row.items() if name not in plain(dict(unit))}
            name = key(experiment, experiment.full, unit)
            store.save(name, result, share, taken_over=True)


def verdicts(entry: Entry) -> dict[str, Recorded]:
    """Return what was recorded by place, as it was when results were last written.

    They are kept and not judged anew: a theory that has changed since must meet them.
    """
    held = read(entry) or {"verdicts": {}}
    return {
        place: Recorded(
            Verdict(word),
            tuple((what, Verdict(one)) for what, one in held["parts"][place]),
            tuple(held["rows"]),
            held["why"].get(place, ""),
            held["unfit"].get(place, ""),
        )
        for place, word in held["verdicts"].items()
    }


def committed(entry: Entry) -> dict[str, Any] | None:
    """Judge the committed results anew."""
    held = read(entry)
    return held and assess(entry, "full", Done(held["rows"], held["seconds"]), verdicts(entry))


def page(root: Path, entry: Entry) -> str:
    """Write the page of an experiment from its committed results."""
    experiment, held = entry.experiment, read(entry)
    answer = committed(entry)
    if held is None or answer is None:
        raise InputError(f"{experiment.id} has no results: --suite full --record makes them")
    lines = [f"# {experiment.title}", ""]
    lines += [experiment.about, ""] if experiment.about else []
    if experiment.draw is not None:
        lines += [f"![{experiment.title}]({entry.path.stem}.svg)", ""]
    for finding in answer["findings"]:
        place = places(root)[finding["place"]]
        lines += [f"## {place.where} of {place.source}: {finding['verdict']}", ""]
        lines += [f"**Claimed.** {place.claim}", "", f"**Found.** {finding['ours']}", ""]
        for title, text in (
            ("In full", finding["more"]),
            ("Undecided", finding["unfit"]),
            ("Why", finding["why"]),
            ("Smaller than there", finding["scale"]),
        ):
            lines += [f"**{title}.** {text}", ""] if text else []
        for title, checks in (
            ("What is claimed", finding["claims"]),
            ("Our theory", finding["facts"]),
        ):
            lines += [f"{title}:", "", *(f"- {one}" for one in checks), ""] if checks else []
    lines += ["## Rerun", "", f"    {held['command']}", ""]
    named = [f"{name} {number}" for name, number in held["versions"].items()]
    if held.get("processor"):  # older records do not say
        named.append(f"processor {held['processor']}")
    versions = ", ".join(named)
    taken = held["taken_over"]
    over = f"; {taken} of {len(held['rows'])} pieces of work are of an earlier run" if taken else ""
    spent = f"{duration(held['seconds'])} of processor time{over}"
    lines += [f"Seed {held['seed']}; {spent}; {versions}. Settings:", ""]
    settings = (f"    {name} = {json.dumps(v)}" for name, v in held["settings"].items())
    return "\n".join([*lines, *settings, ""])


def duration(seconds: float) -> str:
    """Return a length of time in words.

    Examples
    --------
    >>> duration(0.4), duration(75), duration(7300)
    ('1 s', '75 s', '2.0 h')
    """
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def table(root: Path) -> str:
    """Return the table of every table and figure, from the committed results."""
    by_place: dict[str, list[tuple[Entry, dict[str, Any], dict[str, Any]]]] = {}
    for entry in all_entries(root).values():
        answer = committed(entry)
        if answer is None:
            continue
        for finding in answer["findings"]:
            by_place.setdefault(finding["place"], []).append((entry, answer, finding))
    listed = places(root)
    missing = sum(listed_place not in by_place for listed_place in listed)
    own = sum(re.fullmatch(r"(Figure|Table) [0-9]+", listed_place.where) is not None
              for listed_place in listed.values())  # fmt: skip
    counts = (
        f"{len(listed)} claims of the five sources and of the literature, {own} of them the "
        "numbered tables and figures of the sources"
    )
    shown = [finding for rows in by_place.values() for _, _, finding in rows]
    parts = sum(len(one["claims"]) for one in shown)
    planted, bare = (sum(one[name] for one in shown) for name in ("planted", "open"))
    lines = [f"{counts}; {missing} are not run yet. {planted} of {parts} parts of claims have "
             f"a planted wrong value that is rejected; of the others {parts - planted - bare} fail "
             f"and {bare} are undecided. {_power(shown)}", ""]  # fmt: skip
    lines += ["| place | claim | our value | verdict | command | time |"]
    lines += ["|---|---|---|---|---|---|"]
    for listed_place in listed.values():
        rows = by_place.get(listed_place.id)
        where = f"{listed_place.source}, {listed_place.where}"
        if not rows:
            mine = [e for e in all_entries(root).values() if listed_place.id in e.experiment.places]
            command = f"`{mine[0].experiment.command('full')}`" if mine else ""
            lines.append(
                _line([where, listed_place.claim, listed_place.note, "not run yet", command, ""])
            )
        for entry, judged, finding in rows or ():
            link = f"[{finding['verdict']}](experiments/{entry.path.parent.name}/"
            ours = finding["ours"]
            command = f"`{entry.experiment.command('full')}`"
            verdict = f"{link}{entry.path.stem}.md)" + (" ▽" if finding["scale"] else "")
            decided = finding["verdict"] != Verdict.UNDECIDED.value
            verdict += " ◇" if decided and not finding["planted"] else ""
            time = duration(judged["seconds"])
            lines.append(_line([where, listed_place.claim, ours, verdict, command, time]))
    return "\n".join([*lines, ""])


def _power(findings: Sequence[dict[str, Any]]) -> str:
    """Say which wrong λ the estimates would reject."""
    # One that stands in two rows counts once.
    held = {(one["what"], one["found"]): one["rejects_beyond"]
            for found in findings for one in found["estimates"]}  # fmt: skip
    beyond = sorted(held.values())
    if not beyond:
        return ""
    return (
        f"{len(beyond)} estimates stand beside a λ of ours; a wrong one would be rejected if it "
        f"were off by more than {beyond[len(beyond) // 2]:.1%} in the median, {beyond[-1]:.0%} at "
        "worst."
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '∣') for cell in cells)} |"


def renewed(root: Path) -> str:
    """Return ``README.md`` of the folder with the table as it should be."""
    text = (root / "README.md").read_text(encoding="utf-8")
    before, begin, rest = text.partition(TABLE_BEGIN)
    _, end, after = rest.partition(TABLE_END)
    if not begin or not end:
        raise InputError(f"README.md of {root} has no place for the table")
    return f"{before}{TABLE_BEGIN}\n\n{table(root)}\n{TABLE_END}{after}"


def renew(root: Path) -> None:
    """Write every page and the table anew, from the committed results."""
    for entry in all_entries(root).values():
        if read(entry) is not None:
            write_whole(entry.beside(".md"), page(root, entry).encode())
    write_whole(root / "README.md", renewed(root).encode())
