"""ReLU networks on finitely many inputs: the minimum over all parameters with the same values."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_data_fibre import ReluDataFibre
from rlct.pair import Pair
from rlct.theorems.arguments import OUTER_WEIGHTS, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, TheoremBounds, by_simulation
from rlct.theorems.kit.given import BOUNDED_PRIOR, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import bounded_instance, met_at
from rlct.theorems.relu_networks.relu_units import (
    HIDDEN_BIAS,
    INPUT_DATA,
    INPUT_WEIGHTS,
    OUTPUT_BIAS,
    RELU_HIDDEN,
    RELU_MODEL,
    UNIT_COUNT,
    after_shapes,
    on_other_inputs,
    relu_network,
    weights_on_data,
)
from rlct.theorems.working import step


def _fibre(arguments: Arguments) -> ReluDataFibre:
    return ReluDataFibre(relu_network(arguments), arguments["units"])


@after_shapes
def _findings(arguments: Arguments, network: ReluNetwork) -> tuple[Finding, ...]:
    statement = "there are output biases, or the true function is not 0 on all inputs"
    try:
        data_fibre = ReluDataFibre(network, arguments["units"])
        fibre_search = data_fibre.search
    except InputError as error:
        return (Finding.of(statement, False, str(error)),)
    exists = (
        fibre_search.least is not None
        or fibre_search.reached is not None
        or not fibre_search.complete
    )
    return (
        Finding.of(statement, True, f"{len(data_fibre.inputs)} different inputs"),
        Finding.of("some parameter has these values", exists, f"{data_fibre.size} units"),
        Finding(
            "all collections of sets of inputs were tried",
            Truth.TRUE if fibre_search.complete else Truth.OPEN,
            f"least dimension {fibre_search.least}" if fibre_search.complete else "too many",
        ),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    fibre_search = _fibre(arguments).search
    assert fibre_search.least is not None
    least = step("d", fibre_search.least)
    rule = "dimension of what units active on the same inputs write"
    lower = Pair(step(f"λ ≥ {least}/2", Fraction(least, 2)), 1)
    return TheoremBounds(rule, lower, _upper(fibre_search.reached))


def _upper(reached: int | None) -> Pair | None:
    """Half the dimension that units are known to reach."""
    return None if reached is None else Pair(step(f"λ ≤ {reached}/2", Fraction(reached, 2)), 1)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Independent inputs where the function is not 0 each need an active unit."""
    if not only_open(arguments):
        return on_other_inputs(arguments)
    data_fibre = _fibre(arguments)
    if data_fibre.network.output_bias:
        seen = data_fibre.network.outputs
    else:
        rows = [list(zip(data_fibre.inputs, values, strict=True)) for values in data_fibre.values]
        seen = max(
            matrix_rank([z for z, value in row if value]) for row in rows if any(v for _, v in row)
        )
    rule = "independent inputs where the function is not 0"
    step("number of these", seen)
    lower = Pair(step(f"λ ≥ {seen}/2", Fraction(seen, 2)), 1)
    return TheoremBounds(rule, lower, _upper(data_fibre.search.reached))


def _example(arguments: Arguments) -> ReluNetwork | None:
    return _fibre(arguments).example()


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, ReluDataFibre):
        return None
    arguments = {**weights_on_data(question.network), "units": question.units}
    held = all(finding.truth is not Truth.FALSE for finding in _findings(arguments))
    return arguments if held else None


_TWO_UNITS = {
    "hidden": ((1, 0), (1, 0)),
    "outer": (("1/2", "1/2"),),
    "data": ((-1,), ("-1/2",), ("1/2",), (1,)),
}
_ONE_UNIT = {"hidden": ((1, 0),), "outer": ((1,),), "data": ((-1,), (1,))}


THEOREM = Theorem(
    id="relu-data-fibre",
    title="Three-layer ReLU network on data, minimum over all parameters with the same values",
    model=RELU_MODEL + "; H units, finitely many inputs",
    where="minimum over all parameters with the same values on the data",
    cites=("aoyagi2025, theorem 6 (at given weights; the minimum is proved on the theory page)",),
    parameters=(
        RELU_HIDDEN,
        OUTER_WEIGHTS,
        INPUT_DATA,
        HIDDEN_BIAS,
        OUTPUT_BIAS,
        UNIT_COUNT,
        INPUT_WEIGHTS,
        Parameter.stated(
            "interior",
            "the prior is positive and continuous at all parameters with the values",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_example,
    recognise=_recognise,
    rank=lambda arguments: getattr(_example(arguments), "rank", None),
    kind="bound",
    instances=(
        Instance(_TWO_UNITS, Pair.of(1), (BY_ENGINE, BY_RANK, by_simulation()), met_at("1")),
        Instance(
            (((1, 0), (1, "-3/2"), (1, "-5/2")), ((1, -2, 4),), ((1,), (2,), (3,))),
            Pair.of("3/2"),
            (BY_ENGINE, BY_RANK),
            met_at("3/2"),
        ),
        Instance({**_ONE_UNIT, "units": 3}, Pair.of("1/2"), (BY_ENGINE, BY_RANK), met_at("1/2")),
        bounded_instance(
            (((1, 0), (-1, 0)), ((1, 1),), ((-2,), (-1,), (1,), (2,))), "2", "2", "2", BY_RANK
        ),
    ),
    counterexamples=(
        Counterexample.against("weights", {**_TWO_UNITS, "data": ((-1,), (1,))}, "1", "u; v"),
        squared_prior(_ONE_UNIT, "interior", "u"),
    ),
)
