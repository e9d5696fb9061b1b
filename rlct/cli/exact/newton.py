"""The command ``rlct newton``: the polyhedron of a question, as text or as a picture."""

import argparse
from typing import Any

from rlct.cli import common, files


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "newton",
        help="Newton polyhedron of K or of generators, its faces and what they prove",
        description="Newton polyhedron of K, or of generators f1, f2, … of K = f1**2 + f2**2 + "
        "…: vertices, the linear programme, and each compact face with the real zeros of its "
        "initial forms.",
        examples=['rlct newton ideal "x**2-y**3"', "rlct newton x*y y*z z*x --plot polyhedron.svg"],
    )
    common.add_expressions(parser)
    common.add_plot(parser)
    common.add_timeout(parser, "give up after S seconds (exit code 3)")
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    problem = common.problem_of(options)
    if options.plot is not None:
        from rlct.report.newton_plot import check_dimension

        files.check_plot(options.plot)
        check_dimension(problem.variables)
    from rlct.report.newton import describe_polyhedron, polyhedron_text
    from rlct.system.progress import work_counter
    from rlct.system.time_limit import Budget, made_in_time

    with work_counter("faces", "ends it", is_silent=options.json):
        polyhedron = made_in_time(lambda: describe_polyhedron(problem), Budget(options.timeout))
    if polyhedron is None:
        reason = f"the faces were not all found within {options.timeout:g} s"
        return common.report_undecided(options, "newton", reason)
    common.print_answer(options, polyhedron, polyhedron_text(polyhedron))
    if options.plot is not None:
        from rlct.report.newton_plot import draw_polyhedron

        files.write_plot(options.plot, lambda: draw_polyhedron(polyhedron))
    return 0
