"""The command ``rlct blowup``: an answer taken apart."""

import argparse
from typing import Any

from rlct.cli import common, files


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "blowup",
        help="the tree of germs and charts behind λ and θ, and the candidate poles of ζ",
        description="Resolution of K, or of K = f1**2 + f2**2 + … by 'ideal f1 f2 …': the germ "
        "at every step of the proof, toric charts with their exponents, candidate poles of the "
        "zeta function and the leading coefficient.",
        examples=[
            'rlct blowup "x**2*y**4" --plot tree.png',
            'rlct blowup ideal "(y-x**2)**2-x**5"',
        ],
    )
    common.add_expressions(parser)
    common.add_plot(parser)
    common.add_timeout(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    problem = common.problem_of(options)
    files.check_plot(options.plot)
    from rlct.answers import exact as api
    from rlct.system.progress import work_counter

    with work_counter("germs examined", is_silent=options.json) as progress:
        result = api.solve(problem, timeout=options.timeout, progress=progress, resolution=True)
    if result.certificate is None:
        reason = f"the engine had no bound within {options.timeout:g} s"
        return common.report_undecided(options, "blowup", reason)
    blow_up = api.blow_up(result)
    common.print_answer(options, blow_up)
    if options.plot is not None:
        from rlct.report.tree_plot import draw_tree

        # Last, so that a tree too large for a picture is still shown as text.
        files.write_plot(options.plot, lambda: draw_tree(blow_up))
    return common.exit_code(blow_up.result)
