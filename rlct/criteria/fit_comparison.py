"""Several fits of the same data side by side, in the layout of ArviZ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rlct.criteria.loo import loo
from rlct.criteria.statistic import Statistic
from rlct.errors import InputError


def compare_fits(fits: Mapping[str, Any]) -> Any:
    """Compare fits by leave-one-out or WAIC.

    A fit is a `Statistic` of `loo` or `waic`, or log-likelihoods as `loo` takes them.  The table is
    as ``arviz_stats.compare`` gives it, best first: elpd, its effective number of parameters, the
    difference to the best, weights by stacking, and errors over data.  InputError if there are
    fewer than two, or they are not of the same observations, or ArviZ is missing.

    >>> import numpy as np
    >>> draws = np.random.default_rng(0).normal(size=(2, 4, 100, 30))
    >>> found = compare_fits({"near": -1 + draws[0] / 9, "far": -2 + draws[1] / 9})
    >>> found.index.tolist(), found["rank"].tolist(), found["weight"].round(2).tolist()
    (['near', 'far'], [0, 1], [1.0, 0.0])
    """
    try:
        import xarray
        from arviz_stats.loo import compare
        from arviz_stats.utils import ELPDData
    except ImportError:
        raise InputError("fits are compared with ArviZ: pip install 'rlct[arviz]'") from None
    if len(fits) < 2:
        raise InputError("a comparison needs two fits or more")
    statistics = {
        name: fit if isinstance(fit, Statistic) else loo(fit) for name, fit in fits.items()
    }
    first = next(iter(statistics.values()))
    elpd_of_fits = {}
    for name, statistic in statistics.items():
        statistic.minus(first)  # refuses what is not the same statistic of the same observations
        if statistic.elpd is None or statistic.pointwise is None:
            raise InputError(f"fits are compared by loo or waic, not by {statistic.name}")
        total, scatter = statistic.elpd
        terms = xarray.DataArray(-statistic.pointwise, dims="observation")
        elpd_of_fits[name] = ELPDData(
            kind=statistic.name,
            elpd=total,
            se=math.nan if scatter is None else scatter,
            p=statistic.details["effective_parameters"],
            n_samples=0,
            n_data_points=terms.size,
            scale="log",
            warning=bool(statistic.warnings),
            good_k=0.7,
            elpd_i=terms,
        )
    with_arviz: Any = compare
    return with_arviz(elpd_of_fits)
