"""A linear layer before RMSNorm or LayerNorm at a generic truth."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from operator import add, mul

from rlct.models.base import GENERIC_TRUTH
from rlct.models.kit.derivative_rank import ResidueValue, matrix_times_vector, next_matrix
from rlct.models.linear_networks.normalised_layer import NormalisedLayer
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Instance, Theorem
from rlct.theorems.evidence import (
    BY_ENGINE,
    BY_RANK,
    TheoremBounds,
    ValueConfirmation,
    by_simulation,
)
from rlct.theorems.kit.general_truth import outputs_rank, regular_pair
from rlct.theorems.kit.given import FEWER_INPUTS, FIRST_POWER, PRIOR_POSITIVE, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    by_building,
    integer_parameter,
    known_instance,
    model_links,
    model_of,
)
from rlct.theorems.working import step


def _shown(arguments: Arguments) -> str:
    return f"{_asked(arguments).parameter_count} weights"


def _asked(arguments: Arguments) -> NormalisedLayer:
    return model_of(NormalisedLayer, arguments)


def _value(arguments: Arguments) -> Pair | TheoremBounds:
    asked = _asked(arguments)
    unseen = asked.parameter_count - asked.symmetry_count - asked.generic_rank
    text = f"R = {asked.parameter_count} − {asked.symmetry_count} − {unseen}"
    pair = regular_pair(
        step(f"weights less symmetries and unseen gains: {text}", asked.generic_rank)
    )
    if asked.kernel == 0 or asked.codimension > 2:
        return pair
    power = f"^{asked.kernel}" if asked.kernel > 1 else ""
    law = f"no pole: V(ε) ≍ ε^({pair.lam})/log(1/ε){power}"
    return TheoremBounds(law, pair, Pair.no_pole(pair.lam))


def _decided(arguments: Arguments) -> Mapping[str, str]:
    asked = _asked(arguments)
    evidence = f"{asked.columns} columns of W, {asked.codimension} dimensions of z"
    return {} if asked.kernel else {"zeros": evidence}


def _statements(arguments: Arguments) -> Mapping[str, str]:
    """Say of the zeros what the codimension of the kernel asks."""
    asked = _asked(arguments)
    if asked.kernel == 0:
        return {"zeros": "z has no zero but x = 0"}
    at_zeros = "" if asked.codimension > 2 else "positive and continuous at the zeros of z, and "
    tail = f"at most a constant times (1 + |x|)^(−{asked.inputs + 3})"
    return {"zeros": f"the density of the inputs is {at_zeros}{tail}"}


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    asked = _asked(arguments)
    if only_open(arguments, "generic"):
        count = asked.parameter_count - asked.symmetry_count
        return TheoremBounds(FIRST_POWER, upper=Pair(step(f"λ ≤ {count}", Fraction(count)), 1))
    if only_open(arguments, "zeros"):
        return TheoremBounds("inputs away from the zeros of z", regular_pair(asked.generic_rank))
    return None


def _outputs(
    asked: NormalisedLayer, weights: Iterator[ResidueValue], numbers: list[ResidueValue]
) -> list[ResidueValue]:
    seen = numbers if asked.bias else numbers[:-1]
    units = matrix_times_vector(next_matrix(weights, asked.units, len(seen)), seen)
    if asked.centred:
        total = reduce(add, units).times(-1)
        units = [unit.times(asked.units) + total for unit in units]
    scale = reduce(add, map(mul, units, units)).root().inverse()
    outputs = [unit * scale for unit in units]
    if asked.gains:
        outputs = list(map(mul, outputs, next_matrix(weights, 1, asked.units)[0]))
    return list(map(add, outputs, weights)) if asked.shifts else outputs


def _rank(arguments: Arguments) -> int:
    """Rank of the derivative of the outputs themselves at random weights."""
    asked = _asked(arguments)
    return outputs_rank(_outputs, asked, asked.inputs)


def _instance(sizes: tuple[int, int], flags: str, lam: str, *ways: ValueConfirmation) -> Instance:
    inputs, units = sizes
    arguments = {"inputs": inputs, "units": units, **dict.fromkeys(flags.split(), True)}
    return known_instance(arguments, lam, 1, BY_RANK, *ways, engine=False)


THEOREM = Theorem(
    id="normalised-layer",
    title="Linear layer before RMSNorm or LayerNorm at a generic truth",
    model=(
        "f(x) = gains ⊙ N(W x) + shifts, W m × d, N(z) = √m z/|z| (RMSNorm), or of z less its "
        "mean if centred (LayerNorm)"
    ),
    where=GENERIC_TRUTH,
    cites=("watanabe2009, chapter 1",),
    parameters=(
        integer_parameter("inputs", "d, number of inputs"),
        integer_parameter("units", "m, number of units"),
        Parameter("centred", Kind.FLAG, "LayerNorm; otherwise RMSNorm", False),
        Parameter("gains", Kind.FLAG, "each unit has a gain after the norm", False),
        Parameter("shifts", Kind.FLAG, "each unit has a shift after the norm", False),
        Parameter("bias", Kind.FLAG, "the linear layer has a bias", False),
        Parameter.stated(
            "generic", "the truth is generic", fallback_text="λ ≤ the number of weights less scales"
        ),
        Parameter.given("density", "the inputs have a density", upper=FEWER_INPUTS),
        Parameter.given(
            "zeros",
            "z has no zero but x = 0, or the density of the inputs is positive and continuous at "
            "the zeros and at most a constant times (1 + |x|)^(−d−3)",
            fallback_text="λ ≥ half the rank, by inputs away from the zeros",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=by_building(
        "there are two units or more, three of LayerNorm, and shifts have two inputs or one and "
        "a bias",
        _shown,
    ),
    value=_value,
    fallback=_fallback,
    decided=_decided,
    statements=_statements,
    rank=_rank,
    **model_links(NormalisedLayer),
    instances=(
        _instance((2, 2), "", "3/2", by_simulation()),
        _instance((2, 4), "gains", "5"),
        _instance((2, 3), "centred gains shifts", "9/2"),
        _instance((1, 3), "gains shifts bias", "11/2"),
    ),
    counterexamples=(
        Counterexample.against("generic", {"inputs": 2, "units": 2, "gains": True}, "1", "a; b"),
        Counterexample.against("density", (2, 2), "1/2", "s"),
        Counterexample.against(
            "zeros",
            (3, 2),
            "7/2",
            "a; b; c; s; t",
            prior="s*t",
            confirmed=(BY_ENGINE, by_simulation()),
        ),
        squared_prior((1, 2), "prior_positive", "a"),
    ),
)
