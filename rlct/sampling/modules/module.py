"""Networks in torch: any ``nn.Module`` with a loss and a data set, near its present weights."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.arrays import Array, Arrays
from rlct.sampling.markov_chains.effort import CALL, GRADIENT_PASSES, TorchWork, counted_work
from rlct.sampling.modules.datasets import tensors_of
from rlct.sampling.modules.flattening import FlattenedFunction
from rlct.sampling.modules.functional import FunctionalModule
from rlct.sampling.modules.losses import counted_samples, usual_loss
from rlct.sampling.modules.module_checks import check_module, check_unchanged_data
from rlct.sampling.modules.torch_arrays import (
    TorchArrays,
    import_torch,
    single_thread,
    without_vmap_remark,
)

if TYPE_CHECKING:
    import torch

__all__ = ["ModuleTarget"]

CHUNK = 2**24  # numbers in one activation of one layer that are held at once, roughly
NEAR = 2**20  # of which a processor reaches fast
ENOUGH = 1024  # samples beside which work on the parameters does not count
SHARED_WORK = 10**7  # samples times parameters
SHORT_WORK = 10**8  # the same times points: calls below it cost less than their overhead
COUNTED = 16  # samples whose work is counted


class ModuleTarget:
    """L_n(w) − L_n(w*) of a module on data, w* its present weights; all chains in one call.

    Parameters
    ----------
    module : torch.nn.Module
        Copied, in evaluation mode; parameters that need no gradient stay fixed.
    data : (inputs, targets), torch.utils.data.Dataset or torch.utils.data.DataLoader
        Tensors or arrays of equal length n, or a torch dataset of such pairs.
    loss : str or callable, optional
        ``"cross_entropy"``, ``"mse"`` (the mean over outputs of the squared error), ``"gaussian"``
        (½|f − y|², the negative log-likelihood for unit noise), a loss module of torch, or a
        function of (outputs, targets) that averages over the samples.  Without it cross-entropy
        where the targets are whole numbers, Gaussian where they are real.  Over all data it has
        the value that torch gives it: weights of classes are divided by their sum.  Samples whose
        target is ignored (``ignore_index``) are left out, and n counts the others.
    dtype, device : optional
        Of the module by default.

    Raises
    ------
    InputError
        If the data do not fit the module, or nothing can move.

    Examples
    --------
    >>> import numpy as np, torch
    >>> from torch import nn
    >>> net, x = nn.Linear(2, 1, bias=False), np.eye(2, dtype="float32")
    >>> _, y = nn.init.zeros_(net.weight), np.zeros((2, 1), dtype="float32")
    >>> target = ModuleTarget(net, (x, y), "gaussian")
    >>> target.dimension, target.samples, float(target.divergence(torch.ones(1, 2))[0])
    (2, 2, 0.5)
    """

    #: Whether the prior is flat: then localization alone confines the chains.
    flat = True

    def __init__(
        self,
        module: torch.nn.Module,
        data: Any,
        loss: str | Callable[..., Any] | None = None,
        *,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        torch = import_torch()
        inputs, targets = tensors_of(data)
        chosen_loss = usual_loss(targets) if loss is None else loss
        count = counted_samples(chosen_loss, targets)
        if not bool(count.all()):
            inputs, targets = inputs[count.to(inputs.device)], targets[count]
        if not len(targets):
            raise InputError("every target is one that the loss ignores")
        self._function = FunctionalModule(module, chosen_loss, targets, dtype=dtype, device=device)
        self.device, self.dtype = self._function.device, self._function.dtype
        self.module, self.centre = self._function.module, self._function.centre
        self.inputs, self.targets = self._placed(inputs), self._placed(targets)
        check_unchanged_data(self._function, self.inputs, self.targets)
        parts: list[Array] = []
        outputs: list[Array] = []
        for rows in self._chunks(1):
            losses, out = self._function.at_start(self.inputs[rows], self.targets[rows])
            parts.append(losses)
            if sum(held.numel() for held in outputs) < CHUNK:
                outputs.append(out)
        self._start = torch.cat(parts)
        with without_vmap_remark():
            check_module(
                self._function,
                chosen_loss,
                self.inputs,
                self.targets,
                self._start,
                torch.cat(outputs),
            )
            #: How long the gradient on one sample takes, see `rlct.sampling.markov_chains.effort`.
            self.sample_work = max(self._added_work(), float(GRADIENT_PASSES * self.dimension))
        if not bool(torch.isfinite(self._start).all()):
            raise InputError("the loss at w* is not finite: check data, loss and weights")
        self.baseline = float(self._start.double().mean())
        self.remark = self._function.remark
        self._loss = chosen_loss

    @cached_property
    def doubled(self) -> ModuleTarget:
        """The same loss in double precision, where device and constants of the module allow it."""
        torch = import_torch()
        double, loss = torch.float64, self._loss
        if self.dtype is double or self.device.type == "mps":
            return self
        if isinstance(loss, torch.nn.Module):
            loss = copy.deepcopy(loss).to(double)  # weights of classes
        try:
            return ModuleTarget(self.module, (self.inputs, self.targets), loss, dtype=double)
        except InputError:  # a constant in single precision is neither parameter nor buffer
            return self

    def _placed(self, values: Array) -> Array:
        values = values.detach().to(self.device)
        return values.to(self.dtype) if values.is_floating_point() else values

    def _added_work(self) -> float:
        """What the second half of a few samples adds: what remains is work on the parameters.

        Where chains run one after another the calls of operations count, too.
        """
        w = self.centre.new_zeros(1, self.dimension)

        def work(rows: slice) -> TorchWork:
            data = self.inputs[rows], self.targets[rows], self._start[rows]
            return counted_work(lambda: self._function.whole_both.function(w, *data))

        most = min(COUNTED, self.samples)
        products, calls = work(slice(most))
        calls *= self._function.one_by_one
        if most == 1:
            return products + CALL * calls
        half = most // 2
        return (products - work(slice(half)).products) / (most - half) + CALL * calls / self.samples

    @property
    def start_losses(self) -> NDArray[np.floating[Any]]:
        """ℓ_i(w*), shape (n,)."""
        found: NDArray[np.floating[Any]] = self._start.cpu().numpy()
        return found

    @property
    def dimension(self) -> int:
        """Number of parameters that move."""
        return len(self.centre)

    @property
    def samples(self) -> int:
        """Number n of samples."""
        return len(self.inputs)

    @property
    def resolution(self) -> float:
        """Rounding of a loss of order one in the chosen precision."""
        return 1e-2 / float(import_torch().finfo(self.dtype).eps)

    @property
    def scale(self) -> float:
        """Typical size of a weight."""
        return max(float(self.centre.double().pow(2).mean().sqrt()), 1e-3)

    def arrays(self, rng: np.random.Generator) -> TorchArrays:
        """Where the chains live."""
        return TorchArrays(rng, self.device, self.dtype)

    @contextmanager
    def session(self) -> Iterator[None]:
        """One thread for small networks, whose operations are too short to be shared out; quiet."""
        small = self.samples * self.dimension < SHARED_WORK
        with single_thread(small), without_vmap_remark():
            yield

    def _widest(self) -> int:
        """Numbers in the widest layer for one sample, roughly."""
        widest = max(
            [*(s.numel() // max(s[-1], 1) for s in self._function.shapes.values() if len(s)), 1]
        )
        return int(max(widest, self.inputs[0].numel()))

    def _chunks(self, points: int) -> list[slice]:
        """Slices of the data that a call on this many points can hold."""
        each = points * self._widest()
        step = max(1, CHUNK // each)
        if self.device.type == "cpu":
            step = min(step, max(NEAR // each, ENOUGH))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def value_and_gradient(self, w: Array) -> tuple[Array, Array]:
        """L_n(w) − L_n(w*) and its gradient on all data."""
        value, slope = 0.0, 0.0
        both = self._fastest(self._function.whole_both, len(w) * self.samples)
        for rows in self._chunks(len(w)):
            share = len(self._start[rows]) / self.samples
            g, v = both(w, self.inputs[rows], self.targets[rows], self._start[rows])
            value, slope = value + share * v.detach(), slope + share * g.detach()
        return value, slope

    def gradient(self, w: Array) -> Array:
        """Gradient of L_n."""
        return self.value_and_gradient(w)[1]

    def divergence(self, w: Array) -> Array:
        """L_n(w) − L_n(w*)."""
        return self.pointwise(w).mean(-1)

    def pointwise(self, w: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """ℓ_i(w) − ℓ_i(w*) for each sample."""
        torch = import_torch()
        with torch.no_grad():
            if rows is not None:
                x, y, start = self._picked(rows)
                return self._function.own_values(w, x, y) - start
            parts = [
                self._function.whole_values(w, self.inputs[r], self.targets[r]) - self._start[r]
                for r in self._chunks(len(w))
            ]
        return torch.cat(parts, dim=1)

    def part(self, rows: NDArray[np.intp]) -> ModuleTarget:
        """The loss on these samples alone, at the same w*."""
        found = copy.copy(self)
        found.inputs, found.targets, found._start = self._picked(rows)
        vars(found).pop("doubled", None)
        return found

    def batch(self, w: Array, size: int, arrays: Arrays) -> tuple[Array, Array]:
        """L_B(w) − L_B(w*) and its gradient on a random batch for each point."""
        batches = arrays.batches(self.samples, size)
        (rows,) = batches.draw(len(w), arrays.rng, lambda rows: (rows,))
        both = self._fastest(self._function.batch_both, len(w) * size)
        slope, value = both(w, *self._picked(rows))
        return value.detach(), slope.detach()

    def _fastest(self, both: FlattenedFunction, samples: int) -> Callable[..., tuple[Any, Any]]:
        """Without overhead, if that counts beside the work on so many samples."""
        short = samples * self.dimension <= SHORT_WORK and not self._function.one_by_one
        return both if short else both.function

    def _picked(self, rows: NDArray[np.intp]) -> tuple[Array, ...]:
        """Inputs, targets and losses at w* of batches, shape (batches, size, …)."""
        flat = import_torch().as_tensor(rows.reshape(-1), device=self.device)
        return tuple(
            held.index_select(0, flat).reshape(*rows.shape, *held.shape[1:])
            for held in (self.inputs, self.targets, self._start)
        )

    def log_prior(self, w: Array) -> Array:
        """Zero."""
        return w.new_zeros(len(w))

    def log_prior_gradient(self, w: Array) -> Array:
        """Zero."""
        return w.new_zeros(w.shape)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Any:
        """Not available: the prior is flat."""
        raise InputError("a network near its weights has no prior to draw from: start at w*")

    def reflect(self, w: Array) -> Array:
        """Nothing to fold."""
        return w

    def state_dict(self, w: Array) -> Mapping[str, Any]:
        """Parameters of one point, as ``module.load_state_dict(…, strict=False)`` takes them."""
        return self._function.parameters(w)
