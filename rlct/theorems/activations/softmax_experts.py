"""Mixtures of experts with softmax gates at a generic truth."""

from collections.abc import Iterator
from functools import reduce
from operator import add, mul

from rlct.models.activations.softmax_experts import SoftmaxExperts
from rlct.models.base import GENERIC_TRUTH
from rlct.models.kit.derivative_rank import ResidueValue, matrix_times_vector, next_matrix
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, ValueConfirmation, by_simulation
from rlct.theorems.kit.general_truth import outputs_rank, regular_pair
from rlct.theorems.kit.given import FEWER_INPUTS, HEAVY_TAILS, PRIOR_POSITIVE
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    model_of,
    size_checks,
)
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    asked = _asked(arguments)
    E, p, d = asked.experts, asked.outputs, asked.inputs + asked.bias
    return regular_pair(step(f"R = {E}·{p}·{d} + ({E} − 1)·{d}", asked.generic_rank))


def _asked(arguments: Arguments) -> SoftmaxExperts:
    return model_of(SoftmaxExperts, arguments)


def _outputs(
    asked: SoftmaxExperts, weights: Iterator[ResidueValue], numbers: list[ResidueValue]
) -> list[ResidueValue]:
    seen = numbers if asked.bias else numbers[:-1]
    scores = matrix_times_vector(next_matrix(weights, asked.experts, len(seen)), seen)
    gates = [score.exponential() for score in scores]
    scale = reduce(add, gates).inverse()
    by_expert = [
        matrix_times_vector(next_matrix(weights, asked.outputs, len(seen)), seen) for _ in gates
    ]
    return [
        scale * reduce(add, map(mul, gates, outputs)) for outputs in zip(*by_expert, strict=True)
    ]


def _rank(arguments: Arguments) -> int:
    """Rank of the derivative of the outputs themselves at random weights."""
    asked = _asked(arguments)
    return outputs_rank(_outputs, asked, asked.inputs)


_TWO_EXPERTS = (1, 2, 1)


def _instance(sizes: tuple[int, int, int, bool], lam: str, *ways: ValueConfirmation) -> Instance:
    return known_instance(sizes, lam, 1, BY_RANK, *ways, engine=False)


THEOREM = Theorem(
    id="softmax-experts",
    title="Mixture of linear experts with softmax gates at a generic truth",
    model="f(x) = sum over E experts of g_e(x) W_e x, g = softmax(G x), d inputs, p outputs",
    where=GENERIC_TRUTH,
    cites=("watanabe2009, chapter 1",),
    parameters=(
        integer_parameter("inputs", "d, number of inputs"),
        integer_parameter("experts", "E, number of experts"),
        integer_parameter("outputs", "p, number of outputs"),
        Parameter("bias", Kind.FLAG, "gates and experts have biases", False),
        Parameter.stated("generic", "the truth is generic", upper="half the number of parameters"),
        Parameter.given("density", "the inputs have a density", upper=FEWER_INPUTS),
        Parameter.given(
            "bounded", "the inputs have finite moments of order 4", fallback_text=HEAVY_TAILS
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=size_checks("inputs", "experts", "outputs"),
    value=_value,
    rank=_rank,
    **model_links(SoftmaxExperts),
    instances=(
        _instance((1, 2, 1, False), "3/2", by_simulation()),
        _instance((2, 3, 1, False), "5"),
        _instance((1, 2, 2, True), "5"),
        _instance((3, 1, 2, False), "3"),
    ),
    counterexamples=(
        Counterexample.against(
            "generic", _TWO_EXPERTS, ("1", 2), "s; a*g", confirmed=(BY_ENGINE, by_simulation())
        ),
        Counterexample.against("density", _TWO_EXPERTS, "1/2", "s"),
        Counterexample.against("bounded", (2, 2, 1), "7/2", "a; b; c; e; f; s", prior="s"),
        squared_prior((1, 1, 1), "prior_positive", "a"),
    ),
)
