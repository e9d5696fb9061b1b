"""Weights and datasets of quadratic networks, as Python values or JSON text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, Final

from rlct.errors import InputError
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures

Matrix = tuple[tuple[Fraction, ...], ...]
_MOST_NUMBERS: Final = 100_000  # of one table
_LARGEST_WEIGHT: Final = 1e150  # beyond it the square of a float overflows
_MOST_DIGITS: Final = 400  # characters of a number given as text


@dataclass(frozen=True)
class Weights:
    """Weights of a network; `rounded` if any of them was given as a float."""

    #: Biases of the units are the last column of ``hidden`` if ``bias``.
    hidden: Matrix
    outer: Matrix
    bias: bool
    rounded: bool


def read_weights(source: Any) -> Weights:
    """Read weights from a mapping or its JSON text.

    ``hidden`` has one row per unit and one column per input, ``outer`` one row per output and one
    column per unit, and ``bias``, which may be left out, one number per unit.  Integers, fractions
    (also as text, ``"1/2"``) and decimal text are exact; floats are rounded numbers.

    >>> read_weights('{"hidden": [[1, "1/2"]], "outer": [[2]]}').hidden
    ((Fraction(1, 1), Fraction(1, 2)),)
    """
    entries = read_json(source, "the weights") if isinstance(source, str) else source
    if not isinstance(entries, Mapping):
        raise InputError("the weights must be an object with hidden and outer")
    unknown = sorted(set(map(str, entries)) - {"hidden", "outer", "bias"})
    if unknown or not {"hidden", "outer"} <= set(entries):
        wrong = f", not {unknown[0]!r:.40}" if unknown else ""
        raise InputError(f"the weights need hidden and outer, and may have bias{wrong}")
    float_flags: list[bool] = []
    hidden = _rows("hidden", entries["hidden"], float_flags)
    outer = _rows("outer", entries["outer"], float_flags)
    biases = entries.get("bias")
    if biases is not None:
        (column,) = _rows("bias", [biases], float_flags)
        if len(column) != len(hidden):
            raise InputError(f"bias has {len(column)} numbers for {len(hidden)} hidden units")
        hidden = tuple((*row, b) for row, b in zip(hidden, column, strict=True))
    return Weights(hidden, outer, biases is not None, any(float_flags))


def read_law(
    data: Any, inputs: int | None, bias: bool, centred: bool
) -> tuple[QuadraticFeatures, bool]:
    """Read the law of the inputs, and whether its numbers were rounded.

    ``data`` is None for inputs with a density, ``"modular:P"``, or a table (or its JSON text);
    ``inputs``, their number, may be left out if data are given.
    """
    float_flags: list[bool] = []
    if data is None:
        if inputs is None:
            raise InputError("the number of inputs is missing: give inputs, data or weights")
        if centred:
            raise InputError("centred outputs need data: modular:P or a dataset")
        law = QuadraticFeatures.density(inputs, bias)
    elif isinstance(data, str) and data.strip().startswith("modular"):
        name, colon, number = data.strip().partition(":")
        if name != "modular" or not (colon and number.isdecimal() and len(number) < 6):
            raise InputError(f"data {data!r:.40} is not of the form modular:5")
        law = QuadraticFeatures.modular(int(number), bias, centred)
    else:
        rows = read_json(data, "the dataset") if isinstance(data, str) else data
        law = QuadraticFeatures.dataset(_rows("the dataset", rows, float_flags), bias, centred)
    if inputs is not None and law.inputs != inputs:
        raise InputError(f"the data have {law.inputs} inputs, not {inputs}")
    return law, any(float_flags)


def read_rows(name: str, source: Any) -> tuple[Matrix, bool]:
    """Read a table of numbers from rows or their JSON text, and whether any was a float.

    >>> read_rows("the dataset", '[[1, "1/2"]]')
    (((Fraction(1, 1), Fraction(1, 2)),), False)
    """
    floats: list[bool] = []
    rows = read_json(source, name) if isinstance(source, str) else source
    return _rows(name, rows, floats), any(floats)


class _Rounded(float):
    """A number that JSON text writes with a point or an exponent."""


def read_json(text: str, label: str) -> Any:
    """Parse JSON text, remembering which numbers were written with a point."""
    try:
        return json.loads(text, parse_float=_Rounded)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{label}: not JSON, in which rows are written [[1, 0], [0, 1]]: {str(error)[:80]}"
        ) from None


def _rows(name: str, rows: Any, float_flags: list[bool]) -> Matrix:
    try:
        table = [list(row) for row in rows]
    except TypeError:
        table = []
    if not table or any(isinstance(row, str) for row in rows) or not all(table):
        raise InputError(f"{name} must be rows of numbers")
    if sum(map(len, table)) > _MOST_NUMBERS:
        raise InputError(f"{name} has more than {_MOST_NUMBERS} numbers")
    if len({len(row) for row in table}) != 1:
        raise InputError(f"the rows of {name} have different lengths")
    return tuple(tuple(_number(name, value, float_flags) for value in row) for row in table)


def _number(name: str, value: Any, float_flags: list[bool]) -> Fraction:
    try:
        if isinstance(value, str):
            if len(value) > _MOST_DIGITS or "e" in value.lower():
                raise ValueError
            return Fraction(value)
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, (int, Rational)):
            return Fraction(int(value.numerator), int(value.denominator))
        item = getattr(value, "item", None)  # numpy scalars
        number = item() if item else value
        if isinstance(number, int) and not isinstance(number, bool):
            return Fraction(number)
        if not abs(float(number)) < _LARGEST_WEIGHT:  # also refuses nan
            raise ValueError
        float_flags.append(True)
        return Fraction(float(number))
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise InputError(f"{name} must hold finite numbers, not {value!r:.40}") from None


def sizes_agree(weights: Weights, units: int | None, outputs: int | None) -> None:
    """Refuse numbers of units or outputs that contradict the weights."""
    pairs: Sequence[tuple[str, int | None, int]] = (
        ("units", units, len(weights.hidden)),
        ("outputs", outputs, len(weights.outer)),
    )
    for name, said, found in pairs:
        if said is not None and said != found:
            raise InputError(f"the weights have {found} {name}, not {said}")
