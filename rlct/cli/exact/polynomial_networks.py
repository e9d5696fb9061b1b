"""The commands ``rlct net attention``, ``glu`` and the like: one for each network of the table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rlct.cli.exact.reporting import add_outcome, certificate_line
from rlct.cli.kit import ranges, widths
from rlct.errors import InputError
from rlct.models.generic.architectures import POLYNOMIAL_NETWORKS
from rlct.models.kit.expressions import TooManyTermsError

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.models.generic.generic_map import GenericMap
    from rlct.models.generic.symmetric_factors import SymmetricFactors
    from rlct.models.linear_networks.linear import LinearNetwork

    Asked = GenericMap | LinearNetwork | Result | SymmetricFactors

#: What a size is, where its name does not say it.
_SIZE_MEANINGS: Final = {
    "keys": "dimension of queries and keys",
    "degree": "degree of the activation",
    **{mode: f"dimension of the {mode} mode" for mode in ("first", "second", "third", "fourth")},
}


def add_polynomial_networks(subparsers: Any) -> None:
    """Add the commands to the group ``rlct net``."""
    for name, network in POLYNOMIAL_NETWORKS.items():
        subparsers.promise(name, network.title, partial(_add_command, name))


def _add_command(name: str, subparsers: Any) -> None:
    network = POLYNOMIAL_NETWORKS[name]
    title, sizes = network.title, network.sizes
    example = network.example + " --rank 1" * network.of_rank
    parser = subparsers.add_parser(
        name,
        help=title,
        description=f"{title[0].upper()}{title[1:]}: {network.formula}. K is the squared error"
        f"{', for inputs with a density' * ('inputs' in sizes)}.",
        examples=[f"rlct net {name} {example}"],
    )
    for size in sizes:
        widths.size_option(
            parser,
            size,
            type=ranges.integer_range,
            metavar="N",
            help=_SIZE_MEANINGS.get(size, f"number of {size}"),
        )
    same_map = {
        len(other.sizes): f"rlct net {command} {other.example}"
        for command, other in POLYNOMIAL_NETWORKS.items()
        if other.build is network.build and command != name
    }
    widths.add_widths(parser, sizes, elsewhere=same_map)
    if network.of_rank:
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
    last = "--rank" if network.of_rank else "--truth"
    parser.set_defaults(
        ask=partial(_ask_of_rank if network.of_rank else _ask, name, sizes, example),
        footer=certificate_line,
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
    upper_end = partial(_upper_end, name, numbers, options.truth)
    law = POLYNOMIAL_NETWORKS[name].comparable_if(*numbers)
    try:
        generic_map = GenericMap(f"{name}:{','.join(map(str, numbers))}")
    except TooManyTermsError as error:
        why = f"{error}, so only the weights are counted"
        notes = (f"{why}; 'rlct net {name} {example}' is small enough",)
        return upper_end(notes).assuming(law)
    if options.truth == "generic":
        return generic_map
    from rlct.answers.exact import ideal

    result = ideal(generic_map.written(), timeout=options.timeout)
    end = upper_end()
    if result.status == "bounds":
        routes = (route for route in result.routes if route.lower or route.upper)
        result = replace(result, routes=(*end.routes, *routes))
    return replace(result, where=end.where).assuming(law)


def _upper_end(
    name: str, numbers: Sequence[int], truth: str, notes: tuple[str, ...] = ()
) -> Result:
    """λ ≤ d/(2m) by weights and coefficients, which are counted and not written out."""
    from rlct.answers.result import Result, theorem_route
    from rlct.models.activations.network_size import NetworkSize
    from rlct.theorems import get_theorem

    network = POLYNOMIAL_NETWORKS[name]
    count, order, where = network.weights(*numbers), 1, NetworkSize.where
    if truth == "zero":
        count, order = network.smooth_order(*numbers)
        # The coefficients are homogeneous, so no zero is deeper than the origin.
        where = "at 0, the deepest weights of the function 0"
    counted = get_theorem("parameter-count-bound").apply(parameters=count, order=order)
    return Result.of([theorem_route(counted.of_polynomial())], where, None, None, notes)


def _ask_of_rank(
    name: str, sizes: tuple[str, ...], example: str, options: argparse.Namespace
) -> Asked:
    numbers = _sizes(name, sizes, example, options)
    if name == "lora":
        from rlct.models.linear_networks.linear import LinearNetwork

        return LinearNetwork(tuple(numbers), options.rank)
    from rlct.models.generic.symmetric_factors import SymmetricFactors

    rows, factors = numbers
    return SymmetricFactors(rows, factors, options.rank, name == "ppca")
