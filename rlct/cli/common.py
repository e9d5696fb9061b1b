"""Options and printing shared by the commands."""

from __future__ import annotations

import argparse
import gc
import json
import math
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rlct.cli import files
from rlct.cli.colour import add_colours
from rlct.errors import InputError, OutOfTimeError
from rlct.questions.arguments import generators_of, listed_items, point_of, region_of

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.models.linear_networks.linear import LinearNetwork
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.problem import Problem
    from rlct.sampling.comparison import Comparison
    from rlct.sampling.estimate import Estimate


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_certificate(parser: argparse.ArgumentParser) -> None:
    """``--certificate``."""
    parser.add_argument(
        "--certificate", type=files.file_name, metavar="FILE", help="write the proof as JSON"
    )


_LONGEST_REPEATED = 200  # characters of an expression in a message
_TIMEOUT_HELP = "seconds after which the best bounds so far are printed (exit code 3)"
_LOADING_SECONDS = 2.2  # of the processor, for the modules of a question
_LATE_SHARE, _LATE_SECONDS = 0.2, 0.4  # of the time, and more, until all that still runs is ended
EACH_ROW = f"{_TIMEOUT_HELP}; in a table over sizes, for each row"


def add_timeout(
    parser: argparse.ArgumentParser, help_text: str = _TIMEOUT_HELP, *, is_whole: bool = True
) -> None:
    """``--timeout`` of the whole command, or of each question that it asks."""
    parser.add_argument("--timeout", type=_seconds, metavar="S", help=help_text)
    parser.set_defaults(whole=is_whole)


def add_sampling_timeout(parser: argparse.ArgumentParser, event: str) -> None:
    """``--timeout`` after which ``event`` happens, as at Ctrl-C."""
    add_timeout(parser, f"seconds after which {event} (exit code 3)")
    parser.set_defaults(interrupts=True)


@contextmanager
def in_time(seconds: float | None, options: argparse.Namespace) -> Iterator[None]:
    """End a block with `OutOfTimeError` if it goes on long after its time."""
    from rlct.system.time_limit import Budget, is_late, time_limit

    with time_limit(
        seconds,
        Budget(seconds),
        hears_interrupts=False,
        # Where the processor is busy, the time may be over before the modules are loaded.
        processor_seconds=(1 + _LATE_SHARE) * max(seconds or 0, _LOADING_SECONDS) + _LATE_SECONDS,
        as_interrupt=getattr(options, "interrupts", False),
    ):
        try:
            yield
        except KeyboardInterrupt as stop:
            if is_late():
                raise OutOfTimeError(str(stop)) from None
            raise


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


class _JoinedItems(argparse.Action):
    """An option that may be repeated: ``--at x=1 --at y=0`` is ``--at x=1,y=0``."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        earlier_items = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{earlier_items},{values}" if earlier_items else values)


def _add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--at",
        action=_JoinedItems,
        metavar="x=0,y=1",
        help="the point, or 0,1 in the order of the variables; the origin by default; "
        "x=root(t^2-2,1..2) for the root of a polynomial in an interval, x=1+sqrt(2)/2 for "
        "arithmetic with roots",
    )
    parser.add_argument("--prior", metavar="EXPR", help="monomial prior, such as x*y**3")
    parser.add_argument(
        "--nonneg",
        action=_JoinedItems,
        metavar="x,y",
        help="variables restricted to x >= 0; or linear walls: 1-x-y, x<=y",
    )


def add_over(parser: argparse.ArgumentParser) -> None:
    """``--over``."""
    parser.add_argument(
        "--over",
        action=_JoinedItems,
        metavar="x=-2:2,y=-2..2",
        help="ask for the minimum over a box; --over=-2:2 bounds every variable; with linear "
        "walls: 0:1,x+y<=1 or 0<=x<=y<=1",
    )


def add_plot(parser: argparse._ActionsContainer, purpose: str = "draw it") -> None:
    """``--plot``."""
    parser.add_argument(
        "--plot",
        type=files.picture_file,
        metavar="FILE",
        help=f"{purpose}: FILE.png, FILE.svg or FILE.pdf",
    )


def add_poly(parser: argparse.ArgumentParser) -> None:
    """K itself."""
    parser.add_argument("expression", metavar="EXPR", help="K, or - to read it from stdin")
    _add_place(parser)
    parser.set_defaults(kind="poly")


def add_ideal(parser: argparse.ArgumentParser) -> None:
    """Generators of an ideal."""
    generators = "generators f of K = sum of f**2, or - to read one a line from stdin"
    _add_several(parser, "ideal", generators)


def add_expressions(parser: argparse.ArgumentParser) -> None:
    """K itself, or generators of an ideal."""
    either = "K itself; or the word ideal and generators f of K = sum of f**2, as two or more "
    _add_several(parser, "", f"{either}are without it; - reads one a line from stdin")


def _add_several(parser: argparse.ArgumentParser, kind: str, text: str) -> None:
    parser.add_argument("expressions", nargs="+", metavar="EXPR", help=text)
    _add_place(parser)
    parser.set_defaults(kind=kind)


def add_linear(
    parser: argparse.ArgumentParser,
    read_width: Callable[[str], Any] = int,
    read_integer: Callable[[str], Any] = int,
    *,
    weights: bool = False,
) -> None:
    """A linear network; ``read_width`` and ``read_integer`` read what is typed, perhaps ranges.

    With ``weights`` it may be given by a file of its weights instead.
    """
    parser.add_argument(
        "widths",
        nargs="*" if weights else "+",
        type=read_width,
        metavar="WIDTH",
        help="layer widths from input to output",
    )
    parser.add_argument(
        "--rank",
        type=read_integer,
        required=not weights,
        metavar="R",
        help="rank of the true linear map",
    )
    if weights:
        parser.add_argument(
            "--weights",
            metavar="FILE",
            help="JSON list of matrices A_1, ..., A_L, in place of widths",
        )
    parser.add_argument("--bias", action="store_true", help="every layer has a bias")
    parser.add_argument(
        "--input-rank",
        type=read_integer,
        metavar="R",
        help="rank of the inputs' second moment, if deficient",
    )
    parser.set_defaults(kind="linear")


def take_options(
    options: argparse.Namespace, add_options: Callable[[argparse.ArgumentParser], object]
) -> list[str]:
    """Read a command's own options among the words of a question, and return the other words."""
    from rlct.cli.parser import Parser

    own_parser = Parser(prog="rlct", add_help=False)
    add_options(own_parser)
    words: list[str] = own_parser.parse_known_args(options.words, options)[1]
    return words


def question_options(words: Sequence[str], command: str) -> argparse.Namespace:
    """Parse the words of a question as the command does that they name."""
    from rlct.cli.commands import build_parser
    from rlct.cli.kit.ranges import is_range

    if not words:
        raise InputError(f"the question is missing: write 'rlct {command} model …'")
    asked_options: argparse.Namespace = build_parser().parse_args(words)
    if not hasattr(asked_options, "answer"):
        raise InputError(f"rlct {words[0]} asks for no λ: {command} takes what does")
    for option in ("check", "csv", "explain", "cite", "cache", "resume"):
        if getattr(asked_options, option, None):
            raise InputError(f"--{option} is no option of {command}: ask without '{command}'")
    if is_range(asked_options):
        raise InputError(f"{command} is for one case: leave out ranges")
    return asked_options


def expressions_of(options: argparse.Namespace) -> Sequence[str]:
    """Read the expressions of a question, from stdin for ``-``, and note of which kind it is."""
    kind, texts = options.kind, getattr(options, "expressions", None) or [options.expression]
    if not kind and texts[0] in ("poly", "ideal"):
        kind, *texts = texts
        if not texts:
            raise InputError(f"the expression is missing: write {kind} 'x**2*y**4'")
    if texts == ["-"]:
        texts = [line for line in files.read_text("-").splitlines() if line.strip()]
        texts = [" ".join(texts)] if kind == "poly" else texts
    generators = [generator for text in texts for generator in generators_of(text)]
    options.kind = kind or ("poly" if len(generators) == 1 else "ideal")
    if options.kind == "poly" and len(generators) > 1:
        asked = shlex.join(texts)[:_LONGEST_REPEATED]
        raise InputError(f"several generators are an ideal: rlct ideal {asked}")
    return generators


def problem_of(options: argparse.Namespace) -> Problem:
    """Read the polynomial question of ``poly`` or ``ideal`` options."""
    texts = expressions_of(options)
    place_arguments = {
        "at": point_of(options.at),
        "prior": options.prior,
        "nonneg": listed_items(options.nonneg),
    }
    if options.kind == "poly":
        return _polynomials().poly(texts[0], **place_arguments)
    return _polynomials().ideal(texts, **place_arguments)


def box_problem_of(options: argparse.Namespace) -> BoxProblem:
    """Read a question over a box of ``poly`` or ``ideal`` options."""
    from rlct.questions.box_problem import BoxProblem

    texts, is_ideal = expressions_of(options), options.kind == "ideal"
    sides, walls = region_of(options.over, options.nonneg).values()
    return BoxProblem.of(texts, sides, options.prior, walls, is_ideal=is_ideal)


def _polynomials() -> type[Problem]:
    """Load sympy, in which Python would look for garbage a tenth of the time and find none."""
    paused = gc.isenabled() and "sympy" not in sys.modules
    if paused:
        gc.disable()
    try:
        from rlct.questions.problem import Problem
    finally:
        if paused:
            gc.freeze()  # what is loaded stays
            gc.enable()
    return Problem


def network_of(options: argparse.Namespace) -> LinearNetwork:
    """Read the model of ``linear`` options."""
    from rlct.models.linear_networks.linear import LinearNetwork

    return LinearNetwork(tuple(options.widths), options.rank, options.bias, options.input_rank)


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object with sorted keys."""
    print(json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False))


def print_text(text: object) -> None:
    """Print lines for people, broken to the width of the terminal if there is one."""
    from rlct.report.width import columns, fit_width

    print(add_colours(fit_width(str(text), columns()), sys.stdout), flush=True)


def print_warnings(warnings: Iterable[str]) -> None:
    """Print reasons to distrust an answer, each on lines of its own."""
    for warning in warnings:
        print_text(f"warning: {warning}")


def exit_code(result: Result) -> int:
    """0 for an exact answer, 3 for bounds."""
    return 0 if result.status == "exact" else 3


def verdict_code(comparison: Comparison) -> int:
    """0 agrees, 1 refuted, 3 inconclusive."""
    return {"agrees": 0, "refuted": 1, "inconclusive": 3}[comparison.verdict]


def warn_of_end(estimate: Estimate) -> Estimate:
    """Say that ``--timeout`` ended the run, if it did."""
    from rlct.system.time_limit import is_late

    ended = estimate.interrupted and is_late()
    return estimate.warn("--timeout was over before the run was done") if ended else estimate


def sampled_code(estimate: Estimate) -> int:
    """0, or 3 if Ctrl-C ended the run early."""
    return 3 if estimate.interrupted else 0


def print_answer(options: Any, answer: Any, text: object = None) -> None:
    """Print an answer as JSON or as text, with its warnings."""
    if options.json:
        print_json(answer if isinstance(answer, Mapping) else answer.to_dict())
    else:
        print_text(answer if text is None else text)
        print_warnings(getattr(answer, "warnings", ()))


def report_undecided(options: Any, kind: str, reason: str, **open_entries: None) -> int:
    """Say what stayed open, and why; return the exit code."""
    document = {"schema": "rlct/1", "kind": kind, "reason": reason, **open_entries}
    print_answer(options, document, f"undecided: {reason}")
    return 3
