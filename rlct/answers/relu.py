"""`rlct.relu`: λ and θ of ReLU networks at given weights, on data or with a density."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rlct.answers.plain_bounds import near_rounded
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.models.quadratic_networks.quadratic_reading import read_rows, read_weights
from rlct.models.relu_networks.relu import EXAMPLE_NETWORKS, ReluNetwork
from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
from rlct.models.relu_networks.relu_fibre import ReluFibre
from rlct.models.relu_networks.relu_pattern import exact_pattern, relu_pattern
from rlct.system.options import explain_options

_RANK_TOLERANCE = 1e-6  # relative; far above the rounding of doubles


@explain_options
def relu(
    weights: Any = None,
    *,
    data: Any = None,
    density: Any = None,
    output_bias: bool = False,
    example: str | None = None,
    fibre: bool = False,
    units: int | None = None,
    tolerance: float = _RANK_TOLERANCE,
    timeout: float | None = None,
) -> Result:
    """λ and θ of the network f(x) = Σ_j v_j ReLU(w_j·x + b_j) + c, at given weights.

    Parameters
    ----------
    weights : mapping or JSON text
        The true parameter: ``hidden`` (one row per unit), ``outer`` (one row per output) and
        perhaps ``bias`` (one number per unit); see `read_weights`.
    data : rows of numbers or JSON text, optional
        The inputs, if they are finitely many.  K is a polynomial near the weights unless some
        lie on boundaries of units: then it is one on each of several pieces, of which the
        engine finds the least pair.
    density : mapping or rows, optional
        Intervals (low, high) of the inputs, in order or by name, or one of all alike, if they
        have a density there that lies between positive constants.  Boundaries that several units
        share make λ larger than it is on data.
    output_bias : bool
        Whether outputs have biases.
    example : str, optional
        ``"two-units-data"`` or ``"two-units-density"`` instead of all this: two units with the
        same boundary, ½ReLU(x) each, on four inputs and on [−1, 1].
    fibre : bool
        Ask for the least λ over all parameters of the same function; on data, with the same
        values there, for one output.
    units : int, optional
        With ``fibre``: number of hidden units of the model, by default that of the weights.
    tolerance : float
        For numbers given as floats: relative singular values of the derivative and of the
        groups of units, relative values of units on inputs, and relative sums of jumps of slope,
        that are smaller are taken for rounding errors.  If the pattern then differs from that of
        the exact numbers, only bounds are returned; either way it is noted.
    timeout : float, optional
        Seconds for the engine.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If something is missing or contradictory, or no unit is active on any input.

    Examples
    --------
    >>> relu(example="two-units-data").pair, relu(example="two-units-density").pair
    (Pair(1, 1), Pair(4/3, 1))
    >>> relu(example="two-units-density", fibre=True).pair
    Pair(1, 1)
    >>> relu({"hidden": [[1], [-1]], "outer": [[1, 1]]}, data=[[-1], [1]]).pair
    Pair(1, 1)
    """
    from rlct.answers.exact import solve

    if example is not None:
        if weights is not None or data is not None or density is not None or output_bias:
            raise InputError("an example has its own weights and inputs: give no others")
        if example not in EXAMPLE_NETWORKS:
            raise InputError(f"no example {example!r:.40}; there are {', '.join(EXAMPLE_NETWORKS)}")
        return solve(
            _asked(ReluNetwork(**EXAMPLE_NETWORKS[example]), fibre, units), timeout=timeout
        )
    if weights is None:
        raise InputError("the weights are missing: give weights, or an example")
    if (data is None) == (density is None):
        raise InputError("give either data or density: λ depends on the inputs")
    network_weights = read_weights(weights)
    points = box = None
    if data is not None:
        points, rounded_inputs = read_rows("the dataset", data)
    else:
        rows = list(density.values()) if isinstance(density, Mapping) else density
        if isinstance(rows, tuple) and not isinstance(rows[0], list | tuple):
            rows = [rows] * len(network_weights.hidden[0])
        box, rounded_inputs = read_rows("the density", rows)
    network = ReluNetwork(
        network_weights.hidden,
        network_weights.outer,
        points,
        box,
        network_weights.bias,
        output_bias,
    )
    if fibre and (network_weights.rounded or rounded_inputs):
        raise InputError("the minimum over all parameters needs exact numbers, not floats")
    result = solve(_asked(network, fibre, units), timeout=timeout)
    return (
        _weigh_rounded(result, network, tolerance)
        if (network_weights.rounded or rounded_inputs) and any(result.bounds)
        else result
    )


def _asked(
    network: ReluNetwork, fibre: bool, units: int | None
) -> ReluNetwork | ReluFibre | ReluDataFibre:
    if units is not None and not fibre:
        raise InputError("units is for the minimum over all parameters: say fibre too")
    if not fibre:
        return network
    return ReluFibre(network, units) if network.data is None else ReluDataFibre(network, units)


def _weigh_rounded(result: Result, network: ReluNetwork, tolerance: float) -> Result:
    """Weigh the answer at rounded numbers against the pattern they seem to have."""
    if not 0 < tolerance < 1:
        raise InputError(f"the tolerance must be between 0 and 1, not {tolerance}")
    sampled_network, doubt_texts = network, []
    if network.box is not None:
        from rlct.models.relu_networks.relu_regions import on_sampled_inputs, regions

        sampled_network, cut = on_sampled_inputs(network), regions(network)
        sides = sum(bool(side) for boundary in cut.boundaries for side in boundary.sides)
        if len(sampled_network.groups) != sides + bool(cut.everywhere) or cut.edge:
            doubt_texts.append("boundaries almost coincide")
        if any(edge.may_cancel(tolerance) and not edge.may_cancel() for edge in cut.boundaries):
            doubt_texts.append("jumps of slope almost cancel")
    near = _nearest(sampled_network)
    if near <= tolerance:
        doubt_texts.append(f"an input almost lies on a boundary ({near:.2g}, relative)")
    meant, exact = relu_pattern(sampled_network, tolerance), exact_pattern(sampled_network)
    note = f"numbers given as floats: at tolerance {tolerance:g} {meant}"
    if meant == exact and not doubt_texts:
        return replace(result, notes=(*result.notes, f"{note}, as well as exactly"))
    if meant != exact:
        doubt_texts.append(f"as exact numbers {exact}")
    doubts = ", ".join(doubt_texts)
    note += f"; {doubts}: the numbers meant may be more degenerate, so these are only bounds"
    return near_rounded(result, min(meant.derivative, exact.derivative), note)


def _nearest(network: ReluNetwork) -> float:
    """Least |w·z| over units and inputs, relative to |w||z|."""
    import numpy as np

    W = np.array([[float(x) for x in row] for row in network.hidden])
    Z = np.array([[float(x) for x in row] for row in network.inputs])
    scale = np.linalg.norm(W, axis=1)[:, None] * np.linalg.norm(Z, axis=1)
    with np.errstate(all="ignore"):
        return float(np.nan_to_num(np.abs(W @ Z.T) / scale, nan=0.0).min())
