"""Deep linear networks in torch with squared error: exact draws of one layer at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.checks import check_scale
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.targets.layer_law import (
    LayerLaw,
    gram_resolution,
    matrix_product,
    products_above,
)
from rlct.sampling.targets.target import Floats

if TYPE_CHECKING:
    import torch


class LinearModuleTarget(ModuleTarget):
    """L_n(w) − L_n(w*) of a chain of linear layers, L = ½|f_w(x) − y|², with a Gaussian prior.

    The data enter by their second moments, so that a sweep costs the same for any n.

    Parameters
    ----------
    module : torch.nn.Sequential
        Of ``nn.Linear`` layers without biases.
    data : (inputs, targets)
        For the population K = ½‖A_L⋯A_1 − B‖² take √d·I_d and its image, d inputs.
    sigma : float
        Standard deviation of the Gaussian prior around w*.
    dtype, device : optional
        As for `~rlct.sampling.modules.module.ModuleTarget`; single precision resolves little.

    Raises
    ------
    InputError
        If a layer is not linear, has a bias, or is used twice.

    Examples
    --------
    >>> import torch
    >>> from torch import nn
    >>> net = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)).double()
    >>> for layer in net:
    ...     _ = nn.init.zeros_(layer.weight)
    >>> target = LinearModuleTarget(net, (torch.ones(1, 1), torch.zeros(1, 1)))
    >>> float(target.divergence(torch.tensor([[1.0, 2.0]], dtype=torch.float64))[0])
    2.0
    >>> target.redraw(torch.zeros(3, 2).double(), 10.0, np.random.default_rng(0)).shape
    torch.Size([3, 2])
    """

    def __init__(
        self,
        module: torch.nn.Sequential,
        data: Any,
        *,
        sigma: float = 1.0,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        torch = import_torch()
        layers = list(module) if isinstance(module, torch.nn.Sequential) else []
        if not layers or not all(
            isinstance(layer, torch.nn.Linear) and layer.bias is None for layer in layers
        ):
            raise InputError("exact draws need nn.Sequential of nn.Linear layers without biases")
        if len({id(layer.weight) for layer in layers}) < len(layers):
            raise InputError("exact draws need layers of their own, none that is used twice")
        check_scale("sigma", sigma, zero=False)
        super().__init__(module, data, "gaussian", dtype=dtype, device=device)
        if len(self._function.shapes) < len(layers):
            raise InputError("exact draws need all layers to move: require their gradients")
        self.sigma = float(sigma)
        self._centres = self._layers(torch.zeros_like(self.centre)[None])
        truth = _product(self._centres)[0]
        inputs, targets = self._rows.block(slice(None))
        inputs = inputs.to(self.dtype)
        self._second = inputs.mT @ inputs / self.samples
        self._cross = (targets - inputs @ truth.mT).mT @ inputs / self.samples
        self._truth = truth

    @property
    def scale(self) -> float:
        """Standard deviation of the prior."""
        return self.sigma

    @property
    def resolution(self) -> float:
        """Where rounding hides what the redraw must tell apart, chains in the prior or near w*."""
        torch = import_torch()
        hidden = [layer.shape[1] for layer in self._centres[:-1]]
        widest = max(max(layer.shape[1:]) for layer in self._centres)
        norms = [
            max(self.sigma**2 * width, float(torch.linalg.matrix_norm(layer[0], 2)) ** 2)
            for width, layer in zip([*hidden, widest], self._centres, strict=True)
        ]
        norms.append(float(torch.linalg.matrix_norm(self._second, 2)))
        return gram_resolution(norms, max(hidden, default=0), torch.finfo(self.dtype).eps)

    def _layers(self, w: Array) -> list[Array]:
        return list(self._function.parameters(w).values())

    def divergence(self, w: Array) -> Array:
        """½⟨ΔS, Δ⟩ − ⟨Δ, N⟩, Δ the error of the product, N the noise's moment with the inputs."""
        change = _product(self._layers(w)) - self._truth
        return (change * (0.5 * change @ self._second - self._cross)).sum((-2, -1))

    def log_prior(self, w: Array) -> Array:
        """−|w|²/2σ²."""
        return -0.5 * (w * w).sum(-1) / self.sigma**2

    def log_prior_gradient(self, w: Array) -> Array:
        """−w/σ²."""
        return -w / self.sigma**2

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Gaussian draws."""
        return self.sigma * rng.standard_normal((count, self.dimension))

    def redraw(self, w: Array, n_beta: float, rng: np.random.Generator) -> Array:
        """Draw each layer from its exact Gaussian conditional, in turn.

        See :class:`~rlct.sampling.targets.layer_law.LayerLaw`.
        """
        torch = import_torch()
        on = self.arrays(rng)
        layers = self._layers(w)
        below = None
        for j, q in enumerate(products_above(layers)):
            error = matrix_product(q, layers[j], below) - self._truth
            slope = error @ self._second - self._cross
            offset = layers[j] - self._centres[j]
            law = LayerLaw.given(on, q, below, slope, self._second, n_beta, self.sigma**-2, offset)
            layers[j] = layers[j] + law.draw()
            below = matrix_product(layers[j], below)
        return torch.cat([layer.flatten(1) for layer in layers], dim=1) - self.centre


def _product(layers: list[Array]) -> Array:
    return matrix_product(*reversed(layers))
