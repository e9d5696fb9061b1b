"""What a model is: sizes and a truth, turned into the polynomials of its question."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rlct.errors import InputError
from rlct.system.options import plain_fraction

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

#: `Model.where` of what is asked by the largest rank of a derivative.
GENERIC_TRUTH: Final = (
    "least over the fibre of a generic truth: all weights but a set of measure zero"
)
MAX_SIZE: Final = 10**6  # largest size of a model; the closed forms are instant up to there


def size_field(help: str, *, least: int = 1, default: Any = MISSING, most: int = MAX_SIZE) -> Any:
    """Declare a field that is an integer from ``least`` to ``most``."""
    metadata = {"help": help, "kind": "size", "least": least, "most": most}
    return field(default=default, metadata=metadata)


def numbers_field(help: str, *, least: int = 1, default: Any = MISSING) -> Any:
    """Declare a field that is a tuple of integers ≥ ``least``."""
    return field(default=default, metadata={"help": help, "kind": "numbers", "least": least})


def flag_field(help: str) -> Any:
    """Declare a field that is true or false, false by default."""
    return field(default=False, metadata={"help": help, "kind": "flag"})


def fraction_field(help: str, *, default: Fraction) -> Any:
    """Declare a field that is a positive exact fraction."""
    return field(default=default, metadata={"help": help, "kind": "fraction"})


def concentration_field(whose: str = "weights") -> Any:
    """Declare the parameter α of a Dirichlet prior, 1 by default."""
    help = f"alpha of the Dirichlet prior of the {whose} (1: uniform)"
    return fraction_field(help, default=Fraction(1))


def text_field(help: str, *, default: Any = MISSING) -> Any:
    """Declare a field that is text, which the model reads itself."""
    return field(default=default, metadata={"help": help, "kind": "words"})


@dataclass(frozen=True)
class Polynomials:
    """A polynomial question in writing: the arguments of `rlct.ideal`."""

    #: K is comparable with Σ g² near the point.
    generators: Sequence[str]
    #: The point; variables that are not named are 0 there.
    at: Mapping[str, Any] = field(default_factory=dict)
    #: Exponents of the prior Π|x|^h.
    prior: Mapping[str, Any] = field(default_factory=dict)
    #: Variables restricted to x ≥ 0.
    nonneg: Sequence[str] = ()


@dataclass(frozen=True)
class FibreEquations:
    """The equations of all parameters of a truth, in writing: generators over all real values."""

    #: At every parameter of the truth K is comparable with Σ g², or with more than that.
    generators: Sequence[str]
    #: Variables that take only values ≥ 0.
    nonneg: Sequence[str] = ()
    #: Whether every zero is a parameter, so that the pair there is a bound from above.
    complete: bool = True
    #: Coordinates on which the equations depend and the model does not: at every parameter the pair
    #: of the equations is that of the model and 1/2 for each.
    extra_coordinates: int = 0
    #: A zero that is likely to be the deepest; variables that are not named are 0 there.
    at: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Model(ABC):
    """A statistical model at a truth.

    A model file defines one subclass as ``MODEL``: a frozen dataclass whose fields are its
    sizes, each with the help that says what it is.  It is discovered; the command line reads the
    fields.
    """

    #: ``id`` names the command ``rlct <group> <id>``.
    id: ClassVar[str]
    title: ClassVar[str]
    #: Options of that command that give an answer at once.
    example: ClassVar[str]
    group: ClassVar[str] = "model"
    #: Fields that numbers alone give there, from input to output, ``"1"`` where there is one; a
    #: single field takes all of them.
    in_order: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Normalise the fields and refuse what is no model."""
        for item in fields(self):
            value = _read(item.name, getattr(self, item.name), item.metadata, item.default)
            object.__setattr__(self, item.name, value)
        self.check()

    def check(self) -> None:  # noqa: B027 - most models have no condition between their sizes
        """Refuse sizes that contradict each other, with an `InputError`."""

    @property
    @abstractmethod
    def where(self) -> str:
        """The parameter of `polynomials` in words; if it is `deepest`, that it is the minimum."""

    @property
    def deepest(self) -> bool:
        """Whether no parameter of the same truth is more singular than that of `polynomials`.

        The theory page of the model's theorem proves it.
        """
        return True

    @property
    def asked(self) -> str:
        """Over which parameters λ is asked, in words."""
        return self.where if self.deepest else "minimum over all parameters of the truth"

    @property
    def answered_as(self) -> Model:
        """The model that certificates are about: this one, or the same by another name."""
        return self

    @property
    def parameter_count(self) -> int | None:
        """Number of parameters d; None if the model does not say it."""
        return None

    def polynomials(self) -> Polynomials:
        """Write out the question at the parameter that `where` names; InputError if none can be."""
        raise InputError(f"{self.title}: K is given by no polynomials")

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """Write out all parameters of the truth, as one or more sets of equations.

        None if the model does not say it.  The truth is in a form that scalings of the variables
        leave, and with them the equations (``theory/fibres.md``).
        """
        return ()

    def problem(self) -> Problem:
        """Return the polynomial question for the engine."""
        from rlct.questions.problem import Problem  # imports sympy

        asked = self.polynomials()
        return Problem.ideal(
            asked.generators,
            asked.at,
            asked.prior or None,
            asked.nonneg,
            provenance=str(self),
        )

    def __str__(self) -> str:
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        shown = ", ".join(f"{name} {value}" for name, value in values if value != "")
        return f"{self.title}: {shown}"


def _read(name: str, value: Any, metadata: Mapping[str, Any], default: Any) -> Any:
    if value is None and default is None:
        return None
    kind = metadata["kind"]
    try:
        if kind == "size":
            return _integer(name, value, metadata["least"], metadata["most"])
        if kind == "numbers":
            items = value.split(",") if isinstance(value, str) else list(value)
            if not items or len(items) > 100:
                raise ValueError
            return tuple(_integer(name, item, metadata["least"]) for item in items)
        if kind == "flag":
            if not isinstance(value, bool):
                raise TypeError
            return value
        if kind == "fraction":
            if isinstance(value, (float, bool)):
                raise TypeError
            exact = plain_fraction(str(value))
            if exact <= 0:
                raise InputError(f"{name} must be positive, not {exact}")
            return exact
        if not isinstance(value, str) or len(value) > 10_000:
            raise TypeError
    except InputError:
        raise
    except (TypeError, ValueError, ZeroDivisionError):
        what = {"size": "an integer", "numbers": "integers", "flag": "true or false"}
        shown = what.get(kind, "an exact fraction such as '1/2'" if kind == "fraction" else "text")
        raise InputError(f"{name} must be {shown}, not {value!r}"[:160]) from None
    return value


def _integer(name: str, value: Any, least: int, most: int = MAX_SIZE) -> int:
    if isinstance(value, bool):
        raise TypeError
    number = int(value) if isinstance(value, str) and len(value) < 20 else index(value)
    if number < least:
        raise InputError(f"{name} must be at least {least}, not {number}")
    if number > most:
        raise InputError(f"{name} must be at most {most}")
    return number
