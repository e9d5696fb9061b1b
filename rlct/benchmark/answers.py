"""Read what a sampler says about the reference set, and refuse what cannot be judged."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.benchmark.problem import get_problem
from rlct.errors import InputError

_ANSWER_FIELDS = ("lambda", "interval", "level", "theta", "n_beta", "error")

_LARGEST_NUMBER = 1e30  # of a number, and of one over an error: squares can still be summed
_LEAST_LEVEL = 1e-6  # of an interval from which an error follows


@dataclass(frozen=True)
class SamplerAnswer:
    """What a sampler says about one problem in one run."""

    #: Estimate of λ; with ``n_beta`` the tempered mean at this nβ, taken for λ.
    lam: float
    interval: tuple[float, float] | None = None
    level: float = 0.95
    theta: int | None = None
    #: The one nβ of an estimate at one temperature.
    n_beta: float | None = None
    #: Standard error; from the interval if only that is given.
    error: float | None = None


def read_answers(value: Any) -> dict[str, tuple[SamplerAnswer, ...]]:
    """Read answers; see `score`.

    InputError, in one line, names the problem and what is wrong with its answer.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value, object_pairs_hook=_once)
        except InputError:
            raise
        except (ValueError, RecursionError) as error:
            raise InputError(f"the answers are not JSON: {str(error)[:100]}") from None
    if isinstance(value, list) and all(isinstance(row, Mapping) for row in value):
        value = _by_id(value)
    if isinstance(value, Mapping) and value.get("kind") == "estimate":
        raise InputError('an estimate does not say of which problem: give {"xy2": ESTIMATE}')
    if isinstance(value, Mapping) and value.get("kind") == "reference":
        raise InputError("these are the problems themselves, and no answers; see --help")
    if isinstance(value, Mapping) and not value:
        raise InputError("there is no answer to score; the problems: rlct reference list")
    if not isinstance(value, Mapping):
        raise InputError('the answers are not a JSON object such as {"xy2": {"lambda": 0.26}}')
    return {
        get_problem(str(name)).id: tuple(_runs(str(name), given)) for name, given in value.items()
    }


def _by_id(rows: list[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows that name their problem, as the set itself is exported."""
    by_problem: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, 1):
        if "id" not in row:
            raise InputError(f"answer {number} of {len(rows)} does not name its problem by id")
        by_problem.setdefault(str(row["id"]), []).append(
            {k: v for k, v in row.items() if k != "id"}
        )
    return by_problem


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different: of two the last would win in silence."""
    object_read = dict(pairs)
    if len(object_read) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{twice[:40]!r} is answered twice; several runs are a list")
    return object_read


def _runs(name: str, value: Any) -> Iterable[SamplerAnswer]:
    value = _plain(value)
    runs = value if isinstance(value, list) else [value]
    if not runs:
        raise InputError(f"{name}: the list of answers is empty")
    return [_read(name, run) for run in runs]


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as those of Python."""
    return value.tolist() if hasattr(value, "tolist") else value


def _read(name: str, value: Any) -> SamplerAnswer:
    value = _plain(value)
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        value = {"lambda": value}
    if not isinstance(value, Mapping):
        shown = "null" if value is None else repr(value)
        raise InputError(f"{name}: an answer is a number or an object with lambda, not {shown}")
    if value.get("kind") == "estimate":
        # What `rlct sample --json` prints has fields that are not judged.
        value = {key: value[key] for key in _ANSWER_FIELDS if value.get(key) is not None}
    for key in value:
        if key not in _ANSWER_FIELDS:
            raise InputError(
                f"{name}: unknown field {str(key)[:40]!r}; known: {', '.join(_ANSWER_FIELDS)}"
            )
    if "lambda" not in value:
        raise InputError(f"{name}: lambda is missing")
    lam = _number(name, "lambda", value["lambda"])
    interval = None
    if value.get("interval") is not None:
        ends = _plain(value["interval"])
        if not isinstance(ends, list | tuple) or len(ends) != 2:
            raise InputError(f"{name}: interval must be [low, high]")
        low, high = (_number(name, "interval", end) for end in ends)
        if low > high:
            raise InputError(f"{name}: interval [{low:g}, {high:g}] ends before it begins")
        if low == high:
            raise InputError(f"{name}: interval [{low:g}, {high:g}] has no width, so no error")
        interval = (low, high)
    level = _number(name, "level", value.get("level", 0.95))
    if not 0 < level < 1:
        raise InputError(f"{name}: level must lie between 0 and 1, not {level:g}")
    if level < _LEAST_LEVEL:
        raise InputError(f"{name}: level must be {_LEAST_LEVEL:g} at least, not {level:g}")
    theta = _plain(value.get("theta"))
    if isinstance(theta, float) and theta.is_integer():
        theta = int(theta)
    if theta is not None and (isinstance(theta, bool) or not isinstance(theta, int) or theta < 1):
        raise InputError(f"{name}: theta must be a positive integer")
    n_beta = None if value.get("n_beta") is None else _number(name, "n_beta", value["n_beta"])
    error = None if value.get("error") is None else _number(name, "error", value["error"])
    if (n_beta is not None and n_beta <= 0) or (error is not None and error <= 0):
        raise InputError(f"{name}: n_beta and error must be positive")
    if error is not None and error < 1 / _LARGEST_NUMBER:
        raise InputError(f"{name}: error must be {1 / _LARGEST_NUMBER:g} at least, not {error:g}")
    return SamplerAnswer(lam, interval, level, theta, n_beta, error)


def _number(name: str, field: str, value: Any) -> float:
    value = _plain(value)
    wrong = f"{name}: {field} must be a number, not {str(value)[:40]!r}"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise InputError(wrong)
    if isinstance(value, str):
        if not re.fullmatch(r"\s*\d{1,30}(\.\d{1,30}|/[1-9]\d{0,29})?\s*", value):
            raise InputError(wrong)
        value = Fraction(value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{name}: {field} must be a finite number")
    if abs(number) > _LARGEST_NUMBER:
        raise InputError(
            f"{name}: {field} must be below {_LARGEST_NUMBER:g} in size, not {number:g}"
        )
    return number
