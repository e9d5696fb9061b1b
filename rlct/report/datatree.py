"""Estimates as xarray DataTrees: a run at one nβ as ArviZ reads it, a ladder by level and θ."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.ladders.ladder import Fit, Ladder
    from rlct.sampling.local.facts import Run
    from rlct.sampling.markov_chains.chains import Chains
    from rlct.sampling.networks.trajectory import Trajectory


def to_datatree(estimate: Estimate) -> Any:
    """Groups ``posterior`` and ``sample_stats`` of a run at one nβ, ``ladder`` and ``fit`` else.

    At one nβ, dimensions chain and draw, ``llc``, whose mean is λ̂, nβK (``energy``) and the
    distance from w₀.  Of SGLD ``excess`` besides, which is what llc has less than energy; of a
    network ``sample_losses`` with ``loss``, ℓ_z(w) − ℓ_z(w*), by chain, draw that was looked at,
    and sample, its row in the data.

    Of a ladder ``slope``, dimensions chain and level, −d log Z/d log nβ (volumes: d log V/d log t)
    over each level, a chain for each independent run; by level the mean of these, its standard
    error, and which levels are fitted; and by θ its probability, and λ̂ with its standard error if
    it is right.  Levels have log nβ (volumes: log 1/t) at start and end as coordinates.

    λ̂, its interval, its errors with their degrees of freedom, effective sample size, R-hat and the
    warnings are attributes of ``posterior``, or of ``ladder``, which has θ and its interval
    besides.  ``to_netcdf`` of a tree needs the package h5netcdf or netCDF4.
    """
    from_dict = _tree_maker()
    if estimate.chains is None:
        return _ladder(estimate, *estimate.measured, from_dict)
    with warnings.catch_warnings():  # losses by sample are by chain and draw, too, as they should
        warnings.filterwarnings("ignore", "Found dimension named 'sample'", UserWarning)
        return _run(estimate, *estimate.sampled, from_dict)


def trajectory_datatree(trajectory: Trajectory) -> Any:
    """Group ``posterior`` of a trajectory: ``llc``, λ̂ by checkpoint and chain, with mean λ̂."""
    verdicts = {"verdicts": list(trajectory.verdicts), **_known(**trajectory.settings)}
    return _tree_maker()(
        {"posterior": {"llc": trajectory.chain_means}},
        sample_dims=["checkpoint", "chain"],
        coords={"checkpoint": list(trajectory.steps)},
        attrs={"posterior": verdicts},
    )


def _tree_maker() -> Callable[..., Any]:
    try:
        from arviz_base import from_dict
    except ImportError:
        raise InputError("a DataTree needs arviz-base: pip install 'rlct[arviz]'") from None
    maker: Callable[..., Any] = from_dict
    return maker


def _run(
    estimate: Estimate, chains: Chains, run_settings: Run, from_dict: Callable[..., Any]
) -> Any:
    shape = estimate.draws.shape
    sample_stats = {
        "acceptance_rate": np.broadcast_to(chains.acceptance[0][:, None], shape).copy(),
        "step_size": np.broadcast_to(chains.lr[0][:, None], shape).copy(),
    }
    if chains.excess is not None:
        sample_stats["excess"] = chains.excess[0]
    kept_losses = estimate.sample_losses
    looked_at = {}
    if kept_losses is not None:
        looked_at["sample_losses"] = {"loss": np.asarray(kept_losses.losses)}
    return from_dict(
        {
            **looked_at,
            "posterior": {
                "llc": estimate.unbiased,
                "energy": estimate.draws,
                "distance": chains.distance[0],
            },
            "sample_stats": sample_stats,
        },
        dims={"loss": ["sample"]},
        coords={} if kept_losses is None else {"sample": kept_losses.rows},
        attrs={
            "posterior": {
                "n_beta": run_settings.n_beta,
                "localization": run_settings.localization,
                **_answer(estimate),
                **{f"error_{origin}": error for origin, error in estimate.errors.items()},
                **(
                    {}
                    if estimate.nu is None
                    else {"nu": estimate.nu[0], "nu_error": estimate.nu[1]}
                ),
            }
        },
    )


def _ladder(
    estimate: Estimate, ladder: Ladder, ladder_fit: Fit, from_dict: Callable[..., Any]
) -> Any:
    quantity = "log_inverse_t" if ladder.volumes else "log_n_beta"
    unit = np.log(ladder.unit)
    level_ends = {f"{quantity}_start": ladder.start + unit, f"{quantity}_stop": ladder.stop + unit}
    theta_chances = ladder_fit.thetas
    lam_by_theta = np.array([ladder_fit.by_theta[theta] for theta in theta_chances])
    by_level = {
        "slope_mean": ladder.slope,
        "slope_error": ladder.slope_error,
        "fitted": ladder_fit.uses(ladder),
        **level_ends,
    }
    by_theta = {
        "probability": np.array(list(theta_chances.values())),
        "lambda_hat": lam_by_theta[:, 0],
        "standard_error": lam_by_theta[:, 1],
    }
    tree = from_dict(
        {"ladder": {"slope": ladder.slopes, **by_level}, "fit": by_theta},
        sample_dims=[],
        dims={
            "slope": ["chain", "level"],
            **{name: ["level"] for name in by_level},
            **{name: ["theta"] for name in by_theta},
        },
        coords={"theta": list(theta_chances)},
        attrs={"ladder": _attributes(estimate, ladder, ladder_fit)},
    )
    tree["ladder"].dataset = tree["ladder"].to_dataset().set_coords(list(level_ends))
    return tree


def _attributes(estimate: Estimate, ladder: Ladder, fit: Fit) -> dict[str, Any]:
    """Numbers and words only, which every file format takes."""
    low_high = estimate.theta_interval and list(estimate.theta_interval)
    return {
        **_answer(estimate),
        **_known(theta=estimate.theta, theta_interval=low_high),
        "theta_probabilities": list(fit.thetas.values()),
        "kind": ladder.kind,
    }


def _answer(estimate: Estimate) -> dict[str, Any]:
    return {
        "lambda_hat": estimate.lam,
        "interval": list(estimate.interval),
        "interval_probability": estimate.level,
        "standard_error": estimate.error,
        "degrees": estimate.degrees,
        **_known(ess=estimate.ess, r_hat=estimate.rhat),
        "warnings": "\n".join(estimate.warnings),
        "sampler": estimate.method,
        "seed": estimate.seed,
    }


def _known(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
