"""The command ``rlct predict``: free energies at finite n from the poles of ζ."""

import argparse
from typing import Any

from rlct.cli import common, files
from rlct.cli.kit.ranges import integer_range
from rlct.errors import InputError

_MOST_SIZE = 100_000  # n; coefficients along curves come from larger ones


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "predict",
        help="E[nK] and log Z at finite n from the poles of ζ, beside quadrature",
        description="E[nK], log Z and the generalisation error of K in two variables, from poles.",
        examples=['rlct predict ideal "x**2-y**3" --n 10..10000'],
    )
    common.add_expressions(parser)
    parser.add_argument("--n", type=integer_range, default="10..10000", help="or one number")
    common.add_plot(parser)
    common.add_timeout(parser, "give up after S seconds (exit code 3)")
    common.add_json(parser)
    parser.set_defaults(run=_run, whole=True)


def _run(options: argparse.Namespace) -> int:
    files.check_plot(options.plot)
    import numpy as np

    from rlct.answers.exact import solve
    from rlct.benchmark.prediction import predict_sizes
    from rlct.report.prediction import draw_prediction, prediction_text

    low, high = (options.n[0], options.n[-1]) if isinstance(options.n, range) else [options.n] * 2
    if not 0 < low <= high <= _MOST_SIZE:
        raise InputError(f"--n lies between 1 and {_MOST_SIZE}")
    sizes = np.unique(np.geomspace(low, high, 2 + int(2 * np.log10(high / low) - 0.5)).round())
    result = solve(common.problem_of(options), timeout=options.timeout)
    prediction = predict_sizes(result, sizes)
    lam = prediction["terms"][0]["w"]
    document = result.to_dict() | {"kind": "prediction"} | prediction
    common.print_answer(options, document, prediction_text(prediction, lam))
    if options.plot is not None:
        files.write_plot(options.plot, lambda: draw_prediction(prediction, lam))
    return common.exit_code(result)
