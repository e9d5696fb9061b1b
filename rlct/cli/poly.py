"""The commands ``rlct poly`` and ``rlct ideal``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rlct.cli import caching, common, explaining, files
from rlct.errors import InputError
from rlct.questions.arguments import box_of

if TYPE_CHECKING:
    from rlct.answers.result import Result

__all__ = ["register"]


def register(subparsers: Any) -> None:
    """Add the commands to the subparsers of ``rlct``."""
    poly = subparsers.add_parser(
        "poly",
        help="λ and θ of a polynomial K >= 0 at a zero",
        description="λ and θ of a polynomial K >= 0 with rational coefficients at one of its "
        "zeros, or their minimum over a box: exactly, or between proved bounds (exit code 3).",
        examples=[
            'rlct poly "(x**2-y**3)**2" --certificate cusp.json',
            'rlct poly "x**2*y**2" --at x=1 --explain',
            'rlct poly "x**2*y**4" --prior "x*y**3" --nonneg x',
            'rlct poly "(x-1)**2*(x+1)**4*y**2" --over x=-2:2,y=-2:2',
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
        common.add_timeout(parser)
        common.add_plot(parser, "draw K and its zeros near the point, in two variables")
        explaining.add_explain(parser)
        common.add_json(parser)
        parser.set_defaults(run=_run, answer=_answer)


def _run(options: argparse.Namespace) -> int:
    from rlct.report.text import answer_lines

    explaining.check_explain(options)
    if options.plot is not None:
        files.check_plot(options.plot)
    result = _answer(options)
    files.write_certificate(options.certificate, result.certificate)
    if options.json:
        common.print_json({**result.to_dict(), **explaining.appendix(options, result)})
    else:
        told = explaining.explained(options, result)
        if told is None:
            common.say(answer_lines(result))
        else:
            print(told)
    if options.plot is not None:
        from rlct.report.plots import landscape

        files.write_plot(options.plot, lambda: landscape(result).figure)
    return common.exit_code(result)


def _answer(options: argparse.Namespace) -> Result:
    from rlct.answers import exact as api
    from rlct.system.progress import work_counter

    if options.over is None:
        problem = common.problem_of(options)

        def solve() -> Result:
            with work_counter("germs looked at") as progress:
                return api.solve(problem, timeout=options.timeout, progress=progress)

        return caching.cached(options, problem, solve)
    if options.cache:
        raise InputError("--cache keeps answers at a point: leave it out with --over")
    if options.at or options.nonneg:
        raise InputError("--over asks for the minimum over a box: leave out --at and --nonneg")
    texts = common.expressions_of(options)
    place: dict[str, Any] = {"prior": options.prior, "over": box_of(options.over)}
    if options.kind == "poly":
        return api.poly(texts[0], **place, timeout=options.timeout)
    return api.ideal(texts, **place, timeout=options.timeout)
