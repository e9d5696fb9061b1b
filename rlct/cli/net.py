"""The command group ``rlct net``: architectures."""

from __future__ import annotations

import argparse
from typing import Any

from rlct.cli import common
from rlct.errors import InputError, TooLargeError

__all__ = ["register"]


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser("net", help="λ and θ of an architecture at a true map")
    models = group.add_subparsers(metavar="MODEL", required=True)
    linear = models.add_parser(
        "linear",
        help="deep linear network",
        description="Deep linear network: the least λ over all parameters of the true map.",
        epilog="example: rlct net linear 5 3 5 --rank 1 --check",
    )
    common.add_linear(linear)
    linear.add_argument("--certificate", metavar="FILE", help="write the proof as JSON")
    linear.add_argument("--check", action="store_true", help="confirm the value by simulation")
    linear.add_argument("--seed", type=int, default=0, help="of the simulation (default 0)")
    common.add_json(linear)
    linear.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    network = common.network_of(options)
    from rlct.api import solve
    from rlct.certificate.verify import verify
    from rlct.report.progress import progress_bar
    from rlct.report.text import explanation, simulation
    from rlct.simulation import check

    result = solve(network)
    common.write_certificate(options.certificate, result.certificate)
    assert result.certificate is not None
    try:
        verify(result.certificate)
        checked = "verified by separate code"
    except TooLargeError as error:
        checked = f"not verified: {error}"
    if not options.json:
        print(explanation(result))
        print(f"Certificate  {checked}", flush=True)
    elif not options.check:
        common.print_json(result.to_dict())
    if not options.check:
        return common.exit_code(result)
    try:
        with progress_bar("simulation") as show:
            comparison = check(result, seed=options.seed, progress=show)
    except InputError as error:
        # The exact answer stands; only the simulation was refused.
        if options.json:
            refused = {"verdict": "inconclusive", "reason": str(error)}
            common.print_json({**result.to_dict(), "check": refused})
        else:
            print(f"Simulation   not run: {error}")
        return 3
    if options.json:
        common.print_json({**result.to_dict(), "check": comparison.to_dict()})
    else:
        print(simulation(comparison))
    return common.verdict_code(comparison)
