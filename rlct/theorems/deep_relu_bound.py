"""ReLU networks of any depth, upper bound over the parameters of a smaller network."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.errors import InputError
from rlct.models.deep_relu import DeepRelu
from rlct.models.relu_fibre import ReluFibre
from rlct.pair import Pair
from rlct.theorems import _relu
from rlct.theorems._arguments import Kind, Parameter, Truth
from rlct.theorems._evidence import ENGINE, RANK, Bounds, impossible, simulated
from rlct.theorems._sizes import linked
from rlct.theorems.base import Counterexample, Finding, Instance, Theorem

__all__ = ["THEOREM"]

_FIELDS = ("widths", "true_widths")
_, _RECOGNISE = linked(DeepRelu, _FIELDS)


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    statement = "the smaller network fits into the model, layer by layer"
    try:
        model = DeepRelu(*(arguments[name] for name in _FIELDS))
    except InputError as error:
        return (Finding.of(statement, False, str(error)),)
    return (Finding.of(statement, True, f"{model.codimension} equations"),)


def _value(arguments: Mapping[str, Any]) -> Bounds:
    model = DeepRelu(*(arguments[name] for name in _FIELDS))
    rule = "spare units inactive, spare layers linear; lower: output biases"
    return Bounds(
        rule, Pair(Fraction(arguments["widths"][-1], 2), 1), Pair(Fraction(model.codimension, 2), 1)
    )


def _bounded(
    values: tuple[Any, ...], lower: str, upper: str, truth: str | None, origin: str
) -> Instance:
    arguments = dict(zip(_FIELDS, values, strict=False))
    bounds = Bounds("", Pair.of(lower), Pair.of(upper))
    if truth is None:
        reason = impossible("K is no polynomial, and the least λ over the fibre is not known")
        return Instance(arguments, None, origin, (reason,), bounds)
    return Instance(arguments, Pair.of(truth), origin, (RANK, simulated()), bounds)


def _one_layer(arguments: Mapping[str, Any]) -> ReluFibre | None:
    """The model as one fully connected hidden layer, if it is one."""
    widths, true = arguments["widths"], arguments["true_widths"]
    if len(widths) != 3 or len(true) != 3:
        return None
    return _relu.one_layer(widths[0], true[1], widths[2], widths[1])


def _rank(arguments: Mapping[str, Any]) -> int | None:
    from rlct.models.relu_regions import sampled

    found = _one_layer(arguments)
    example = found and found.example()
    return sampled(example).rank if example else None


def _question(arguments: Mapping[str, Any]) -> object | None:
    found = _one_layer(arguments)
    example = found and found.example()
    return example.target() if example and len(example.box or ()) == 1 else None


THEOREM = Theorem(
    id="deep-relu-bound",
    title="ReLU network of any depth, upper bound",
    model="ReLU network with biases, inputs in a bounded set; the truth is a smaller such network",
    statement=(
        "H*_L/2 ≤ λ ≤ [Σ_i (H*_{i−1} + 1)H*_i − Σ_{hidden i} H*_i]/2 with the widths H*_i of the "
        "smaller network, whatever the widths and the depth of the model, if its layers can be "
        "given in order to those of the smaller network so that none is narrower."
    ),
    where="minimum over all parameters of the true function",
    sources=(
        "Nagayasu, S. and Watanabe, S. (2023). Bayesian free energy of deep ReLU neural network in "
        "overparametrized cases. arXiv:2303.15739 (a bound of this kind; proved on the theory "
        "page).",
    ),
    parameters=(
        Parameter("widths", Kind.INTEGERS, "widths of the model, from input to output"),
        Parameter("true_widths", Kind.INTEGERS, "widths of the smaller network"),
        Parameter.given(
            "interior",
            "the prior is positive and continuous at these parameters, spare units inactive",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    rank=_rank,
    recognise=_RECOGNISE,
    kind="bound",
    instances=(
        _bounded(((1, 1, 1), (1, 1, 1)), "1/2", "3/2", "3/2", "slope, bend and bias"),
        _bounded(((1, 4, 1), (1, 2, 1)), "1/2", "5/2", "5/2", "relu-fibre: two bends, tight"),
        _bounded(((1, 3, 3, 1), (1, 1, 1)), "1/2", "3/2", None, "a spare layer costs nothing"),
        _bounded(((2, 5, 5, 3), (2, 3, 2, 3)), "3/2", "21/2", None, "9 + 8 + 9 − 5 equations"),
    ),
    counterexamples=(
        Counterexample(
            {"widths": (1, 1, 1), "true_widths": (1, 1, 1), "interior": Truth.FALSE},
            "interior",
            Pair.of("5/2"),
            ("u", "v", "w"),
            "K is u² + v² + w² in suitable coordinates; a prior u² adds 1 to λ.",
            prior="u**2",
            confirmed=(ENGINE,),
        ),
    ),
)
