"""How much a target computes for a gradient on all data, which decides what can be afforded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlct.sampling.targets.target import DataTarget

GRADIENT_PASSES = 3  # one forward, two back: the slopes by the inputs of a layer and by its weights
RESULT_PRODUCTS = 10  # of matrices, that take as long as to make and keep a number of a result
CALL_PRODUCTS = 3e4  # products that take as long as the call of an operation


def data_work(target: DataTarget) -> float:
    """Products that a gradient on all data takes as long as, for one chain: 0.1 to 0.5 ns each.

    A sample enters a product for each parameter, on each pass.  A target whose samples cost more
    says how much in an attribute ``sample_work``: activations cost more than the products of small
    layers, and attention and convolutions use their parameters often.

    >>> import numpy as np
    >>> from rlct.sampling.targets.regression import RegressionTarget
    >>> data_work(RegressionTarget([3, 2, 3], 1, samples=50))
    1800.0
    """
    each: float = getattr(target, "sample_work", GRADIENT_PASSES * target.dimension)
    return float(target.samples * each)
