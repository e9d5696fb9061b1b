"""How much of the full run a run was, for machines and for people."""

from collections.abc import Mapping
from typing import Any

from validation.framework.experiment import Experiment, Finding, Suite
from validation.framework.work import Done

__all__ = ["judged", "notice", "part", "ran", "tally"]


def ran(experiment: Experiment, suite: Suite, done: Done) -> dict[str, Any]:
    """How much of the full run was run: pieces of work, and whether that is all of it."""
    same = dict(experiment.settings(suite)) == dict(experiment.full)
    count = len(list(experiment.units(experiment.full)))
    whole = same and len(done.rows) == count
    return {"pieces": len(done.rows), "of": count, "whole": whole}


def judged(finding: Finding, full: Finding | None, whole: bool) -> dict[str, Any]:
    """How much of a claim was judged.

    Pieces of work do not tell: an experiment has several claims, and which pieces enter one its
    judge alone knows.  Parts have names, and what a smaller run finds as the full one does, value
    by value, was not smaller.

    ``full`` is of the recorded rows, by the same judge; None if nothing is recorded; ``whole``
    says whether all of the experiment was run.  Returned are ``parts`` of those ``of`` the full run
    (None if that is not recorded) by name, ``others`` that it does not have, ``same``: whether the
    former came out with the values of the full run, and ``whole``: whether the claim was judged as
    in the full run.
    """
    texts = {one.text: str(one) for one in finding.parts}
    full_texts = texts if whole else {one.text: str(one) for one in full.parts} if full else {}
    common = [what for what in texts if what in full_texts]
    differing = len(texts) - len(common)
    same = all(texts[what] == full_texts[what] for what in common)
    said = full is not None and all(
        getattr(finding, name) == getattr(full, name) for name in ("ours", "details", "verdict")
    )
    return {
        "parts": len(common),
        "of": len(full_texts) if whole or full else None,
        "others": differing,
        "same": same,
        "whole": whole or (same and said and len(texts) == len(common) == len(full_texts)),
    }


def part(extent: Mapping[str, Any]) -> str:
    """Say in words how much of a claim was judged; nothing if it was all of it.

    Examples
    --------
    >>> some = {"parts": 1, "of": 3, "others": 0, "same": True, "whole": False}
    >>> part(some)
    '1 of 3 parts'
    >>> part({**some, "parts": 3, "same": False})
    '3 of 3 parts, in a smaller run'
    >>> part({**some, "parts": 0, "others": 2})
    'none of 3 parts, 2 with other settings'
    >>> part({**some, "of": None})
    'a smaller run'
    """
    if extent["whole"]:
        return ""
    if extent["of"] is None:
        return "a smaller run"
    smaller = "" if extent["same"] else ", in a smaller run"
    others = f", {extent['others']} with other settings" if extent["others"] else ""
    return f"{extent['parts'] or 'none'} of {extent['of']} parts{smaller}{others}"


def notice(report: Mapping[str, Any]) -> str:
    """Return what a reader is to know first: how small a quick run is, and what was not judged.

    Examples
    --------
    >>> rows = [{"ran": {"whole": True}}, {"ran": {"whole": False}}]
    >>> quick = {"suite": "quick", "rows": rows, "left_out": ["001-figure-3"], "not_judged": {}}
    >>> print(notice(quick)[63:])
    It judges 1 of the claims as the full run does, and 1 in part or with less work. The verdict on a source is that of the full run, shown beside it. It leaves out 1 of them: 001-figure-3.
    >>> failed = {"failed": ["000-figure-1"], "not run": []}
    >>> notice({**quick, "suite": "full", "not_judged": failed})
    'Experiments failed, and these of their claims are not judged: 000-figure-1.'
    """  # noqa: E501
    said = _quick(report) if report["suite"] == "quick" else []
    for status, verb in (("failed", "failed"), ("not run", "were not run")):
        if lost := report["not_judged"].get(status):
            said.append(
                f"Experiments {verb}, and these of their claims are not judged: {', '.join(lost)}."
            )
    return " ".join(said)


def _quick(report: Mapping[str, Any]) -> list[str]:
    whole = [row["ran"]["whole"] for row in report["rows"]]
    out = report["left_out"]
    return [
        "The quick suite is a small run, to see if anything has broken.",
        f"It judges {whole.count(True)} of the claims as the full run does, and "
        f"{whole.count(False)} in part or with less work.",
        "The verdict on a source is that of the full run, shown beside it.",
        *([f"It leaves out {len(out)} of them: {', '.join(out)}."] if out else []),
    ]


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
