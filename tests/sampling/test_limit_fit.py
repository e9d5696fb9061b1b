"""λ from tempered means at a few nβ, against exact means by quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad

from rlct.sampling.local.limit_fit import fit_limit

N_BETAS = np.array([250.0, 1000.0, 4000.0])


def power_mean(power: int, n_beta: float) -> float:
    """E nβ|w|^k over exp(−nβ|w|^k − w²/2), which goes to 1/k."""

    def weight(w: float, order: int) -> float:
        energy = n_beta * w**power
        return float(energy**order * np.exp(-energy - w**2 / 2))

    return quad(weight, 0, 4, args=(1,))[0] / quad(weight, 0, 4, args=(0,))[0]


def product_mean(factors: int, n_beta: float) -> float:
    """E nβK of K = (w₁⋯w_m)² over exp(−nβK − |w|²/2): λ = 1/2, θ = m; the last w is integrated out.

    What is left goes over a grid in log w.
    """
    t = np.linspace(-30.0, np.log(8.0), 1500)
    logs = np.meshgrid(*[t] * (factors - 1), indexing="ij")
    stiff = 2 * n_beta * np.exp(2 * sum(logs))
    weight = np.exp(sum(logs) - 0.5 * sum(np.exp(2 * part) for part in logs)) / np.sqrt(1 + stiff)
    return float((weight * stiff / (1 + stiff)).sum() / (2 * weight.sum()))


CASES = {
    "square": (0.5, lambda b: power_mean(2, b)),
    "fourth power": (0.25, lambda b: power_mean(4, b)),
    "sixth power": (1 / 6, lambda b: power_mean(6, b)),
    "two factors": (0.5, lambda b: product_mean(2, b)),
    "three factors": (0.5, lambda b: product_mean(3, b)),
    "many": (6.5, lambda b: 10 * power_mean(2, b) + 4 * power_mean(4, b) + product_mean(2, b)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_limit_of_exact_means_is_known_to_its_error(name: str) -> None:
    """Means with errors of half a per cent; control: the last of them is farther off."""
    lam, mean = CASES[name]
    means = np.array([mean(n_beta) for n_beta in N_BETAS])
    found = fit_limit(N_BETAS, means, 0.005 * means)
    print(name, lam, means, found)
    assert found.fits
    assert abs(found.lam - lam) < 2 * found.error < 0.25 * lam
    assert abs(found.lam - lam) < 0.7 * abs(means[-1] - lam) + 0.005 * lam


def test_noise_of_the_means_is_in_the_error() -> None:
    """Of 300 noisy triples two errors hold λ in 270 at least; the last mean's own hold it less."""
    rng = np.random.default_rng(0)
    lam, mean = CASES["many"]
    means = np.array([mean(n_beta) for n_beta in N_BETAS])
    errors = 0.01 * means
    noisy = means + errors * rng.standard_normal((300, 3))
    found = [fit_limit(N_BETAS, row, errors) for row in noisy]
    held = sum(abs(one.lam - lam) < 2 * one.error for one in found)
    alone = sum(abs(row[-1] - lam) < 2 * errors[-1] for row in noisy)
    print(held, alone)
    assert held >= 270 > alone


def test_means_that_fall_have_no_limit() -> None:
    """½(1 − nβ/n): the minimum of the data shows, which is another point than the truth."""
    means = 4.0 * (1.0 - N_BETAS / 8000)
    assert not fit_limit(N_BETAS, means, 0.01 * means).fits
