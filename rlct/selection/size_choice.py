"""Which size of a family of models the data support: criteria and probabilities of each."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from rlct.criteria.evidence_equations import (
    evidence_table,
    log_prior_of,
    missed_maxima,
    probabilities_of,
)
from rlct.criteria.inputs import count_of, finite_numbers
from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.selection.draw_criteria import draw_criteria
from rlct.selection.families import MODEL_FAMILIES, get_family
from rlct.selection.family_kinds import TruthCell
from rlct.selection.fitting import FittedSizes, fit_sizes, read_fits, read_observations
from rlct.selection.open_cells import possible_outcomes
from rlct.selection.outcome import Selection
from rlct.system.options import brief_repr

_LARGEST_LOG: Final = 1e15  # log-likelihood of all observations, beyond which steps of 0.1 are lost
_OTHER_PRIORS: Final = (Fraction(1, 2), Fraction(2))  # of the weights, to compare with


def select(
    data_or_fits: Any,
    family: str | None = None,
    sizes: Iterable[int] | None = None,
    *,
    n: int | None = None,
    prior: Sequence[float] | None = None,
    proxies: str | None = None,
    draws: Mapping[int, Any] | None = None,
    beta: float = 1.0,
    restarts: int = 10,
    seed: int = 0,
    progress: Callable[[float, str], object] | None = None,
    **facts: Any,
) -> Selection:
    """Compare the sizes of a family of models by their maximised log-likelihoods.

    Parameters
    ----------
    data_or_fits : mapping, sequence or array
        From sizes to maximised log-likelihoods of all n observations; or a list of fitted
        ``FactorAnalysis``, ``GaussianMixture`` or ``NMF`` of scikit-learn, ``StepMix``,
        ``FactorResults`` of statsmodels, ``Model`` of semopy with all loadings, or
        ``CategoricalHMM`` of hmmlearn; or a data frame, array or CSV file of observations in
        rows, to which the first, second and fourth are fitted (extra ``select``), or principal
        components and ranks in closed form.
    family : str, optional
        ``"factor-analysis"``, ``"ppca"``, ``"reduced-rank"``, ``"latent-class"``,
        ``"binomial-mixture"``, ``"multinomial-mixture"``, ``"poisson-mixture"``,
        ``"exponential-mixture"``, ``"gaussian-mixture"``, ``"topics"``, ``"nmf"``,
        ``"hidden-markov"``, ``"quadratic-network"`` or ``"tanh"``.  Fitted objects tell it.
    sizes : iterable of int, optional
        Which to fit to data.
    n : int, optional
        Number of independent observations, which data tell.
    prior : sequence of float, optional
        Prior probabilities of the sizes in rising order, up to a factor; equal by default.
    proxies : {"drton-plummer"}, optional
        Numbers in place of bounds that are not proved: those of the R package sBIC for
        ``"gaussian-mixture"`` and ``"latent-class"``.  Such cells say "proxy".
    draws : mapping, optional
        From sizes to log p(X_i|w) at posterior draws, as `rlct.waic` takes them: adds WAIC and
        leave-one-out, and of draws at β < 2/log n WBIC.
    beta : float
        Inverse temperature of the draws.
    restarts, seed : int
        Starts of each fit to data, and of their random numbers.
    progress : callable, optional
        Called with the share that is done and the size that was fitted.
    **facts
        What is the same for all sizes: ``variables=6``, ``inputs=5, outputs=3``,
        ``categories=(2, 2, 2)``, ``trials=30``, ``concentration="1/2"`` and so on; an error names
        those of a family.

    Returns
    -------
    Selection
        With λ and θ of each model at each smaller truth, exact or between proved bounds, and with
        the interval of each probability that the bounds leave.

    Raises
    ------
    InputError
        If a size, a number or a fact is missing or impossible, or the data cannot be fitted.

    Notes
    -----
    Drton, M. and Plummer, M. (2017), Journal of the Royal Statistical Society B 79:323–380.  A
    truth is one of the sizes given; BIC and AIC use the dimension.

    Examples
    --------
    Exchange rates of Lopes and West (2004), six currencies:

    >>> import rlct
    >>> fits = {0: -1214.439, 1: -977.050, 2: -855.399, 3: -854.377}
    >>> found = rlct.select(fits, "factor-analysis", n=143, variables=6)
    >>> found.best, [round(low, 4) for low, _ in found.probability]
    (2, [0.0, 0.0, 0.9813, 0.0187])
    >>> str(found.truths[3, 2])
    '19/2'
    """
    family, fitted_sizes = _fits_of(data_or_fits, family, sizes, n, facts, restarts, seed, progress)
    if not fitted_sizes.log_likelihood:
        raise InputError("there are no sizes: give log-likelihoods as in {1: -320.5, 2: -310.2}")
    if None not in (n, fitted_sizes.n) and n != fitted_sizes.n:
        raise InputError(f"n = {n}, but there are {fitted_sizes.n} observations: leave n out")
    observations = fitted_sizes.n if n is None else n
    if observations is None:
        raise InputError("name the number of observations, n")
    if proxies not in (None, "drton-plummer"):
        raise InputError(f"proxies are 'drton-plummer' or None, not {brief_repr(proxies)}")
    asked = _Asked(family, observations, prior, proxies is not None)
    selection = _choice(fitted_sizes.log_likelihood, asked, {**fitted_sizes.facts, **facts})
    of_draws = draw_criteria(draws, selection.sizes, selection.n, beta) if draws is not None else {}
    doubts = [
        f"{name} of size {size}: {text}"
        for name, statistics in of_draws.items()
        for size, statistic in zip(selection.sizes, statistics, strict=True)
        for text in statistic.warnings
    ]
    warnings = (*fitted_sizes.warnings, *selection.warnings, *doubts)
    return replace(selection, of_draws=of_draws, warnings=warnings)


def _fits_of(
    data_or_fits: Any,
    family: str | None,
    sizes: Iterable[int] | None,
    n: int | None,
    facts: Mapping[str, Any],
    restarts: int,
    seed: int,
    progress: Callable[[float, str], object] | None,
) -> tuple[str, FittedSizes]:
    """The family, and log-likelihoods that are given, read from fitted objects, or found."""
    if isinstance(data_or_fits, str | os.PathLike):
        data_or_fits = read_observations(os.fspath(data_or_fits))
    if isinstance(data_or_fits, list | tuple) and not _are_rows(data_or_fits):
        seen_family, read_sizes = read_fits(data_or_fits, n, facts)
        if family not in (None, seen_family):
            raise InputError(f"the fits are of {seen_family}: leave {brief_repr(family)} out")
        return seen_family, _same_sizes(read_sizes, sizes)
    if isinstance(data_or_fits, Mapping):
        if not all(hasattr(value, "__float__") for value in data_or_fits.values()):
            raise InputError(
                "log-likelihoods are numbers, as in {1: -320.5, 2: -310.2}; fitted objects are "
                "given as a list, [fit, …], and each tells its size"
            )
        if family is not None:
            return family, _same_sizes(FittedSizes(data_or_fits, n), sizes)
    if family is None:
        raise InputError(f"name the family: {', '.join(MODEL_FAMILIES)}")
    get_family(family)
    if not isinstance(sizes, Iterable):
        raise InputError("name the sizes to fit, as in sizes=range(5)")
    return family, fit_sizes(
        data_or_fits,
        family,
        sorted(count_of(size, "a size", 0) for size in sizes),
        facts=facts,
        restarts=count_of(restarts, "restarts"),
        seed=count_of(seed, "seed", 0) % 2**32,
        progress=progress,
    )


def _same_sizes(fitted: FittedSizes, sizes: Iterable[int] | None) -> FittedSizes:
    """Refuse sizes that are not those of the fits, with an `InputError`."""
    if sizes is not None and (asked := set(sizes)) != set(fitted.log_likelihood):
        own, others = (", ".join(map(str, sorted(some))) for some in (fitted.log_likelihood, asked))
        raise InputError(f"the fits have sizes {own}, not {others}: leave sizes out")
    return fitted


def _are_rows(values: Sequence[Any]) -> bool:
    """Numbers in nested lists, not fitted objects."""
    return bool(values) and isinstance(values[0], list | tuple | np.ndarray)


@dataclass(frozen=True)
class _Asked:
    """What is asked of the fits, but for facts of the family."""

    family: str
    n: int
    prior: Sequence[float] | None
    proxies: bool


def _choice(fits: Mapping[int, float], asked_choice: _Asked, facts: Mapping[str, Any]) -> Selection:
    chosen_family = get_family(asked_choice.family)
    sizes = sorted(count_of(size, "a size", 0) for size in fits)
    max_likelihoods = finite_numbers([fits[size] for size in sizes], "maximised log-likelihoods")
    if np.abs(max_likelihoods).max() > _LARGEST_LOG:
        raise InputError(f"maximised log-likelihoods are logarithms, up to {_LARGEST_LOG:g}")
    n = count_of(asked_choice.n, "the number of observations", 3)
    chosen_family.check_sizes(facts, sizes)
    truths = {
        (model, truth): chosen_family.cell(facts, model, truth)
        for model in sizes
        for truth in sizes
        if truth <= model
    }
    if asked_choice.proxies:
        for (model, truth), cell in truths.items():
            if not cell.exact:
                proxy = chosen_family.proxy(facts, model, truth)
                truths[model, truth] = TruthCell(proxy, proxy, "proxy, not proved")
    log_prior = log_prior_of(asked_choice.prior, len(sizes))
    lower_table, upper_table = (
        _table(truths, sizes, max_likelihoods, n, end) for end in ("upper", "lower")
    )
    outcome_ranges = possible_outcomes(lower_table, upper_table, log_prior)
    parameters = tuple(chosen_family.parameter_count(facts, size) for size in sizes)
    dimension, notes = _dimensions(truths, sizes, parameters)
    bic = max_likelihoods - np.array(dimension) / 2 * math.log(n)
    smaller_sizes, gain_notes = _without_gain(
        outcome_ranges.candidates, sizes, max_likelihoods, log_prior, n
    )
    best_sizes = [sizes[at] for at in outcome_ranges.candidates]
    candidates = tuple(sorted({*best_sizes, *smaller_sizes}))
    named_cells = [(sizes[model], sizes[truth]) for model, truth in outcome_ranges.deciding]
    command = chosen_family.command(facts, *named_cells[0]) if named_cells else ""
    return Selection(
        family=asked_choice.family,
        sizes=tuple(sizes),
        n=n,
        log_likelihood=tuple(max_likelihoods.tolist()),
        parameters=parameters,
        dimension=dimension,
        aic=tuple((max_likelihoods - np.array(dimension)).tolist()),
        bic=tuple(bic.tolist()),
        sbic=_pairs(outcome_ranges.log_evidence),
        probability=_pairs(outcome_ranges.probability),
        bic_probability=probabilities_of(bic + log_prior),
        truths=truths,
        candidates=candidates,
        assumed=chosen_family.assumed,
        notes=(*notes, *_open_note(named_cells, best_sizes, command), *gain_notes),
        warnings=(
            *missed_maxima(max_likelihoods, lower_table, tuple(map(str, sizes))),
            *_edge(sizes, candidates),
            *_other_priors(fits, asked_choice, facts, candidates),
        ),
    )


def _table(
    truths: Mapping[tuple[int, int], TruthCell],
    sizes: Sequence[int],
    likelihoods: FloatArray,
    n: int,
    end: str,
) -> FloatArray:
    """Log L_ij at one end of all bounds."""
    rows = [
        [getattr(truths[model, truth], end) or (0, 1) for truth in sizes if truth <= model]
        for model in sizes
    ]
    return evidence_table(rows, likelihoods, n)


def _dimensions(
    truths: Mapping[tuple[int, int], TruthCell], sizes: Sequence[int], parameters: Sequence[int]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """A generic truth of a model is regular up to directions that do not show: λ = dimension/2."""
    dimension, open_sizes = [], []
    for size, count in zip(sizes, parameters, strict=True):
        cell = truths[size, size]
        if cell.upper is None:
            dimension.append(0)
        elif cell.exact and cell.upper.theta == 1 and (2 * cell.upper.lam).denominator == 1:
            dimension.append(int(2 * cell.upper.lam))
        else:
            dimension.append(count)
            open_sizes.append(str(size))
    note = (
        f"AIC and BIC of size {', '.join(open_sizes)} use the number of parameters: λ is open there"
    )
    return tuple(dimension), (note,) if open_sizes else ()


def _open_note(
    deciding: Sequence[tuple[int, int]], candidates: Sequence[int], command: str
) -> tuple[str, ...]:
    if not deciding:
        return ()
    cells = ", ".join(f"λ({model}|{truth})" for model, truth in deciding)
    search = f"; {command} may close the first" if command else ""
    return (f"{' or '.join(map(str, candidates))}: the bounds on {cells} leave it open{search}",)


def _without_gain(
    candidates: Sequence[int],
    sizes: Sequence[int],
    likelihoods: FloatArray,
    log_prior: FloatArray,
    n: int,
) -> tuple[set[int], list[str]]:
    """Smaller sizes over which a candidate gains no likelihood, nor prior, with what to say.

    That λ log n − (θ − 1) log log n of the larger is less at this n is no reason for it.
    """
    smaller_sizes, notes = set(), []
    for large in candidates:
        least_fit = likelihoods[large] - 1e-6 * max(1.0, abs(likelihoods[large]))
        for small in range(large):
            if likelihoods[small] >= least_fit and log_prior[small] >= log_prior[large]:
                smaller_sizes.add(sizes[small])
                notes.append(
                    f"{sizes[large]} fits no better than {sizes[small]}, and at n = {n} asymptotic "
                    "penalties do not decide between them"
                )
                break
    return smaller_sizes, notes


def _edge(sizes: Sequence[int], candidates: Sequence[int]) -> tuple[str, ...]:
    if len(sizes) == 1 or sizes[-1] not in candidates:
        return ()
    return (f"the largest size, {sizes[-1]}, may be best: fit larger ones, too",)


def _other_priors(
    fits: Mapping[int, float], asked: _Asked, facts: Mapping[str, Any], candidates: Sequence[int]
) -> tuple[str, ...]:
    """What a Dirichlet prior of the weights other than the uniform one would choose."""
    if "concentration" not in get_family(asked.family).facts or "concentration" in facts:
        return ()
    changed = []
    for alpha in _OTHER_PRIORS:
        other = _choice(fits, asked, {**facts, "concentration": alpha})
        if other.candidates != tuple(candidates):
            changed.append(f"{' or '.join(map(str, other.candidates))} with concentration={alpha}")
    if not changed:
        return ()
    return (f"the choice depends on the prior of the weights: {', '.join(changed)}",)


def _pairs(ranges: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((float(low), float(high)) for low, high in ranges)
