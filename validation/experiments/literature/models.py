"""Closed forms of the catalogue on trial by the models themselves.

Where a proof reduces a model to a polynomial, a simulation of that polynomial would confirm a
wrong reduction. Here K is that of the model, written from its definition: a Kullback-Leibler
divergence summed over outcomes, or the squared gap of a function at nodes, on data or along lines
through the inputs. λ and θ of the theorem are on trial with wrong values beside them: λ a quarter
of itself away, or 1/4 if that is less, and θ - 1 and θ + 1. Where a planted θ is not rejected, the
row names the nβ that would do it; longer ladders do worse, as rounding hides K.
"""

from collections.abc import Iterable

import numpy as np

from rlct.sampling.ladders.check import check_target
from validation.audit.row import exact
from validation.framework.claim import at_least
from validation.framework.estimate import estimate
from validation.framework.experiment import Data, Finding, Rows, experiment, suites
from validation.theorems.models import SIMULATED_MODELS, model_target, proved

FIRST_SEED, LAST_N_BETA = 2026, 1e20  # nβ up to which K of these models is right
BINOMIAL_MIXTURE = "binomial-mixture components=2 true=1 trials=2 concentration=1"
QUICK_MODELS = [BINOMIAL_MIXTURE, *(f"net tanh {sizes}" for sizes in ("1 1 1", "1 2 1 --step 1"))]


def units(settings: Data) -> Iterable[Data]:
    """One run each; of those that take seconds some more, to see how often a right θ is refuted."""
    for name in settings.get("models", SIMULATED_MODELS):
        for number in range(settings["runs"] if name in QUICK_MODELS else 1):
            yield {"model": name, "run": number}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """The comparison, without what hangs on the machine; each run has a fixed seed."""
    pair, seed = proved(unit["model"]).pair, FIRST_SEED + 1000 * unit["run"]
    comparison = check_target(model_target(unit["model"]), pair, seed=seed)
    found, trial, control = comparison.estimate, comparison.theta_trial, comparison.control
    return {
        "claim": str(pair),
        "found": [found.lam, found.error, found.degrees],
        "planted": [control.lam, control.z, control.rejected],
        "planted_thetas": list(trial.planted),
        "survivors": list(trial.survivors),
        "deciding_n_beta": trial.deciding_n_beta,
        "theta_refuted": trial.refuted,
        "verdict": comparison.verdict,
        "reason": comparison.reason,
    }


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Every λ, how many of the wrong values are rejected, and of the right ones."""
    first = [row for row in rows if row["run"] == 0]
    planted, open_thetas = (
        sum(len(row[key]) for row in first) for key in ("planted_thetas", "survivors")
    )
    late = [row for row in first if (row["deciding_n_beta"] or 0) > LAST_N_BETA]
    beyond = sum(len(row["survivors"]) for row in late)
    lams = np.mean([row["planted"][2] for row in first])
    false = np.mean([[row["verdict"] == "refuted", row["theta_refuted"]] for row in rows], axis=0)
    checks = [
        at_least("share of planted λ that are rejected (planted: of right ones)", lams, 0.95,
                 control=false[0]),
        at_least(f"share of planted θ that are rejected, if {LAST_N_BETA:.0e} would do it "
                 "(planted: of right ones)", (planted - open_thetas) / (planted - beyond), 0.95,
                 control=false[1]),
        exact("share of right θ that are refuted", float(false[1]), 0.0),
        *(estimate(f"{row['model']}: λ̂", row["found"][0], proved(row["model"]).lam,
                   row["found"][1], degrees=row["found"][2]) for row in first),
    ]  # fmt: skip
    yield Finding(
        "lit-models",
        f"{sum(row['verdict'] == 'agrees' for row in first)} of {len(first)} models agree; "
        f"rejected: {lams:.0%} of the planted λ, {planted - open_thetas} of {planted} planted θ "
        f"({beyond} need nβ > {LAST_N_BETA:.0e}), and {false[0]:.1%} of {len(rows)} right pairs",
        checks,
        details="; ".join(f"{row['model']}: {row['reason']}" for row in first),
    )


EXPERIMENT = experiment(
    __name__,
    id="models-themselves",
    source="lit",
    title="Models themselves, no polynomial between",
    places=("lit-models",),
    **suites(models=(QUICK_MODELS, None), runs=(1, 9)),
    seed=FIRST_SEED,
)
