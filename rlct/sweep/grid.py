"""A question with named parameters, and the grid of their values."""

import difflib
import hashlib
import json
import math
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final, TypeAlias

import rlct
from rlct.errors import InputError

MOST_QUESTIONS: Final = 20_000_000  # their states fit in memory

Value: TypeAlias = int | float | str | tuple[int | float | str, ...]

_QUESTION_KEYS = ("ask", "grid", "zip")
_NAME_PATTERN = re.compile(r"[A-Za-z_]\w*")
_PLACEHOLDER_PATTERN = re.compile(r"\{([A-Za-z_]\w*)\}")
_RANGE_PATTERN = re.compile(r"(-?\d{1,18})(?:\.\.|:)(-?\d{1,18})(?:(?:\.\.|:)(\d{1,18}))?")
_PLAIN_TOKEN = re.compile(r"\w+(?:\.\d+)?")  # may stand beside an operator without parentheses
_OPERATOR_SIGNS = "*/^+-()"


@dataclass(frozen=True)
class Axis:
    """Parameters that vary together: one in a grid, several in a zip."""

    names: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True)
class Grid:
    r"""Every question of a sweep; the axis written last varies fastest.

    >>> grid = read_grid('ask = "net linear 5 {h} 5 --rank {r}"\n[grid]\nh = "1..3"\nr = [0, 1]')
    >>> grid.count, " ".join(grid.words(3)), grid.values(3)
    (6, 'net linear 5 2 5 --rank 1', {'h': 2, 'r': 1})
    """

    #: Words after ``rlct``, with placeholders such as ``{rank}``.
    ask: tuple[str, ...]
    #: Their product is the grid.
    axes: tuple[Axis, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Parameters, in the order in which they were written."""
        return tuple(chain.from_iterable(axis.names for axis in self.axes))

    @cached_property
    def count(self) -> int:
        """Number of questions."""
        return math.prod(len(axis.rows) for axis in self.axes)

    @cached_property
    def identity(self) -> str:
        """What makes this sweep another: question, values, version of the program."""
        content = [rlct.__version__, self.ask, [[axis.names, axis.rows] for axis in self.axes]]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]

    @cached_property
    def _first(self) -> tuple[tuple[bool, ...], ...]:
        """Which values of every axis stand there for the first time."""
        firsts = []
        for axis in self.axes:
            places: dict[tuple[Value, ...], int] = {}
            firsts.append(tuple(places.setdefault(row, k) == k for k, row in enumerate(axis.rows)))
        return tuple(firsts)

    def _places(self, index: int) -> list[int]:
        """Return the place on every axis of one question."""
        places = []
        for axis in reversed(self.axes):
            index, place = divmod(index, len(axis.rows))
            places.append(place)
        return places[::-1]

    def repeats(self, index: int) -> bool:
        """Whether an earlier question has the same values."""
        places = zip(self._first, self._places(index), strict=True)
        return not all(first[place] for first, place in places)

    def values(self, index: int) -> dict[str, Value]:
        """Return the parameters of one question."""
        return {
            name: value
            for axis, place in zip(self.axes, self._places(index), strict=True)
            for name, value in zip(axis.names, axis.rows[place], strict=True)
        }

    def words(self, index: int) -> list[str]:
        """Write one question as the words after ``rlct``."""
        values = self.values(index)
        return list(chain.from_iterable(_filled(word, values) for word in self.ask))


def _filled(word: str, values: Mapping[str, Value]) -> list[str]:
    """Fill in one word: a value alone may be several words, or none if it is empty."""
    alone = _PLACEHOLDER_PATTERN.fullmatch(word)
    if alone:
        value = values[alone[1]]
        if isinstance(value, tuple):
            return [_text(item) for item in value]
        return [_text(value)] if value != "" else []

    def insert(match: re.Match[str]) -> str:
        value = values[match[1]]
        text = ",".join(map(_text, value)) if isinstance(value, tuple) else _text(value)
        beside = word[: match.start()].rstrip()[-1:] + word[match.end() :].lstrip()[:1]
        # A value is a value: {a}**2 at a = -1 is (-1)**2.
        if any(c in _OPERATOR_SIGNS for c in beside) and not _PLAIN_TOKEN.fullmatch(text):
            return f"({text})"
        return text

    return [_PLACEHOLDER_PATTERN.sub(insert, word)]


def _text(value: int | float | str) -> str:
    return value if isinstance(value, str) else repr(value)


def read_grid(text: str) -> Grid:
    """Read the TOML of a sweep.

    InputError if it is no TOML, a key is unknown, a placeholder has no values, or values have no
    placeholder; the message is one line that says what to do.
    """
    return grid_of(read_toml(text))


def read_toml(text: str) -> dict[str, Any]:
    """Read TOML; `InputError` if it is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}") from None


def grid_of(content: Mapping[str, Any]) -> Grid:
    """Make a grid of the keys ``ask``, ``grid`` and ``zip``; `InputError` as `read_grid`."""
    for key in content:
        if key not in _QUESTION_KEYS:
            near = _near(key, _QUESTION_KEYS) or "; the keys are ask, [grid] and [zip]"
            raise InputError(f"unknown key {key!r}{near}")
    ask = _read_ask(content.get("ask"))
    axes = [
        Axis((name,), tuple((value,) for value in values))
        for name, values in _tables(content, "grid", "a table of values")
    ]
    axes += _read_zips(content.get("zip", {}))
    _match_names(ask, [name for axis in axes for name in axis.names])
    grid = Grid(ask, tuple(axes))
    if grid.count > MOST_QUESTIONS:
        raise InputError(f"{grid.count} questions: at most {MOST_QUESTIONS}; split the grid")
    return grid


def _read_ask(ask: Any) -> tuple[str, ...]:
    example_text = 'such as ask = "net linear 5 {hidden} 5 --rank 1"'
    if not isinstance(ask, str) or not ask.strip():
        raise InputError(f"ask must be the text of a question, {example_text}")
    try:
        words = shlex.split(ask)
    except ValueError as error:
        raise InputError(f"ask: {error} in {ask[:60]!r}") from None
    if words and words[0] == "rlct":
        del words[0]
    if not words:
        raise InputError(f"ask must be the text of a question, {example_text}")
    for word in words:
        if re.search(r"[{}]", _PLACEHOLDER_PATTERN.sub("", word)):
            raise InputError(f"ask: {word[:60]!r} has a brace that is no placeholder like {{rank}}")
    return tuple(words)


def _tables(content: Any, key: str, shape: str) -> list[tuple[str, list[Value]]]:
    table = content.get(key, {})
    if not isinstance(table, dict):
        raise InputError(f"[{key}] must be {shape}, such as rank = [0, 1, 2]")
    return [(name, _read_values(f"{key}.{name}", name, values)) for name, values in table.items()]


def _read_zips(content: Any) -> list[Axis]:
    axes = []
    for table in content if isinstance(content, list) else [content]:
        columns = _tables({"zip": table}, "zip", "a table of lists of one length")
        if not columns:
            continue
        (first, values), *other_columns = columns
        for name, list_values in other_columns:
            if len(list_values) != len(values):
                raise InputError(
                    f"[zip] goes through its lists together: {first} has {len(values)} values, "
                    f"{name} {len(list_values)}"
                )
        rows = zip(*(column for _, column in columns), strict=True)
        axes.append(Axis(tuple(name for name, _ in columns), tuple(rows)))
    return axes


def _read_values(table_name: str, name: str, raw_values: Any) -> list[Value]:
    if not _NAME_PATTERN.fullmatch(name):
        raise InputError(f"{table_name}: {name[:40]!r} is no name of letters, digits and _")
    values: list[Value] = []
    for item in raw_values if isinstance(raw_values, list) else [raw_values]:
        span = _RANGE_PATTERN.fullmatch(item.strip()) if isinstance(item, str) else None
        if span is None:
            values.append(_read_value(table_name, item))
            continue
        span_values = range(int(span[1]), int(span[2]) + 1, max(int(span[3] or 1), 1))
        if not span_values or span[3] == "0":
            raise InputError(f"{table_name}: {item!r} is empty: write the smaller end first")
        if len(span_values) + len(values) > MOST_QUESTIONS:
            raise InputError(f"{table_name}: {item!r} has more than {MOST_QUESTIONS} values")
        values += span_values
    if not values:
        raise InputError(f"{table_name} is empty: give it values, such as [1, 2] or '1..6'")
    return values


def _read_value(where: str, item: Any) -> Value:
    if isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool)):
        return item
    if isinstance(item, float) and math.isfinite(item):
        return item
    if isinstance(item, list) and item and not any(isinstance(part, list) for part in item):
        parts = tuple(_read_value(where, part) for part in item)
        return tuple(part for part in parts if not isinstance(part, tuple))
    hint = "; for an option that is on or off write ['', '--bias']" if item in (True, False) else ""
    raise InputError(f"{where}: {str(item)[:40]} is neither a number, a text nor a list{hint}")


def _match_names(ask: Sequence[str], names: Sequence[str]) -> None:
    used = {name for word in ask for name in _PLACEHOLDER_PATTERN.findall(word)}
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is given twice, in [grid] and [zip]")
        if name not in used:
            near = _near(name, sorted(used), "{%s}")
            raise InputError(f"ask does not use {name}: write {{{name}}} where it goes{near}")
    for name in sorted(used):
        if name not in names:
            near = _near(name, names, "{%s}") or f"; add {name} = [1, 2] to [grid]"
            raise InputError(f"nothing gives the values of {{{name}}}{near}")


def _near(word: str, words: Sequence[str], form: str = "%s") -> str:
    close = difflib.get_close_matches(word, words, 1)
    return f"; did you mean {form % close[0]}?" if close else ""
