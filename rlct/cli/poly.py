"""The commands ``rlct poly`` and ``rlct ideal``."""

from __future__ import annotations

import argparse
from typing import Any

from rlct.cli import common

__all__ = ["register"]


def register(subparsers: Any) -> None:
    """Add the commands to the subparsers of ``rlct``."""
    poly = subparsers.add_parser(
        "poly",
        help="λ and θ of a polynomial K >= 0 at a zero",
        epilog='example: rlct poly "(x**2-y**3)**2" --certificate cusp.json',
    )
    common.add_poly(poly)
    ideal = subparsers.add_parser(
        "ideal",
        help="λ and θ of K = f1**2 + f2**2 + … at a common zero",
        epilog="example: rlct ideal x*y y*z z*x",
    )
    common.add_ideal(ideal)
    for parser in (poly, ideal):
        parser.add_argument("--certificate", metavar="FILE", help="write the proof as JSON")
        common.add_timeout(parser)
        common.add_json(parser)
        parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    problem = common.problem_of(options)
    from rlct.api import solve
    from rlct.report.text import answer

    result = solve(problem, timeout=options.timeout)
    common.write_certificate(options.certificate, result.certificate)
    if options.json:
        common.print_json(result.to_dict())
    else:
        print(answer(result))
    return common.exit_code(result)
