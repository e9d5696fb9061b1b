"""The command ``rlct newton``: the polyhedron of a question, as text or as a picture."""

from __future__ import annotations

import argparse
from typing import Any

from rlct.cli import common

__all__ = ["register"]


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "newton",
        help="Newton polyhedron of the ideal (f1, f2, …), its faces and what they prove",
        description="Newton polyhedron of K = f1**2 + f2**2 + …: vertices, the linear programme, "
        "and each compact face with the real zeros of its initial forms.",
        examples=['rlct newton "x**2-y**3"', "rlct newton x*y y*z z*x --plot polyhedron.svg"],
    )
    common.add_ideal(parser)
    common.add_plot(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    problem = common.problem_of(options)
    from rlct.report.newton import describe, to_text

    description = describe(problem)
    if options.plot is not None:
        from rlct.report.newton_plot import draw

        common.write_plot(options.plot, lambda: draw(description))
    if options.json:
        common.print_json(description)
    else:
        print(to_text(description))
    return 0
