"""The sentences on a target that mislead chains of some method, whatever they draw."""

from __future__ import annotations

import numpy as np

from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget, Target

__all__ = ["narrow_parts", "singular_prior"]

CUT_ALLOWED = 0.1  # of pushes of the prior; at a seventh λ̂ was 3 % too low


def singular_prior(target: Target, method: str, cut: float) -> tuple[str, ...]:
    """Sentence about gradients at poles and zeros of the prior.

    Of a power h between 0 and 1 those have no finite variance, and of any h the pushes are cut
    where |w| < h√ε/2, which draws chains to 0.

    Parameters
    ----------
    target : Target
    method : str
    cut : float
        Which share of pushes was cut; 0 for methods that cut none.
    """
    h = np.asarray(getattr(target, "prior", 0.0))
    misled = ""
    if method != "moves" and (h < 0).any():
        misled = "a negative power, at whose pole gradients mislead"
    elif method == "sgld" and (((h > 0) & (h < 1)).any() or ((h > 0).any() and cut > CUT_ALLOWED)):
        misled = "a zero, at which steps without a Metropolis test mislead"
    rest = "λ̂ may be off by more than its error; use moves"
    return (f"the prior has {misled}: {rest}",) if misled else ()


def narrow_parts(target: Target, method: str) -> tuple[str, ...]:
    """Sentence about chains by gradients among the narrow parts of a singular population loss.

    One step is too long for the narrow end of an arm or too short for the open.  The Metropolis
    test keeps chains out, and those that stay out agree.
    """
    gradients = method in {"hmc", "mala", "nuts"}
    # Data of usual sizes leave no arm so narrow.
    if not gradients or target.dimension < 2 or isinstance(target, DataTarget):
        return ()
    if isinstance(target, PolynomialTarget):
        regular = 1 if target.squared or target.nonneg.any() else 2
        degree = max(sum(exponents) for g in target.generators for exponents in g)
        singular = degree > regular
    else:
        singular = isinstance(target, LinearNetworkTarget) and len(target.widths) > 2
    if not singular:
        return ()
    return (
        "gradient-based chains rarely reach the narrow valleys of K, and R-hat cannot detect it: "
        "in our tests one interval in ten was too low, up to one in three at boundaries and in "
        "small networks; use moves",
    )
