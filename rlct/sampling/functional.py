"""A module of torch as a function of offsets from its weights, for many points in one call."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.flattening import Flattened
from rlct.sampling.losses import check_average, check_targets, pointwise_loss
from rlct.sampling.torch_arrays import import_torch

if TYPE_CHECKING:
    import torch

__all__ = ["FunctionalModule"]

NO_RULE = "not yet support"  # in what torch says of a layer
COMPARED = 24  # samples in other company
SAME = 100  # units of the last place by which a sample's outputs in two batches may differ


class FunctionalModule:
    """Losses and gradients of copies of a module whose weights are w* + w.

    Parameters
    ----------
    module : torch.nn.Module
        Copied, in evaluation mode; parameters that need no gradient stay fixed.
    loss : str or callable
    targets : torch.Tensor
        Those of all data; both as in `rlct.sampling.losses.pointwise_loss`.
    dtype, device : optional
        Of the module by default.

    Raises
    ------
    InputError
        If nothing can move.

    Examples
    --------
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
    ) -> None:
        torch = import_torch()
        moving = {n: p for n, p in module.named_parameters() if p.requires_grad}
        if not moving:
            raise InputError("no parameter of the module requires a gradient: nothing can move")
        if any(map(torch.nn.parameter.is_lazy, module.parameters())):
            raise InputError("the module has lazy parameters: call it once, so that it has weights")
        if any(p.is_meta for p in module.parameters()):
            raise InputError("the module has weights on the device meta, which holds no numbers")
        if not all(p.is_floating_point() for p in moving.values()):
            raise InputError("the parameters must be real numbers")
        first = next(iter(moving.values()))
        self.device = torch.device(device) if device is not None else first.device
        self.dtype = dtype if dtype is not None else first.dtype
        if len({p.dtype for p in moving.values()}) > 1 and dtype is None:
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
        self.remark = ""
        norm, dropout = torch.nn.modules.batchnorm._BatchNorm, torch.nn.modules.dropout._DropoutNd
        if any(
            part.training and (isinstance(part, norm) or (isinstance(part, dropout) and part.p > 0))
            for part in module.modules()
        ):
            self.remark = (
                "the module is taken as after eval(): without dropout, batch norm with its running "
                "statistics, whose loss at w* may not be the one it was trained with"
            )
        self.shapes = {n: p.shape for n, p in moving.items()}
        held = dict(self.module.named_parameters())
        self._fixed = {n: p.detach() for n, p in held.items() if n not in moving}
        self._fixed |= dict(self.module.named_buffers())
        self.centre = torch.cat([held[n].detach().reshape(-1) for n in moving])
        self._loss = loss
        self._pointwise = pointwise_loss(loss, targets)
        #: Whether chains run one after another: some layers have no rule for many at once.
        self.one_by_one = False
        if any(isinstance(part, torch.nn.RNNBase) for part in module.modules()):
            self._separate("recurrent layers are slow")
        self._compile()

    def _separate(self, reason: str) -> None:
        """Let chains run one after another, and say why."""
        self.one_by_one = True
        slow = f"{reason}: the chains run one after another"
        self.remark = "; ".join(filter(None, [self.remark, slow]))

    def _compile(self) -> None:
        """Make the functions of many points."""
        both = import_torch().func.grad_and_value(self._mean)
        #: Slopes (points, d) and values (points,), each point with samples of its own.
        self.batch_both = self.for_points(both)
        #: The same where all points share the samples.
        self.whole_both = self.for_points(both, shared=3)
        #: Losses (points, samples) of shared samples, and of a point's own.
        self.whole_values = self._many(self._values, shared=2)
        self.own_values = self._many(self._values)

    def parameters(self, w: Array) -> dict[str, Array]:
        """Unpack offsets, shape (d,) or (points, d), into named parameters."""
        parts = (w + self.centre).split([shape.numel() for shape in self.shapes.values()], dim=-1)
        return {
            name: part.reshape((*w.shape[:-1], *shape))
            for (name, shape), part in zip(self.shapes.items(), parts, strict=True)
        }

    def at_start(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Loss of each sample at w*, and the outputs; one line if these and the data do not fit."""
        torch = import_torch()
        try:
            with torch.no_grad():
                out = self.outputs(self.parameters(torch.zeros_like(self.centre)), x)
                if not (out.is_floating_point() or out.is_complex()):
                    raise InputError(
                        f"the module returns {str(out.dtype).removeprefix('torch.')}, which has "
                        "no gradient: return the numbers before they are rounded"
                    )
                check_targets(self._loss, out, y)
                found = self._pointwise(out, y)
        except InputError:
            raise
        except (RuntimeError, TypeError, IndexError, ValueError) as problem:
            words = (str(problem).splitlines() or [type(problem).__name__])[0]
            raise InputError(f"module, loss and data do not fit: {words}") from None
        if found.shape != (len(x),):
            raise InputError("the loss does not give one number per sample")
        return found, out

    def check_kept(self, x: Array, y: Array) -> None:
        """Refuse a module or a loss that changes its data, which each chain would change again."""
        copies = x[:2].clone(), y[:2].clone()
        self.at_start(*copies)
        for name, copy_, held in zip(("inputs", "targets"), copies, (x, y), strict=True):
            if not bool(((copy_ == held[:2]) | (held[:2] != held[:2])).all()):
                raise InputError(
                    f"the module or the loss changes its {name} in place, as x *= 2 does: let it "
                    "make new ones, x = x * 2"
                )

    def check(self, x: Array, y: Array, start: Array, out: Array) -> None:
        """Raise InputError for what can be seen before a run.

        A loss that is no mean, layers that torch.func cannot move.  The outputs at w* are those
        of the first samples, or of all.
        """
        check_average(self._loss, out, y[: len(out)])
        self._check_apart(x, out)
        data = [held[:2] for held in (x, y, start)]
        refused = self._refused(data)
        # Another reason is a way chosen by the data, which each batch chooses for all its samples.
        if NO_RULE in refused and not self.one_by_one:
            self._separate("a layer that torch.func.vmap does not know is slow")
            self._compile()
            refused = self._refused(data)
        if refused:
            raise InputError(f"torch.func cannot move many chains of this module: {refused}")
        steps = self.centre.new_tensor([0.0, -0.1, 0.1, 0.3, 1.0])
        try:
            slopes, values = self.whole_both.function(
                steps[:, None].expand(-1, len(self.centre)), *data
            )
        except RuntimeError as problem:
            raise InputError(
                "the module cannot be called again with other weights; does it keep a tensor from "
                f"one call to the next? {shorten(str(problem), 160, placeholder=' …')}"
            ) from None
        if (values != values[0]).any() and not slopes.any():
            raise InputError(
                "the loss changes with the weights but torch sees no gradient: leave out "
                "detach(), no_grad() and what rounds or picks classes"
            )

    def _refused(self, data: Sequence[Array]) -> str:
        """What torch says against two points on two samples, or nothing."""
        torch = import_torch()
        origin = self.centre.new_zeros(2, len(self.centre))
        try:
            self.whole_both.function(origin, *data)
            self.batch_both.function(origin, *(torch.stack([part, part]) for part in data))
            with torch.no_grad():  # some layers take another way here
                self.whole_values(origin, *data[:2])
        except (RuntimeError, NotImplementedError, ValueError, TypeError) as problem:
            if "mutate a captured" in str(problem):
                return "it changes a buffer of its own in place: write self.b = self.b + 1, not +="
            return shorten(str(problem), 160, placeholder=" …") or type(problem).__name__
        return ""

    def _check_apart(self, x: Array, out: Array) -> None:
        """Refuse a module that mixes the samples of a batch: each has its own loss.

        Thirds of some samples are the subject in turn, before and after each of the other two.
        Where all data have finite outputs the few must, too: those of equal samples may have no
        standard deviation to divide by.
        """
        if len(x) < 2:
            return
        torch = import_torch()
        parameters = self.parameters(self.centre.new_zeros(len(self.centre)))

        def outputs(*parts: Array) -> Any:
            rows = torch.cat(parts)
            with torch.no_grad():
                return self.outputs(parameters, x[rows]).reshape(len(rows), -1)

        width = outputs(torch.arange(2, device=x.device)).shape[1]
        finite = out.reshape(-1, width).isfinite().all(dim=1)
        rows = torch.linspace(0, len(finite) - 1, min(len(finite), COMPARED)).long()
        rows = rows.to(x.device)
        size = max(len(rows) // 3, 1)
        thirds = [rows.roll(-k * size)[:size] for k in range(3)]
        found = {(i, j): outputs(thirds[i], thirds[j]) for i, j in permutations(range(3), 2)}
        for k, subject in enumerate(thirds):
            known, one, other = finite[subject], (k + 1) % 3, (k + 2) % 3
            for first, second in (
                (found[k, one][:size], found[k, other][:size]),
                (found[one, k][size:], found[other, k][size:]),
            ):
                first, second = first[known], second[known]
                rounding = SAME * torch.finfo(first.dtype).eps * first.abs()
                # Of a number that is none every comparison is false.
                if first.numel() and not bool(((first - second).abs() <= rounding.max()).all()):
                    raise InputError(
                        "the output for a sample depends on the others of its batch, or on chance: "
                        "the first axis of the inputs is that of samples (batch_first=True)"
                    )

    def _many(self, function: Callable[..., Any], shared: int = 0) -> Callable[..., Any]:
        """A function of one point's parameters and data for many, some of the data shared."""
        torch = import_torch()
        if not self.one_by_one:
            dims = (0, *[None] * shared) if shared else 0
            found: Callable[..., Any] = torch.func.vmap(function, in_dims=dims)
            return found

        def each(points: Any, *data: Array) -> Any:
            named = isinstance(points, dict)
            count = len(next(iter(points.values())) if named else points)
            parts = [
                function(
                    {name: held[k] for name, held in points.items()} if named else points[k],
                    *(data if shared else [held[k] for held in data]),
                )
                for k in range(count)
            ]
            if not named:
                return torch.stack(parts)
            slopes, values = zip(*parts, strict=True)
            joined = {name: torch.stack([slope[name] for slope in slopes]) for name in points}
            return joined, torch.stack(values)

        return each

    def _values(self, w: Array, x: Array, y: Array) -> Array:
        return self._losses(self.parameters(w), x, y)

    def outputs(self, parameters: Mapping[str, Array], x: Array) -> Array:
        """What one copy of the module returns for x."""
        torch = import_torch()
        out = torch.func.functional_call(self.module, {**self._fixed, **parameters}, x)
        if not isinstance(out, torch.Tensor):
            raise InputError(f"the module returns a {type(out).__name__}, not a tensor: wrap it")
        return out

    def _losses(self, parameters: Mapping[str, Array], x: Array, y: Array) -> Array:
        return self._pointwise(self.outputs(parameters, x), y)

    def _mean(self, parameters: Mapping[str, Array], x: Array, y: Array, start: Array) -> Array:
        return (self._losses(parameters, x, y) - start).mean()

    def for_points(self, both: Callable[..., Any], shared: int = 0) -> Flattened:
        """Slopes (points, d) and values (points,) of what gives slopes by name, and a value.

        ``both`` takes the parameters of one point and data; ``shared`` counts the data if all
        points share them.
        """
        many = self._many(both, shared)

        def found(w: Array, *data: Array) -> tuple[Any, Any]:
            slopes, values = many(self.parameters(w), *data)
            flat = [slopes[name].reshape(len(w), -1) for name in self.shapes]
            return import_torch().cat(flat, dim=1), values

        return Flattened(found)
