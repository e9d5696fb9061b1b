"""Maximised log-likelihoods of every size, from data or from fits of another library."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlct.errors import InputError
from rlct.selection.families import get_family
from rlct.selection.fit_readers import read_fit
from rlct.selection.fitters import FAMILY_FITTERS
from rlct.selection.observations import TableReader
from rlct.system.options import brief_repr


@dataclass(frozen=True)
class FittedSizes:
    """What a family was fitted to, and how well."""

    #: By size.
    log_likelihood: Mapping[int, float]
    #: Number of observations, where it is known.
    n: int | None = None
    #: What all sizes share, as far as the data tell.
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def read_fits(
    fits: Sequence[Any], n: int | None, facts: Mapping[str, Any]
) -> tuple[str, FittedSizes]:
    """Family and log-likelihoods of fitted objects of other libraries, as `read_fit` does it.

    InputError if one of them cannot be read, differs from the first in more than its size, or does
    not tell what neither ``n`` nor ``facts`` do.
    """
    read_ones = [read_fit(fit) for fit in fits]
    if not read_ones:
        raise InputError("the list of fits is empty")
    kind = read_ones[0].kind
    family, shared_facts, seen_n = kind
    given = {"n": n, **facts}
    log_likelihoods: dict[int, float] = {}
    notes = []
    for read_one in read_ones:
        if read_one.kind != kind:
            raise InputError(
                "the fits differ in kind, variables, covariance_type or number of observations"
            )
        if missing := [name for name in read_one.needed if given.get(name) is None]:
            raise InputError(f"{read_one.reason}, name {' and '.join(missing)}")
        if read_one.mean and n is None:
            raise InputError("name the number of observations, n")
        if read_one.size in log_likelihoods:
            raise InputError(f"two fits have size {read_one.size}: give the better one")
        if read_one.doubt:
            notes.append(f"the fit of size {read_one.size} {read_one.doubt}")
        log_likelihoods[read_one.size] = read_one.in_all(n)
    check_same(shared_facts, facts)
    return family, FittedSizes(log_likelihoods, seen_n, shared_facts, tuple(notes))


def check_same(seen_facts: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Refuse facts that are not those of the data or the fits, with an `InputError`."""
    for name, seen in seen_facts.items():
        if name != "categories" and facts.get(name, seen) != seen:
            raise InputError(f"{name} of the data is {seen}, not {brief_repr(facts[name])}")


def fit_sizes(
    data: Any,
    family: str,
    sizes: Sequence[int],
    *,
    facts: Mapping[str, Any],
    read: TableReader,
    restarts: int,
    seed: int,
    progress: Callable[[float, str], object] | None,
) -> FittedSizes:
    """Fit every size to a table of observations, from several starts.

    Ctrl-C keeps the sizes that are done.  KeyboardInterrupt before the first one is done.
    """
    if family not in FAMILY_FITTERS or facts.get("covariance") == "known":
        raise InputError(
            f"{family} is not fitted here: give the maximised log-likelihood of each size, as in "
            "{1: -320.5, 2: -310.2}, or --log-likelihood=-320.5,-310.2"
        )
    sized_fitter = FAMILY_FITTERS[family]
    table, n = read(data, sized_fitter.takes, sized_fitter.covariances)
    shared_facts = sized_fitter.facts_of(table, facts)
    check_same(shared_facts, facts)
    chosen_family, all_facts = get_family(family), {**facts, **shared_facts}
    chosen_family.check_sizes(all_facts, sizes)
    chosen_family.cell(all_facts, sizes[0], sizes[0])  # refuses a wrong fact before the work
    most = sized_fitter.most(table)
    if (size := sizes[-1]) > most:
        raise InputError(
            f"{size} {chosen_family.size} of {len(table)} observations cannot be fitted: at most "
            f"{most}, above which the likelihood is unbounded or a component idle"
        )
    log_likelihoods: dict[int, float] = {}
    notes = []
    try:
        for size_index, size in enumerate(sizes):
            value, doubt = sized_fitter.fit(table, shared_facts, size, restarts, seed)
            log_likelihoods[size] = value * n / len(table)
            if doubt:
                notes.append(f"the fit of size {size} {doubt}")
            if progress is not None:
                progress((size_index + 1) / len(sizes), f"size {size}")
    except ImportError:
        raise InputError(
            "these data are fitted with scikit-learn: pip install 'rlct[select]', or give "
            "log-likelihoods by size"
        ) from None
    except KeyboardInterrupt:
        if not log_likelihoods:
            raise
        left_out = ", ".join(str(size) for size in sizes if size not in log_likelihoods)
        notes.append(f"interrupted: not fitted were {left_out}")
    return FittedSizes(log_likelihoods, n, shared_facts, tuple(notes))
