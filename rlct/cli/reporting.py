"""What the commands on models print: the answer, and the simulation that tries it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rlct.cli import common, explaining, files, ranges, tables
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.answers.result import Result

__all__ = ["answer", "report", "run"]


def run(options: argparse.Namespace) -> int:
    """Run a command that sets ``ask``: a table if sizes are ranges, else one answer."""
    explaining.check_explain(options, table=tables.wanted(options))
    if tables.wanted(options):
        return tables.run(options)
    result = answer(options)
    files.write_certificate(options.certificate, result.certificate)
    return report(options, result, options.footer(result) if "footer" in options else "")


def answer(options: argparse.Namespace) -> Result:
    """Answer what such a command asks."""
    from rlct.answers.exact import solve
    from rlct.answers.result import Result

    asked = options.ask(ranges.cases(options)[0].options)
    return asked if isinstance(asked, Result) else solve(asked, timeout=options.timeout)


def report(options: argparse.Namespace, result: Result, footer: str = "") -> int:
    """Print a result, and a simulation if ``--check`` asks for it; return the exit code."""
    from rlct.answers.check import check
    from rlct.report.text import answer_with_routes, comparison_text
    from rlct.system.progress import progress_bar

    answer = {**result.to_dict(), **explaining.appendix(options, result)} if options.json else {}
    if not options.json:
        told = explaining.explained(options, result)
        if told is None:
            common.say(answer_with_routes(result) + footer)
        else:
            print(told, flush=True)
    elif not options.check:
        common.print_json(answer)
    if not options.check:
        return common.exit_code(result)
    try:
        with progress_bar("simulation") as show:
            comparison = check(result, seed=options.seed, progress=show)
    except InputError as error:
        # The answer stands; only the simulation was refused.
        if options.json:
            refused = {"verdict": "inconclusive", "reason": str(error)}
            common.print_json({**answer, "check": refused})
        else:
            common.say(f"Simulation   not run: {error}")
        return 3
    if options.json:
        common.print_json({**answer, "check": comparison.to_dict()})
    else:
        common.say(comparison_text(comparison))
    return common.verdict_code(comparison)
