"""Models themselves against their theorems: K of the model, no polynomial between.

Run from the root of the repository; it takes minutes and writes models.json beside this file::

    OPENBLAS_NUM_THREADS=1 python validation/theorems/models.py --seed 2026

K(w) = Σ q(x) φ(p(x|w)/q(x) − 1) with φ(r) = r − log(1 + r), the Kullback–Leibler divergence of the
one true component q from a mixture of two, p = (1/2 + u) f(·|b + s) + (1/2 − u) f(·|b + t):
exactly over the outcomes of a binomial variable, over those of a Poisson one up to a tail below
10⁻⁸⁰, and by 80 Gauss–Hermite nodes for a Gaussian.  Near u = s = t = 0 the theorems say λ = 3/4.

Of the toy model of superposition K is the loss, integrated in closed form with all its kinks, less
that at a polygon: at the square, with four columns, the theorem says λ = 11/2.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
from scipy.special import gammaln

from rlct.pair import Pair
from rlct.sampling.ladders.check import check_target
from validation.records import write_json

RESULTS_FILE = Path(__file__).with_name("models.json")
SERIES_BELOW = 1e-3  # below it φ is r²/2 − r³/3 + r⁴/4 − r⁵/5, its rest below 10⁻¹² of φ


class Box:
    """A target as the samplers take it, uniform on a box about 0; models say what K is."""

    dimension = 3
    resolution = 1e20
    scale = 0.25

    def log_prior(self, w):
        """Zero inside the box."""
        return np.where((np.abs(w) <= self.scale).all(axis=1), 0.0, -np.inf)

    def sample_prior(self, count, rng):
        """Uniform draws."""
        return rng.uniform(-self.scale, self.scale, (count, self.dimension))

    def gradient(self, w):
        """Not needed by tempering."""
        raise NotImplementedError

    log_prior_gradient = reflect = gradient


class Mixture(Box):
    """A mixture of two; log ratios come from a family."""

    def __init__(self, weights, ratio):
        """Weights q of the outcomes, and log f(x|b + s) − log f(x|b) for s of shape (n, 1)."""
        self.weights, self.ratio = weights, ratio

    def divergence(self, w):
        """K at each point."""
        u, s, t = w.T[:, :, None]
        with np.errstate(all="ignore"):  # proposals outside the box are refused by the prior
            first, second = np.expm1(self.ratio(s)), np.expm1(self.ratio(t))
            r = (0.5 + u) * first + (0.5 - u) * second
            series = r * r * (1 / 2 - r * (1 / 3 - r * (1 / 4 - r / 5)))
            k = np.where(np.abs(r) < SERIES_BELOW, series, r - np.log1p(r)) @ self.weights
        return np.where(np.isfinite(k), k, np.inf)


def squared_error(wanted, slope, bias):
    """∫ (wanted·x − (slope·x + bias)₊)² over 0 ≤ x ≤ 1, elementwise."""
    with np.errstate(all="ignore"):
        kink = np.clip(-bias / slope, 0, 1)
    low = np.where(bias > 0, 0, np.where(slope + bias > 0, kink, 1))
    high = np.where(slope + bias > 0, 1, np.where(bias > 0, kink, low))
    power = [(high**n - low**n) / n for n in (1, 2, 3)]
    relu = slope**2 * power[2] + 2 * slope * bias * power[1] + bias**2 * power[0]
    return wanted / 3 - 2 * wanted * (slope * power[2] + bias * power[1]) + relu


class Polygon(Box):
    """Loss of ReLU(WᵀWx + b), one input active, less that at a regular polygon."""

    resolution = 1e9  # rounding of a loss of size 1
    scale = 0.1

    def __init__(self, columns, corners, square, bias, spare=-0.3):
        """Squared length of the columns at the corners, their bias, and that of the others."""
        angles = 2 * np.pi * np.arange(corners) / corners
        weights = np.zeros((columns, 2))
        weights[:corners] = np.sqrt(square) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        biases = np.where(np.arange(columns) < corners, bias, spare)
        self.columns, self.dimension = columns, 3 * columns
        self.point = np.concatenate([weights.ravel(), biases])
        self.least = self.loss(self.point[None])

    def loss(self, point):
        """Sum over inputs and outputs."""
        weights = point[:, : 2 * self.columns].reshape(-1, self.columns, 2)
        slopes = weights @ weights.transpose(0, 2, 1)
        biases = np.broadcast_to(point[:, None, 2 * self.columns :], slopes.shape)
        return squared_error(np.eye(self.columns), slopes, biases).sum(axis=(1, 2))

    def divergence(self, w):
        """K at each point; the loss is least at 0 in the box, so what is below 0 is rounding."""
        return np.maximum(self.loss(self.point + w) - self.least, 0.0)


def binomial(trials=2, b=0.4):
    """Two trials tell two moments apart."""
    k = np.arange(trials + 1)
    log = gammaln(trials + 1) - gammaln(k + 1) - gammaln(trials - k + 1)
    q = np.exp(log + k * np.log(b) + (trials - k) * np.log(1 - b))
    return Mixture(q, lambda s: k * np.log1p(s / b) + (trials - k) * np.log1p(-s / (1 - b)))


def poisson(b=1.0):
    """Mean b."""
    k = np.arange(61)
    q = np.exp(k * np.log(b) - b - gammaln(k + 1))
    return Mixture(q, lambda s: k * np.log1p(s / b) - s)


def gaussian():
    """Unit variance, mean 0."""
    x, q = np.polynomial.hermite_e.hermegauss(80)
    return Mixture(q / q.sum(), lambda s: s * x - 0.5 * s * s)


SIMULATED_MODELS = {
    "binomial-mixture": (binomial, Pair.of("3/4")),
    "poisson-mixture": (poisson, Pair.of("3/4")),
    "gaussian-mixture": (gaussian, Pair.of("3/4")),
    "superposition-polygon": (partial(Polygon, 4, 4, 1.0, 0.0), Pair.of("11/2")),
}


def main():
    """Simulate and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    rows = {}
    for name, (make, claim) in SIMULATED_MODELS.items():
        begin = time.process_time()
        found = check_target(make(), claim, seed=options.seed)
        rows[name] = {**found.to_dict(), "cpu_seconds": round(time.process_time() - begin, 1)}
        rows[name].pop("seconds")
        print(name, found, f"control z = {found.control.z:+.1f}", flush=True)
    write_json(RESULTS_FILE, rows)


if __name__ == "__main__":
    main()
