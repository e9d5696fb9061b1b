"""The networks of the study, their data and their training; nothing but torch is needed."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import nn

States = dict[int, dict[str, torch.Tensor]]  # of checkpoints, by step


def linear_module(widths: Sequence[int], rank: int = 0) -> nn.Sequential:
    """Layers diag(1, …, 1, 0, …), where λ of the fibre of this rank is attained."""
    net = nn.Sequential(*(nn.Linear(a, b, bias=False) for a, b in pairwise(widths)))
    with torch.no_grad():
        for layer in net:
            layer.weight.zero_()
            layer.weight[:rank, :rank] = torch.eye(rank)
    return net


def linear_data(net: nn.Module, samples: int, noise: float, seed: int) -> tuple[torch.Tensor, ...]:
    """Gaussian inputs and their images, with noise or none."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(samples, net[0].in_features, generator=generator)
    y = net(x).detach()
    return x, y + noise * torch.randn(y.shape, generator=generator)


class Superposition(nn.Module):
    """ReLU(W'W x + b), more features than hidden units."""

    def __init__(self, features: int = 6, hidden: int = 2) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.randn(hidden, features) / math.sqrt(hidden))
        self.b = nn.Parameter(torch.zeros(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What is left of the features."""
        return torch.relu(x @ self.w.mT @ self.w + self.b)


def superposition_data(samples: int, seed: int, features: int = 6) -> tuple[torch.Tensor, ...]:
    """One feature in each sample, uniform on [0, 1]; the target is the input."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.zeros(samples, features)
    chosen = torch.randint(features, (samples,), generator=generator)
    x[torch.arange(samples), chosen] = torch.rand(samples, generator=generator)
    return x, x.clone()


class ModularAddition(nn.Module):
    """A transformer of one layer, without normalisation; logits of a + b modulo p."""

    def __init__(self, p: int = 13, width: int = 32, heads: int = 4, hidden: int = 64) -> None:
        super().__init__()
        self.heads = heads
        self.embedded = nn.Embedding(p, width)
        self.position = nn.Parameter(0.1 * torch.randn(2, width))
        self.mixed = nn.Linear(width, 3 * width, bias=False)
        self.joined = nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.logits = nn.Linear(width, p, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits at the last place."""
        z = self.embedded(tokens) + self.position
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(-3, -2)
            for part in self.mixed(z).chunk(3, -1)
        )
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        z = z + self.joined((scores.softmax(-1) @ value).transpose(-3, -2).flatten(-2))
        z = z + self.down(torch.relu(self.up(z)))
        return self.logits(z[..., -1, :])


def addition_data(p: int = 13) -> tuple[torch.Tensor, ...]:
    """All pairs and their sums."""
    x = torch.cartesian_prod(torch.arange(p), torch.arange(p))
    return x, x.sum(1) % p


def each_loss(outputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """½|f − y|² or cross-entropy, by sample."""
    if y.is_floating_point():
        return 0.5 * (outputs - y).square().sum(-1)
    return nn.functional.cross_entropy(outputs, y, reduction="none")


def train(
    net: nn.Module, data: tuple[torch.Tensor, ...], steps: Sequence[int], **options: Any
) -> tuple[States, dict[int, float]]:
    """AdamW on all data; the weights and the loss at these steps."""
    optimizer = torch.optim.AdamW(net.parameters(), **options)
    x, y = data
    states, losses = {}, {}
    for step in range(max(steps) + 1):
        loss = each_loss(net(x), y).mean()
        if step in steps:
            states[step] = {name: w.detach().clone() for name, w in net.state_dict().items()}
            losses[step] = float(loss.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return states, losses


NETWORK_BUILDERS = {
    "linear": linear_module,
    "superposition": Superposition,
    "addition": ModularAddition,
}
