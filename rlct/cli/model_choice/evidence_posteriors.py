"""The commands of ``rlct evidence`` that need several files of log-likelihoods."""

import argparse
from typing import Any

from rlct.cli import common
from rlct.cli.model_choice import arguments
from rlct.errors import InputError

_FILE_HELP = "Each FILE holds log p(X_i|w), a column per observation, or one column with their sum."
_STATE_HELP = (
    "W0 and V0 hold one row: log p(X_i|w0) of the best parameter w0, training and held-out data."
)


def add_posteriors(commands: Any) -> None:
    """Add them to the subparsers of ``rlct evidence``."""
    parser = commands.add_parser(
        "free-energy",
        help="free energy, from draws at a ladder of inverse temperatures",
        description="Free energy -log p(X_1,…,X_n) by bridge sampling between neighbours of a "
        "ladder from β = 0, draws of the prior, to β = 1, draws of the posterior.",
        epilog=_FILE_HELP,
        examples=["rlct evidence free-energy 0=prior.npy 0.01=a.npy 0.1=b.npy 1=posterior.npy"],
    )
    parser.add_argument("rungs", nargs="+", metavar="BETA=FILE")
    common.add_json(parser)
    parser.set_defaults(run=_run_ladder)
    parser = commands.add_parser(
        "state",
        help="λ from generalisation and training errors together (equation of state)",
        description="Estimate of λ from the equation of state: Bayes generalisation error plus "
        "leave-one-out error is 2λ/n at β = 1, whatever the fluctuation of either. FILE and TEST "
        "hold log p(·|w) of the training and of held-out data at the same posterior draws.",
        epilog=_STATE_HELP,
        examples=["rlct evidence state train.npy test.npy --truth w0.npy --held-out-truth v0.npy"],
    )
    parser.add_argument("file", metavar="FILE", help="training data: .npy, .npz or .csv")
    parser.add_argument("held_out", metavar="TEST", help="held-out data, likewise")
    parser.add_argument("--truth", required=True, metavar="W0")
    parser.add_argument("--held-out-truth", required=True, metavar="V0")
    parser.add_argument(
        "--beta", type=arguments.read_number, default=1.0, metavar="B", help="default 1"
    )
    add_method(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run_state)


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add how observations are left out."""
    parser.add_argument(
        "--method", metavar="psis|importance", help="smoothed weights, or as they are"
    )


def print_statistic(statistic: Any, options: argparse.Namespace) -> int:
    """Print a statistic, or its JSON form."""
    if options.json:
        common.print_json(statistic.to_dict())
        return 0
    common.print_text(statistic)
    shown = {"ess": statistic.ess, "rhat": statistic.rhat, **statistic.details}
    for name, value in shown.items():
        text = ", ".join(f"{v:.4g}" for v in value) if isinstance(value, list) else str(value)
        text = f"{value:.6g}" if isinstance(value, float) else text
        common.print_text(f"{name.replace('_', ' '):24}{text}")
    common.print_warnings(statistic.warnings)
    return 0


def _run_ladder(options: argparse.Namespace) -> int:
    from rlct.criteria.free_energy import free_energy
    from rlct.criteria.reading import read_log_likelihood

    betas, draw_tables = [], []
    for rung in options.rungs:
        beta, equals, path = rung.partition("=")
        try:
            betas.append(float(beta))
        except ValueError:
            equals = ""
        if not equals or not path:
            raise InputError(f"{rung[:60]!r} is not BETA=FILE, such as 0.1=draws.npy")
        draw_tables.append(read_log_likelihood(path))
    return print_statistic(free_energy(draw_tables, betas), options)


def _run_state(options: argparse.Namespace) -> int:
    from rlct.criteria.reading import read_log_likelihood
    from rlct.criteria.state import equation_of_state

    rows = []
    for path in (options.truth, options.held_out_truth):
        row = read_log_likelihood(path)
        if row.ndim == 2 and 1 in row.shape:
            row = row.reshape(-1)
        if row.ndim != 1:
            raise InputError(f"{path} holds more than one row")
        rows.append(row)
    statistic = equation_of_state(
        read_log_likelihood(options.file),
        rows[0],
        read_log_likelihood(options.held_out),
        rows[1],
        beta=options.beta,
        method=options.method,
    )
    return print_statistic(statistic, options)
