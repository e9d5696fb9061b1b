"""What is read of the arrays of others: named axes, masks, temperatures and NumPy's numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest

import rlct
from rlct.criteria.draws import Draws
from rlct.criteria.free_energy import free_energy
from rlct.criteria.learning_curve import learning_curve
from rlct.criteria.loo import loo
from rlct.criteria.minibatch import minibatch_fluctuation
from rlct.criteria.reading import read_chains, read_log_likelihood
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
    with pytest.raises(InputError, match="no variable log_likelihood: give one of y, z, or the"):
        waic(xarray.Dataset({"y": array, "z": array}))
    with pytest.raises(InputError, match="no group log_likelihood: there are log_lik"):
        waic(xarray.DataTree.from_dict({"/log_lik": xarray.Dataset({"y": array})}))
    with pytest.raises(InputError, match="y has the axes sample, obs: chain and draw are needed"):
        waic(xarray.Dataset({"y": (("sample", "obs"), values[0])}))


def groups(seed=0):
    """A tree as programs for posteriors have it, with two observed variables; and their array."""
    y, z = table(seed), table(seed + 1)
    axes = ("chain", "draw")
    variables = {
        "y": ((*axes, "i"), y),
        "z": ((*axes, "row", "column"), z.reshape(*z.shape[:2], 2, 3)),
    }
    tree = xarray.DataTree.from_dict(
        {
            "/posterior": xarray.Dataset({"mu": (axes, y[..., 0])}),
            "/log_likelihood": xarray.Dataset(variables),
        }
    )
    return tree, np.concatenate([y, z], axis=-1)


def test_log_likelihoods_are_found_in_trees_and_data_sets():
    tree, whole = groups()
    right = waic(whole)

    class InferenceData(dict):
        """As ArviZ had it before xarray had trees."""

        def groups(self):
            return [*self]

    for given in (
        tree,
        tree["log_likelihood"],
        InferenceData(posterior=tree["posterior"].dataset, log_likelihood=tree["log_likelihood"]),
        xarray.Dataset({"mu": tree["posterior"]["mu"], "log_lik": (("chain", "draw", "i"), whole)}),
    ):
        assert waic(given) == right
    several_axes = tree["log_likelihood"]["z"]
    assert waic(several_axes) == waic(whole[..., 6:])


@pytest.mark.slow
def test_files_of_arviz_are_read(tmp_path):
    pytest.importorskip("h5netcdf")
    tree, whole = groups()
    tree.to_netcdf(tmp_path / "fit.nc")
    assert np.array_equal(read_log_likelihood(str(tmp_path / "fit.nc")), whole)
    (tmp_path / "bad.nc").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"bad.nc holds no array|cannot read"):
        read_log_likelihood(str(tmp_path / "bad.nc"))


def stan_file(path, values):
    """Chain 0 as CmdStan writes it, with parameters before and behind the log-likelihoods."""
    names = ["lp__", "mu", *(f"log_lik.{k + 1}" for k in range(values.shape[1])), "tau"]
    lines = ["# stan_version_major = 2", ",".join(names), "# Adaptation terminated"]
    lines += [",".join(map(str, [-7.5, 1, *row, 2])) for row in values]
    path.write_text("\n".join([*lines, "# Elapsed Time: 0.02 seconds"]), encoding="utf-8")
    return str(path)


def test_only_log_lik_of_a_stan_file_are_observations(tmp_path):
    values = table()
    paths = [stan_file(tmp_path / f"chain_{k}.csv", values[k]) for k in range(4)]
    assert np.array_equal(read_log_likelihood(paths[1]), values[1])
    assert np.array_equal(read_chains(paths), values)
    brackets = (tmp_path / "chain_0.csv").read_text("utf-8").replace("log_lik.1,", '"log_lik[1]",')
    (tmp_path / "chain_0.csv").write_text(brackets, encoding="utf-8")
    assert np.array_equal(read_log_likelihood(paths[0]), values[0])
    paths.append(stan_file(tmp_path / "short.csv", values[0, :100]))
    with pytest.raises(InputError, match=r"short.csv has the shape \(100, 6\) and "):
        read_chains(paths)


def test_elpd_is_that_of_arviz():
    """−n times the mean loss; standard errors there divide by n, and not by n − 1."""
    arviz = pytest.importorskip("arviz_stats.loo")
    tree, _ = groups()
    other = arviz.loo(tree, var_name="y", pointwise=True)
    found = loo(tree["log_likelihood"]["y"])
    assert found.elpd[0] == pytest.approx(other.elpd, abs=1e-3)
    assert found.elpd[1] * math.sqrt(5 / 6) == pytest.approx(other.se, rel=1e-3)
    assert found.details["effective_parameters"] == pytest.approx(other.p, abs=1e-3)
    assert found.to_dict()["elpd"] == found.elpd[0]
    assert waic(table()).minus(waic(table(1))).elpd[0] == pytest.approx(
        waic(table()).elpd[0] - waic(table(1)).elpd[0]
    )


def test_fits_are_compared_as_arviz_does():
    arviz = pytest.importorskip("arviz_stats.loo")
    fits = {"far": table() - 0.2, "near": table(1)}
    trees = {
        name: xarray.DataTree.from_dict(
            {
                "/posterior": xarray.Dataset({"mu": (("chain", "draw"), values[..., 0])}),
                "/log_likelihood": xarray.Dataset({"y": (("chain", "draw", "i"), values)}),
            }
        )
        for name, values in fits.items()
    }
    right = arviz.compare(trees)
    for given in (fits, trees, {name: loo(values) for name, values in fits.items()}):
        found = rlct.compare(given)
        assert found.index.tolist() == right.index.tolist() == ["near", "far"]
        assert found.columns.tolist() == right.columns.tolist()
        for column in ("elpd", "elpd_diff", "p", "dse", "weight"):
            assert found[column].tolist() == pytest.approx(right[column].tolist(), abs=2e-3)
    with pytest.raises(InputError, match="needs two fits"):
        rlct.compare({"one": fits["far"]})
    with pytest.raises(InputError, match="5 and 6 observations"):
        rlct.compare({"a": fits["far"], "b": fits["near"][..., :5]})
    with pytest.raises(InputError, match="wbic has no terms"):
        rlct.compare({name: wbic(values) for name, values in fits.items()})


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
