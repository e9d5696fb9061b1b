"""Covariances of losses: exact values of Gaussian regressions, and what must not pass for them.

Limits of ``FAR`` jackknife errors are by Student's t with 39 degrees of freedom: one number of an
unbiased estimate lies outside by chance 3 times in 10 000, and at least one of all those of a test
(45 at most) once in 80 seeds.
"""

import json
from fractions import Fraction

import numpy as np
import pytest

from rlct.criteria.fluctuation import singular_fluctuation
from rlct.criteria.waic import waic
from rlct.errors import InputError
from rlct.sampling.local import chain_covariances
from rlct.sampling.local.fluctuation import unbiased_fluctuation
from rlct.sampling.local.sample_losses import SampleLosses, flatten_tokens
from rlct.sampling.networks.full_susceptibility import susceptibility_full

CHAINS, DRAWS, FAR = 40, 2500, 4.0


class Regression:
    """ℓ_i = ½(y_i − x_i·w)² with weights β_i and γ|w − w0|²/2: exact moments.

    `restricted` leaves the first coordinates at w0.
    """

    def __init__(self, x, y, beta, gamma, w0):
        self.x, self.y, self.beta, self.gamma, self.w0 = x, y, beta, gamma, w0
        self.precision = (x.T * beta) @ x + gamma * np.eye(x.shape[1])
        self.root = np.linalg.inv(self.precision)
        self.mean = self.root @ ((x.T * beta) @ y + gamma * w0)
        self.r = y - x @ self.mean
        self.s = x @ self.root @ x.T
        self.means = (self.r**2 + np.diag(self.s)) / 2
        self.covariance = np.outer(self.r, self.r) * self.s + self.s**2 / 2

    def restricted(self, first):
        """The coordinates from ``first`` on, the others at w0."""
        left = self.y - self.x[:, :first] @ self.w0[:first]
        return Regression(self.x[:, first:], left, self.beta, self.gamma, self.w0[first:])

    @property
    def start(self):
        return (self.y - self.x @ self.w0) ** 2 / 2

    def sampled(self, seed, chains=CHAINS, draws=DRAWS, center=0.0):
        """Exact draws; ``center`` moves the means of chains."""
        rng = np.random.default_rng(seed)
        w = rng.multivariate_normal(self.mean, self.root, size=(chains, draws))
        w = w + center * rng.standard_normal((chains, 1, len(self.mean)))
        losses = (self.y - w @ self.x.T) ** 2 / 2 - self.start
        n = len(self.y)
        return SampleLosses(losses, self.start, float(np.sum(self.beta)), n, np.arange(n))


FIXTURE = Regression(
    np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 1.0, 2.0]), np.ones(3), 1.0, np.zeros(1)
)
COVARIANCE = [
    [Fraction(29, 2250), Fraction(-2, 1125), Fraction(9, 250)],
    [Fraction(-2, 1125), Fraction(52, 1125), Fraction(8, 125)],
    [Fraction(9, 250), Fraction(8, 125), Fraction(51, 250)],
]
CHI = [Fraction(358, 10125), Fraction(151, 10125), Fraction(-509, 10125)]
NU = Fraction(148, 1125)


def floats(values):
    return np.array(values, dtype=float)


def far(found, errors, exact):
    """Largest distance from the exact values in errors."""
    assert np.shape(found) == np.shape(errors) == np.shape(exact)
    return np.max(np.abs(found - exact) / errors)


def random_regression(seed):
    """A regression with a start that is not its minimum."""
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(1, 5)), int(rng.integers(3, 9))
    x, w0 = rng.standard_normal((n, d)), rng.standard_normal(d)
    return Regression(x, x @ w0 + rng.standard_normal(n), np.full(n, 2.0), 0.5, w0)


def test_the_fixture_in_rational_numbers():
    """From A, m, r and s_ij, and again from moments of w to the fourth order."""
    x, y = [Fraction(1), Fraction(2), Fraction(3)], [Fraction(1), Fraction(1), Fraction(2)]
    precision = sum(a * a for a in x) + 1
    mean = sum(a * b for a, b in zip(x, y, strict=True)) / precision
    r = [b - a * mean for a, b in zip(x, y, strict=True)]
    assert (precision, mean, [5 * gap for gap in r]) == (15, Fraction(3, 5), [2, -1, 1])
    s = [[a * b / precision for b in x] for a in x]
    index = range(3)
    found = [[r[i] * r[j] * s[i][j] + s[i][j] ** 2 / 2 for j in index] for i in index]
    assert found == COVARIANCE
    # ℓ_i = ½(r_i − x_i u)², u ~ N(0, v): a quadratic in u with E u² = v and E u⁴ = 3v².
    v = 1 / precision
    square, line = [a * a / 2 for a in x], [-a * b for a, b in zip(x, r, strict=True)]
    moments = [
        [square[i] * square[j] * 2 * v**2 + line[i] * line[j] * v for j in index] for i in index
    ]
    assert moments == COVARIANCE
    rows = [sum(row) / 3 for row in COVARIANCE]
    assert [-(row - sum(rows) / 3) for row in rows] == CHI
    assert sum(CHI) == 0
    assert sum(COVARIANCE[i][i] for i in index) / 2 == NU
    correlation = float(found[0][1]) / np.sqrt(float(found[0][0] * found[1][1]))
    assert correlation == pytest.approx(-0.0728357, abs=1e-7)
    assert FIXTURE.covariance == pytest.approx(floats(COVARIANCE), abs=1e-15)
    lam = sum((r[i] ** 2 + s[i][i] - y[i] ** 2) / 2 for i in index)
    assert lam == Fraction(-181, 75)


def test_draws_of_the_fixture_give_its_exact_values():
    losses, exact = FIXTURE.sampled(0), floats(COVARIANCE)
    errors = losses.covariance(errors=True)
    assert far(losses.covariance(), errors, exact) < FAR
    assert np.array_equal(losses.influence(), -losses.covariance())
    assert np.array_equal(losses.influence(errors=True), errors)
    assert far(losses.susceptibility(), losses.susceptibility(errors=True), floats(CHI)) < FAR
    assert abs(losses.susceptibility().sum()) < 1e-15
    value, error = losses.singular_fluctuation()
    assert abs(value - float(NU)) < FAR * error
    scale = np.sqrt(np.diag(exact))
    correlations, spread = (losses.influence(normalized=True, errors=e) for e in (False, True))
    assert np.diag(correlations) == pytest.approx(-1)
    others = ~np.eye(3, dtype=bool)
    normal = -exact / np.outer(scale, scale)
    assert far(correlations[others], spread[others], normal[others]) < FAR
    assert (FIXTURE.means - FIXTURE.start).sum() == pytest.approx(-181 / 75)
    level = 3 * losses.mean_loss().mean(axis=1)
    assert abs(level.mean() + 181 / 75) < FAR * level.std(ddof=1) / np.sqrt(CHAINS)
    # What must not pass: the other sign, and errors that would let anything pass.
    assert far(losses.influence(), errors, exact) > 50
    assert far(-losses.susceptibility(), losses.susceptibility(errors=True), floats(CHI)) > 50
    assert (errors < 0.03 * scale[:, None] * scale).all()


@pytest.mark.parametrize("seed", range(6))
def test_random_regressions(seed):
    regression = random_regression(seed)
    losses, exact = regression.sampled(seed), regression.covariance
    assert far(losses.covariance(), losses.covariance(errors=True), exact) < FAR
    chi = -(exact.mean(axis=1) - exact.mean())
    assert far(losses.susceptibility(), losses.susceptibility(errors=True), chi) < FAR
    value, error = losses.singular_fluctuation()
    assert abs(value - regression.beta[0] * np.trace(exact) / 2) < FAR * error


@pytest.mark.parametrize("seed", range(4))
def test_influence_is_the_derivative_by_the_weight_of_a_sample(seed):
    """In closed form: E of each loss by central differences in each β_i."""
    regression = random_regression(seed)
    step, n = 1e-4, len(regression.y)

    def means(i, change):
        beta = regression.beta + change * np.eye(n)[i]
        return Regression(regression.x, regression.y, beta, 0.5, regression.w0).means

    slopes = np.array([(means(i, step) - means(i, -step)) / (2 * step) for i in range(n)])
    assert slopes == pytest.approx(-regression.covariance, rel=1e-5, abs=1e-7)
    losses = regression.sampled(seed)
    assert far(losses.influence(), losses.influence(errors=True), slopes) < FAR
    # Of L, with weight added to sample z and taken off all.
    shifts = np.eye(n) - 1 / n
    levels = -regression.covariance.mean(axis=1) @ shifts
    moved = [
        [
            Regression(regression.x, regression.y, regression.beta + h * shift, 0.5, regression.w0)
            for h in (step, -step)
        ]
        for shift in shifts
    ]
    slopes = np.array([(up.means - down.means).mean() / (2 * step) for up, down in moved])
    assert slopes == pytest.approx(levels, rel=1e-5, abs=1e-7)
    assert far(losses.susceptibility(), losses.susceptibility(errors=True), slopes) < FAR


def test_other_observables_one_or_many():
    regression = random_regression(1)
    rng = np.random.default_rng(1)
    w = rng.multivariate_normal(regression.mean, regression.root, size=(CHAINS, DRAWS))
    losses = regression.sampled(1)
    assert np.allclose((regression.y - w @ regression.x.T) ** 2 / 2 - losses.start, losses.losses)
    exact = regression.x @ regression.root * regression.r[:, None]  # −Cov(ℓ, w) = r x'A⁻¹
    found, errors = losses.influence(w), losses.influence(w, errors=True)
    assert far(found, errors, exact) < FAR
    assert far(-found, errors, exact) > 50
    assert np.allclose(losses.influence(w[..., 0]), found[:, 0], atol=1e-14)
    chi, chi_errors = losses.susceptibility(w), losses.susceptibility(w, errors=True)
    assert far(chi, chi_errors, exact - exact.mean(axis=0)) < FAR
    assert np.allclose(chi.sum(axis=0), 0, atol=1e-13)
    assert np.allclose(losses.susceptibility(losses.mean_loss()), losses.susceptibility())


@pytest.mark.parametrize("k", [1, 2])
def test_proportional_losses(k):
    """ℓ_z = c_z w^(2k): nβL is a Gamma(1/2k) variable, one influence is as good as another."""
    c, n_beta, lam = np.array([0.5, 1.0, 2.0, 4.5]), 7.0, 1 / (2 * k)
    level = np.random.default_rng(k).gamma(lam, 1 / n_beta, size=(CHAINS, DRAWS))
    losses = SampleLosses(level[..., None] * c / c.mean(), np.zeros(4), n_beta, 4, np.arange(4))
    assert losses.influence(normalized=True) == pytest.approx(-1)
    exact = -lam / n_beta**2 * (c / c.mean() - 1)
    found, errors = losses.susceptibility(), losses.susceptibility(errors=True)
    assert far(found, errors, exact) < FAR
    assert far(-found, errors, exact) > 50


def slow_losses(chains, copies, seed):
    """Many sets of chains that hardly move: two samples with variance 1.01 and covariance 0.5."""
    rng = np.random.default_rng(seed)
    at = rng.standard_normal((copies, chains, 1, 2)) @ np.linalg.cholesky([[1, 0.5], [0.5, 1]]).T
    return at + 0.1 * rng.standard_normal((copies, chains, 20, 2))


@pytest.mark.parametrize("chains", [2, 3, 8])
def test_chains_that_hardly_move_have_all_of_the_covariance(chains):
    """Means over 400 sets are within 4 errors (2 of 10 000 by chance); other centrings are not."""
    exact = np.array([[1.01, 0.5], [0.5, 1.01]])
    sets = slow_losses(chains, 400, chains)
    found = np.array(
        [SampleLosses(one, np.zeros(2), 1.0, 2, np.arange(2)).covariance() for one in sets]
    )
    stacked = np.array([np.cov(one.reshape(-1, 2).T, bias=True) for one in sets])
    own = np.array([np.mean([np.cov(chain.T) for chain in one], axis=0) for one in sets])
    error = found.std(axis=0, ddof=1) / np.sqrt(len(sets))
    assert far(found.mean(axis=0), error, exact) < FAR
    assert far(own.mean(axis=0), error, exact) > 10
    between = exact - 0.01 * np.eye(2)
    assert far(stacked.mean(axis=0), error, exact - between / chains) < FAR
    if chains < 8:
        assert far(stacked.mean(axis=0), error, exact) > FAR


def test_the_jackknife_knows_how_much_covariances_scatter():
    sets = slow_losses(40, 300, 0)
    many = [SampleLosses(one, np.zeros(2), 1.0, 2, np.arange(2)) for one in sets]
    for name in ("covariance", "influence", "susceptibility"):
        found = np.array([getattr(one, name)() for one in many])
        errors = np.array([getattr(one, name)(errors=True) for one in many])
        # Scatter of 300 is known to 4 %; the jackknife is a few per cent too large.
        assert np.sqrt((errors**2).mean(axis=0)) == pytest.approx(found.std(axis=0), rel=0.2)
    found = np.array([one.influence(normalized=True)[0, 1] for one in many])
    errors = np.array([one.influence(normalized=True, errors=True)[0, 1] for one in many])
    assert np.sqrt((errors**2).mean()) == pytest.approx(found.std(), rel=0.2)


def test_the_jackknife_leaves_out_one_chain_after_the_other():
    losses = FIXTURE.sampled(3, chains=5, draws=20, center=0.3)
    phi = losses.losses[..., 0] ** 2
    left = [np.delete(losses.losses, c, axis=0) for c in range(5)]
    few = [SampleLosses(one, losses.start, 3.0, 3, np.arange(3)) for one in left]
    phis = [np.delete(phi, c, axis=0) for c in range(5)]
    for found, values in (
        (losses.covariance(errors=True), [one.covariance() for one in few]),
        (losses.susceptibility(errors=True), [one.susceptibility() for one in few]),
        (
            losses.influence(phi, normalized=True, errors=True),
            [one.influence(p, normalized=True) for one, p in zip(few, phis, strict=True)],
        ),
        (losses.singular_fluctuation()[1], [one.singular_fluctuation()[0] for one in few]),
        (losses.waic()[1], [one.waic()[0] for one in few]),
    ):
        assert found == pytest.approx(np.sqrt(4 / 5 * 5 * np.var(values, axis=0)), rel=1e-9)


def test_fluctuation_is_the_one_of_local_runs():
    losses = FIXTURE.sampled(4, chains=6, draws=50, center=0.2)
    sums = [np.full((6, 3), 50.0), losses.losses.sum(axis=1), (losses.losses**2).sum(axis=1)]
    known = unbiased_fluctuation(sums)
    assert losses.singular_fluctuation() == pytest.approx((known.value / 2, known.error / 2))
    assert np.trace(losses.covariance()) / 2 == pytest.approx(known.value / 2)
    # Of a part of the data it is scaled to all.
    part = SampleLosses(losses.losses[..., 1:], losses.start[1:], 3.0, 3, np.array([1, 2]))
    assert part.singular_fluctuation()[0] == pytest.approx(
        3 / 2 * np.diag(losses.covariance())[1:].mean()
    )
    one = SampleLosses(losses.losses[:1], losses.start, 3.0, 3, np.arange(3))
    assert one.singular_fluctuation() == pytest.approx(
        (losses.losses[0].var(axis=0, ddof=1).sum() / 2, np.inf)
    )


@pytest.mark.parametrize("beta", [0.3, 1.0])
def test_waic_is_that_of_log_likelihoods_at_this_temperature(beta):
    """To the share 1/K of the variance between chains; and its exact value within errors."""
    x, y = FIXTURE.x, FIXTURE.y
    regression = Regression(x, y, np.full(3, beta), 1.0, np.zeros(1))
    losses = regression.sampled(5)
    value, error = losses.waic()
    table = -(losses.start + losses.losses)
    assert value == pytest.approx(waic(table, beta=beta).value, abs=1e-3 * error)
    nu = singular_fluctuation(table, beta=beta)
    assert losses.singular_fluctuation()[0] == pytest.approx(nu.value, rel=1e-4)
    # E exp(−½(r − xu)²) of a Gaussian u.
    wide = 1 + np.diag(regression.s)
    terms = regression.r**2 / wide / 2 + np.log(wide) / 2 + beta * np.diag(regression.covariance)
    assert abs(value - terms.mean()) < FAR * error
    assert abs(value - (terms - np.diag(regression.covariance)).mean()) > 20 * error


def test_both_conventions_of_a_restricted_run():
    """Against integrals of the full posterior in the plane, one weight held at w*."""
    x = np.array([[1.0, 0.5], [0.5, 2.0], [-1.0, 1.0], [0.3, -0.7]])
    w0 = np.array([0.4, -0.2])
    y = np.array([1.0, 0.2, 0.4, -0.6])
    full = Regression(x, y, np.full(4, 1.5), 2.0, w0)
    part = full.restricted(1)
    grid = np.linspace(-5, 5, 1201)
    w = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1)

    def integrals(points):
        losses = (y - points @ x.T) ** 2 / 2 - full.start
        energy = 6 * (losses + full.start).mean(axis=-1) + ((points - w0) ** 2).sum(axis=-1)
        mass = np.exp(-energy)
        phi = losses.mean(axis=-1)
        contrasts = losses - phi[..., None]
        mass = mass / mass.sum()
        axes = tuple(range(mass.ndim))
        return [
            (mass[..., None] * value).sum(axis=axes)
            for value in (phi[..., None], contrasts, phi[..., None] * contrasts)
        ]

    line = np.stack([np.full_like(grid, w0[0]), grid], axis=-1)
    (phi, own, crossed), (_, all_weights, _) = integrals(line), integrals(w)
    runs = part.sampled(6), full.sampled(7)
    assert np.allclose(runs[0].start, runs[1].start)
    chi = runs[0].susceptibility(), runs[0].susceptibility(errors=True)
    assert far(*chi, -(crossed - phi * own)) < FAR
    exact = -(crossed - phi * all_weights)
    found, errors = susceptibility_full(*runs), susceptibility_full(*runs, errors=True)
    assert far(found, errors, exact) < FAR
    assert abs(found.sum()) < 1e-14
    assert far(*chi, exact) > 20
    assert far(found, errors, -(crossed - phi * own)) > 20
    # As devinterp 2.0.1 writes it.
    level, means = runs[0].mean_loss(), runs[1].losses.mean(axis=(0, 1))
    written = (level**2).mean() - (level[..., None] * runs[0].losses).mean(axis=(0, 1))
    written = written - level.mean() * (runs[1].mean_loss().mean() - means)
    assert np.allclose(found, written, atol=0.1 * errors.min())


@pytest.mark.parametrize("draws", [(30, 30), (300, 4)])
def test_errors_of_both_runs_are_in_that_of_the_full_convention(draws):
    """Scatter of 200 pairs of runs, known to 5 %; the jackknife is a few per cent too large."""
    full = random_regression(1)
    part = full.restricted(1)
    pairs = [
        (part.sampled(k, 10, draws[0]), full.sampled(1000 + k, 10, draws[1])) for k in range(200)
    ]
    found = np.array([susceptibility_full(*pair) for pair in pairs])
    errors = np.array([susceptibility_full(*pair, errors=True) for pair in pairs])
    assert np.sqrt((errors**2).mean(axis=0)) == pytest.approx(found.std(axis=0), rel=0.25)
    # Without the error of the run that is short it would be too small.
    own = np.array([one.susceptibility(errors=True) for one, _ in pairs])
    if draws[1] < draws[0]:
        assert (np.sqrt((own**2).mean(axis=0)) < 0.6 * found.std(axis=0)).all()


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((7, 3))
    regression = Regression(x, rng.standard_normal(7), np.ones(7), 1.0, np.zeros(3))
    losses = regression.sampled(8, chains=4, draws=30)
    phi = np.random.default_rng(0).standard_normal((4, 30, 7))
    names = ("covariance", "influence", "susceptibility")

    def everything():
        found = [getattr(losses, name)(errors=e) for name in names for e in (False, True)]
        found += [losses.influence(phi, normalized=True), losses.susceptibility(phi, errors=True)]
        return [*found, losses.singular_fluctuation(), losses.waic()]

    whole = everything()
    monkeypatch.setattr(chain_covariances, "_BLOCK_NUMBERS", 4 * 30 * 2)
    assert [part.stop for part, _ in chain_covariances.column_blocks(phi)] == [2, 4, 6, 7]
    for one, two in zip(whole, everything(), strict=True):
        assert one == pytest.approx(two, rel=1e-10, abs=1e-15)


def test_a_memory_map_is_as_good_as_an_array(tmp_path):
    losses = FIXTURE.sampled(9, chains=4, draws=40)
    single = SampleLosses(
        losses.losses.astype(np.float32), losses.start, 3.0, 7, np.array([6, 0, 3])
    )
    path = tmp_path / "losses.npy"
    single.save(path)
    found = SampleLosses.load(path)
    assert isinstance(found.losses.base, np.memmap)
    assert found.losses.dtype == np.float32
    assert np.array_equal(found.covariance(), single.covariance())
    assert np.array_equal(found.rows, single.rows)
    assert np.array_equal(found.start, single.start)
    assert found.waic() == single.waic()
    found.save(path)  # onto the file that is mapped
    assert np.array_equal(SampleLosses.load(path).covariance(), single.covariance())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["losses.json", "losses.npy"]


def test_tokens_are_samples_of_their_own(tmp_path):
    draws = np.random.default_rng(0).standard_normal((4, 30, 3, 5))
    start, rows = np.arange(15.0).reshape(3, 5), np.array([0, 2, 9])
    np.save(tmp_path / "tokens.npy", draws)
    mapped = np.load(tmp_path / "tokens.npy", mmap_mode="r")
    tokens = flatten_tokens(mapped, start, 6.0, 10, rows)
    assert np.shares_memory(tokens.losses, mapped)
    assert (tokens.samples_total, tokens.n_beta) == (50, 6.0)
    assert tokens.rows.tolist() == [z * 5 + t for z in rows for t in range(5)]
    sequences = SampleLosses(draws.mean(axis=3), start.mean(axis=1), 6.0, 10, rows)
    assert tokens.mean_loss() == pytest.approx(sequences.mean_loss())
    whole = tokens.covariance().reshape(3, 5, 3, 5).mean(axis=(1, 3))
    assert whole == pytest.approx(sequences.covariance())
    assert tokens.susceptibility().reshape(3, 5).mean(axis=1) == pytest.approx(
        sequences.susceptibility()
    )
    with pytest.raises(InputError, match="losses of tokens need the shape"):
        flatten_tokens(draws, start.T, 6.0, 10, rows)


def good(**changed):
    """Arguments of two samples."""
    draws = np.random.default_rng(0).standard_normal((3, 4, 2))
    return {
        "losses": draws,
        "start": np.zeros(2),
        "n_beta": 2.0,
        "samples_total": 2,
        "rows": np.arange(2),
        **changed,
    }


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"losses": np.zeros((3, 4))}, r"shape \(chains, draws, samples\), not \(3, 4\)"),
        ({"losses": np.zeros((3, 0, 2))}, "shape"),
        ({"losses": np.zeros((3, 4, 2), dtype=complex)}, "must be real"),
        ({"losses": np.zeros((1, 1, 2))}, "one draw of one chain"),
        ({"start": np.zeros(3)}, "one finite number for each of 2 samples"),
        ({"start": np.array([0.0, np.nan])}, "finite"),
        ({"n_beta": 0.0}, "n_beta"),
        ({"n_beta": np.nan}, "n_beta"),
        ({"rows": np.array([0.0, 1.0])}, "2 different whole numbers"),
        ({"rows": np.array([1, 1])}, "2 different whole numbers"),
        ({"rows": np.array([0, 2])}, "below samples_total, 2"),
        ({"rows": np.array([-1, 0])}, "from 0"),
    ],
)
def test_bad_input_is_told_in_one_line(changed, told):
    with pytest.raises(InputError, match=told) as caught:
        SampleLosses(**good(**changed))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("block", [1 << 21, 1])
def test_losses_that_are_not_finite_are_told_where_they_lie(bad, block, monkeypatch):
    monkeypatch.setattr(chain_covariances, "_BLOCK_NUMBERS", block)
    draws = good()["losses"].copy()
    draws[2, 1, 1] = bad
    losses = SampleLosses(**good(losses=draws))
    for ask in (losses.covariance, losses.susceptibility, losses.singular_fluctuation, losses.waic):
        with pytest.raises(InputError, match=f"loss {bad} at chain 2, draw 1, column 1"):
            ask()
    with pytest.raises(InputError, match="observable nan at chain 0, draw 0, column 0"):
        SampleLosses(**good()).influence(np.full((3, 4), np.nan))
    with pytest.raises(InputError, match=r"shape \(3, 4\) or \(3, 4, k\)"):
        SampleLosses(**good()).influence(np.zeros((4, 3)))


def test_what_no_chains_can_tell():
    losses = SampleLosses(**good())
    two = SampleLosses(**good(losses=losses.losses[:2]))
    assert np.isinf(two.covariance(errors=True)).all()
    assert np.isinf(two.waic()[1])
    assert np.isfinite(two.singular_fluctuation()[1])
    one = SampleLosses(**good(losses=losses.losses[:1]))
    assert one.covariance() == pytest.approx(np.cov(losses.losses[0].T))
    points = SampleLosses(**good(losses=losses.losses[:, :1]))
    assert points.covariance() == pytest.approx(np.cov(losses.losses[:, 0].T))
    flat = SampleLosses(**good(losses=losses.losses * [1.0, 0.0]))
    assert np.isnan(flat.influence(normalized=True)[0, 1])
    assert flat.influence(normalized=True)[0, 0] == pytest.approx(-1)


def test_runs_that_do_not_belong_together_are_refused():
    losses = SampleLosses(**good())
    for changed in ({"n_beta": 3.0}, {"rows": np.array([1, 0])}):
        with pytest.raises(InputError, match="same samples"):
            susceptibility_full(losses, SampleLosses(**good(**changed)))
    with pytest.raises(InputError, match="same start"):
        susceptibility_full(losses, SampleLosses(**good(start=np.ones(2))))


def test_files_that_hold_something_else_are_refused(tmp_path):
    path = tmp_path / "losses.npy"
    with pytest.raises(InputError, match=r"ends in \.npy"):
        SampleLosses(**good()).save(tmp_path / "losses.bin")
    with pytest.raises(InputError, match="cannot write"):
        SampleLosses(**good()).save(tmp_path / "missing" / "losses.npy")
    with pytest.raises(InputError, match=r"cannot read .*losses\.json"):
        SampleLosses.load(path)
    SampleLosses(**good()).save(path)
    facts = json.loads(path.with_suffix(".json").read_text())
    for text in ("{", "[]", json.dumps({**facts, "more": 1}), json.dumps({**facts, "start": [1]})):
        path.with_suffix(".json").write_text(text)
        with pytest.raises(InputError, match="hold no losses of samples"):
            SampleLosses.load(path)
    path.with_suffix(".json").write_text(json.dumps(facts))
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="hold no losses of samples"):
        SampleLosses.load(path)
