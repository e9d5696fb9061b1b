"""The command group ``rlct variational``: coefficients of variational free energies."""

import argparse
from functools import partial
from typing import Any

from rlct.answers.variational import NOT_LAM, VARIATIONAL_FAMILIES, variational
from rlct.cli import common

_MODEL_EXAMPLES = {
    "gaussian-mixture": "--components 3 --true 1 --dimension 2 --concentration 1",
    "mixture": "--components 2 --true 1 --parameters 5 --concentration 1/2",
    "hidden-markov": "--states 3 --true 2 --symbols 4",
    "linear": "--inputs 5 --hidden 3 --outputs 4 --true 1",
    "nmf": "--rows 4 --inner 3 --columns 5 --true 1 --row-shape 1/2",
    "boltzmann": "--visible 5 --hidden 3 --true 0",
}


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "variational",
        help="λ_VB, the coefficient of log n in a variational free energy",
        description=f"{NOT_LAM}. It is that of a posterior in which parameters and hidden "
        "variables, two factors, or all weights of a Boltzmann machine, are independent.",
        examples=[f"rlct variational gaussian-mixture {_MODEL_EXAMPLES['gaussian-mixture']}"],
    )
    families = group.add_subparsers(metavar="FAMILY", required=True)
    for name, family in VARIATIONAL_FAMILIES.items():
        families.promise(name, family.title, partial(_add_family, name))


def _add_family(name: str, subparsers: Any) -> None:
    family = VARIATIONAL_FAMILIES[name]
    parser = subparsers.add_parser(
        name,
        help=family.title,
        description=f"{family.title}. {NOT_LAM}.",
        examples=[f"rlct variational {name} {_MODEL_EXAMPLES[name]}"],
    )
    for size, text in family.sizes.items():
        parser.add_argument(f"--{size}", type=int, required=True, metavar="N", help=text)
    for shape, text in family.shapes.items():
        spelled = f"--{shape.replace('_', '-')}"
        parser.add_argument(spelled, default="1", metavar="P/Q", help=f"{text} (default 1)")
    common.add_json(parser)
    parser.set_defaults(run=_run, family=name)


def _run(options: argparse.Namespace) -> int:
    family = VARIATIONAL_FAMILIES[options.family]
    names = (*family.sizes, *family.shapes)
    rate = variational(options.family, **{name: getattr(options, name) for name in names})
    common.print_answer(options, rate)
    return 0 if rate.exact else 3
