"""Files of something new that work, to be changed into another."""

import argparse
import keyword
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from rlct.cli.checkout.root_folder import CHECKOUT_ROOT
from rlct.cli.files import write_text
from rlct.errors import InputError


def add_name(parser: argparse.ArgumentParser, example: str) -> None:
    """Add what the new thing is called, as a word and as a title."""
    parser.add_argument("id", help=f"lower-case words with hyphens, such as {example}")
    parser.add_argument("--title", help="as it is to be printed; from the id by default")


def checked_title(options: argparse.Namespace, known_names: Iterable[str]) -> str:
    """The title, if it and the id can be written into files."""
    name = options.id
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 60:
        raise InputError(f"{name[:60]!r} is no id: write lower-case words with hyphens")
    if keyword.iskeyword(name):
        raise InputError(f"{name} is a word of Python, and a file has its name")
    title = str(options.title or name.replace("-", " ").capitalize()).strip()
    if not title or not title.isprintable() or set(title) & set('"\\{}') or len(title) > 80:
        raise InputError('--title must be one line of at most 80 characters without " \\ { }')
    if name in known_names:
        raise _taken(name)
    return title


def _taken(name: str) -> InputError:
    return InputError(f"there is {name} already, or a file of this name: choose another id")


def checkout_here() -> Path:
    """Return the checkout in or above the present directory."""
    for above in (Path.cwd(), *Path.cwd().parents):
        if _is_checkout(above):
            return above
    place = f", such as {CHECKOUT_ROOT}" if _is_checkout(CHECKOUT_ROOT) else ""
    raise InputError(
        "no folders rlct/theorems and theory here: what is new is added to the source, not to the "
        f"installed package; run this in a checkout of rlct{place}"
    )


def _is_checkout(folder: Path) -> bool:
    return (folder / "rlct" / "theorems").is_dir() and (folder / "theory" / "index.md").is_file()


def named(text: str, name: str, title: str) -> str:
    """A template with the id, the name of a module and the title in their places."""
    words = {"<<id>>": name, "<<module>>": name.replace("-", "_"), "<<title>>": title}
    words["<<class>>"] = name.replace("-", " ").title().replace(" ", "")
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text


def write_new(root: Path, places: Mapping[str, str], name: str, title: str) -> None:
    """Write files of a checkout by templates of the folder `scaffold`; none is replaced."""
    if any((root / new_path).exists() for new_path in places.values()):
        raise _taken(name)
    for template, new_path in places.items():
        text = (files(__package__) / "scaffold" / f"{template}.txt").read_text("utf-8")
        write_text(str(root / new_path), named(text, name, title))
        print(f"wrote {new_path}")


def insert_line(path: Path, start: str, line: str) -> None:
    """Write a line before the last one that begins so."""
    lines = path.read_text("utf-8").splitlines()
    position = max(k for k, text in enumerate(lines) if text.startswith(start))
    write_text(str(path), "\n".join([*lines[:position], line, *lines[position:]]) + "\n")


def print_steps(steps: Iterable[tuple[str, str]], name: str) -> None:
    """Print commands, each with what it does."""
    commands = {named(command, name, ""): use for command, use in steps}
    width = max(len(command) for command, use in commands.items() if use)
    for command, use in commands.items():
        print(f"  {command:{width}}  {use}".rstrip())
