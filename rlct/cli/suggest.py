"""What was meant by a command or an option that does not exist."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

__all__ = ["commands_of", "deepest", "nearest", "suggestion"]

_CLOSE = 0.6  # of difflib's ratio
_CHOICE = re.compile(r"invalid choice: '(.*?)'", re.DOTALL)
_UNKNOWN = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)
_LONGEST = 60  # of a word that is compared


def nearest(word: str, known: Sequence[str]) -> str:
    """End of an error message: what was meant, or nothing.

    >>> nearest("deep-linaer", ["deep-linear", "rbm"]), nearest("xyz", ["rbm"])
    (": did you mean 'deep-linear'?", '')
    """
    found = get_close_matches(word[:_LONGEST], known, 1, _CLOSE)
    return f": did you mean '{found[0]}'?" if found else ""


def suggestion(parser: argparse.ArgumentParser, message: str, typed: Sequence[str]) -> str:
    """End of an error message of a parser.

    Parameters
    ----------
    parser : ArgumentParser
        That met the error.
    message : str
        Of argparse.
    typed : sequence of str
        The words of the command line.
    """
    if found := _CHOICE.search(message):
        return _command(parser, found[1])
    if found := _UNKNOWN.search(message):
        unknown = next((w for w in found[1].split() if w.startswith("-")), "")
        inner = deepest(parser, typed)
        options = [name for action in inner._actions for name in action.option_strings]
        return nearest(unknown.partition("=")[0], options) if unknown else ""
    return ""


def _command(parser: argparse.ArgumentParser, word: str) -> str:
    """A command of another group with just this name, or a choice that is close."""
    paths = [path for path, _ in commands_of(parser)]
    elsewhere = [path for path in paths if path.rpartition(" ")[2] == word]
    # 'rlct linear' is a network; it can be checked and sampled, too.
    for path in sorted(elsewhere, key=lambda path: path.split()[0] not in ("net", "model")):
        return f": did you mean '{path}'?"
    choices = [str(name) for action in parser._actions for name in action.choices or ()]
    close = nearest(word, choices)
    if close:
        return close
    found = get_close_matches(word[:_LONGEST], [p.rpartition(" ")[2] for p in paths], 1, _CLOSE)
    named = [path for path in paths if found and path.rpartition(" ")[2] == found[0]]
    return f": did you mean '{named[0]}'?" if named else ""


def commands_of(
    parser: argparse.ArgumentParser, path: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """All commands below a parser with the words that lead to them.

    >>> from rlct.cli.main import build_parser
    >>> [path for path, _ in commands_of(build_parser()) if "linear" in path][-1]
    'net linear'
    """
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                here = f"{path} {name}".strip()
                yield here, inner
                yield from commands_of(inner, here)


def deepest(parser: argparse.ArgumentParser, typed: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command that was typed."""
    for word in typed:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:
                parser = action.choices[word]
                break
    return parser
