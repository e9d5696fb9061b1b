"""A run at one nβ as an xarray DataTree, which ArviZ reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate

__all__ = ["to_datatree"]


def to_datatree(found: Estimate) -> Any:
    """Groups ``posterior`` (nβK and the distance from w₀) and ``sample_stats``.

    Parameters
    ----------
    found : Estimate
        Of `rlct.llc` at one nβ.

    Returns
    -------
    xarray.DataTree
        Dimensions chain and draw; the burn-in that was dropped is left out.

    Raises
    ------
    InputError
        Without the extra ``arviz``, or if the estimate has no chains.
    """
    try:
        from arviz_base import from_dict
    except ImportError:
        raise InputError("a DataTree needs arviz-base: pip install 'rlct[arviz]'") from None
    if found.chains is None:
        raise InputError("only a run at one nβ has chains to export: name n_beta")
    chains, dropped = found.chains, int(found.details["dropped"])
    draws = chains.draws[0, :, dropped:]
    shape = draws.shape
    stats = {
        "acceptance_rate": np.broadcast_to(chains.acceptance[0][:, None], shape).copy(),
        "step_size": np.broadcast_to(chains.lr[0][:, None], shape).copy(),
    }
    return from_dict(
        {
            "posterior": {"energy": draws, "distance": chains.distance[0, :, dropped:]},
            "sample_stats": stats,
        },
        attrs={
            "posterior": {
                "n_beta": float(found.details["n_beta"]),
                "localization": float(found.details["localization"]),
                "lambda_hat": found.lam,
                "sampler": found.method,
                "seed": found.seed,
            }
        },
    )
