"""How fast trajectories leave a basin of a one-dimensional model, without simulation.

A step is a Markov chain whose kernel is known. Killed where it leaves the basin, it has a largest
eigenvalue ρ, and after some steps −log ρ of those that are left leave in each step, whatever they
began with: this is why the fraction that is left falls exponentially.
"""

import numpy as np
from scipy.special import ndtr
from scipy.stats import gamma


def rate(at, learning_rate, batch, noise, cells=400, places=5, nodes=24, k=2):
    """−log ρ for h = (w − at)w^k in the basin k·at/(k + 1) < w < 2·at of its minimum.

    The basin is cut into cells, and the chain begins at some places in each: where h′ = 0, at the
    barrier, steps are smaller than cells. Given A, the next parameter is normal; A is integrated
    over its quantiles.
    """
    edges = np.linspace(k * at / (k + 1), 2 * at, cells + 1)
    x, mass = np.polynomial.legendre.leggauss(nodes)
    quantiles = gamma.ppf((x + 1) / 2, batch / 2, scale=2 / batch)
    kernel = np.zeros((cells, cells))
    for share in (np.arange(places) + 0.5) / places:
        w = edges[:-1] + (edges[1] - edges[0]) * share
        h, slope = (w - at) * w**k, w ** (k - 1) * ((k + 1) * w - k * at)
        for a, weight in zip(quantiles, mass / 2, strict=True):
            mean = w - learning_rate * slope * h * a
            spread = learning_rate * np.abs(slope) * noise * np.sqrt(a / batch) + 1e-12
            below = ndtr((edges - mean[:, None]) / spread[:, None])
            kernel += weight / places * np.diff(below, axis=1)
    return float(-np.log(np.abs(np.linalg.eigvals(kernel)).max()))
