"""The commands ``rlct net attention``, ``glu`` and the like: one for each network of the table."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rlct.cli import ranges
from rlct.cli.kit import widths
from rlct.errors import InputError
from rlct.models.generic.architectures import POLYNOMIAL_NETWORKS

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.models.generic.generic_map import GenericMap
    from rlct.models.generic.symmetric_factors import SymmetricFactors
    from rlct.models.linear import LinearNetwork

    Asked = GenericMap | LinearNetwork | Result | SymmetricFactors

__all__ = ["add_polynomial_networks"]

#: Networks whose truth is a matrix of any rank: title, map, sizes and example.
_OF_RANK: Final = {
    "gram": ("symmetric factorisation", "U U^T, with U n x k", ("rows", "factors")),
    "lora": (
        "low-rank adapter or linear residual block",
        "W0 + B A, with A k x n and B m x k, or x + B A x; the rank is that of the true B A",
        ("inputs", "units", "outputs"),
    ),
    "ppca": (
        "probabilistic principal components, known mean",
        "the covariance U U^T + s I, with U n x k",
        ("rows", "factors"),
    ),
}


def add_polynomial_networks(subparsers: Any, add_outcome: Callable[..., None]) -> None:
    """Add the commands to the group ``rlct net``."""
    for name in sorted({*POLYNOMIAL_NETWORKS, *_OF_RANK}):
        title = _OF_RANK[name][0] if name in _OF_RANK else POLYNOMIAL_NETWORKS[name].title
        subparsers.promise(name, title, partial(_add_command, name, add_outcome))


def _add_command(name: str, add_outcome: Callable[..., None], subparsers: Any) -> None:
    if name in _OF_RANK:
        title, formula, sizes = _OF_RANK[name]
        example = "8 2 8 --rank 1" if name == "lora" else "3 2 --rank 1"
    else:
        network = POLYNOMIAL_NETWORKS[name]
        title, formula, sizes, example = (
            network.title,
            network.formula,
            network.sizes,
            network.example,
        )
    parser = subparsers.add_parser(
        name,
        help=title,
        description=f"{title[0].upper()}{title[1:]}: {formula}. K is the squared error of the map, "
        "for inputs with a density.",
        examples=[f"rlct net {name} {example}"],
    )
    for size in sizes:
        widths.size_option(
            parser, size, type=ranges.integer_range, metavar="N", help=f"number of {size}"
        )
    widths.add_widths(parser, sizes)
    if name in _OF_RANK:
        parser.add_argument(
            "--rank",
            type=ranges.integer_range,
            default=0,
            metavar="R",
            help="of the true matrix (default 0)",
        )
    else:
        parser.add_argument(
            "--truth",
            choices=("generic", "zero"),
            default="generic",
            help="generic: the network at generic weights (default); zero: the function 0",
        )
    add_outcome(parser)
    options = [f"--{size}" for size in sizes]
    last = "--rank" if name in _OF_RANK else "--truth"
    parser.set_defaults(
        ask=partial(_ask_of_rank if name in _OF_RANK else _ask, name, sizes, example),
        spelled=(name, *options, last),
    )


def _sizes(
    name: str, sizes: tuple[str, ...], example: str, options: argparse.Namespace
) -> list[int]:
    if missing := widths.sizes_missing(options, sizes):
        raise InputError(
            f"{' and '.join(missing)} missing: write {' '.join(sizes).upper()}, as in "
            f"'rlct net {name} {example}'"
        )
    return [getattr(options, size) for size in sizes]


def _ask(name: str, sizes: tuple[str, ...], example: str, options: argparse.Namespace) -> Asked:
    from rlct.models.generic.generic_map import GenericMap

    numbers = _sizes(name, sizes, example, options)
    asked = GenericMap(f"{name}:{','.join(map(str, numbers))}")
    if options.truth == "generic":
        return asked
    from rlct.answers.exact import ideal

    # The coefficients are homogeneous, so no zero is deeper than the origin.
    found = ideal(asked.written(), timeout=options.timeout)
    return replace(found, where="at 0, the deepest weights of the function 0")


def _ask_of_rank(
    name: str, sizes: tuple[str, ...], example: str, options: argparse.Namespace
) -> Asked:
    numbers = _sizes(name, sizes, example, options)
    if name == "lora":
        from rlct.models.linear import LinearNetwork

        return LinearNetwork(tuple(numbers), options.rank)
    from rlct.models.generic.symmetric_factors import SymmetricFactors

    rows, factors = numbers
    return SymmetricFactors(rows, factors, options.rank, name == "ppca")
