"""The report as one page that needs nothing else: no network, no script, pictures inside."""

import base64
import re
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from validation.framework.catalogue import SOURCE_TITLES
from validation.framework.extent import notice, part, tally
from validation.framework.glossary import GLOSSARY_TERMS

__all__ = ["write_html"]

_PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #1b2a3a; --soft: #4c5b6b; --line: #d5dce3;
  --back: #f4f6f8; --card: #fff; --link: #1d5a94; --good: #14603a; --good-back: #e7f5ec;
  --bad: #8c1c13; --bad-back: #fdecea; --other: #6b4a00; --other-back: #fff5dc;
  --none: #4c5b6b; --none-back: #eef1f4 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e3e9ef; --soft: #a9b6c3;
  --line: #36424e; --back: #12181e; --card: #1b232b; --link: #8cc0f2; --good: #8fdcb0;
  --good-back: #143322; --bad: #ffb3aa; --bad-back: #47201c; --other: #f2d28b;
  --other-back: #3d3011; --none: #b8c4d0; --none-back: #27313b } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere }
main { max-width: 54rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; line-height: 1.35 }
h3 { font-size: 1.1rem; margin: 0 0 .5rem; line-height: 1.3 }
h4 { font-size: 1rem; margin: 0 }
a, summary { color: var(--link) }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: 1rem; margin: 1rem 0 }
section { border-top: 1px solid var(--line); padding-top: .75rem; margin-top: .75rem }
header p, dl { margin: .5rem 0 }
dt { color: var(--soft); font-size: .85rem }
dd { margin: 0 0 .5rem }
.picture { overflow-x: auto; margin: .5rem 0 }
.picture img { display: block; background: #fff; width: 100%; max-width: 42rem; height: auto }
.pan { display: none } @media (max-width: 46rem) { .pan { display: block } }
pre { background: var(--back); border: 1px solid var(--line); border-radius: .3rem; margin: .5rem 0;
  padding: .5rem .6rem; white-space: pre-wrap; font: .85rem/1.4 ui-monospace, monospace }
.mark { display: inline-block; border-radius: 1rem; padding: .05rem .6rem; margin: .25rem 0;
  font-size: .85rem; font-weight: 600; border: 1px solid currentColor }
.good { color: var(--good); background: var(--good-back) }
.bad { color: var(--bad); background: var(--bad-back) }
.other { color: var(--other); background: var(--other-back) }
.none { color: var(--none); background: var(--none-back) }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
td, th { text-align: left; vertical-align: top; padding: .3rem .5rem .3rem 0;
  border-top: 1px solid var(--line) }
th { overflow-wrap: normal } #words dt { font-weight: 600 }
details { margin: .5rem 0 } summary { cursor: pointer; padding: .3rem 0 }
ul { padding-left: 1.2rem; margin: .3rem 0 }
.soft { color: var(--soft); font-size: .9rem }
@media print { body { background: #fff } article { break-inside: avoid } }
"""

_BAD_STATES = ("refuted", "failed")

_SHOWN_CAUSES = 5  # of what refutes a claim, unfolded

_REM_PER_INCH = (
    3.7  # of width for each inch, below which letters are too small: wider ones are panned
)

#: Of the full run, and of a part of it.
_VERDICT_WORDS = {
    "confirmed": ("source confirmed", "held in what was run"),
    "differs": ("differs from the source", "differs in what was run"),
    "undecided": ("undecided", "undecided by what was run"),
}


def write_html(report: Mapping[str, Any], pictures: Mapping[str, bytes], note: str = "") -> str:
    """Return the page of what `validation.framework.report.build` says.

    Pictures are SVG by id of the experiment; a note stands beside the summary.
    """
    by_place = {(row["experiment"], row["place"]): row for row in report["rows"]}
    body = [_summary(report, note), _words(), _contents(report["experiments"])]
    for number, title in SOURCE_TITLES.items():
        own = [one for one in report["experiments"] if one["source"] == number]
        if own:
            body.append(f"<h2>{number} · {escape(title)}</h2>")
        body += [_card(one, by_place, pictures.get(one["id"])) for one in own]
    body.append(_open(report["open"]))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>Experiments of the sources, rerun</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{chr(10).join(body)}\n</main>\n</body>\n</html>\n"
    )


def _inches(drawn: bytes) -> float:
    """Width of a picture by matplotlib."""
    found = re.search(rb'width="([0-9.]+)pt"', drawn[:2000])
    return float(found[1]) / 72 if found else 0.0


def _contents(experiments: Sequence[Mapping[str, Any]]) -> str:
    items = "".join(
        f'<li><a href="#{escape(one["id"])}">{escape(one["title"])}</a> '
        f'<span class="soft">({one["source"]})</span></li>'
        for one in experiments
    )
    return f"<details><summary>Contents</summary><ul>{items}</ul></details>"


def _words() -> str:
    # The address is inside, so that following it opens what is folded.
    items = "".join(f"<dt>{term}</dt><dd>{escape(text)}</dd>" for term, text in GLOSSARY_TERMS)
    return f'<details><summary>Words, explained</summary><dl id="words">{items}</dl></details>'


def _prose(text: str) -> str:
    """Paragraphs, lists and blocks of a module's text."""
    return "".join(_block(one) for one in re.split(r"\n{2,}", text) if one)


def _block(text: str) -> str:
    if text.startswith("    "):
        return f"<pre>{escape(textwrap.dedent(text))}</pre>"
    inline = re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text, quote=False))
    inline = re.sub(r"(?<!\w)\*(?=\S)([^*]+)(?<=\S)\*(?!\w)", r"<em>\1</em>", inline)
    first, *items = re.split(r"(?:^|\n)- ", inline)
    listed = "".join(f"<li>{one}</li>" for one in items)
    return (f"<p>{first}</p>" if first else "") + (f"<ul>{listed}</ul>" if items else "")


def _mark(kind: str, text: str) -> str:
    return f'<span class="mark {kind}">{escape(text)}</span>'


def _summary(report: Mapping[str, Any], note: str) -> str:
    failed = [entry for entry in report["experiments"] if entry["status"] in _BAD_STATES]
    wrong = sum(entry["status"] == "refuted" for entry in failed)
    ours = _mark("good", "nothing is refuted")
    if wrong:
        ours = _mark("bad", f"{wrong} of our experiments refuted: exit code 1")
    elif failed:
        ours = _mark("bad", f"{len(failed)} experiments failed: exit code 3")
    links = "".join(
        f'<li><a href="#{escape(entry["id"])}">{escape(entry["title"])}</a></li>'
        for entry in failed
    )
    versions = ", ".join(f"{name} {value}" for name, value in report["versions"].items())
    seconds = sum(entry["seconds"] for entry in report["experiments"])
    before = f"<p><b>{escape(notice(report))}</b></p>\n" if notice(report) else ""
    extra = f'<p class="mark other">{escape(note)}</p>' if note else ""
    return (
        "<header>\n<h1>Experiments of the sources, rerun</h1>\n"
        f"<p>Suite <b>{escape(report['suite'])}</b>: {len(report['experiments'])} experiments, "
        f"{len(report['rows'])} claims of the sources: {tally(report) or 'none judged'}.</p>\n"
        f"{before}"
        f"<p>{ours}</p>\n<ul>{links}</ul>\n{extra}"
        '<p class="soft">Two things are told apart. <b>The verdict on the source</b> is computed '
        "from checks, each a measured value beside the claimed range, most with a planted wrong "
        "value that must be rejected: <i>confirmed</i> if all hold, <i>differs</i> if one fails, "
        "<i>undecided</i> if the run cannot tell. <b>Refuted</b> is only what is ours, and then "
        "the exit code is 1: a theoretical value that this run contradicts, or a recorded verdict, "
        "or part of one, that no longer comes out. "
        '<a href="#words">Words</a> such as λ, LLC and <i>planted</i> are explained below.</p>\n'
        f'<p class="soft">{seconds:.0f} s of processor time; {escape(versions)}.</p>\n</header>'
    )


def _card(entry: Mapping[str, Any], rows: Mapping[Any, Any], drawn: bytes | None) -> str:
    parts = [f'<article id="{escape(entry["id"])}">', f"<h3>{escape(entry['title'])}</h3>"]
    if entry["status"] != "reproduces":
        kind = "bad" if entry["status"] in _BAD_STATES else "none"
        parts.append(_mark(kind, entry["status"]))
    if entry.get("reason"):
        parts.append(f"<p>{escape(entry['reason'])}</p>")
    if entry["about"]:
        sizes = "" if entry["ran"]["whole"] else ", at the size of the full run"
        parts.append(
            f"<details><summary>What is simulated{sizes}</summary>{_prose(entry['about'])}"
            '<p class="soft"><a href="#words">Words</a></p></details>'
        )
    if drawn is not None:
        data = base64.b64encode(drawn).decode()
        about, wide = escape(entry["title"]), _REM_PER_INCH * _inches(drawn)
        if wide > 15:  # than a phone of 320 points inside of its margins
            remark = "On a narrow screen the picture scrolls sideways."
            parts.append(f'<p class="soft pan">{remark}</p>')
        parts.append(
            f'<div class="picture" tabindex="0" role="group" aria-label="figure: {about}">'
            f'<img alt="{about}" style="min-width: {wide:.0f}rem" '
            f'src="data:image/svg+xml;base64,{data}"></div>'
        )
    parts += [_claim(rows[entry["id"], finding["place"]]) for finding in entry["findings"]]
    parts.append(
        f"<section><p class='soft'>Rerun (seed {entry['seed']}; {entry['seconds']:.1f} s of "
        f"processor time{_pieces(entry['ran'])}):</p>"
        f"<pre>{escape(entry['command'])}</pre>"
        f"<details><summary>Settings</summary>{_settings(entry)}</details></section>"
    )
    return "\n".join([*parts, "</article>"])


def _pieces(extent: Mapping[str, Any]) -> str:
    if extent["whole"]:
        return ""
    return f"; {extent['pieces']} pieces of work, {extent['of']} in the full run"


def _settings(entry: Mapping[str, Any]) -> str:
    """The settings, and those of the full run where they are others."""
    own, full = entry["settings"], entry["full_settings"]
    rows = ""
    for name in dict.fromkeys([*own, *full]):
        value = escape(str(own.get(name, "–")))
        if own.get(name) != full.get(name):
            value += f'<br><span class="soft">full run: {escape(str(full.get(name, "–")))}</span>'
        rows += f"<tr><th>{escape(name)}</th><td>{value}</td></tr>"
    return f"<table>{rows}</table>"


def _claim(row: Mapping[str, Any]) -> str:
    verdict = row["verdict"]
    kind = {"confirmed": "good", "undecided": "none"}.get(verdict, "other")
    ran, full = part(row["ran"]), row["recorded"] or "not recorded"
    said = _VERDICT_WORDS[verdict][bool(ran)]
    marks = _mark(kind, f"{said}: {ran} (full run: {full})" if ran else said)
    if verdict != "undecided" and not row["planted"]:
        marks += " " + _mark("none", "nothing wrong was rejected")
    if row["scale"]:
        marks += " " + _mark("none", "smaller than the source")
    if not row["reproduced"]:
        marks = _mark("bad", "ours is refuted") + " " + marks
    terms = (("Claimed", "claim"), ("Found", "ours"), ("Undecided because", "unfit"))
    details = (("In full", "more"), ("Why", "why"), ("Smaller than in the source", "scale"))
    checks = (
        ("Contradicts the record", row["against"]),
        ("What is claimed", _loose_first(row)),
        ("Our theory", [*row["failing"], *(x for x in row["facts"] if x not in row["failing"])]),
    )
    listed = "".join(_listed(title, held) for title, held in checks)
    return (
        f"<section><h4>{escape(row['where'])}</h4>{marks}"
        f"<dl>{_causes(row)}{_terms(row, terms)}</dl>"
        f"<details><summary>Why, and what was checked ({_counts(row)})</summary>"
        f"<dl>{_terms(row, details)}{listed}</dl></details></section>"
    )


def _causes(row: Mapping[str, Any]) -> str:
    """What refutes a claim, where a reader sees it without unfolding anything."""
    causes = [] if row["reproduced"] else [*row["against"], *row["failing"]]
    more = (
        [f"{len(causes) - _SHOWN_CAUSES} more, folded below"] if len(causes) > _SHOWN_CAUSES else []
    )
    return _listed("Refuted by", [*causes[:_SHOWN_CAUSES], *more])


def _listed(title: str, held: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(one)}</li>" for one in held)
    return f"<dt>{title}</dt><dd><ul>{items}</ul></dd>" if held else ""


def _loose_first(row: Mapping[str, Any]) -> list[str]:
    """The parts of a claim, those that hold last."""
    pairs = zip(row["claims"], (verdict for _, verdict in row["parts"]), strict=True)
    order = ("differs", "undecided", "confirmed")
    return [text for text, _ in sorted(pairs, key=lambda pair: order.index(pair[1]))]


def _counts(row: Mapping[str, Any]) -> str:
    """How many parts of a claim hold, and how many facts of ours."""
    count, facts = len(row["parts"]), len(row["facts"])
    held = sum(verdict == "confirmed" for _, verdict in row["parts"])
    said = [f"{held} of {count} parts hold"] if count else []
    said += [f"{facts - len(row['failing'])} of {facts} facts of our theory"] if facts else []
    return ", ".join(said) or "no checks"


def _terms(row: Mapping[str, Any], names: Sequence[tuple[str, str]]) -> str:
    return "".join(
        f"<dt>{title}</dt><dd>{escape(row[name])}</dd>" for title, name in names if row[name]
    )


def _open(places: list[dict[str, str]]) -> str:
    if not places:
        return ""
    items = "".join(
        f"<li><b>{escape(one['place'][:3])}, {escape(one['where'])}</b>: {escape(one['claim'])}"
        f"{' ' + escape(one['note']) if one['note'] else ''}</li>"
        for one in places
    )
    return (
        f"<h2>Not run yet</h2>\n<article><details><summary>{len(places)} claims "
        f"without an experiment</summary><ul>{items}</ul></details></article>"
    )
