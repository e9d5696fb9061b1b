"""The command ``rlct completion``: a script that completes commands and files in a shell."""

import argparse
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rlct.cli.suggest import commands_of
from rlct.errors import InputError

_SHELL_NAMES = ("bash", "zsh", "fish")
_INSTALL_HELP = """Put it where the shell finds it:
  bash   rlct completion bash > ~/.local/share/bash-completion/completions/rlct
  zsh    rlct completion zsh > _rlct, in a folder of $fpath
  fish   rlct completion fish > ~/.config/fish/completions/rlct.fish"""


def register(subparsers: Any) -> None:
    """Add the command to the subparsers of ``rlct``."""
    parser = subparsers.add_parser(
        "completion",
        help="a script that completes commands and options in bash, zsh or fish",
        description="Print a script for the shell. It needs the extra 'completion'.",
        epilog=_INSTALL_HELP,
        examples=["rlct completion bash", "rlct completion fish"],
    )
    parser.add_argument("shell", choices=_SHELL_NAMES, help="bash, zsh or fish")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise InputError("completion needs shtab: pip install 'rlct[completion]'") from error
    from rlct.cli.commands import build_parser

    parser = build_parser()
    functions = [
        _offer(action, f"_rlct_{number}", words, files, shtab.FILE, options.shell)
        for number, (action, words, files) in enumerate(_arguments(parser))
    ]
    preamble = "\n".join(filter(None, functions))
    script = shtab.complete(parser, shell=options.shell, preamble=preamble)
    if options.shell == "zsh":
        # What may stand there several times is offered after the first one, too.
        script = re.sub(r'^  "\(\*\)::?', '  "*:', script, flags=re.MULTILINE)
    print(script)
    return 0


def _arguments(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[argparse.Action, tuple[str, ...], bool]]:
    """Positional arguments and options with files; the words, if there is a list of them."""
    from rlct.theorems import all_theorems

    theorems = tuple(theorem.id for theorem in all_theorems())
    words: dict[str, tuple[str, ...]] = {"sweep": ("status", "export")}
    words |= dict.fromkeys(("theorem show", "theorem eval", "theorem check"), theorems)
    for path, inner in commands_of(parser):
        for action in inner._actions:
            first = not action.option_strings and action.dest != "values"
            known = words.get(path, ()) if first else ()
            files = "FILE" in str(action.metavar)
            if not (action.choices or (action.option_strings and not files)):
                yield action, known, files


def _offer(
    parser_action: argparse.Action,
    name: str,
    words: tuple[str, ...],
    files: bool,
    file_patterns: Mapping[str, Any],
    shell: str,
) -> str:
    """Tell the library what an argument may be; return the function that it calls, if any."""
    word_list = " ".join(words)
    paths = "(__fish_complete_path (commandline -ct))"
    if shell == "fish":
        _set(parser_action, {"fish": f"{word_list} {paths if files else ''}".strip()})
        return ""
    if files and not words:
        _set(parser_action, file_patterns)
        return ""
    if not words and shell == "bash":
        return ""
    _set(parser_action, {shell: name})
    if not words:
        # Without a function zsh offers no options either before a free argument.
        return f"{name}() {{ return 1 }}"
    if shell == "bash":
        more = '; compgen -f -- "$1"' if files else ""
        return f"{name}() {{ compgen -W '{word_list}' -- \"$1\"{more}; }}"
    return f"{name}() {{ compadd -- {word_list}{'; _files' if files else ''} }}"


def _set(action: argparse.Action, pattern: Mapping[str, Any]) -> None:
    action.complete = pattern  # type: ignore[attr-defined]
