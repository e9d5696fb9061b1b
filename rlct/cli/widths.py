"""Sizes of networks by position, from input to output, beside the options that name them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final

from rlct.cli import ranges

__all__ = ["add_widths", "size_option", "sizes_missing", "spellings"]

_SAME: Final = {"hidden": "units", "units": "hidden", "true-hidden": "true-units"}


class _Once(argparse.Action):
    """A size that is given once, by an option or by position."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        _set_once(parser, namespace, self.dest, values)


class _InOrder(argparse.Action):
    """Sizes without options, given to the fields that ``const`` names."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        names = tuple(self.const)
        if self.type is ranges.width:
            return _set_once(parser, namespace, names[0], values)
        shown = " ".join(names).upper()
        if len(values) != len(names):
            parser.error(f"{len(values)} sizes where {shown} are asked")
        for name, size in zip(names, values, strict=True):
            if not name.isdigit():
                _set_once(parser, namespace, name, size)
            elif size != int(name):
                parser.error(f"this network has {name} input: write {shown}, not {size} first")
        return None


def _set_once(
    parser: argparse.ArgumentParser, namespace: argparse.Namespace, name: str, value: Any
) -> None:
    if getattr(namespace, name, None) != parser.get_default(name):
        parser.error(f"{name.replace('_', '-')} is given twice")
    setattr(namespace, name, value)


def spellings(name: str) -> list[str]:
    """Options of a field: hidden units are ``--hidden`` and ``--units``.

    >>> spellings("true_hidden"), spellings("inputs")
    (['--true-hidden', '--true-units'], ['--inputs'])
    """
    name = name.replace("_", "-")
    return [f"--{name}", *([f"--{_SAME[name]}"] if name in _SAME else [])]


def size_option(parser: argparse.ArgumentParser, name: str, **options: Any) -> None:
    """Add the option of a field that sizes by position may give, too."""
    parser.add_argument(*spellings(name), dest=name, action=_Once, **options)


def add_widths(
    parser: argparse.ArgumentParser, names: Sequence[str], *, several: bool = False
) -> None:
    """Let numbers alone give these fields in order, or ``several`` of them the only field."""
    shown = " ".join(names).upper()
    parser.add_argument(
        "sizes",
        nargs="*",
        action=_InOrder,
        const=tuple(names),
        type=ranges.width if several else ranges.integer_range,
        default=argparse.SUPPRESS,
        metavar="SIZE",
        help=f"{shown}, instead of {'the option' if len(names) == 1 else 'options'}",
    )


def sizes_missing(options: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Fields that neither an option nor a position gave."""
    return [name for name in names if not name.isdigit() and getattr(options, name) is None]
