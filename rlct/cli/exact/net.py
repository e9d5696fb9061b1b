"""The command group ``rlct net``: architectures."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rlct.cli import common, files
from rlct.cli.exact.model import add_models
from rlct.cli.exact.open_networks import add_open_networks
from rlct.cli.exact.polynomial_networks import add_polynomial_networks
from rlct.cli.exact.reporting import add_outcome, certificate_line
from rlct.cli.exact.torch_module import add_torch_module
from rlct.cli.kit import ranges, widths
from rlct.cli.model_choice import arguments
from rlct.errors import InputError
from rlct.questions.arguments import box_of

if TYPE_CHECKING:
    from rlct.answers.result import Result
    from rlct.models.linear_networks.linear import LinearNetwork
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture
    from rlct.models.relu_networks.deep_relu import DeepRelu


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "net",
        help="λ and θ of an architecture at a true map",
        description="λ and θ of a network, in general the least over all parameters of the true "
        "function. Sizes may be ranges, such as 1..8, which give a table.",
        examples=[
            "rlct net linear 5 3 5 --rank 1",
            "rlct net tanh 1 1..8 1",
            "rlct net mlp 784 128 10",
        ],
    )
    models = group.add_subparsers(metavar="MODEL", required=True)
    linear = models.add_parser(
        "linear",
        help="deep linear network",
        description="Deep linear network: the least λ over all parameters of the true map.",
        examples=[
            "rlct net linear 5 3 5 --rank 1 --check",
            "rlct net linear 784 128 64 10 --rank 10 --bias --explain",
            "rlct net linear 5 1..10 5 --rank 0..5 --csv",
            "rlct net linear 10x2..8 --rank 5 --plot depth.svg",
        ],
    )
    common.add_linear(linear, ranges.width, ranges.integer_range, weights=True)
    _add_tolerance(linear, "the ranks of weights")
    add_outcome(linear)
    spelled = ("linear", "--rank", "--bias", "--input-rank", "--weights")
    linear.set_defaults(ask=_linear, footer=certificate_line, spelled=spelled)
    _register_quadratic(models)
    _register_relu(models)
    add_models(models, "net")
    add_open_networks(models)
    add_polynomial_networks(models)
    add_torch_module(models)


def _register_quadratic(models: Any) -> None:
    quadratic = models.add_parser(
        "quadratic",
        help="quadratic network",
        description="Quadratic network f_k(x) = sum_j v_kj (w_j.x + b_j)^2 + c_k, at a generic "
        "parameter or at given weights.",
        examples=[
            "rlct net quadratic 4 5 3",
            "rlct net quadratic --units 4 --data modular:5",
            "rlct net quadratic 4 1..12 3 --plot units.svg",
        ],
    )
    names = {"inputs": "d", "units": "K", "outputs": "p"}
    for name, symbol in names.items():
        words = f"{symbol}, number of {name}"
        widths.size_option(
            quadratic, name, type=ranges.integer_range, metavar=symbol.upper(), help=words
        )
    widths.add_widths(quadratic, tuple(names))
    quadratic.add_argument("--bias", action="store_true", help="units and outputs have biases")
    quadratic.add_argument(
        "--data",
        metavar="modular:P|FILE",
        help="all pairs of modular arithmetic, or a JSON file with one row per input; "
        "without it the inputs have a density",
    )
    quadratic.add_argument(
        "--centred", action="store_true", help="compare outputs up to their mean over the data"
    )
    quadratic.add_argument(
        "--weights", metavar="FILE", help="JSON file with hidden, outer and perhaps bias"
    )
    _add_tolerance(quadratic, "the rank of weights")
    add_outcome(quadratic)
    sizes = ("quadratic", "--inputs", "--units", "--outputs", "--bias")
    given = ("--data", "--centred", "--weights")
    quadratic.set_defaults(ask=_quadratic, footer=certificate_line, spelled=(*sizes, *given))


def _register_relu(models: Any) -> None:
    relu = models.add_parser(
        "relu",
        help="ReLU network with one hidden layer",
        description="ReLU network f(x) = sum_j v_j ReLU(w_j.x + b_j) + c, on finitely many inputs "
        "or on inputs with a density: at given weights, or the minimum over all parameters of "
        "the same function. By its widths alone, bounds at any function of the network, as by "
        "'rlct net mlp'.",
        examples=[
            "rlct net relu 2 3 1",
            "rlct net relu --example two-units-density",
            "rlct net relu --example two-units-density --fibre",
        ],
    )
    relu.add_argument(
        "--weights", metavar="FILE", help="JSON file with hidden, outer and perhaps bias"
    )
    relu.add_argument("--data", metavar="FILE", help="JSON file with one row per input")
    relu.add_argument(
        "--density", metavar="x=-1:1,y=0:2", help="the inputs have a positive density on this box"
    )
    relu.add_argument("--output-bias", action="store_true", help="outputs have biases")
    relu.add_argument(
        "--fibre",
        action="store_true",
        help="the least λ over all parameters of the same function (on data: with the same "
        "values there), instead of at the weights",
    )
    relu.add_argument(
        *widths.option_spellings("units"),
        dest="units",
        type=int,
        metavar="H",
        help="hidden units of the model, with --fibre",
    )
    relu.add_argument("--widths", default=None, help=argparse.SUPPRESS)
    widths.add_widths(relu, ("widths",), kind="numbers")
    relu.add_argument(
        "--example",
        metavar="NAME",
        help="an example: two-units-data or two-units-density",
    )
    _add_tolerance(relu, "the pattern of numbers")
    add_outcome(relu)
    spelled = ("relu", "--widths", "--weights", "--data", "--density", "--output-bias", "--example")
    relu.set_defaults(ask=_relu, footer=certificate_line, spelled=(*spelled, "--fibre", "--units"))


def _add_tolerance(parser: argparse.ArgumentParser, inexact_numbers: str) -> None:
    parser.add_argument(
        "--tolerance",
        type=_tolerance,
        default=1e-6,
        metavar="T",
        help=f"relative, for {inexact_numbers} given as floats (default 1e-6)",
    )


def _tolerance(text: str) -> float:
    value = arguments.read_number(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"the tolerance must be between 0 and 1, not {text[:40]}")
    return value


def _linear(options: argparse.Namespace) -> LinearNetwork | Result:
    if options.weights is None and options.widths and options.rank is not None:
        return common.network_of(options)
    from rlct.answers.exact import linear

    text = options.weights and files.read_text(options.weights)
    if options.widths and options.rank is None:
        shown = " ".join(map(str, options.widths))
        raise InputError(
            f"the rank of the true map is missing: write 'rlct net linear {shown} --rank 1'"
        )
    sizes = (options.widths or None, options.rank, options.bias)
    return linear(
        *sizes,
        input_rank=options.input_rank,
        weights=text,
        tolerance=options.tolerance,
        timeout=options.timeout,
    )


def _relu(options: argparse.Namespace) -> Result | DeepRelu:
    from rlct.answers.relu import relu
    from rlct.models.relu_networks.deep_relu import DeepRelu

    at_weights = (options.weights, options.data, options.density, options.example)
    if options.widths:
        if any((*at_weights, options.fibre, options.units)):
            raise InputError("widths alone ask at any truth: leave out the other options")
        return DeepRelu(options.widths)
    if not any(at_weights):
        raise InputError(
            "the weights are missing: give --weights and --data or --density, or the widths alone "
            "for bounds, as in 'rlct net relu 2 3 1'"
        )

    return relu(
        files.read_text(options.weights) if options.weights else None,
        data=files.read_text(options.data) if options.data else None,
        density=box_of(options.density, "--density") if options.density else None,
        output_bias=options.output_bias,
        example=options.example,
        fibre=options.fibre,
        units=options.units,
        tolerance=options.tolerance,
        timeout=options.timeout,
    )


def _quadratic(options: argparse.Namespace) -> QuadraticArchitecture | Result:
    """Read a question; answer it where weights or rounded data need notes."""
    from rlct.answers.quadratic import architecture_of, quadratic

    data = options.data
    network_options: dict[str, Any] = {
        "data": files.read_text(data) if data and not data.startswith("modular") else data,
        "centred": options.centred,
        "tolerance": options.tolerance,
    }
    sizes = (options.inputs, options.units, options.outputs, options.bias)
    if options.weights is None:
        asked, notes = architecture_of(*sizes, **network_options)
        if not notes:
            return asked
    else:
        network_options["weights"] = files.read_text(options.weights)
    return quadratic(*sizes, **network_options, timeout=options.timeout)
