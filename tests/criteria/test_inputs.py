"""What is read of the arrays of others: named axes, masks, temperatures and NumPy's numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from rlct.criteria.draws import Draws
from rlct.criteria.free_energy import free_energy
from rlct.criteria.learning_curve import learning_curve
from rlct.criteria.loo import loo
from rlct.criteria.minibatch import minibatch_fluctuation
from rlct.criteria.state import equation_of_state
from rlct.criteria.transition import Basin
from rlct.criteria.waic import waic
from rlct.criteria.wbic import wbic
from rlct.errors import InputError

xarray = pytest.importorskip("xarray")


def table(seed=0, shape=(4, 200, 6)):
    """Chains that move slowly, so that an error depends on which axis is which."""
    rng = np.random.default_rng(seed)
    slow = np.sin(np.arange(shape[1]) / 9)[:, None] + np.arange(shape[0])[:, None, None]
    return -1 + 0.1 * slow + 0.05 * rng.normal(size=shape)


@pytest.mark.parametrize(
    "order", [("chain", "draw", "obs"), ("draw", "chain", "obs"), ("obs", "draw", "chain")]
)
def test_axes_are_found_by_name(order):
    values = table()
    named = xarray.DataArray(values, dims=("chain", "draw", "obs")).transpose(*order)
    right, found = waic(values), waic(named)
    assert found == right
    other = waic(np.asarray(named.transpose("draw", "chain", "obs")))
    assert abs(other.error / right.error - 1) > 0.5  # the error that no name would have shown
    one = xarray.DataArray(values[0].T, dims=("obs", "draw"))
    assert waic(one) == waic(values[0])
    sums = xarray.DataArray(values.sum(axis=-1).T, dims=("draw", "chain"))
    assert Draws(sums).array.shape == (4, 200, 1)
    prior = values - 0.01
    assert free_energy([sums, sums], [0, 1]).value == pytest.approx(
        free_energy([values, values], [0, 1]).value
    )
    masses = xarray.DataArray(prior[..., 0].T, dims=("draw", "chain"))
    assert waic(named, log_masses=masses) == waic(values, log_masses=prior[..., 0])
    assert waic(xarray.DataArray(values)) == right  # axes without names


def test_axes_that_do_not_tell_the_draws_are_refused():
    values = table()
    for dims in (("chain", "sample", "obs"), ("draw", "x", "y"), ("c", "d", "obs")):
        shown = ", ".join(dims)
        with pytest.raises(InputError, match=f"has the axes {shown}: call its chains chain"):
            waic(xarray.DataArray(values, dims=dims))
    with pytest.raises(InputError, match="has the axes obs, sample"):
        waic(xarray.DataArray(values[0], dims=("obs", "sample")))
    array = xarray.DataArray(values, dims=("chain", "draw", "obs"))
    with pytest.raises(InputError, match="is an xarray Dataset: give one array of y, z"):
        waic(xarray.Dataset({"y": array, "z": array}))
    with pytest.raises(InputError, match="is an xarray DataTree: give one array of log_lik"):
        waic(xarray.DataTree.from_dict({"/log_lik": xarray.Dataset({"y": array})}))


def test_masked_entries_are_refused():
    values, row = table(), np.zeros(6)
    whole = np.ma.masked_array(values, mask=np.zeros(values.shape, bool))
    assert waic(whole) == waic(values)
    part = np.ma.masked_less(values, np.sort(values, axis=None)[3])
    for call in (
        lambda: waic(part),
        lambda: free_energy([values, part], [0, 1]),
        lambda: equation_of_state(values, row, part, row),
        lambda: equation_of_state(values, np.ma.masked_array(row, mask=row == 0), values, row),
        lambda: minibatch_fluctuation(part, np.zeros(values.shape, int), 3),
    ):
        with pytest.raises(InputError, match="has masked entries") as caught:
            call()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("beta", [1e300, 1e10, 1e-10, 1e-300])
def test_temperatures_beyond_all_sampling_are_refused(beta):
    values = table()
    for call in (
        lambda: loo(values, beta=beta),
        lambda: waic(values, beta=beta),
        lambda: wbic(values, beta=beta),
        lambda: minibatch_fluctuation(values, np.zeros(values.shape, int), 3, beta=beta),
        lambda: learning_curve(0.5, [10], beta=beta, nu=0.5),
    ):
        with pytest.raises(InputError, match="must lie between 1e-09 and 1e\\+09"):
            call()


@pytest.mark.parametrize("beta", [1e9, 1e-9])
def test_the_last_temperatures_are_finite(beta):
    for method in ("psis", "importance"):
        found = loo(1e20 * table(), beta=beta, method=method)
        assert math.isfinite(found.value)
    assert loo(table(), beta=1e-9).details["pareto_k_largest"] < 1


def test_a_baseline_above_the_loss_is_said():
    """λ of these draws of N(w, 1) is about ½ with nL_n(w₀) and negative with 10 more."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000)
    w = x.mean() + rng.normal(size=(4, 500, 1)) * np.sqrt(np.log(1000) / 1000)
    values = -((x - w) ** 2) / 2
    least = np.sum((x - x.mean()) ** 2) / 2
    assert wbic(values, baseline=least).warnings == ()
    found = wbic(values, baseline=least + 10)
    assert found.details["lambda"] < 0
    assert "is above the mean loss of the draws" in found.warnings[0]


def test_one_number_of_observations_is_a_curve():
    assert learning_curve(0.5, 100) == learning_curve(0.5, [100])
    assert learning_curve(0.5, np.int64(100)) == learning_curve(0.5, np.array([100]))
    for wrong in ("100", None, 1.5, []):
        with pytest.raises(InputError, match="number of observations"):
            learning_curve(0.5, wrong)


def test_basins_take_the_numbers_of_numpy():
    found = Basin(np.float32(0.25), np.int64(2), np.int64(3), np.float64(0.5))
    assert found == Basin(0.25, 2, 3, 0.5)
    assert [type(v) for v in (found.loss, found.lam, found.theta)] == [float, int, int]
    assert Basin(0.25, Fraction(1, 2)).lam == Fraction(1, 2)
    for wrong in ((np.float64("nan"), 1), (0.1, np.float64(-1)), (0.1, 1, np.float64(1.5))):
        with pytest.raises(InputError, match="of a basin must be"):
            Basin(*wrong)


@pytest.mark.parametrize(
    ("beta", "named", "told"),
    [(1.0, None, True), (None, None, False), (1.0, 0.15, True), (0.15, 0.15, False)],
)
def test_wbic_of_draws_at_another_temperature_is_doubted(
    beta: float | None, named: float | None, told: bool
) -> None:
    """Linear regression that fits its data; of 360 runs at 1/log n none was told."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    y = x.sum(axis=1) + rng.normal(size=200)
    covariance = np.linalg.inv(x.T @ x) / (beta or 1 / np.log(200))
    root = np.linalg.cholesky(covariance)
    w = np.linalg.lstsq(x, y)[0] + rng.normal(size=(4, 300, 3)) @ root.T
    loss = -((y - w @ x.T) ** 2) / 2
    assert any("scatter as at" in words for words in wbic(loss, beta=named).warnings) == told
