"""Lemmas A.1 and A.2 of Murfet et al.: the scalings of hidden units, and what they bound."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from rlct.algebra.exact_rank import matrix_rank
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation, sharper_bounds
from rlct.theorems.kit.given import PRIOR_POSITIVE, half_dimension, only_open, output_biases
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance
from rlct.theorems.working import step

Layer = list[list[Fraction]]


def _size(widths: tuple[int, ...]) -> int:
    return sum((before + 1) * after for before, after in pairwise(widths))


def _layers(arguments: Arguments) -> list[Layer]:
    """Split the weights into layers, one row per unit, its bias at the end."""
    remaining = [Fraction(value) for value in arguments["weights"]]
    layers = []
    for before, after in pairwise(arguments["widths"]):
        width = before + 1
        layers.append([remaining[i * width : (i + 1) * width] for i in range(after)])
        remaining = remaining[after * width :]
    return layers


def scalings(arguments: Arguments) -> list[list[Fraction]]:
    """Σ w ∂/∂w + b ∂/∂b − Σ (outgoing w) ∂/∂w of each hidden unit, as rows of coefficients."""
    layers = _layers(arguments)
    rows = []
    for k, layer in enumerate(layers[:-1]):
        for j in range(len(layer)):
            row: list[Fraction] = []
            for m, other in enumerate(layers):
                for i, weights in enumerate(other):
                    for n, value in enumerate(weights):
                        coming = m == k and i == j
                        going = m == k + 1 and n == j
                        row.append(value if coming else -value if going else Fraction(0))
            rows.append(row)
    return rows


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    widths, weights = arguments["widths"], arguments["weights"]
    good = len(widths) >= 3 and min(widths, default=0) >= 1 and len(weights) == _size(widths)
    shape = Finding.of(
        "the weights are those of a network with hidden layers and biases",
        good,
        f"{len(weights)} weights, widths {'-'.join(map(str, widths))}",
    )
    if not good:
        return (shape,)
    shown = f"{len(weights)} weights, {matrix_rank(scalings(arguments))} independent scalings"
    return (Finding.of(shape.statement, True, shown),)


def _value(arguments: Arguments) -> TheoremBounds:
    d, s = len(arguments["weights"]), matrix_rank(scalings(arguments))
    upper = step(f"λ ≤ ({d} − {s})/2", Fraction(d - s, 2))
    bounds = sharper_bounds(
        output_biases(arguments["widths"][-1]),
        TheoremBounds("parameters less scalings", upper=Pair(upper, 1)),
    )
    assert bounds is not None
    return bounds


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Bound λ by the output biases from below, by all parameters from above."""
    if not only_open(arguments, "positive_homogeneous", "prior_positive"):
        return None
    lower = output_biases(arguments["widths"][-1])
    if not only_open(arguments, "positive_homogeneous"):
        return lower
    return sharper_bounds(lower, half_dimension(len(arguments["weights"])))


def _network(arguments: Arguments) -> ReluNetwork | None:
    if len(arguments["widths"]) != 3 or arguments["data"] is None:
        return None
    first, second = _layers(arguments)
    return ReluNetwork(
        tuple(map(tuple, first)),
        tuple(tuple(row[:-1]) for row in second),
        arguments["data"],
        output_bias=True,
    )


def _rank(arguments: Arguments) -> int | None:
    network = _network(arguments)
    return None if network is None or network.on_boundary else network.rank


_ONE_UNIT = ((1, 1, 1), (1, 0, 1, 0))


THEOREM = Theorem(
    id="relu-scaling",
    title="Scalings of the hidden units of a ReLU network",
    model=(
        "network of any depth with biases and a Lipschitz activation, y = f(x, w) + Gaussian noise"
    ),
    where="at the given weights",
    cites=("murfet2020, lemmas A.1 and A.2",),
    parameters=(
        Parameter("widths", Kind.INTEGERS, "layer widths from input to output"),
        Parameter(
            "weights", Kind.FRACTIONS, "layer by layer, unit by unit, the bias of each at its end"
        ),
        Parameter("data", Kind.MATRIX, "inputs for the exact rank (one hidden layer)", None),
        Parameter.stated(
            "positive_homogeneous",
            "the activation is ReLU or another of degree 1",
            fallback_text="λ ≤ d/2",
        ),
        Parameter.given(
            "moments",
            "K = E|f(x, w) − f(x, w*)|², and the inputs have second moments",
            fallback_text="nothing: other powers than the square give every λ > 0",
        ),
        replace(
            PRIOR_POSITIVE,
            lower="",
            fallback_text="λ ≥ half the number of outputs, by their biases",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_network,
    rank=_rank,
    kind="bound",
    instances=(
        Instance(
            ((1, 1, 1), (1, 0, 1, 0), ((-1,), (1,), (2,))),
            Pair.of("3/2"),
            (BY_ENGINE, BY_RANK, by_simulation()),
            TheoremBounds("", Pair.of("1/2"), Pair.of("3/2")),
        ),
        Instance(
            ((1, 2, 1), (1, 0, -1, 1, 1, 1, 0), ((-3,), (-1,), ("1/2",), ("3/4",), (2,), (3,))),
            Pair.of("5/2"),
            (BY_ENGINE, BY_RANK),
            TheoremBounds("", Pair.of("1/2"), Pair.of("5/2")),
        ),
        bounded_instance(
            ((1, 1, 1), (1, 0, 0, 0), ((-1,), (1,), (2,))), "1/2", "3/2", "1", BY_RANK
        ),
    ),
    counterexamples=(
        Counterexample.against("positive_homogeneous", _ONE_UNIT, "2", "t; u; v; w"),
        Counterexample.against("moments", _ONE_UNIT, "2", "t; u; v; w"),
        squared_prior(_ONE_UNIT, "prior_positive", "u v w"),
    ),
)
