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
from rlct.sampling.modules.flattening import FlattenedFunction
from rlct.sampling.modules.module_checks import check_module, check_unchanged_data
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import (
    TorchArrays,
    import_torch,
    single_thread,
    without_vmap_remark,
)
from rlct.sampling.modules.torch_work import counted_work
from rlct.sampling.targets.effort import CALL_PRODUCTS, GRADIENT_PASSES

if TYPE_CHECKING:
    import torch

CHUNK_NUMBERS = 2**24  # numbers in one activation of one layer that are held at once, roughly
NEAR_NUMBERS = 2**20  # of which a processor reaches fast
ENOUGH_SAMPLES = 1024  # samples beside which work on the parameters does not count
SHARED_WORK = 10**7  # samples times parameters
SHORT_WORK = 10**8  # the same times points: calls below it cost less than their overhead


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

    def __init__(
        self,
        module: torch.nn.Module,
        data: Any,
        loss: str | Callable[..., Any] | None = None,
        *,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        with without_vmap_remark():
            self._hold(NetworkLoss(module, data, loss, dtype=dtype, device=device))
            self.check()

    @classmethod
    def of(
        cls,
        loss: NetworkLoss,
        *,
        weight_decay: float = 0.0,
        start: Any = None,
        most_rows: int | None = None,
    ) -> ModuleTarget:
        """The target of a loss that is made; only weights that move are coordinates.

        ``weight_decay`` is the precision of a normal prior around weights of 0; ``start`` is
        ℓ_i(w*), if they are known.  All chains take ``most_rows`` samples in a call, at most, where
        memory is short.
        """
        target = cls.__new__(cls)
        target._hold(loss, weight_decay)
        target._most_rows = CHUNK_NUMBERS if most_rows is None else most_rows
        if start is not None:
            target.start = start
        return target

    def _hold(self, loss: NetworkLoss, weight_decay: float = 0.0) -> None:
        self.loss, self._function, self._decay = loss, loss.function, weight_decay
        self._most_rows = CHUNK_NUMBERS
        self.device, self.dtype, self.centre = loss.device, loss.dtype, loss.centre
        self.module, self.remark, self._rows = (
            loss.function.module,
            loss.function.remark,
            loss.samples,
        )
        self._moving = None if loss.mask is None else loss.mask.nonzero()[:, 0]

    @cached_property
    def start(self) -> Array:
        """ℓ_i(w*), a tensor."""
        with without_vmap_remark():
            return self.loss.start_losses(self._chunks(1)[0].stop)[0]

    def check(self) -> None:
        """Refuse in one line what shows on all data alone, if they are held."""
        if self._rows.held:
            x, y = self._rows.block(slice(None))
            check_unchanged_data(self._function, x, y)
            start_losses: list[Array] = []
            outputs: list[Array] = []
            for rows in self._chunks(1):
                losses, out = self._function.at_start(x[rows], y[rows])
                start_losses.append(losses)
                if sum(part.numel() for part in outputs) < CHUNK_NUMBERS:
                    outputs.append(out)
            whole, seen = map(import_torch().cat, (start_losses, outputs))
            check_module(self._function, self.loss.loss, x, y, whole, seen)
        self.start.sum()  # which says what has no loss

    @property
    def flat(self) -> bool:
        """Whether the prior is flat: then localization alone confines the chains."""
        return not self._decay

    @property
    def baseline(self) -> float:
        """L_n(w*)."""
        return float(self.start.double().mean())

    @cached_property
    def doubled(self) -> ModuleTarget:
        """The same loss in double precision, where device and constants of the module allow it."""
        double = self.loss.doubled()
        return self if double is self.loss else ModuleTarget.of(double, weight_decay=self._decay)

    @cached_property
    def sample_work(self) -> float:
        """How long the gradient on one sample takes, see `rlct.sampling.targets.effort`.

        Where chains run one after another the calls of operations count, too.
        """
        with without_vmap_remark():
            work = self.loss.sample_work
            if self._function.one_by_one:
                w, x, y = self.centre.new_zeros(1, len(self.centre)), *self._rows.block(slice(1))
                both = self._function.whole_both.function
                calls = counted_work(lambda: both(w, x, y, self.start[:1])).calls
                work += CALL_PRODUCTS * calls / self.samples
        return max(work, float(GRADIENT_PASSES * self.dimension))

    @property
    def start_losses(self) -> NDArray[np.floating[Any]]:
        """ℓ_i(w*), shape (n,)."""
        found: NDArray[np.floating[Any]] = self.start.cpu().numpy()
        return found

    @property
    def dimension(self) -> int:
        """Number of parameters that move."""
        return self.loss.moving

    @property
    def samples(self) -> int:
        """Number n of samples."""
        return len(self._rows)

    @property
    def resolution(self) -> float:
        """Rounding of a loss of order one in the chosen precision."""
        return 1e-2 / float(import_torch().finfo(self.dtype).eps)

    @property
    def scale(self) -> float:
        """Typical size of a weight."""
        torch = import_torch()  # without a copy of the weights in double precision
        length = float(torch.linalg.vector_norm(self.centre, dtype=torch.float64))
        return max(float(length / self.dimension**0.5), 1e-3)

    def arrays(self, rng: np.random.Generator) -> TorchArrays:
        """Where the chains live."""
        return TorchArrays(rng, self.device, self._function.state_dtype)

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
        return int(max(widest, self._rows.room(1)[0].numel()))

    def _chunks(self, points: int) -> list[slice]:
        """Slices of the data that a call on this many points can hold."""
        each = points * self._widest()
        step = max(1, min(CHUNK_NUMBERS // each, self._most_rows))
        if self.device.type == "cpu":
            step = min(step, max(NEAR_NUMBERS // each, ENOUGH_SAMPLES))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def value_and_gradient(self, w: Array) -> tuple[Array, Array]:
        """L_n(w) − L_n(w*) and its gradient on all data."""
        value, slope, offsets = 0.0, 0.0, self.offsets(w)
        self.loss.count.gradients += len(w) * self.samples
        both = self._fastest(self._function.whole_both, len(w) * self.samples)
        for rows in self._chunks(len(w)):
            share = len(self.start[rows]) / self.samples
            g, v = both(offsets, *self._rows.block(rows), self.start[rows])
            value, slope = value + share * v.detach(), slope + share * g.detach()
        return value, self._own(slope)

    def offsets(self, w: Array) -> Array:
        """Offsets of all weights from those of the coordinates, 0 where they do not move."""
        if self._moving is None:
            return w
        offsets = w.new_zeros(len(w), len(self.centre))
        offsets[:, self._moving] = w
        return offsets

    def _own(self, slopes: Array) -> Array:
        return slopes if self._moving is None else slopes[:, self._moving]

    def gradient(self, w: Array) -> Array:
        """Gradient of L_n."""
        return self.value_and_gradient(w)[1]

    def divergence(self, w: Array) -> Array:
        """L_n(w) − L_n(w*)."""
        return self.pointwise(w).mean(-1)

    def pointwise(self, w: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """ℓ_i(w) − ℓ_i(w*) for each sample."""
        torch, w = import_torch(), self.offsets(w)
        self.loss.count.forwards += len(w) * (self.samples if rows is None else rows.shape[1])
        with torch.no_grad():
            if rows is not None:
                x, y, start = self._picked(rows)
                return self._function.own_values(w, x, y) - start
            parts = [
                self._function.whole_values(w, *self._rows.block(r)) - self.start[r]
                for r in self._chunks(len(w))
            ]
        return torch.cat(parts, dim=1)

    def part(self, rows: NDArray[np.intp]) -> ModuleTarget:
        """The loss on these samples alone, at the same w*."""
        index, target = import_torch().as_tensor(rows), copy.copy(self)
        target._rows, target.start = self._rows.part(index), self.start[index.to(self.device)]
        target.loss = copy.copy(self.loss)
        target.loss.samples = target._rows
        vars(target).pop("doubled", None)
        return target

    def batch(self, w: Array, size: int, arrays: Arrays) -> tuple[Array, Array]:
        """L_B(w) − L_B(w*) and its gradient on a random batch for each point."""
        batches = arrays.batches(self.samples, size)
        (rows,) = batches.draw(len(w), arrays.rng, lambda rows: (rows,))
        both = self._fastest(self._function.batch_both, len(w) * size)
        self.loss.count.gradients += len(w) * size
        slope, value = both(self.offsets(w), *self._picked(rows))
        return value.detach(), self._own(slope.detach())

    def _fastest(self, both: FlattenedFunction, samples: int) -> Callable[..., tuple[Any, Any]]:
        """Without overhead, if that counts beside the work on so many samples."""
        short = samples * self.dimension <= SHORT_WORK and not self._function.one_by_one
        return both if short else both.function

    def _picked(self, rows: NDArray[np.intp]) -> tuple[Array, ...]:
        """Inputs, targets and losses at w* of batches, shape (batches, size, …)."""
        flat = import_torch().as_tensor(rows.reshape(-1), device=self.device)
        picked = (*self._rows.take(flat), self.start.index_select(0, flat))
        return tuple(part.reshape(*rows.shape, *part.shape[1:]) for part in picked)

    @cached_property
    def _place(self) -> Array:
        """Coordinates of w*."""
        return self.centre if self._moving is None else self.centre[self._moving]

    def log_prior(self, w: Array) -> Array:
        """−κ|w|²/2, from its value at w*; zero without a prior."""
        if not self._decay:
            return w.new_zeros(len(w))
        return -self._decay * (w * (0.5 * w + self._place)).sum(-1)

    def log_prior_gradient(self, w: Array) -> Array:
        """−κw; zero without a prior."""
        if not self._decay:
            return w.new_zeros(w.shape)
        return -self._decay * (w + self._place)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Any:
        """Not available: the prior is flat."""
        raise InputError("a network near its weights has no prior to draw from: start at w*")

    def reflect(self, w: Array) -> Array:
        """Nothing to fold."""
        return w

    def state_dict(self, w: Array) -> Mapping[str, Any]:
        """Parameters of one point, as ``module.load_state_dict(…, strict=False)`` takes them."""
        return self._function.parameters(
            self.offsets(w[None])[0] if w.ndim == 1 else self.offsets(w)
        )
