"""A number estimated from posterior draws, with the errors of the draws and of the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.system.plain import json_values

__all__ = ["FloatArray", "Statistic", "mean_error"]

FloatArray = NDArray[np.floating[Any]]

_MEAN_LOSSES = ("waic", "loo")  # each a mean over observations
_SAME_FIELDS = ("beta", "observations", "used", "data_sets")  # of two statistics with a difference


@dataclass(frozen=True)
class Statistic:
    """A value with two errors that mean different things.

    Parameters
    ----------
    name : str
    value : float
    error : float
        Monte-Carlo standard error: how far ``value`` is from what the exact posterior of
        *these data* would give. 0 for exact integration.
    data_error : float or None
        Standard error over data, √n·sd of the terms of a sum over observations: how far the
        value of these data is from its expectation. None where it does not follow from the terms.
    ess, rhat : float or None
        Bulk effective sample size and split R-hat of the log-likelihood of all data; None for
        exact integration.
    warnings : tuple of str
        Reasons to distrust the value.
    details : mapping
        Further numbers, by name; they join :meth:`to_dict`.
    pointwise : array, shape (n,), or None
        One term per observation, whose mean (or sum) is the value.

    Examples
    --------
    >>> print(Statistic("waic", 1.25, 0.01, 0.2))
    waic = 1.25, standard error 0.01 (draws), 0.2 (data)
    """

    name: str
    value: float
    error: float
    data_error: float | None = None
    ess: float | None = None
    rhat: float | None = None
    warnings: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    pointwise: FloatArray | None = field(default=None, repr=False, compare=False)

    @property
    def elpd(self) -> tuple[float, float | None] | None:
        """−n times WAIC or the loss of leave-one-out, as others report it, and its error over data.

        Examples
        --------
        >>> Statistic("waic", 1.25, 0.01, 0.2, details={"observations": 100}).elpd
        (-125.0, 20.0)
        """
        if self.name not in _MEAN_LOSSES or "observations" not in self.details:
            return None
        n = self.details["observations"]
        return -n * self.value, None if self.data_error is None else n * self.data_error

    def to_dict(self) -> dict[str, Any]:
        """Fields ready for JSON, schema ``rlct/1``; infinite numbers become None."""
        numbers = {
            "value": self.value,
            "error": self.error,
            "data_error": self.data_error,
            "ess": self.ess,
            "rhat": self.rhat,
            **self.details,
        }
        if self.elpd is not None:
            numbers["elpd"], numbers["elpd_error"] = self.elpd
        return {
            "schema": "rlct/1",
            "kind": self.name,
            **json_values(numbers),
            "warnings": list(self.warnings),
        }

    def minus(self, other_model: Statistic) -> Statistic:
        """Difference of the same statistic of two models on the same observations.

        The error over data is that of the paired differences, which is smaller than the two
        errors together suggest; None where one of the two has none. Draws of the two models are
        taken to be independent. How each value was estimated may differ: smoothed and plain
        weights of leave-one-out, or draws and exact integration, aim at the same number.

        Parameters
        ----------
        other_model : Statistic

        Raises
        ------
        InputError
            If the two are not the same statistic of the same number of observations, at the
            same inverse temperature.

        Examples
        --------
        >>> one = Statistic("waic", 1.5, 0.01, 0.5, pointwise=np.array([1.0, 2.0]))
        >>> print(one.minus(Statistic("waic", 1.2, 0.01, 0.4, pointwise=np.array([0.8, 1.6]))))
        waic = 0.3, standard error 0.014 (draws), 0.1 (data)
        """
        if self.name != other_model.name:
            raise InputError(f"{self.name} and {other_model.name} are not the same statistic")
        if self.pointwise is None or other_model.pointwise is None:
            raise InputError(f"{self.name} has no terms for single observations")
        if len(self.pointwise) != len(other_model.pointwise):
            raise InputError(
                f"{len(self.pointwise)} and {len(other_model.pointwise)} observations: "
                "a difference needs the same data"
            )
        shared_details = _shared([self, other_model], "a difference")
        paired_terms = self.pointwise - other_model.pointwise
        data_error = None
        if self.data_error is not None and other_model.data_error is not None:
            data_error = mean_error(paired_terms)
            if (
                data_error is not None and "used" in shared_details
            ):  # a sum, from a part of its terms
                whole = shared_details["observations"]
                data_error *= whole * math.sqrt(1.0 - shared_details["used"] / whole)
        return Statistic(
            name=self.name,
            value=self.value - other_model.value,
            error=math.hypot(self.error, other_model.error),
            data_error=data_error,
            warnings=tuple(dict.fromkeys((*self.warnings, *other_model.warnings))),
            details=shared_details,
            pointwise=paired_terms,
        )

    @classmethod
    def over_data(cls, statistics: Sequence[Statistic]) -> Statistic:
        """Mean of one statistic over independent data sets, an estimate of its expectation.

        Here the error over data is the scatter of the values, which holds for every statistic.

        Parameters
        ----------
        statistics : sequence of Statistic
            At least two, of the same name and at the same inverse temperature.

        Raises
        ------
        InputError
            If there are fewer, or the names or the inverse temperatures differ.
        """
        names = sorted({single_statistic.name for single_statistic in statistics})
        if len(statistics) < 2 or len(names) != 1:
            raise InputError("a mean over data needs one statistic of two data sets or more")
        beta = _shared(statistics, "a mean over data", ("beta",))
        values = np.array([single_statistic.value for single_statistic in statistics])
        errors = np.array([single_statistic.error for single_statistic in statistics])
        return cls(
            name=names[0],
            value=float(values.mean()),
            error=float(np.sqrt((errors**2).sum()) / len(errors)),
            data_error=mean_error(values),
            warnings=tuple(
                dict.fromkeys(
                    text for single_statistic in statistics for text in single_statistic.warnings
                )
            ),
            details={**beta, "data_sets": len(statistics)},
            pointwise=values,
        )

    def __str__(self) -> str:
        data = "" if self.data_error is None else f", {self.data_error:.2g} (data)"
        text = f"{self.name} = {self.value:.6g}, standard error {self.error:.2g} (draws){data}"
        if self.elpd is None:
            return text
        total, scatter = self.elpd
        others = "" if scatter is None else f", standard error {scatter:.3g} (data)"
        return f"{text}\nelpd_{self.name} = {total:.6g}{others}: of all observations"


def _shared(
    statistics: Sequence[Statistic], meaning: str, keys: Sequence[str] = _SAME_FIELDS
) -> dict[str, Any]:
    """Details that must not differ: those that all statistics have, once they are equal."""
    shared_details: dict[str, Any] = {}
    for key in keys:
        shared_values = [one.details[key] for one in statistics if key in one.details]
        for value in shared_values:
            if not math.isclose(value, shared_values[0]):
                name = "β" if key == "beta" else key
                raise InputError(
                    f"{name} = {shared_values[0]:g} and {value:g}: {meaning} needs the same"
                )
        if len(shared_values) == len(statistics):
            shared_details[key] = shared_values[0]
    return shared_details


def mean_error(terms: FloatArray) -> float | None:
    """Standard error of the mean of independent terms; None for fewer than two."""
    if len(terms) < 2:
        return None
    return float(terms.std(ddof=1) / math.sqrt(len(terms)))
