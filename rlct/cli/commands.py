"""The parser of all commands; each loads its module when it is typed."""

from functools import partial
from importlib import import_module
from typing import Any

import rlct
from rlct.cli.index import COMMAND_MODULES
from rlct.cli.parser import Parser

_FIRST_EXAMPLES = (
    "rlct net linear 5 3 5 --rank 1 --check",
    'rlct poly "(x**2-y**3)**2" --explain',
    'rlct ideal "a*b+(1-a)*c" "a*b**2+(1-a)*c**2" --json',
    'rlct check poly "x**2*y**2" --claim 1/2,2',
    "rlct doctor",
)
_COMMAND_GROUPS = {
    "ask": ("poly", "ideal", "net", "model", "theorem"),
    "picture": ("plot", "newton", "blowup", "predict", "strata", "serve"),
    "prove": ("verify",),
    "simulate": ("check", "sample", "reference"),
    "choose": ("select", "compare", "evidence", "variational", "sweep", "atlas"),
    "tools": ("doctor", "completion", "audit", "validate", "rule", "sampler"),
}
_EXIT_CODES = (
    """exit codes: 0 exact, or the check agrees; 1 refuted or invalid; 2 bad input; 3 only bounds"""
)


def build_parser() -> Parser:
    """List the commands of the table; a command's module loads when its parser is needed."""
    parser = Parser(
        prog="rlct",
        description="Exact learning coefficients (λ, θ), with certificates and sampled checks.",
        epilog=_EXIT_CODES,
        examples=_FIRST_EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"rlct {rlct.__version__}")
    subparsers: Any = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for heading, names in _COMMAND_GROUPS.items():
        for name in names:
            module, summary = COMMAND_MODULES[name]
            subparsers.promise(name, summary, partial(_register, module), heading)
    return parser


def _register(module: str, subparsers: Any) -> None:
    import_module(f"rlct.cli.{module}").register(subparsers)
