"""Sizes of networks by position, from input to output, beside the options that name them."""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rlct.cli.kit import ranges

_SAME_WIDTHS: Final = {"hidden": "units", "units": "hidden", "true-hidden": "true-units"}


class _SizesOnce(argparse.Action):
    """Sizes that are given once: of the option, or by position of the fields in ``const``.

    Another command, if ``elsewhere`` has one that takes as many sizes, is named in the refusal.
    """

    def __init__(self, *names: Any, elsewhere: Mapping[int, str] = {}, **options: Any) -> None:
        super().__init__(*names, **options)
        self.elsewhere = elsewhere

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        of_one_field = self.const is None or self.type in (ranges.width, str)
        names, sizes = self.const or (self.dest,), [values] if of_one_field else values
        if len(sizes) in self.elsewhere:
            parser.error(f"{len(sizes)} sizes: write '{self.elsewhere[len(sizes)]}'")
        for name, size in _named_sizes(parser, names, sizes):
            if getattr(namespace, name, None) != parser.get_default(name):
                parser.error(f"{name.replace('_', '-')} is given twice")
            setattr(namespace, name, size)


def _named_sizes(
    parser: argparse.ArgumentParser, names: Sequence[str], sizes: Sequence[Any]
) -> Iterator[tuple[str, Any]]:
    """Yield each field with its size; a field that is a number has this size."""
    in_words = " ".join(names).upper()
    if len(sizes) != len(names):
        example = re.search(r"rlct \S+ \S+ \d.*", parser.format_help())
        shown = f", as in '{example[0]}'" if example else ""
        parser.error(f"{len(sizes)} sizes where {in_words} are asked{shown}")
    for name, size in zip(names, sizes, strict=True):
        if not name.isdigit():
            yield name, size
        elif size != int(name):
            parser.error(f"this network has {name} input: write {in_words}, not {size} first")


def option_spellings(name: str) -> list[str]:
    """Options of a field: hidden units are ``--hidden`` and ``--units``.

    >>> option_spellings("true_hidden"), option_spellings("inputs")
    (['--true-hidden', '--true-units'], ['--inputs'])
    """
    name = name.replace("_", "-")
    return [f"--{name}", *([f"--{_SAME_WIDTHS[name]}"] if name in _SAME_WIDTHS else [])]


def size_option(parser: argparse.ArgumentParser, name: str, **options: Any) -> None:
    """Add the option of a field, which is given once, by position or not."""
    spellings = option_spellings(name)[: 1 if options.get("metavar") == "TEXT" else None]
    parser.add_argument(*spellings, dest=name, action=_SizesOnce, **options)


def add_widths(
    parser: argparse.ArgumentParser,
    names: Sequence[str],
    *,
    kind: str = "size",
    elsewhere: Mapping[int, str] = {},
) -> None:
    """Let numbers alone give these fields in order; numbers or words of one kind the only one."""
    readers: dict[str, Any] = {"numbers": ranges.width, "words": str}
    parser.add_argument(
        "sizes",
        nargs="?" if kind == "words" else "*",
        action=_SizesOnce,
        const=tuple(names),
        type=readers.get(kind, ranges.integer_range),
        default=argparse.SUPPRESS,
        elsewhere=elsewhere,
        metavar="TEXT" if kind == "words" else "SIZE",
        help=f"{' '.join(names).upper()} in this order, without option names",
    )


def sizes_missing(options: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Fields that neither an option nor a position gave."""
    return [name for name in names if not name.isdigit() and getattr(options, name) is None]
