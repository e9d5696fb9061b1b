"""A question of the command line as a line of Python that asks the same."""

import argparse
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any

from rlct.cli import common
from rlct.models.base import Model
from rlct.models.generic.generic_map import GenericMap
from rlct.models.generic.symmetric_factors import SymmetricFactors
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.questions.arguments import listed_items, point_of, region_of
from rlct.theorems import get_theorem


def python_line(options: argparse.Namespace, asked_question: object) -> str:
    """Write what options ask as a call of a function of `rlct`; empty if none is known.

    ``asked_question`` is what `CommandAsker.asked` returns.

    >>> from rlct.cli.asking import CommandAsker
    >>> print(python_line(*CommandAsker().asked("net tanh 1 4 1 --true-hidden 1".split())))
    rlct.model("tanh", inputs=1, hidden=4, outputs=1, true_hidden=1)
    >>> print(python_line(*CommandAsker().asked("net linear 5 3 5 --rank 1".split())))
    rlct.linear([5, 3, 5], rank=1)
    """
    if isinstance(asked_question, Model):
        by_theorem = isinstance(asked_question, SymmetricFactors)
        name = "symmetric-factorisation" if by_theorem else asked_question.id
        sizes = {
            item.name: getattr(asked_question, item.name)
            for item in fields(asked_question)
            if by_theorem
            or item.default is MISSING
            or getattr(asked_question, item.name) != item.default
        }
        return _call("theorem" if by_theorem else "model", _text(name), **sizes)
    if isinstance(asked_question, GenericMap):
        return _call("theorem", _text("generic-truth"), coefficients=asked_question.coefficients)
    if isinstance(asked_question, LinearNetwork):
        given = {"bias": asked_question.bias or None, "input_rank": asked_question.input_rank}
        widths = _text(list(asked_question.widths))
        return _call("linear", widths, rank=asked_question.rank, **given)
    kind = getattr(options, "kind", None)
    if kind in ("poly", "ideal"):
        texts = common.expressions_of(options)
        place_arguments = {
            "at": options.at and point_of(options.at),
            "prior": options.prior,
            "nonneg": listed_items(options.nonneg) or None,
        }
        if options.over:
            sides, walls = region_of(options.over, options.nonneg).values()
            place_arguments |= {"over": sides, "nonneg": walls or None}
        return _call(kind, _text(texts[0] if kind == "poly" else list(texts)), **place_arguments)
    if getattr(options, "values", None) is not None:
        return _call("theorem", _text(options.id), **get_theorem(options.id).parse(options.values))
    if options.spelled[0] == "quadratic":
        names = ("inputs", "units", "outputs", "bias", "data", "centred")
        return _call("quadratic", **{name: getattr(options, name) or None for name in names})
    if getattr(options, "example", None):
        return _call("relu", example=options.example, fibre=options.fibre or None)
    return ""


def _call(function: str, *texts: str, **options: Any) -> str:
    given = [f"{name}={_text(v)}" for name, v in options.items() if v is not None]
    return f"rlct.{function}({', '.join([*texts, *given])})"


def _text(value: Any) -> str:
    """Write a value as Python does, with double quotes, and fractions as text."""
    if isinstance(value, str | Fraction):
        return f'"{value}"' if '"' not in str(value) else repr(str(value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(k)}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    return repr(value)
