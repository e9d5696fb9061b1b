"""A torch module as the question: exact λ at its weights, or least over a box of weights."""

from dataclasses import replace
from functools import partial
from typing import Any

from rlct.answers.exact import ideal, solve, theorem
from rlct.answers.module_ideal import ModuleIdeal, module_ideal
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.system.options import explain_options, seconds
from rlct.system.time_limit import Budget, made_in_time

_INPUT_LAW = "the inputs have a density, and moments of twice the degree of the outputs in them"


@explain_options
def exact(
    module: Any,
    inputs: Any,
    *,
    at: Any = None,
    over: tuple[Any, Any] | None = None,
    timeout: float | None = None,
) -> Result:
    """λ and θ of a torch module of polynomial operations, at the function that its weights give.

    K is the expected squared difference to that function, for inputs with a density; it is
    comparable with Σ g² over the coefficients g of all monomials in the inputs.

    Parameters
    ----------
    module : torch.nn.Module
        Its operations are polynomials: linear and bilinear layers, products, powers, sums, means,
        einsum, residuals.  Weights that move are short fractions; those without ``requires_grad``
        are constants.
    inputs : int or tensor
        The number of inputs, or a batch of them, of which only the shape (batch, …) is taken.
    at : mapping or "generic", optional
        A state dict with the weights of the truth; those of the module by default.  With
        ``"generic"`` the truth is the function at generic weights, whatever those of the module
        are, and the answer is the least λ over all weights of this function.
    over : (low, high), optional
        Interval of every weight: asks for the least λ over all weights in this box that give the
        same function, instead of the value at the weights.
    timeout : float, optional
        Seconds after which the best bounds so far are returned.

    Returns
    -------
    Result
        Its notes say which letters stand for which parameters.

    Raises
    ------
    InputError
        If an operation is no polynomial, which the message names, or a weight no short fraction.

    Examples
    --------
    >>> import torch
    >>> net = torch.nn.Sequential(*(torch.nn.Linear(2, 2, bias=False) for _ in range(2)))
    >>> zero = {name: torch.zeros(2, 2) for name in net.state_dict()}
    >>> exact(net, 2, at=zero).pair
    Pair(3/2, 1)
    >>> exact(net, 2, at="generic").pair
    Pair(2, 1)
    """
    torch = import_torch()
    if not isinstance(module, torch.nn.Module):
        raise InputError("exact asks about a torch module: exact(module, inputs)")
    if isinstance(at, str):
        return _at_generic(module, inputs, at, over, Budget(seconds(timeout)))
    if at is not None:
        from copy import deepcopy

        module = deepcopy(module)
        try:
            module.load_state_dict(at)
        except (RuntimeError, TypeError, AttributeError) as error:
            raise InputError(
                f"at is no state dict of this module: {str(error).splitlines()[-1].strip()[:100]}"
            ) from None
    if over is not None and (not isinstance(over, tuple | list) or len(over) != 2):
        raise InputError("over is one interval for every weight, such as (-2, 2)")
    time_budget = Budget(seconds(timeout))
    module_trace = _written_out(module, inputs, time_budget)
    if module_trace is None:
        return _by_count(
            module, time_budget, "at the weights of the module", is_box=over is not None
        )
    seen = {str(symbol) for gain in module_trace.generators for symbol in gain.free_symbols}
    place = {name: str(value) for name, value in module_trace.weight_values.items() if name in seen}
    if over is None:
        answer = ideal(module_trace.generators, at=place, timeout=time_budget.seconds_left)
        where = "at the weights of the module"
    else:
        answer = ideal(module_trace.generators, over=over, timeout=time_budget.seconds_left)
        where = f"minimum over weights in [{over[0]}, {over[1]}] that give the same function"
    answer = replace(answer, where=where, notes=(*answer.notes, _letters(module_trace)))
    return answer.assuming(_INPUT_LAW)


def _written_out(
    module: Any, inputs: Any, clock: Budget, *, generic_truth: bool = False
) -> ModuleIdeal | None:
    """The polynomials of a module, or None if writing them out takes longer than there is."""
    make = partial(module_ideal, module, inputs, generic_truth=generic_truth)
    module_trace = made_in_time(make, Budget(clock.seconds_left))
    if module_trace is not None and not module_trace.generators:
        raise InputError("the module is the same function at all weights: K is 0")
    return module_trace


def _by_count(module: Any, clock: Budget, where: str, *, is_box: bool = False) -> Result:
    """λ ≤ d/2, as K is at most a constant times the squared distance from a zero."""
    why = f"the module was not written out within {clock.seconds:g} s"
    if is_box:  # which may hold no zero
        raise InputError(f"{why}: give more time, or a smaller module")
    count = sum(part.numel() for part in module.parameters() if part.requires_grad)
    counted = theorem("parameter-count-bound", parameters=count, order=1)
    note = f"{why}, so only its weights are counted"
    return replace(counted, where=where, asked=None, notes=(note,))


def _at_generic(module: Any, inputs: Any, at: str, over: object | None, clock: Budget) -> Result:
    """At a generic truth, where the rank of the derivative decides."""
    from rlct.models.generic.generic_map import GenericMap

    if at != "generic":
        raise InputError(f"at is a state dict, or 'generic' for a generic truth, not {at[:40]!r}")
    if over is not None:
        raise InputError("a generic truth is asked over all weights: leave out over")
    module_trace = _written_out(module, inputs, clock, generic_truth=True)
    if module_trace is None:
        return _by_count(module, clock, "at a generic truth")
    answer = solve(
        GenericMap(";".join(str(f).replace(" ", "") for f in module_trace.generators)),
        timeout=clock.seconds_left,
    )
    return replace(answer, notes=(*answer.notes, _letters(module_trace))).assuming(_INPUT_LAW)


def _letters(module_trace: ModuleIdeal) -> str:
    letters = ", ".join(f"{letter} is {name}" for name, letter in module_trace.parameters.items())
    return f"in proofs {letters}; K is the squared error"
