"""Failure signatures: each one provoked, what the estimate then is, and how often it is noticed.

The model is a linear network on data whose tempered mean is known from exact conditional draws.
*Sound* runs measure the false-alarm rate of the warnings and the coverage of the intervals; each
failure is provoked on as many other data sets:

- *not a minimum*: w* is pushed off the minimum, so that λ̂ is too small or negative;
- *short chains*: ten draws after no burn-in;
- *large γ*: the localization decides;
- *large step* of SGLD: without a second step to compare with, only the estimate is wrong;
- *two steps*: the same problem at the step that `rlct.llc` finds, half of it in half of the chains
  when this was recorded;
- *noisy batches*: mini-batch noise acts as temperature;
- *explosion*: a step beyond stability.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rlct.errors import DivergedError
from rlct.sampling.estimate import Estimate
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.regression import RegressionTarget
from validation.audit.row import close, exact
from validation.framework.claim import Claim, at_least
from validation.framework.experiment import Data, Finding, Rows, experiment, suites
from validation.framework.fact_table import Case, Check, judged

#: Options of each run, and the warning that should name its failure.
FAILURE_SIGNATURES: dict[str, tuple[dict[str, Any], str]] = {
    "sound": ({"method": "hmc"}, ""),
    "not a minimum": ({"method": "hmc"}, "not a minimum"),
    "short chains": ({"method": "hmc", "num_draws": 10, "num_burnin": 0}, "too short"),
    "large γ": (
        {"method": "hmc", "localization": 1000.0, "num_draws": 600},
        "localized",
    ),
    "large step": ({"method": "sgld", "lr": 1e-2, "batch_size": 400, "num_draws": 1500}, ""),
    "two steps": ({"method": "sgld", "batch_size": 400, "num_draws": 8000}, ""),
    "noisy batches": (
        {"method": "sgld", "lr": 2e-3, "batch_size": 1, "num_draws": 1500},
        "biased",
    ),
    "explosion": ({"method": "sgld", "lr": 1.0, "batch_size": 400, "num_draws": 500}, "diverged"),
}


def units(settings: Data) -> Iterable[Data]:
    """One for each way to fail and data set."""
    for name in settings["runs"]:
        for data in range(settings["data_sets"]):
            yield {"run": name, "data": data}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Estimate, the exact mean, and what was warned of."""
    options, needle = FAILURE_SIGNATURES[unit["run"]]
    seed = int(rng.integers(2**31))
    data = RegressionTarget([3, 2, 3], 1, samples=400, sigma=1e3, seed=seed)
    gamma = float(options.get("localization", 1.0))
    right = tempered_mean(data, 400 / np.log(400), localization=1.0, seed=seed)
    if unit["run"] == "not a minimum":
        data._cross = data._cross + 0.3  # outputs of which w* knows nothing
    try:
        sampled: Estimate | None = estimate_llc(
            data, seed=seed, localization=gamma, **_without(options)
        )
    except DivergedError as problem:
        sampled, warnings = None, [f"diverged: {problem}"]
    else:
        warnings = list(sampled.warnings)
    return {
        "estimate": None if sampled is None else sampled.lam,
        "error": None if sampled is None else sampled.errors["chains"],
        "right": right.value,
        "right_error": right.error,
        "warnings": warnings,
        "named": bool(needle) and any(needle in line for line in warnings),
    }


def _without(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != "localization"}


def _alarms(row: Data) -> list[str]:
    # At finite nβ the mean is not λ, which sound runs said, too, before there was one verdict.
    return [line for line in row["warnings"] if "no limit in sight" not in line]


def _spread(rows: Rows, name: str) -> float:
    own = [r["estimate"] / r["right"] for r in rows if r["run"] == name]
    return float(np.std(own, ddof=1)) if len(own) > 2 else 0.0


RUN_FACTS = (
    # A truth lies above the minimum of noisy data, which sound runs may say.
    Check("sound runs with an alarm, share", close,
          lambda case: (case.alarmed / case.count, 0, 0.25),
          where=lambda case: case.name == "sound", control=1),
    Check("sound: median error", close, lambda case: (np.median(case.bias), 0, 0.05),
          where=lambda case: case.name == "sound", control=0.25),
    Check("sound: two errors hold the exact mean, share", close, lambda case: (case.held, 1, 0.25),
          where=lambda case: case.name == "sound", control=0),
    Check("{name}: named by a warning, share", close,
          lambda case: (case.named / case.count, 1, 0.25),
          where=lambda case: FAILURE_SIGNATURES[case.name][1], control=0),
    Check("{name}: λ̂ too small every time", exact,
          lambda case: (bool((case.bias < -0.1).all()), True),
          where=lambda case: case.name in ("not a minimum", "large γ")),
    Check("{name}: λ̂ off by 20 % or more", exact,
          lambda case: (bool(np.median(abs(case.bias)) > 0.2), True),
          where=lambda case: case.name in ("large step", "noisy batches")),
    Check("two steps: median error", close, lambda case: (np.median(case.bias), 0, 0.1),
          where=lambda case: case.name == "two steps", control=0.25),
    Check("explosion: a number is returned", exact, lambda case: (len(case.bias), 0),
          where=lambda case: case.name == "explosion", control=lambda case: case.count),
)  # fmt: skip


def _case(name: str, rows: Rows) -> Case:
    """How often a run was warned of, and its errors."""
    own = [row for row in rows if row["run"] == name]
    benign = "not a minimum" if name == "sound" else "no alarm"
    fine = [r for r in own if r["estimate"] is not None]
    return Case(
        name=name,
        count=len(own),
        alarmed=sum(any(benign not in line for line in _alarms(r)) for r in own),
        named=sum(r["named"] for r in own),
        bias=np.array([r["estimate"] / r["right"] - 1 for r in fine]),
        held=np.mean(
            [
                abs(r["estimate"] - r["right"]) < 2 * np.hypot(r["error"], r["right_error"])
                for r in fine
            ]
        )
        if name == "sound"
        else None,
    )


def _shares(rows: Rows) -> Iterable[Claim]:
    """What failing runs show more often than sound ones."""
    negative, sound = (
        np.mean([r["estimate"] < 0 for r in rows if r["run"] == name])
        for name in ("not a minimum", "sound")
    )
    text = "share of negative estimates where w* is no minimum (planted: sound runs)"
    yield at_least(text, negative, 0.5, control=float(sound))
    spread, calm = (_spread(rows, name) for name in ("short chains", "sound"))
    if spread and calm:
        text = "scatter over runs of short chains, of that of sound runs (planted: the same)"
        yield at_least(text, spread / calm, 1.5, control=1.0)
    if follows := [r["named"] for r in rows if r["run"] == "large γ"]:
        alarms = [any("locali" in line for line in r["warnings"])
                  for r in rows if r["run"] == "sound"]  # fmt: skip
        text = "share of runs at large γ whose λ̂ follows γ (planted: sound runs)"
        yield at_least(text, np.mean(follows), 0.75, control=float(np.mean(alarms)))


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Rates of warnings, and bias of the estimates."""
    cases = [_case(name, rows) for name in settings["runs"]]
    claims = list(_shares(rows))
    yield Finding(
        "004-failures",
        f"negative where w* is no minimum in {claims[0].value:.0%}; every failure that is provoked "
        "shows, and in some runs is warned of",
        [*claims, *judged(RUN_FACTS, cases)],
        details="; ".join(
            f"{case.name}: warned {case.alarmed} of {case.count}"
            + (f", λ̂ off by {np.median(case.bias):+.0%}" if len(case.bias) else "")
            for case in cases
        ),
        why="All signatures appear and are warned of, not in every run. A single step that is too "
        "large shows under other names, as λ̂ that moves with γ or nβ: the error that it "
        "states is wrong. With a second step it is corrected.",
    )


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Relative errors of the estimates, marked where a warning was given."""
    axes = figure.subplots()
    for k, name in enumerate(settings["runs"]):
        own = [r for r in rows if r["run"] == name and r["estimate"] is not None]
        for warned, style in ((False, "C0."), (True, "C3x")):
            some = [r for r in own if bool(_alarms(r)) == warned]
            spread = k + 0.25 * (np.arange(len(some)) / max(1, len(own)) - 0.5)
            axes.plot(spread, [r["estimate"] / r["right"] for r in some], style, markersize=5)
        if not own:
            axes.annotate("stopped", (k, 1), ha="center", color="C3", fontsize=8)
    axes.axhline(1, color="0.5", linewidth=0.8)
    axes.set_yscale("symlog", linthresh=2)
    axes.set_xticks(range(len(settings["runs"])), settings["runs"], rotation=25, fontsize=8)
    axes.set(ylabel="λ̂ over the exact mean", title="dots: no warning, crosses: warned")


EXPERIMENT = experiment(
    __name__,
    title="Failure signatures of the estimator",
    places=("004-failures",),
    **suites(
        runs=(["sound", "not a minimum", "explosion"], list(FAILURE_SIGNATURES)),
        data_sets=(1, 12),
    ),
)
