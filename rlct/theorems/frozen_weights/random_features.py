"""Theorems 5.2 and E.1 of Cullen et al., for analytic activations."""

import random
from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.frozen_weights.linear_question import DENSE_COLUMNS, feature_rank, linear_problem
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.quadratic import vanishing_prior
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    sizes = [arguments[name] for name in ("span", "units", "outputs")]
    return (Finding.of("the sizes are positive", min(sizes) >= 1, f"the smallest {min(sizes)}"),)


def _value(arguments: Arguments) -> Pair:
    span, K, p = arguments["span"], arguments["units"], arguments["outputs"]
    return Pair(step(f"λ = {p}·min({span}, {K})/2", Fraction(p * min(span, K), 2)), 1)


def _features(arguments: Arguments) -> list[list[int]]:
    """Features of the inputs 1, …, l with σ(t) = t + t² + … + t^l at random weights."""
    size = arguments["span"]
    generator = random.Random(7)
    weights = [generator.randint(1, 99) for _ in range(arguments["units"])]
    return [
        [sum((x * w) ** m for m in range(1, size + 1)) for w in weights] for x in range(1, size + 1)
    ]


_ONE_UNIT = (1, 1, 1)
_TWO_UNITS = (2, 2, 1)

THEOREM = Theorem(
    id="random-features",
    title="Random frozen features of an analytic activation",
    model="Y = σ(X W) V + Gaussian noise on finitely many inputs, W drawn once, V trained",
    where="at every true V, for almost every draw of W",
    cites=("cullen2026, theorems 5.2 and E.1, for analytic σ",),
    parameters=(
        Parameter("span", Kind.INTEGER, "l, dimension of the span of all σ(X w)"),
        Parameter("units", Kind.INTEGER, "K, number of hidden units"),
        Parameter("outputs", Kind.INTEGER, "p, number of outputs"),
        Parameter.given(
            "analytic", "the activation is real-analytic", upper="features that span less"
        ),
        DENSE_COLUMNS,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    rank=lambda arguments: feature_rank(_features(arguments), arguments["outputs"]),
    question=lambda arguments: linear_problem(_features(arguments), arguments["outputs"]),
    instances=(
        Instance(_ONE_UNIT, Pair.of("1/2"), (BY_ENGINE, BY_RANK, by_simulation())),
        Instance(_TWO_UNITS, Pair.of(1), (BY_ENGINE, BY_RANK)),
        Instance((3, 2, 2), Pair.of(2), (BY_ENGINE, BY_RANK)),
        Instance((2, 5, 1), Pair.of(1)),
    ),
    counterexamples=(
        Counterexample.against("analytic", _TWO_UNITS, "1/2", "2*v1 + 6*v2; -v1 - 3*v2"),
        Counterexample.against("density", _TWO_UNITS, "1/2", "v1 + v2"),
        vanishing_prior(_ONE_UNIT, 1),
    ),
)
