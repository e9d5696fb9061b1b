"""Maximised log-likelihoods of every size, from data or from fits of another library."""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.system.options import brief_repr
from rlct.theorems.kit.mixture import COVARIANCE_KINDS

__all__ = ["FittedSizes", "NamedTable", "fit_sizes", "read_fits", "read_observations"]

_TOLERANCE: Final = 1e-6  # of a log-likelihood between two steps of a fit, in all observations
_MOST_STEPS: Final = 20_000  # of a fit; near a variance of 0 they take thousands


@dataclass(frozen=True)
class FittedSizes:
    """What a family was fitted to, and how well.

    Parameters
    ----------
    log_likelihood : mapping
        By size.
    n : int or None
        Number of observations, where it is known.
    facts : mapping
        What all sizes share, as far as the data tell.
    warnings : tuple of str
    """

    log_likelihood: Mapping[int, float]
    n: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamedTable:
    """Observations in rows, with the names of the columns.

    Parameters
    ----------
    columns : tuple of str
    rows : tuple of tuple of float
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.rows, dtype=dtype)


def read_observations(path: str) -> NamedTable:
    """Read a CSV file with a line of names and a line for each observation.

    Raises
    ------
    InputError
        If it cannot be read, or an entry is text.  An empty entry is a gap.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if line]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is no table of comma-separated values") from None
    if len(lines) < 2:
        raise InputError(f"{path} needs a line of names and lines of numbers below it")
    columns, *entries = lines
    rows = []
    for number, line in enumerate(entries, 2):
        if len(line) != len(columns):
            raise InputError(
                f"{path}: line {number} has {len(line)} entries, the first {len(columns)}"
            )
        try:
            rows.append(tuple(float(entry) if entry.strip() else math.nan for entry in line))
        except ValueError:
            raise InputError(
                f"{path}: line {number} holds text: leave out columns that are no numbers"
            ) from None
    return NamedTable(tuple(columns), tuple(rows))


def read_fits(fits: Sequence[Any], n: int | None) -> tuple[str, FittedSizes]:
    """Family and log-likelihoods of fitted objects of scikit-learn.

    Raises
    ------
    InputError
        If one of them is of another kind, is not fitted, or saw other data than the first.

    Examples
    --------
    >>> class FactorAnalysis:
    ...     components_, loglike_ = np.zeros((2, 6)), [-900.0, -855.4]
    >>> family, fitted = read_fits([FactorAnalysis()], 143)
    >>> family, dict(fitted.log_likelihood), dict(fitted.facts)
    ('factor-analysis', {2: -855.4}, {'variables': 6})
    """
    log_likelihoods: dict[int, float] = {}
    seen_kinds = set()
    notes = []
    for fit in fits:
        kind = type(fit).__name__
        if kind not in ("FactorAnalysis", "GaussianMixture"):
            raise InputError(
                f"{brief_repr(kind)} is no fit that is read: give fitted FactorAnalysis or "
                "GaussianMixture of scikit-learn, or log-likelihoods by size, as in "
                "{1: -320.5, 2: -310.2}"
            )
        if not hasattr(fit, "components_" if kind == "FactorAnalysis" else "means_"):
            raise InputError(f"a {kind} of the list is not fitted: call its fit(data) first")
        if kind == "FactorAnalysis":
            size, variables = np.shape(fit.components_)
            value, covariance = float(fit.loglike_[-1]), ""
        else:
            size, variables = np.shape(fit.means_)
            value, covariance = float(fit.lower_bound_), fit.covariance_type
            if n is None:
                raise InputError("name the number of observations, n")
            value *= n
            if not fit.converged_:
                notes.append(f"the fit of size {size} had not converged: its maximum is higher")
        if size in log_likelihoods:
            raise InputError(f"two fits have size {size}: give the better one")
        log_likelihoods[size] = value
        seen_kinds.add((kind, variables, covariance))
    if len(seen_kinds) > 1:
        raise InputError("the fits differ in kind, variables or covariance_type")
    ((kind, variables, covariance),) = seen_kinds
    facts: dict[str, Any] = {"variables": variables}
    if covariance:
        facts["covariance"] = covariance
    family = "factor-analysis" if kind == "FactorAnalysis" else "gaussian-mixture"
    return family, FittedSizes(log_likelihoods, None, facts, tuple(notes))


def fit_sizes(
    data: Any,
    family: str,
    sizes: Sequence[int],
    *,
    covariance: str,
    restarts: int,
    seed: int,
    progress: Callable[[float, str], object] | None,
) -> FittedSizes:
    """Fit every size to a table of observations, from several starts, with scikit-learn.

    Ctrl-C keeps the sizes that are done.

    Raises
    ------
    InputError
        If the data cannot be fitted, or the family is not fitted here.
    KeyboardInterrupt
        Before the first size is done.
    """
    if family not in ("factor-analysis", "gaussian-mixture") or covariance == "known":
        raise InputError(
            f"{family} is not fitted here: give the maximised log-likelihood of each size, as in "
            "{1: -320.5, 2: -310.2}"
        )
    if covariance not in COVARIANCE_KINDS:
        raise InputError(
            f"covariance is {', '.join(COVARIANCE_KINDS)}, not {brief_repr(covariance)}"
        )
    table = _table_of(data)
    _import_sklearn()
    n, variables = table.shape
    log_likelihoods: dict[int, float] = {}
    notes = []
    try:
        for size_index, size in enumerate(sizes):
            value, has_converged = (
                _factors(table, size, restarts, seed)
                if family == "factor-analysis"
                else _components(table, size, covariance, restarts, seed)
            )
            log_likelihoods[size] = value
            if not has_converged:
                notes.append(f"the fit of size {size} had not converged: its maximum is higher")
            if progress is not None:
                progress((size_index + 1) / len(sizes), f"size {size}")
    except KeyboardInterrupt:
        if not log_likelihoods:
            raise
        left_out = ", ".join(str(size) for size in sizes if size not in log_likelihoods)
        notes.append(f"interrupted: not fitted were {left_out}")
    facts: dict[str, Any] = {"variables": variables}
    if family == "gaussian-mixture":
        facts["covariance"] = covariance
    return FittedSizes(log_likelihoods, n, facts, tuple(notes))


def _factors(table: FloatArray, size: int, restarts: int, seed: int) -> tuple[float, bool]:
    """The best log-likelihood over the starts, and whether that one converged."""
    from sklearn.decomposition import FactorAnalysis

    n, variables = table.shape
    variances = table.var(axis=0)
    if size == 0:
        return -0.5 * n * float(np.log(2 * math.pi * variances).sum() + variables), True
    if size > variables:
        raise InputError(f"{size} factors of {variables} variables: at most {variables} can be")
    rng = np.random.default_rng([seed, size])
    best_value, has_converged = -math.inf, False
    for start in range(restarts):
        shares = rng.uniform(0.05, 1.0, variables) if start else 1.0
        model = FactorAnalysis(
            n_components=size,
            tol=_TOLERANCE,
            max_iter=_MOST_STEPS,
            svd_method="lapack",
            noise_variance_init=variances * shares,
        )
        _fit_quietly(model, table)
        if model.loglike_[-1] > best_value:
            best_value, has_converged = float(model.loglike_[-1]), model.n_iter_ < _MOST_STEPS
    return best_value, has_converged


def _components(
    table: FloatArray, size: int, covariance: str, restarts: int, seed: int
) -> tuple[float, bool]:
    """The best log-likelihood of a mixture over the starts, and whether that one converged."""
    from sklearn.mixture import GaussianMixture

    if not 1 <= size < len(table):
        raise InputError(f"{size} components of {len(table)} observations cannot be fitted")
    model = GaussianMixture(
        size,
        covariance_type=covariance,
        n_init=restarts,
        tol=_TOLERANCE,
        max_iter=_MOST_STEPS,
        random_state=seed,
    )
    _fit_quietly(model, table)
    return float(model.score(table)) * len(table), bool(model.converged_)


def _fit_quietly(model: Any, table: FloatArray) -> None:
    """Fit without warnings of convergence, which is asked afterwards."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(table)


def _table_of(data: Any) -> FloatArray:
    """Rows of observations without gaps, whose columns vary."""
    names = [str(name) for name in getattr(data, "columns", ())]
    try:
        table = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        raise InputError("the data hold text: give columns of numbers alone") from None
    if table.ndim != 2 or not table.size:
        raise InputError(f"data have rows of observations and columns, not the shape {table.shape}")
    n, variables = table.shape

    def column(which: int) -> str:
        return names[which] if names else f"column {which + 1}"

    gaps = np.argwhere(~np.isfinite(table))
    if len(gaps):
        row, which = gaps[0].tolist()
        raise InputError(
            f"row {row + 1} has no number in {column(which)}, and {len(gaps) - 1} other entries "
            "have none: drop or fill such rows"
        )
    constant = np.flatnonzero(table.std(axis=0) <= 1e-12 * np.abs(table).max(axis=0))
    if len(constant):
        raise InputError(f"{column(int(constant[0]))} has one value alone: leave it out")
    if n <= variables:
        raise InputError(
            f"{n} rows are too few for {variables} columns: the likelihood is unbounded"
        )
    return table


def _import_sklearn() -> None:
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise InputError(
            "data are fitted with scikit-learn: pip install 'rlct[select]', or give "
            "log-likelihoods by size"
        ) from None
