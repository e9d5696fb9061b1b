"""What the theorems on ReLU networks share: arguments, the network, bounds unit by unit."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError
from rlct.models.relu_networks.relu import Group, ReluNetwork
from rlct.models.relu_networks.relu_regions import range_on_box
from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding
from rlct.theorems.evidence import TheoremBounds, sharper_bounds
from rlct.theorems.kit.given import PRIOR_POSITIVE, half_dimension, only_open, output_biases
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.linear_networks.two_layer import two_layer
from rlct.theorems.working import joined_terms, step

RELU_MODEL = (
    "y = Σ_j v_j ReLU(w_j·x + b_j) + Gaussian noise; one hidden layer, the truth in the family"
)

RELU_HIDDEN = Parameter(
    "hidden", Kind.MATRIX, "true weights, one row per unit, the bias b_j at its end"
)
HIDDEN_BIAS = Parameter("bias", Kind.FLAG, "whether hidden units have biases", True)
OUTPUT_BIAS = Parameter("output_bias", Kind.FLAG, "whether outputs have biases", False)
INPUT_DATA = Parameter("data", Kind.MATRIX, "the inputs, one a row")
INPUT_BOX = Parameter("box", Kind.MATRIX, "one interval low,high per input")
UNIT_COUNT = Parameter("units", Kind.INTEGER, "H, units of the model; as many as given", None)
_HALF_COUNT: Final = "λ ≤ half the number of parameters"
INPUT_WEIGHTS = Parameter.stated(
    "weights", "every input has positive weight, and there are no others", fallback_text=_HALF_COUNT
)
INPUT_DENSITY = Parameter.given(
    "density",
    "the inputs have a density on the box that lies between positive constants",
    fallback_text=_HALF_COUNT,
)

ON_DATA = (
    RELU_HIDDEN,
    OUTER_WEIGHTS,
    INPUT_DATA,
    HIDDEN_BIAS,
    OUTPUT_BIAS,
    INPUT_WEIGHTS,
    PRIOR_POSITIVE,
)
"""Parameters of the theorems on finitely many inputs."""
ONE_INPUT: Final = {"hidden": ((1,),), "outer": ((1,),), "data": ((1,),), "bias": False}

_ARGUMENT_NAMES = ("hidden", "outer", "data", "box", "bias", "output_bias")


def off_data(two_units: Arguments) -> tuple[Counterexample, ...]:
    """Deny the last two of `ON_DATA`, where `two_units` units share a boundary."""
    return (
        Counterexample.against("weights", two_units, "4/3", "u; v; t**3", prior="t"),
        squared_prior(ONE_INPUT, "prior_positive", "u"),
    )


def relu_network(arguments: Arguments) -> ReluNetwork:
    """Build the network of the arguments."""
    return _network(*(arguments.get(name) for name in _ARGUMENT_NAMES))


@lru_cache(maxsize=64)
def _network(*values: Any) -> ReluNetwork:
    """Remember networks with their ranks: findings and values ask for the same one."""
    return ReluNetwork(**dict(zip(_ARGUMENT_NAMES, values, strict=True)))


def density_rank(network: ReluNetwork | None) -> int | None:
    """Rank of the derivative where the inputs have a density."""
    from rlct.models.relu_networks.relu_regions import on_sampled_inputs

    return on_sampled_inputs(network).rank if network else None


def on_a_line(network: ReluNetwork | None) -> ReluNetwork | None:
    """Return the network if its input is one number with a density, which a sampler takes."""
    return network if network and len(network.box or ()) == 1 else None


def after_shapes(
    further: Callable[[Arguments, ReluNetwork], tuple[Finding, ...]],
) -> Callable[[Arguments], tuple[Finding, ...]]:
    """Check that the weights form a network, and then what it must satisfy."""

    def findings(arguments: Arguments) -> tuple[Finding, ...]:
        shape = _shapes(arguments)
        held = shape.truth is not Truth.FALSE
        return (shape, *(further(arguments, relu_network(arguments)) if held else ()))

    return findings


def weights_on_data(network: ReluNetwork) -> dict[str, Any]:
    """Arguments of the theorems on finitely many inputs."""
    names = ("hidden", "outer", "data", "bias", "output_bias")
    return {name: getattr(network, name) for name in names}


def _shapes(arguments: Arguments) -> Finding:
    statement = "the weights are those of a ReLU network on these inputs"
    try:
        network = relu_network(arguments)
    except InputError as error:
        return Finding.of(statement, False, str(error))
    shape = f"{network.units} units, {network.outputs} outputs, {len(network.data or ())} data"
    if network.box:
        shape = f"{network.units} units, {network.outputs} outputs, {len(network.box)} inputs"
    return Finding.of(statement, True, shape)


def on_other_inputs(arguments: Arguments) -> TheoremBounds | None:
    """Bound λ by half the number of parameters and by output biases, if the inputs are open."""
    net = relu_network(arguments)
    biased = net.output_bias and only_open(
        arguments, "density", "weights", "prior_positive", "interior"
    )
    lower = output_biases(net.outputs) if biased else None
    if not only_open(arguments, "density", "weights"):
        return lower
    units = arguments.get("units") or net.units
    size = units * (len(net.hidden[0]) + net.outputs) + net.outputs * net.output_bias
    return sharper_bounds(lower, half_dimension(size))


def group_pair(group: Group, outputs: int) -> Pair:
    """Pair of the two-layer linear network of a group."""
    return two_layer(outputs, len(group.units), group.seen, group.inner, group.outer, group.product)


def by_groups(network: ReluNetwork) -> Pair | None:
    """Sum over the groups, and p/2 for output biases; None if nothing can be learned.

    It is the pair if the inputs distinguish the groups, and an upper bound otherwise: K is at
    most a constant times the sum of the groups' own losses.
    """
    pairs = [group_pair(group, network.outputs) for group in network.groups]
    if network.output_bias:
        pairs.append(Pair(Fraction(network.outputs, 2), 1))
    if not pairs:
        return None
    whole = Pair.sum(pairs)
    step(f"sum over the groups = {joined_terms(pair.lam for pair in pairs)}", whole.lam)
    return whole


def by_units(network: ReluNetwork) -> Pair:
    """Upper bound that holds for every input law: units one by one.

    InputError if no unit can be active, so that K is 0.
    """
    p = network.outputs
    terms, theta = [Fraction(p, 2)] * network.output_bias, 1
    for j, w in enumerate(network.hidden):
        seen_rank = _seen(network, j)
        if not seen_rank:
            continue
        v = network.vector(j)
        live = any(w) if network.box else any(sign > 0 for sign in network.signs[j])
        if any(v):
            terms.append(Fraction(seen_rank + p - 1 if live else seen_rank, 2))
        elif live:
            terms.append(Fraction(p, 2))
        else:
            terms.append(Fraction(min(p, seen_rank), 2))
            theta += p == seen_rank
    if not terms:
        raise InputError("no unit is active on any input: K is 0")
    return Pair(step(f"sum over the units = {joined_terms(terms)}", sum(terms, Fraction(0))), theta)


def _seen(net: ReluNetwork, unit: int) -> int:
    """Dimension of the inputs on which a unit is not strictly negative."""
    if net.box is None:
        active_inputs = [z for z, s in zip(net.inputs, net.signs[unit], strict=True) if s >= 0]
        return matrix_rank(active_inputs) if active_inputs else 0
    return net.width if range_on_box(net, net.hidden[unit])[1] >= 0 else 0
