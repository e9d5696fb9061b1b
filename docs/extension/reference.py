"""A page for each public name and each command, made at every build.

``docs/python.md`` lists the names in ``{python-names}`` and ``docs/commands.md`` the commands in
``{commands}``: one sentence each, with a link to the page.  The pages are written to ``docs/api``
and ``docs/command``, which git ignores.
"""

from __future__ import annotations

import argparse
import inspect
import os
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rlct.cli.commands import build_parser

_LISTED = re.compile(r"```\{python-names\}\n(.*?)```", re.DOTALL)
_TITLES = {"positional arguments": "Arguments", "options": "Options"}


@cache
def commands() -> dict[str, tuple[argparse.ArgumentParser, str]]:
    """Parsers with what they are for, by what is typed; groups of commands are left out."""
    os.environ["COLUMNS"] = "76"
    return {parser.prog: (parser, summary) for parser, summary in _leaves(build_parser(), "")}


def _leaves(
    parser: argparse.ArgumentParser, summary: str
) -> Iterator[tuple[argparse.ArgumentParser, str]]:
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        yield parser, summary
    for group in groups:
        summaries = {choice.dest: choice.help or "" for choice in group._choices_actions}
        for name, child in group.choices.items():
            # A name that starts with an underscore is for programs.
            if not name.startswith("_"):
                yield from _leaves(child, summaries.get(name, ""))


def full_name(name: str) -> str:
    """Where a listed name is: in ``rlct`` itself unless it says more."""
    return name if "." in name else f"rlct.{name}"


def python_page(name: str) -> str:
    """The source of the page of a public name."""
    thing = pkgutil.resolve_name(name)
    kind, members = "function", ""
    if inspect.isclass(thing):
        kind = "exception" if issubclass(thing, Exception) else "class"
        members = "   :members:\n" if kind == "class" and _has_members(thing) else ""
    module, _dot, short = name.rpartition(".")
    return (
        f"# {short}\n\n```{{eval-rst}}\n.. currentmodule:: {module}\n"
        f".. auto{kind}:: {short}\n{members}```\n"
    )


def _has_members(thing: type) -> bool:
    """Whether it has methods or properties that are described."""
    return any(
        not name.startswith("_") and getattr(member, "__doc__", None)
        for name, member in vars(thing).items()
        if callable(member) or isinstance(member, property | classmethod)
    )


def write_pages(app: Sphinx) -> None:
    """Write the pages that are not there yet or have changed, and remove others."""
    docs = Path(app.srcdir) / "docs"
    text = (docs / "python.md").read_text(encoding="utf-8")
    names = [full_name(n) for block in _LISTED.findall(text) for n in block.split()]
    pages = {docs / "api" / f"{name}.md": python_page(name) for name in names}
    for prog in commands():
        source = f"# {prog}\n\n```{{command}} {prog}\n```\n"
        pages[docs / "command" / f"{nodes.make_id(prog)}.md"] = source
    for folder in {path.parent for path in pages}:
        folder.mkdir(exist_ok=True)
        for path in set(folder.glob("*.md")) - set(pages):
            path.unlink()
    for path, source in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != source:
            path.write_text(source, encoding="utf-8")


class Entries(SphinxDirective):
    """A list with one sentence and one link an entry."""

    has_content = True

    def listed(self, line: str) -> Iterator[tuple[str, str, str, str]]:
        """Yield anchor, page, name and sentence of what a line of the content stands for."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        found = nodes.bullet_list(classes=["entries"])
        for anchor, page, name, sentence in (e for line in self.content for e in self.listed(line)):
            link = addnodes.pending_xref(
                "", refdomain="std", reftype="doc", reftarget=page, refexplicit=True
            )
            link["refdoc"] = self.env.docname
            link += nodes.literal(name, name)
            text = nodes.paragraph("", "", link, nodes.Text(" "), *in_code(sentence))
            found += nodes.list_item("", text, ids=[anchor])
        return [found]


def in_code(sentence: str) -> list[nodes.Node]:
    """A sentence, with what stands between backticks as code."""
    pieces = re.split(r"`+~?([^`]+)`+", sentence)
    return [nodes.literal(p, p) if k % 2 else nodes.Text(p) for k, p in enumerate(pieces) if p]


class PythonNames(Entries):
    """``{python-names}``: public names, one a line."""

    def listed(self, line: str) -> Iterator[tuple[str, str, str, str]]:
        """Yield the name with the first sentence of its docstring."""
        name = full_name(line.strip())
        guide = inspect.getdoc(pkgutil.resolve_name(name)) or ""
        first = " ".join(guide.partition("\n\n")[0].split())
        yield name, f"/docs/api/{name}", name.rpartition(".")[2], first


class Commands(Entries):
    """``{commands}``: commands, one a line; a group stands for all of its commands."""

    def listed(self, line: str) -> Iterator[tuple[str, str, str, str]]:
        """Yield the commands with what they are for."""
        for prog, (_parser, summary) in commands().items():
            if f"{prog} ".startswith(f"rlct {line.strip()} "):
                anchor = nodes.make_id(prog)
                first = summary[:1].upper() if summary[:1].isascii() else summary[:1]
                sentence = f"{first}{summary[1:].rstrip('.')}."
                yield anchor, f"/docs/command/{anchor}", prog, sentence


class Command(SphinxDirective):
    """``{command} rlct poly``: what ``--help`` says, as text that fits any screen."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return description, usage, arguments and examples."""
        parser, _summary = commands()[self.arguments[0]]
        usage = parser.format_usage().strip()
        found: list[nodes.Node] = [*_prose(parser.description or "")]
        found.append(nodes.literal_block(usage, usage, language="text", classes=["usage"]))
        for group in parser._action_groups:
            shown = [a for a in group._group_actions if a.help != argparse.SUPPRESS]
            if shown:
                title = (_TITLES.get(group.title or "", group.title) or "").rstrip(":").capitalize()
                found.append(nodes.rubric(title, title))
                found += _prose(group.description or "")
                found.append(_options(parser, shown))
        return found + list(_prose(parser.epilog or ""))


def _options(
    parser: argparse.ArgumentParser, actions: list[argparse.Action]
) -> nodes.definition_list:
    formatter = parser._get_formatter()
    found = nodes.definition_list(classes=["options"])
    for action in actions:
        name = formatter._format_action_invocation(action)
        text = formatter._expand_help(action) if action.help else ""
        found += nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(name, name)),
            nodes.definition("", nodes.paragraph("", "", *in_code(text))),
        )
    return found


def _prose(text: str) -> Iterator[nodes.Node]:
    """Paragraphs; indented lines are code, and the line before them a title."""
    for block in filter(None, re.split(r"\n\s*\n", text.strip())):
        lines = block.splitlines()
        plain = " ".join(line.strip() for line in lines if not line.startswith(" "))
        code = "\n".join(line.strip() for line in lines if line.startswith(" "))
        if code and plain.endswith(":"):
            title = plain.rstrip(":").capitalize()
            yield nodes.rubric(title, title)
        elif plain:
            yield nodes.paragraph("", "", *in_code(plain))
        if code:
            yield nodes.literal_block(code, code, language="console")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives and the writer."""
    app.add_directive("python-names", PythonNames)
    app.add_directive("commands", Commands)
    app.add_directive("command", Command)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
