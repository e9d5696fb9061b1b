"""What experiments compute by hand, against derivatives by differences and closed forms."""

import numpy as np
import pytest

from rlct.sampling.ladders.quadrature import density_of_states
from validation.experiments.local_coefficient import _devinterp, localization
from validation.experiments.sgd import _dynamics
from validation.experiments.singular import _heads, _predictive, _star, degeneracy, volume

RNG = np.random.default_rng(0)


def slope(f, w: np.ndarray, direction: np.ndarray, size: float = 1e-6) -> np.ndarray:
    return (f(w + size * direction) - f(w - size * direction)) / (2 * size)


@pytest.mark.parametrize("relu", [False, True])
def test_gradients_of_heads(relu: bool) -> None:
    """Chains of several data sets in one array: none sees another's data."""
    A, B = RNG.standard_normal((2, 3, 3, 3))
    x, y = RNG.standard_normal((2, 3, 20, 3))
    target = _heads.Heads(A, B, x, y, relu, 2)
    w, direction = 0.3 * RNG.standard_normal((2, 6, 18))
    along = (target.gradient(w) * direction).sum(axis=1)
    assert along == pytest.approx(slope(target.divergence, w, direction), rel=1e-4, abs=1e-6)
    assert target.divergence(np.zeros((6, 18))) == pytest.approx(np.zeros(6), abs=1e-12)
    alone = _heads.Heads(A[1:2], B[1:2], x[1:2], y[1:2], relu, 2)
    assert alone.divergence(w[2:4]) == pytest.approx(target.divergence(w)[2:4])
    prior = slope(target.log_prior, w, direction)
    assert (target.log_prior_gradient(w) * direction).sum(axis=1) == pytest.approx(prior, rel=1e-6)


@pytest.mark.parametrize("relu", [False, True])
def test_training_descends_along_the_gradient(relu: bool) -> None:
    layers = _heads.initial(2, 2, RNG)
    x, y = RNG.standard_normal((2, 2, 30, 3))

    def loss(moved: list[np.ndarray]) -> float:
        out = _heads.head(moved[-2], moved[-1], _heads.features(moved, x), relu)
        return float(0.5 * ((out - y) ** 2).sum(axis=2).mean(axis=1).sum())

    slopes = _heads._gradient(layers, x, y, relu)
    directions = [RNG.standard_normal(a.shape) for a in layers]
    by_hand = sum(float((s * d).sum()) for s, d in zip(slopes, directions, strict=True))
    size = 1e-6
    up, down = (
        loss([a + sign * size * d for a, d in zip(layers, directions, strict=True)])
        for sign in (1, -1)
    )
    assert by_hand == pytest.approx((up - down) / (2 * size), rel=1e-4)
    trained = _heads.train(layers, x, y, relu, epochs=50, lr=0.1, batch=None, rng=RNG)
    assert loss(trained) < loss(layers)


def test_generalisation_of_gaussians() -> None:
    """One mean: ½|Δ|².  Many Gaussian draws: a wider Gaussian, false alarm below 1e-3."""
    rng = np.random.default_rng(2)
    truth = np.zeros((1, 4000, 3))
    shift = np.full((1, 1, 4000, 3), 0.2)
    assert _predictive.generalisation(shift, truth, rng)[0] == pytest.approx(0.06, rel=1e-9)
    spread = 0.5 * rng.standard_normal((1, 500, 1, 3)) * np.ones((1, 1, 4000, 1))
    # the mixture is N(0, 1 + 0.25) in each coordinate; the sample of y moves it by 0.004
    right = 1.5 * (np.log(1.25) + 1 / 1.25 - 1)
    found = _predictive.generalisation(spread, truth, rng)[0]
    assert found == pytest.approx(right, abs=0.014)
    assert 0.375 - right > 0.3  # the Gibbs error, which it is not


def test_last_layer_is_the_conjugate_posterior() -> None:
    hidden, y = RNG.standard_normal((2, 1, 15, 3))
    draws, centre, root = _predictive.last_layer(hidden, y, np.eye(3)[None], 4000, RNG)
    precision = hidden[0].T @ hidden[0] + np.eye(3)
    right = np.linalg.solve(precision, hidden[0].T @ y[0])
    np.testing.assert_allclose(centre[0].T, right)
    assert root[0] @ root[0].T == pytest.approx(np.linalg.inv(precision))
    assert draws[0].mean(axis=0) == pytest.approx(centre[0].T, abs=0.03)


@pytest.mark.parametrize("activation", ["relu", "silu"])
def test_star_networks(activation: str) -> None:
    """Prior around 0, gradients, and SiLU against its formula."""
    target = _star.star(3, activation, np.random.default_rng(1), n=40)
    w, direction = 0.1 * RNG.standard_normal((2, 2, 21))
    along = (target.gradient(w) * direction).sum(axis=1)
    assert along == pytest.approx(slope(target.divergence, w, direction), rel=1e-3, abs=1e-5)
    assert target.log_prior(-target.centre[None])[0] == 0
    assert target.log_prior(np.zeros((1, 21)))[0] < 0
    z = np.linspace(-1, 1, 4001)
    assert _star._silu(z) == pytest.approx(z / (1 + np.exp(-100 * z)), abs=1e-15)
    assert _star._silu_slope(z, _star._silu(z)) == pytest.approx(
        slope(_star._silu, z, np.ones(1)), abs=1e-4
    )


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_derivatives_of_networks(activation: str) -> None:
    layers = degeneracy.draw_layers([3, 4, 4, 2], 3.0, RNG)
    x = RNG.standard_normal((50, 3))
    _, by_hand = degeneracy.outputs_and_derivative(layers, activation, x)
    direction = RNG.standard_normal(by_hand.shape[-1])

    def outputs(size: float) -> np.ndarray:
        moved = degeneracy._moved(layers, size * direction)
        return degeneracy.outputs_and_derivative(moved, activation, x)[0]

    found = (outputs(1e-7) - outputs(-1e-7)) / 2e-7
    assert by_hand @ direction == pytest.approx(found, rel=1e-4, abs=1e-5)


def test_means_with_localization() -> None:
    """As γ → 0 the density of states on the box; a Gaussian at large γ."""
    flat = localization.exact_mean(1e4, 1e-9)
    states = density_of_states(localization.target())
    assert flat == pytest.approx(float(states.mean(np.array([1e4]))[0]), rel=1e-3)
    assert localization.exact_mean(1e4, 1e7) == pytest.approx(1e4 / (2e4 + 1e7), rel=1e-2)


def test_volumes_of_a_product() -> None:
    """Between two depths below the median, by draws; the plain 2λ is far from it."""
    rng = np.random.default_rng(3)
    drawn = (rng.uniform(-1, 1, (400_000, 2)) ** 2).prod(axis=1)
    depths = np.array([1.0, 5.0])
    below = (drawn <= np.median(drawn) * np.exp(-depths)[:, None]).mean(axis=1)
    found = 2 * np.log(below[0] / below[1]) / (depths[1] - depths[0])
    assert volume.of_product(0.5, *depths) == pytest.approx(found, abs=0.01)
    assert abs(found - 1) > 0.1


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 2), (2, 2), (2, 3)])
def test_derivatives_of_lines_of_minima(a: int, b: int) -> None:
    landscape = _dynamics.line(a, b)
    w = np.array([0.3, -0.7])
    for k, direction in enumerate(np.eye(2)):
        assert slope(landscape.h, w, direction) == pytest.approx(landscape.gradient(w)[k], rel=1e-6)
        along = slope(landscape.gradient, w, direction)
        assert along == pytest.approx(landscape.hessian(w)[k], rel=1e-6)
    assert not landscape.h(np.array([0.0, 0.5]))
    assert np.isfinite(landscape.hessian(np.zeros(2))).all()


def test_gradients_of_the_tests_of_devinterp() -> None:
    moments = RNG.standard_normal((2, 4, 1, 3, 3))
    square = moments[0] @ moments[0].swapaxes(-1, -2)
    for loss, shape in (
        (_devinterp.matrices(square, moments[1]), (4, 2, 3, 3)),
        (_devinterp.monomial(np.array([[2.0]]), np.array([[0.3]]), (2, 3)), (4, 2)),
        (_devinterp.monomial(np.array([[2.0]]), np.array([[0.3]]), (0, 1)), (4, 2)),
    ):
        w, along = RNG.standard_normal((2, 2, *shape))
        _, slopes = loss(list(w))
        exact = sum((a * b).reshape(4, 2, -1).sum(2) for a, b in zip(slopes, along, strict=True))
        ahead, back = (loss(list(w + size * along))[0] for size in (1e-6, -1e-6))
        assert exact == pytest.approx((ahead - back) / 2e-6, rel=1e-5, abs=1e-6)


def test_chains_of_devinterp_have_the_law_of_their_step() -> None:
    """w → (1 − a)w + √lr·ξ on |w|², a = lr·nβ: a mean of d/(2 − a) where the limit has d/2."""
    lr = 0.1 / _devinterp.N_BETA
    found = _devinterp.estimates(
        lambda w: ((w[0] ** 2).sum(axis=-1), [2 * w[0]]),
        [np.zeros((40, 10, 6))],
        lr=lr,
        pull=0.0,
        draws=2000,
        rng=np.random.default_rng(1),
    )
    assert found.shape == (40, 10)
    assert found.mean() == pytest.approx(6 / 1.9, rel=0.01)
