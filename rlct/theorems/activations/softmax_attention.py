"""Softmax attention of one layer: its matrices are coordinates of the function."""

from collections.abc import Iterator
from fractions import Fraction
from operator import add

from rlct.errors import InputError
from rlct.models.activations.softmax_attention import SoftmaxAttention
from rlct.models.kit.derivative_rank import ResidueValue, matrix_times_vector, next_matrix
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, TheoremBounds, by_simulation
from rlct.theorems.kit.general_truth import outputs_rank
from rlct.theorems.kit.given import FEWER_INPUTS, HEAVY_TAILS, INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    model_of,
    positive_sizes,
)
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    sizes = positive_sizes(arguments, "inputs", "keys", "outputs", "heads")
    statement, evidence = "the ranks are at most the sizes of the matrices", ""
    if sizes.truth is Truth.TRUE:
        try:
            evidence = f"scores {_asked(arguments).score_rank}, V {_asked(arguments).value_rank}"
        except InputError as error:
            return sizes, Finding.of(statement, False, str(error))
    return sizes, Finding.of(statement, True, evidence)


def _asked(arguments: Arguments) -> SoftmaxAttention:
    return model_of(SoftmaxAttention, arguments)


def _values(arguments: Arguments, heads: int, rank: int) -> Pair:
    """Pair of |V − V*|², for one matrix V of the values of so many heads."""
    d, p, b = arguments["inputs"], arguments["outputs"], arguments["values"]
    if b is None:
        return Pair(step("of a free V, d·p/2", Fraction(d * p, 2)), 1)
    return reduced_rank_pair(d, heads * b, p, rank)


def _head(arguments: Arguments, model: SoftmaxAttention) -> Pair:
    """Pair of one head: its values, and its scores if the true values are not 0."""
    assert model.score_rank is not None
    assert model.value_rank is not None
    by_values = _values(arguments, 1, model.value_rank)
    if not model.value_rank:
        return by_values
    d = model.inputs
    return reduced_rank_pair(d + model.bias, model.keys, d, model.score_rank) + by_values


def _value(arguments: Arguments) -> Pair | TheoremBounds:
    model = _asked(arguments)
    head = _head(arguments, model)
    lam = step("of all heads", model.heads * head.lam)
    pair = _with_bias(Pair(lam, 1 + model.heads * (head.theta - 1)), arguments)
    if model.heads == 1 or (model.score_rank and model.value_rank):
        return pair
    return TheoremBounds("heads that may mix", _of_all_heads(arguments), Pair(pair.lam, 1))


def _of_all_heads(arguments: Arguments) -> Pair:
    """Lower bound: on equal tokens the heads show only the sum of their V, whatever its rank."""
    summed = _with_bias(_values(arguments, arguments["heads"], 0), arguments)
    return Pair(summed.lam, 2)


def _with_bias(pair: Pair, arguments: Arguments) -> Pair:
    return Pair(
        step("λ", pair.lam + Fraction(arguments["bias"] * arguments["outputs"], 2)), pair.theta
    )


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    if not only_open(arguments, "distinct", "interior"):
        return None
    value = _value(arguments) if arguments["heads"] == 1 else None
    lower = value if isinstance(value, Pair) else _of_all_heads(arguments)
    return TheoremBounds("equal tokens", lower)


def _outputs(
    asked: SoftmaxAttention, weights: Iterator[ResidueValue], numbers: list[ResidueValue]
) -> list[ResidueValue]:
    """Outputs at x of two tokens x and x + z."""
    d, a, p, b = asked.inputs, asked.keys, asked.outputs, asked.values
    x, z, unity = numbers[:d], numbers[d:-1], numbers[-1]
    for_bias = [unity] * asked.bias
    total = [unity.times(0)] * p
    for _ in range(asked.heads):
        queries = matrix_times_vector(next_matrix(weights, a, d + asked.bias), [*x, *for_bias])
        keys = matrix_times_vector(
            next_matrix(weights, a, d + asked.bias), [*z, *(o.times(0) for o in for_bias)]
        )
        weight = (matrix_times_vector([queries], keys)[0].times(-1).exponential() + unity).inverse()
        mean = [first + weight * more for first, more in zip(x, z, strict=True)]
        if b is not None:
            mean = matrix_times_vector(next_matrix(weights, b, d + asked.bias), [*mean, *for_bias])
        total = list(map(add, total, matrix_times_vector(next_matrix(weights, p, b or d), mean)))
    return list(map(add, total, list(weights))) if asked.bias else total


def _rank(arguments: Arguments) -> int:
    """Rank of the derivative of the outputs themselves, for two tokens at random weights."""
    asked = _asked(arguments)
    return outputs_rank(_outputs, asked, 2 * asked.inputs)


_ONE_KEY = {"inputs": 1, "keys": 1, "outputs": 1}

THEOREM = Theorem(
    id="softmax-attention",
    title="Softmax attention of one layer",
    model=(
        "sum over heads of V times the mean of tokens y with weights softmax(x·Q Kᵀy), V = O W; "
        "d inputs, a keys, b values, p outputs"
    ),
    where="minimum over the fibre, on which Q Kᵀ and V of each head have the true ranks",
    cites=("aoyagi2005rrr",),
    parameters=(
        integer_parameter("inputs", "d, size of a token"),
        integer_parameter("keys", "a, size of queries and keys of a head"),
        integer_parameter("outputs", "p, size of an output"),
        integer_parameter("values", "b, size of values of a head; without it V is free", None),
        integer_parameter("heads", "number of heads", 1),
        Parameter("bias", Kind.FLAG, "queries, keys, values and outputs have biases", False),
        integer_parameter("score_rank", "r, rank of the true Q Kᵀ of each head", None),
        integer_parameter("value_rank", "s, rank of the true V of each head", None),
        Parameter.given(
            "distinct",
            "the true Q Kᵀ of two heads are never equal, nor, if there are only two tokens, "
            "opposite or 0",
            upper=FEWER_INPUTS,
            fallback_text="λ ≥ the value of the sum of all V",
        ),
        Parameter.given("density", "two tokens or more have a joint density", upper=FEWER_INPUTS),
        Parameter.given(
            "bounded",
            "the tokens have finite moments of order 6",
            fallback_text=HEAVY_TAILS,
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    decided=lambda arguments: {"distinct": "one head"} if arguments["heads"] == 1 else {},
    **model_links(SoftmaxAttention),
    rank=_rank,
    instances=(
        Instance(_ONE_KEY, Pair.of("1"), (BY_ENGINE, by_simulation())),
        known_instance({**_ONE_KEY, "values": 1, "score_rank": 0, "value_rank": 1}, "1", 2),
        known_instance(
            {**_ONE_KEY, "inputs": 2, "values": 1, "score_rank": 1, "value_rank": 0}, "1/2", 1
        ),
        known_instance(
            {**_ONE_KEY, "inputs": 2, "outputs": 2, "values": 1, "score_rank": 0, "value_rank": 1},
            "5/2",
            2,
        ),
        known_instance((2, 1, 1, 1, 2, True), "13/2", 1, BY_RANK, engine=False),
    ),
    counterexamples=(
        Counterexample.against("distinct", {**_ONE_KEY, "heads": 2}, "5/4", "s; t; v*b**2"),
        Counterexample.against("density", _ONE_KEY, "1/2", "v"),
        Counterexample.against(
            "bounded", {**_ONE_KEY, "score_rank": 0}, ("3/2", 2), "v; s*t", prior="s*t"
        ),
        squared_prior(_ONE_KEY, "interior", "v a"),
    ),
)
