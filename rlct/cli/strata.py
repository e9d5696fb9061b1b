"""The command ``rlct strata``: the cells of a fibre and the pair on each."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.ranges import is_range
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.answers.result import Result

__all__ = ["register"]


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "strata",
        help="the cells of a fibre, where variables are 0 or not, and the pair on each",
        description="The tree of cells by which the least λ over all parameters of a truth, or "
        "over all zeros in a box, was found: what defines each cell, the rule that settled it, its "
        "pair or bound, and which are deepest. QUESTION is what follows 'rlct': model, net or "
        "ideal … --over, with the options of that command.",
        examples=[
            "rlct strata model hidden-markov --states 2 --symbols 2",
            'rlct strata ideal "x*y-1" "y*z**2" "x*z*w" --over x=-2:2,y=-2:2,z=-2:2,w=-2:2',
        ],
    )
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="QUESTION", help="such as 'model cp --dims …'"
    )
    parser.add_argument("--latex", action="store_true", help="print the settled cells as a table")
    common.add_plot(parser, "draw the tree")
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    words = _own_options(options)
    if options.json and options.latex:
        raise InputError("--json and --latex exclude each other")
    if options.plot is not None:
        files.check_plot(options.plot)
    result = _answer(words)
    from rlct.explain.strata import strata

    cells = strata(result)
    if options.json:
        common.print_json(cells.to_dict())
    elif options.latex:
        print(cells.to_latex())
    else:
        common.print_text(cells)
    if options.plot is not None:
        # Last, so that a tree too large for a picture is still shown as text.
        files.write_plot(options.plot, cells.plot)
    return common.exit_code(cells.result)


def _answer(words: list[str]) -> Result:
    """Answer a question as the command does that these words name."""
    from rlct.cli.main import build_parser

    if not words:
        raise InputError("the question is missing: write 'rlct strata model …', net or ideal")
    asked_options = build_parser().parse_args(words)
    if not hasattr(asked_options, "answer"):
        raise InputError(f"rlct {words[0]} asks for no λ: strata takes model, net, ideal … --over")
    for option in ("check", "csv", "explain", "cite", "cache"):
        if getattr(asked_options, option, None):
            raise InputError(f"--{option} is no option of strata: ask without 'strata'")
    if is_range(asked_options):
        raise InputError("cells are shown for one case: leave out ranges")
    result: Result = asked_options.answer(asked_options)
    files.write_certificate(asked_options.certificate, result.certificate)
    return result


def _own_options(options: argparse.Namespace) -> list[str]:
    """Take what says how to print from among the words of the question, and return the others."""
    words, question_words = iter(options.words), []
    for word in words:
        name, joined, value = word.partition("=")
        if word in ("--json", "--latex"):
            setattr(options, word.strip("-"), True)
        elif name == "--plot":
            try:
                options.plot = files.picture_file(value if joined else next(words, ""))
            except argparse.ArgumentTypeError as error:
                raise InputError(f"--plot: {error}") from None
        else:
            question_words.append(word)
    return question_words
