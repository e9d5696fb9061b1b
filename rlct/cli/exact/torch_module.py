"""The command ``rlct net torch``: exact λ of a module of polynomial operations."""

from __future__ import annotations

import argparse
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rlct.cli import common
from rlct.cli.exact import explaining
from rlct.cli.exact.reporting import run_problem
from rlct.errors import InputError
from rlct.questions.arguments import box_of

if TYPE_CHECKING:
    from rlct.answers.result import Result

_FILE_HELP = """\
FILE is a Python file, which is run without a time limit. It defines the module at its true
weights, and its inputs:

  import torch
  net = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False), torch.nn.Linear(1, 2, bias=False))
  for p in net.parameters():
      torch.nn.init.zeros_(p)
  x = torch.zeros(1, 2)  # a batch of inputs, or their number"""


def add_torch_module(subparsers: Any) -> None:
    """Add the command to the group ``rlct net``."""
    parser = subparsers.add_parser(
        "torch",
        help="torch module of polynomial operations",
        description="λ and θ of a torch module whose operations are polynomials, at its weights "
        "or, with --over, the least over all weights of the same function, or, with --generic, at "
        "a generic truth. K is the expected "
        "squared difference of the outputs, for inputs with a density.",
        examples=[
            "rlct net torch FILE.py",
            "rlct net torch FILE.py --over=-2:2 --explain",
            "rlct net torch FILE.py --generic",
        ],
        epilog=_FILE_HELP,
    )
    parser.add_argument("file", metavar="FILE", help="defines net and x, see below")
    parser.add_argument(
        "--over",
        metavar="LOW:HIGH",
        help="ask for the minimum over a box, this interval of every weight",
    )
    parser.add_argument(
        "--generic",
        action="store_true",
        help="ask at a generic truth, whatever the weights are: least over its fibre",
    )
    common.add_certificate(parser)
    common.add_timeout(parser)
    explaining.add_explain(parser)
    common.add_json(parser)
    parser.set_defaults(run=run_problem, answer=_answer, plot=None, poles=False)


def _answer(options: argparse.Namespace) -> Result:
    from rlct.answers.module_question import exact
    from rlct.system.progress import work_counter
    from rlct.system.time_limit import Budget, made_in_time

    names = made_in_time(lambda: _defined(options.file), Budget(options.timeout))
    if names is None:
        raise InputError(f"{options.file} did not end within --timeout {options.timeout:g}")
    over: Any = None if options.over is None else box_of(options.over)
    at = "generic" if options.generic else None
    with work_counter("germs examined", is_silent=options.json):
        return exact(names["net"], names["x"], at=at, over=over, timeout=options.timeout)


def _defined(file: str) -> dict[str, Any]:
    """What a Python file defines."""
    from rlct.sampling.modules.torch_arrays import import_torch

    import_torch()
    if not Path(file).is_file():
        raise InputError(f"there is no file {file[:100]!r}")
    try:
        definitions = runpy.run_path(file)
    except Exception as error:  # of the code of somebody else
        said = str(error).splitlines() or [""]
        raise InputError(f"{file}: {type(error).__name__}: {said[0][:100]}") from None
    missing = [name for name in ("net", "x") if name not in definitions]
    if missing:
        raise InputError(f"{file} defines no {' and no '.join(missing)}; see 'rlct net torch -h'")
    return definitions
