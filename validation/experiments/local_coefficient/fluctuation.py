"""The local singular fluctuation ν, from all data, from a part of them, and from mini-batches.

ν̂ = (β/2)·V with V the sum over the observations of posterior variances of the log-likelihood, at
β = 1/log n near w*. Regular networks have ν = d/2 at every β, so that the estimate is put on
trial; for singular ones the mean over data sets is compared with Gibbs draws of the same
posterior.

The source leaves open whether mini-batches suffice. A *fixed* part of the observations does, at
any size: n/m times its sum is unbiased. With batches that change from draw to draw the variance
over draws contains the variance over observations: of the log-likelihoods themselves, which
swamps everything, or of their differences from w*, which is small but not nothing. It is left out
by comparing draws only where they saw the same observation.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rlct.criteria.fluctuation import singular_fluctuation
from rlct.criteria.minibatch import minibatch_fluctuation
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.regression import RegressionTarget
from rlct.sampling.targets.target import Floats
from validation.audit.row import close, exact
from validation.framework.claim import near
from validation.framework.experiment import Data, Finding, Rows, experiment, suites
from validation.framework.fact_table import Case, Check, judged, mean_error


def units(settings: Data) -> Iterable[Data]:
    """One for each network and data set."""
    for widths, rank in settings["networks"]:
        for data in range(settings["data_sets"]):
            yield {"widths": widths, "rank": rank, "data": data}


def gibbs(
    target: RegressionTarget, n_beta: float, chains: int, draws: int, rng: np.random.Generator
) -> Floats:
    """−(ℓ_i(w) − ℓ_i(w*)) at draws of the posterior, shape (chains, draws, n)."""
    w = 0.01 * rng.standard_normal((chains, target.dimension))
    kept = []
    for sweep in range(-draws // 2, draws):
        w = target.redraw(w, n_beta, rng)
        if sweep >= 0:
            kept.append(-target.pointwise(w))
    return np.stack(kept, axis=1)


def run(settings: Data, unit: Data, rng: np.random.Generator) -> Data:
    """Estimate ν in six ways on one data set."""
    n, part = settings["n"], settings["part"]
    seed = int(rng.integers(2**31))
    target = RegressionTarget(unit["widths"], unit["rank"], samples=n, sigma=1.0, seed=seed)
    beta = 1.0 / float(np.log(n))
    table = gibbs(target, n * beta, settings["chains"], settings["draws"], rng)
    whole = singular_fluctuation(table, beta=beta)
    some = rng.permutation(n)[:part]
    fixed = singular_fluctuation(table[:, :, some], beta=beta, observations=n)
    # Batches of the draw's own: slot j of a batch holds another observation at every draw.
    rows = rng.integers(n, size=(*table.shape[:2], part))
    changing = singular_fluctuation(
        np.take_along_axis(table, rows, axis=2), beta=beta, observations=n
    )
    raw = -0.5 * (target.y - target.x @ target.truth.T) ** 2
    whole_raw = np.take(raw.sum(axis=1), rows) + np.take_along_axis(table, rows, axis=2)
    swamped = singular_fluctuation(whole_raw, beta=beta, observations=n)
    matched = minibatch_fluctuation(whole_raw, rows, n, beta=beta)
    sampled = estimate_llc(target, method=settings["method"], localization=1.0, seed=seed)
    assert sampled.nu is not None
    return {
        "parameters": target.dimension,
        "whole": whole.value,
        "whole_error": whole.error,
        "fixed": fixed.value,
        "fixed_data_error": fixed.data_error,
        "changing": changing.value,
        "swamped": swamped.value,
        "matched": matched.value,
        # half of β times the variance of a sum of squares of noise, over the observations
        "swamping": n * beta * unit["widths"][-1] / 4,
        "llc": sampled.nu[0],
        "llc_error": sampled.nu[1],
    }


REGULAR_CLAIM = Check(
    "{name}: ν̂ over {count} data sets, regular, ν = d/2 = {half:g}", near,
    lambda case: (case.whole, case.half, 4 * case.scatter + 0.03 * case.half,
                  0.8 * case.half, case.scatter),
    where=lambda case: not case.singular,
)  # fmt: skip
SINGULAR_CLAIM = Check(
    "{name}, singular: ν̂ of trajectories, ν by conditional draws {whole:.2f} (planted: d/2)", near,
    lambda case: (case.llc, case.whole, 4 * case.llc_off[1] + 0.05 * case.whole, case.half,
                  case.llc_off[1]),
    where=lambda case: case.singular,
)  # fmt: skip
NETWORK_CHECKS = (
    REGULAR_CLAIM,
    Check(
        "{name}: a fixed part of {part} less the whole", close,
        lambda case: (case.fixed_off[0], 0, 4 * case.fixed_off[1]),
        control=lambda case: 0.5 * case.whole,
    ),
    Check(
        "{name}: changing batches of log-likelihoods, which measure the noise", close,
        lambda case: (case.swamped / case.swamping, 1, 0.3), control=0,
    ),
    Check(
        "{name}: changing batches, compared observation by observation, less the whole", close,
        lambda case: (case.matched_off[0], 0, 4 * case.matched_off[1] + 0.01 * case.whole),
        control=lambda case: 0.5 * case.whole,
    ),
    Check(
        "{name}: changing batches of differences too large by {share:.0%}, more than 4 errors "
        "({z:.1f})", exact, lambda case: (case.z > 4, True),
    ),
    SINGULAR_CLAIM,
    Check(
        "{name}: ν̂ of llc", close,
        lambda case: (case.llc, case.whole,
                      4 * float(np.hypot(case.llc_scatter, case.scatter)) + 0.05 * case.whole),
        control=lambda case: 0.5 * case.whole,
    ),
)  # fmt: skip


def _case(settings: Data, widths: Sequence[int], rank: int, rows: Rows) -> Case:
    """Means over data sets of what was run with a network, and how far each is off."""
    own = [r for r in rows if r["widths"] == list(widths) and r["rank"] == rank]
    case = Case(name=f"{widths} rank {rank}", count=len(own), part=settings["part"])
    case.half, case.singular = own[0]["parameters"] / 2, len(widths) > 2
    case.whole, case.scatter = mean_error(r["whole"] for r in own)
    case.llc, case.llc_scatter = mean_error(r["llc"] for r in own)
    for key in ("fixed", "swamped", "changing", "matched"):
        setattr(case, key, mean_error(r[key] for r in own)[0])
    for key in ("fixed", "changing", "matched", "llc"):
        setattr(case, f"{key}_off", mean_error(r[key] - r["whole"] for r in own))
    bias, error = case.changing_off
    case.swamping, case.share, case.z = own[0]["swamping"], bias / case.whole, bias / error
    return case


def judge(settings: Data, rows: Rows) -> Iterable[Finding]:
    """Means over data sets."""
    cases = [_case(settings, *network, rows) for network in settings["networks"]]
    regular = [f"{c.whole:.2f} ± {c.scatter:.2f} for {c.half:g}" for c in cases if not c.singular]
    singular = [f"{c.llc:.2f} for {c.whole:.2f}" for c in cases if c.singular]
    yield Finding(
        "004-fluctuation",
        f"ν̂ {'; '.join(regular)} where regular; where singular {', '.join(singular)}; a fixed part "
        "of the data does as well",
        judged(NETWORK_CHECKS, cases),
        details="; ".join(
            f"{c.name}: {c.whole:.2f} ± {c.scatter:.2f} from all data, {c.fixed:.2f} from "
            f"{c.part} of them, {c.swamped:.1f} from changing batches, "
            f"{c.changing:.2f} from changing batches of differences, "
            f"{c.matched:.2f} from them observation by observation"
            for c in cases
        ),
        why="Full-data log-likelihoods are not needed: a fixed part has the same expectation and "
        "costs a larger scatter. Batches that change with the draws measure how observations "
        "differ from one another: by n·β/4 for each output with log-likelihoods, and still by a "
        "share of order β with differences from w*. Comparing draws only where they saw "
        "the same observation (rlct.criteria.minibatch) takes that away.",
    )


def draw(settings: Data, rows: Rows, figure: Any) -> None:
    """ν̂ in five ways, by network."""
    axes = figure.subplots()
    names = [f"{w} rank {r}" for w, r in settings["networks"]]
    for k, (key, label) in enumerate(
        (
            ("whole", "all data, Gibbs"),
            ("llc", "all data, llc"),
            ("fixed", f"a fixed part of {settings['part']}"),
            ("changing", "changing batches of differences"),
            ("swamped", "changing batches"),
            ("matched", "changing batches, matched"),
        )
    ):
        for j, (widths, rank) in enumerate(settings["networks"]):
            values = [r[key] for r in rows if r["widths"] == list(widths) and r["rank"] == rank]
            axes.plot(
                np.full(len(values), j + 0.13 * (k - 2.5)),
                values,
                ".",
                color=f"C{k}",
                label=label if j == 0 else None,
            )
    for j, (widths, _) in enumerate(settings["networks"]):
        if len(widths) == 2:
            axes.plot([j - 0.4, j + 0.4], [widths[0] * widths[1] / 2] * 2, color="0.4")
    axes.set_xticks(range(len(names)), names, fontsize=8)
    axes.set(yscale="log", ylabel="ν̂, one point per data set; line: d/2 where regular")
    axes.legend(fontsize=8)


EXPERIMENT = experiment(
    __name__,
    title="The local singular fluctuation",
    places=("004-fluctuation",),
    **suites(
        networks=(
            [[[3, 2], 1], [[3, 2, 3], 1]],
            [[[3, 2], 1], [[6, 4], 2], [[3, 2, 3], 1], [[5, 3, 5], 1], [[4, 4, 4, 4], 2]],
        ),
        data_sets=(4, 10),
        n=(400, 1000),
        part=(80, 100),
        chains=(4, 6),
        draws=(80, 300),
        method="hmc",
    ),
    version=2,
)
