"""Fits of other libraries: stand-ins with what their documents say, and the libraries if there."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import rlct
from rlct.errors import InputError
from rlct.selection.fit_readers import read_fit

VARIABLES, N = 6, 300


def observed() -> np.ndarray:
    """Two factors with loadings of size one."""
    rng = np.random.default_rng(0)
    loadings = rng.normal(size=(VARIABLES, 2))
    noise = rng.normal(size=(N, VARIABLES)) * np.sqrt(np.linspace(0.5, 1.0, VARIABLES))
    return rng.normal(size=(N, 2)) @ loadings.T + noise


def named(name: str, **attributes: object) -> object:
    """An object of a class of another library."""
    module, _, kind = name.rpartition(".")
    made = type(kind, (), {"__module__": f"{module}.inside"})()
    vars(made).update(attributes)
    return made


def by_scikit(data: np.ndarray, size: int) -> tuple[float, np.ndarray]:
    """Log-likelihood and covariance of the maximum."""
    decomposition = pytest.importorskip("sklearn.decomposition")
    fit = decomposition.FactorAnalysis(size, tol=1e-7, max_iter=50_000, svd_method="lapack")
    fit.fit(data)
    return N * fit.score(data), fit.get_covariance()


def test_statsmodels_is_read_on_the_scale_of_standardised_variables() -> None:
    """Its loss is (log|Σ| + tr Σ⁻¹R)/(2p)."""
    data = observed()
    value, covariance = by_scikit(data, 2)
    scale = data.std(axis=0)
    model, seen = covariance / np.outer(scale, scale), np.corrcoef(data, rowvar=False)
    loss = (np.linalg.slogdet(model)[1] + np.trace(np.linalg.solve(model, seen))) / 12
    done = SimpleNamespace(fun=loss, success=False, jac=np.full(18, 1e-6))
    attributes = {"fa_method": "ml", "loadings": np.ones((6, 2)), "nobs": N}
    fit = named("statsmodels.FactorResults", **attributes, mle_retvals=done)
    found = read_fit(fit)
    assert found.log_likelihood == pytest.approx(value + N * np.log(scale).sum(), abs=1e-6)
    assert (found.family, found.size, found.n) == ("factor-analysis", 2, N)
    assert (found.facts, found.doubt) == ({"variables": 6}, "")
    done.jac = np.full(18, 1e-2)
    assert read_fit(fit).doubt == "had not converged: its maximum is higher"
    with pytest.raises(InputError, match="n = 299, but there are 300 observations: leave n out"):
        rlct.select([fit], n=299)
    with pytest.raises(InputError, match="variables of the data is 6, not 7"):
        rlct.select([fit], variables=7)
    for changed, message in (
        ({"fa_method": "pa"}, "method='pa' is no maximum"),
        ({"nobs": None}, "needs nobs"),
    ):
        with pytest.raises(InputError, match=message):
            read_fit(named("statsmodels.FactorResults", **{**attributes, **changed}))


def equations(size: int = 2, **changes: object) -> tuple[object, float]:
    """A model of semopy, whose loss is log|Σ| − log|S| + tr Σ⁻¹S − p."""
    data = observed()
    value, covariance = by_scikit(data, size)
    seen = np.cov(data, rowvar=False, ddof=0)
    log_det = np.linalg.slogdet(seen)[1]
    loss = np.linalg.slogdet(covariance)[1] - log_det
    loss += np.trace(np.linalg.solve(covariance, seen)) - VARIABLES
    attributes = {
        "last_result": SimpleNamespace(name_obj="MLW", fun=np.array([loss]), success=True),
        "vars": {"observed": set("abcdef"), "latent": {f"f{k}" for k in range(size)}},
        "param_vals": np.ones(6 * (size + 1) - size * (size - 1) // 2),
        "mx_theta": np.eye(6),
        "cov_logdet": log_det,
        "n_samples": N,
        **changes,
    }
    return named("semopy.Model", **attributes), value


def test_semopy_is_read_where_all_loadings_are_free() -> None:
    (one, first), (two, second) = equations(1), equations(2)
    found = rlct.select([two, one])
    assert (found.family, found.sizes, found.n) == ("factor-analysis", (1, 2), N)
    assert found.log_likelihood == pytest.approx([first, second], abs=1e-6)
    for changes, message in (
        ({"param_vals": np.ones(13)}, "13 free parameters, not 17"),
        ({"mx_theta": np.ones((6, 6))}, "correlated errors"),
        ({"last_result": SimpleNamespace(name_obj="ULS")}, "obj='ULS' is no maximum"),
    ):
        with pytest.raises(InputError, match=message):
            read_fit(equations(2, **changes)[0])


def words_in_states(size: int, **changes: object) -> object:
    attributes = {
        "emissionprob_": np.full((size, 3), 1 / 3),
        "startprob_": np.eye(size)[0],
        "params": "te",
        "monitor_": SimpleNamespace(history=[-1318.205 + size, -1318.2 + size], tol=0.01),
        **changes,
    }
    return named("hmmlearn.CategoricalHMM", **attributes)


def test_hidden_markov_needs_independent_words() -> None:
    fits = [words_in_states(1), words_in_states(2)]
    found = rlct.select(fits, n=300, length=4)
    by_hand = rlct.select({1: -1317.2, 2: -1316.2}, "hidden-markov", n=300, symbols=3, length=4)
    assert found == by_hand
    with pytest.raises(InputError, match=r"one long series is not known here.*name n and length"):
        rlct.select(fits)
    with pytest.raises(InputError, match="name length"):
        rlct.select(fits, n=300)
    for changes in ({"params": "ste"}, {"startprob_": np.array([0.5, 0.5])}):
        with pytest.raises(InputError, match="chains which start in one state"):
            read_fit(words_in_states(2, **changes))
    for history in ([-9.0], [-9.0, -8.0]):  # its own word is "converged" after all steps
        ended = SimpleNamespace(history=history, converged=True, tol=0.01)
        assert "not converged" in read_fit(words_in_states(2, monitor_=ended)).doubt
    with pytest.raises(InputError, match="not fitted"):
        read_fit(named("hmmlearn.CategoricalHMM"))
    for kind in ("GaussianHMM", "PoissonHMM"):
        with pytest.raises(InputError, match=r"a long series is one observation"):
            read_fit(named(f"hmmlearn.{kind}"))


def test_counted_words_have_the_likelihood_of_topics() -> None:
    """Up to a constant it is that of independent words, whose number a text has already."""
    decomposition = pytest.importorskip("sklearn.decomposition")
    counts = np.random.default_rng(0).poisson(3.0, size=(10, 7))
    options = {"beta_loss": "kullback-leibler", "solver": "mu", "max_iter": 5000, "tol": 1e-7}
    fits = [decomposition.NMF(size, init="nndsvda", **options) for size in (1, 2)]
    values = []
    for fit in fits:
        shares = fit.fit_transform(counts) @ fit.components_
        shares /= shares.sum(axis=1, keepdims=True)
        values.append(float((counts * np.log(shares)).sum()))
    found = rlct.select(fits, n=int(counts.sum()), documents=10)
    assert (found.family, found.sizes) == ("topics", (1, 2))
    gain = found.log_likelihood[1] - found.log_likelihood[0]
    assert gain == pytest.approx(values[1] - values[0], abs=1e-3)
    with pytest.raises(InputError, match=r"neither the number of words .* name n and documents"):
        rlct.select(fits)
    squares = decomposition.NMF(2, init="nndsvda", max_iter=2000).fit(counts)
    with pytest.raises(InputError, match="no likelihood of counted words"):
        rlct.select([squares])
    with pytest.raises(InputError, match="variational bound of a posterior"):
        rlct.select([decomposition.LatentDirichletAllocation(2)])


def test_what_stopped_early_is_said() -> None:
    fit = named(
        "sklearn.FactorAnalysis",
        components_=np.zeros((1, 6)),
        loglike_=[-900.0],
        tol=0.01,
        n_iter_=5,
        max_iter=5,
    )
    found = rlct.select([fit], n=N)
    assert found.warnings[0] == "the fit of size 1 had not converged: its maximum is higher"


@pytest.mark.parametrize(("least", "said"), [(0.001, True), (0.1, False)])
def test_a_unique_variance_of_0_is_said(least: float, said: bool) -> None:
    """Its share is the least over 1 + the least: the first loading is 1."""
    noise = np.array([least, 1.0, 1.0])
    loadings = np.array([[1.0, 0.5, 0.5]])
    seen = {"components_": loadings, "noise_variance_": noise, "loglike_": [-9.0], "tol": 0.01}
    fit = named("sklearn.FactorAnalysis", **seen)
    doubt = "has a unique variance of about 0 (Heywood), at which λ is not known"
    assert read_fit(fit).doubt == (doubt if said else "")


def test_fits_that_stopped_far_from_their_maximum_are_refused() -> None:
    """What is stored of two components is 35 below their maximum, and would choose one."""
    mixture = pytest.importorskip("sklearn.mixture")
    n = 20_000
    rng = np.random.default_rng(0)
    halves = [rng.normal(size=(n // 2, 1)), rng.normal(1.44, 1, size=(n // 2, 1))]
    data = np.concatenate(halves)
    fits = [mixture.GaussianMixture(k, random_state=0).fit(data) for k in (1, 2)]
    with pytest.raises(InputError, match=r"tol=0.001 stopped .* up to 20, .* with tol=1e-06$"):
        rlct.select(fits, n=n)
    for fit in fits:
        fit.set_params(tol=1e-6, max_iter=1000).fit(data)
    found = rlct.select(fits, n=n)
    assert found.log_likelihood == pytest.approx([n * fit.score(data) for fit in fits], abs=0.1)
    assert found.best == 2


@pytest.mark.parametrize(
    ("reader", "changes", "said"),
    [
        ("FactorAnalysis", {"tol": 1.0, "loglike_": [-9.0]}, "with tol=1 stopped.*tol=0.1$"),
        ("NMF", {"tol": 1e-4, "reconstruction_err_": 100.0}, "tol=0.0001 stopped.*tol=1e-05$"),
    ],
)
def test_tolerances_of_all_observations(reader: str, changes: dict[str, object], said: str) -> None:
    seen = {"components_": np.ones((1, 6)), "beta_loss": 1, "alpha_W": 0, "alpha_H": 0, **changes}
    fit = named(f"sklearn.{reader}", **seen)
    with pytest.raises(InputError, match=said):
        rlct.select([fit], n=100, **({"documents": 9} if reader == "NMF" else {}))


def test_a_list_of_fits_has_its_own_family_and_sizes() -> None:
    fits = [words_in_states(1), words_in_states(2)]
    assert rlct.select(fits, "hidden-markov", [2, 1], n=300, length=4).sizes == (1, 2)
    for family, sizes, message in (
        ("factor-analysis", None, "the fits are of hidden-markov: leave 'factor-analysis' out"),
        (None, [1], "the fits have sizes 1, 2, not 1: leave sizes out"),
    ):
        with pytest.raises(InputError, match=message):
            rlct.select(fits, family, sizes, n=300, length=4)
    with pytest.raises(InputError, match=r"fitted objects are given as a list, \[fit, …\]"):
        rlct.select(dict(enumerate(fits, 1)), n=300)


def test_a_list_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="the list of fits is empty"):
        rlct.select([])
    with pytest.raises(InputError, match=r"'object' is no fit that is read: give fitted sklearn"):
        rlct.select([object()])


@pytest.mark.filterwarnings("ignore")
def test_statsmodels_itself() -> None:
    factor = pytest.importorskip("statsmodels.multivariate.factor")
    data = observed()
    fits = [factor.Factor(data, n_factor=size, method="ml").fit() for size in (1, 2)]
    values = rlct.select(fits).log_likelihood
    shift = N * np.log(data.std(axis=0)).sum()
    assert values == pytest.approx([by_scikit(data, k)[0] + shift for k in (1, 2)], abs=0.02)
    with pytest.raises(InputError, match="give what its fit"):
        rlct.select([factor.Factor(data, n_factor=1, method="ml")])


def test_semopy_itself() -> None:
    semopy = pytest.importorskip("semopy")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(observed(), columns=list("abcdef"))
    one = semopy.Model("u =~ a + b + c + d + e + f")
    two = semopy.Model("u =~ a + b + c + d + e + f\nv =~ b + c + d + e + f\nu ~~ 0*v")
    for model in (one, two):
        model.fit(frame)
    values = rlct.select([one, two]).log_likelihood
    assert values == pytest.approx([by_scikit(observed(), k)[0] for k in (1, 2)], abs=0.05)
    unfitted = semopy.Model("u =~ a + b + c")
    with pytest.raises(InputError, match="not fitted"):
        rlct.select([unfitted])


def test_hmmlearn_itself() -> None:
    hmm = pytest.importorskip("hmmlearn.hmm")
    words = np.random.default_rng(0).integers(0, 3, size=(400, 1))
    fit = hmm.CategoricalHMM(1, n_iter=200, params="te", init_params="te", random_state=0)
    fit.startprob_ = np.ones(1)
    fit.fit(words, [4] * 100)
    shares = np.bincount(words[:, 0]) / 400
    assert math.isclose(read_fit(fit).log_likelihood, 400 * float(shares @ np.log(shares)))
