"""Which size of a family of models the data support: criteria and probabilities of each."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from rlct.criteria.evidence_equations import (
    log_prior_of,
    missed_maxima,
    probabilities_of,
)
from rlct.criteria.inputs import count_of, finite_numbers
from rlct.errors import InputError
from rlct.selection.cell_table import GIVEN_METHOD, cell_table, dimensions, evidence_tables
from rlct.selection.draw_criteria import draw_criteria
from rlct.selection.families import MODEL_FAMILIES, get_family
from rlct.selection.family_kinds import TruthCell
from rlct.selection.fitting import FittedSizes, fit_sizes, read_fits
from rlct.selection.observations import TableReader, observations_of, read_observations
from rlct.selection.open_cells import possible_outcomes
from rlct.selection.outcome import Selection
from rlct.selection.spare_parts import GAIN_SOURCE, bic_advice, spare_parts
from rlct.system.options import brief_repr

_LARGEST_LOG: Final = 1e15  # log-likelihood of all observations, beyond which steps of 0.1 are lost
_OTHER_PRIORS: Final = (Fraction(1, 2), Fraction(2))  # of the weights, to compare with
_LEFT_OUT: Final = (
    "probabilities leave out what stays of order one in each log evidence, of priors and curvature"
)


def select(
    data_or_fits: Any,
    family: str | None = None,
    sizes: Iterable[int] | None = None,
    *,
    n: int | None = None,
    prior: Sequence[float] | None = None,
    proxies: str | None = None,
    truths: Mapping[tuple[int, int], Any] | None = None,
    draws: Mapping[int, Any] | None = None,
    beta: float = 1.0,
    use: Sequence[str] | str | None = None,
    drop_missing: bool = False,
    counts: str | None = None,
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
        rows, to which the first two are fitted (extra ``select``), latent classes, mixtures of
        counts, principal components and ranks; of factors, components and ranks also their
        covariance matrix.
    family : str, optional
        As ``rlct select --help`` lists them, such as ``"factor-analysis"`` or ``"fa"``, or
        ``"latent-class"`` or ``"lca"``.  Fitted objects tell it.
    sizes : iterable of int, optional
        Which to fit to data.
    n : int, optional
        Number of independent observations, which data tell.
    prior : sequence of float, optional
        Prior probabilities of the sizes in rising order, up to a factor; equal by default.
    proxies : {"drton-plummer"}, optional
        Numbers in place of bounds that are not proved: those of the R package sBIC for
        ``"gaussian-mixture"`` and ``"latent-class"``.  Such cells say "proxy".
    truths : mapping, optional
        From (size of the model, size of the truth) to a λ or pair found elsewhere, in place of
        bounds: ``{(3, 1): "7/2"}`` or ``("7/2", 2)``; θ is 1 unless named.
    draws : mapping, optional
        From sizes to log p(X_i|w) at posterior draws, as `rlct.waic` takes them: adds WAIC and
        leave-one-out, and of draws at β < 2/log n WBIC.
    beta : float
        Inverse temperature of the draws.
    use : sequence of str, optional
        Columns of the data in their order, or their names with commas between them.
    drop_missing : bool
        Leave out rows with gaps in these columns.
    counts : str, optional
        Column that says how often each row was seen.
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
    read = partial(observations_of, use=use, drop_missing=drop_missing, counts=counts, n=n)
    family, fitted_sizes = _fits_of(
        data_or_fits, family, sizes, n, read, facts, restarts, seed, progress
    )
    if not fitted_sizes.log_likelihood:
        raise InputError("there are no sizes: give log-likelihoods as in {1: -320.5, 2: -310.2}")
    if None not in (n, fitted_sizes.n) and n != fitted_sizes.n:
        raise InputError(f"n = {n}, but there are {fitted_sizes.n} observations: leave n out")
    observations = fitted_sizes.n if n is None else n
    if observations is None:
        raise InputError("name the number of observations, n")
    if proxies not in (None, "drton-plummer"):
        raise InputError(f"proxies are 'drton-plummer' or None, not {brief_repr(proxies)}")
    choose = partial(
        _choice, fitted_sizes.log_likelihood, family,
        n=observations, prior=prior, proxies=proxies is not None, truths=truths or {},
    )  # fmt: skip
    selection = choose({**fitted_sizes.facts, **facts})
    prior_doubts = (
        () if truths else _other_priors(choose, selection, {**fitted_sizes.facts, **facts})
    )
    of_draws = draw_criteria(draws, selection.sizes, selection.n, beta) if draws is not None else {}
    doubts = [
        f"{name} of size {size}: {text}"
        for name, statistics in of_draws.items()
        for size, statistic in zip(selection.sizes, statistics, strict=True)
        for text in statistic.warnings
    ]
    warnings = (*fitted_sizes.warnings, *selection.warnings, *prior_doubts, *doubts)
    return replace(selection, of_draws=of_draws, warnings=warnings)


def _fits_of(
    data_or_fits: Any,
    family: str | None,
    sizes: Iterable[int] | None,
    n: int | None,
    read: TableReader,
    facts: Mapping[str, Any],
    restarts: int,
    seed: int,
    progress: Callable[[float, str], object] | None,
) -> tuple[str, FittedSizes]:
    """The family, and log-likelihoods that are given, read from fitted objects, or found."""
    family = None if family is None else get_family(family).id
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
    if not isinstance(sizes, Iterable) or not (sizes := list(sizes)):
        raise InputError("name the sizes to fit, as in sizes=range(5)")
    return family, fit_sizes(
        data_or_fits,
        family,
        sorted(count_of(size, "a size", 0) for size in sizes),
        facts=facts,
        read=read,
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


def _choice(
    fits: Mapping[int, float],
    family: str,
    facts: Mapping[str, Any],
    *,
    n: int,
    prior: Sequence[float] | None,
    proxies: bool,
    truths: Mapping[tuple[int, int], Any],
) -> Selection:
    chosen_family = get_family(family)
    sizes = sorted(count_of(size, "a size", 0) for size in fits)
    max_likelihoods = finite_numbers([fits[size] for size in sizes], "maximised log-likelihoods")
    if np.abs(max_likelihoods).max() > _LARGEST_LOG:
        raise InputError(f"maximised log-likelihoods are logarithms, up to {_LARGEST_LOG:g}")
    n = count_of(n, "the number of observations", 3)
    chosen_family.check_sizes(facts, sizes)
    cells = cell_table(chosen_family, facts, sizes, truths, proxies)
    log_prior = log_prior_of(prior, len(sizes))
    lower_table, upper_table = evidence_tables(cells, sizes, max_likelihoods, n)
    outcome_ranges = possible_outcomes(lower_table, upper_table, log_prior)
    parameters = tuple(chosen_family.parameter_count(facts, size) for size in sizes)
    dimension, notes = dimensions(cells, sizes, parameters)
    bic = max_likelihoods - np.array(dimension) / 2 * math.log(n)
    best_sizes = [sizes[at] for at in outcome_ranges.candidates]
    values = dict(zip(sizes, (max_likelihoods + log_prior).tolist(), strict=True))
    dimension_of = dict(zip(sizes, dimension, strict=True))
    within_noise = spare_parts(
        best_sizes, values, dimension_of, cells, partial(chosen_family.noise_gain, facts), n
    )
    candidates = tuple(sorted({*best_sizes, *(part.truth for part in within_noise)}))
    bic_probability = probabilities_of(bic + log_prior)
    bic_size = sizes[int(np.argmax(bic_probability))]
    return Selection(
        family=chosen_family.id,
        sizes=tuple(sizes),
        n=n,
        log_likelihood=tuple(max_likelihoods.tolist()),
        parameters=parameters,
        dimension=dimension,
        aic=tuple((max_likelihoods - np.array(dimension)).tolist()),
        bic=tuple(bic.tolist()),
        sbic=tuple(map(tuple, outcome_ranges.log_evidence.tolist())),
        probability=tuple(map(tuple, outcome_ranges.probability.tolist())),
        bic_probability=bic_probability,
        truths=cells,
        candidates=candidates,
        assumed=chosen_family.assumed,
        within_noise=within_noise,
        advice=bic_advice(bic_size, candidates, within_noise, n),
        notes=(
            _LEFT_OUT,
            *notes,
            *((GAIN_SOURCE,) if within_noise else ()),
            *_cell_notes(cells, best_sizes),
        ),
        warnings=(
            *missed_maxima(max_likelihoods, lower_table, tuple(map(str, sizes))),
            *_edge(sizes, set(candidates) - {part.model for part in within_noise}),
        ),
    )


def _cell_notes(cells: Mapping[tuple[int, int], TruthCell], best_sizes: Sequence[int]) -> list[str]:
    """Which λ are the user's, and which are open where this leaves several sizes."""
    given = [key for key, cell in cells.items() if cell.method == GIVEN_METHOD]
    unproved = [key for key, cell in cells.items() if key[0] in best_sizes and not cell.exact]
    notes = []
    if len(best_sizes) > 1 and unproved:
        several = " or ".join(map(str, best_sizes))
        names = ", ".join(f"λ({model}|{truth})" for model, truth in unproved)
        handed = '--truth "{}|{}=λ,θ"'.format(*unproved[0])
        notes.append(
            f"{several}: the bounds on {names} leave it open; a λ found elsewhere: {handed}"
        )
    if given:
        said = ", ".join(f"λ({key[0]}|{key[1]}) = {cells[key]}" for key in given)
        notes.append(f"{said}: {GIVEN_METHOD}")
    return notes


def _edge(sizes: Sequence[int], candidates: Collection[int]) -> tuple[str, ...]:
    if len(sizes) == 1 or sizes[-1] not in candidates:
        return ()
    return (f"the largest size, {sizes[-1]}, may be best: fit larger ones, too",)


def _other_priors(
    choose: Callable[[Mapping[str, Any]], Selection], selection: Selection, facts: Mapping[str, Any]
) -> tuple[str, ...]:
    """What a Dirichlet prior of the weights other than the uniform one would choose."""
    if "concentration" not in get_family(selection.family).facts or "concentration" in facts:
        return ()
    changed = []
    for alpha in _OTHER_PRIORS:
        candidates = choose({**facts, "concentration": alpha}).candidates
        if candidates != selection.candidates:
            changed.append(f"{' or '.join(map(str, candidates))} with concentration={alpha}")
    if not changed:
        return ()
    return (f"the choice depends on the prior of the weights: {', '.join(changed)}",)
