"""What one spare part gains from noise: simulated, beside the estimate of the program.

Run from the repository root::

    python validation/selection/noise.py --json validation/selection/noise.json

Data sets of one component, class or of rank 0; the gain is the maximised log-likelihood of two, or
of rank 1, less that of the truth.  Mixtures are fitted by EM from 8 starts; variances stay above
.05 of the true one.  What the file holds is not run again.
"""

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import logsumexp

import rlct  # noqa: F401
from rlct.selection.families import get_family
from rlct.selection.fitters import FAMILY_FITTERS
from validation.records import read_json, versions_of, write_json

EM_STARTS, EM_STEPS = 8, 300  # of EM
LEAST_VARIANCE = 0.05  # of a component, by the true one
SET_COUNTS = ((100, 100), (500, 30))  # observations, data sets

#: Family, what all sizes share, dimensions that a second part adds.
NOISE_STUDIES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("poisson-mixture", {}, 2),
    ("gaussian-mixture", {"variables": 1, "covariance": "known"}, 2),
    ("gaussian-mixture", {"variables": 3, "covariance": "known"}, 4),
    ("gaussian-mixture", {"variables": 1, "covariance": "full"}, 3),
    ("multinomial-mixture", {"outcomes": 4, "trials": 9}, 4),
    ("latent-class", {"categories": [2] * 4}, 5),
    ("latent-class", {"categories": [2] * 5}, 6),
    ("reduced-rank", {"inputs": 5, "outputs": 3}, 7),
)

Array = np.ndarray[Any, Any]


def drawn(family: str, facts: dict[str, Any], shape: tuple[int, int], rng: Any) -> Array:
    """Data sets of one component, shape (sets, n, variables)."""
    if family == "poisson-mixture":
        return rng.poisson(4.0, (*shape, 1)).astype(float)
    if family == "multinomial-mixture":
        return rng.multinomial(9, [0.25] * 4, shape).astype(float)
    if family == "latent-class":
        return (rng.random((*shape, len(facts["categories"]))) < 0.5).astype(float)
    width = facts["variables"] if family == "gaussian-mixture" else 8
    return rng.normal(size=(*shape, width))


def log_densities(family: str, x: Array, means: Array, variances: Array) -> Array:
    """Of each observation in each component, up to what does not depend on the parameters."""
    if family == "gaussian-mixture":
        gap = x[:, None, None] - means[..., None, :]
        spread = variances[..., None, :]
        return -(gap**2 / spread + np.log(spread)).sum(axis=-1) / 2
    mean = np.clip(means, 1e-9, None)
    if family == "poisson-mixture":
        slopes, offsets = np.log(mean), -mean.sum(axis=-1)
    elif family == "multinomial-mixture":
        slopes, offsets = np.log(mean / 9), np.zeros(mean.shape[:-1])
    else:
        p = np.clip(mean, 1e-9, 1 - 1e-9)
        slopes, offsets = np.log(p / (1 - p)), np.log(1 - p).sum(axis=-1)
    return np.einsum("bnd,bskd->bskn", x, slopes) + offsets[..., None]


def by_em(family: str, facts: dict[str, Any], x: Array, size: int, rng: Any) -> Array:
    """The largest log-likelihood of each data set over all starts."""
    sets, n = x.shape[:2]
    starts = EM_STARTS if size > 1 else 1
    picked = np.stack([rows[rng.integers(n, size=(starts, size))] for rows in x])
    centre = x.mean(axis=1)[:, None, None]
    means = centre + rng.choice([0.2, 0.7], (sets, starts, 1, 1)) * (picked - centre)
    variances = np.ones(means.shape)
    shares = np.full((sets, starts, size, 1), 1 / size)
    free = facts.get("covariance") == "full"
    for _ in range(EM_STEPS if size > 1 else 2):
        joint = np.log(shares) + log_densities(family, x, means, variances)
        mass = np.exp(joint - logsumexp(joint, axis=2, keepdims=True))
        totals = mass.sum(axis=-1, keepdims=True) + 1e-12
        means = np.einsum("bskn,bnd->bskd", mass, x) / totals
        if free:
            square = np.einsum("bskn,bnd->bskd", mass, x**2) / totals
            variances = np.maximum(square - means**2, LEAST_VARIANCE)
        shares = totals / totals.sum(axis=2, keepdims=True)
    joint = np.log(shares) + log_densities(family, x, means, variances)
    return np.asarray(logsumexp(joint, axis=2).sum(axis=-1).max(axis=1))


def gains(family: str, facts: dict[str, Any], n: int, sets: int, rng: Any) -> Array:
    """Of a second part over one, in each data set."""
    x = drawn(family, facts, (sets, n), rng)
    if family == "reduced-rank":
        fit = FAMILY_FITTERS[family].fit
        both = [[fit(rows, facts, k, 1, 0).log_likelihood for k in (0, 1)] for rows in x]
        return np.diff(np.array(both), axis=1)[:, 0]
    return by_em(family, facts, x, 2, rng) - by_em(family, facts, x, 1, rng)


def table(rows: list[dict[str, Any]]) -> str:
    """Markdown: simulated gains with their standard errors, and the estimate."""
    lines = ["| family | n | simulated | estimate |", "|---|---|---|---|"]
    for row in rows:
        shown = ", ".join(f"{name} {value}" for name, value in row["facts"].items())
        mean, error = row["gain"]
        lines.append(
            f"| {row['family']} {shown}".rstrip()
            + f" | {row['n']} | {mean:.2f} ± {error:.2f} | {row['estimate']:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Run what the file does not hold yet, and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args()
    kept = read_json(options.json, {"rows": []})
    done = {(row["family"], json.dumps(row["facts"]), row["n"]) for row in kept["rows"]}
    for at, (family, facts, added) in enumerate(NOISE_STUDIES):
        for n, sets in SET_COUNTS:
            if (family, json.dumps(facts), n) in done:
                continue
            gain = gains(family, facts, n, sets, np.random.default_rng([at, n]))
            kept["rows"].append(
                {
                    "family": family,
                    "facts": facts,
                    "n": n,
                    "sets": sets,
                    "gain": [
                        round(float(gain.mean()), 3),
                        round(float(gain.std() / math.sqrt(sets)), 3),
                    ],
                    "estimate": round(get_family(family).noise_gain(facts, 1, added, n), 3),
                }
            )
            kept["made"] = {
                "command": "python validation/selection/noise.py --json noise.json",
                **versions_of("numpy", "rlct"),
            }
            write_json(options.json, kept)
    print(table(kept["rows"]))


if __name__ == "__main__":
    main()
