"""What commands print: the answer, and the simulation that tries it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.exact import explaining, tables
from rlct.cli.kit import ranges
from rlct.errors import InputError, TooLargeError

if TYPE_CHECKING:
    from rlct.answers.result import Result


def add_outcome(parser: argparse.ArgumentParser) -> None:
    """Add what a command that sets ``ask`` does with its answer, and how it runs."""
    common.add_certificate(parser)
    parser.add_argument(
        "--check", action="store_true", help="confirm the value by simulation, outside of --timeout"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the simulation (default 0)")
    common.add_timeout(parser, common.EACH_ROW, is_whole=False)
    tables.add_table(parser)
    explaining.add_explain(parser)
    common.add_json(parser)
    parser.set_defaults(run=run_command, answer=answer_command)


def run_command(options: argparse.Namespace) -> int:
    """Run a command that sets ``ask``: a table if sizes are ranges, else one answer."""
    explaining.check_explain(options, table=tables.asks_table(options))
    if tables.asks_table(options):
        return tables.run_table(options)
    result = explaining.with_open_ends(options, answer_command(options))
    files.write_certificate(options.certificate, result.certificate)
    return print_result(options, result, options.footer(result) if "footer" in options else "")


def answer_command(options: argparse.Namespace) -> Result:
    """Answer what such a command asks."""
    from rlct.answers.exact import solve
    from rlct.answers.result import Result
    from rlct.system.progress import work_counter

    silent = bool(getattr(options, "json", False))
    with common.in_time(options.timeout, options), work_counter("germs examined", is_silent=silent):
        asked = options.ask(ranges.cases(options)[0].options)
        return asked if isinstance(asked, Result) else solve(asked, timeout=options.timeout)


def print_result(options: argparse.Namespace, result: Result, footer: str = "") -> int:
    """Print a result, and a simulation if ``--check`` asks for it; return the exit code."""
    from rlct.answers.check import check
    from rlct.report.text import answer_with_routes, comparison_text
    from rlct.system.progress import progress_bar

    answer_json = _answer_json(options, result) if options.json else {}
    if not options.json:
        _print_text(options, result, answer_with_routes(result) + footer)
    elif not options.check:
        common.print_json(answer_json)
    if not options.check:
        return common.exit_code(result)
    try:
        with progress_bar("simulation") as show:
            comparison = check(result, seed=options.seed, progress=show)
    except InputError as error:
        # The answer stands; only the simulation was refused.
        if options.json:
            refused = {"verdict": "inconclusive", "reason": str(error)}
            common.print_json({**answer_json, "check": refused})
        else:
            common.print_text(f"Simulation   not run: {error}")
        return 3
    if options.json:
        common.print_json({**answer_json, "check": comparison.to_dict()})
    else:
        common.print_text(comparison_text(comparison))
    return common.verdict_code(comparison)


def run_problem(options: argparse.Namespace) -> int:
    """Answer a question about polynomials, print it and write what is asked for."""
    from rlct.report.text import answer_lines

    explaining.check_explain(options)
    files.check_plot(options.plot)
    result = explaining.with_open_ends(options, options.answer(options))
    poles = result.poles() if options.poles else None
    certificate = result.certificate
    if certificate and poles and options.certificate:
        from rlct.blowup.pole_table import pole_evidence

        certificate = {**certificate, **pole_evidence(result.question, poles)}
    files.write_certificate(options.certificate, certificate)
    if options.json:
        of_poles = {} if poles is None else {"poles": [pole.to_dict() for pole in poles]}
        common.print_json({**_answer_json(options, result), **of_poles})
    else:
        from rlct.report.tree import poles_text

        lines = [answer_lines(result), *poles_text(poles or ())]
        _print_text(options, result, "\n".join(lines))
    if options.plot is not None:
        from rlct.report.plots import landscape

        files.write_plot(options.plot, lambda: landscape(result).figure)
    return common.exit_code(result)


def _answer_json(options: argparse.Namespace, result: Result) -> dict[str, Any]:
    return {**result.to_dict(), **explaining.explanation_entries(options, result)}


def _print_text(options: argparse.Namespace, result: Result, answer: str) -> None:
    """Print the argument if ``--explain`` asks for it, else the answer."""
    from rlct.system.time_limit import in_time_left

    explanation = in_time_left(lambda: explaining.explanation_text(options, result))
    if explanation is None:
        common.print_text(answer)
        if options.explain or options.cite:
            common.print_text("note: --timeout was over before the explanation was written")
    else:
        print(explanation, flush=True)


def certificate_line(result: Result) -> str:
    """Verify the certificate of a result, and say so."""
    from rlct.certificate.verify import verify

    if result.certificate is None:
        reason = "the theorem and its hypotheses are the proof"
        if not result.routes[0].title:  # a theorem has one, the engine has none
            reason = "each piece has one of its own"
        if result.method.startswith("rank"):
            reason = "a rank at a tolerance has none"
        checked = f"none: {reason}"
    else:
        try:
            verify(result.certificate)
            checked = "verified by separate code"
        except TooLargeError as error:
            checked = f"not verified: {error}"
    return f"\nCertificate  {checked}"
