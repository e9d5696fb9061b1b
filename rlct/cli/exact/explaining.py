"""``--explain`` and ``--cite``: the argument behind an answer, and its sources."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.report.width import columns

if TYPE_CHECKING:
    from rlct.answers.result import Result

_USUAL_WIDTH, _WIDEST_PAGE = 88, 120


def add_explain(parser: argparse.ArgumentParser) -> None:
    """``--explain``, ``--format`` and ``--cite``."""
    group = parser.add_argument_group("explanation and sources")
    group.add_argument(
        "--explain", action="store_true", help="explain the argument step by step, with sources"
    )
    group.add_argument(
        "--format",
        choices=("text", "markdown", "latex", "html"),
        help="of --explain: text (the default), markdown, latex, html",
    )
    group.add_argument(
        "--cite", action="store_true", help="print BibTeX of everything the answer rests on"
    )


def check_explain(options: argparse.Namespace, *, table: bool = False) -> None:
    """Refuse options that do not fit together, before any work is done."""
    if options.format and not options.explain:
        raise InputError("--format says how to print --explain: add --explain")
    if table and (options.explain or options.cite):
        raise InputError("--explain and --cite are for one case: leave out ranges")


def explanation_text(options: argparse.Namespace, result: Result) -> str | None:
    """The explanation of a result if it is asked for, with BibTeX if that is."""
    parts = []
    if options.explain:
        width = min(columns() or _USUAL_WIDTH, _WIDEST_PAGE)
        parts.append(result.explain(options.format or "text", width=width).rstrip())
    if options.cite:
        parts.append(result.cite())
    return "\n\n".join(parts) or None


def with_open_ends(options: argparse.Namespace, result: Result) -> Result:
    """Note at which germs a proof of bounds ends, where the explanation is not asked for."""
    if result.status == "exact" or result.certificate is None or options.explain:
        return result
    from rlct.explain.explanation import open_ends
    from rlct.system.time_limit import in_time_left

    ends = in_time_left(lambda: open_ends(result)) or ()
    return replace(result, notes=(*result.notes, *ends))


def explanation_entries(options: argparse.Namespace, result: Result) -> dict[str, Any]:
    """Entries that ``--explain`` and ``--cite`` add to the JSON object."""
    json_entries: dict[str, Any] = {}
    if options.explain:
        from rlct.explain.explanation import Explanation

        json_entries["explanation"] = Explanation.of(result).to_dict()
        if options.format:
            json_entries["explanation"][options.format] = result.explain(options.format)
    if options.cite:
        json_entries["bibtex"] = result.cite()
    return json_entries
