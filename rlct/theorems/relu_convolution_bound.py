"""Convolutional ReLU networks, upper bound over the parameters of a smaller network."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.errors import InputError
from rlct.models.relu_convolution import ReluConvolution
from rlct.models.relu_fibre import ReluFibre
from rlct.pair import Pair
from rlct.theorems import _relu
from rlct.theorems._arguments import Kind, Parameter, Truth
from rlct.theorems._evidence import ENGINE, RANK, Bounds, impossible, simulated
from rlct.theorems._sizes import integer, linked
from rlct.theorems.base import Counterexample, Finding, Instance, Theorem

__all__ = ["THEOREM"]

_FIELDS = ("channels", "true_channels", "taps", "positions", "outputs", "blocks")
_, _RECOGNISE = linked(ReluConvolution, _FIELDS)


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    statement = "the smaller network fits into the model, layer by layer"
    try:
        model = ReluConvolution(*(arguments[name] for name in _FIELDS))
    except InputError as error:
        return (Finding.of(statement, False, str(error)),)
    return (Finding.of(statement, True, f"{model.codimension} equations"),)


def _value(arguments: Mapping[str, Any]) -> Bounds:
    model = ReluConvolution(*(arguments[name] for name in _FIELDS))
    rule = "spare channels and blocks inactive; lower: output biases"
    return Bounds(
        rule, Pair(Fraction(arguments["outputs"], 2), 1), Pair(Fraction(model.codimension, 2), 1)
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
    channels, true = arguments["channels"], arguments["true_channels"]
    if arguments["positions"] != 1 or len(channels) != 2 or arguments["blocks"]:
        return None
    inputs = arguments["taps"] * channels[0]
    return _relu.one_layer(inputs, true[1], arguments["outputs"], channels[1])


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
    id="relu-convolution-bound",
    title="Convolutional ReLU network, upper bound",
    model=(
        "convolutional ReLU layers with biases, residual blocks h + ReLU(w ∗ h + b), a dense "
        "output layer; inputs in a bounded set; the truth is a smaller such network"
    ),
    statement=(
        "p/2 ≤ λ ≤ [Σ_i C*_i(sC*_{i−1} + 1) + p(PC*_m + 1) − Σ_{i≥1} C*_i + Σ ((s − 1)C*² + C*)]/2 "
        "with the channels C*_0, …, C*_m of the smaller network, filters of s positions, P "
        "positions before the p outputs; the last sum is over the spare plain layers, which "
        "repeat a layer with C* channels. Spare channels and residual blocks add nothing."
    ),
    where="minimum over all parameters of the true function",
    sources=(
        "Nagayasu, S. and Watanabe, S. (2023). Free energy of Bayesian convolutional neural "
        "network with skip connection. arXiv:2307.01417 (bounds of this kind; proved on the theory "
        "page).",
    ),
    parameters=(
        Parameter("channels", Kind.INTEGERS, "channels of the model, input first"),
        Parameter("true_channels", Kind.INTEGERS, "channels of the smaller network"),
        integer("taps", "s, positions of a filter"),
        integer("positions", "P, positions of the last layer that the dense layer sees"),
        integer("outputs", "p, number of outputs"),
        integer("blocks", "residual blocks that the truth lacks", default=0),
        Parameter.given(
            "interior",
            "the prior is positive and continuous at these parameters, spare channels inactive",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    rank=_rank,
    recognise=_RECOGNISE,
    kind="bound",
    instances=(
        _bounded(
            ((1, 1), (1, 1), 1, 1, 1), "1/2", "3/2", "3/2", "one ReLU unit: slope, bend, bias"
        ),
        _bounded(((1, 3), (1, 2), 1, 1, 1), "1/2", "5/2", "5/2", "relu-fibre: two bends, tight"),
        _bounded(((1, 8), (1, 2), 9, 4, 3), "3/2", "45/2", None, "20 + 27 − 2 equations"),
        _bounded(
            ((1, 8, 8), (1, 2), 9, 4, 3), "3/2", "79/2", None, "a plain layer repeats 2 channels"
        ),
        _bounded(
            ((1, 8), (1, 2), 9, 4, 3, 50), "3/2", "45/2", None, "residual blocks cost nothing"
        ),
    ),
    counterexamples=(
        Counterexample(
            {
                "channels": (1, 1),
                "true_channels": (1, 1),
                "taps": 1,
                "positions": 1,
                "outputs": 1,
                "interior": Truth.FALSE,
            },
            "interior",
            Pair.of("5/2"),
            ("u", "v", "w"),
            "K is u² + v² + w² in suitable coordinates; a prior u² adds 1 to λ.",
            prior="u**2",
            confirmed=(ENGINE,),
        ),
    ),
)
