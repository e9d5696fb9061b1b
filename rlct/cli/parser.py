"""The parser of the command line: help with examples, errors in one line with a suggestion."""

import argparse
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn

from rlct.cli.colour import add_colours
from rlct.cli.failing import LONGEST_MESSAGE, write_error

_WIDEST_PAGE, _NARROWEST_PAGE = 100, 50  # columns of a page of help


class HelpFormatter(argparse.HelpFormatter):
    """Wrap prose to a width that can be read; leave indented lines as they are."""

    def __init__(self, prog: str, **options: Any) -> None:
        columns = shutil.get_terminal_size().columns - 2
        options["width"] = max(_NARROWEST_PAGE, min(columns, _WIDEST_PAGE))
        super().__init__(prog, **options)

    def _iter_indented_subactions(self, action: argparse.Action) -> Any:
        """Yield the commands of a group, after the heading of each part."""
        headings = getattr(action, "headings", {})
        shown = ""
        for command in super()._iter_indented_subactions(action):
            heading = headings.get(command.dest, "")
            if heading != shown:
                yield argparse.Action([], heading, metavar=f"{heading}:")
            shown = heading
            self._current_indent += 2 * bool(heading)
            yield command
            self._current_indent -= 2 * bool(heading)

    def add_argument(self, action: argparse.Action) -> None:
        """Leave room for the names of commands, which stand further to the right."""
        super().add_argument(action)
        if isinstance(action, LazyCommands):
            self._action_max_length += 2 + 2 * any(action.headings.values())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        for line in text.splitlines():
            if not line or line.startswith(" ") or line.endswith(":"):
                lines.append(f"{indent}{line}".rstrip())
            else:
                lines += textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent)
        return "\n".join(lines)


class Choices(dict[str, Any]):
    """Parsers by the names of their commands; a function among them builds one when needed."""

    def __getitem__(self, name: str) -> Any:
        build = super().__getitem__(name)
        if callable(build):
            build()
        return super().__getitem__(name)

    def items(self) -> Any:
        """Build every parser that is none yet."""
        return {name: self[name] for name in self}.items()


class LazyCommands(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Commands that a table lists; the parser of one is built when it is needed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.choices = self._name_parser_map = Choices()
        #: Heading of each command in a page of help, if it has one.
        self.headings: dict[str, str] = {}

    def promise(
        self, name: str, summary: str, build: Callable[[Any], object], heading: str = ""
    ) -> None:
        """List a command, under a heading if there is one; ``build`` adds it, and others."""
        assert name not in self._name_parser_map, f"two commands have the name {name}"
        self._choices_actions.append(self._ChoicesPseudoAction(name, (), summary))
        self.headings[name] = heading
        self._name_parser_map[name] = lambda: build(self)

    def add_parser(self, name: str, **options: Any) -> Any:
        """Add a command, or the parser of one that is listed."""
        if name not in self._name_parser_map:
            return super().add_parser(name, **options)
        del options["help"]
        parser = self._parser_class(prog=f"{self._prog_prefix} {name}", **options)
        self._name_parser_map[name] = parser
        return parser


class StoreOnce(argparse._StoreAction):
    """Take the value of an option; a second one would hide it without a word."""

    def __call__(
        self, parser: Any, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        """Refuse it by name."""
        if option_string and self in Parser.stored:
            parser.error(f"{option_string} is given twice: give it once")
        Parser.stored.add(self)
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """A parser whose commands have examples, and whose errors say what was meant.

    ``examples`` are command lines that work as they stand, shown below the options, and ``epilog``
    above them; with ``alone`` the command without a word more shows its help, as groups of commands
    do.
    """

    #: What was typed last; parsers of commands, which do not see all of it, ask for it too.
    given: ClassVar[Sequence[str]] = ()
    #: The options that have a value by now.
    stored: ClassVar[set[argparse.Action]] = set()

    def __init__(
        self, *, examples: Sequence[str] = (), alone: bool = False, **options: Any
    ) -> None:
        shown = "\n".join(f"  {line}" for line in examples)
        title = "example:" if len(examples) == 1 else "examples:"
        parts = [options.pop("epilog", None) or "", f"{title}\n{shown}" if examples else ""]
        epilog = "\n\n".join(filter(None, parts))
        super().__init__(
            **{"allow_abbrev": False, "formatter_class": HelpFormatter, "epilog": epilog, **options}
        )
        self.examples = tuple(examples)
        self.alone = alone
        self.register("action", "parsers", LazyCommands)
        self.register("action", None, StoreOnce)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Remember what was typed, for suggestions."""
        Parser.given = list(sys.argv[1:] if args is None else args)
        Parser.stored = set()
        return super().parse_args(args, namespace)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Show help where a group of commands stands alone."""
        if args is not None and not args and (self.alone or self._subparsers is not None):
            self.print_help()
            self.exit()
        return super().parse_known_args(args, namespace)

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(add_colours(message, file or sys.stderr), file)

    def error(self, message: str) -> NoReturn:
        """End with one line on standard error and exit code 2."""
        from rlct.cli.suggest import suggest_cure, typed_parser

        typed = Parser.given
        hint_text = suggest_cure(self, message, typed)
        if hint_text:
            message = _without_choices(message)
        asked = typed_parser(self, typed) if "unrecognized" in message else self
        hint_text = f"{hint_text}; see '{asked.prog} --help'"
        if ("required" in message or "unrecognized" in message) and any(
            a.startswith("-") and any(c in a for c in "*^+,") for a in typed
        ):
            hint_text = "; put -- before what starts with a minus sign"
        sys.exit(write_error(f"{message[:LONGEST_MESSAGE]}{hint_text}", 2))


def _without_choices(message: str) -> str:
    """With a suggestion nobody needs the whole list of what there is."""
    return re.sub(r" \(choose from .*\)$", "", message, flags=re.DOTALL)
