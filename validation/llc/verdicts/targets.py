"""Thirteen networks with tempered means that are known without a sampler of ours, and how to ask.

The mean is that of nβ(L(w) − L(w*)) over exp(−nβL(w) − γ|w − w*|²/2 − κ|w|²/2).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import nn

from rlct.models.kit.tempered_mean import layer_mean, monomial_mean, two_layer_mean

Data = tuple[torch.Tensor, torch.Tensor]


@dataclass(frozen=True)
class Target:
    """A network at its weights, data, options of the run, and the exact mean by γ.

    ``minimum`` says whether no lower loss is near w*.
    """

    network: nn.Module
    data: Data
    exact_mean: Callable[[float], float]
    options: dict[str, Any] = field(default_factory=dict)
    minimum: bool = True


def n_beta_of(data: Data) -> float:
    """Return n / log n."""
    return len(data[0]) / float(np.log(len(data[0])))


def moments_of(network: nn.Module, data: Data) -> tuple[np.ndarray, np.ndarray]:
    """S = E[xx'], and slopes E[(f − y)x'] of L by the map of the network."""
    x, y = (part.double().numpy() for part in data)
    with torch.no_grad():
        miss = network(data[0]).double().numpy() - y
    return x.T @ x / len(x), miss.T @ x / len(x)


def gaussian_mean(network: nn.Linear, data: Data, gamma: float, decay: float = 0.0) -> float:
    """Of one linear layer, whatever its targets."""
    weights = network.weight.detach().double().numpy()
    second, slopes = moments_of(network, data)
    return layer_mean(second, slopes, n_beta_of(data), gamma, decay=decay, weights=weights)


@cache
def two_layer_exact(network: nn.Sequential, x: torch.Tensor, n_beta: float, gamma: float) -> float:
    """Of two linear layers and images of them."""
    first, second = (layer.weight.detach().double().numpy() for layer in network)
    moments, _ = moments_of(network, (x, network(x).detach()))
    return two_layer_mean(first, second, n_beta, gamma, moments=moments)[0]


class Powers(nn.Module):
    """Outputs v_i^(p_i/2), so that ½|outputs|² is ½ Σ v_i^(p_i)."""

    def __init__(self, exponents: list[int]) -> None:
        super().__init__()
        self.v = nn.Parameter(torch.zeros(len(exponents)))
        self.register_buffer("halves", torch.tensor(exponents) // 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the same for each sample."""
        square = self.v * self.v
        outputs = torch.where(self.halves == 1, self.v, square)
        return outputs + 0 * x[:, :1]


def powers_mean(network: Powers, data: Data, gamma: float) -> float:
    """By quadrature for each coordinate."""
    halves, n_beta = network.halves.tolist(), n_beta_of(data)
    return sum(
        halves.count(half) * monomial_mean([2 * half], n_beta, gamma, factor=0.5) for half in (1, 2)
    )


def logistic_mean(network: nn.Linear, data: Data, gamma: float) -> float:
    """Each input has one coordinate, so that each weight has its own logistic loss: quadrature."""
    x, y = (part.double().numpy() for part in data)
    start, n_beta = network.weight.detach().double().numpy()[0], n_beta_of(data)
    total = 0.0
    for k, w0 in enumerate(start):
        mine = x[:, k] > 0
        share, rate = mean_of(mine), mean_of(y[mine])
        v = np.linspace(-12, 12, 200_001)
        loss = n_beta * share * (np.logaddexp(0, w0 + v) - rate * (w0 + v))
        loss -= n_beta * share * (np.logaddexp(0, w0) - rate * w0)
        density = np.exp(-loss - 0.5 * gamma * v**2)
        total += float((loss * density).sum() / density.sum())
    return total


def mean_of(values: Any) -> float:
    """Return the mean as a Python number."""
    return float(np.mean(values))


def _regression(
    decades: float,
    noise: float = 0.0,
    off: float = 0.0,
    size: int = 20,
    samples: int = 2000,
    size_of_inputs: float = 1.0,
) -> tuple[nn.Linear, Data]:
    """A linear layer on inputs whose sizes spread over decades; off moves it from its minimum."""
    torch.manual_seed(0)
    x = size_of_inputs * torch.randn(samples, size) * torch.logspace(0, -decades, size)
    network = nn.Linear(size, size, bias=False)
    nn.init.normal_(network.weight)
    y = network(x).detach()
    y = y + noise * torch.randn(y.shape)
    with torch.no_grad():
        if noise:
            solution = torch.linalg.lstsq(x.double(), y.double()).solution
            network.weight.copy_(solution.T)
        network.weight.add_(off * torch.randn(network.weight.shape))
    return network, (x, y)


def _two_layers(
    widths: tuple[int, int, int], rank: int, *, uniform: bool = False
) -> tuple[nn.Sequential, Data]:
    """Two linear layers diag(1, …, 1, 0, …), or random ones, and images by them."""
    torch.manual_seed(0)
    network = nn.Sequential(
        nn.Linear(widths[0], widths[1], bias=False), nn.Linear(widths[1], widths[2], bias=False)
    )
    with torch.no_grad():
        for layer in network if rank else ():
            layer.weight.zero_()
            layer.weight[:rank, :rank] = torch.eye(rank)
    x = torch.randn(2000, widths[0])
    if uniform:
        x = 2 * torch.rand(2000, widths[0]) - 1
    return network, (x, network(x).detach())


def _logistic(size: int = 40, samples: int = 4000) -> tuple[nn.Linear, Data]:
    torch.manual_seed(0)
    coordinate = torch.arange(samples) % size
    x = nn.functional.one_hot(coordinate, size).float()
    y = (torch.rand(samples, 1) < 0.3 + 0.4 * (coordinate[:, None] / size)).float()
    network = nn.Linear(size, 1, bias=False)
    with torch.no_grad():
        rates = torch.stack([y[coordinate == k].mean() for k in range(size)])
        network.weight.copy_(torch.logit(rates)[None])
    return network, (x, y)


def targets() -> dict[str, Target]:
    """Return the thirteen, by name."""

    def linear(label: str, model: Any, *, decay: float = 0.0, minimum: bool = True, **options: Any):
        network, data = model
        if decay:
            options["weight_decay"] = decay
        by_name[label] = Target(
            network,
            data,
            lambda gamma: gaussian_mean(network, data, gamma, decay),
            {"loss": "gaussian", **options},
            minimum,
        )

    by_name: dict[str, Target] = {}
    linear("regression", _regression(2))
    linear("uneven", _regression(2, size_of_inputs=10.0))
    linear("bfloat16", _regression(2), num_draws=2000, dtype=torch.bfloat16)
    linear("short", _regression(2), num_draws=40)
    linear("batch noise", _regression(1, noise=10.0), batch_size=8)
    linear("weight decay", _regression(1), decay=30.0)
    linear("no minimum", _regression(1, off=0.3), minimum=False)
    linear("flat", _regression(4), num_draws=1000)
    for label, widths, rank, uniform in (
        ("square of rank 5", (20, 20, 20), 5, False),
        ("rank 1", (5, 3, 5), 1, False),
        ("wide", (30, 48, 17), 0, True),
    ):
        network, data = _two_layers(widths, rank, uniform=uniform)
        options = {"loss": "gaussian"} | ({"lr": 4e-4} if rank == 5 else {})
        by_name[label] = Target(
            network,
            data,
            lambda gamma, network=network, data=data: two_layer_exact(
                network, data[0], n_beta_of(data), gamma
            ),
            options,
        )
    powers = Powers([2] * 250 + [4] * 250)
    powers_data = torch.zeros(1000, 1), torch.zeros(1000, 500)
    by_name["powers"] = Target(
        powers,
        powers_data,
        lambda gamma: powers_mean(powers, powers_data, gamma),
        {"loss": "gaussian"},
    )
    logistic, logistic_data = _logistic()
    by_name["large lr"] = Target(
        logistic,
        logistic_data,
        lambda gamma: logistic_mean(logistic, logistic_data, gamma),
        {"loss": nn.BCEWithLogitsLoss(), "lr": 2.0},
    )
    return by_name
