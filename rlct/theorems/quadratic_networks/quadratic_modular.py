"""Quadratic networks on all pairs of modular arithmetic, at a generic parameter."""

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem, TheoremBounds
from rlct.theorems.evidence import BY_RANK, by_simulation, sharper_bounds
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE, only_open
from rlct.theorems.kit.quadratic import (
    GENERIC_PARAMETER,
    degree_six,
    half_bounds,
    half_rank,
    one_by_one,
    quadratic_architecture,
    vanishing_prior,
)
from rlct.theorems.kit.sizes import known_instance


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    statement = "the sizes are those of a quadratic network"
    try:
        rank = quadratic_architecture(arguments).rank
    except InputError as error:
        return (Finding.of(statement, False, str(error)),)
    met = rank.lower == rank.upper
    evidence = f"from {rank.lower} ({rank.lower_rule}) to {rank.upper} ({rank.upper_rule})"
    return (
        Finding.of(statement, True, f"modulus {arguments['modulus']}"),
        Finding(
            "the rank at a generic parameter is known",
            Truth.TRUE if met else Truth.OPEN,
            evidence,
        ),
    )


def _value(arguments: Arguments) -> Pair:
    return half_rank(quadratic_architecture(arguments))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    asked = quadratic_architecture(arguments)
    if only_open(arguments):
        return half_bounds(asked)
    if only_open(arguments, "prior_positive"):
        return None
    upper = one_by_one(asked) if only_open(arguments, "generic", "complete") else None
    seen = only_open(arguments, "generic", "prior_positive")
    return sharper_bounds(degree_six(asked) if seen else None, upper)


def _recognise(question: object) -> Arguments | None:
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture

    if not isinstance(question, QuadraticArchitecture):
        return None
    law = question.law
    if not law.group:
        return None
    return {
        "modulus": law.group,
        "units": question.units,
        "outputs": question.outputs,
        "centred": law.centred,
        "bias": law.bias,
    }


_ONE_UNIT = (2, 1)

THEOREM = Theorem(
    id="quadratic-modular",
    title="Quadratic network on modular arithmetic",
    model="y_k = Σ_j v_kj (w_j·(e_a, e_b))² + Gaussian noise, over all pairs a, b modulo P; with "
    "biases b_j and c_k too if bias is true",
    where="at a generic parameter: all but a set of measure zero",
    cites=("cullen2026, section 5.2, corrected: the inputs have rank 2P − 1, not 2P",),
    parameters=(
        Parameter("modulus", Kind.INTEGER, "P"),
        Parameter("units", Kind.INTEGER, "K, number of hidden units"),
        Parameter("outputs", Kind.INTEGER, "number of outputs, P by default", None),
        Parameter("centred", Kind.FLAG, "whether outputs are compared up to their mean", False),
        Parameter("bias", Kind.FLAG, "whether units and outputs have biases", False),
        Parameter.stated("complete", "every pair (a, b) has positive weight", upper=FEWER_INPUTS),
        GENERIC_PARAMETER,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    rank=lambda arguments: quadratic_architecture(arguments).sample(seed=99, size=50).rank,
    question=lambda arguments: quadratic_architecture(arguments).example(),
    recognise=_recognise,
    instances=(
        known_instance((5, 4), "26", 1, BY_RANK, engine=False),
        known_instance(
            {"modulus": 2, "units": 1, "centred": False}, "2", 1, BY_RANK, by_simulation()
        ),
        known_instance((2, 4), "4", 1, BY_RANK),
        known_instance({"modulus": 3, "units": 8, "centred": True}, "12", 1, BY_RANK, engine=False),
        known_instance((3, 9), "27/2", 1, BY_RANK, engine=False),
    ),
    counterexamples=(
        Counterexample.against(
            "generic",
            _ONE_UNIT,
            "3/4",
            tuple(f"{v}*{y}**2" for v in ("v1", "v2") for y in ("a", "b", "c", "(b+c-a)")),
        ),
        Counterexample.against(
            "complete", _ONE_UNIT, "1", "(1+v1)*(1+a)**2 - 1; (1+v2)*(1+a)**2 - 1"
        ),
        vanishing_prior(_ONE_UNIT, 4),
    ),
)
