"""`rlct.select`: published numbers, the singular BIC itself, and what open cells leave possible."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import rlct
from rlct.criteria.evidence_equations import evidence_table, solve_evidences
from rlct.errors import InputError
from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.selection.families import MODEL_FAMILIES, get_family
from rlct.selection.open_cells import possible_outcomes

#: Lopes and West (2004), n = 143, six exchange rates; Drton and Plummer (2017), Table 2.
EXCHANGE_RATES = {0: -1214.439, 1: -977.050, 2: -855.399, 3: -854.377}
#: Holzinger and Swineford (1939), n = 301, nine tests, fitted by semopy and by scikit-learn.
ABILITIES = {0: -3843.90, 1: -3540.61, 2: -3449.63, 3: -3395.93, 4: -3387.08, 5: -3384.61}
#: LSAT, section 6, n = 1000, five items, fitted by StepMix.
ITEMS = {1: -2493.437, 2: -2467.406, 3: -2464.651, 4: -2462.299}


def middle(ranges):
    assert all(low == high for low, high in ranges)
    return [low for low, _ in ranges]


def test_exchange_rates() -> None:
    """Published: 0.98 and 0.02 by sBIC; the table of λ of Drton and Plummer."""
    found = rlct.select(EXCHANGE_RATES, "factor-analysis", n=143, variables=6)
    assert [round(p, 4) for p in middle(found.probability)] == [0, 0, 0.9813, 0.0187]
    assert [round(p, 4) for p in found.bic_probability] == [0, 0, 0.9999, 0.0001]
    rows = {
        size: [str(cell) for (model, _), cell in found.truths.items() if model == size]
        for size in found.sizes
    }
    assert rows == {
        0: ["3"],
        1: ["9/2", "6"],
        2: ["6", "29/4", "17/2"],
        3: ["15/2", "17/2", "19/2", "21/2"],
    }
    assert (found.best, found.warnings) == (2, ())


def test_abilities() -> None:
    """AIC 4, BIC 3, sBIC 3 (0.568) before 4 (0.431)."""
    found = rlct.select(ABILITIES, "factor-analysis", n=301, variables=9)
    assert found.sizes[int(np.argmax(found.aic))] == 4
    assert found.sizes[int(np.argmax(found.bic))] == 3
    assert [round(p, 3) for p in middle(found.probability)][3:5] == [0.568, 0.431]


def test_items_leave_two_and_three_classes_open() -> None:
    found = rlct.select(ITEMS, "latent-class", n=1000, categories=[2] * 5)
    assert found.sizes[int(np.argmax(found.bic))] == 2
    assert found.best is None
    assert found.candidates[:2] == (2, 3)
    assert any("λ(3|1), λ(3|2)" in note for note in found.notes)


GALAXIES = {**{1: -240.34, 2: -220.06, 3: -203.18, 4: -202.20, 5: -190.25, 6: -189.34, 7: -188.02}}


def test_galaxies() -> None:
    """BIC: 3 (0.57), 5 (0.43).  With the numbers of the R package: 5 (0.752), 6 (0.169), 7."""
    found = rlct.select(GALAXIES, "gaussian-mixture", n=82, variables=1)
    assert [round(p, 2) for p in found.bic_probability[2:5]] == [0.57, 0, 0.43]
    assert str(found.truths[2, 1]) == "3/2 (3)"
    assert found.best is None
    proxies = rlct.select(GALAXIES, "gaussian-mixture", n=82, variables=1, proxies="drton-plummer")
    values = middle(proxies.probability)
    assert [round(p, 3) for p in values[4:]] == [0.752, 0.169, 0.065]
    assert {cell.method for cell in proxies.truths.values() if cell.method.startswith("proxy")}
    with pytest.raises(InputError, match="are 'drton-plummer' or None"):
        rlct.select(GALAXIES, "gaussian-mixture", n=82, variables=1, proxies="other")
    with pytest.raises(InputError, match="there are no proxies for hidden-markov"):
        rlct.select({1: -9, 2: -9}, "hidden-markov", n=9, symbols=3, proxies="drton-plummer")


def test_exact_tables_are_those_of_sbic() -> None:
    """Reduced-rank regression from rank 0 on, which has no free parameters."""
    fits = {0: -1300.0, 1: -1240.0, 2: -1236.0}
    rows = [[(0, 1)]]
    rows += [[rlct.solve(LinearNetwork((3, h, 4), r)).pair for r in range(h + 1)] for h in (1, 2)]
    prior = [1, 2, 3]
    right = rlct.sbic(list(fits.values()), rows, 300, prior=prior)
    found = rlct.select(fits, "reduced-rank", n=300, prior=prior, inputs=3, outputs=4)
    assert middle(found.probability) == pytest.approx(right.probability)
    assert middle(found.sbic) == pytest.approx(right.sbic)
    assert found.bic == pytest.approx(right.bic)
    assert found.dimension == (0, 6, 10)


def test_what_is_found_in_the_box_holds_every_point_of_it() -> None:
    """Points at random, and none that the ends beside it would hold alone, are outside."""
    rng = np.random.default_rng(0)
    likelihoods = np.array([-100.0, -92.0, -90.0, -89.5])
    low = [[(1, 1)], [(1, 1), (2, 1)], [(1, 1), (2, 1), (3, 1)], [(1, 1), (2, 1), (2, 1), (4, 1)]]
    high = [[(1, 1)], [(2, 1), (2, 1)], [(3, 1), (3, 1), (3, 1)], [(4, 1), (4, 1), (4, 1), (4, 1)]]
    most, least = (evidence_table(rows, likelihoods, 200) for rows in (low, high))
    found = possible_outcomes(least, most, np.zeros(4))
    inside = np.isfinite(least)
    outside_of_two_ends = 0
    two = [np.exp(solve_evidences(table, np.zeros(4))) for table in (least, most)]
    two = [weights / weights.sum() for weights in two]
    for _ in range(2000):
        table = least.copy()
        table[inside] += (rng.random(least.shape)[inside]) * (most[inside] - least[inside])
        evidences = solve_evidences(table, np.zeros(4))
        weights = np.exp(evidences) / np.exp(evidences).sum()
        assert (found.log_evidence[:, 0] <= evidences + 1e-9).all()
        assert (evidences <= found.log_evidence[:, 1] + 1e-9).all()
        assert (found.probability[:, 0] <= weights + 1e-9).all()
        assert (weights <= found.probability[:, 1] + 1e-9).all()
        assert int(weights.argmax()) in found.candidates
        held = (np.minimum(*two) <= weights) & (weights <= np.maximum(*two))
        outside_of_two_ends += not held.all()
    assert outside_of_two_ends > 100  # all lower or all upper bounds are not the extremes


@pytest.mark.parametrize(
    ("family", "theorem"),
    [("poisson-mixture", "poisson-mixture"), ("exponential-mixture", "exponential-mixture")],
)
def test_mixtures_by_name_are_those_of_their_theorem(family, theorem) -> None:
    for components in (1, 2, 3, 4):
        for true in range(1, components + 1):
            cell = get_family(family).cell({}, components, true)
            assert cell.exact
            known = rlct.theorem(theorem, components=components, true=true)
            assert cell.lower == known.pair


def test_multinomial_mixtures_of_two_outcomes_are_binomial() -> None:
    binomial, multinomial = get_family("binomial-mixture"), get_family("multinomial-mixture")
    for components, true in ((2, 1), (3, 2), (4, 4)):
        cell = multinomial.cell({"outcomes": 2, "trials": 9}, components, true)
        assert cell.exact
        assert cell.lower == binomial.cell({"trials": 9}, components, true).lower
    known = rlct.theorem("multinomial-mixture", components=3, true=1, categories=3, trials=2)
    cell = multinomial.cell({"outcomes": 3, "trials": 2}, 3, 1)
    assert cell.lower == known.pair == Pair.of(2, 3)
    with pytest.raises(InputError, match="outcomes is an integer from 2 on, not 1"):
        multinomial.cell({"outcomes": 1, "trials": 2}, 3, 1)


@pytest.mark.parametrize(
    ("family", "facts", "size", "truth", "dimension"),
    [
        ("binomial-mixture", {"trials": 2}, 3, 2, 1),
        ("binomial-mixture", {"trials": 1}, 3, 2, 1),
        ("multinomial-mixture", {"outcomes": 3, "trials": 1}, 2, 1, 2),
    ],
)
def test_spare_components_of_few_trials_are_those_of_the_engine(
    family, facts, size, truth, dimension
) -> None:
    cell = get_family(family).cell(facts, size, truth)
    asked = {"trials": facts["trials"], "dimension": dimension}
    known = rlct.model("mixture", components=size, true=truth, **asked)
    assert cell.exact
    assert cell.lower == known.pair


def test_a_cell_without_a_theorem_is_open() -> None:
    """Three moments of two components; three outcomes, of which two components show less."""
    fits = {1: -200.0, 2: -195.0, 3: -194.5}
    found = rlct.select(fits, "binomial-mixture", n=100, trials=3)
    assert [str(found.truths[3, truth]) for truth in (1, 2, 3)] == ["1", "3/2", "3/2"]
    assert found.best == 2
    found = rlct.select(fits, "multinomial-mixture", n=100, outcomes=3, trials=3)
    assert str(found.truths[3, 2]) == "5/2..4"  # R/2 of two components, d/2 of three


def test_principal_components_are_fitted_in_closed_form() -> None:
    """Against the Gaussian density at the covariance of Tipping and Bishop."""
    rng = np.random.default_rng(3)
    data = rng.normal(size=(80, 2)) @ rng.normal(size=(2, 5)) + rng.normal(size=(80, 5))
    found = rlct.select(data, "ppca", range(4))
    roots, axes = np.linalg.eigh(np.cov(data.T, bias=True))
    for size, value in zip(range(4), found.log_likelihood, strict=True):
        noise = roots[: 5 - size].mean()
        larger = axes[:, 5 - size :]
        covariance = noise * np.eye(5) + (larger * (roots[5 - size :] - noise)) @ larger.T
        law = multivariate_normal(data.mean(axis=0), covariance)
        assert value == pytest.approx(law.logpdf(data).sum())
    assert found.truths[3, 1].lower == Pair.of(5)  # 5/2 + (5 − 1)(3 − 1)/4 + 1/2
    with pytest.raises(InputError, match="5 components of 5 variables: at most 4 can"):
        rlct.select(data, "ppca", range(4, 6))


@pytest.mark.parametrize(
    ("family", "facts", "sizes"),
    [
        ("factor-analysis", {"variables": 5}, range(4)),
        ("ppca", {"variables": 5}, range(5)),
        ("reduced-rank", {"inputs": 4, "outputs": 3}, range(1, 4)),
        ("latent-class", {"categories": (2, 3, 3)}, range(1, 4)),
        ("binomial-mixture", {"trials": 9}, range(1, 4)),
        ("multinomial-mixture", {"outcomes": 4, "trials": 9}, range(1, 4)),
        ("poisson-mixture", {}, range(1, 4)),
        ("exponential-mixture", {"concentration": "1/2"}, range(1, 4)),
        ("gaussian-mixture", {"variables": 3, "covariance": "known"}, range(1, 4)),
        ("gaussian-mixture", {"variables": 1}, range(1, 5)),
        ("gaussian-mixture", {"variables": 2, "covariance": "tied"}, range(1, 4)),
        ("topics", {"words": 6, "documents": 5}, range(1, 4)),
        ("nmf", {"rows": 4, "columns": 5}, range(1, 4)),
        ("hidden-markov", {"symbols": 4, "length": 4}, range(1, 3)),
        ("tanh", {"inputs": 1, "outputs": 2}, range(1, 4)),
    ],
)
def test_every_family_has_a_table(family, facts, sizes) -> None:
    """Bounds in order, and no λ of a truth above that of a larger one of the same model."""
    assert family in MODEL_FAMILIES
    fits = {size: -300.0 + 4 * size for size in sizes}
    found = rlct.select(fits, family, n=100, **facts)
    for (model, truth), cell in found.truths.items():
        assert cell.lower.lam <= cell.upper.lam
        assert 2 * cell.upper.lam <= found.parameters[found.sizes.index(model)]
        if truth < model and (model, truth + 1) in found.truths:
            assert cell.lower.lam <= found.truths[model, truth + 1].upper.lam
    sums = np.sum(found.probability, axis=0)
    assert sums[0] <= 1 + 1e-9 <= sums[1] + 2e-9
    assert str(found).count("\n") >= len(sizes) + 2
    assert found.to_dict()["models"][0]["size"] == sizes[0]


def test_warnings() -> None:
    """A larger model that fits worse, a best size at the edge, a prior that decides."""
    worse = rlct.select({1: -200.0, 2: -201.0}, "poisson-mixture", n=100)
    assert any("fits worse" in words for words in worse.warnings)
    edge = rlct.select({1: -200.0, 2: -150.0}, "poisson-mixture", n=100)
    assert any("fit larger ones" in words for words in edge.warnings)
    close = rlct.select({1: -200.0, 2: -190.0, 3: -189.0}, "poisson-mixture", n=100)
    assert any("2 or 3 with concentration=1/2" in words for words in close.warnings)
    named = rlct.select(
        {1: -200.0, 2: -190.0, 3: -189.0}, "poisson-mixture", n=100, concentration="1/2"
    )
    assert named.probability[2][0] > named.probability[1][0]
    assert named.candidates == (2, 3)  # 3 costs less than 2 there, and gains less than noise
    assert not any("concentration" in words for words in named.warnings)


def drawn(factors: int, n: int = 400) -> np.ndarray:
    """Six variables with loadings of size one and variances from 0.5 to 1."""
    rng = np.random.default_rng(0)
    loadings = rng.normal(size=(6, factors))
    noise = rng.normal(size=(n, 6)) * np.sqrt(np.linspace(0.5, 1.0, 6))
    return rng.normal(size=(n, factors)) @ loadings.T + noise


@pytest.mark.slow
def test_data_are_fitted() -> None:
    """Two true factors; the log-likelihoods are those of scikit-learn's own score."""
    decomposition = pytest.importorskip("sklearn.decomposition")
    data, seen = drawn(2), []
    found = rlct.select(
        data, "factor-analysis", range(3), restarts=2, progress=lambda *said: seen.append(said)
    )
    assert (found.n, found.best) == (400, 2)
    assert [round(share, 2) for share, _ in seen] == [0.33, 0.67, 1.0]
    fits = [decomposition.FactorAnalysis(k, tol=1e-6, max_iter=20_000).fit(data) for k in (1, 2)]
    assert found.log_likelihood[1:3] == pytest.approx([400 * fit.score(data) for fit in fits])
    variances = data.var(axis=0)
    alone = -200 * (np.log(2 * np.pi * variances) + 1).sum()
    assert found.log_likelihood[0] == pytest.approx(alone)
    again = rlct.select(fits, n=400)
    assert (again.family, again.sizes, again.best) == ("factor-analysis", (1, 2), 2)
    assert again.log_likelihood == pytest.approx(found.log_likelihood[1:3])
    for bad, words in (
        ([decomposition.FactorAnalysis(2)], "is not fitted"),
        ([fits[0], fits[0]], "two fits have size 1"),
        ([fits[0], decomposition.FactorAnalysis(2).fit(data[:, :5])], "the fits differ in kind"),
    ):
        with pytest.raises(InputError, match=words):
            rlct.select(bad, n=400)


def test_mixtures_are_fitted() -> None:
    """Two components 5 apart; the log-likelihoods are those of scikit-learn's own score."""
    mixture = pytest.importorskip("sklearn.mixture")
    rng = np.random.default_rng(1)
    data = rng.normal(size=(200, 2)) + 5.0 * (rng.random((200, 1)) < 0.4)
    found = rlct.select(data, "gaussian-mixture", (1, 2), restarts=2, covariance="diag")
    assert (found.best, found.dimension, found.truths[2, 2].exact) == (2, (4, 9), True)
    fits = [mixture.GaussianMixture(k, covariance_type="diag", tol=1e-6) for k in (1, 2)]
    for fit in fits:
        fit.fit(data)
    scores = [200 * fit.score(data) for fit in fits]
    assert found.log_likelihood == pytest.approx(scores, abs=1e-3)
    again = rlct.select(fits, n=200)
    assert again.log_likelihood == pytest.approx(scores, abs=1e-3)
    assert again.truths == found.truths
    with pytest.raises(InputError, match="name the number of observations"):
        rlct.select(fits)
    with pytest.raises(InputError, match="covariance is full, diag"):
        rlct.select(data, "gaussian-mixture", (1, 2), covariance="round")
    with pytest.raises(InputError, match="0 components: gaussian-mixture begins at 1"):
        rlct.select(data, "gaussian-mixture", (0, 1))


def test_an_interrupted_fit_keeps_the_sizes_that_are_done() -> None:
    pytest.importorskip("sklearn.decomposition")

    def stop(share, text):
        if share > 0.4:
            raise KeyboardInterrupt

    data = drawn(1)
    found = rlct.select(data, "factor-analysis", range(4), restarts=1, progress=stop)
    assert found.sizes == (0, 1)
    assert found.warnings[0] == "interrupted: not fitted were 2, 3"


@pytest.mark.parametrize(
    ("fits", "family", "options", "words"),
    [
        ({1: -3.0}, "factors", {"n": 9}, "is no family: there are factor-analysis"),
        ([1, 2], "factor-analysis", {"n": 9}, "'int' is no fit that is read"),
        ({}, "factor-analysis", {"n": 9, "variables": 3}, "there are no sizes"),
        ({1: -3.0}, None, {"n": 9}, "name the family: factor-analysis"),
        ({1: "x"}, "factor-analysis", {"n": 9}, "log-likelihoods are numbers"),
        (np.eye(3), "ppca", {"sizes": [1], "seed": "x"}, "seed must be an integer from 0 on"),
        ({1: -3.0}, "factor-analysis", {"variables": 3}, "name the number of observations"),
        (np.eye(3), "factor-analysis", {}, "name the sizes to fit"),
        (np.eye(3), "factor-analysis", {"sizes": [-1]}, "from 0 on"),
        (np.ones((9, 2)) * np.nan, "factor-analysis", {"sizes": [1]}, "column 1 has no values"),
        (np.ones((9, 2)), "factor-analysis", {"sizes": [1]}, "column 1 has one value alone"),
        (np.eye(3), "factor-analysis", {"sizes": [1]}, "covariance matrix: add --n N"),
        (np.arange(9.0), "factor-analysis", {"sizes": [1]}, "not the shape"),
        ([["a"]], "factor-analysis", {"sizes": [1]}, "column 1 holds text"),
        (np.eye(3), "nmf", {"sizes": [1]}, "nmf is not fitted here"),
        ({1: -3.0}, "factor-analysis", {"n": 9}, "variables is missing: factor-analysis takes"),
        ({1: -3.0}, "factor-analysis", {"n": 9, "variables": 3, "items": 2}, "items is unknown"),
        ({1: float("nan")}, "factor-analysis", {"n": 9, "variables": 3}, "not finite|finite"),
        ({1: 1e308}, "factor-analysis", {"n": 9, "variables": 3}, "are logarithms, up to"),
        ({1: -3.0}, "factor-analysis", {"n": 10**19, "variables": 3}, r"from 3 to 1e\+18, not"),
        (np.eye(3), "topics", {"sizes": [1]}, "or --log-likelihood=-320.5,-310.2"),
        (np.eye(9)[:, :2], "gaussian-mixture", {"sizes": [1], "concentration": "x"}, "fraction"),
        ({1: -3.0}, "factor-analysis", {"n": 2, "variables": 3}, "from 3 on"),
        ({-1: -3.0}, "factor-analysis", {"n": 9, "variables": 3}, "from 0 on"),
        ({1.5: -3.0}, "factor-analysis", {"n": 9, "variables": 3}, "a size must be an integer"),
        ({0: -3.0}, "latent-class", {"n": 9, "categories": (2, 2)}, "begins at 1"),
        ({1: -3.0}, "factor-analysis", {"n": 9, "variables": 3, "prior": [1, 2]}, "1 positive"),
    ],
)
def test_mistakes_have_one_line(fits, family, options, words) -> None:
    with pytest.raises(InputError, match=words) as caught:
        rlct.select(fits, family, **options)
    assert "\n" not in str(caught.value)


# Posterior draws, pictures and notebooks


def normal_draws(x: np.ndarray, sizes: tuple[int, ...], beta: float = 1.0) -> dict[int, np.ndarray]:
    """log p(x_i|w) of N(0, 1) and of N(w, 1) at exact draws of the posterior at β."""
    rng = np.random.default_rng(7)
    w = x.mean() + rng.normal(size=(4, 500, 1)) / np.sqrt(beta * len(x))
    table = -((x - w) ** 2) / 2 - np.log(2 * np.pi) / 2
    return dict.fromkeys(sizes, table)


@pytest.mark.slow
def test_draws_add_columns_of_their_own() -> None:
    x = np.random.default_rng(3).normal(size=143)
    asked = {"family": "factor-analysis", "n": 143, "variables": 6}
    draws = normal_draws(x, (0, 1, 2, 3))
    found = rlct.select(EXCHANGE_RATES, draws=draws, **asked)
    assert sorted(found.of_draws) == ["loo", "waic"]
    assert found.of_draws["waic"][2].elpd == rlct.waic(draws[2]).elpd
    assert found.to_dict()["models"][2]["loo"]["value"] == rlct.loo(draws[2]).value
    assert str(found).splitlines()[0].split()[-4:] == ["elpd", "WAIC", "elpd", "LOO"]
    warm = rlct.select(EXCHANGE_RATES, draws=normal_draws(x, (0, 1, 2, 3), 0.3), beta=0.3, **asked)
    assert warm.of_draws["wbic"][1].value == rlct.wbic(warm_table(x), beta=0.3).value
    with pytest.raises(InputError, match="no draws of size 3"):
        rlct.select(EXCHANGE_RATES, draws=normal_draws(x, (0, 1, 2)), **asked)
    with pytest.raises(InputError, match="draws of size 0 have 100 observations, the fits 143"):
        rlct.select(EXCHANGE_RATES, draws=normal_draws(x[:100], (0, 1, 2, 3)), **asked)


def warm_table(x: np.ndarray) -> np.ndarray:
    return normal_draws(x, (0,), 0.3)[0]


def test_pictures_and_notebooks_show_what_the_table_says() -> None:
    pytest.importorskip("matplotlib")
    found = rlct.select(ITEMS, "latent-class", n=1000, categories=[2] * 5)
    criteria, weights, penalties = found.plot().axes
    assert criteria.get_xlabel() == "classes"
    (bic,) = [line for line in criteria.lines if line.get_label() == "BIC"]
    top = max(high for _, high in found.sbic)
    assert bic.get_ydata().tolist() == pytest.approx([value - top for value in found.bic])
    bars = [line.get_ydata() for line in weights.lines if line.get_marker() == "_"]
    low, high = found.probability[2]
    assert any(list(ends) == pytest.approx([low, high]) for ends in bars)
    (regular,) = [line for line in penalties.lines if line.get_label() == "d/2 log n"]
    assert regular.get_ydata()[0] == pytest.approx(2.5 * np.log(1000))
    shown = found._repr_html_()
    assert shown.count("<tr>") == 5
    assert f"<td>{found.log_likelihood[0]:.2f}</td>" in shown


@pytest.mark.parametrize(
    ("family", "facts"),
    [
        ("tanh", {"inputs": 1}),
        ("latent-class", {"categories": (2, 2, 2)}),
        ("gaussian-mixture", {"variables": 2, "covariance": "full"}),
        ("hidden-markov", {"symbols": 2}),
    ],
)
def test_a_size_below_the_first_names_those_to_type(family, facts):
    likelihoods = {0: -3.0, 1: -2.0, 2: -1.0}
    with pytest.raises(InputError, match=f"0 .*: {family} begins at 1, as in sizes 1..2"):
        rlct.select(likelihoods, family, n=100, **facts)
