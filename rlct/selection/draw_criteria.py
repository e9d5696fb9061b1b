"""Criteria from posterior draws of every size, beside those from maximised likelihoods."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rlct.criteria.loo import loo
from rlct.criteria.statistic import Statistic
from rlct.criteria.waic import waic
from rlct.criteria.wbic import wbic
from rlct.errors import InputError


def draw_criteria(
    draws: Mapping[int, Any], sizes: Sequence[int], n: int, beta: float
) -> dict[str, tuple[Statistic, ...]]:
    """WAIC and leave-one-out of draws at β; WBIC of such as are about as warm as 1/log n.

    ``draws`` has log p(X_i|w) by size, as `waic` takes them, of the n observations of the fits and
    all at the inverse temperature β.  InputError if a size has no draws, or they are of other data.

    >>> import numpy as np
    >>> found = draw_criteria({1: np.random.default_rng(0).normal(size=(4, 200, 50))}, [1], 50, 1.0)
    >>> sorted(found), found["waic"][0].details["observations"]
    (['loo', 'waic'], 50)
    """
    if missing := [str(size) for size in sizes if size not in draws]:
        raise InputError(f"there are no draws of size {', '.join(missing)}: give those of all")
    criteria = {"waic": tuple(waic(draws[size], beta=beta) for size in sizes)}
    for size, statistic in zip(sizes, criteria["waic"], strict=True):
        columns = statistic.details["observations"]
        if columns != n:
            raise InputError(f"draws of size {size} have {columns} observations, the fits {n}")
    criteria["loo"] = tuple(loo(draws[size], beta=beta) for size in sizes)
    if beta * math.log(n) < 2:  # else weights to 1/log n have an infinite variance
        criteria["wbic"] = tuple(wbic(draws[size], beta=beta) for size in sizes)
    return criteria
