"""A module of torch as a function of offsets from its weights, for many points in one call."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.flattening import FlattenedFunction
from rlct.sampling.modules.losses import check_targets, pointwise_loss, token_losses
from rlct.sampling.modules.named_inputs import InputLayout
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.system.options import brief_repr

if TYPE_CHECKING:
    import torch

_CLASSES_CURE = "classes are whole numbers from 0, fewer than outputs; leave those of -100 out"
_REAL_CURE = "give inputs as real numbers, x.float()"
ERROR_CURES = {  # by a part of what torch says
    "target size": "for logits of shape (batch, tokens, classes) pass loss='token', or "
    "loss='next_token' if the targets are the inputs; else classes stand on axis 1",
    "multi-target": "give one class for each sample, y.squeeze(1)",
    "target with class probabilities": "of labels by one-hot rows give the class, y.argmax(1)",
    "out of range in self": "inputs of an embedding count from 0 and are fewer than its rows",
    "types: Long": "give whole numbers, x.long()",
    "out of bounds": _CLASSES_CURE,
    "device-side assert": _CLASSES_CURE,
    "unexpected keyword": "forward takes all but the labels: leave the others out",
    "same dtype": _REAL_CURE,
    "same datatype": _REAL_CURE,
    "should be the same": _REAL_CURE,
    "stateless API": "give the plain module, as model.module of DataParallel",
    "modified inplace": "leave out what changes weights in place, as max_norm of an embedding",
}


class FunctionalModule:
    """Losses and gradients of copies of a module whose weights are w* + w.

    The module is copied, in evaluation mode; parameters stay fixed that need no gradient, or are
    none of ``moving_names``.  Loss and targets of all data are as in
    `rlct.sampling.modules.losses.pointwise_loss`; an ``input_layout`` is of inputs by name.
    InputError if nothing can move.

    >>> import torch
    >>> held = FunctionalModule(torch.nn.Linear(2, 1, bias=False), "gaussian", torch.zeros(3, 1))
    >>> {name: tuple(part.shape) for name, part in held.parameters(torch.zeros(5, 2)).items()}
    {'weight': (5, 1, 2)}
    """

    def __init__(
        self,
        module: torch.nn.Module,
        loss: str | Callable[..., Any],
        targets: Array,
        *,
        dtype: Any = None,
        device: Any = None,
        moving_names: Collection[str] | None = None,
        input_layout: InputLayout | None = None,
    ) -> None:
        torch = import_torch()
        if torch.is_inference_mode_enabled():
            raise InputError("torch.inference_mode() makes no gradients: call outside of it")
        moving_parameters = {
            name: parameter
            for name, parameter in module.named_parameters()
            if (parameter.requires_grad if moving_names is None else name in moving_names)
        }
        if not moving_parameters:
            raise InputError("no parameter of the module requires a gradient: nothing can move")
        if any(map(torch.nn.parameter.is_lazy, module.parameters())):
            raise InputError("the module has lazy parameters: call it once, so that it has weights")
        if any(p.is_meta for p in module.parameters()):
            raise InputError("the module has weights on the device meta, which holds no numbers")
        if not all(p.is_floating_point() for p in moving_parameters.values()):
            raise InputError("the parameters must be real numbers")
        first = next(iter(moving_parameters.values()))
        self.device, self.dtype = _placement(first, dtype, device)
        if len({p.dtype for p in moving_parameters.values()}) > 1 and dtype is None:
            raise InputError("the parameters have several dtypes: choose one with dtype=")
        try:
            self.module = copy.deepcopy(module).to(self.device, self.dtype).eval()
        except RuntimeError as problem:  # weights that are results, as of nn.utils.prune
            words = str(problem).splitlines()[0]
            raise InputError(
                "the module cannot be copied; remove what computes its weights anew, as prune and "
                f"the old weight_norm do (nn.utils.prune.remove, remove_weight_norm): {words}"
            ) from None
        #: What is taken otherwise than it was trained, or takes long.
        self.remark = _training_remark(module)
        self.shapes = {n: p.shape for n, p in moving_parameters.items()}
        held = dict(self.module.named_parameters())
        fixed = {n: p.detach() for n, p in held.items() if n not in moving_parameters}
        self.fixed = fixed | dict(self.module.named_buffers())
        #: The precision of chains and of losses: a step in less would be rounded away.
        self.state_dtype = torch.promote_types(self.dtype, torch.float32)
        self.centre = self._flat(dict(module.named_parameters()))
        self._loss, self._layout = loss, input_layout
        self._pointwise = pointwise_loss(loss, targets)
        #: Whether chains run one after another: some layers have no rule for many at once.
        self.one_by_one = False
        if any(isinstance(part, torch.nn.RNNBase) for part in module.modules()):
            self.separate("recurrent layers are slow")
        else:
            self._compile()

    def with_state(self, state: Mapping[str, Array]) -> FunctionalModule:
        """The same module with other weights and buffers, by the names of its ``state_dict()``.

        Where all that does not move is equal, `fixed` stays the same object.

        >>> import torch
        >>> net = torch.nn.Linear(1, 1)
        >>> held = FunctionalModule(net, "gaussian", torch.zeros(3, 1), moving_names=["weight"])
        >>> other = held.with_state({"weight": torch.ones(1, 1), "bias": net.bias + 1})
        >>> other.centre.tolist(), other.fixed is held.fixed
        ([1.0], False)
        """
        torch = import_torch()
        function = copy.copy(self)
        function.centre = self._flat(state)
        fixed = {name: state.get(name, old).detach().to(old) for name, old in self.fixed.items()}
        if not all(torch.equal(old, fixed[name]) for name, old in self.fixed.items()):
            function.fixed = {name: values.clone() for name, values in fixed.items()}
        function._compile()
        return function

    def _flat(self, state: Mapping[str, Array]) -> Array:
        """The weights that move as one vector, not rounded to the precision of the module."""
        parts = [state[name].detach().reshape(-1) for name in self.shapes]
        return import_torch().cat([part.to(self.device, self.state_dtype) for part in parts])

    def separate(self, reason: str) -> None:
        """Let chains run one after another, and say why."""
        self.one_by_one = True
        slow = f"{reason}: the chains run one after another"
        self.remark = "; ".join(filter(None, [self.remark, slow]))
        self._compile()

    def _compile(self) -> None:
        """Make the functions of many points."""
        both = import_torch().func.grad_and_value(self._mean)
        #: Slopes (points, d) and values (points,), each point with samples of its own.
        self.batch_both = self.for_points(both)
        #: The same where all points share the samples.
        self.whole_both = self.for_points(both, shared=3)
        #: Losses (points, samples) of shared samples, and of a point's own.
        self.whole_values = self._many(self._values, shared_count=2)
        self.own_values = self._many(self._values)

    def parameters(self, w: Array) -> dict[str, Array]:
        """Unpack offsets, shape (d,) or (points, d), into named parameters."""
        return self.named(w + self.centre)

    def named(self, weights: Array) -> dict[str, Array]:
        """Unpack weights, shape (d,) or (points, d), as the module has them."""
        parts = weights.to(self.dtype).split(
            [shape.numel() for shape in self.shapes.values()], dim=-1
        )
        return {
            name: part.reshape((*weights.shape[:-1], *shape))
            for (name, shape), part in zip(self.shapes.items(), parts, strict=True)
        }

    def at_start(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Loss of each sample at w*, and the outputs; one line if these and the data do not fit."""
        torch = import_torch()
        with self.fitting(), torch.no_grad():
            outputs = self.outputs(self.parameters(torch.zeros_like(self.centre)), x)
            if not (outputs.is_floating_point() or outputs.is_complex()):
                raise InputError(
                    f"the module returns {str(outputs.dtype).removeprefix('torch.')}, which "
                    "has no gradient: return the numbers before they are rounded"
                )
            check_targets(self._loss, outputs, y)
            sample_losses = self._pointwise(self._exact(outputs), y)
        if sample_losses.shape != (len(x),):
            raise InputError("the loss does not give one number per sample")
        return sample_losses, outputs

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """One line, with a cure, of what torch says where module, loss and data do not fit."""
        try:
            yield
        except (InputError, import_torch().cuda.OutOfMemoryError):
            raise
        except Exception as problem:  # of the code of somebody else
            words = (str(problem).splitlines() or [type(problem).__name__])[0]
            cures = [cure for said, cure in ERROR_CURES.items() if said in words]
            sentence = "; ".join([words.rstrip("."), *cures[:1]])
            raise InputError(f"module, loss and data do not fit: {sentence}") from None

    def _many(self, function: Callable[..., Any], shared_count: int = 0) -> Callable[..., Any]:
        """A function of one point's parameters and data for many, some of the data shared."""
        torch = import_torch()
        if not self.one_by_one:
            dims = (0, *[None] * shared_count) if shared_count else 0
            found: Callable[..., Any] = torch.func.vmap(function, in_dims=dims)
            return found

        def each(points: Any, *data: Array) -> Any:
            by_name = isinstance(points, dict)
            count = len(next(iter(points.values())) if by_name else points)
            parts = [
                function(
                    {name: held[k] for name, held in points.items()} if by_name else points[k],
                    *(data if shared_count else [held[k] for held in data]),
                )
                for k in range(count)
            ]
            if not by_name:
                return torch.stack(parts)
            slopes, values = zip(*parts, strict=True)
            joined = {name: torch.stack([slope[name] for slope in slopes]) for name in points}
            return joined, torch.stack(values)

        return each

    def _values(self, w: Array, x: Array, y: Array) -> Array:
        return self.losses(self.parameters(w), x, y)

    def outputs(self, parameters: Mapping[str, Array], x: Array, dtype: Any = None) -> Array:
        """What one copy of the module returns for x, on request in another precision."""
        torch = import_torch()
        weights = {**self.fixed, **parameters}
        if dtype is not None:
            *parts, x = (
                part.to(dtype) if part.is_floating_point() else part
                for part in (*weights.values(), x)
            )
            weights = dict(zip(weights, parts, strict=True))
        if self._layout is None:
            return _tensor_of(torch.func.functional_call(self.module, weights, x))
        by_name = self._layout.unpack(x, dtype or self.dtype)
        return _tensor_of(torch.func.functional_call(self.module, weights, (), by_name))

    def losses(self, parameters: Mapping[str, Array], x: Array, y: Array) -> Array:
        """Loss of each sample under one copy of the parameters."""
        return self._pointwise(self._exact(self.outputs(parameters, x)), y)

    def _exact(self, outputs: Array) -> Array:
        """Outputs in the precision of losses, whose means would lose what small samples add."""
        return outputs.to(import_torch().promote_types(outputs.dtype, self.state_dtype))

    def token_losses(self, parameters: Mapping[str, Array], x: Array, y: Array) -> Array:
        """Loss of each token, shape (samples, tokens), of a loss of tokens."""
        assert isinstance(self._loss, str)
        values: Array = token_losses(self._loss, self.outputs(parameters, x), y)
        return values

    def _mean(self, parameters: Mapping[str, Array], x: Array, y: Array, start: Array) -> Array:
        return (self.losses(parameters, x, y) - start).mean()

    def for_points(self, both: Callable[..., Any], shared: int = 0) -> FlattenedFunction:
        """Slopes (points, d) and values (points,) of what gives slopes by name, and a value.

        ``both`` takes the parameters of one point and data; ``shared`` counts the data if all
        points share them.
        """
        many = self._many(both, shared)

        def found(w: Array, *data: Array) -> tuple[Any, Any]:
            slopes, values = many(self.parameters(w), *data)
            flat = [slopes[name].reshape(len(w), -1) for name in self.shapes]
            return import_torch().cat(flat, dim=1), values

        return FlattenedFunction(found)


def _placement(parameter: Array, dtype: Any, device: Any) -> tuple[Any, Any]:
    """Device and dtype, those of a parameter where none are named."""
    torch = import_torch()
    kind = parameter.dtype if dtype is None else dtype
    if isinstance(kind, str):
        kind = getattr(torch, kind, None)
    if not isinstance(kind, torch.dtype) or not kind.is_floating_point:
        raise InputError(
            f"dtype must be one of real numbers, as torch.float64, not {brief_repr(dtype)}"
        )
    place = parameter.device if device is None else device
    try:
        torch_device = torch.empty(0, device=place).device
    except (RuntimeError, AssertionError, TypeError) as problem:
        words = shorten(str(problem), 80, placeholder=" …")
        raise InputError(f"device {brief_repr(device)} is not there: {words}") from None
    if torch_device.type == "meta":
        raise InputError("the device meta holds no numbers: name another, as 'cpu'")
    return torch_device, kind


def _training_remark(module: torch.nn.Module) -> str:
    """What a module does only while it trains, and how to agree that it is not done."""
    layers = import_torch().nn.modules
    for part in module.modules():
        drops = isinstance(part, layers.dropout._DropoutNd) and part.p > 0
        if part.training and (drops or isinstance(part, layers.batchnorm._BatchNorm)):
            return (
                "the module is taken as after eval(): without dropout, batch norm with its running "
                "statistics, whose loss at w* may not be the one it was trained with; call "
                "module.eval() if that is what you mean"
            )
    return ""


def _tensor_of(out: Any) -> Array:
    """The logits of what a module returns, or its only tensor."""
    torch = import_torch()
    if isinstance(out, torch.Tensor):
        return out
    values = list(out.values()) if isinstance(out, Mapping) else out
    chosen_part = out.get("logits") if isinstance(out, Mapping) else getattr(out, "logits", None)
    if chosen_part is None and isinstance(values, list | tuple):
        tensors = [part for part in values if isinstance(part, torch.Tensor)]
        chosen_part = tensors[0] if len(tensors) == 1 else None
    if not isinstance(chosen_part, torch.Tensor):
        raise InputError(
            f"the module returns a {type(out).__name__}, not a tensor: wrap it in a module that "
            "returns the one that the loss takes"
        )
    return chosen_part
