"""Networks in torch: any ``nn.Module`` with a loss and a data set, near its present weights."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array, Arrays

if TYPE_CHECKING:
    import torch

__all__ = ["ModuleTarget", "TorchArrays"]

CHUNK = 2**24  # numbers in one activation of one layer that are held at once, roughly
SHARED_WORK = 10**7  # samples times parameters


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise InputError(
            "networks in torch need the extra: pip install 'rlct[torch]', or torch itself"
        ) from None
    return torch


class TorchArrays(Arrays):
    """Torch tensors on one device, with a generator seeded from NumPy's.

    Parameters
    ----------
    rng : numpy.random.Generator
    device : torch.device
    dtype : torch.dtype
    """

    def __init__(self, rng: np.random.Generator, device: Any, dtype: Any) -> None:
        super().__init__(rng, dtype)
        self.xp = _torch()
        self.device = device
        self.generator = self.xp.Generator(device=device)
        self.generator.manual_seed(int(rng.integers(2**62)))

    def normal(self, shape: tuple[int, ...]) -> Array:
        """Independent standard normal draws."""
        return self.xp.randn(shape, generator=self.generator, device=self.device, dtype=self.dtype)

    def noise(self, shape: tuple[int, ...]) -> Array:
        """As :meth:`normal`, which is fast here."""
        return self.normal(shape)

    def uniform(self, shape: tuple[int, ...]) -> Array:
        """Independent draws between 0 and 1."""
        return self.xp.rand(shape, generator=self.generator, device=self.device, dtype=self.dtype)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """Zeros."""
        return self.xp.zeros(shape, device=self.device, dtype=self.dtype)

    def asarray(self, values: Any) -> Array:
        """Move NumPy values to the device."""
        return self.xp.tensor(np.asarray(values), device=self.device, dtype=self.dtype)

    def numpy(self, values: Array) -> np.ndarray[Any, Any]:
        """Move values of the chains to NumPy."""
        return np.asarray(values.detach().cpu())

    def state(self) -> dict[str, Any]:
        """Everything that decides the next draws, as plain values."""
        return {**super().state(), "torch": self.generator.get_state().tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        super().restore(state)
        self.generator.set_state(self.xp.tensor(state["torch"], dtype=self.xp.uint8))


class ModuleTarget:
    """L_n(w) − L_n(w*) of a module on data, w* its present weights; all chains in one call.

    Parameters
    ----------
    module : torch.nn.Module
        Copied, in evaluation mode; parameters that need no gradient stay fixed.
    data : (inputs, targets)
        Tensors or arrays of equal length n.
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
        torch = _torch()
        moving = {n: p for n, p in module.named_parameters() if p.requires_grad}
        if not moving:
            raise InputError("no parameter of the module requires a gradient: nothing can move")
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
        self._pointwise = _pointwise_loss(torch, loss)
        self._start = self._losses_at_start()
        if not bool(torch.isfinite(self._start).all()):
            raise InputError("the loss at w* is not finite: check data, loss and weights")
        self.baseline = float(self._start.double().mean())
        func = torch.func
        self._batch_both = func.vmap(func.grad_and_value(self._mean_loss), in_dims=(0, 0, 0, 0))
        self._whole_both = func.vmap(
            func.grad_and_value(self._mean_loss), in_dims=(0, None, None, None)
        )
        self._whole_values = func.vmap(self._losses, in_dims=(0, None, None))

    def _data(self, data: Any) -> tuple[Any, Any]:
        torch = _torch()
        try:
            inputs, targets = data
        except (TypeError, ValueError):
            raise InputError("data are a pair (inputs, targets) of tensors or arrays") from None
        inputs, targets = torch.as_tensor(inputs), torch.as_tensor(targets)
        if not len(inputs) or len(inputs) != len(targets):
            raise InputError(
                f"{len(inputs)} inputs and {len(targets)} targets: the data need as many of both"
            )

        def placed(values: Any) -> Any:
            values = values.detach().to(self.device)
            return values.to(self.dtype) if values.is_floating_point() else values

        return placed(inputs), placed(targets)

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
        return 1e-2 / float(_torch().finfo(self.dtype).eps)

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
        torch = _torch()
        threads = torch.get_num_threads()
        if self.samples * self.dimension < SHARED_WORK:
            torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)

    def _parameters(self, w: Array) -> dict[str, Array]:
        """Unpack an offset into named parameters."""
        found, begin = {}, 0
        w = w + self.centre
        for name, shape in self._shapes.items():
            size = shape.numel()
            found[name] = w[begin : begin + size].reshape(shape)
            begin += size
        return found

    def _losses(self, w: Array, x: Array, y: Array) -> Array:
        out = _torch().func.functional_call(self.module, {**self._fixed, **self._parameters(w)}, x)
        return self._pointwise(out, y)

    def _mean_loss(self, w: Array, x: Array, y: Array, start: Array) -> Array:
        return (self._losses(w, x, y) - start).mean()

    def _losses_at_start(self) -> Array:
        torch = _torch()
        parts = []
        with torch.no_grad():
            origin = torch.zeros_like(self.centre)
            for rows in self._chunks(1):
                try:
                    part = self._losses(origin, self.inputs[rows], self.targets[rows])
                except (RuntimeError, TypeError, IndexError) as problem:
                    words = str(problem).splitlines()[0]
                    raise InputError(f"module, loss and data do not fit: {words}") from None
                if part.shape != (len(self.inputs[rows]),):
                    raise InputError("the loss does not give one number per sample")
                parts.append(part)
        return torch.cat(parts)

    def _chunks(self, points: int) -> list[slice]:
        """Slices of the data that a call on this many points can hold."""
        widest = max([*(s.numel() // max(s[-1], 1) for s in self._shapes.values() if len(s)), 1])
        size = max(widest, self.inputs[0].numel()) if len(self.inputs) else 1
        step = max(1, CHUNK // (points * size))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def value_and_gradient(self, w: Array) -> tuple[Array, Array]:
        """L_n(w) − L_n(w*) and its gradient on all data."""
        value, slope = 0.0, 0.0
        for rows in self._chunks(len(w)):
            share = len(self._start[rows]) / self.samples
            g, v = self._whole_both(w, self.inputs[rows], self.targets[rows], self._start[rows])
            value, slope = value + share * v.detach(), slope + share * g.detach()
        return value, slope

    def gradient(self, w: Array) -> Array:
        """Gradient of L_n."""
        return self.value_and_gradient(w)[1]

    def divergence(self, w: Array) -> Array:
        """L_n(w) − L_n(w*)."""
        return self.pointwise(w).mean(-1)

    def pointwise(self, w: Array) -> Array:
        """ℓ_i(w) − ℓ_i(w*) for each sample."""
        torch = _torch()
        with torch.no_grad():
            parts = [
                self._whole_values(w, self.inputs[r], self.targets[r]) - self._start[r]
                for r in self._chunks(len(w))
            ]
        return torch.cat(parts, dim=1)

    def batch(self, w: Array, size: int, arrays: Arrays) -> tuple[Array, Array]:
        """L_B(w) − L_B(w*) and its gradient on a random batch for each point."""
        if not 1 <= size <= self.samples:
            raise InputError(
                f"batch_size must lie between 1 and the {self.samples} samples, not {size}"
            )
        torch = _torch()
        assert isinstance(arrays, TorchArrays)
        rows = torch.randint(
            self.samples, (len(w), size), generator=arrays.generator, device=self.device
        )
        slope, value = self._batch_both(w, self.inputs[rows], self.targets[rows], self._start[rows])
        return value.detach(), slope.detach()

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


def _pointwise_loss(torch: Any, loss: str | Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """One loss per sample from the ways in which people name a loss."""
    functional = torch.nn.functional

    def average(values: Any) -> Any:
        return values.reshape(len(values), -1).mean(-1)

    if loss == "cross_entropy":
        return lambda out, y: average(functional.cross_entropy(out, y, reduction="none"))
    if loss == "mse":
        return lambda out, y: average((out - y) ** 2)
    if loss == "gaussian":
        return lambda out, y: 0.5 * ((out - y) ** 2).reshape(len(out), -1).sum(-1)
    if isinstance(loss, str) or not callable(loss):
        raise InputError(
            f"unknown loss {loss!r}: cross_entropy, mse, gaussian, or a function of "
            "(outputs, targets)"
        )
    if getattr(loss, "reduction", None) == "mean":
        single: Any = copy.copy(loss)
        single.reduction = "none"
        return lambda out, y: average(single(out, y))
    if getattr(loss, "reduction", None) == "sum":
        raise InputError("the loss sums over the batch: use its mean, so that n means samples")
    each = torch.func.vmap(lambda out, y: loss(out[None], y[None]))
    return lambda out, y: average(each(out, y))
