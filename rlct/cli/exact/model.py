"""The command group ``rlct model``: statistical models, and networks that are models."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from rlct.cli.exact.reporting import add_outcome
from rlct.cli.kit import ranges, widths
from rlct.errors import InputError
from rlct.models import get_model
from rlct.models.index import MODEL_INDEX
from rlct.system.options import plain_fraction

if TYPE_CHECKING:
    from rlct.models.base import Model


def register(subparsers: Any) -> None:
    """Add the command group to the subparsers of ``rlct``."""
    group = subparsers.add_parser(
        "model",
        help="λ and θ of a statistical model at a truth",
        description="λ and θ of a model of the literature, least over all parameters of the truth. "
        "Sizes may be ranges, such as 1..6, which give a table.",
        examples=[
            "rlct model naive-bayes --features 3",
            "rlct model mixture --components 1..6 --true 1",
        ],
    )
    add_models(group.add_subparsers(metavar="MODEL", required=True), "model")


def add_models(subparsers: Any, group: str) -> None:
    """Add one command per model of a group; its options are the fields of the model."""
    for name, (_, home, title) in MODEL_INDEX.items():
        if home == group:
            subparsers.promise(name, title, partial(_add_model, name))


def _add_model(name: str, subparsers: Any) -> None:
    model = get_model(name)
    add_model_command(
        subparsers.add_parser(
            model.id,
            help=model.title,
            description=f"{model.title[0].upper()}{model.title[1:]}: "
            f"{(model.__doc__ or '').splitlines()[0]}",
            examples=[f"rlct {model.group} {model.id} {model.example}"],
        ),
        model,
    )


def add_model_command(parser: argparse.ArgumentParser, model: type[Model]) -> None:
    """Add the options of a command that asks about a model, the fields of which they are."""
    for item in fields(model):
        _add_option(parser, item, in_order=item.name in model.in_order)
    if model.in_order:
        kind = model.__dataclass_fields__[model.in_order[-1]].metadata["kind"]
        widths.add_widths(parser, model.in_order, kind=kind)
    add_outcome(parser)
    options = [widths.option_spellings(item.name)[0] for item in fields(model)]
    spelled = (model.id, *options)
    parser.set_defaults(ask=_ask, model=model, spelled=spelled)


def _add_option(parser: argparse.ArgumentParser, item: Any, *, in_order: bool) -> None:
    kind, help_text = item.metadata["kind"], item.metadata["help"]
    if kind == "flag":
        flag = widths.option_spellings(item.name)[0]
        parser.add_argument(flag, action="store_true", help=help_text)
        return
    readers: dict[str, Callable[[str], Any]] = {"size": ranges.integer_range, "fraction": _fraction}
    default = None if item.default is MISSING else item.default
    widths.size_option(
        parser,
        item.name,
        type=readers.get(kind, str),
        required=item.default is MISSING and not in_order,
        default=default,
        metavar={"size": "N", "numbers": "N,N", "fraction": "P/Q"}.get(kind, "TEXT"),
        help=help_text if default in (None, "") else f"{help_text} (default {default})",
    )


def _fraction(text: str) -> Fraction:
    try:
        return plain_fraction(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a fraction such as 1/2") from None


def _ask(options: argparse.Namespace) -> Model:
    model = options.model
    if missing := widths.sizes_missing(options, model.in_order):
        raise InputError(
            f"{' and '.join(missing)} missing: write {' '.join(model.in_order).upper()}, as in "
            f"'rlct {model.group} {model.id} {model.example}'"
        )
    asked: Model = model(**{item.name: getattr(options, item.name) for item in fields(model)})
    return asked
