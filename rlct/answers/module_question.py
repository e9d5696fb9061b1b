"""A torch module as the question: exact λ at its weights, or least over a box of weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rlct.answers.exact import ideal
from rlct.answers.module_ideal import module_ideal
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.system.options import explain_options

__all__ = ["exact"]


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
    at : mapping, optional
        A state dict with the weights of the truth; those of the module by default.
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
    """
    torch = import_torch()
    if not isinstance(module, torch.nn.Module):
        raise InputError("exact asks about a torch module: exact(module, inputs)")
    if at is not None:
        from copy import deepcopy

        module = deepcopy(module)
        try:
            module.load_state_dict(at)
        except (RuntimeError, TypeError, AttributeError) as error:
            raise InputError(
                f"at is no state dict of this module: {str(error).splitlines()[-1].strip()[:100]}"
            ) from None
    if over is not None and (isinstance(over, str | dict) or len(over) != 2):
        raise InputError("over is one interval for every weight, such as (-2, 2)")
    module_trace = module_ideal(module, inputs)
    if not module_trace.generators:
        raise InputError("the module is the same function at all weights: K is 0")
    seen = {str(symbol) for gain in module_trace.generators for symbol in gain.free_symbols}
    place = {name: str(value) for name, value in module_trace.place.items() if name in seen}
    if over is None:
        answer = ideal(module_trace.generators, at=place, timeout=timeout)
        where = "at the weights of the module"
    else:
        answer = ideal(module_trace.generators, over=over, timeout=timeout)
        where = f"minimum over weights in [{over[0]}, {over[1]}] that give the same function"
    letters = ", ".join(f"{letter} is {name}" for name, letter in module_trace.parameters.items())
    note = f"in proofs {letters}; K is the squared error, and inputs have a density"
    return replace(answer, where=where, notes=(*answer.notes, note))
