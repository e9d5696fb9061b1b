"""Whether λ̂ of SGLD is right at any step, and what mini-batches add is what is taken off.

Run from the repository root; runs that are in the file are not repeated::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/coverage/steps.py

On populations and on data sets, with the step that `rlct.llc` finds, and half, once and twice as
large a one that is given, on all data and on mini-batches of 8. The exact mean for the same nβ,
prior and γ = 1 is by quadrature, or by exact draws of one layer given the others; on data of other
networks it is that of `hmc` with 64 chains of 4000 draws.
"""

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rows import read, write
from scipy.stats import t as student

import rlct
from rlct.answers.targets import scaled_target
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget
from rlct.sampling.targets.target import DataTarget, Target

RESULTS_FILE = Path(__file__).with_name("steps.json")
POPULATION_LOSSES = ("x**2*y**2", "x**2*y**4", "x**4", "(x**2-y**3)**2", "x**2*y**2 + y**2*z**2")
LINEAR_SUM = [{(1, 0): 1, (0, 1): 1}]
LINEAR_NETWORKS = (([2, 2], 1), ([5, 3, 5], 1), ([2, 4, 2], 0), ([3, 3, 3, 3], 2))
UNIT_KINDS = ("tanh", "relu")
N_BETA, SAMPLE_COUNT, SEED_COUNT = 1000.0, 500, 3
STEP_FACTORS, BATCH_SIZE = (0.5, 1.0, 2.0), 8


def problems() -> dict[str, Target]:
    """Targets by name."""
    targets: dict[str, Target] = {
        text: scaled_target(rlct.poly(text), as_typed=True)[0] for text in POPULATION_LOSSES
    }
    targets["x + y, x, y ≥ 0"] = PolynomialTarget(LINEAR_SUM, squared=False, nonneg=[True, True])
    targets["x², prior \\|x\\|"] = PolynomialTarget([{(2,): 1}], squared=False, prior=[1])
    for widths, rank in LINEAR_NETWORKS:
        targets[f"{widths}, rank {rank}"] = RegressionTarget(
            widths, rank, samples=SAMPLE_COUNT, seed=1
        )
    rng = np.random.default_rng(1)
    for name in UNIT_KINDS:  # two units, of which the truth uses one
        x = rng.normal(size=(SAMPLE_COUNT, 2))
        into, out = np.array([[1.0, -0.5], [0.0, 0.0]]), np.array([[1.0, 0.0]])
        act = np.tanh if name == "tanh" else lambda z: np.maximum(z, 0.0)
        y = act(x @ into.T) @ out.T + rng.normal(size=(SAMPLE_COUNT, 1))
        targets[f"{name} units"] = NetworkTarget([into, out], x, y, name)
    return targets


def exact(target: Target, n_beta: float) -> tuple[float, float, str]:
    """Tempered mean, its error and the route."""
    if isinstance(target, NetworkTarget):
        long = estimate_llc(target, method="hmc", num_chains=64, num_draws=4000, seed=99)
        return long.lam, long.errors["chains"], "hmc"
    mean = tempered_mean(target, n_beta, localization=1.0, seed=99)
    return mean.value, mean.error, mean.method


def measure(name: str, target: Target) -> list[dict[str, Any]]:
    """All settings and seeds."""
    data = isinstance(target, DataTarget)
    n_beta = SAMPLE_COUNT / float(np.log(SAMPLE_COUNT)) if data else N_BETA
    mean, error, route = exact(target, n_beta)
    rows = []
    for seed in range(SEED_COUNT):
        step = None
        for factor, batch in [
            (None, None),
            *product(STEP_FACTORS, (None, BATCH_SIZE) if data else (None,)),
        ]:
            options: dict[str, Any] = {"n_beta": n_beta, "localization": 1.0, "seed": seed}
            if factor is not None:
                options |= {
                    "lr": factor * step,
                    "batch_size": (batch or SAMPLE_COUNT) if data else None,
                }
            estimate = estimate_llc(target, method="sgld", **options)
            step = float(estimate.chains.lr.max()) if step is None else step
            quantile = float(student.ppf(0.975, estimate.degrees))
            half = quantile * float(np.hypot(estimate.errors["chains"], error))
            row = {
                "target": name,
                "exact": mean,
                "exact_error": error,
                "route": route,
                "factor": factor,
                "batch": batch,
                "seed": seed,
                "lr": float(estimate.chains.lr.max()),
                "plain": float(estimate.draws.mean()),
                "excess": estimate.run.excess,
                "estimate": estimate.lam,
                "error": estimate.errors["chains"],
                # By the chains alone; the scatter over data sets is not in question here.
                "held": -half <= mean - estimate.lam <= np.hypot(half, 0.5 * estimate.run.excess),
                "plain_held": abs(float(estimate.draws.mean()) - mean) <= half,
                "warnings": list(estimate.warnings),
            }
            rows.append(row | {key: bool(row[key]) for key in ("held", "plain_held")})
            print(name, factor, batch, seed, row["held"], file=sys.stderr, flush=True)
    return rows


def spread(rows: list[dict[str, Any]], key: str) -> str:
    """Mean of what is off, of the exact mean, and root mean square in standard errors."""
    gaps = np.array([row[key] - row["exact"] for row in rows])
    errors = np.array([np.hypot(row["error"], row["exact_error"]) for row in rows])
    mean = float(gaps.mean()) / rows[0]["exact"]
    return f"{100 * mean:+.1f} %, {float(((gaps / errors) ** 2).mean()) ** 0.5:.1f}"


def main() -> None:
    """Run what is not in the file, write, and print a table."""
    rows = read(RESULTS_FILE)
    done = {row["target"] for row in rows}
    for name, target in problems().items():
        if name not in done:
            rows += measure(name, target)
            write(RESULTS_FILE, rows)
    print("| target | exact mean | all data, given | batches, given | plain | found | given |")
    print("|---|---|---|---|---|---|---|")
    for name in dict.fromkeys(row["target"] for row in rows):
        own = [row for row in rows if row["target"] == name]
        chosen, given = ([r for r in own if (r["factor"] is None) == k] for k in (True, False))
        whole = [r for r in given if r["batch"] is None]
        parts = [r for r in given if r["batch"] is not None]
        cells = [spread(whole, "estimate")]
        cells += [spread(parts, key) if parts else "" for key in ("estimate", "plain")]
        cells += [f"{sum(r['held'] for r in part)} of {len(part)}" for part in (chosen, given)]
        shown = f"`{name}`" if "**" in name else name
        print(f"| {shown} | {own[0]['exact']:.4g} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
