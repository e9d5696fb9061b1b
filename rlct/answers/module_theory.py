"""What is known exactly of a torch module: λ of a linear network, or of a polynomial, at w*."""

import sys
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.answers.exact import solve
from rlct.answers.polynomial_module import polynomial_module_theory, theta_words
from rlct.errors import InputError
from rlct.models.kit.tempered_mean import layer_mean, two_layer_mean
from rlct.models.linear_networks.linear_point import Interval, LinearPoint, interval_multiplicities

SQUARED_LOSSES = ("gaussian", "mse")
CLEAR_STRENGTH = 10.0  # nβ times σ² of a singular value: a rank above, none below the inverse
ROUNDED_SHARE = 1e-11  # of the largest singular value, below which others are rounding
ENGINE_SECONDS = 0.2  # for the engine beside the theorem, which answers at once
MOST_WEIGHTS = 2000  # of a network whose exact ranks take a moment
MOST_PRODUCTS = 10**9  # of inputs, for their moments
SWEEP_COUNT = 400  # of each of two layers in turn, beside an estimate


def module_theory(
    module: Any, data: Any, loss: Any, n_beta: float, pull: float | None = None
) -> str:
    """λ at the weights of a module with squared error, if a theorem or the engine knows it.

    With γ, ``pull``, also the exact mean of λ̂ at this nβ, of one or two linear layers.
    """
    pair = isinstance(data, tuple | list) and len(data) == 2
    pair = pair and all(hasattr(part, "dtype") for part in data)
    x, y = map(sys.modules["torch"].as_tensor, data) if pair else (None, None)
    real = y is not None and y.is_floating_point()
    if not _is_squared(loss) and (loss is not None or not real):
        return ""
    layers = _linear_layers(module)
    if layers is not None:
        mean = _exact_mean(layers, x, y, loss, n_beta, pull) if pull else None
        return linear_network_theory(layers, n_beta, mean)
    if x is None or x.ndim != 2:
        return ""
    return polynomial_module_theory(module, x.shape[1], n_beta)


def _is_squared(loss: Any) -> bool:
    """Whether a loss is a multiple of the squared error, whose λ is the same."""
    nn = sys.modules["torch"].nn
    return loss in SQUARED_LOSSES or isinstance(loss, nn.MSELoss) or loss is nn.functional.mse_loss


def linear_network_theory(
    layers: list[NDArray[np.float64]], n_beta: float, mean: tuple[float, float] | None = None
) -> str:
    """λ and θ of a chain of linear layers with squared error, named with its theorem; or nothing.

    At inverse temperature nβ a singular value s of a product of layers is seen if nβ s² ≫ 1, and
    taken for 0 if nβ s² ≪ 1; with some between the two λ is that of the limit of large n, and that
    is said.  Of layers with a bias nothing is said.  The value is that of a loss that is least at
    these weights, with inputs in all directions.  ``mean`` is the exact mean of λ̂ and its error.

    >>> linear_network_theory([np.zeros((2, 2))] * 2, 100.0, (1.2, 0.01)).partition("; ")[2]
    'the exact mean of λ̂ is 1.20 ± 0.01, 0.3 below λ'
    """
    widths = "-".join(str(a.shape[1]) for a in layers) + f"-{len(layers[-1])}"
    ranks, at_least = (_ranks(layers, n_beta * f) for f in (CLEAR_STRENGTH, 1 / CLEAR_STRENGTH))
    limit = ""
    if ranks != at_least:
        ranks = _ranks(layers)
        limit = ", in the limit of large n: at this nβ some singular values are seen in part"
    pair = _pair_at(ranks, layers)
    if pair is None:
        return ""
    return (
        f"theorem: λ = {pair[0]}{theta_words(pair[1], 1.0 if mean else n_beta)} for the linear "
        f"network {widths} at these weights, whose product has rank {ranks[0, len(layers)]}{limit}"
        f"{_mean_words(mean, float(pair[0]))}"
    )


def _exact_mean(
    layers: list[NDArray[np.float64]], x: Any, y: Any, loss: Any, n_beta: float, pull: float
) -> tuple[float, float] | None:
    """The mean of λ̂ of one or two layers on these data, and its error; None of others."""
    if len(layers) > 2 or x is None or x.ndim != 2 or y.shape != (len(x), len(layers[-1])):
        return None
    if x.numel() * x.shape[1] > MOST_PRODUCTS:
        return None
    inputs, targets = (part.detach().double().cpu().numpy() for part in (x, y))
    product = layers[-1] @ layers[0] if len(layers) == 2 else layers[0]
    moments = inputs.T @ inputs / len(inputs)
    slopes = (inputs @ product.T - targets).T @ inputs / len(inputs)
    if loss not in (None, "gaussian"):  # the mean over outputs of squares that are not halved
        n_beta *= 2.0 / targets.shape[1]
    if len(layers) == 1:
        return layer_mean(moments, slopes, n_beta, pull), 0.0
    nearest = product - slopes @ np.linalg.pinv(moments)
    options: dict[str, Any] = {"moments": moments, "target": nearest, "sweeps": SWEEP_COUNT}
    try:
        return two_layer_mean(layers[0], layers[1], n_beta, pull, chains=4, **options)
    except InputError:  # inputs of very different scales
        return None


def _mean_words(mean: tuple[float, float] | None, lam: float) -> str:
    """Where the exact mean lies."""
    if mean is None:
        return ""
    value, error = mean
    shown = f"{value:.{max(0, -floor(log10(error)))}f} ± {error:.1g}" if error else f"{value:.5g}"
    gap = f", {abs(lam - value):.2g} {'below' if value < lam else 'above'} λ"
    return f"; the exact mean of λ̂ is {shown}{gap if abs(lam - value) > 2 * error else ''}"


def _pair_at(ranks: dict[Interval, int], layers: list[NDArray[np.float64]]) -> Any:
    """λ and θ of layers whose partial products have these ranks, if some have, and λ is exact."""
    point = LinearPoint(_normal_form(ranks, layers))
    if point.ranks != ranks:
        return None
    answer = solve(point, timeout=ENGINE_SECONDS)
    return None if answer.lam is None else (answer.lam, answer.theta)


def _linear_layers(module: Any) -> list[NDArray[np.float64]] | None:
    """Weights of a chain of linear layers without biases, all of which move."""
    nn = sys.modules["torch"].nn
    parts = list(module) if isinstance(module, nn.Sequential) else [module]
    parts = [part for part in parts if not isinstance(part, nn.Identity)]
    if not parts or not all(isinstance(p, nn.Linear) and p.bias is None for p in parts):
        return None
    shared_weight = len({id(p.weight) for p in parts}) < len(parts)
    if shared_weight or not all(p.weight.requires_grad for p in parts):
        return None
    layers = [p.weight.detach().double().cpu().numpy() for p in parts]
    return layers if sum(a.size for a in layers) <= MOST_WEIGHTS else None


def _ranks(layers: list[NDArray[np.float64]], strength: float | None = None) -> dict[Interval, int]:
    """Of all partial products: of singular values s with strength·s² ≥ 1, or not 0 but by rounding.

    Weights are the numbers that they are: rounding is that of products in double precision.
    """
    product_ranks = {}
    for first in range(len(layers)):
        product = np.eye(layers[first].shape[1])
        for last in range(first, len(layers)):
            product = layers[last] @ product
            squares = np.linalg.svd(product, compute_uv=False) ** 2
            scale = 1 / (ROUNDED_SHARE**2 * max(squares.max(), 1e-300))
            product_ranks[first, last + 1] = int(((strength or scale) * squares >= 1).sum())
    return product_ranks


def _normal_form(ranks: dict[Interval, int], layers: list[NDArray[np.float64]]) -> Any:
    """Matrices of zeros and ones with these ranks: units that are passed on from layer to layer."""
    widths = [layers[0].shape[1], *(a.shape[0] for a in layers)]
    every_rank = {**ranks, **{(i, i): width for i, width in enumerate(widths)}}
    matrices = [np.zeros(a.shape, dtype=int) for a in layers]
    used_units = [0] * len(widths)
    for (first, last), count in interval_multiplicities(every_rank, len(layers)).items():
        for _ in range(max(count, 0)):
            places = [used_units[i] for i in range(first, last + 1)]
            for i in range(first, last):
                row, column = places[i + 1 - first], places[i - first]
                if row < widths[i + 1] and column < widths[i]:
                    matrices[i][row, column] = 1
            for i in range(first, last + 1):
                used_units[i] += 1
    return tuple(tuple(tuple(map(int, row)) for row in matrix) for matrix in matrices)
