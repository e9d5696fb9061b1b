"""Which rank of reduced-rank regression is chosen: BIC, sBIC and WBIC.

The design of Drton and Plummer (2017), as the vignette of sBIC has it: 15 inputs, 10 outputs,
noise N(0, I), a true map of rank 5 with singular values 6/5, 1, 4/5, 3/5, 2/5 at random places, n
from 50 to 1000, 200 data sets of each size. BIC has half the dimension of the matrices of a rank;
sBIC takes λ and θ of every pair of ranks from the theorem; WBIC is the mean of nL_n over exact
conditional draws at β = 1/log n with N(0, 1) priors, for fewer data sets, and knows no λ. The
control is pure noise: a criterion that only likes large models would find ranks there, too.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from rlct.criteria.sbic import sbic
from rlct.criteria.wbic import wbic
from rlct.report.picture import ACCENT_COLOR, INK_COLOR, SECOND_COLOR
from validation.audit.row import close, exact
from validation.evidence import reduced_rank
from validation.framework.claim import at_least, at_most
from validation.framework.experiment import Data, Finding, Rows, experiment, suites

INPUT_COUNT, OUTPUT_COUNT = 15, 10
SINGULAR_VALUES = (1.2, 1.0, 0.8, 0.6, 0.4)
TRUE_RANK = len(SINGULAR_VALUES)
CRITERION_NAMES = {"bic": "BIC", "sbic": "sBIC", "wbic": "WBIC"}


@cache
def coefficients() -> Any:
    """λ and θ of every rank at every smaller true one."""
    return reduced_rank.coefficients(INPUT_COUNT, OUTPUT_COUNT, OUTPUT_COUNT)


def units(settings: Data) -> Iterable[Data]:
    """Some data sets of one size, with the design's truth or with pure noise."""
    for n in settings["sizes"]:
        for part in range(settings["parts"]):
            yield {"n": n, "rank": TRUE_RANK, "part": part}
    yield {"n": settings["control"], "rank": 0, "part": 0}


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """How often each rank is chosen by each criterion."""
    counts = {name: np.zeros(OUTPUT_COUNT + 1, int) for name in CRITERION_NAMES}
    for data_set in range(settings["data_sets"]):
        data = reduced_rank.simulate(
            unit["n"], INPUT_COUNT, OUTPUT_COUNT, SINGULAR_VALUES[: unit["rank"]], rng
        )
        fits = [reduced_rank.maximum(data, h) for h in range(OUTPUT_COUNT + 1)]
        found = sbic(fits, coefficients(), unit["n"])
        counts["bic"][np.argmax(found.bic)] += 1
        counts["sbic"][np.argmax(found.sbic)] += 1
        if data_set < settings["wbic_sets"]:
            counts["wbic"][np.argmin(_wbic(data, settings["draws"], rng))] += 1
    return counts


def _wbic(data: reduced_rank.Data, draws: int, rng: np.random.Generator) -> list[float]:
    beta = 1 / float(np.log(data.n))
    penalties = []
    for h in range(OUTPUT_COUNT + 1):
        products = reduced_rank.gibbs(data, h, beta, 2, draws, rng, warmup=draws // 2)
        total = reduced_rank.total_log_likelihood(data, products)
        penalties.append(wbic(total, observations=data.n).value)
    return penalties


def shares(rows: Rows, rank: int) -> dict[str, dict[int, Any]]:
    """By criterion and n: the share of data sets in which each rank is chosen."""
    picks: dict[str, dict[int, Any]] = {name: {} for name in CRITERION_NAMES}
    for n in sorted({row["n"] for row in rows if row["rank"] == rank}):
        own = [row for row in rows if (row["n"], row["rank"]) == (n, rank)]
        for name, by_size in picks.items():
            total = np.sum([row[name] for row in own], axis=0)
            by_size[n] = total / total.sum()
    return picks


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Shares of the true rank, what is chosen otherwise, and the control."""
    picks = shares(rows, TRUE_RANK)
    noise = {name: next(iter(own.values())) for name, own in shares(rows, 0).items()}
    sizes = settings["sizes"]
    lead = {n: picks["sbic"][n][TRUE_RANK] - picks["bic"][n][TRUE_RANK] for n in sizes}
    best = max(lead, key=lambda n: lead[n])
    below = max(_mean(picks["bic"][n]) for n in sizes if n <= best)
    facts = [
        at_least(f"share in which sBIC finds rank {TRUE_RANK}, less that of BIC (n = {best}; "
                 f"planted: n = {sizes[0]})", lead[best], 0.5, control=lead[sizes[0]]),
        at_most(f"mean rank by BIC up to there (planted: n = {sizes[-1]})", below, TRUE_RANK - 0.5,
                control=_mean(picks["bic"][sizes[-1]])),
        exact("sBIC finds it as often as BIC or more at every n", min(lead.values()) > -0.05, True),
        exact("BIC never chooses a larger rank than sBIC on average",
              all(_mean(picks["bic"][n]) <= _mean(picks["sbic"][n]) for n in sizes), True),
        close(f"sBIC chooses rank {TRUE_RANK} at n = {sizes[-1]}",
              picks["sbic"][sizes[-1]][TRUE_RANK], 1, 0.06, control=1 / (OUTPUT_COUNT + 1)),
        close("pure noise: sBIC chooses rank 0", noise["sbic"][0], 1, 0.06, control=0.5),
    ]  # fmt: skip
    facts += [
        close(f"mean rank by WBIC at n = {sizes[-1]}", _mean(picks["wbic"][sizes[-1]]), TRUE_RANK,
              1.0, control=OUTPUT_COUNT),
        exact("WBIC chooses rank 0 for pure noise in more than half", noise["wbic"][0] > 0.5, True),
    ]  # fmt: skip
    sentences = "; ".join(
        f"n = {n}: "
        + ", ".join(f"{text} {picks[c][n][TRUE_RANK]:.0%}" for c, text in CRITERION_NAMES.items())
        for n in sizes
    )
    sets = settings["parts"] * settings["data_sets"]
    few = settings["parts"] * settings["wbic_sets"]
    yield Finding(
        "lit-sbic-ranks",
        f"n = {best}: sBIC finds rank {TRUE_RANK} in {picks['sbic'][best][TRUE_RANK]:.0%} of the "
        f"data sets, BIC in {picks['bic'][best][TRUE_RANK]:.0%}",
        facts,
        "BIC charges every rank half the dimension of its matrices, 50 for rank 5, though most of "
        "what a spare rank adds is free, and stays below the true rank until n is large; sBIC "
        "charges λ. WBIC, without any λ, measures what its own prior makes of each rank.",
        f"Rank {TRUE_RANK} chosen in this share of the data sets: {sentences}; mean rank at "
        f"n = {sizes[0]}: "
        + ", ".join(
            f"{text} {_mean(picks[c][sizes[0]]):.1f}" for c, text in CRITERION_NAMES.items()
        ),
        f"{sets} data sets of each size, {few} of them for WBIC; the published frequencies are a "
        "figure without numbers.",
    )


def _mean(share: Any) -> float:
    return float(np.arange(len(share)) @ share)


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """Share of the true rank, and the mean rank, against n."""
    picks = shares(rows, TRUE_RANK)
    left_axes, right_axes = figure.subplots(1, 2)
    for (name, text), colour in zip(
        CRITERION_NAMES.items(), (ACCENT_COLOR, INK_COLOR, SECOND_COLOR), strict=True
    ):
        sizes = list(picks[name])
        left_axes.semilogx(
            sizes, [picks[name][n][TRUE_RANK] for n in sizes], "o-", ms=4, color=colour
        )
        means = [_mean(picks[name][n]) for n in sizes]
        right_axes.semilogx(sizes, means, "o-", ms=4, color=colour, label=text)
    left_axes.set(
        xlabel="n", ylabel=f"share with rank {TRUE_RANK}, the true one", ylim=(-0.03, 1.03)
    )
    right_axes.axhline(TRUE_RANK, color="0.5", linewidth=0.8, label="truth")
    right_axes.set(xlabel="n", ylabel="mean of the chosen rank")
    right_axes.legend(frameon=False, fontsize=8)


EXPERIMENT = experiment(
    __name__,
    title="Which rank BIC, sBIC and WBIC choose",
    places=("lit-sbic-ranks",),
    **suites(
        sizes=([100, 300, 1000], [50, 100, 200, 300, 500, 1000]),
        parts=(1, 5),
        data_sets=(25, 40),
        wbic_sets=(2, 5),
        draws=(40, 100),
        control=300,
    ),
    size=(8.0, 4.0),
    seed=11,
)
