"""What is known exactly of a torch module: λ of a linear network, or of a polynomial, at w*."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.answers.exact import solve
from rlct.answers.polynomial_module import polynomial_module_theory
from rlct.models.linear_networks.linear_point import Interval, LinearPoint, interval_multiplicities

CLEAR_STRENGTH = 10.0  # nβ times σ² of a singular value: a rank above, none below the inverse
ENGINE_SECONDS = 0.2  # for the engine beside the theorem, which answers at once
MOST_WEIGHTS = 2000  # of a network whose exact ranks take a moment


def module_theory(module: Any, data: Any, loss: Any, n_beta: float) -> str:
    """λ at the weights of a module with squared error, if a theorem or the engine knows it."""
    pair = isinstance(data, tuple | list) and len(data) == 2
    pair = pair and all(hasattr(part, "dtype") for part in data)
    x, y = map(sys.modules["torch"].as_tensor, data) if pair else (None, None)
    if loss != "gaussian" and (loss is not None or y is None or not y.is_floating_point()):
        return ""
    known = linear_network_theory(module, n_beta)
    if known or x is None or x.ndim != 2:
        return known
    return polynomial_module_theory(module, x.shape[1])


def linear_network_theory(module: Any, n_beta: float) -> str:
    """λ and θ of a chain of linear layers with squared error, named with its theorem; or nothing.

    At inverse temperature nβ a singular value s of a product of layers is seen if nβ s² ≫ 1, and
    taken for 0 if nβ s² ≪ 1; between the two nothing is said, nor of layers with a bias.  The value
    is that of a loss that is least at these weights, with inputs in all directions.

    Examples
    --------
    >>> import torch
    >>> net = torch.nn.Sequential(*(torch.nn.Linear(2, 2, bias=False) for _ in range(2)))
    >>> for layer in net:
    ...     _ = torch.nn.init.zeros_(layer.weight)
    >>> linear_network_theory(net, 100.0)[:60]
    'theorem: λ = 3/2, θ = 1 for the linear network 2-2-2 at thes'
    """
    layers = _linear_layers(module)
    if layers is None:
        return ""
    ranks = _clear_ranks(layers, n_beta)
    if ranks is None:
        return ""
    point = LinearPoint(_normal_form(ranks, layers))
    if point.ranks != ranks:  # ranks that no matrices have
        return ""
    answer = solve(point, timeout=ENGINE_SECONDS)
    if answer.lam is None:
        return ""
    theta = "" if answer.theta is None else f", θ = {answer.theta}"
    widths = "-".join(map(str, point.widths))
    return (
        f"theorem: λ = {answer.lam}{theta} for the linear network {widths} at these weights, whose "
        f"product has rank {ranks[0, point.depth]}"
    )


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


def _clear_ranks(layers: list[NDArray[np.float64]], n_beta: float) -> dict[Interval, int] | None:
    """Ranks of all partial products, if every singular value is clearly one or none."""
    product_ranks = {}
    for first in range(len(layers)):
        product = np.eye(layers[first].shape[1])
        for last in range(first, len(layers)):
            product = layers[last] @ product
            strengths = n_beta * np.linalg.svd(product, compute_uv=False) ** 2
            if ((strengths > 1 / CLEAR_STRENGTH) & (strengths < CLEAR_STRENGTH)).any():
                return None
            product_ranks[first, last + 1] = int((strengths >= CLEAR_STRENGTH).sum())
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
