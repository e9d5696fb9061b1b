"""Models y ~ N(u, 1) at the truth u = 0 whose posterior is an integral over one number u.

The prior of the parameters enters through the density of u alone, so that free energy, WAIC,
leave-one-out and generalisation loss are sums over nodes, with errors far below those over data.

    regular         u = w, flat                         λ = 1/2, θ = 1
    square          u = w², flat in w                   λ = 1/4, θ = 1
    product         u = ab, a and b uniform on [−1, 1]  λ = 1/2, θ = 2   (K = a²b²/2)
    normal-crossing u = ab², on [0, 1]²                 λ = 1/4, θ = 1   (K = a²b⁴/2)
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

NODE_COUNT = 200  # for each sign of v; 1800 change the results by 1e-5 at most


@dataclass(frozen=True)
class Model:
    """A substitution u = substitute(v) and the log density of v, up to a constant."""

    name: str
    lam: Fraction
    theta: int
    substitute: Callable
    log_density: Callable
    power: int  # of v in u near 0
    positive: bool  # v ≥ 0 only
    largest: float  # end of the support of u

    def nodes(self, n: float, beta: float = 1.0, mean: float = 0.0):
        """Nodes u and log masses of the prior on a grid that holds the posterior."""
        reach = min(self.largest, abs(mean) + 9.0 / np.sqrt(n * beta))
        end = reach ** (1.0 / self.power)
        v = (np.arange(NODE_COUNT) + 0.5) / NODE_COUNT * end  # midpoints: 0 is left out
        if not self.positive:
            v = np.concatenate([-v[::-1], v])
        log_mass = self.log_density(v) + np.log(end / NODE_COUNT)
        return self.substitute(v), log_mass


def _flat(v):
    return np.zeros_like(v)


def _product(v):
    """Substitute u = v³: density of u = ab: ½ log(1/|u|), and Jacobian 3v²."""
    return np.log(-1.5 * np.log(np.abs(v)) * 3.0 * v**2)


def _crossing(v):
    """Substitute u = v⁴: density of u = ab² on [0, 1]²: u^(−1/2) − 1, and Jacobian 4v³."""
    return np.log((v**-2.0 - 1.0) * 4.0 * v**3)


EXACT_MODELS = {
    model.name: model
    for model in (
        Model("regular", Fraction(1, 2), 1, lambda v: v, _flat, 1, False, np.inf),
        Model("square", Fraction(1, 4), 1, lambda v: v**2, _flat, 2, False, np.inf),
        Model("product", Fraction(1, 2), 2, lambda v: v**3, _product, 3, False, 1.0),
        Model("normal-crossing", Fraction(1, 4), 1, lambda v: v**4, _crossing, 4, True, 1.0),
    )
}

LOG_TWO_PI = np.log(2.0 * np.pi)
_HERMITE_NODES = np.polynomial.hermite_e.hermegauss(60)


def log_p(x, u):
    """Log density of every observation at every u, ``(nodes, n)``."""
    return -0.5 * (x - np.asarray(u)[:, None]) ** 2 - 0.5 * LOG_TWO_PI


def truth(x):
    """Log density of observations at the truth."""
    return -0.5 * np.asarray(x) ** 2 - 0.5 * LOG_TWO_PI


def posterior(model: Model, x, beta: float = 1.0):
    """Nodes u, and the log masses of the posterior at them."""
    n, mean = len(x), float(np.mean(x))
    u, log_mass = model.nodes(n, beta, mean)
    return u, log_mass - n * beta * (u**2 / 2.0 - u * mean)


def test_points():
    """Nodes and masses of an integral over the true density."""
    x, mass = _HERMITE_NODES
    return x, mass / mass.sum()


def normalised_free_energy(model: Model, n: float, means):
    """−log ∫ exp(−n(u²/2 − u·mean)) φ(u) du for each mean: F less n times the empirical entropy."""
    energies = []
    for mean in np.atleast_1d(means):
        u, log_mass = model.nodes(n, 1.0, mean)
        energies.append(-np.logaddexp.reduce(log_mass - n * (u**2 / 2.0 - u * mean)))
    return np.array(energies)


@cache
def expected_free_energy(name: str, n: int) -> float:
    """E F_n − nS by quadrature over the mean of the data."""
    z, mass = np.polynomial.hermite_e.hermegauss(80)
    energies = normalised_free_energy(EXACT_MODELS[name], n, z / np.sqrt(n))
    return float(mass @ energies / mass.sum())


@cache
def expected_generalisation(name: str, n: int) -> float:
    """E G_n = E F_{n+1} − E F_n − S, exactly, at β = 1."""
    return expected_free_energy(name, n + 1) - expected_free_energy(name, n)


@cache
def expected_fluctuation(name: str, n: int, beta: float) -> float:
    """E βV/2 over data, V the sum of the variances of log p(x_i|u) in the posterior at β.

    With log p = x_i·u − u²/2 + …, V = Σx_i²·Var u − n·mean·Cov(u, u²) + n·Var(u²)/4; and E Σx_i²
    is n·mean² + n − 1 where the mean is given, on which alone the posterior depends.
    """
    z, weight = np.polynomial.hermite_e.hermegauss(80)
    total = 0.0
    for mean, part in zip(z / np.sqrt(n), weight / weight.sum(), strict=True):
        u, log_mass = EXACT_MODELS[name].nodes(n, beta, mean)
        log_mass = log_mass - n * beta * (u**2 / 2.0 - u * mean)
        first, second, third, fourth = (
            np.exp(log_mass - np.logaddexp.reduce(log_mass)) @ u**k for k in (1, 2, 3, 4)
        )
        variance = (n * mean**2 + n - 1) * (second - first**2)
        variance += n * (0.25 * (fourth - second**2) - mean * (third - first * second))
        total += part * variance
    return float(beta * total / 2)


@cache
def expected_errors(name: str, n: int, beta: float) -> tuple[float, float]:
    """E n·Bg and E n·Bt over data, by quadrature over their mean, on which alone u depends.

    Given the mean an observation is N(mean, 1 − 1/n).
    """
    z, weight = np.polynomial.hermite_e.hermegauss(40)
    points, mass = test_points()
    errors = np.zeros(2)
    for mean, part in zip(z / np.sqrt(n), weight / weight.sum(), strict=True):
        u, log_mass = EXACT_MODELS[name].nodes(n, beta, mean)
        log_mass = log_mass - n * beta * (u**2 / 2.0 - u * mean)
        masses = np.exp(log_mass - np.logaddexp.reduce(log_mass) - u**2 / 2.0)
        seen = mean + np.sqrt(1.0 - 1.0 / n) * points
        told = [np.log(masses @ np.exp(np.outer(u, x))) @ mass for x in (points, seen)]
        errors -= n * part * np.array(told)
    return float(errors[0]), float(errors[1])


@cache
def leading(name: str, n: float, beta: float) -> tuple[float, float, float]:
    """E n·Bg, E n·Bt and ν for any n, up to terms of order 1/n.

    log E_w p/q = x·E u − E u²/2 + x²·Var u/2 + …, so that n·Bg is n(E u)²/2, n·Bt is less by
    n·mean·E u, and V is n·Var u.  The slow terms, in 1/log n or roots of n, are all there.
    """
    z, weight = np.polynomial.hermite_e.hermegauss(80)
    means = np.zeros(3)
    for point, part in zip(z, weight / weight.sum(), strict=True):
        u, log_mass = EXACT_MODELS[name].nodes(n, beta, point / np.sqrt(n))
        s = u * np.sqrt(n)
        log_mass = log_mass - beta * (s**2 / 2.0 - s * point)
        masses = np.exp(log_mass - np.logaddexp.reduce(log_mass))
        first, second = masses @ s, masses @ s**2
        parts = (first**2 / 2, first**2 / 2 - point * first, beta * (second - first**2) / 2)
        means += part * np.array(parts)
    return float(means[0]), float(means[1]), float(means[2])


def draw(model: Model, x, chains: int, draws: int, rng, beta: float = 1.0):
    """Independent draws of u from the posterior, ``(chains, draws)``."""
    u, log_mass = posterior(model, x, beta)
    mass = np.exp(log_mass - log_mass.max())
    return rng.choice(u, size=(chains, draws), p=mass / mass.sum())


def pair(model: Model):
    """Pair (λ, θ) of a model at its truth."""
    from rlct.pair import Pair

    return Pair(model.lam, model.theta)
