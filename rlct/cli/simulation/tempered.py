"""``rlct reference mean``: exact means of λ̂ at one nβ, of any number of weights."""

import argparse
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rlct.cli import common
from rlct.errors import InputError

FEWEST_SWEEPS, MOST_SWEEPS = 300, 1500  # of layers in turn: large networks scatter less

_KINDS_HELP = """KIND and its sizes:
  regression IN OUT          one linear layer
  linear IN HIDDEN OUT       two linear layers at w* = diag(1, …, 1, 0, …)
  attention WIDTH HEAD       XAB'X' at A = B = 0, X'X = 1 in each sample: linear WIDTH HEAD WIDTH
  monomial P …               L = ½ Σ Π w_i^p_i over copies"""
_POSITIVE_NUMBER = (float, 1e-300, 1e300)  # type of a number, and its ends
_KIND_OPTIONS: dict[str, tuple[tuple[Any, ...], tuple[str, ...], str]] = {
    "decades": ((float, 0, 100), ("regression",), "inputs shrink from 1 to 10^−N"),
    "lr": (_POSITIVE_NUMBER, ("regression",), "ε: the mean of an SGLD run with exact slopes"),
    "num-draws": ((int, 1, 10**9), ("regression",), "of --lr (1000)"),
    "num-burnin": ((int, 0, 10**9), ("regression",), "of --lr (500)"),
    "rank": ((int, 0, 10**4), ("linear",), "of the product (0)"),
    "sweeps": ((int, 5, 10**6), ("linear", "attention"), "draws of each of 6 chains"),
    "seed": ((int, 0, 2**32), ("linear", "attention"), "of the draws (0)"),
    "copies": ((int, 1, 10**8), ("monomial",), "in weights of their own (1)"),
}

Mean = tuple[float, float, Fraction, int, str]  # with its error, λ, θ and the route


def add_mean(commands: Any) -> None:
    """Add ``mean`` to the commands of ``rlct reference``."""
    parser = commands.add_parser(
        "mean",
        help="what λ̂ of a torch module is in the mean, at one nβ",
        description="The exact mean of nβ(L − L(w*)) over exp(−nβL − γ|w − w*|²/2), of which λ̂ "
        "at one nβ is an estimate: L = ½E|f − y|² without noise, inputs uncorrelated.",
        epilog=_KINDS_HELP,
        examples=["rlct reference mean regression 1000 1000", "rlct reference mean linear 5 3 5"],
    )
    parser.add_argument("target", choices=[*_MEAN_ROUTES], metavar="KIND", help="what is sampled")
    size = _between(int, 1, 10**7)
    parser.add_argument("sizes", nargs="+", type=size, metavar="SIZE", help="see below")
    for name, (ends, kinds, text) in _KIND_OPTIONS.items():
        text = f"{text}; of {' and '.join(kinds)}"
        parser.add_argument(f"--{name}", type=_between(*ends), metavar="N", help=text)
    positive, samples = _between(*_POSITIVE_NUMBER), _between(int, 3, 10**18)
    parser.add_argument("--n-beta", type=positive, metavar="NB", help="nβ; n / log n by default")
    parser.add_argument("--samples", type=samples, default=2000, metavar="N", help="n (2000)")
    parser.add_argument("--localization", type=positive, default=1.0, metavar="G", help="γ (1)")
    common.add_json(parser)
    parser.set_defaults(run=_mean)


def _between(kind: Callable[[str], float], low: float, high: float) -> Callable[[str], float]:
    """Read a number between two ends."""

    def number(text: str) -> float:
        value = kind(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} does not lie from {low:g} to {high:g}")
        return value

    return number


def _mean(options: argparse.Namespace) -> int:
    for name, (_, kinds, _) in _KIND_OPTIONS.items():
        if getattr(options, name.replace("-", "_")) is not None and options.target not in kinds:
            raise InputError(f"--{name} is an option of {' and '.join(kinds)}")
    count, route = _MEAN_ROUTES[options.target]
    if count not in (0, len(options.sizes)):
        raise InputError(f"{options.target} has {count} sizes, not {len(options.sizes)}")
    pull = options.localization
    n_beta = options.n_beta or options.samples / math.log(options.samples)
    mean, error, lam, theta, words = route(options, n_beta, pull)
    if options.json:
        numbers = {"mean": mean, "error": error, "n_beta": n_beta, "localization": pull}
        pair = {"lambda": str(lam), "theta": theta, "method": words}
        common.print_json({"schema": "rlct/1", "kind": "reference-mean", **numbers, **pair})
        return 0
    shown = f"{mean:.8g}"
    if error:
        shown = f"{mean:.{max(0, 1 - math.floor(math.log10(error)))}f} ± {error:.2g}"
    where = f"nβ = {n_beta:.5g}, γ = {pull:g}"
    common.print_text(f"{shown} at {where}, {words}; λ = {lam}, θ = {theta}")
    return 0


def _regression(options: argparse.Namespace, n_beta: float, pull: float) -> Mean:
    import numpy as np

    from rlct.models.kit.tempered_mean import LangevinRun, regression_mean

    (inputs, outputs), decades = options.sizes, options.decades or 0.0
    run, words = None, "by a formula"
    if options.lr is not None:
        burnin = 500 if options.num_burnin is None else options.num_burnin
        draws = options.num_draws or 1000
        if options.lr >= 4 / (n_beta + pull):
            raise InputError(
                f"steps diverge: --lr must be below 4/(nβ + γ) = {4 / (n_beta + pull):.3g}"
            )
        run = LangevinRun(options.lr, burnin, draws)
        words = f"of {draws} draws after {burnin} steps of ε = {options.lr:g}"
    elif options.num_burnin is not None or options.num_draws is not None:
        raise InputError("--num-draws and --num-burnin are of a run: name its --lr")
    curvatures = np.logspace(0, -2 * decades, inputs)
    mean = regression_mean(curvatures, n_beta, pull, outputs=outputs, run=run)
    return mean, 0.0, Fraction(inputs * outputs, 2), 1, words


def _linear(options: argparse.Namespace, n_beta: float, pull: float) -> Mean:
    import numpy as np

    from rlct.answers.exact import linear
    from rlct.models.kit.tempered_mean import two_layer_mean

    inputs, hidden, outputs = widths = [*options.sizes, options.sizes[0]][:3]
    rank, seed = options.rank or 0, options.seed or 0
    if rank > min(widths):
        raise InputError(f"--rank must lie from 0 to the least width, {min(widths)}")
    if max(widths) > 10**4:
        raise InputError("a layer of two has 10000 units at most")
    usual = max(FEWEST_SWEEPS, min(MOST_SWEEPS, 10**6 // (hidden * (inputs + outputs))))
    sweeps = options.sweeps or usual
    first, second = np.eye(hidden, inputs), np.eye(outputs, hidden)
    first[rank:], second[:, rank:] = 0.0, 0.0
    mean, error = two_layer_mean(first, second, n_beta, pull, sweeps=sweeps, seed=seed)
    pair = linear(widths, rank=rank).pair
    assert pair is not None
    words = f"6 chains of {sweeps} draws of one layer given the other"
    return mean, error, pair.lam, pair.theta, words


def _monomial(options: argparse.Namespace, n_beta: float, pull: float) -> Mean:
    from rlct.models.kit.tempered_mean import monomial_mean

    powers, copies = options.sizes, options.copies or 1
    if any(power % 2 for power in powers) or sum(powers) > 100:
        raise InputError("exponents are even, so that L is least at 0, and 100 at most in sum")
    mean, highest = monomial_mean(powers, n_beta, pull, factor=0.5), max(powers)
    theta = 1 + copies * (powers.count(highest) - 1)
    return copies * mean, 0.0, Fraction(copies, highest), theta, "by quadrature"


_MEAN_ROUTES = {
    "regression": (2, _regression),
    "linear": (3, _linear),
    "attention": (2, _linear),
    "monomial": (0, _monomial),
}
