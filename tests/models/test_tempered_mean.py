"""Exact means at one nβ against routes that share nothing with them; each has a control."""

import numpy as np
import pytest
from scipy.integrate import dblquad, quad

from rlct.models.kit.tempered_mean import (
    LangevinRun,
    layer_mean,
    monomial_mean,
    regression_mean,
    two_layer_mean,
)
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.spikes import SpikedRun, run_spikes
from rlct.sampling.markov_chains.langevin_step import LangevinStep
from rlct.sampling.targets.regression import RegressionTarget

SURE = 5.0  # standard errors: false alarm 6e-7 of a Gaussian, 5e-5 of Student's with 23 degrees


def ratio(energy, log_density, *ends) -> float:
    """E[energy] over a density of one or two variables, by quadrature."""
    integrate = quad if len(ends) == 2 else dblquad

    def whole(function) -> float:
        return integrate(function, *ends, epsabs=0.0, epsrel=1e-9)[0]

    mean = whole(lambda *w: energy(*w) * np.exp(log_density(*w)))
    return mean / whole(lambda *w: np.exp(log_density(*w)))


def test_a_run_of_langevin_steps_has_its_transient() -> None:
    """Half-filled directions: 4·10⁴ chains of the sampler's own step, false alarm 2e-6 in all."""
    curvatures, n_beta, run = np.array([1.0, 0.1, 0.01]), 99.0, LangevinRun(1e-3, 100, 400)
    rng, w, total = np.random.default_rng(0), np.zeros((40_000, 3)), 0.0
    step = LangevinStep(run.step_size, None, np.vecdot)
    for number in range(run.burnin + run.draws):
        noise = step.half_root * rng.normal(size=w.shape)
        w += noise
        if number >= run.burnin:
            total = total + 0.5 * n_beta * curvatures * w**2 / run.draws
        step.finish(w, (n_beta * curvatures + 1.0) * w, noise)
    exact = np.array([regression_mean(h, n_beta, run=run) for h in curvatures])
    error = total.std(axis=0) / 200.0
    assert (np.abs(total.mean(axis=0) - exact) < SURE * error).all()
    settled = np.array([regression_mean(h, n_beta) for h in curvatures])
    assert abs(total.mean(axis=0) - settled)[2] > 20 * error[2]
    assert regression_mean(curvatures, n_beta, outputs=7) == pytest.approx(7 * settled.sum())
    forever = LangevinRun(1e-3, 10**6, 10)
    assert regression_mean(curvatures, n_beta, run=forever) == pytest.approx(settled.sum())


@pytest.mark.parametrize("decay", [0.0, 3.0])
def test_a_layer_that_is_no_minimum_and_decays(decay) -> None:
    """Two weights, L = ½E(y − wx)², by quadrature over both."""
    rng, start = np.random.default_rng(1), np.array([[0.7, -0.4]])
    x = rng.normal(size=(50, 2)) * [1.0, 0.3]
    y = x @ [1.0, 0.5] + 0.5 * rng.normal(size=50)
    second, slopes = x.T @ x / 50, ((x @ start[0] - y) @ x / 50)[None]

    def energy(b: float, a: float) -> float:
        w = np.array([a, b])
        return 12.0 * (slopes[0] @ w + 0.5 * w @ second @ w)

    def log_density(b: float, a: float) -> float:
        w = np.array([a, b])
        return -energy(b, a) - 0.5 * 2.0 * w @ w - 0.5 * decay * np.sum((start[0] + w) ** 2)

    exact = ratio(energy, log_density, -4, 4, -4, 4)
    found = layer_mean(second, slopes, 12.0, 2.0, decay=decay, weights=start)
    assert found == pytest.approx(exact, rel=1e-6)
    assert layer_mean(second, 0 * slopes, 12.0, 2.0) != pytest.approx(exact, rel=0.1)


def singular_mean(inputs: int, outputs: int, units: int, n_beta: float, pull: float) -> float:
    """Rank 0, one unit or two: B integrated out, over the singular values of A."""

    def energy(*s: float) -> float:
        return sum(0.5 * outputs * n_beta * v * v / (n_beta * v * v + pull) for v in s)

    def log_density(*s: float) -> float:
        value = sum(
            (inputs - units) * np.log(v) - 0.5 * pull * v * v
            - 0.5 * outputs * np.log(n_beta * v * v + pull)
            for v in s
        )  # fmt: skip
        return value + (np.log(abs(s[0] ** 2 - s[1] ** 2) + 1e-300) if units == 2 else 0.0)

    end = 9.0 / np.sqrt(pull)
    if units == 1:
        return ratio(energy, log_density, 1e-12, end)
    return ratio(energy, log_density, 1e-12, end, 1e-12, lambda first: first)


@pytest.mark.parametrize(("sizes", "pull"), [((3, 2, 1), 1.0), ((4, 2, 2), 0.5), ((2, 2, 2), 1.0)])
def test_two_layers_of_rank_0_by_quadrature(sizes, pull) -> None:
    """False alarm 5e-5 each; the mean at twice the localization is rejected.

    The last is self-linear attention of width and head 2, whose tokens are white in each sample.
    """
    inputs, outputs, units = sizes
    layers = np.zeros((units, inputs)), np.zeros((outputs, units))
    mean, error = two_layer_mean(*layers, 50.0, pull, sweeps=700, chains=24)
    assert abs(mean - singular_mean(*sizes, 50.0, pull)) < SURE * error
    assert abs(mean - singular_mean(*sizes, 50.0, 2 * pull)) > SURE * error


def test_two_layers_on_data_with_noise_beside_other_conditionals() -> None:
    """Correlated inputs, noise of 1: the conditional draws of `RegressionTarget` (depth any).

    False alarm 1e-4; without the slopes of the noise the mean is rejected.
    """
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4)) / 2
    first, second = np.eye(3, 4), np.eye(4, 3)
    first[1:], second[:, 1:] = 0.0, 0.0
    y = x @ (second @ first).T + rng.normal(size=(300, 4))
    held = RegressionTarget([4, 3, 4], 1, samples=1).on(x, y)
    exact = tempered_mean(held, 60.0, seed=1)
    moments = x.T @ x / 300
    slopes = (x @ (second @ first).T - y).T @ x / 300
    nearest = second @ first - slopes @ np.linalg.inv(moments)
    options = {"moments": moments, "sweeps": 600, "chains": 24}
    mean, error = two_layer_mean(first, second, 60.0, target=nearest, **options)
    both = np.hypot(error, exact.error)
    assert abs(mean - exact.value) < SURE * both
    wrong, _ = two_layer_mean(first, second, 60.0, **options)
    assert abs(wrong - exact.value) > SURE * both


def test_white_inputs_are_a_case_of_all_inputs() -> None:
    layers = np.eye(4, 3), np.eye(3, 4)
    white, error = two_layer_mean(*layers, 80.0, sweeps=500, chains=12)
    options = {"sweeps": 500, "chains": 12, "seed": 5}
    same, other_error = two_layer_mean(*layers, 80.0, moments=np.eye(3), **options)
    turned, _ = two_layer_mean(*layers, 80.0, moments=(1 + 1e-12) * np.eye(3), **options)
    assert abs(white - same) < 6 * np.hypot(error, other_error)  # Student's t: 1e-4
    assert abs(white - turned) < 6 * np.hypot(error, other_error)
    assert two_layer_mean(*layers, 80.0, sweeps=9) == two_layer_mean(*layers, 80.0, sweeps=9)


def test_attention_is_two_layers_only_where_its_tokens_are_white() -> None:
    """|XMX'|² is |M|² for X'X = 1, as where each token comes once; of Gaussian tokens it is not."""
    rng = np.random.default_rng(0)
    product = rng.normal(size=(5, 3)) @ rng.normal(size=(3, 5))
    tokens = np.eye(5)[rng.permutation(5)]
    assert np.sum((tokens @ product @ tokens.T) ** 2) == pytest.approx(np.sum(product**2))
    x = rng.normal(size=(4000, 5, 5)) / np.sqrt(5)
    sizes = np.sum((x @ product @ x.mT) ** 2, axis=(1, 2))
    assert abs(sizes.mean() / np.sum(product**2) - 1) > 0.1


@pytest.mark.parametrize(
    ("powers", "n_beta", "pull", "factor"),
    [((2, 2), 20.0, 1.0, 0.5), ((2, 4), 30.0, 2.0, 0.5), ((4, 4), 10.0, 0.5, 1.0)],
)
def test_monomials_of_two_weights_by_quadrature(powers, n_beta, pull, factor) -> None:
    def energy(b: float, a: float) -> float:
        return n_beta * factor * a ** powers[0] * b ** powers[1]

    def log_density(b: float, a: float) -> float:
        return -energy(b, a) - 0.5 * pull * (a * a + b * b)

    exact = ratio(energy, log_density, 0, 9 / np.sqrt(pull), 0, 9 / np.sqrt(pull))
    assert monomial_mean(powers, n_beta, pull, factor=factor) == pytest.approx(exact, rel=1e-6)


def test_monomials_far_out() -> None:
    """w₁²w₂² with w₂ integrated out; λ = ½, θ = 2: the mean lacks 1/(log nβ + c)."""
    for n_beta in (1e4, 1e12):

        def energy(t: float, n_beta: float = n_beta) -> float:
            stiff = n_beta * np.exp(2 * t)
            return 0.5 * stiff / (stiff + 1.0)

        def log_density(t: float, n_beta: float = n_beta) -> float:
            return t - 0.5 * np.exp(2 * t) - 0.5 * np.log(n_beta * np.exp(2 * t) + 1.0)

        exact = ratio(energy, log_density, -40.0, 3.0)
        found = monomial_mean([2, 2], n_beta, factor=0.5)
        assert found == pytest.approx(exact, rel=1e-6)
        assert 0.5 / (0.5 - found) == pytest.approx(0.5 * np.log(n_beta), rel=0.5)
    fourth = [monomial_mean([4], n, factor=0.5) for n in (1e2, 1e4, 1e8)]
    assert fourth == sorted(fourth)
    assert fourth[-1] == pytest.approx(0.25, abs=1e-3)
    assert monomial_mean([2, 4, 2], 1e16) == pytest.approx(0.25, abs=0.01)


def test_a_quadratic_monomial_is_a_regression() -> None:
    for pull in (0.3, 1.0, 40.0):
        found = monomial_mean([2], 99.0, pull, factor=0.5)
        assert found == pytest.approx(regression_mean(1.0, 99.0, pull), rel=1e-12)


def test_planted_fourth_powers_have_the_mean_of_a_quadrature() -> None:
    """¼cv⁴ by adaptive quadrature; a sum that counts 0 twice is a thousandth low."""
    run = SpikedRun(100.0, 1.0, 1.0, 4e-3, 4, 4, 1.0, "float32", 0)
    spikes = run_spikes(run)
    for stiffness, exact in list(zip(spikes.stiffness, spikes.exact, strict=True))[-8:]:
        c = (stiffness / 3.0) ** 2

        def energy(v: float, c: float = c) -> float:
            return 0.25 * c * v**4

        def log_density(v: float, c: float = c) -> float:
            return -0.25 * c * v**4 - 0.5 * v * v

        assert exact == pytest.approx(ratio(energy, log_density, 0.0, 9.0), rel=1e-6)
    free = run_spikes(run._replace(pull=0.0)).exact
    assert free == pytest.approx(np.repeat([0.5, 0.25], 32), rel=1e-5)
