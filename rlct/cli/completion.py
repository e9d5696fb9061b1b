"""The command ``rlct completion``: a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
from typing import Any

from rlct.errors import InputError

__all__ = ["register"]

_SHELLS = ("bash", "zsh", "fish")
_INSTALL = """Put it where the shell finds it:
  bash   rlct completion bash > ~/.local/share/bash-completion/completions/rlct
  zsh    rlct completion zsh > _rlct, in a folder of $fpath
  fish   rlct completion fish > ~/.config/fish/completions/rlct.fish"""


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "completion",
        help="a script that completes commands and options in bash, zsh or fish",
        description="Print a script for the shell, made from all commands and options of this "
        "version; the extra 'completion' brings the library that writes it.",
        epilog=_INSTALL,
        examples=["rlct completion bash", "rlct completion fish"],
    )
    parser.add_argument("shell", choices=_SHELLS, help="bash, zsh or fish")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise InputError("completion needs shtab: pip install 'rlct[completion]'") from error
    from rlct.cli.main import build_parser

    print(shtab.complete(build_parser(), shell=options.shell))
    return 0
