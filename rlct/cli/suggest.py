"""What was meant by a command or an option that does not exist."""

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise

from rlct.errors import NegativeError, NotZeroError, ProductNameError
from rlct.models import SHORT_NAMES
from rlct.questions.reading import with_products

_CLOSE_RATIO = 0.6  # of difflib's ratio
_INVALID_CHOICE = re.compile(r"invalid choice: '(.*?)'", re.DOTALL)
_UNKNOWN_ARGUMENTS = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)
_NO_VALUE = re.compile(r"argument (--[\w-]+): expected one argument")
_OF_NAMES = ("--at", "--over", "--nonneg")
_GROUP_COMMANDS = ("net", "model")
_COMMAND_SYNONYMS = {
    **dict.fromkeys(("llc", "estimate", "calibrate"), "sample"),
    **dict.fromkeys(("rlct", "lct", "lambda", "lam", "polynomial"), "poly"),
    **dict.fromkeys(("resnet", "vgg", "alexnet", "convnet", "unet"), "cnn"),
    **dict.fromkeys(("gpt", "bert", "vit", "llama", "attention", "llm"), "transformer"),
    **dict.fromkeys(("perceptron", "dense", "fc", "ffn", "nn", "dnn"), "mlp"),
    **dict.fromkeys(("layernorm", "rmsnorm"), "norm"),
    **dict.fromkeys(("ssm", "mamba"), "state-space"),
    **{"moe": "experts", "selfattention": "softmax-attention"},
    **dict.fromkeys(("blowup", "blow", "resolution", "charts"), "tree"),
    **SHORT_NAMES,
}
_OTHER_OPTIONS = {"figure": "plot"}
_WIDTH_NAMES = ("inputs", "hidden", "units", "outputs", "widths", "layers")
_SHORT_COMMAND = 200  # characters of a command that is repeated
_LONGEST_WORD = 60  # of a word that is compared
_SHORTEST_BEGINNING = 3  # of a beginning that says enough


def nearest_hint(word: str, names: Sequence[str]) -> str:
    """End of an error message: what was meant, or nothing.

    >>> nearest_hint("deep-linaer", ["deep-linear", "rbm"]), nearest_hint("xyz", ["rbm"])
    (": did you mean 'deep-linear'?", '')
    """
    found = _closest(word, names)
    return f": did you mean '{found}'?" if found else ""


def _closest(word: str, names: Sequence[str]) -> str:
    """The name that is most like a word, empty if none is like it.

    >>> _closest("wiac", ["wbic", "waic"]), _closest("polynomial", ["poly", "plot"])
    ('waic', 'poly')
    """
    word = word[:_LONGEST_WORD]
    for name in names:
        if sorted(word) == sorted(name):  # two letters exchanged
            return name
    close = get_close_matches(word, names, 1, _CLOSE_RATIO)
    longer = [name for name in names if len(name) >= _SHORTEST_BEGINNING and word.startswith(name)]
    shorter = [name for name in names if len(word) >= _SHORTEST_BEGINNING and name.startswith(word)]
    return next(iter([*close, *sorted(longer, key=len, reverse=True), *sorted(shorter)]), "")


def suggest_cure(parser: argparse.ArgumentParser, message: str, typed: Sequence[str]) -> str:
    """End of an error message of a parser.

    ``message`` is that of argparse, ``typed`` the words of the command line.
    """
    if match := _INVALID_CHOICE.search(message):
        return _command(parser, match[1], typed)
    inner = typed_parser(parser, typed)
    if match := _UNKNOWN_ARGUMENTS.search(message):
        words = match[1].split()
        if words[0] in _options(inner) and typed[0] == words[0]:
            return f": options stand after the command, '{inner.prog} … {words[0]}'"
        return _several(inner, typed, words) or _option(parser, inner, words)
    return _missing(inner, message, typed)


def _missing(inner: argparse.ArgumentParser, message: str, typed: Sequence[str]) -> str:
    """How to write a value that was not read, or what is required."""
    if found := _NO_VALUE.search(message):
        value = next((b for a, b in pairwise(typed) if a == found[1]), "")
        return f": write {found[1]}={shlex.quote(value)}" if value else ""
    if "are required" not in message:
        return ""
    # What is missing may be there in another spelling.
    example = next(iter(getattr(inner, "examples", ())), "")
    return _option(inner, inner, typed) or f", as in {example!r}" * bool(example)


def _several(inner: argparse.ArgumentParser, typed: Sequence[str], unknown: Sequence[str]) -> str:
    """Words that are parts of one value, or generators of an ideal."""
    if point := _in_parts(typed, unknown):
        return f": write {point}"
    if inner.get_default("kind") != "poly" or unknown[0].startswith("-"):
        return ""
    asked = ["ideal" if word == "poly" else word for word in typed]
    return f": several generators are an ideal: rlct {shlex.join(asked)}"


def _in_parts(typed: Sequence[str], unknown: Sequence[str]) -> str:
    """An option with its one value, of which all but the beginning was not understood.

    >>> _in_parts(["poly", "x*y", "--at", "1", "2"], ["2"])
    '--at 1,2'
    """
    place = len(typed) - len(unknown)
    if place < 2 or typed[place - 2] not in _OF_NAMES or list(typed[place:]) != list(unknown):
        return ""
    return f"{typed[place - 2]} {','.join(typed[place - 1 :])}"


def next_command(error: Exception, typed: Sequence[str]) -> str:
    """End of an error message about a polynomial: the command that may have been meant.

    >>> from rlct.errors import NegativeError, NotZeroError, ProductNameError
    >>> next_command(NotZeroError("K is 1, not 0, at the origin"), ["poly", "x + 1"])
    ' with --at x=1, or a box with --over x=-2:2'
    >>> next_command(NegativeError("K is negative"), ["poly", "x*y"])
    "; for K = f**2: rlct ideal 'x*y'"
    >>> next_command(ProductNameError("ab", {"ab": "a*b"}), ["poly", "(ab)^2"])
    "; rlct poly '(a*b)^2'"
    >>> next_command(ProductNameError("foo", {"foo": "f*o*o"}), ["poly", "foo^2"])
    "; rlct poly 'foo^2' --at foo=0"
    """
    if isinstance(error, ProductNameError):
        # A product of equal letters is written as a power: such a word is a name.
        factors = [product.split("*") for product in error.products.values()]
        if any(len({*letters}) < len(letters) for letters in factors):
            named = any(word.startswith(_OF_NAMES) for word in typed)
            places = ",".join(f"{name}=0" for name in error.products)
            return "" if named else _repeated("; rlct", [*typed, "--at", places])
        return _repeated("; rlct", [with_products(word, error.products) for word in typed])
    if isinstance(error, NotZeroError):
        point = "" if any(word.startswith("--at") for word in typed) else " with --at x=1"
        has_box = typed[:1] in (["poly"], ["ideal"])
        return point + ", or a box with --over x=-2:2" * has_box
    words = _of_ideal(typed) if isinstance(error, NegativeError) else []
    return _repeated("; for K = f**2: rlct", words)


def _of_ideal(typed: Sequence[str]) -> list[str]:
    """The words of a question about K as one about a generator; none where it takes no ideal.

    >>> _of_ideal(["plot", "tree", "--out", "t.svg", "x*y"]), _of_ideal(["net", "linear"])
    (['plot', 'tree', '--out', 't.svg', 'ideal', 'x*y'], [])
    """
    if "poly" in typed:
        return ["ideal" if word == "poly" else word for word in typed]
    if typed[0] not in ("blowup", "newton", "plot"):
        return []
    place = 1 + (typed[0] == "plot")
    while typed[place].startswith("--"):
        place += 1 if "=" in typed[place] or typed[place] in ("--", "--json") else 2
    return [*typed[:place], "ideal", *typed[place:]]


def _repeated(beginning: str, words: Sequence[str]) -> str:
    """A command that can be copied, unless there is none or it is long."""
    return f"{beginning} {shlex.join(words)}" if 0 < len(" ".join(words)) < _SHORT_COMMAND else ""


def _option(
    parser: argparse.ArgumentParser, asked_parser: argparse.ArgumentParser, words: Sequence[str]
) -> str:
    """What the first unknown option of a command may mean, or which command has it."""
    options = _options(asked_parser)
    typed = (word.partition("=")[0] for word in words if word.startswith("-"))
    unknown_option = next((word for word in typed if word.strip("-") and word not in options), "")
    if not unknown_option:
        return ""
    word = unknown_option.strip("-")
    if word == "poly":
        return ": an expression is K, and generators stand after the word ideal"
    example = re.search(r"rlct net \S+ \d.*", asked_parser.format_help())
    if word in _WIDTH_NAMES and example:
        return f": widths are written in their order, as in '{example[0]}'"
    near = _closest(_OTHER_OPTIONS.get(word, word), [name.strip("-") for name in options])
    if near:
        return f": did you mean '{'-' * (1 + (len(near) > 1))}{near}'?"
    path = _owner(parser, unknown_option)
    return f": {unknown_option} is an option of '{path}'" if path else ""


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in parser._actions for name in action.option_strings]


def _owner(parser: argparse.ArgumentParser, option: str, typed: Sequence[str] = ()) -> str:
    """A command with an option: the one that is typed, a polynomial, or any."""
    paths = [path for path, inner in commands_of(parser) if option in _options(inner)]
    wanted = [" ".join(typed[:2]), *typed[:1], "poly", *paths]
    return next((path for path in wanted if path in paths), "")


def _command(parser: argparse.ArgumentParser, word: str, typed_words: Sequence[str]) -> str:
    """A command of another group with just this name, or a choice that is close."""
    choice_names = [str(name) for action in parser._actions for name in action.choices or ()]
    words_after = (
        list(typed_words)[list(typed_words).index(word) + 1 :] if word in typed_words else []
    )
    if words_after and word in _GROUP_COMMANDS and word not in choice_names:
        # 'rlct check net linear': the group is no part of these commands.
        here = parser.prog.rpartition(" ")[2]
        if words_after[0] in choice_names:
            return f": did you mean '{here} {words_after[0]}'?"
        if here == "check" and words_after[0].replace("-", "_").isidentifier():
            return f": did you mean '{word} {words_after[0]} … --check'?"
    if "poly" in choice_names and re.match(r"[\w(]+[*^+²³]", word):
        return f": write {shlex.join([*parser.prog.split(), 'poly', word])}"
    # 'rlct linear' is a network; it can be checked and sampled, too.
    paths = [path for path, _ in commands_of(parser)]
    command_paths = sorted(paths, key=lambda path: path.split()[0] not in _GROUP_COMMANDS)
    names = [path.rpartition(" ")[2] for path in command_paths]
    if word in names:
        return f": did you mean '{command_paths[names.index(word)]}'?"
    if f"--{word}" in _options(parser):
        return f": did you mean '--{word}'?"
    if owner := _owner(parser, f"--{word}", words_after):
        return f": did you mean '{owner} … --{word}'?"
    is_name = re.fullmatch(r"[a-z]{3,}(-[a-z]+)*", word)
    if parser.prog.endswith(" plot") and not is_name and not _closest(word, choice_names):
        return f": did you mean 'plot landscape {word[:_LONGEST_WORD]}'?"
    closest_name = _COMMAND_SYNONYMS.get(re.sub(r"[-_\d].*", "", word), "")
    if closest_name not in choice_names:
        closest_name = _closest(word, choice_names) or _closest(word, names)
    if closest_name and closest_name not in choice_names:
        closest_name = command_paths[names.index(closest_name)]
    return f": did you mean '{closest_name}'?" if closest_name else ""


def commands_of(
    parser: argparse.ArgumentParser, path: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """All commands below a parser with the words that lead to them.

    >>> from rlct.cli.commands import build_parser
    >>> [path for path, _ in commands_of(build_parser()) if "linear" in path][0]
    'net linear'
    """
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                here = f"{path} {name}".strip()
                yield here, inner
                yield from commands_of(inner, here)


def typed_parser(parser: argparse.ArgumentParser, typed: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command that was typed."""
    for word in typed:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:
                parser = action.choices[word]
                break
    return parser
