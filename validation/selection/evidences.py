"""Evidences of binomial mixtures beside WBIC: the criterion or the prior errs.

Run from the repository root::

    python validation/selection/evidences.py --json validation/selection/evidences.json

The first 20 data sets of the study (run.py) with 200 observations, uniform priors of weights and
probabilities.  The logarithm of the evidence of each size is found by sequential Monte Carlo: 1000
draws of the prior go through inverse temperatures from 0 to 1, with Metropolis steps at each.  For
one and two components it is compared with an integral in closed form and by quadrature.
"""

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from run import FAMILY_STUDIES, Array, binomial, by_walk, mixture_data, prior_and_loss
from scipy.optimize import brentq
from scipy.special import betaln, gammaln, logsumexp

N, SET_COUNT, DRAW_COUNT = 200, 20, 1000
MOVE_COUNT, EFFECTIVE_SHARE = (
    14,
    0.6,
)  # steps at a temperature; share of the draws that one may leave


def by_ladder(weights: Array, size: int, rng: np.random.Generator) -> float:
    """Logarithm of the evidence of one data set."""
    y = np.arange(len(weights), dtype=float)
    shares, p = rng.dirichlet(np.ones(size), size=DRAW_COUNT), rng.random((DRAW_COUNT, size))
    w = np.hstack([np.log(shares[:, :-1] / shares[:, -1:]), np.log(p / (1 - p))])
    prior, loss = prior_and_loss(w, size, y, weights)
    beta, log_evidence, scale = 0.0, 0.0, 0.5
    while beta < 1:
        last, beta = beta, next_beta(loss, beta)
        log_evidence += float(logsumexp(-(beta - last) * loss)) - math.log(DRAW_COUNT)
        masses = np.exp(-(beta - last) * (loss - loss.min()))
        ends = (rng.random() + np.arange(DRAW_COUNT)) / DRAW_COUNT
        kept = np.searchsorted(np.cumsum(masses / masses.sum()), ends).clip(max=DRAW_COUNT - 1)
        w, prior, loss = w[kept], prior[kept], loss[kept]
        spread = np.cov(w.T).reshape(w.shape[1], -1) + 1e-9 * np.eye(w.shape[1])
        root, taken = np.linalg.cholesky(spread), 0.0
        for step in range(MOVE_COUNT):
            change = rng.normal(size=w.shape) @ (root.T if step % 2 else 0.5 * np.eye(len(root)))
            moved = w + scale * rng.choice([0.15, 0.5, 1.0, 2.0], size=(DRAW_COUNT, 1)) * change
            new_prior, new_loss = prior_and_loss(moved, size, y, weights)
            better = new_prior - prior - beta * (new_loss - loss)
            yes = np.log(rng.random(DRAW_COUNT)) < better
            w = np.where(yes[:, None], moved, w)
            prior, loss = np.where(yes, new_prior, prior), np.where(yes, new_loss, loss)
            taken += float(yes.mean()) / MOVE_COUNT
        scale *= math.exp(taken - 0.25)
    return log_evidence


def next_beta(loss: Array, beta: float) -> float:
    """The largest at which weights of the draws leave enough of them."""

    def spare(end: float) -> float:
        masses = np.exp(-(end - beta) * (loss - loss.min()))
        return float(masses.sum() ** 2 / (masses @ masses)) / DRAW_COUNT - EFFECTIVE_SHARE

    return 1.0 if spare(1.0) > 0 else float(brentq(spare, beta, 1.0, xtol=1e-7))


def exactly(weights: Array, size: int) -> float:
    """The same for one component in closed form, for two by Gauss's rule in three directions."""
    y = np.arange(len(weights), dtype=float)
    if size == 1:
        choose = gammaln(31) - gammaln(y + 1) - gammaln(31 - y)
        return float(betaln(weights @ y + 1, weights @ (30 - y) + 1) + weights @ choose)
    (shares, share_masses), (nodes, masses) = unit_rule(60), unit_rule(160)
    density = np.exp(binomial(y, 30 * nodes[:, None]))
    parts = [
        logsumexp(
            np.log(a * density[:, None] + (1 - a) * density) @ weights + masses[:, None] + masses
        )
        for a in shares
    ]
    return float(logsumexp(parts + share_masses))


def unit_rule(count: int) -> tuple[Array, Array]:
    """Nodes of Gauss and Legendre in [0, 1], and the logarithms of their masses."""
    nodes, masses = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, np.log(masses / 2)


def main() -> None:
    """Write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args()
    at = next(k for k, study in enumerate(FAMILY_STUDIES) if study.family == "binomial-mixture")
    study = FAMILY_STUDIES[at]
    _, weights = mixture_data(study, N, np.random.default_rng([0, N, at]))
    weights, rng = weights[:SET_COUNT], np.random.default_rng(1)
    ladder = np.array([[by_ladder(one, size, rng) for size in study.sizes] for one in weights])
    walks = [by_walk(weights, size, N, rng) for size in study.sizes]
    losses = np.stack([walk[0] for walk in walks], axis=1)
    exact = np.array([[exactly(one, size) for size in (1, 2)] for one in weights])
    sizes = np.array(study.sizes)
    content: dict[str, Any] = {
        "n": N,
        "sizes": list(study.sizes),
        "log_evidence": ladder.round(2).tolist(),
        "wbic": losses.round(2).tolist(),
        "exact": exact.round(2).tolist(),
        "best_by_evidence": sizes[ladder.argmax(axis=1)].tolist(),
        "best_by_wbic": sizes[losses.argmin(axis=1)].tolist(),
        "largest_rhat": round(max(walk[1] for walk in walks), 3),
        "largest_error_of_ladder": round(float(abs(ladder[:, :2] - exact).max()), 2),
    }
    options.json.write_text(json.dumps(content) + "\n", "utf-8")


if __name__ == "__main__":
    main()
