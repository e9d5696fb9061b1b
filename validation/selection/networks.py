"""How often criteria choose two tanh units with biases, which the truth has, of one to three.

    python validation/selection/networks.py [DATA SETS]

One input, 200 values with noise, an output bias; each size is fitted from eight starts.
"""

import sys

import numpy as np
from scipy.optimize import least_squares

import rlct

N, NOISE_DEVIATION, FIT_STARTS = 200, 0.3, 8


def fitted(x, y, hidden, data_set):
    """Largest log-likelihood that was found, over the variance of the noise, too."""

    def residuals(w):
        a, b, c = w[:-1].reshape(3, hidden)
        return a @ np.tanh(np.outer(b, x) + c[:, None]) + w[-1] - y

    least = np.inf
    for start in range(FIT_STARTS):
        first = np.random.default_rng([hidden, start, data_set]).normal(size=3 * hidden + 1) * 1.5
        least = min(least, 2 * least_squares(residuals, first, max_nfev=200).cost)
    return -N / 2 * (np.log(2 * np.pi * least / N) + 1)


def main(data_sets):
    """Print how often each criterion chooses 1, 2 and 3."""
    chosen = {name: [0, 0, 0] for name in ("aic", "bic", "sbic")}
    for data_set in range(data_sets):
        rng = np.random.default_rng([N, data_set])
        x = rng.uniform(-3, 3, N)
        y = 1.5 * np.tanh(2 * x + 1) - np.tanh(x - 1.5) + rng.normal(size=N) * NOISE_DEVIATION
        fits = {hidden: float(fitted(x, y, hidden, data_set)) for hidden in (1, 2, 3)}
        found = rlct.select(fits, "tanh", n=N, inputs=1, biases="all")
        values = {"aic": found.aic, "bic": found.bic, "sbic": [low for low, _ in found.sbic]}
        for name, counts in chosen.items():
            counts[int(np.argmax(values[name]))] += 1
    for name, counts in chosen.items():
        print(name, *counts)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
