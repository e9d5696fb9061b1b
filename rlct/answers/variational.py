"""Coefficients of variational free energies: λ_VB, beside the λ of the Bayesian posterior."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.answers.exact import theorem
from rlct.answers.result import Result
from rlct.errors import InputError
from rlct.system.options import plain_fraction

Rates = tuple[Fraction, Fraction]
_MIXTURE_SOURCE = (
    "Watanabe, K. and Watanabe, S. (2006). Stochastic complexities of Gaussian mixtures in "
    "variational Bayesian approximation. Journal of Machine Learning Research 7"
)
_LARGEST_SIZE = 10**6  # components, states or widths
#: Every answer says it.
NOT_LAM = "λ_VB is the coefficient of the variational free energy, not λ: λ ≤ λ_VB"


@dataclass(frozen=True)
class VariationalFamily:
    """A model with hidden or multiplied parameters, and what its factorised posterior costs.

    ``sizes`` and ``shapes`` name integers and positive fractions, with a line of help each;
    ``rates`` bounds λ_VB from both sides, and ``bayesian`` finds λ, or None if no theorem does.
    """

    title: str
    sizes: Mapping[str, str]
    shapes: Mapping[str, str]
    rates: Callable[..., Rates]
    bayesian: Callable[..., Result | None]
    source: str

    @property
    def hidden(self) -> bool:
        """Whether the truth has a component or a state, so that it is not zero."""
        return "concentration" in self.shapes


@dataclass(frozen=True)
class VariationalRate:
    """λ_VB of F_VB = nS + λ_VB log n + o(log n), the variational free energy; it is not λ.

    Parameters
    ----------
    family : str
        A key of `VARIATIONAL_FAMILIES`.
    arguments : mapping
        The sizes and shapes of the question.
    lower, upper : Fraction
        Proved bounds, equal if λ_VB is exact.
    bayesian : Result or None
        λ of the Bayesian posterior, or None if no theorem has it.
    source : str
        The published work.
    """

    family: str
    arguments: Mapping[str, int | Fraction]
    lower: Fraction
    upper: Fraction
    bayesian: Result | None
    source: str

    @property
    def exact(self) -> bool:
        """Whether both bounds are one number."""
        return self.lower == self.upper

    def __str__(self) -> str:
        value = f"= {self.upper}" if self.exact else f"in [{self.lower}, {self.upper}]"
        return "\n".join(
            (f"λ_VB {value}", NOT_LAM, f"Bayesian: {_bayesian(self.bayesian)}", self.source)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what `__str__` shows for JSON; numbers are text, as 3/2."""
        return {
            "schema": "rlct/1",
            "quantity": "lambda_VB",
            "warning": NOT_LAM,
            "family": self.family,
            "arguments": {name: str(value) for name, value in self.arguments.items()},
            "status": "exact" if self.exact else "bounds",
            "lower": str(self.lower),
            "upper": str(self.upper),
            "bayesian": None if self.bayesian is None else self.bayesian.to_dict(),
            "source": self.source,
        }


def _bayesian(result: Result | None) -> str:
    return "λ is not known here" if result is None else str(result).partition("\n")[0]


def _mixture_rates(components: int, true: int, parameters: int, concentration: Fraction) -> Rates:
    """Spare components are empty, or share the data of others."""
    used = Fraction(parameters + 1, 2)
    rate = true * used - Fraction(1, 2) + (components - true) * min(concentration, used)
    return rate, rate


def _gaussian_rates(dimension: int, **arguments: Any) -> Rates:
    return _mixture_rates(parameters=dimension, **arguments)


def _hidden_markov_rates(states: int, true: int, symbols: int, concentration: Fraction) -> Rates:
    """Spare states are never entered, or share the data of others."""
    half, emission = Fraction(1, 2), Fraction(symbols - 1, 2)

    def used(number: int) -> Fraction:
        row = (states - number) * concentration + (number - 1) * half
        return number * (row + emission)

    upper = min(used(true), used(states))
    sparse = true * ((states - 1) * concentration + emission)
    return (upper if concentration >= half else sparse), upper


def _linear_rates(inputs: int, hidden: int, outputs: int, true: int) -> Rates:
    """The narrower factor of a spare unit shrinks."""
    rate = Fraction(true * (inputs + outputs) + (hidden - true) * min(inputs, outputs), 2)
    return rate, rate


def _nmf_rates(
    rows: int, inner: int, columns: int, true: int, row_shape: Fraction, column_shape: Fraction
) -> Rates:
    """One factor of a spare component shrinks, or it shares the counts of others."""
    half = Fraction(1, 2)
    full = (rows + columns) * half
    spare = (inner - true) * min(rows * row_shape, columns * column_shape, full)
    sparse = 1 + (rows - 1) * min(row_shape, half) + (columns - 1) * min(column_shape, half)
    return true * sparse + spare, true * full + spare


def _boltzmann_rates(visible: int, hidden: int, true: int) -> Rates:
    """Weights of a spare unit have the variance n^(−1/2), all alike; one visible unit is free."""
    pairs = Fraction(visible if visible > 1 else 0, 4)
    return pairs * hidden, pairs * (hidden + true)


def _boltzmann_bayesian(visible: int, hidden: int, true: int) -> Result | None:
    known = visible > 1 and not true
    return theorem("rbm", visible=visible, hidden=hidden) if known else None


def _theorem_of(id: str, **names: str) -> Callable[..., Result]:
    """Ask a theorem, whose arguments have other names."""

    def ask(**arguments: Any) -> Result:
        return theorem(id, **{names.get(name, name): value for name, value in arguments.items()})

    return ask


def _if_uniform(ask: Callable[..., Result], *shapes: str) -> Callable[..., Result | None]:
    """Ask a theorem about priors that are positive and continuous: shape 1."""

    def bayesian(**arguments: Any) -> Result | None:
        given = [arguments.pop(name) for name in shapes]
        return ask(**arguments) if all(shape == 1 for shape in given) else None

    return bayesian


_DIRICHLET_FIELD = {"concentration": "φ of the Dirichlet prior Π a^(φ−1) of the weights"}
_MIX_FIELDS = {"components": "K, components of the model", "true": "K0, components of the truth"}

#: The families by name.
VARIATIONAL_FAMILIES = {
    "gaussian-mixture": VariationalFamily(
        "Gaussian mixture with known covariance",
        {**_MIX_FIELDS, "dimension": "d, dimension of the data"},
        _DIRICHLET_FIELD,
        _gaussian_rates,
        _theorem_of("gaussian-mixture"),
        _MIXTURE_SOURCE,
    ),
    "mixture": VariationalFamily(
        "mixture of regular exponential families",
        {**_MIX_FIELDS, "parameters": "M, parameters of a component"},
        _DIRICHLET_FIELD,
        _mixture_rates,
        _theorem_of("mixture", parameters="dimension"),
        _MIXTURE_SOURCE,
    ),
    "hidden-markov": VariationalFamily(
        "hidden Markov model, many sequences of one length above K, from state 1",
        {
            "states": "K, states of the model",
            "true": "K0, states of the truth",
            "symbols": "M, number of symbols",
        },
        {"concentration": "φ of the Dirichlet prior of each row of transitions"},
        _hidden_markov_rates,
        _if_uniform(_theorem_of("hidden-markov-bound", true="true_states"), "concentration"),
        "Hosino, T., Watanabe, K. and Watanabe, S. (2005). Stochastic complexity of variational "
        "Bayesian hidden Markov models. International Joint Conference on Neural Networks",
    ),
    "linear": VariationalFamily(
        "two-layer linear network BA, factorised in A and B",
        {
            "inputs": "M, inputs",
            "hidden": "H, hidden units",
            "outputs": "N, outputs",
            "true": "H0, rank of the true map",
        },
        {},
        _linear_rates,
        _theorem_of("reduced-rank-regression", true="rank"),
        "Nakajima, S. and Watanabe, S. (2007). Variational Bayes solution of linear neural "
        "networks and its generalization performance. Neural Computation 19",
    ),
    "nmf": VariationalFamily(
        "non-negative matrix factorisation of Poisson counts, Gamma priors",
        {
            "rows": "M, rows",
            "inner": "H, inner size of the model",
            "columns": "N, columns",
            "true": "H0, non-negative rank of the truth",
        },
        {
            "row_shape": "shape of the Gamma prior of the left factor",
            "column_shape": "shape of the Gamma prior of the right factor",
        },
        _nmf_rates,
        _if_uniform(_theorem_of("nmf-bound"), "row_shape", "column_shape"),
        "Kohjima, M. and Watanabe, S. (2017). Phase transition structure of variational Bayesian "
        "nonnegative matrix factorization. International Conference on Artificial Neural Networks",
    ),
    "boltzmann": VariationalFamily(
        "restricted Boltzmann machine without biases, all weights independent",
        {
            "visible": "M, visible units",
            "hidden": "N, hidden units",
            "true": "N0, hidden units of the truth",
        },
        {},
        _boltzmann_rates,
        _boltzmann_bayesian,
        "Nishiyama, Y. and Watanabe, S. (2006). Asymptotic behavior of stochastic complexity of "
        "complete bipartite graph-type Boltzmann machines. International Conference on Neural "
        "Information Processing",
    ),
}
#: What has the size of the truth, which it does not exceed.
_MODEL_SIZE = ("components", "states", "hidden", "inner")


def _checked(
    name: str, family: VariationalFamily, arguments: Mapping[str, Any]
) -> dict[str, int | Fraction]:
    """Read sizes and shapes; a shape that is left out is 1."""
    names = (*family.sizes, *family.shapes)
    if unknown := sorted(set(arguments) - set(names)):
        raise InputError(f"{name} has no argument {unknown[0]}; it has {', '.join(names)}")
    if missing := [size for size in family.sizes if arguments.get(size) is None]:
        raise InputError(f"{name} needs {missing[0]}: {family.sizes[missing[0]]}")
    checked_arguments: dict[str, int | Fraction] = {}
    for size in family.sizes:
        value = arguments[size]
        least = 0 if size == "true" and not family.hidden else 1
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InputError(f"{size} is an integer of at least {least}, not {value!r}")
        if value > _LARGEST_SIZE:
            raise InputError(f"{size} is at most {_LARGEST_SIZE}")
        checked_arguments[size] = value
    for shape in family.shapes:
        checked_arguments[shape] = _shape(shape, str(arguments.get(shape, 1)))
    (model,) = (size for size in _MODEL_SIZE if size in checked_arguments)
    top = min(
        checked_arguments[size]
        for size in (model, "inputs", "outputs", "rows", "columns")
        if size in checked_arguments
    )
    if checked_arguments["true"] > top:
        raise InputError(f"true is at most {top} for these sizes, not {checked_arguments['true']}")
    return checked_arguments


def _shape(name: str, text: str) -> Fraction:
    try:
        value = plain_fraction(text)
    except ValueError:
        value = Fraction(0)
    if value <= 0:
        raise InputError(f"{name} is a positive number such as 1/2, not {text:.40}")
    return value


def variational(family: str, **arguments: int | Fraction | str) -> VariationalRate:
    """Return λ_VB, the coefficient of log n in a variational free energy; it is at least λ.

    Parameters
    ----------
    family : str
        gaussian-mixture, mixture, hidden-markov, linear, nmf or boltzmann.
    **arguments
        Its sizes, integers, and its shapes, fractions or text such as "1/2", which are 1 if left
        out; ``rlct variational FAMILY --help`` names them.

    Returns
    -------
    VariationalRate

    Raises
    ------
    InputError
        If there is no such family, or an argument is unknown, missing or out of range.

    Examples
    --------
    >>> print(variational("gaussian-mixture", components=3, true=1, dimension=2).upper)
    3
    >>> rate = variational("hidden-markov", states=2, true=2, symbols=2, concentration="1/4")
    >>> print(rate.lower, rate.upper)
    3/2 2
    """
    if family not in VARIATIONAL_FAMILIES:
        raise InputError(f"no family {family!r}; there are {', '.join(VARIATIONAL_FAMILIES)}")
    chosen = VARIATIONAL_FAMILIES[family]
    checked_arguments = _checked(family, chosen, arguments)
    lower, upper = chosen.rates(**checked_arguments)
    return VariationalRate(
        family, checked_arguments, lower, upper, chosen.bayesian(**checked_arguments), chosen.source
    )
