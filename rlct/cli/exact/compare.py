"""The command ``rlct compare``: several architectures side by side."""

import argparse
import shlex
from dataclasses import replace
from typing import Any

from rlct.cli import common, files
from rlct.cli.exact import tables
from rlct.errors import InputError


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "compare",
        help="λ, θ and d/2 of several architectures",
        description="Each ARCHITECTURE is what follows 'rlct net', in quotes, or 'model …'. "
        "--rank and --bias hold for each architecture that has them and does not set them.",
        examples=['rlct compare "linear 5 3 5" "linear 5 5 5" "linear 5 3 3 5" --rank 1'],
    )
    parser.add_argument("architectures", nargs="+", metavar="ARCHITECTURE")
    parser.add_argument("--rank", metavar="R", help="rank of the true map, perhaps a range")
    parser.add_argument("--bias", action="store_true", help="with biases")
    parser.add_argument("--sort", metavar="lambda|parameters", help="order the rows")
    common.add_timeout(parser, common.EACH_ROW, is_whole=False)
    tables.add_table(parser)
    common.add_json(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from rlct.answers.table import SORT_KEYS

    if options.sort is not None and options.sort not in SORT_KEYS:
        raise InputError(f"--sort is {' or '.join(SORT_KEYS)}, not {options.sort[:40]!r}")
    files.check_plot(options.plot)
    asked = _read(options)
    table = tables.tabulate_cases(asked, options.timeout)
    table = replace(table, notes=_truths(asked))
    return tables.print_table(table.sorted(options.sort) if options.sort else table, options)


def _truths(asked: list[tuple[str, argparse.Namespace]]) -> tuple[str, ...]:
    """Say so if linear networks are not asked about the same true map."""
    ends = set()
    for _, options in asked:
        widths = options.widths if getattr(options, "kind", "") == "linear" else ()
        if widths and all(isinstance(end, int) for end in (widths[0], widths[-1])):
            ends.add((widths[0], widths[-1], options.rank))
    if len(ends) < 2:
        return ()
    return ("the linear networks differ in inputs, outputs or rank: they have no common truth",)


def _read(options: argparse.Namespace) -> list[tuple[str, argparse.Namespace]]:
    """Parse each architecture as a ``net`` command with the shared options."""
    from rlct.cli.commands import build_parser

    parser = build_parser()
    shared_options = {"rank": options.rank, "bias": options.bias}
    used_names = set()
    parsed_cases = []
    for text in options.architectures:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise InputError(f"{text[:60]!r}: {error}") from None
        if words in ([], ["net"], ["model"]) or words[0].startswith("-"):
            raise InputError(f"{text[:60]!r} names no architecture, such as 'linear 5 3 5'")
        group = [] if words[0] in ("net", "model") else ["net"]
        kind = words[0] if group else " ".join(words[1:2])
        added_words = []
        for name, value in shared_options.items():
            if value and name in _SHARED_OPTIONS.get(kind, ()):
                used_names.add(name)
                if f"--{name}" not in words:
                    added_words += [f"--{name}", *([value] if value is not True else [])]
        parsed = parser.parse_args([*group, *words, *added_words])
        if not hasattr(parsed, "ask"):
            raise InputError(f"{words[0]} cannot be compared")
        for option in ("certificate", "check", "json", "csv", "plot"):
            if getattr(parsed, option, None):
                raise InputError(f"--{option} goes to compare, not to an architecture")
        parsed.timeout = options.timeout
        parsed_cases.append((" ".join(words), parsed))
    for name, value in shared_options.items():
        if value and name not in used_names:
            raise InputError(f"no architecture here has --{name}")
    return parsed_cases


#: Options of an architecture that `compare` may set.
_SHARED_OPTIONS = {"linear": ("rank", "bias"), "quadratic": ("bias",)}
