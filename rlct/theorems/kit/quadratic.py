"""What the theorems on quadratic networks share: arguments, findings, counterexamples."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, TheoremBounds
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.working import step

if TYPE_CHECKING:
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork

Matrix = tuple[tuple[Fraction, ...], ...]
HypothesisCheck = Callable[[Arguments], tuple[Finding, ...]]

QUADRATIC_MODEL = "y_k = Σ_j v_kj (w_j·x)² + Gaussian noise, the true function in the family"

QUADRATIC_HIDDEN = Parameter("hidden", Kind.MATRIX, "true weights w_j, one row per unit")
HIDDEN_WITH_BIAS = Parameter(
    "hidden", Kind.MATRIX, "true weights and bias (w_j, b_j) of each unit, one row per unit"
)
ALL_FEATURES = Parameter.given(
    "features",
    "the inputs determine every quadratic function, as inputs with a density do",
    upper=FEWER_INPUTS,
)


def quadratic_network(arguments: Arguments, bias: bool = False) -> QuadraticNetwork:
    """Build the network of ``hidden`` and ``outer`` on inputs with a density."""
    return _network(arguments["hidden"], arguments["outer"], bias)


@lru_cache(maxsize=64)
def _network(hidden: Matrix, outer: Matrix, bias: bool) -> QuadraticNetwork:
    """Remember networks with their ranks: findings and values ask for the same one."""
    from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
    from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures

    width = len(hidden[0]) if hidden else 0
    return QuadraticNetwork(hidden, outer, QuadraticFeatures.density(width - bias, bias))


def quadratic_shapes(arguments: Arguments, bias: bool = False) -> Finding:
    """Check that the weights form a network."""
    statement = "the weights are those of a quadratic network"
    try:
        network = quadratic_network(arguments, bias)
    except InputError as error:
        return Finding.of(statement, False, str(error))
    biases = " with biases" * bias
    shape = f"{network.law.inputs} inputs, {network.units} units, {network.outputs} outputs{biases}"
    return Finding.of(statement, True, shape)


def shape_checks(further: HypothesisCheck, bias: bool = False) -> HypothesisCheck:
    """Build the hypotheses of a theorem: the weights form a network, and what is ``further``."""

    def findings(arguments: Arguments) -> tuple[Finding, ...]:
        shape_finding = quadratic_shapes(arguments, bias)
        if shape_finding.truth is Truth.FALSE:
            return (shape_finding,)
        return (shape_finding, *further(arguments))

    return findings


WITHOUT_BIASES: Final[dict[str, Any]] = {
    "model": QUADRATIC_MODEL,
    "where": "at the given weights",
    "parameters": (QUADRATIC_HIDDEN, OUTER_WEIGHTS, ALL_FEATURES, PRIOR_POSITIVE),
    "rank": lambda arguments: quadratic_network(arguments).rank,
    "question": quadratic_network,
}
"""Fields of theorems at given weights, biases apart."""


def quadratic_architecture(arguments: Arguments) -> QuadraticArchitecture:
    """Build the architecture of the arguments, with a density, on data or on modular pairs."""
    names = ("units", "outputs", "bias", "centred", "inputs", "data", "modulus")
    return _architecture(*(arguments.get(name) for name in names))


@lru_cache(maxsize=64)
def _architecture(
    units: int, outputs: int | None, bias: bool, centred: bool, inputs: Any, data: Any, modulus: Any
) -> QuadraticArchitecture:
    """Remember architectures with their ranks: findings and values ask for the same one."""
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture
    from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures

    if modulus is not None:
        law = QuadraticFeatures.modular(modulus, bias, centred)
    elif data is None:
        law = QuadraticFeatures.density(inputs, bias)
    else:
        law = QuadraticFeatures.dataset(data, bias, centred)
    return QuadraticArchitecture(units, modulus if outputs is None else outputs, law)


def half_rank(asked: QuadraticArchitecture) -> Pair:
    """Half the rank at a generic parameter, where it is known."""
    step(f"R, {asked.rank.upper_rule},", asked.rank.upper)
    return Pair(step(f"λ = {asked.rank.upper}/2", Fraction(asked.rank.upper, 2)), 1)


def half_bounds(asked: QuadraticArchitecture) -> TheoremBounds:
    """Half the bounds of that rank."""
    low, high = asked.rank.lower, asked.rank.upper
    lower = Pair(step(f"λ ≥ {low}/2", Fraction(low, 2)), 1) if low else None
    upper = Pair(step(f"λ ≤ {high}/2", Fraction(high, 2)), 1)
    return TheoremBounds("half the bounds of the rank", lower, upper)


GENERIC_PARAMETER: Final = Parameter.stated(
    "generic",
    "the parameter is generic",
    fallback_text="1/6 ≤ λ ≤ (K(s + p − 1) + the constants)/2, s dimensions of inputs",
)


def degree_six(asked: QuadraticArchitecture) -> TheoremBounds | None:
    """Bound λ at any parameter from below: K is a polynomial of degree at most six, and not 0."""
    if not asked.rank.lower:
        return None
    return TheoremBounds("degree of K", lower=Pair(step("λ ≥ 1/6", Fraction(1, 6)), 1))


def one_by_one(asked: QuadraticArchitecture) -> TheoremBounds:
    """Bound λ at any parameter by what each unit can add, as in quadratic-point."""
    p, law = asked.outputs, asked.law
    count = asked.units * (law.dimension + p - 1) + p * law.constant_rank
    return TheoremBounds("the units one by one", upper=Pair(step("λ ≤", Fraction(count, 2)), 1))


def axis_only(arguments: Any, generator: str) -> Counterexample:
    """Deny `ALL_FEATURES`: inputs along the first axis see one coefficient per output."""
    return Counterexample.against("features", arguments, "1/2", (generator,))


def vanishing_prior(arguments: Any, rank: int) -> Counterexample:
    """Deny `PRIOR_POSITIVE` by a prior u² in a coordinate that K sees, where J has rank `rank`."""
    names = " ".join(f"u{i}" for i in range(1, rank + 1))
    return squared_prior(arguments, "prior_positive", names)
