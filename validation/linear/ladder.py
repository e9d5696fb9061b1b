"""Deep linear networks from 10² to 10⁶ parameters: λ̂ by exact draws against λ.

Run from the root of the repository::

    OPENBLAS_NUM_THREADS=1 nice -n 10 python validation/linear/ladder.py --log ladder.jsonl
    python validation/linear/ladder.py --log ladder.jsonl --report

Networks of three square layers with a true product of about half the full rank, chosen such
that θ = 1.  Chains start from the prior, know nothing of ranks, and climb from nβ = 10² to
10¹² by exact conditional draws of one layer at a time.  The means of nβK are λ + c·(nβ)^−δ + …;
the fit of the package finds λ, its interval holds the scatter of the chains and what the fit
leaves open.  It begins at nβ = 10⁶: at 10⁴ the correction is 13 % at a million parameters, its
square counts, and one power fits badly.  Chains lag behind a new nβ, at width 58 for about a
dozen sweeps (``--lag``), and longer where layers are wider.  ``--log`` keeps a line for
each network, so that a run can be stopped and resumed; ``--report`` writes ladder.json, ladder.md
and ladder.svg beside this file.
"""

import argparse
import sys
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.stats import t as student

import rlct
from rlct.sampling.ladders.joint_fit import fit
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.markov_chains import diagnostics
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.targets.linear import LinearNetworkTarget
from validation.records import append_log, read_log, versions_of, write_json

STUDY_FOLDER = Path(__file__).parent
LADDER_LEVELS = 10.0 ** np.arange(2, 13)
FIRST_MEASURED = (
    1e6  # below, chains only climb: squares of the correction are not small beside the noise
)
CLIMB_SWEEPS = 8  # sweeps of a rung below
LAYER_COUNT, CHAIN_COUNT, STUDY_SEED = 3, 4, 2026
#: Width, sweeps before the draws at each rung, and draws kept.
WIDTH_SWEEPS = {6: (200, 400), 18: (200, 400), 58: (50, 100), 183: (32, 24), 578: (64, 12)}


def rank_of(width):
    """About half the width, such that θ = 1: the excess width is a multiple of three."""
    return width - 3 * round(width / 6)


def target_of(width, rank):
    """The network at its deepest point, with the population loss."""
    # Weights of size 1/√width: each layer has norm of order one, whatever its width.
    return LinearNetworkTarget([width] * (LAYER_COUNT + 1), rank, sigma=width**-0.5)


def measure(width, burnin, draws):
    """One network."""
    rank = rank_of(width)
    widths = [width] * (LAYER_COUNT + 1)
    exact = rlct.linear(widths, rank=rank)
    assert exact.theta == 1
    target = target_of(width, rank)
    rng = np.random.default_rng(STUDY_SEED)
    wall, begin = time.perf_counter(), time.process_time()

    def progress(fraction, text):
        print(f"{width}: {fraction:4.0%} {text}", file=sys.stderr, flush=True)

    low, high = (
        LADDER_LEVELS[LADDER_LEVELS < FIRST_MEASURED],
        LADDER_LEVELS[LADDER_LEVELS >= FIRST_MEASURED],
    )
    climbed = gibbs(
        target, low, rng=rng, num_chains=CHAIN_COUNT, num_draws=CLIMB_SWEEPS, num_burnin=0
    )
    chains = gibbs(
        target,
        high,
        rng=rng,
        num_chains=CHAIN_COUNT,
        num_draws=draws,
        num_burnin=burnin,
        start=climbed.w[0],
        progress=progress,
    )
    tops = chains.draws
    # Chains that lag behind a rung still climb while it is recorded.
    halves = tops[:, :, draws // 2 :].mean(axis=2) - tops[:, :, : draws // 2].mean(axis=2)
    return {
        "widths": widths,
        "rank": rank,
        "parameters": target.dimension,
        "lambda": str(exact.lam),
        "unit": unit_of(low, climbed.draws.mean(axis=(1, 2)), chains.draws[-1].mean()),
        "ess": float(sum(diagnostics.ess(part) for part in tops)),
        "rhat": float(max(diagnostics.rhat(part) for part in tops)),
        "drift": float(halves.mean()),
        "drift_z": float(halves.mean() / halves.std(ddof=1) * halves.size**0.5),
        "n_beta": high.tolist(),
        "means": chains.draws.mean(axis=(1, 2)).tolist(),
        "chain_means": chains.draws.mean(axis=2).T.tolist(),
        "burnin": burnin,
        "draws": draws,
        "seconds": time.process_time() - begin,
        "wall_seconds": time.perf_counter() - wall,
    }


def unit_of(levels, means, last):
    """The nβ at which the mean is half of what it becomes, from which L counts as in the package.

    Counted from nβ = 1 the correction is four times larger than the fit expects, which then takes
    a slower power: λ̂ was 0.1 % too large for wide layers.
    """
    return float(np.exp(np.interp(last / 2, np.sort(means), np.log(levels))))


def fitted(row):
    """What the fit of the package says of one network."""
    length = np.log(np.array(row["n_beta"]) / row["unit"])
    slopes = np.array(row["chain_means"])
    expansion = fit(
        Ladder(length, length, slopes, row["unit"], "means"), [1], window_start=length[0] - 1e-9
    )
    return {
        "estimate": expansion.lam,
        "error": expansion.error,
        "monte_carlo": expansion.noise,
        "degrees": expansion.degrees,
        "misfit": expansion.misfit,
    }


def lag(width, sweeps=40):
    """Print how far below its limit nβK is in the first sweeps of a rung, over many chains."""
    target, chains = target_of(width, rank_of(width)), 160 if width < 50 else 40
    rng = np.random.default_rng(STUDY_SEED)
    found = gibbs(target, LADDER_LEVELS, rng=rng, num_chains=chains, num_draws=sweeps, num_burnin=0)
    draws = found.draws[LADDER_LEVELS >= 1e4]
    limit = draws[:, :, sweeps // 2 :].mean()
    error = (draws - draws.mean(axis=2, keepdims=True)).std() / (draws[:, :, 0].size) ** 0.5
    edges = [0, 2, 4, 8, 12, 16, 20, 30, sweeps]
    for begin, end in pairwise(edges):
        gap = draws[:, :, begin:end].mean() - limit
        print(f"sweeps {begin + 1} to {end}: {gap:+.2f} ± {error / (end - begin) ** 0.5:.2f}")


def judged(row):
    """Interval, z, and the wrong values that the same test rejects at 99 %."""
    lam, row = float(Fraction(row["lambda"])), {**row, **fitted(row)}
    critical = float(student.ppf(0.995, row["degrees"]))
    half = float(student.ppf(0.975, row["degrees"])) * row["error"]

    def z(value):
        return (row["estimate"] - value) / row["error"]

    def neighbour(step):
        rank = row["rank"] + step
        while 0 <= rank <= row["widths"][0]:
            wrong = float(rlct.linear(row["widths"], rank=rank).lam)
            if abs(z(wrong)) > critical:
                return {"rank": rank, "lambda": wrong, "z": z(wrong)}
            rank += step
        return None

    return {
        **row,
        "exact": lam,
        "interval": [row["estimate"] - half, row["estimate"] + half],
        "z": z(lam),
        "critical": critical,
        "holds": abs(z(lam)) <= critical,
        "off": row["estimate"] / lam - 1,
        "half_of_parameters": {"lambda": row["parameters"] / 2, "z": z(row["parameters"] / 2)},
        "nearest_rejected_ranks": [neighbour(-1), neighbour(1)],
    }


def table(rows):
    """The rows as Markdown."""
    limits = sorted(row["critical"] for row in rows)
    lines = [
        "# Deep linear networks up to a million parameters",
        "",
        "Written by `ladder.py --report` from `ladder.json`; not edited by hand. 95 % intervals; "
        "z by the standard error of the fit; a value is rejected beyond the 99 % quantile of t "
        f"with the degrees of freedom of that error, {limits[0]:.2f} to {limits[-1]:.2f}. Sweeps "
        "are those of a rung before its draws. Drift is what nβK gains from the first to the "
        "second half of the draws of a rung, on average: chains that climb too fast lag behind. "
        "Misfit is χ² per degree of freedom; beyond 2.5 no expansion fits well.",
        "",
        "| widths | rank | parameters | sweeps, draws | λ | λ̂ | interval | off | z | misfit "
        "| drift, its z | ESS | s | z of half the parameters | nearest ranks rejected (z) |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["interval"]
        ranks = ", ".join(
            "none" if found is None else f"{found['rank']} ({found['z']:+.1f})"
            for found in row["nearest_rejected_ranks"]
        )
        lines.append(
            f"| {len(row['widths'])} × {row['widths'][0]} | {row['rank']} "
            f"| {row['parameters']:,} | {row['burnin']}, {row['draws']} "
            f"| {row['exact']:,.1f} | {row['estimate']:,.1f} | {low:,.1f} to {high:,.1f} "
            f"| {row['off']:+.2%} | {row['z']:+.2f} | {row['misfit']:.1f} "
            f"| {row['drift']:+.2g}, {row['drift_z']:+.1f} "
            f"| {row['ess']:,.0f} | {row['seconds']:,.0f} "
            f"| {row['half_of_parameters']['z']:+,.0f} | {ranks} |"
        )
    return "\n".join(lines) + "\n"


def draw(rows, file):
    """λ̂ against λ, and how far off it is."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ladder"
    import matplotlib.pyplot as plt

    figure, (upper, lower) = plt.subplots(2, 1, figsize=(6, 6), sharex=True, layout="constrained")
    size = [row["parameters"] for row in rows]
    upper.plot(size, [row["exact"] for row in rows], "k-", lw=1, label="λ")
    upper.plot(size, [p / 2 for p in size], "k:", lw=1, label="half the parameters")
    upper.plot(size, [row["estimate"] for row in rows], "o", color="C0", label="λ̂")
    upper.set(xscale="log", yscale="log", ylabel="learning coefficient")
    upper.legend(frameon=False)
    off = [100 * row["off"] for row in rows]
    reach = [100 * (row["estimate"] - row["interval"][0]) / row["exact"] for row in rows]
    lower.errorbar(size, off, reach, fmt="o", color="C0", capsize=3)
    lower.axhline(0, color="k", lw=1)
    lower.set(xscale="log", xlabel="parameters", ylabel="λ̂/λ − 1 in %, 95 % interval")
    figure.savefig(file, metadata={"Date": None})


def main():
    """Run what the log lacks, or report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", type=Path, default=Path("ladder.jsonl"), metavar="FILE")
    parser.add_argument(
        "--lag", type=int, choices=WIDTH_SWEEPS, metavar="WIDTH", help="only show the lag"
    )
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--only", type=int, choices=WIDTH_SWEEPS, action="append", metavar="WIDTH")
    options = parser.parse_args()
    if options.lag:
        lag(options.lag)
        return
    done = {row["widths"][0]: row for row in read_log(options.log)}
    if options.report:
        missing = [width for width in WIDTH_SWEEPS if width not in done]
        if missing:
            raise SystemExit(f"the log lacks the widths {missing}")
        rows = [judged(done[width]) for width in WIDTH_SWEEPS]
        held = {
            "command": "python validation/linear/ladder.py --log ladder.jsonl",
            "seed": STUDY_SEED,
            **versions_of("numpy", "rlct"),
            "rows": rows,
        }
        write_json(STUDY_FOLDER / "ladder.json", held)
        (STUDY_FOLDER / "ladder.md").write_text(table(rows), encoding="utf-8")
        draw(rows, STUDY_FOLDER / "ladder.svg")
        return
    for width in options.only or WIDTH_SWEEPS:
        if width in done:
            continue
        row = measure(width, *WIDTH_SWEEPS[width])
        append_log(options.log, row)
        row = judged(row)
        print(f"{width}: λ = {row['lambda']}, λ̂ = {row['estimate']:.2f} ± {row['error']:.2f}")


if __name__ == "__main__":
    main()
