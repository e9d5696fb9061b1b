"""What the theorems on models share: hypotheses on sizes, questions, known values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from rlct.errors import InputError
from rlct.models.base import Model
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import NO_DEFAULT, Kind, Parameter
from rlct.theorems.base import Arguments, Finding, Instance
from rlct.theorems.evidence import BY_ENGINE, TheoremBounds, ValueConfirmation, no_confirmation

ModelType = TypeVar("ModelType", bound=Model | LinearNetwork)
HypothesisCheck = Callable[[Arguments], tuple[Finding, ...]]


def integer_parameter(name: str, help: str, default: Any = NO_DEFAULT) -> Parameter:
    """Declare an integer parameter, with ``default=`` if it has one."""
    return Parameter(name, Kind.INTEGER, help, default)


def by_building(statement: str, build: Callable[[Arguments], str]) -> HypothesisCheck:
    """Build the hypothesis that what the arguments describe exists; ``build`` shows it."""

    def findings(arguments: Arguments) -> tuple[Finding, ...]:
        try:
            return (Finding.of(statement, True, build(arguments)),)
        except InputError as error:
            return (Finding.of(statement, False, str(error)),)

    return findings


def positive_sizes(arguments: Arguments, *names: str, least: int = 1) -> Finding:
    """Check that sizes are positive, or at least ``least``."""
    values = [arguments[name] for name in names]
    shown = ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
    return Finding.of(f"{', '.join(names)} ≥ {least}", min(values) >= least, shown)


def at_most(arguments: Arguments, small: str, large: str, least: int = 0) -> Finding:
    """Check that a true size is between ``least`` and the model's size."""
    low, high = arguments[small], arguments[large]
    return Finding.of(
        f"{small} is between {least} and {large}",
        least <= low <= high,
        f"{small} {low}, {large} {high}",
    )


def size_checks(
    *names: str, true: tuple[str, str] | None = None, least: int = 0
) -> HypothesisCheck:
    """Build the hypotheses that sizes are positive and, of ``true``, that it is `at_most`."""

    def findings(arguments: Arguments) -> tuple[Finding, ...]:
        positive = positive_sizes(arguments, *names)
        return (positive, at_most(arguments, *true, least=least)) if true else (positive,)

    return findings


def rows_of_variables(name: str, part: str) -> HypothesisCheck:
    """Build the hypothesis that there are rows of positive exponents, one for each part."""

    def findings(arguments: Arguments) -> tuple[Finding, ...]:
        rows = arguments[name]
        good = bool(rows) and all(row and min(row) >= 1 for row in rows)
        statement = f"there is a {part}, and each has variables with positive {name}"
        return (Finding.of(statement, good, f"{len(rows)} {part}s"),)

    return findings


def model_of(model: type[ModelType], arguments: Arguments) -> ModelType:
    """Build a model of the arguments that are its fields."""
    return model(**{f.name: arguments[f.name] for f in fields(model) if f.name in arguments})


def model_links(
    model: type[Model] | type[LinearNetwork],
    names: Sequence[str] | None = None,
    *,
    fixed: Mapping[str, Any] = {},
    when: Callable[[Any], bool] = lambda model: True,
) -> dict[str, Any]:
    """Build `question` and `recognise` of a theorem whose parameters are fields of a model.

    The parameters are the fields ``names``, or all but those that must have the values ``fixed``;
    ``when`` may ask for more.
    """
    names = names or [f.name for f in fields(model) if f.name not in fixed]

    def recognise(question: object) -> Arguments | None:
        if type(question) is not model:
            return None
        if any(getattr(question, name) != value for name, value in fixed.items()):
            return None
        return {name: getattr(question, name) for name in names} if when(question) else None

    return {
        "question": lambda arguments: model_of(model, {**arguments, **fixed}),
        "recognise": recognise,
    }


def known_instance(
    arguments: Any,
    lam: str,
    theta: int,
    *confirmations: ValueConfirmation,
    engine: bool = True,
) -> Instance:
    """Build an instance of an exact theorem."""
    ways = (BY_ENGINE, *confirmations) if engine else confirmations
    return Instance(arguments, Pair.of(lam, theta), ways)


#: A pair, that of θ = 1 by its λ alone.
_Claim = str | tuple[str, int]


def met_at(lam: str) -> TheoremBounds:
    """Bounds that meet."""
    return TheoremBounds("known value", Pair.of(lam), Pair.of(lam))


def bounded_instance(
    arguments: Any,
    lower: _Claim | None,
    upper: _Claim | None,
    truth: _Claim | None,
    *confirmations: ValueConfirmation,
    engine: bool = True,
) -> Instance:
    """Build an instance of a bound, with the true pair if it is known."""
    low, high, pair = (
        None if claim is None else Pair.of(*([claim] if isinstance(claim, str) else claim))
        for claim in (lower, upper, truth)
    )
    bounds = TheoremBounds("known value", low, high)
    ways = (BY_ENGINE, *confirmations) if engine else confirmations
    return Instance(arguments, pair, ways if pair else (_UNKNOWN_PAIR,), bounds)


_UNKNOWN_PAIR = no_confirmation("the true pair is not known")
