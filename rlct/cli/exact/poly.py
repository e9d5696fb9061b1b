"""The commands ``rlct poly`` and ``rlct ideal``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.exact import caching, explaining
from rlct.cli.exact.reporting import run_problem
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.problem import Problem


def register(subparsers: Any) -> None:
    """Add the commands to the subparsers of ``rlct``."""
    poly = subparsers.add_parser(
        "poly",
        help="λ and θ of a polynomial K >= 0 at a zero",
        description="λ and θ of a polynomial K >= 0 with coefficients in Q or roots, at one of its "
        "zeros, or their minimum over a box: exactly, or between proved bounds (exit code 3).",
        examples=[
            'rlct poly "(x**2-y**3)**2" --certificate cusp.json',
            'rlct poly "x**2*y**2" --at x=1 --explain',
            'rlct poly "(x**2-y**3)**2" --poles',
            'rlct poly "x**2*y**4" --prior "x*y**3" --nonneg x',
            'rlct poly "(x-1)**2*(x+1)**4*y**2" --over x=-2:2,y=-2:2',
            'rlct poly "(1-x-y)**2*x" --over "0:1,x+y<=1"',
            'rlct poly "(x**2-y**3)**2" --plot landscape.svg',
        ],
    )
    common.add_poly(poly)
    ideal = subparsers.add_parser(
        "ideal",
        help="λ and θ of K = f1**2 + f2**2 + … at a common zero",
        description="λ and θ of K = f1**2 + f2**2 + … at a common zero of the generators, or "
        "their minimum over a box: exactly, or between proved bounds (exit code 3).",
        examples=[
            "rlct ideal x*y y*z z*x",
            'rlct ideal "a*b+(1-a)*c" "a*b**2+(1-a)*c**2" --at a=1/2',
        ],
    )
    common.add_ideal(ideal)
    for parser in (poly, ideal):
        common.add_certificate(parser)
        common.add_over(parser)
        caching.add_cache(parser)
        parser.add_argument(
            "--resume",
            metavar="FILE",
            help="a certificate of bounds on the same question, written by --certificate: search "
            "again, with another --timeout, and keep the better of both bounds",
        )
        parser.add_argument(
            "--poles",
            action="store_true",
            help="the candidate poles of ζ: poles with coefficients, and why others are none",
        )
        common.add_timeout(parser)
        common.add_plot(parser, "draw K and its zeros near the point, in two variables")
        explaining.add_explain(parser)
        common.add_json(parser)
        parser.set_defaults(run=run_problem, answer=_answer)


def _answer(options: argparse.Namespace) -> Result:
    if options.poles and (options.over is not None or options.explain or options.cite):
        raise InputError("--poles is about a point, and an answer without --explain and --cite")
    if options.over is None:
        problem = common.problem_of(options)
        return caching.answer_cached(options, problem, lambda: _solve(options, problem))
    if options.cache:
        raise InputError("--cache stores answers at a point: leave it out with --over")
    if options.at:
        raise InputError("--over asks for the minimum over a box: leave out --at")
    return _solve(options, common.box_problem_of(options))


def _solve(options: argparse.Namespace, problem: Problem | BoxProblem) -> Result:
    """Ask anew, beside the bounds of ``--resume`` if there are any."""
    from rlct.answers import exact as api
    from rlct.system.progress import work_counter

    earlier = None if options.resume is None else files.read_certificate(options.resume)
    with work_counter("germs examined", is_silent=options.json) as progress:
        return api.solve(problem, timeout=options.timeout, progress=progress, earlier=earlier)
