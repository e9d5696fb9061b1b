"""Compute the tempered means of the reference set.

    python validation/coverage/means.py [--keep-chains] [ID …]

E[nβK] at nβ = 10², 10³, 10⁴ and 10⁶ for every problem, or for those named, kept in
``rlct/benchmark/means.json``: by quadrature in up to three variables where it resolves the
integral (also for sums of copies of such a problem, whose means add up, and linear networks with
one hidden unit), else by independent draws where a pilot run foresees that they are enough
(`independent`), else by long runs of Markov chains.  Problems that are there already are left as
they are unless they are named; with ``--keep-chains`` every problem without quadrature is computed
anew, but for means by chains that are there: those take the longest.
"""

import argparse
import json
import zlib
from pathlib import Path

import numpy as np
from independent import by_draws

import rlct.benchmark
from rlct.benchmark import ReferenceProblem, all_problems, get_problem
from rlct.sampling.ladders.quadrature import UnresolvedIntegral, density_of_states
from rlct.sampling.ladders.tempering import tempered_means
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget

N_BETAS = (1e2, 1e3, 1e4, 1e6)
MEANS_FILE = Path(rlct.benchmark.__file__).parent / "means.json"
PARTICLE_COUNT = 160
LARGE_DIMENSION = 100  # parameters from which there are fewer particles, in proportion


def by_quadrature(problem: ReferenceProblem, copies: int = 1) -> list[list[object]] | None:
    """Means with numerical errors, or None if quadrature does not resolve them."""
    target = problem.target()
    if not isinstance(target, PolynomialTarget) or target.dimension > 3:
        return None
    try:
        states = density_of_states(target, top=10 * N_BETAS[-1])
    except UnresolvedIntegral:
        return None
    means = states.mean(np.array(N_BETAS))
    return [
        [n_beta, float(f"{copies * mean:.8g}"), float(f"{copies * states.error:.2g}"), "quadrature"]
        for n_beta, mean in zip(N_BETAS, means, strict=True)
    ]


def by_one_unit(problem: ReferenceProblem) -> list[list[object]] | None:
    """Means of K = ½|a|²|b|², of a linear network with one hidden unit at 0: |b|² is integrated.

    Given it |a|² is χ² shrunk by 1 + nβ|b|².
    """
    target = problem.target()
    if not isinstance(target, LinearNetworkTarget) or target.rank or target.widths[1:-1] != (1,):
        return None
    half, second_half = (0.5 * width for width in (target.widths[0], target.widths[-1]))

    def mean(n_beta: float) -> float:
        u = np.linspace(-80.0, 8.0, 200_001)  # log |b|²: the trapezoidal rule is exact to rounding
        scale = n_beta * np.exp(u)
        weights = second_half * u - 0.5 * np.exp(u) - half * np.log1p(scale)
        weights = np.exp(weights - weights.max())
        return float(half * (weights * scale / (1 + scale)).sum() / weights.sum())

    return [[n_beta, float(f"{mean(n_beta):.8g}"), 1e-8, "quadrature"] for n_beta in N_BETAS]


def by_chains(problem: ReferenceProblem) -> list[list[object]]:
    """Means with standard errors; the seed follows from the id."""
    target = problem.target()
    particles = max(16, PARTICLE_COUNT * LARGE_DIMENSION // max(LARGE_DIMENSION, target.dimension))
    # Many terms average themselves: λ large means a small relative scatter.
    rounds = 30 if target.dimension <= 6 else 10
    rng = np.random.default_rng(zlib.crc32(problem.id.encode()))
    found = tempered_means(target, N_BETAS, rng=rng, particles=particles, chain_rounds=rounds)
    return [
        [n_beta, float(f"{mean:.6g}"), float(f"{error:.2g}"), "markov chain"]
        for n_beta, (mean, error) in zip(N_BETAS, found, strict=True)
    ]


def by_sampling(problem: ReferenceProblem, chains: list[list[object]] | None) -> list[list[object]]:
    """Means by independent draws, and by chains for each nβ where those are not enough."""
    means = by_draws(problem, N_BETAS)
    if None in means:
        missing = {n_beta for n_beta, row in zip(N_BETAS, means, strict=True) if row is None}
        there = {row[0] for row in chains or [] if row[3] == "markov chain"}
        chains = chains if chains and missing <= there else by_chains(problem)
        means = [new or old for new, old in zip(means, chains, strict=True)]
    return [row for row in means if row is not None]


def main() -> None:
    """Compute and keep, problem by problem."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help="problems; without them the missing")
    parser.add_argument(
        "--keep-chains", action="store_true", help="all means by draws anew, chains as they are"
    )
    options = parser.parse_args()
    by_id = json.loads(MEANS_FILE.read_text(encoding="utf-8"))["means"]
    for problem in map(get_problem, options.ids) if options.ids else all_problems():
        if problem.id in by_id and not options.ids and not options.keep_chains:
            continue
        if options.keep_chains and any(row[3] == "quadrature" for row in by_id.get(problem.id, [])):
            continue
        block = problem.block()
        means = by_quadrature(problem)
        means = by_one_unit(problem) if means is None else means
        if means is None and block is not None:
            means = by_quadrature(block, problem.ask["copies"])
        if means is None:
            kept = by_id.get(problem.id) if options.keep_chains else None
            means = by_sampling(problem, kept)
        by_id[problem.id] = means
        print(problem.id, *(f"{row[1]} ± {row[2]}" for row in by_id[problem.id]), flush=True)
        ordered = {p.id: by_id[p.id] for p in all_problems() if p.id in by_id}
        lines = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in ordered.items())
        command = "python validation/coverage/means.py"
        text = f'{{\n "command": "{command}",\n "means": {{\n{lines}\n }}\n}}\n'
        MEANS_FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
