"""What can be seen of a module, its loss and its data before chains move it, in one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.losses import check_average
from rlct.sampling.modules.torch_arrays import import_torch

if TYPE_CHECKING:
    from rlct.sampling.modules.functional import FunctionalModule

NO_RULE = ("not yet support", "rule not implemented")  # in what torch says of a layer
COMPARED_SAMPLES = 16  # samples, in several batches each
HALF_BATCHES = 8  # of half of them, with repetitions, and one of all
LARGE_WORK = 10**8  # weights times batches, or times samples: of larger modules two are taken
NEAR_SHARE = 0.3  # of the size of weights, how far from w* they are tried, too
SINGLE_ROUNDING = 1e-5  # of an output over samples, where something is computed in single precision
# Units of the last place, and share, of the largest output.  Batches of another size, of which the
# products are summed in another order, may differ by the latter.
MOST_ROUNDINGS, COARSE_SHARE = 100, 0.03
MOST_COMPARED = 2**16  # outputs of a sample; a convention


def fewer_if_large(count: int, dimension: int) -> int:
    """Samples or batches that a check of so many weights takes, so that it stays short.

    >>> fewer_if_large(8, 10**6), fewer_if_large(8, 2 * 10**7), fewer_if_large(8, 10**9)
    (8, 5, 2)
    """
    return max(2, min(count, LARGE_WORK // dimension))


def check_unchanged_data(function: FunctionalModule, x: Array, y: Array) -> None:
    """Refuse a module or a loss that changes its data, which each chain would change again."""
    copies = x[:2].clone(), y[:2].clone()
    function.at_start(*copies)
    for name, copy, held in zip(("inputs", "targets"), copies, (x, y), strict=True):
        if not bool(((copy == held[:2]) | (held[:2] != held[:2])).all()):
            raise InputError(
                f"the module or the loss changes its {name} in place, as x *= 2 does: let it "
                "make new ones, x = x * 2"
            )


def check_module(
    function: FunctionalModule,
    loss: str | Callable[..., Any],
    x: Array,
    y: Array,
    start: Array,
    start_outputs: Array,
) -> None:
    """Refuse a loss that is no mean, samples that are mixed, layers that torch.func cannot move.

    Its chains run one after another from here on if a layer knows no other way. x, y and start are
    all inputs and targets, and the losses at w*; ``start_outputs`` are those of the first samples,
    or of all.

    >>> import torch
    >>> from rlct.sampling.modules.functional import FunctionalModule
    >>> x, y = torch.ones(4, 2), torch.zeros(4, 1)
    >>> held = FunctionalModule(torch.nn.Linear(2, 1), "gaussian", y)
    >>> check_module(held, "gaussian", x, y, *held.at_start(x, y))
    """
    check_average(loss, start_outputs, y[: len(start_outputs)])
    _check_apart(function, x, start_outputs)
    data = [held[:2] for held in (x, y, start)]
    refused = _refused(function, data)
    # Another reason is a way chosen by the data, which each batch chooses for all its samples.
    if any(words in refused for words in NO_RULE) and not function.one_by_one:
        function.separate("a layer that torch.func.vmap does not know is slow")
        refused = _refused(function, data)
    if refused:
        raise InputError(f"torch.func cannot move many chains of this module: {refused}")
    steps = function.centre.new_tensor([0.0, -0.1, 0.1, 0.3, 1.0])
    try:
        sloping, _ = _slopes_seen(function, steps, slice(None), data)
    except RuntimeError as problem:
        raise InputError(
            "the module cannot be called again with other weights; does it keep a tensor from "
            f"one call to the next? {shorten(str(problem), 160, placeholder=' …')}"
        ) from None
    _check_dependence(function, steps, sloping, data)


def _slopes_seen(
    function: FunctionalModule, steps: Array, part: slice, data: Sequence[Array]
) -> tuple[Array, Array]:
    """Which weights have a slope somewhere, where these move by each of the steps; and values.

    Few points at a time, as weights of many are much where networks are large, but more than two,
    by which a module is found that keeps a tensor from one call to the next.
    """
    torch = import_torch()
    sloping, values = torch.zeros_like(function.centre, dtype=torch.bool), []
    for some in steps.split(3):
        moved = function.centre.new_zeros(len(some), len(function.centre))
        moved[:, part] = some[:, None]
        slopes, value = function.whole_both.function(moved, *data)
        sloping |= (slopes != 0).any(dim=0)
        values.append(value)
    return sloping, torch.cat(values)


def _check_dependence(
    function: FunctionalModule, steps: Array, sloping: Array, data: Sequence[Array]
) -> None:
    """Refuse a loss that changes with a tensor of which torch sees no gradient anywhere."""
    begin = 0
    for name, shape in function.shapes.items():
        part = slice(begin, begin := begin + shape.numel())
        if sloping[part].any():
            continue
        seen, values = _slopes_seen(function, steps, part, data)
        if (values != values[0]).any() and not seen[part].any():
            raise InputError(
                f"the loss changes with {name}, but torch sees no gradient of it: leave out "
                "detach(), no_grad() and what rounds or picks classes"
            )


def _refused(function: FunctionalModule, data: Sequence[Array]) -> str:
    """What torch says against two points on two samples, or nothing."""
    torch = import_torch()
    origin = function.centre.new_zeros(2, len(function.centre))
    try:
        function.whole_both.function(origin, *data)
        function.batch_both.function(origin, *(torch.stack([part, part]) for part in data))
        with torch.no_grad():  # some layers take another way here
            function.whole_values(origin, *data[:2])
    except (RuntimeError, NotImplementedError, ValueError, TypeError) as problem:
        if "mutate a captured" in str(problem):
            return "it changes a buffer of its own in place: write self.b = self.b + 1, not +="
        if "data-dependent" in str(problem) and hasattr(function.module, "set_attn_implementation"):
            return (
                "it chooses its computation by the attention mask: call "
                "module.set_attn_implementation('eager'). If that does not help, give the "
                "mask as real numbers of the shape (samples, 1, tokens, tokens), 0 where a token "
                "is seen and -1e9 where not"
            )
        if "Sparse" in str(problem):
            return "its gradients are sparse: make the embeddings with sparse=False"
        return shorten(str(problem), 160, placeholder=" …") or type(problem).__name__
    return ""


def _check_apart(function: FunctionalModule, x: Array, start_outputs: Array) -> None:
    """Refuse a module that mixes the samples of a batch: each has its own loss.

    Some samples are put into batches at random, and each must have the same outputs in all, and
    about the same in a larger one.  Besides w*, where a last layer may be zero, weights near it are
    tried.
    """
    if len(x) < 2:
        return
    torch = import_torch()
    rng = torch.Generator().manual_seed(0)
    zero_offset = function.centre.new_zeros(len(function.centre))
    width = _outputs(function, zero_offset, x[:2]).shape[1]
    finite_rows = _real(start_outputs).reshape(-1, width).isfinite().all(dim=1)
    rows = torch.linspace(0, len(finite_rows) - 1, min(len(finite_rows), COMPARED_SAMPLES)).long()
    size = max(len(rows) // 2, 2)
    batch_count = fewer_if_large(HALF_BATCHES, len(function.centre))
    chosen_rows = torch.randint(len(rows), (batch_count, size), generator=rng)
    parts = [*chosen_rows, torch.arange(len(rows))]  # and one of another size
    batches, sample = [x[rows[part].to(x.device)] for part in parts], torch.cat(parts)

    stride = -(-width // MOST_COMPARED)  # samples that mix do so in all of their outputs

    def found(w: Array) -> Array:
        return torch.cat([_outputs(function, w, batch)[:, ::stride].cpu() for batch in batches])

    # Where all data have finite outputs batches must, too: of equal samples there may be no
    # standard deviation to divide by.  Away from w* there may be no output at all.
    at_start = found(zero_offset)
    compared = [(at_start, finite_rows.cpu()[rows][sample])]
    with suppress(RuntimeError):  # weights may be bound to w*, as rotations are
        near = found(_moved(function, rng))
        compared.append((near, near.isfinite().all(dim=1)))
    alike = torch.arange(len(sample)) < chosen_rows.numel()  # in batches of one size
    largest = max((float(out[use].abs().max()) for out, use in compared if use.any()), default=0.0)
    for out, use in compared:
        rounding = SINGLE_ROUNDING * out.nan_to_num().abs().amax(dim=0)
        rounding += min(MOST_ROUNDINGS * torch.finfo(out.dtype).eps, COARSE_SHARE) * largest
        for k in range(len(rows)):
            mine = use & (sample == k)
            if _apart(out[mine & alike], rounding) or _apart(out[mine], COARSE_SHARE * largest):
                if not torch.equal(found(zero_offset).nan_to_num(), at_start.nan_to_num()):
                    raise InputError(
                        "the output for a sample is another at each call, as by noise or dropout "
                        "with training=True in forward, or a tensor that it keeps: leave that out"
                    )
                raise InputError(
                    "the output for a sample depends on the others of its batch, or calls before: "
                    "axis 0 is of samples (batch_first=True), batch norm has running statistics"
                )


def _apart(rows: Array, rounding: Any) -> bool:
    """Whether rows differ by more, or one is no number, of which every comparison is false."""
    return bool(len(rows)) and not bool((rows.amax(dim=0) - rows.amin(dim=0) <= rounding).all())


def _outputs(function: FunctionalModule, w: Array, x: Array) -> Array:
    """Outputs, one row for each sample, in double precision where the module knows it."""
    torch = import_torch()
    parameters = function.parameters(w)
    with torch.no_grad():
        try:
            out = function.outputs(parameters, x, torch.float64)
        except (RuntimeError, TypeError):  # a device or a constant of the module knows no other
            out = function.outputs(parameters, x)
    return _real(out).reshape(len(x), -1)


def _real(out: Array) -> Array:
    return import_torch().view_as_real(out) if out.is_complex() else out


def _moved(function: FunctionalModule, rng: Any) -> Array:
    """Offsets of all weights, about as large as those of their layer or as usual at the start."""
    torch = import_torch()
    parts = []
    for held in function.parameters(torch.zeros_like(function.centre)).values():
        size = float(held.double().pow(2).mean().sqrt()) or held.shape[-1:].numel() ** -0.5
        parts.append(NEAR_SHARE * size * torch.randn(held.numel(), generator=rng))
    return torch.cat(parts).to(function.centre)
