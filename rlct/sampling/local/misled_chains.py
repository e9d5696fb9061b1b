"""Targets on which chains of some method are misled, whatever they draw."""

import numpy as np

from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget, Target

CUT_ALLOWED = 0.1  # of pushes of the prior; at a seventh λ̂ was 3 % too low


def misled_chains(target: Target, kernel: type[Kernel], cut_share: float = 0.0) -> str:
    """Why gradients mislead chains on a target; empty where they do not, or no gradient is used.

    At the pole of a prior w^h, h < 0, gradients have no finite variance, and without a Metropolis
    test none at a zero, 0 < h < 1, either; of any h the pushes of ``"sgld"`` are cut where
    |w| < h√ε/2, which draws chains to 0.  Among narrow parts of a singular population one step
    is too long for the narrow end of an arm or too short for the open; the Metropolis test keeps
    chains out, and those that stay out agree.

    >>> from rlct.sampling.kernels import kernel_class
    >>> plane = PolynomialTarget([{(1, 1): 1}], squared=True)
    >>> misled_chains(plane, kernel_class("hmc"))
    'gradient steps rarely enter the narrow valleys of K, and R-hat does not show it'
    >>> misled_chains(plane, kernel_class("moves"))
    ''
    """
    if not kernel.gradients_per_draw:
        return ""
    h = np.asarray(getattr(target, "prior", 0.0))
    if (h < 0).any():
        return "gradients mislead at the pole of the prior, where it has a negative power"
    if kernel.on_batches:  # no test
        zero = ((h > 0) & (h < 1)).any() or ((h > 0).any() and cut_share > CUT_ALLOWED)
        return "steps without a Metropolis test mislead at the zero of the prior" if zero else ""
    # Data of usual sizes leave no arm so narrow.
    if target.dimension < 2 or isinstance(target, DataTarget):
        return ""
    if isinstance(target, PolynomialTarget):
        regular = 1 if target.squared or target.nonneg.any() else 2
        degree = max(sum(exponents) for g in target.generators for exponents in g)
        singular = degree > regular
    else:
        singular = isinstance(target, LinearNetworkTarget) and len(target.widths) > 2
    if not singular:
        return ""
    return "gradient steps rarely enter the narrow valleys of K, and R-hat does not show it"
