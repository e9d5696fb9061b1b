"""Quadratic networks at a generic parameter: secants of Segre–Veronese varieties."""

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_RANK, by_simulation, sharper_bounds
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE, only_open
from rlct.theorems.kit.quadratic import (
    GENERIC_PARAMETER,
    QUADRATIC_MODEL,
    degree_six,
    half_bounds,
    half_rank,
    one_by_one,
    quadratic_architecture,
    vanishing_prior,
)
from rlct.theorems.kit.sizes import known_instance

_KNOWN_RANK = "the rank at a generic parameter is known"


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    statement = "the sizes are those of a quadratic network"
    try:
        network = quadratic_architecture(arguments)
        if arguments["data"] is not None and network.law.inputs != arguments["inputs"]:
            raise InputError(f"the data have {network.law.inputs} inputs")
        rank = network.rank
    except InputError as error:
        return (Finding.of(statement, False, str(error)),)
    sizes = f"{network.law.dimension} dimensions, {network.units} units, {network.outputs} outputs"
    if rank.lower == rank.upper:
        evidence = f"at most {rank.upper}: {rank.upper_rule}; at least: {rank.lower_rule}"
        rank_finding = Finding(_KNOWN_RANK, Truth.TRUE, evidence)
    else:
        evidence = f"between {rank.lower} ({rank.lower_rule}) and {rank.upper} ({rank.upper_rule})"
        rank_finding = Finding(_KNOWN_RANK, Truth.OPEN, evidence)
    return Finding.of(statement, True, sizes), rank_finding


def _value(arguments: Arguments) -> Pair:
    return half_rank(quadratic_architecture(arguments))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    if only_open(arguments):
        return half_bounds(quadratic_architecture(arguments))
    if only_open(arguments, "prior_positive"):
        return None
    if only_open(arguments, "generic", "prior_positive"):
        asked = quadratic_architecture(arguments)
        upper = one_by_one(asked) if only_open(arguments, "generic") else None
        return sharper_bounds(degree_six(asked), upper)
    most = quadratic_architecture({**arguments, "data": None, "centred": False})
    if only_open(arguments, "features"):
        return TheoremBounds(FEWER_INPUTS, upper=half_bounds(most).upper)
    return one_by_one(most) if only_open(arguments, "features", "generic") else None


def _recognise(question: object) -> Arguments | None:
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture

    if not isinstance(question, QuadraticArchitecture) or question.law.group:
        return None
    law = question.law
    return {
        "inputs": law.inputs,
        "units": question.units,
        "outputs": question.outputs,
        "bias": law.bias,
        "data": law.points,
        "centred": law.centred,
    }


_ONE_UNIT = {"inputs": 1, "outputs": 1, "units": 1}

THEOREM = Theorem(
    id="quadratic-generic",
    title="Quadratic network at a generic parameter",
    model=QUADRATIC_MODEL + "; with biases b_j and c_k too if bias is true",
    where="at a generic parameter: all but a set of measure zero",
    cites=("abo2009", "ottaviani2007"),
    parameters=(
        Parameter("inputs", Kind.INTEGER, "d, number of inputs"),
        Parameter("units", Kind.INTEGER, "K, number of hidden units"),
        Parameter("outputs", Kind.INTEGER, "p, number of outputs"),
        Parameter("bias", Kind.FLAG, "whether units and outputs have biases", False),
        Parameter("data", Kind.MATRIX, "the inputs, one a row, if they are finitely many", None),
        Parameter("centred", Kind.FLAG, "whether outputs are compared up to their mean", False),
        Parameter.given(
            "features",
            "the inputs have a density, or are those of data with positive weights",
            fallback_text="λ ≤ the value for inputs with a density",
        ),
        GENERIC_PARAMETER,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    # Over Q, at other random weights than those of the hypothesis.
    rank=lambda arguments: quadratic_architecture(arguments).sample(seed=99, size=50).rank,
    decided=lambda arguments: {"features": "the data"} if arguments["data"] else {},
    question=lambda arguments: quadratic_architecture(arguments).example(),
    recognise=_recognise,
    instances=(
        known_instance({"inputs": 2, "outputs": 1, "units": 2}, "3/2", 1, BY_RANK, by_simulation()),
        known_instance({"inputs": 3, "outputs": 2, "units": 5}, "6", 1, BY_RANK),
        known_instance({"inputs": 4, "outputs": 3, "units": 5}, "29/2", 1, BY_RANK, engine=False),
        known_instance({"inputs": 6, "outputs": 3, "units": 8}, "31", 1, BY_RANK, engine=False),
        known_instance({"inputs": 4, "outputs": 5, "units": 6}, "47/2", 1, BY_RANK, engine=False),
        Instance({"inputs": 3, "outputs": 4, "units": 5, "bias": True}, Pair.of(19), (BY_RANK,)),
        known_instance({"inputs": 3, "outputs": 1, "units": 2}, "5/2", 1, BY_RANK, engine=False),
        known_instance(
            {"inputs": 1, "outputs": 1, "units": 1, "bias": True},
            "3/2",
            1,
            BY_RANK,
            by_simulation(),
        ),
        known_instance(
            {"inputs": 2, "outputs": 1, "units": 2, "data": ((1, 0), (0, 1))}, "1", 1, BY_RANK
        ),
    ),
    counterexamples=(
        Counterexample.against("generic", _ONE_UNIT, "1/4", "v*w**2"),
        Counterexample.against(
            "features", {"inputs": 2, "outputs": 1, "units": 1}, "1/2", "(1+v)*(1+a)**2 - 1"
        ),
        vanishing_prior(_ONE_UNIT, 1),
    ),
)
