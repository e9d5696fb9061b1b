"""`rlct.quadratic`: λ and θ of quadratic networks, at generic or at given weights."""

from dataclasses import replace
from typing import Any

from rlct.answers.plain_bounds import near_rounded
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.models.quadratic_networks.generic import QuadraticArchitecture
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
from rlct.models.quadratic_networks.quadratic_pattern import data_pattern, rank_pattern
from rlct.models.quadratic_networks.quadratic_reading import read_law, read_weights, sizes_agree
from rlct.system.options import explain_options

_RANK_TOLERANCE = 1e-6  # relative; far above the rounding of doubles


@explain_options
def quadratic(
    inputs: int | None = None,
    units: int | None = None,
    outputs: int | None = None,
    bias: bool = False,
    *,
    data: Any = None,
    centred: bool = False,
    weights: Any = None,
    tolerance: float = _RANK_TOLERANCE,
    timeout: float | None = None,
) -> Result:
    """λ and θ of the quadratic network f_k(x) = Σ_j v_kj (w_j·x + b_j)² + c_k.

    Parameters
    ----------
    inputs, units, outputs : int, optional
        d, K and p.  Data and weights may determine them.
    bias : bool
        Whether units have biases b_j and outputs biases c_k.
    data : str or rows of numbers, optional
        ``"modular:P"``: all pairs (e_a, e_b) of unit vectors modulo P, with P outputs unless
        ``outputs`` says otherwise; or a finite dataset.  Without it the inputs have a density.
    centred : bool
        Whether outputs are compared after subtracting their mean over the data.
    weights : mapping or JSON text, optional
        The true parameter: ``hidden``, ``outer``, ``bias``; see `read_weights`.  Without it
        the parameter is generic.
    tolerance : float
        For weights given as floats: singular values of the Jacobian that are smaller, relative
        to the largest, are taken for rounding errors.  If that gives another rank than the
        floats have as exact numbers, only bounds are returned; either way the pattern is noted.
    timeout : float, optional
        Seconds for the engine, which is asked about small networks.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If the sizes are missing, contradict each other or are too large.

    Examples
    --------
    >>> quadratic(inputs=4, outputs=3, units=5).lam
    Fraction(29, 2)
    >>> quadratic(units=4, data="modular:5").lam
    Fraction(26, 1)
    >>> quadratic(weights={"hidden": [[1, 0], [0, 0]], "outer": [[1, 0], [1, 0]]}).pair
    Pair(2, 3)
    """
    from rlct.answers.exact import solve

    if weights is None:
        asked, notes = architecture_of(
            inputs, units, outputs, bias, data=data, centred=centred, tolerance=tolerance
        )
        return _noted(solve(asked, timeout=timeout), *notes)
    network_weights = read_weights(weights)
    if bias and not network_weights.bias:
        raise InputError("the weights have no bias")
    sizes_agree(network_weights, units, outputs)
    width = len(network_weights.hidden[0]) - network_weights.bias
    law, rounded = read_law(data, width if data is None else None, network_weights.bias, centred)
    if law.inputs != width or inputs not in (None, width):
        raise InputError(f"the weights have {width} inputs, not {inputs or law.inputs}")
    notes = (data_pattern(law, tolerance),) if rounded else ()
    network = QuadraticNetwork(network_weights.hidden, network_weights.outer, law)
    result = _noted(solve(network, timeout=timeout), *notes)
    rounded = network_weights.rounded and any(result.bounds)
    return _weigh_rounded(result, network, tolerance) if rounded else result


def architecture_of(
    inputs: int | None = None,
    units: int | None = None,
    outputs: int | None = None,
    bias: bool = False,
    *,
    data: Any = None,
    centred: bool = False,
    tolerance: float = _RANK_TOLERANCE,
) -> tuple[QuadraticArchitecture, tuple[str, ...]]:
    """Read the arguments of `quadratic` at a generic parameter, without answering.

    With notes on data given as floats; InputError as `quadratic`.
    """
    if units is None:
        raise InputError("the number of units is missing: give units or weights")
    law, rounded = read_law(data, inputs, bias, centred)
    if outputs is None and not law.group:
        raise InputError("the number of outputs is missing: give outputs or weights")
    notes = (data_pattern(law, tolerance),) if rounded else ()
    count = law.group if outputs is None else outputs
    return QuadraticArchitecture(units, count, law), notes


def _noted(result: Result, *notes: str) -> Result:
    return replace(result, notes=(*result.notes, *notes)) if notes else result


def _weigh_rounded(result: Result, network: QuadraticNetwork, tolerance: float) -> Result:
    """Weigh the exact answer at rounded weights against the pattern they seem to have."""
    seeming_pattern = rank_pattern(network, tolerance)
    exact_rank = network.rank
    dead = tuple(
        j + 1
        for j in range(network.units)
        if not any(network.vector(j)) or not any(network.reduced[j])
    )
    note = f"weights given as floats: {seeming_pattern}; as exact numbers rank {exact_rank}"
    if seeming_pattern.rank == exact_rank and seeming_pattern.inactive == dead:
        return _noted(result, note)
    note += "; the weights meant may be more degenerate, so these are only bounds"
    hypotheses = result.routes[0].hypotheses
    return near_rounded(result, min(seeming_pattern.rank, exact_rank), note, "Jacobian", hypotheses)
