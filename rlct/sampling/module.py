"""Networks in torch: any ``nn.Module`` with a loss and a data set, near its present weights."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.arrays import Array, Arrays
from rlct.sampling.datasets import tensors_of
from rlct.sampling.flattening import Flattened
from rlct.sampling.losses import check_average, check_targets, pointwise_loss
from rlct.sampling.torch_arrays import TorchArrays, import_torch

if TYPE_CHECKING:
    import torch

__all__ = ["ModuleTarget"]

CHUNK = 2**24  # numbers in one activation of one layer that are held at once, roughly
COPIED = 2**26  # numbers in batches of the data that are held beside the data
CACHED = 2**19  # of which stay in the cache of one core
FEW = 8  # samples on which a loss is asked whether it is a mean
SHARED_WORK = 10**7  # samples times parameters
SHORT_WORK = 10**8  # the same times points: calls below it cost less than their overhead


class ModuleTarget:
    """L_n(w) − L_n(w*) of a module on data, w* its present weights; all chains in one call.

    Parameters
    ----------
    module : torch.nn.Module
        Copied, in evaluation mode; parameters that need no gradient stay fixed.
    data : (inputs, targets), Dataset or DataLoader
        Tensors or arrays of equal length n, or a torch dataset of such pairs.
    loss : str or callable
        ``"cross_entropy"``, ``"mse"`` (the mean over outputs of the squared error), ``"gaussian"``
        (½|f − y|², the negative log-likelihood for unit noise), a loss module of torch, or a
        function of (outputs, targets) that averages over the samples.
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
    >>> with torch.no_grad():
    ...     y = net(torch.as_tensor(x))
    >>> target = ModuleTarget(net, (x, y), "gaussian")
    >>> target.dimension, target.samples, float(target.divergence(torch.ones(1, 2))[0])
    (2, 2, 0.5)
    """

    def __init__(
        self,
        module: torch.nn.Module,
        data: Any,
        loss: str | Callable[..., Any] = "cross_entropy",
        *,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        torch = import_torch()
        moving = {n: p for n, p in module.named_parameters() if p.requires_grad}
        if not moving:
            raise InputError("no parameter of the module requires a gradient: nothing can move")
        if not all(p.is_floating_point() for p in moving.values()):
            raise InputError("the parameters must be real numbers")
        first = next(iter(moving.values()))
        self.device = torch.device(device) if device is not None else first.device
        self.dtype = dtype if dtype is not None else first.dtype
        if len({p.dtype for p in moving.values()}) > 1 and dtype is None:
            raise InputError("the parameters have several dtypes: choose one with dtype=")
        self.module = copy.deepcopy(module).to(self.device, self.dtype).eval()
        self._shapes = {n: p.shape for n, p in moving.items()}
        held = dict(self.module.named_parameters())
        self._fixed = {n: p.detach() for n, p in held.items() if n not in moving}
        self._fixed |= dict(self.module.named_buffers())
        flat = [held[n].detach().reshape(-1) for n in moving]
        self.centre = torch.cat(flat)
        self.inputs, self.targets = self._data(data)
        self._pointwise = pointwise_loss(loss)
        self._start = self._losses_at_start()
        with torch.no_grad():
            out = self.module(self.inputs[:FEW])
        check_average(loss, self._pointwise, out, self.targets[:FEW])
        check_targets(loss, out, self.targets)
        if not bool(torch.isfinite(self._start).all()):
            raise InputError("the loss at w* is not finite: check data, loss and weights")
        self.baseline = float(self._start.double().mean())
        both = torch.func.grad_and_value(self._mean_loss)
        whole = torch.func.vmap(both, in_dims=(0, None, None, None))
        self._batch_both = Flattened(self._of_offsets(torch.func.vmap(both)))
        self._whole_both = Flattened(self._of_offsets(whole))

        def values(w: Array, x: Array, y: Array) -> Array:
            return self._losses(self._parameters(w), x, y)

        self._whole_values = torch.func.vmap(values, in_dims=(0, None, None))
        self._own_values = torch.func.vmap(values)
        self._try()

    def _data(self, data: Any) -> tuple[Any, Any]:
        inputs, targets = tensors_of(data)

        def placed(values: Any) -> Any:
            values = values.detach().to(self.device)
            return values.to(self.dtype) if values.is_floating_point() else values

        return placed(inputs), placed(targets)

    def _try(self) -> None:
        """Gradients of two chains: what torch.func cannot do is said before the run."""
        origin = self.centre.new_zeros(2, self.dimension)
        data = [held[:2] for held in (self.inputs, self.targets, self._start)]
        try:
            self._whole_both.function(origin, *data)
            self._batch_both.function(origin, *(import_torch().stack([x, x]) for x in data))
            with import_torch().no_grad():  # some layers take another way here
                self._whole_values(origin, *data[:2])
        except (RuntimeError, NotImplementedError, ValueError, TypeError) as problem:
            words = " ".join(str(problem).split())[:160]
            raise InputError(
                f"torch.func cannot move many chains of this module: {words}"
            ) from None

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
        """One thread for small networks, whose operations are too short to be shared out."""
        torch = import_torch()
        threads = torch.get_num_threads()
        if self.samples * self.dimension < SHARED_WORK:
            torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)

    def _parameters(self, w: Array) -> dict[str, Array]:
        """Unpack offsets, shape (d,) or (points, d), into named parameters."""
        parts = (w + self.centre).split([shape.numel() for shape in self._shapes.values()], dim=-1)
        return {
            name: part.reshape(*w.shape[:-1], *shape)
            for (name, shape), part in zip(self._shapes.items(), parts, strict=True)
        }

    def _losses(self, parameters: dict[str, Array], x: Array, y: Array) -> Array:
        out = import_torch().func.functional_call(self.module, {**self._fixed, **parameters}, x)
        return self._pointwise(out, y)

    def _mean_loss(self, parameters: dict[str, Array], x: Array, y: Array, start: Array) -> Array:
        return (self._losses(parameters, x, y) - start).mean()

    def _of_offsets(self, both: Callable[..., tuple[Any, Any]]) -> Callable[..., tuple[Any, Any]]:
        """Gradients by name and values as arrays of shape (points, d) and (points,)."""

        def found(w: Array, *data: Array) -> tuple[Any, Any]:
            slopes, values = both(self._parameters(w), *data)
            flat = [slopes[name].reshape(len(w), -1) for name in self._shapes]
            return import_torch().cat(flat, dim=1), values

        return found

    def _losses_at_start(self) -> Array:
        torch = import_torch()
        parts = []
        with torch.no_grad():
            origin = torch.zeros_like(self.centre)
            for rows in self._chunks(1):
                try:
                    part = self._losses(
                        self._parameters(origin), self.inputs[rows], self.targets[rows]
                    )
                except InputError:
                    raise
                except (RuntimeError, TypeError, IndexError, ValueError) as problem:
                    words = (str(problem).splitlines() or [type(problem).__name__])[0]
                    raise InputError(f"module, loss and data do not fit: {words}") from None
                if part.shape != (len(self.inputs[rows]),):
                    raise InputError("the loss does not give one number per sample")
                parts.append(part)
        return torch.cat(parts)

    def _widest(self) -> int:
        """Numbers in the widest layer for one sample, roughly."""
        widest = max([*(s.numel() // max(s[-1], 1) for s in self._shapes.values() if len(s)), 1])
        return int(max(widest, self.inputs[0].numel()))

    def _chunks(self, points: int) -> list[slice]:
        """Slices of the data that a call on this many points can hold."""
        step = max(1, CHUNK // (points * self._widest()))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def value_and_gradient(self, w: Array) -> tuple[Array, Array]:
        """L_n(w) − L_n(w*) and its gradient on all data."""
        value, slope = 0.0, 0.0
        both = self._fastest(self._whole_both, len(w) * self.samples)
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
                return self._own_values(w, x, y) - start
            parts = [
                self._whole_values(w, self.inputs[r], self.targets[r]) - self._start[r]
                for r in self._chunks(len(w))
            ]
        return torch.cat(parts, dim=1)

    def batch(self, w: Array, size: int, arrays: Arrays) -> tuple[Array, Array]:
        """L_B(w) − L_B(w*) and its gradient on a random batch for each point."""
        torch = import_torch()
        batches = arrays.batches(self.samples, size)
        each = self.inputs[0].numel() + self.targets[0].numel()
        copied = self.samples * each * batches.copies <= COPIED
        pool, chosen = batches.choose(
            len(w), arrays.rng, self._picked if copied else lambda rows: (rows,)
        )
        together = self._together(len(w), size)
        both = self._fastest(self._batch_both, together * size)
        found = []
        for at in range(0, len(w), together):
            part = chosen[at : at + together]
            if copied:
                which = torch.as_tensor(part, device=self.device)
                data = tuple(held.index_select(0, which) for held in pool)
            else:
                data = self._picked(pool[0][part])
            found.append(both(w[at : at + together], *data))
        slope, value = found[0] if len(found) == 1 else map(torch.cat, zip(*found, strict=True))
        return value.detach(), slope.detach()

    def _fastest(self, both: Flattened, samples: int) -> Callable[..., tuple[Any, Any]]:
        """Without overhead, if that counts beside the work on so many samples."""
        return both if samples * self.dimension <= SHORT_WORK else both.function

    def _together(self, points: int, size: int) -> int:
        """How many points share a call: what the cache of a processor or all memory can hold."""
        room = CHUNK
        if self.device.type == "cpu":
            room = CACHED * import_torch().get_num_threads()
        most = max(1, room // (size * self._widest()))
        fewest = -(-points // most)
        # A last part of another size would be recorded on its own, and late.
        even = next((k for k in range(fewest, 2 * fewest) if points % k == 0), fewest)
        return -(-points // even)

    def _picked(self, rows: NDArray[np.intp]) -> tuple[Array, ...]:
        """Inputs, targets and losses at w* of batches, shape (batches, size, …)."""
        flat = import_torch().as_tensor(rows.reshape(-1), device=self.device)
        return tuple(
            held.index_select(0, flat).reshape(*rows.shape, *held.shape[1:])
            for held in (self.inputs, self.targets, self._start)
        )

    def log_prior(self, w: Array) -> Array:
        """Flat: what confines the chains is the localization."""
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
        return self._parameters(w)
