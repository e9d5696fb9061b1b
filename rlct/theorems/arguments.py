"""Arguments of theorems: what may be given, as Python values or as ``name=value`` text."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from operator import index
from typing import Any, Final

from rlct.errors import InputError

#: By name.
Arguments = Mapping[str, Any]

# Enough for a network a thousand layers deep; a longer list is a slip of the keyboard.
MAX_VALUES: Final = 10_000
MAX_TEXT: Final = 1_000_000  # characters of polynomials
MAX_DIGITS: Final = 300  # characters of a number or a word
NO_DEFAULT: Final = object()


class Truth(Enum):
    """What is known about a hypothesis: computed, vouched for by the caller, or neither."""

    TRUE = "true"
    GIVEN = "given"
    FALSE = "false"
    OPEN = "open"

    @property
    def held(self) -> bool:
        """Whether a value may rest on it, proved or vouched for."""
        return self in (Truth.TRUE, Truth.GIVEN)


class Kind(Enum):
    """What an argument is, with the form in which text gives it."""

    INTEGER = "an integer such as 3"
    INTEGERS = "integers such as 5,3,5"
    FRACTION = "an integer or a fraction such as 1/2"
    FRACTIONS = "integers or fractions such as 0,1/2"
    ROWS = "rows of integers such as 2,0;0,3"
    MATRIX = "rows of integers or fractions such as 1,1/2;0,3"
    WORD = "a word such as full"
    TEXT = "text, perhaps empty, such as 1-4,2-4"
    FLAG = "true or false"
    GIVEN = "true, false or open"


@dataclass(frozen=True)
class Parameter:
    """One argument of a theorem."""

    #: Name in ``name=value`` and one line about it.
    name: str
    #: ``Kind.GIVEN`` marks a hypothesis that cannot be read off the other arguments: it is vouched
    #: for by who asks, unless they say otherwise, and ``help`` is its statement.
    kind: Kind
    help: str
    #: `NO_DEFAULT` if the argument must be given.
    default: Any = NO_DEFAULT
    #: For `Kind.GIVEN`: the rule by which the value of the theorem stays a lower, or an upper,
    #: bound if this hypothesis is left open; empty if it does not.
    lower: str = ""
    upper: str = ""
    #: For `Kind.GIVEN`: what `Theorem.fallback` still proves if this alone is left open, to read
    #: after "Left open, "; it begins with "nothing" if no bound is left.
    fallback_text: str = ""
    #: For `Kind.GIVEN`: whether the question says it by itself, as it names its prior, its model,
    #: its place or its data.  What it does not say stands in the answer: "exact if".
    posed: bool = False

    @classmethod
    def given(
        cls, name: str, statement: str, *, lower: str = "", upper: str = "", fallback_text: str = ""
    ) -> Parameter:
        """Build a hypothesis that the caller vouches for, denies or leaves open."""
        return cls(name, Kind.GIVEN, statement, Truth.GIVEN, lower, upper, fallback_text)

    @classmethod
    def stated(cls, name: str, statement: str, **bounds: str) -> Parameter:
        """Build one that the question itself states."""
        return replace(cls.given(name, statement, **bounds), posed=True)

    def left(self, link: str = "{}") -> str:
        """Say what is left of the value if this is left open, its rule written as ``link``."""
        said = []
        for side, rule in (("a lower", self.lower), ("an upper", self.upper)):
            if rule:
                said.append(f"the value is {side} bound ({link.format(rule)})")
        return "; ".join([*said, self.fallback_text] if self.fallback_text else said)


def first_sentence(statement: str) -> str:
    """What the line of an answer says of a given hypothesis."""
    return statement.partition(". ")[0]


#: Hidden units have two names.
_SAME_MEANING = {"units": "hidden", "hidden": "units", "true_units": "true_hidden"}


def parse_arguments(parameters: Sequence[Parameter], texts: Iterable[str]) -> dict[str, Any]:
    """Split ``name=value`` texts and read each value.

    >>> parse_arguments([Parameter("widths", Kind.INTEGERS, "layer widths")], ["widths=5,3,5"])
    {'widths': (5, 3, 5)}
    """
    parameter_of = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if name not in parameter_of and _SAME_MEANING.get(name) in parameter_of:
            name = _SAME_MEANING[name]
        if not equals:
            raise InputError(f"expected name=value, not {_short(text)}; {_names(parameter_of)}")
        if name not in parameter_of:
            raise InputError(_unknown(name, parameter_of))
        if name in values:
            raise InputError(f"{name} is given twice; keep one")
        values[name] = _read(parameter_of[name], value.strip())
    return values


def bind_arguments(parameters: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Check names and kinds, and fill in the defaults."""
    parameter_of = {parameter.name: parameter for parameter in parameters}
    for name in values:
        if name not in parameter_of:
            raise InputError(_unknown(name, parameter_of))
    bound: dict[str, Any] = {}
    for name, parameter in parameter_of.items():
        if name in values:
            bound[name] = _read(parameter, values[name])
        elif parameter.default is NO_DEFAULT:
            example = parameter.kind.value.rpartition(" ")[2]
            raise InputError(f"{name} is missing: give, say, {name}={example}")
        else:
            bound[name] = parameter.default
    return bound


def text_of(value: Any) -> str:
    """Write a bound value as `parse_arguments` reads it.

    >>> text_of(((2, 0), (0, 3))), text_of((1, Fraction(1, 2))), text_of(False)
    ('2,0;0,3', '1,1/2', 'false')
    """
    if isinstance(value, Truth):
        return str(value.value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        separator = ";" if value and isinstance(value[0], tuple) else ","
        return separator.join(text_of(item) for item in value)
    return str(value)


def _read(parameter: Parameter, value: Any) -> Any:
    if value is None and parameter.default is None:
        return None
    try:
        return _VALUE_READERS[parameter.kind](value)
    except (ValueError, TypeError, KeyError, ArithmeticError):
        raise InputError(
            f"{parameter.name} must be {parameter.kind.value}, not {_short(value)}"
        ) from None


def _integer(value: Any) -> int:
    if isinstance(value, str):
        if len(value) > MAX_DIGITS:
            raise ValueError
        return int(value)
    if isinstance(value, bool):
        raise TypeError
    return index(value)


def _fraction(value: Any) -> Fraction:
    if isinstance(value, str):
        numerator, slash, denominator = value.partition("/")
        return Fraction(_integer(numerator), _integer(denominator) if slash else 1)
    return value if isinstance(value, Fraction) else Fraction(_integer(value))


def _tuple(value: Any, separator: str, read: Callable[[Any], Any]) -> tuple[Any, ...]:
    if isinstance(value, str):
        value = [part.strip() for part in value.split(separator)] if value else []
    items = list(value)
    if len(items) > MAX_VALUES:
        raise ValueError
    return tuple(read(item) for item in items)


def _rows(value: Any) -> tuple[tuple[int, ...], ...]:
    return _tuple(value, ";", lambda row: _tuple(row, ",", _integer))


def _matrix(value: Any) -> tuple[tuple[Fraction, ...], ...]:
    return _tuple(value, ";", lambda row: _tuple(row, ",", _fraction))


def _word(value: Any) -> str:
    if not isinstance(value, str) or not value or len(value) > MAX_DIGITS:
        raise ValueError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ValueError
    return value


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    return {"true": True, "yes": True, "false": False, "no": False}[str(value).lower()]


def _given(value: Any) -> Truth:
    # Who says that it is true vouches for it: only computation makes a hypothesis true.
    said = str(value.value if isinstance(value, Truth) else value).lower()
    return Truth({"true": "given", "undecided": "open"}.get(said, said))


_VALUE_READERS: Final[dict[Kind, Callable[[Any], Any]]] = {
    Kind.INTEGER: _integer,
    Kind.INTEGERS: lambda value: _tuple(value, ",", _integer),
    Kind.FRACTION: _fraction,
    Kind.FRACTIONS: lambda value: _tuple(value, ",", _fraction),
    Kind.ROWS: _rows,
    Kind.MATRIX: _matrix,
    Kind.WORD: _word,
    Kind.TEXT: _text,
    Kind.FLAG: _flag,
    Kind.GIVEN: _given,
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:40] + "…" + text[-10:]


def _names(parameter_of: Mapping[str, Parameter]) -> str:
    return "the arguments are " + ", ".join(parameter_of)


def _unknown(name: str, parameter_of: Mapping[str, Parameter]) -> str:
    near = difflib.get_close_matches(name, parameter_of, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"unknown argument {_short(name)}; {hint}{_names(parameter_of)}"


#: Of the theorems on networks with one hidden layer.
OUTER_WEIGHTS = Parameter("outer", Kind.MATRIX, "true outer weights v_kj, one row per output")
