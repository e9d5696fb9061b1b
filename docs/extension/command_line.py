"""The directive ``{command-line}``: every command with its options, read from the parser."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rlct.cli.main import build_parser


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the commands in the order of the parser, groups left out."""
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        yield parser
    for name, child in groups[0].choices.items() if groups else ():
        # A name that starts with an underscore is for programs.
        if not name.startswith("_"):
            yield from leaves(child)


class CommandLine(SphinxDirective):
    """A section for each command: what ``--help`` prints."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        os.environ["COLUMNS"] = "76"
        return [self._section(command) for command in leaves(build_parser())]

    def _section(self, command: argparse.ArgumentParser) -> nodes.section:
        name = command.prog
        section = nodes.section(ids=[nodes.make_id(name)], names=[name])
        section += nodes.title(name, "", nodes.literal(name, name))
        text = command.format_help().strip()
        section += nodes.literal_block(text, text, language="text")
        return section


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True}
