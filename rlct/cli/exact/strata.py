"""The command ``rlct strata``: the cells of a fibre and the pair on each."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.answers.result import Result


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
    _add_options(parser)
    parser.set_defaults(run=_run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    """What says how to print; it may stand among the words of the question."""
    parser.add_argument("--latex", action="store_true", help="print the settled cells as a table")
    common.add_plot(parser, "draw the tree")
    common.add_json(parser)


def _run(options: argparse.Namespace) -> int:
    words = common.take_options(options, _add_options)
    if options.json and options.latex:
        raise InputError("--json and --latex exclude each other")
    files.check_plot(options.plot)
    asked_options = common.question_options(words, "strata")
    result: Result = asked_options.answer(asked_options)
    files.write_certificate(getattr(asked_options, "certificate", None), result.certificate)
    from rlct.explain.strata import strata

    with common.in_time(getattr(asked_options, "timeout", None), asked_options):
        cells = strata(result)
    if options.json:
        common.print_json(cells.to_dict())
    elif options.latex:
        print(cells.to_latex())
    else:
        common.print_text(cells)
    # Last, so that a tree too large for a picture is still shown as text.
    files.write_plot(options.plot, cells.plot)
    return common.exit_code(cells.result)
