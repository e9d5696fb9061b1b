"""Corollary 5.3 of Cullen et al., corrected: frozen squares on modular arithmetic."""

import random
from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.frozen_weights.linear_question import feature_rank, linear_problem
from rlct.theorems.kit.given import FEWER_INPUTS, PRIOR_POSITIVE, TRAINED_PARAMETERS, by_dimension
from rlct.theorems.kit.quadratic import vanishing_prior
from rlct.theorems.working import step


def _outputs(arguments: Arguments) -> int:
    outputs: int | None = arguments["outputs"]
    return arguments["modulus"] if outputs is None else outputs


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    P, sizes = arguments["modulus"], min(arguments["units"], _outputs(arguments))
    return (
        Finding.of("the modulus is at least 2", P >= 2, f"modulus {P}"),
        Finding.of("there are units and outputs", sizes >= 1, f"the smaller number is {sizes}"),
    )


def _value(arguments: Arguments) -> Pair:
    span, p, K = (
        arguments["modulus"] ** 2 - arguments["centred"],
        _outputs(arguments),
        arguments["units"],
    )
    return Pair(step(f"λ = {p}·min({span}, {K})/2", Fraction(p * min(span, K), 2)), 1)


def _features(arguments: Arguments) -> list[list[int]]:
    """(u_a + t_b)² at random weights, times P² and less the sum if centred."""
    P, K, generator = arguments["modulus"], arguments["units"], random.Random(3)
    weights = [[generator.randint(-99, 99) for _ in range(2 * P)] for _ in range(K)]
    rows = [[(w[a] + w[P + b]) ** 2 for w in weights] for a in range(P) for b in range(P)]
    if not arguments["centred"]:
        return rows
    totals = [sum(column) for column in zip(*rows, strict=True)]
    return [[P * P * x - total for x, total in zip(row, totals, strict=True)] for row in rows]


_ONE_UNIT = (2, 1)

THEOREM = Theorem(
    id="modular-features",
    title="Frozen squares on modular arithmetic",
    model="Y = (X W)² V + Gaussian noise over all pairs (e_a, e_b) modulo P, V trained",
    where="at every true V, for almost every draw of W",
    cites=("cullen2026, corollary 5.3, whose bounds 2P − 1 ≤ l ≤ P(2P − 1) it replaces",),
    parameters=(
        Parameter("modulus", Kind.INTEGER, "P"),
        Parameter("units", Kind.INTEGER, "K, number of hidden units"),
        Parameter("outputs", Kind.INTEGER, "p, number of outputs, P by default", None),
        Parameter("centred", Kind.FLAG, "whether outputs are compared up to their mean", False),
        Parameter.stated("frozen", "the hidden weights are not trained", lower=TRAINED_PARAMETERS),
        Parameter.stated("complete", "every pair (a, b) has positive weight", upper=FEWER_INPUTS),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension(
        "frozen complete", lambda a: a["units"] * (2 * a["modulus"] + _outputs(a))
    ),
    rank=lambda arguments: feature_rank(_features(arguments), _outputs(arguments)),
    question=lambda arguments: linear_problem(_features(arguments), _outputs(arguments)),
    instances=(
        Instance(_ONE_UNIT, Pair.of(1), (BY_ENGINE, BY_RANK, by_simulation())),
        Instance((2, 9), Pair.of(4), (BY_ENGINE, BY_RANK)),
        Instance((3, 12), Pair.of("27/2"), (BY_RANK,)),
        Instance({"modulus": 3, "units": 12, "centred": True}, Pair.of(12), (BY_RANK,)),
        Instance((5, 30), Pair.of("125/2"), (BY_RANK,)),
    ),
    counterexamples=(
        Counterexample.against("frozen", _ONE_UNIT, "2", "a; b; c; d"),
        Counterexample.against("complete", (2, 2), "1", "a; b"),
        vanishing_prior(_ONE_UNIT, 2),
    ),
)
