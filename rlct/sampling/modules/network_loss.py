"""The loss of a torch network as a function of its weights, for many chains, with its work counted.

L_B(w) = (1/|B|) Σ_{i∈B} ℓ_i(w); weights of all chains are rows of one array.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.flattening import FlattenedFunction
from rlct.sampling.modules.functional import FunctionalModule
from rlct.sampling.modules.losses import IGNORED_LABEL, usual_loss
from rlct.sampling.modules.module_checks import (
    check_module,
    check_unchanged_data,
    fewer_if_large,
)
from rlct.sampling.modules.samples import TensorSamples
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.modules.torch_work import counted_work
from rlct.sampling.modules.weight_masks import WeightChoice, choose_weights

if TYPE_CHECKING:
    import torch

CHECKED_SAMPLES = 8  # on which module and loss are checked, before it is known what they hold
MEASURED_SAMPLES = 1, 2  # samples of the two gradients whose memory is compared
HELD_SHARE = 1.3  # bytes that a gradient holds at most, over those saved for going back; measured
PASSING_SLOPES = 2  # of results, that it holds besides on its way back through the largest layer


@dataclass
class PassCount:
    """Samples that went through the network, beside and in the sampling itself."""

    #: Samples whose gradient, and whose loss alone, was computed.
    gradients: int = 0
    forwards: int = 0


class NetworkLoss:
    """Losses and gradients of copies of a module, each with weights of its own.

    The module is copied, in evaluation mode; parameters that need no gradient stay fixed.  Data are
    as in `rlct.sampling.modules.datasets.open_data`; see `TensorSamples` for what is held.  The
    loss is as in `rlct.sampling.modules.module.ModuleTarget`; of labels that repeat input_ids
    ``"next_token"`` by default.  Which ``weights`` move is as in
    `rlct.sampling.modules.weight_masks.choose_weights`; dtype and device are those of the module by
    default.  InputError if the data do not fit the module, or nothing can move.

    >>> import numpy as np, torch
    >>> from torch import nn
    >>> net, x = nn.Linear(2, 1, bias=False), np.eye(2, dtype="float32")
    >>> _, y = nn.init.zeros_(net.weight), np.zeros((2, 1), dtype="float32")
    >>> held = NetworkLoss(net, (x, y), "gaussian")
    >>> slopes, losses = held.gradient(torch.ones(3, 2), *held.samples.room(3, 2))
    >>> tuple(slopes.shape), held.count.gradients
    ((3, 2), 6)
    """

    def __init__(
        self,
        module: torch.nn.Module,
        data: Any,
        loss: Any = None,
        *,
        weights: WeightChoice | None = None,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        self.samples = data.copied() if isinstance(data, TensorSamples) else TensorSamples(data)
        self.loss = _usual_loss(self.samples) if loss is None else loss
        self.samples.drop_ignored(self.loss)
        self.masks = masks = None if weights is None else choose_weights(weights, module)
        self.function = FunctionalModule(
            module,
            self.loss,
            self.samples.targets,
            dtype=dtype,
            device=device,
            moving_names=masks,
            input_layout=self.samples.layout,
        )
        self.device, self.dtype = self.function.device, self.function.dtype
        self.samples.place(self.device, self.dtype, self.function.state_dtype)
        self.centre = self.function.centre
        #: Weights that move, shape (d,); None where all do.
        self.mask = None
        if masks is not None and not all(bool(mask.all()) for mask in masks.values()):
            flat = [masks[name].reshape(-1) for name in self.function.shapes]
            self.mask = import_torch().cat(flat).to(self.centre)
        self.count = PassCount()
        self._check()
        self._compile()

    def _compile(self) -> None:
        """Make the functions of many chains."""
        self._chain_slopes = FlattenedFunction(_slopes_and_values(self._mean_loss))
        vmap, both = import_torch().func.vmap, import_torch().func.grad_and_value(self._mean_loss)
        # Small networks, of which alone many share a call on a processor, are a tenth faster so.
        small = self.device.type == "cpu"
        self._many = FlattenedFunction(
            vmap(both) if small else _slopes_and_values(vmap(self._mean_loss))
        )
        self._values = self.function._many(self._own_losses, shared_count=2)

    def with_state(self, state: Mapping[str, Array]) -> NetworkLoss:
        """The same loss at other weights, by the names of the ``state_dict()`` of the module.

        The recorded gradient is shared unless buffers or fixed weights, its constants, differ.

        >>> import torch
        >>> net, data = torch.nn.Linear(1, 1), (torch.zeros(4, 1), torch.zeros(4, 1))
        >>> other = NetworkLoss(net, data).with_state({"weight": net.weight, "bias": net.bias * 0})
        >>> other.start_losses(4)[1]
        0.0
        """
        loss = copy.copy(self)
        loss.function = self.function.with_state(state)
        loss.centre, loss.count = loss.function.centre, PassCount()
        if loss.function.fixed is not self.function.fixed:
            loss._compile()
        return loss

    def doubled(self) -> NetworkLoss:
        """The same loss in double precision, where device and constants of the module allow it."""
        double, loss = import_torch().float64, self.loss
        if self.dtype is double or self.device.type == "mps":
            return self
        if not isinstance(loss, str) and hasattr(loss, "to"):
            loss = copy.deepcopy(loss).to(double)  # weights of classes
        try:
            return NetworkLoss(
                self.function.module, self.samples, loss, weights=self.masks, dtype=double
            )
        except InputError:  # a constant in single precision is neither parameter nor buffer
            return self

    @property
    def dimension(self) -> int:
        """Number of weights in tensors of which some move."""
        return len(self.centre)

    @property
    def moving(self) -> int:
        """Number of weights that move."""
        return self.dimension if self.mask is None else int(self.mask.sum())

    def _check(self) -> None:
        """Refuse in one line what the loop could not move."""
        few = min(fewer_if_large(CHECKED_SAMPLES, self.dimension), len(self.samples))
        x, y = self.samples.take(import_torch().arange(few))
        check_unchanged_data(self.function, x, y)
        start, outputs = self.function.at_start(x, y)
        check_module(self.function, self.loss, x, y, start, outputs)

    def _own_losses(self, weights: Array, x: Array, y: Array) -> Array:
        return self.function.losses(self.function.named(weights), x, y)

    def _mean_loss(self, weights: Array, x: Array, y: Array) -> Array:
        return self._own_losses(weights, x, y).mean()

    def gradient(
        self, weights: Array, x: Array, y: Array, *, vectorized: bool = True, often: bool = True
    ) -> tuple[Array, Array]:
        """Slopes (chains, d) and losses (chains,), each chain on a batch of its own.

        What is not asked ``often`` is not recorded, which takes as long as dozens of calls.
        """
        self.count.gradients += len(weights) * x.shape[1]
        if vectorized and not self.function.one_by_one:
            count = len(weights)
            if count == 1 and self.device.type == "cpu":  # other kernels take one alone
                weights, x, y = (part.expand(2, *part.shape[1:]) for part in (weights, x, y))
            slopes, values = self._many(weights, x, y)
            return slopes[:count].detach(), values[:count].detach()
        both = self._chain_slopes if often else self._chain_slopes.function
        parts = [both(*row) for row in zip(weights, x, y, strict=True)]
        if len(parts) == 1:
            return parts[0][0][None], parts[0][1][None]
        stack = import_torch().stack
        return stack([part[0] for part in parts]), stack([part[1] for part in parts])

    def sample_losses(self, weights: Array, x: Array, y: Array) -> Array:
        """Loss of each sample, shape (chains, samples), all chains on the same ones."""
        self.count.forwards += len(weights) * len(x)
        with import_torch().no_grad():
            values: Array = self._values(weights, x, y)
        return values

    def token_losses(self, weights: Array, x: Array, y: Array) -> Array:
        """Loss of each token, shape (chains, samples, tokens), of a loss of tokens."""
        self.count.forwards += len(weights) * len(x)
        function, torch = self.function, import_torch()
        labels = y[:, 1:] if self.loss == "next_token" else y
        if bool((labels == IGNORED_LABEL).any()):
            raise InputError("labels of -100 make tokens of different weight: leave tokens= out")
        with torch.no_grad():
            parts = [function.token_losses(function.named(row), x, y) for row in weights]
        return torch.stack(parts)

    @cached_property
    def bytes_per_sample(self) -> float:
        """Bytes that a gradient of one chain holds for each sample, measured at two batch sizes."""
        torch = import_torch()
        x, y = self.samples.take(torch.arange(MEASURED_SAMPLES[1]) % len(self.samples))
        weights = self.centre.clone().requires_grad_()

        def saved(size: int) -> tuple[dict[int, int], int, Array]:
            """Bytes by place, their sum with what going back takes, and what keeps them there."""
            saved_bytes: dict[int, int] = {}

            def pack(tensor: Array) -> Array:
                storage = tensor.untyped_storage()
                saved_bytes[storage.data_ptr()] = storage.nbytes()
                return tensor.detach()  # which does not hold what holds it

            hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda held: held)
            with self.function.fitting(), torch.enable_grad(), hooks:
                loss = self._own_losses(weights, x[:size], y[:size]).mean()
            if self.device.type == "cuda":
                torch.cuda.reset_peak_memory_stats(self.device)
                before = torch.cuda.memory_allocated(self.device)
                torch.autograd.grad(loss, weights, retain_graph=True)
                peak = int(torch.cuda.max_memory_allocated(self.device) - before)
                return saved_bytes, peak + sum(saved_bytes.values()), loss
            return saved_bytes, sum(saved_bytes.values()), loss

        (fixed, few_bytes, _few), (places, more_bytes, _more) = map(saved, MEASURED_SAMPLES)
        growth = max(more_bytes - few_bytes, 0) / (MEASURED_SAMPLES[1] - MEASURED_SAMPLES[0])
        largest = max((size for at, size in places.items() if at not in fixed), default=0)
        return float(
            max(HELD_SHARE * growth, growth + PASSING_SLOPES * largest / MEASURED_SAMPLES[1])
            + self.samples.row_bytes
        )

    @cached_property
    def sample_work(self) -> float:
        """Products that take as long as the gradient of one sample, counted at two batch sizes."""
        few, many = MEASURED_SAMPLES
        x, y = self.samples.take(import_torch().arange(many) % len(self.samples))
        self.count.gradients += few + many
        with self.function.fitting():
            work = [
                counted_work(partial(self._chain_slopes.function, self.centre, x[:size], y[:size]))
                for size in MEASURED_SAMPLES
            ]
        return (work[1].products - work[0].products) / (many - few)

    def start_losses(self, rows_together: int, samples: TensorSamples | None = None) -> Any:
        """ℓ_i(w*) of all samples in single precision and their mean in double, in one pass."""
        torch = import_torch()
        samples = self.samples if samples is None else samples
        parts, total = [], 0.0
        for first in range(0, len(samples), rows_together):
            rows = torch.arange(first, min(first + rows_together, len(samples)))
            x, y = samples.take(rows)
            with self.function.fitting():
                losses = self.sample_losses(self.centre[None], x, y)[0]
            total += float(losses.double().sum())
            parts.append(losses)
        start_losses = torch.cat(parts)
        if not bool(start_losses.isfinite().all()):
            where = int((~start_losses.isfinite()).nonzero()[0])
            raise InputError(
                f"the loss of sample {where} at w* is not a number: check data, loss and weights"
            )
        return start_losses, total / len(samples)


def _usual_loss(samples: TensorSamples) -> str:
    """That of the targets: of a language model where labels are those of its own tokens."""
    torch = import_torch()
    x, y = samples.take(torch.arange(min(CHECKED_SAMPLES, len(samples))))
    if samples.layout is None or y.ndim != 2 or y.is_floating_point():
        return usual_loss(y)
    tokens = samples.layout.unpack(x, torch.float32).get("input_ids")
    if (
        tokens is None
        or tokens.shape != y.shape
        or bool(((tokens != y) & (y != IGNORED_LABEL)).any())
    ):
        raise InputError(
            "labels of tokens do not repeat input_ids: name loss='next_token', where outputs "
            "foretell the label after their own, or loss='token', where that of their place"
        )
    return "next_token"


def _slopes_and_values(losses: Callable[..., Any]) -> Callable[..., tuple[Array, Array]]:
    """Slopes and values of a function of weights, shape (d,) or (chains, d).

    By autograd itself: ``torch.func.grad`` records the way back, too, which takes twice the memory.
    """

    def both(weights: Array, x: Array, y: Array) -> tuple[Array, Array]:
        torch = import_torch()
        with torch.enable_grad():
            weights = weights.detach().requires_grad_()
            values = losses(weights, x, y)
            (slopes,) = torch.autograd.grad(values.sum(), weights)
        return slopes, values.detach()

    return both
