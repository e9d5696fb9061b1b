"""How often AIC, BIC, the singular BIC and WBIC choose the true size.

Run from the repository root::

    python validation/selection/run.py --json validation/selection/results.json
    python validation/selection/run.py --json validation/selection/results.json --table

Each row is a family, a number of observations and 500 data sets of one true model, fitted at every
size from several starts.  ``sBIC`` has the exact λ and θ of every model at every smaller truth;
``proxy`` those of Drton and Plummer (2017) with φ = 1.  WBIC is that of binomial mixtures, on the
first 100 data sets, by random walks at β = 1/log n from uniform priors; the largest R-hat of its
losses stands beside it.  What the file holds is not run again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
from scipy.special import gammaln, log_expit, logsumexp, xlog1py, xlogy  # noqa: E402
from sklearn.decomposition import FactorAnalysis  # noqa: E402

import rlct  # noqa: E402
from rlct.sampling.markov_chains.diagnostics import rhat  # noqa: E402
from rlct.selection.families import MODEL_FAMILIES  # noqa: E402
from rlct.selection.fitters import FAMILY_FITTERS  # noqa: E402
from validation.records import read_json, versions_of, write_json  # noqa: E402

DATA_SETS, WBIC_SETS = 500, 100
EM_STARTS, EM_STEPS = 8, 600  # of EM, at each size
WALK_CHAINS, WALK_STEPS = 4, 12_000  # random walks, the first half burn-in

Array = np.ndarray[Any, Any]


class Study(NamedTuple):
    """One true model and the sizes that are compared."""

    family: str
    facts: dict[str, Any]
    sizes: tuple[int, ...]
    truth: int
    counts: tuple[int, ...]
    each: int | None  # parameters of a component, for the proxy
    log_likelihoods: Callable[[Study, int, np.random.Generator], tuple[Array, Array]]


# Families with fitters of the program


def rank_fits(study: Study, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Maps of rank 3 with singular values 1, 0.7, 0.5 and noise of variance 1."""
    fits = []
    for _ in range(DATA_SETS):
        left, right = (np.linalg.qr(rng.normal(size=(d, 3)))[0] for d in (8, 6))
        x = rng.normal(size=(n, 8))
        y = x @ (left * [1.0, 0.7, 0.5]) @ right.T + rng.normal(size=(n, 6))
        fits.append(fitted(study, np.hstack([x, y]), 1))
    return np.array(fits), np.empty(0)


def factor_fits(study: Study, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Six variables and two factors with loadings of about 0.7, unique variances 1/2."""
    fits = []
    for _ in range(DATA_SETS):
        loadings = 0.7 * rng.normal(size=(6, 2))
        x = rng.normal(size=(n, 2)) @ loadings.T + math.sqrt(0.5) * rng.normal(size=(n, 6))
        independent = fitted(study._replace(sizes=(0,)), x, 1)
        models = [
            FactorAnalysis(size, tol=1e-4, max_iter=2000, svd_method="lapack")
            for size in study.sizes[1:]
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # variances near 0 take longer
            fits.append([*independent, *(model.fit(x).loglike_[-1] for model in models)])
    return np.array(fits), np.empty(0)


def fitted(study: Study, table: Array, starts: int) -> list[float]:
    """Log-likelihoods of one data set by the fitter of the program."""
    fit = FAMILY_FITTERS[study.family].fit
    return [fit(table, study.facts, size, starts, 0).log_likelihood for size in study.sizes]


# Mixtures of one-parameter components


def binomial(y: Array, mean: Array) -> Array:
    """Log-probabilities of 30 trials with this mean."""
    p = np.clip(mean / 30, 1e-12, 1 - 1e-12)
    choose = gammaln(31) - gammaln(y + 1) - gammaln(31 - y)
    return np.asarray(choose + xlogy(y, p) + xlog1py(30 - y, -p))


def poisson(y: Array, mean: Array) -> Array:
    """Log-probabilities with this mean."""
    return np.asarray(xlogy(y, np.maximum(mean, 1e-12)) - mean - gammaln(y + 1))


def normal(y: Array, mean: Array) -> Array:
    """Log-density with this mean and variance 1."""
    return -((y - mean) ** 2) / 2 - math.log(2 * math.pi) / 2


COMPONENT_MODELS = {
    "binomial-mixture": (binomial, (3.0, 9.0, 15.0, 21.0)),
    "poisson-mixture": (poisson, (2.0, 6.0, 12.0)),
    "gaussian-mixture": (normal, (-2.0, 0.0, 2.0)),
}


def mixture_data(study: Study, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Values of all data sets and how often each is there; equal weights of the components."""
    _, means = COMPONENT_MODELS[study.family]
    chosen = rng.choice(means, size=(DATA_SETS, n))
    if study.family == "gaussian-mixture":
        return chosen + rng.normal(size=chosen.shape), np.ones(chosen.shape)
    draws = rng.binomial(30, chosen / 30) if study.family[0] == "b" else rng.poisson(chosen)
    top = int(draws.max()) + 1
    counted = np.array([np.bincount(row, minlength=top) for row in draws], dtype=float)
    return np.broadcast_to(np.arange(top, dtype=float), (DATA_SETS, top)), counted


def mixture_fits(study: Study, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """All data sets at once, equal values once with their number."""
    density, _ = COMPONENT_MODELS[study.family]
    values, weights = mixture_data(study, n, rng)
    columns = [by_em(density, values, weights, size, rng) for size in study.sizes]
    return np.stack(columns, axis=1), weights


def by_em(
    density: Callable[[Array, Array], Array],
    values: Array,
    weights: Array,
    size: int,
    rng: np.random.Generator,
) -> Array:
    """The largest log-likelihood of each data set over all starts."""
    y, count = values[:, None, None, :], weights[:, None, None, :]
    total = weights.sum(axis=1)
    share = weights / total[:, None]
    places = [
        rng.choice(v, size=(EM_STARTS, size), p=p) for v, p in zip(values, share, strict=True)
    ]
    means = np.array(places)[..., None] + 0.1 * rng.normal(size=(len(values), EM_STARTS, size, 1))
    means = np.clip(means, 0.05, None) if values.min() >= 0 else means
    log_weights = np.full((len(values), EM_STARTS, size, 1), -math.log(size))
    for _ in range(EM_STEPS if size > 1 else 2):
        joint = log_weights + density(y, means)
        row = logsumexp(joint, axis=2, keepdims=True)
        mass = np.exp(joint - row) * count
        by_component = mass.sum(axis=-1, keepdims=True) + 1e-300
        means = (mass * y).sum(axis=-1, keepdims=True) / by_component
        log_weights = np.log(by_component / total[:, None, None, None])
    row = logsumexp(log_weights + density(y, means), axis=2)
    return np.asarray((row * weights[:, None, :]).sum(axis=-1).max(axis=1))


# WBIC of binomial mixtures


def prior_and_loss(w: Array, size: int, y: Array, weights: Array) -> tuple[Array, Array]:
    """At log-ratios of weights and logits of means: log-density of uniform priors, and nL."""
    ratios = np.concatenate([w[..., : size - 1], np.zeros((*w.shape[:-1], 1))], axis=-1)
    shares = ratios - logsumexp(ratios, axis=-1, keepdims=True)
    logits = w[..., size - 1 :]
    means = 30 * np.exp(log_expit(logits))[..., None]
    row = logsumexp(shares[..., None] + binomial(y, means), axis=-2)
    prior = shares.sum(axis=-1) + (log_expit(logits) + log_expit(-logits)).sum(axis=-1)
    return prior, -(row * weights).sum(axis=-1)


def by_walk(weights: Array, size: int, n: int, rng: np.random.Generator) -> tuple[Array, float]:
    """WBIC of each data set, and the largest R-hat; uniform weights and probabilities."""
    beta, sets = 1 / math.log(n), len(weights)
    y = np.arange(weights.shape[1], dtype=float)
    w = rng.normal(size=(sets, WALK_CHAINS, 2 * size - 1))

    def log_density(w: Array) -> tuple[Array, Array]:
        """Of the tempered posterior, and the loss."""
        prior, loss = prior_and_loss(w, size, y, weights[:, None, :])
        return prior - beta * loss, loss

    density, loss = log_density(w)
    scale = np.full((sets, 1, 1), 0.5)
    losses = np.empty((WALK_STEPS // 2, sets, WALK_CHAINS))
    for step in range(WALK_STEPS):
        moved = w + scale * rng.normal(size=w.shape) * rng.choice(
            [0.2, 1.0], size=(sets, WALK_CHAINS, 1)
        )
        new_density, new_loss = log_density(moved)
        taken = np.log(rng.random(density.shape)) < new_density - density
        w = np.where(taken[..., None], moved, w)
        density, loss = np.where(taken, new_density, density), np.where(taken, new_loss, loss)
        if step < WALK_STEPS // 2:
            scale *= np.exp((taken.mean(axis=1) - 0.3) / math.sqrt(step + 1))[:, None, None]
        else:
            losses[step - WALK_STEPS // 2] = loss
    worst = max(rhat(losses[:, k].T) for k in range(sets))
    return losses.mean(axis=(0, 2)), float(worst)


FAMILY_STUDIES = (
    Study("reduced-rank", {"inputs": 8, "outputs": 6}, tuple(range(7)), 3,
          (50, 100, 200, 500), None, rank_fits),
    Study("factor-analysis", {"variables": 6}, (0, 1, 2, 3), 2,
          (50, 100, 200, 500), None, factor_fits),
    Study("binomial-mixture", {"trials": 30, "concentration": 1}, tuple(range(1, 7)), 4,
          (50, 200, 500), 1, mixture_fits),
    Study("poisson-mixture", {"concentration": 1}, tuple(range(1, 6)), 3,
          (50, 200, 500), 1, mixture_fits),
    Study("gaussian-mixture", {"variables": 1, "covariance": "known", "concentration": 1},
          tuple(range(1, 6)), 3, (50, 200), 1, mixture_fits),
)  # fmt: skip


def measure(study: Study, n: int, seed: int) -> dict[str, Any]:
    """Share of the data sets in which each criterion chooses the true size."""
    began, rng = time.process_time(), np.random.default_rng([seed, n, FAMILY_STUDIES.index(study)])
    likelihoods, weights = study.log_likelihoods(study, n, rng)
    # A larger model fits no worse: where EM ended earlier, its best is that of a smaller one.
    likelihoods = np.maximum.accumulate(likelihoods, axis=1)
    family, right = MODEL_FAMILIES[study.family], study.sizes.index(study.truth)
    exact: list[list[Any]] = []
    proxies: list[list[Any]] = []
    for size in study.sizes:
        truths = [truth for truth in study.sizes if truth <= size]
        cells = [family.cell(study.facts, size, truth) for truth in truths]
        assert all(cell.exact for cell in cells)
        exact.append([cell.lower or (0, 1) for cell in cells])
        proxies.append([proxy(study.each, size, truth) for truth in truths] if study.each else [])
    dimension = np.array([2 * float(row[-1].lam) if row[-1] != (0, 1) else 0.0 for row in exact])
    chosen = {
        "AIC": (likelihoods - dimension).argmax(axis=1),
        "BIC": (likelihoods - dimension / 2 * math.log(n)).argmax(axis=1),
        "sBIC": by_sbic(likelihoods, exact, n),
    }
    if study.each:
        chosen["proxy"] = by_sbic(likelihoods, proxies, n)
    row: dict[str, Any] = {"family": study.family, "truth": study.truth, "n": n, "shares": {}}
    if study.family == "binomial-mixture":
        parts = [by_walk(weights[:WBIC_SETS], size, n, rng) for size in study.sizes]
        losses = np.stack([part[0] for part in parts], axis=1)
        chosen["WBIC"] = losses.argmin(axis=1)
        row["largest R-hat of WBIC"] = round(max(part[1] for part in parts), 3)
    for name, places in chosen.items():
        share = float((places == right).mean())
        error = math.sqrt(share * (1 - share) / len(places))
        row["shares"][name] = [share, round(error, 4), len(places)]
    row["seconds"] = round(time.process_time() - began, 1)
    return row


def proxy(each: int, size: int, truth: int) -> tuple[Fraction, int]:
    """λ = min(jr + j − 1 + (i − j), ri + j − 1)/2, θ = 1."""
    twice = min(truth * each + truth - 1 + size - truth, each * size + truth - 1)
    return Fraction(twice, 2), 1


def by_sbic(likelihoods: Array, rows: list[list[Any]], n: int) -> Array:
    """Places of the sizes with the largest evidence."""
    values = [rlct.sbic(line.tolist(), rows, n).sbic for line in likelihoods]
    return np.array(values).argmax(axis=1)


def table(rows: list[dict[str, Any]]) -> str:
    """Markdown: shares with their standard errors."""
    names = ("AIC", "BIC", "sBIC", "proxy", "WBIC")
    lines = [f"| family | n | {' | '.join(names)} | R-hat |", "|---" * 8 + "|"]
    for row in rows:
        shares = [row["shares"].get(name) for name in names]
        cells = ["" if share is None else f"{share[0]:.3f} ± {share[1]:.3f}" for share in shares]
        worst = row.get("largest R-hat of WBIC", "")
        lines.append(
            f"| {row['family']}, {row['truth']} | {row['n']} | {' | '.join(cells)} | {worst} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Run what the file does not hold yet, or print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--table", action="store_true", help="print what the file holds")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    kept = read_json(options.json, {"rows": []})
    if options.table:
        print(table(kept["rows"]))
        return 0
    done = {(row["family"], row["n"]) for row in kept["rows"]}
    for study in FAMILY_STUDIES:
        for n in study.counts:
            if (study.family, n) in done:
                continue
            row = measure(study, n, options.seed)
            print(json.dumps(row), flush=True)
            kept["rows"].append(row)
            kept["made"] = {
                "command": "python validation/selection/run.py --json results.json",
                "seed": options.seed,
                **versions_of("numpy", "rlct"),
            }
            write_json(options.json, kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
