"""One size of a family fitted to a table of observations, by another library or in closed form."""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from rlct.criteria.inputs import count_of
from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.system.options import brief_repr
from rlct.theorems.kit.mixture import COVARIANCE_KINDS

_FIT_TOLERANCE: Final = 1e-6  # of a log-likelihood between two steps of a fit, in all observations
_MOST_STEPS: Final = 20_000  # of a fit; near a variance of 0 they take thousands
_EMPTY_WEIGHT: Final = 1e-6  # weight of a class
_NO_NOISE: Final = 5e-3  # share of a unique variance; EM comes to 0 slowly
_DEPENDENT_RATIO: Final = 1e-6  # smallest singular value of the columns by the largest
_LEAST_MEAN: Final = 1e-12  # of counts, and of the mass of a component
_COLLAPSED_FACTOR: Final = 10.0  # times what is added to variances
_EMPTY_CLASS: Final = "has an empty class: it is a fit of a smaller size"
NOT_CONVERGED: Final = "had not converged: its maximum is higher"


class SizeFit(NamedTuple):
    """The largest log-likelihood over all starts, and what is wrong with it, or nothing."""

    log_likelihood: float
    doubt: str = ""


@dataclass(frozen=True)
class FamilyFitter:
    """How a family is fitted."""

    #: From the table and the facts that are given to those that all sizes share.
    facts_of: Callable[[FloatArray, Mapping[str, Any]], dict[str, Any]]
    #: From the table, the facts, a size, the number of starts and a seed to a `SizeFit`.
    fit: Callable[[FloatArray, Mapping[str, Any], int, int, int], SizeFit]
    #: From the table to the largest size whose likelihood is bounded and uses all its parts.
    most: Callable[[FloatArray], float] = lambda table: math.inf
    #: What its columns hold: ``"numbers"``, ``"categories"``, or ``"counts"`` in one column.
    takes: str = "numbers"
    #: Whether their covariance matrix does in place of observations.
    covariances: bool = False


def _fit_factors(
    table: FloatArray, facts: Mapping[str, Any], size: int, restarts: int, seed: int
) -> SizeFit:
    from sklearn.decomposition import FactorAnalysis

    n, variables = table.shape
    variances = table.var(axis=0)
    if size == 0:
        return SizeFit(-0.5 * n * float(np.log(2 * math.pi * variances).sum() + variables))
    rng = np.random.default_rng([seed, size])
    best_fit = SizeFit(-math.inf)
    for start in range(restarts):
        shares = rng.uniform(0.05, 1.0, variables) if start else 1.0
        model = FactorAnalysis(
            n_components=size,
            tol=_FIT_TOLERANCE,
            max_iter=_MOST_STEPS,
            svd_method="lapack",
            noise_variance_init=variances * shares,
        )
        _fit_quietly(model, table)
        if model.loglike_[-1] > best_fit.log_likelihood:
            best_fit = SizeFit(float(model.loglike_[-1]), doubt_of(model))
    return best_fit


def _fit_components(
    table: FloatArray, facts: Mapping[str, Any], size: int, restarts: int, seed: int
) -> SizeFit:
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(
        size,
        covariance_type=facts["covariance"],
        n_init=restarts,
        tol=_FIT_TOLERANCE,
        max_iter=_MOST_STEPS,
        random_state=seed,
    )
    _fit_quietly(model, table)
    return SizeFit(float(model.score(table)) * len(table), doubt_of(model))


def _fit_classes(
    table: FloatArray, facts: Mapping[str, Any], size: int, restarts: int, seed: int
) -> SizeFit:
    """From probabilities halfway between those of all rows and those of one."""
    rows, repeats = np.unique(table, axis=0, return_counts=True)
    hot = np.hstack([column[:, None] == np.unique(column) for column in rows.T]).astype(float)
    shares = repeats / repeats.sum()
    drawn = np.random.default_rng([seed, size]).choice(len(hot), (restarts, size), p=shares)

    def log_density(probabilities: FloatArray) -> FloatArray:
        return np.asarray(np.log(np.maximum(probabilities, _LEAST_MEAN)) @ hot.T)

    return _by_em(log_density, (hot[drawn] + shares @ hot) / 2, hot, repeats)


def _fit_counts(
    table: FloatArray, facts: Mapping[str, Any], size: int, restarts: int, seed: int
) -> SizeFit:
    """Binomial or Poisson components, from means near observations."""
    from scipy.stats import binom, poisson

    values, repeats = np.unique(table, return_counts=True)
    trials = facts.get("trials")
    most = trials and (1 - _LEAST_MEAN) * trials
    rng = np.random.default_rng([seed, size])
    start = rng.choice(table[:, 0], (restarts, size, 1)) + rng.uniform(0, 0.5, (restarts, size, 1))

    def log_density(means: FloatArray) -> FloatArray:
        means = np.clip(means, _LEAST_MEAN, most)
        law = binom(trials, means / trials) if trials else poisson(means)
        return np.asarray(law.logpmf(values))

    return _by_em(log_density, start, values[:, None], repeats)


def _by_em(
    log_density: Callable[[FloatArray], FloatArray],
    means: FloatArray,
    rows: FloatArray,
    repeats: Any,
) -> SizeFit:
    """The largest maximum of components with these means of rows, (starts, components, columns)."""
    shares = np.full((*means.shape[:2], 1), 1 / means.shape[1])
    last = np.full(len(means), -math.inf)
    for _ in range(_MOST_STEPS):
        joint = np.log(shares) + log_density(means)
        log_rows = np.logaddexp.reduce(joint, axis=1, keepdims=True)
        reached = log_rows[:, 0] @ repeats
        if (reached - last).max() < _FIT_TOLERANCE:
            best = int(reached.argmax())
            return SizeFit(
                float(reached[best]), _EMPTY_CLASS if shares[best].min() < _EMPTY_WEIGHT else ""
            )
        last = reached
        mass = np.exp(joint - log_rows) * repeats
        totals = mass.sum(axis=2, keepdims=True) + _LEAST_MEAN
        shares, means = totals / totals.sum(axis=1, keepdims=True), mass @ rows / totals
    return SizeFit(float(last.max()), NOT_CONVERGED)


def _fit_rank(
    table: FloatArray, facts: Mapping[str, Any], size: int, restarts: int, seed: int
) -> SizeFit:
    """−n/2 [q(1 + log 2π) + log|S_yy| + Σ_{i≤r} log(1 − ρ_i²)], ρ the canonical correlations.

    The largest over maps of rank r, intercepts and covariances of the noise (Anderson 1951).
    """
    inputs, q = facts["inputs"], facts["outputs"]
    n = len(table)
    left_factors, right_factors = (
        np.linalg.qr(part - part.mean(axis=0)) for part in (table[:, :inputs], table[:, inputs:])
    )
    correlations = np.linalg.svd(left_factors[0].T @ right_factors[0], compute_uv=False)
    log_det = 2 * np.log(np.abs(np.diag(right_factors[1]))).sum() - q * math.log(n)
    shares = np.log1p(-(correlations[:size] ** 2)).sum()
    return SizeFit(float(-n / 2 * (q * (1 + math.log(2 * math.pi)) + log_det + shares)))


def _fit_principal(
    table: FloatArray, facts: Mapping[str, Any], size: int, restarts: int, seed: int
) -> SizeFit:
    """−n/2 [p(1 + log 2π) + Σ_{i≤k} log λ_i + (p − k) log s], s the mean of the other λ.

    The largest over means, U and s; λ are the eigenvalues of the covariance (Tipping and Bishop
    1999).
    """
    n, variables = table.shape
    centred = table - table.mean(axis=0)
    roots = np.linalg.svd(centred, compute_uv=False) ** 2 / n
    rest = variables - size
    log_det = np.log(roots[:size]).sum() + rest * math.log(roots[size:].sum() / rest)
    return SizeFit(float(-n / 2 * (variables * (1 + math.log(2 * math.pi)) + log_det)))


def _fit_quietly(model: Any, table: Any, **options: Any) -> None:
    """Fit without warnings of convergence, which is asked afterwards."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(table, **options)


def doubt_of(model: Any) -> str:
    """What is wrong with a fitted model of scikit-learn or StepMix, or nothing."""
    ended = getattr(model, "n_iter_", 0) < getattr(model, "max_iter", math.inf)
    if not getattr(model, "converged_", ended):
        return NOT_CONVERGED
    if np.min(getattr(model, "weights_", 1.0)) < _EMPTY_WEIGHT:
        return _EMPTY_CLASS
    noise = getattr(model, "noise_variance_", None)
    if noise is not None and np.min(noise / (noise + (model.components_**2).sum(0))) < _NO_NOISE:
        return "has a unique variance of about 0 (Heywood), at which λ is not known"
    if (smallest := _smallest_variance(model)) < _COLLAPSED_FACTOR * getattr(
        model, "reg_covar", 0.0
    ):
        return f"has a variance of {smallest:.2g} and grows without end: try other starts"
    return ""


def _smallest_variance(model: Any) -> float:
    """Of all directions and components of a Gaussian mixture."""
    covariances = getattr(model, "covariances_", None)
    if covariances is None:
        return math.inf
    whole = model.covariance_type in ("full", "tied")
    return float(np.min(np.linalg.eigvalsh(covariances) if whole else covariances))


def _with_factors(table: FloatArray, facts: Mapping[str, Any]) -> dict[str, Any]:
    if table.shape[1] < 2:
        raise InputError("factor-analysis needs 2 columns or more, not 1")
    if len(table) > table.shape[1]:
        _check_rank(table)
    return {"variables": table.shape[1]}


def _most_factors(table: FloatArray) -> float:
    """Where columns are no fewer than rows, n − 1 factors leave variances of 0."""
    n, variables = table.shape
    return math.inf if n > variables else n - 2


def _most_classes(table: FloatArray) -> float:
    return len(np.unique(table, axis=0))


def _rank_of(table: FloatArray) -> int:
    whitened = (table - table.mean(axis=0)) / table.std(axis=0)
    return int(np.linalg.matrix_rank(whitened, rtol=_DEPENDENT_RATIO))


def _check_rank(table: FloatArray) -> None:
    """Refuse a column that the others determine."""
    n, variables = table.shape
    if n <= variables:
        raise InputError(
            f"{n} rows are too few for {variables} columns: the likelihood is unbounded"
        )
    if _rank_of(table) < variables:
        raise InputError(
            "columns are linearly dependent, such as a copy or a sum of others, and the likelihood "
            "is unbounded: leave one out"
        )


def _with_covariance(table: FloatArray, facts: Mapping[str, Any]) -> dict[str, Any]:
    covariance = facts.get("covariance", "full")
    if covariance not in COVARIANCE_KINDS:
        kinds = ", ".join(COVARIANCE_KINDS)
        raise InputError(f"covariance is {kinds}, not {brief_repr(covariance)}")
    if covariance in ("full", "tied"):
        _check_rank(table)
    return {"variables": table.shape[1], "covariance": covariance}


def _with_categories(table: FloatArray, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the data, or more where the caller knows of some that nobody chose."""
    counted = tuple(len(np.unique(column)) for column in table.T)
    given = facts.get("categories", counted)
    if len(given) != len(counted) or any(
        few < count for few, count in zip(given, counted, strict=True)
    ):
        shown = ",".join(map(str, counted))
        raise InputError(f"columns have {shown} categories, not {brief_repr(given)}")
    return {"categories": given}


def _with_sides(table: FloatArray, facts: Mapping[str, Any]) -> dict[str, Any]:
    columns = table.shape[1]
    if "outputs" not in facts:
        raise InputError("name the number of outputs, the last columns, as in --outputs 3")
    _check_rank(table)
    outputs = count_of(facts["outputs"], "outputs")
    if outputs >= columns:
        raise InputError(f"{outputs} outputs of {columns} columns leave no inputs")
    inputs = count_of(facts.get("inputs", columns - outputs), "inputs")
    if inputs + outputs != columns:
        raise InputError(f"{inputs} inputs and {outputs} outputs are not the {columns} columns")
    return {"inputs": inputs, "outputs": outputs}


def _with_trials(table: FloatArray, facts: Mapping[str, Any]) -> dict[str, Any]:
    if "trials" not in facts:
        raise InputError(f"name the number of trials, as in --trials {table.max():.0f}")
    trials = count_of(facts["trials"], "trials")
    if table.max() > trials:
        raise InputError(f"there is a count of {table.max():.0f} in {trials} trials")
    return {"trials": trials}


#: By id of the family.
FAMILY_FITTERS: Final = {
    "factor-analysis": FamilyFitter(_with_factors, _fit_factors, _most_factors, covariances=True),
    "gaussian-mixture": FamilyFitter(
        _with_covariance, _fit_components, lambda table: len(table) - 1
    ),
    "latent-class": FamilyFitter(_with_categories, _fit_classes, _most_classes, "categories"),
    "ppca": FamilyFitter(
        lambda table, facts: {"variables": table.shape[1]},
        _fit_principal,
        lambda table: _rank_of(table) - 1,
        covariances=True,
    ),
    "reduced-rank": FamilyFitter(_with_sides, _fit_rank, covariances=True),
    "binomial-mixture": FamilyFitter(_with_trials, _fit_counts, _most_classes, "counts"),
    "poisson-mixture": FamilyFitter(lambda table, facts: {}, _fit_counts, _most_classes, "counts"),
}
