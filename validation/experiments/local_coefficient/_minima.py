"""Training by SGD and by entropy-SGD, and λ̂ at the end."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rlct.sampling.local.llc import estimate_llc

__all__ = ["entropy_sgd", "estimate", "losses", "network", "paired", "sgd", "tensors", "trained"]


def network(widths: Sequence[int], seed: int) -> Any:
    """ReLU network as PyTorch initialises it."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    parts: list[Any] = []
    for a, b in pairwise(widths):
        parts += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*parts[:-1])


class _Batches:
    """Batches of permutations, one after the other."""

    def __init__(self, x: Any, y: Any, size: int, seed: int) -> None:
        import torch

        self.x, self.y, self.size = x, y, size
        self.generator = torch.Generator().manual_seed(seed)
        self.order: Any = torch.empty(0, dtype=torch.long)

    def next(self) -> tuple[Any, Any]:
        import torch

        if len(self.order) < self.size:
            self.order = torch.randperm(len(self.x), generator=self.generator)
        rows, self.order = self.order[: self.size], self.order[self.size :]
        return self.x[rows], self.y[rows]


def _gradient(net: Any, batch: tuple[Any, Any]) -> list[Any]:
    import torch

    loss = torch.nn.functional.cross_entropy(net(batch[0]), batch[1])
    return list(torch.autograd.grad(loss, list(net.parameters())))


def sgd(net: Any, x: Any, y: Any, *, steps: int, lr: float, batch: int, seed: int) -> None:
    """Stochastic gradient descent with momentum 0.9; the step falls to 0 as a cosine."""
    import torch

    batches = _Batches(x, y, batch, seed)
    velocity = [torch.zeros_like(p) for p in net.parameters()]
    for step in range(steps):
        size = lr * 0.5 * (1 + math.cos(math.pi * step / steps))
        with torch.no_grad():
            for p, v, g in zip(
                net.parameters(), velocity, _enabled(net, batches.next()), strict=True
            ):
                v.mul_(0.9).add_(g)
                p.sub_(size * v)


def _enabled(net: Any, batch: tuple[Any, Any]) -> list[Any]:
    import torch

    with torch.enable_grad():
        return _gradient(net, batch)


def entropy_sgd(
    net: Any,
    x: Any,
    y: Any,
    *,
    steps: int,
    lr: float,
    batch: int,
    inner: int,
    scope: float,
    noise: float,
    seed: int,
) -> None:
    """Entropy-SGD: gradient steps on the local free energy, from Langevin loops.

    Parameters
    ----------
    net, x, y, batch, seed
    steps : int
        Gradients in all, ``inner`` of them for each outer step, so that the work is that of
        `sgd` with as many steps.
    lr : float
        Of the inner loop, falling as a cosine; the outer step goes to the running mean.
    scope : float
        γ of the pull towards the outer weights.
    noise : float
        Standard deviation of the Langevin noise beside √lr.

    References
    ----------
    Chaudhari, P. et al. (2017). Entropy-SGD: biasing gradient descent into wide valleys. ICLR.
    """
    import torch

    batches = _Batches(x, y, batch, seed)
    generator = torch.Generator().manual_seed(seed + 1)
    parameters = list(net.parameters())
    velocity = [torch.zeros_like(p) for p in parameters]
    for outer in range(steps // inner):
        size = lr * 0.5 * (1 + math.cos(math.pi * outer * inner / steps))
        start = [p.detach().clone() for p in parameters]
        mean = [p.detach().clone() for p in parameters]
        for _ in range(inner):
            slopes = _enabled(net, batches.next())
            with torch.no_grad():
                for p, s, v, g, m in zip(parameters, start, velocity, slopes, mean, strict=True):
                    v.mul_(0.9).add_(g + scope * (p - s))
                    drawn = torch.randn(p.shape, generator=generator)
                    p.sub_(size * v).add_(noise * math.sqrt(size) * drawn)
                    m.mul_(0.75).add_(0.25 * p)
        with torch.no_grad():
            for p, m in zip(parameters, mean, strict=True):
                p.copy_(m)


def estimate(
    net: Any, x: Any, y: Any, *, localization: float, seed: int, **options: Any
) -> dict[str, Any]:
    """λ̂ at the weights of a network, with its errors and warnings."""
    from rlct.sampling.modules.module import ModuleTarget

    target = ModuleTarget(net, (x, y), "cross_entropy")
    sampled = estimate_llc(target, localization=localization, method="sgld", seed=seed, **options)
    return {
        "llc": sampled.lam,
        "error": sampled.errors["chains"],
        "sampler": sampled.errors.get("sampler", 0.0),
        "warnings": list(sampled.warnings),
        "seconds": round(sampled.seconds, 1),
        "parameters": target.dimension,
    }


def losses(net: Any, x: Any, y: Any) -> tuple[float, float]:
    """Cross-entropy and share of right answers."""
    import torch

    with torch.no_grad():
        out = net(x)
        loss = float(torch.nn.functional.cross_entropy(out, y))
        return loss, float((out.argmax(dim=1) == y).double().mean())


def tensors(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Pixels in [0, 1] and classes."""
    import torch

    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.long)


def trained(
    method: str, widths: Sequence[int], x: Any, y: Any, options: dict[str, Any], seed: int
) -> Any:
    """Train a network from the same start by the same number of gradients, either way."""
    net = network(widths, seed)
    shared = {key: options[key] for key in ("steps", "lr", "batch")}
    if method == "sgd":
        sgd(net, x, y, seed=seed, **shared)
    else:
        loop = {key: options[key] for key in ("inner", "scope", "noise")}
        entropy_sgd(net, x, y, seed=seed, **shared, **loop)
    return net


def paired(rows: Sequence[Any], key: str) -> tuple[float, float, int]:
    """Mean of entropy-SGD less SGD over the seeds, its standard error, and how many there are."""
    by_method = {
        method: {row["seed"]: row[key] for row in rows if row["method"] == method}
        for method in ("sgd", "entropy-sgd")
    }
    seeds = sorted(set(by_method["sgd"]) & set(by_method["entropy-sgd"]))
    gaps = np.array([by_method["entropy-sgd"][s] - by_method["sgd"][s] for s in seeds])
    spread = float(gaps.std(ddof=1) / np.sqrt(len(gaps))) if len(gaps) > 1 else math.inf
    return float(gaps.mean()), spread, len(seeds)
