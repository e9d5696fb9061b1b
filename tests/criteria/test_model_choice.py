"""sBIC, phase transitions and learning curves: equations solved, input refused, choices right."""

import math
from fractions import Fraction

import exact_models
import mpmath
import numpy as np
import pytest
import reduced_rank
from exact_models import EXACT_MODELS
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import lambertw

import rlct
from rlct.criteria.free_energy import free_energy
from rlct.criteria.learning_curve import learning_curve
from rlct.criteria.loo import loo
from rlct.criteria.sbic import sbic
from rlct.criteria.transition import Basin, critical_sizes, phases
from rlct.criteria.waic import waic
from rlct.criteria.wbic import wbic
from rlct.errors import InputError
from rlct.pair import Pair

# sBIC


def random_question(rng, spread):
    size = int(rng.integers(1, 6))
    rows = []
    for i in range(size):
        row = [
            None if j < i and rng.random() < 0.2 else (Fraction(int(rng.integers(0, 20)), 4), k)
            for j, k in zip(range(i + 1), rng.integers(1, 4, i + 1).tolist(), strict=True)
        ]
        rows.append(row)
    fits = np.sort(spread * rng.standard_normal(size)).tolist()
    return fits, rows, int(rng.integers(3, 10**6)), rng.random(size) + 0.1


@pytest.mark.parametrize("spread", [1.0, 30.0, 1e4])
def test_the_equations_are_solved(spread):
    """Residuals in 60 digits and beyond the exponents of doubles, for random partial orders."""
    rng = np.random.default_rng(17)
    with mpmath.workdps(60):
        for _ in range(60):
            fits, rows, n, prior = random_question(rng, spread)
            found = sbic(fits, rows, n, prior=prior)
            x = [mpmath.exp(value) for value in found.sbic]
            for i, row in enumerate(rows):
                positive = negative = mpmath.mpf(0)
                for j, entry in enumerate(row):
                    if entry is not None:
                        lam, theta = entry
                        logarithm = mpmath.log(n)
                        evidence = mpmath.exp(mpmath.mpf(fits[i])) * logarithm ** (theta - 1)
                        evidence *= mpmath.exp(-logarithm * lam.numerator / lam.denominator)
                        positive += x[i] * x[j] * prior[j]
                        negative += evidence * x[j] * prior[j]
                # Logarithms near 10⁴ carry 1e-12.
                assert abs(positive / negative - 1) < 1e-9 * max(1, spread / 100)


def test_a_fixed_point_of_averages():
    """The equations say that x_i is the mean of L_ij by weights x_j P_j: iterate that."""
    fits = [-1300.0, -1240.0, -1236.0, -1235.5]
    rows = reduced_rank.coefficients(5, 4, 3)
    found = sbic(fits, rows, 300)
    logs = np.array(found.bic)
    for _ in range(2000):
        for i, row in enumerate(rows):
            inside = []
            for entry in row:
                lam, theta = (entry.lam, entry.theta) if isinstance(entry, Pair) else entry
                inside.append(
                    fits[i] - float(lam) * math.log(300) + (theta - 1) * math.log(math.log(300))
                )
            weights = logs[: i + 1] - logs[: i + 1].max()
            logs[i] = np.log(np.exp(weights) @ np.exp(np.array(inside) - fits[i]))
            logs[i] += fits[i] - np.log(np.exp(weights).sum())
    np.testing.assert_allclose(found.sbic, logs, atol=1e-9)


def test_sbic_lies_between_the_penalties():
    """x_i is an average of the L_ij, so never below BIC nor above the smallest penalty."""
    rng = np.random.default_rng(18)
    for _ in range(30):
        fits = np.sort(10 * rng.standard_normal(4))
        found = sbic(fits, reduced_rank.coefficients(6, 5, 3), int(rng.integers(10, 10**4)))
        for s, b, fit in zip(found.sbic, found.bic, fits, strict=True):
            assert b - 1e-9 <= s <= fit + 1e-9
    alone = sbic([-3.0], [[Pair.of("5/2")]], 100)
    assert alone.sbic == alone.bic == (pytest.approx(-3 - 2.5 * math.log(100)),)
    assert alone.probability == (1.0,)


def test_regular_models_give_bic():
    """If λ_ij does not depend on the truth, sBIC is BIC."""
    rows = [[(Fraction(d, 2), 1)] * (i + 1) for i, d in enumerate((1, 3, 6))]
    found = sbic([-50.0, -42.0, -41.0], rows, 80)
    np.testing.assert_allclose(found.sbic, found.bic, atol=1e-12)


def test_sbic_refuses():
    rows = [[(0, 1)], [(1, 1), (2, 1)]]
    for arguments, message in (
        (([0.0], rows, 10), "2 rows of coefficients for 1"),
        (([0.0, math.nan], rows, 10), "finite"),
        (([0.0, 1.0], rows, 2), "observations must be an integer from 3 on"),
        (([0.0, 1.0], rows, 10.5), "observations"),
        (([], [], 10), "0 models"),
        (([0.0, 1.0], [[(0, 1)], [(1, 1)]], 10), "2 entries"),
        (([0.0, 1.0], [[(0, 1)], [(1, 1), None]], 10), "the last a pair"),
        (([0.0, 1.0], [[(0, 1)], [(-1, 1), (2, 1)]], 10), "not a learning coefficient"),
        (([0.0, 1.0], [[(0, 1)], [(1, 0), (2, 1)]], 10), "not a learning coefficient"),
        (([0.0, 1.0], [[(0, 1)], ["x", (2, 1)]], 10), "not a learning coefficient"),
    ):
        with pytest.raises(InputError, match=message):
            sbic(*arguments)
    for prior in ([1.0], [1.0, 0.0], [1.0, math.inf]):
        with pytest.raises(InputError, match="prior"):
            sbic([0.0, 1.0], rows, 10, prior=prior)
    with pytest.raises(InputError, match="1 names"):
        sbic([0.0, 1.0], rows, 10, names=["a"])
    assert "fits worse" in sbic([0.0, -1.0], rows, 10).warnings[0]
    assert sbic([0.0, 1.0], rows, 10).warnings == ()


def test_coefficients_of_reduced_rank_regression():
    """Two rows by the formula of Aoyagi and Watanabe (2005), by hand.

    M = N = 3, H = 2: [−(2+r)² − 18 + 12(2+r) + 18 + ε]/8 with ε = 1 if r is odd: 20/8, 28/8, 32/8.
    """
    rows = reduced_rank.coefficients(3, 3, 2)
    assert [p.lam for p in rows[1]] == [Fraction(3, 2), Fraction(5, 2)]
    assert [p.lam for p in rows[2]] == [Fraction(5, 2), Fraction(7, 2), Fraction(4)]
    assert [p.theta for p in rows[2]] == [1, 2, 1]


def test_sbic_finds_weak_components_that_bic_overlooks():
    """True rank 2 of 4×4, second singular value 0.42, n = 100, 400 data sets.

    Where the two differ, sBIC is right: a sign test, false alarm below 1e-6. A strong second
    component both find; with coefficients twice too small the choice is too large.
    """
    rng = np.random.default_rng(0)
    rows = reduced_rank.coefficients(4, 4, 4)
    halved = [[(p.lam / 2, p.theta) if isinstance(p, Pair) else p for p in row] for row in rows]
    right = {"sbic": [], "bic": [], "halved": []}
    for _ in range(400):
        data = reduced_rank.simulate(100, 4, 4, [1.0, 0.42], rng)
        fits = [reduced_rank.maximum(data, h) for h in range(5)]
        found = sbic(fits, rows, 100)
        right["sbic"].append(found.best == "2")
        right["bic"].append(np.argmax(found.bic) == 2)
        right["halved"].append(sbic(fits, halved, 100).best == "2")
    gained = sum(s and not b for s, b in zip(right["sbic"], right["bic"], strict=True))
    lost = sum(b and not s for s, b in zip(right["sbic"], right["bic"], strict=True))
    assert (gained - lost) / math.sqrt(gained + lost) > 4.8
    assert np.mean(right["halved"]) < np.mean(right["sbic"]) - 0.2
    for _ in range(10):
        data = reduced_rank.simulate(400, 4, 4, [1.0, 0.8], rng)
        found = sbic([reduced_rank.maximum(data, h) for h in range(5)], rows, 400)
        assert found.best == "2" == str(np.argmax(found.bic))


@pytest.mark.slow
def test_wbic_and_the_free_energy_in_reduced_rank_regression():
    """Free energies known within 0.15 by a ladder of Gibbs draws; WBIC and sBIC come close."""
    rng = np.random.default_rng(0)
    n = 100
    data = reduced_rank.simulate(n, 4, 4, [1.0, 0.42], rng)
    fits = [reduced_rank.maximum(data, h) for h in range(5)]
    found = sbic(fits, reduced_rank.coefficients(4, 4, 4), n)
    betas = [0.0, *np.geomspace(1e-3, 1.0, 12)]
    for h in (1, 2, 3):
        ladder = []
        for beta in betas:
            draws = reduced_rank.gibbs(data, h, beta, 4, 400, rng)
            ladder.append(reduced_rank.total_log_likelihood(data, draws))
        energy = free_energy(ladder, betas)
        assert energy.warnings == ()
        assert energy.error < 0.15
        cold = reduced_rank.gibbs(data, h, 1 / math.log(n), 4, 400, rng)
        widely = wbic(reduced_rank.total_log_likelihood(data, cold), observations=n)
        # Up to a constant of the prior and O(√log n).
        assert abs(widely.value - energy.value) < 2 * widely.details["deviation"] + 2
        assert abs(-found.sbic[h] - energy.value) < 8


@pytest.mark.slow
def test_gibbs_draws_against_quadrature():
    """1×1 layers: u = ab with normal a and b; free energy and WAIC by a grid over a and b."""
    rng = np.random.default_rng(5)
    data = reduced_rank.simulate(20, 1, 1, [0.7], rng)
    grid = np.linspace(-5, 5, 401)
    a, b = np.meshgrid(grid, grid)
    prior = -(a**2 + b**2).ravel() / 2
    products = (a * b).reshape(1, -1, 1, 1)
    total = reduced_rank.total_log_likelihood(data, products).ravel()
    energy = np.logaddexp.reduce(prior) - np.logaddexp.reduce(prior + total)
    table = reduced_rank.log_likelihood(data, products)
    exact = waic(table, log_masses=prior + total), loo(table, log_masses=prior + total)
    betas = [0.0, 0.03, 0.2, 1.0]
    draws = [reduced_rank.gibbs(data, 1, beta, 4, 2000, rng) for beta in betas]
    found = free_energy([reduced_rank.total_log_likelihood(data, d) for d in draws], betas)
    assert abs(found.value - energy) < 3.9 * found.error < 0.2
    table = reduced_rank.log_likelihood(data, draws[-1])
    for one, right in zip((waic(table), loo(table)), exact, strict=True):
        assert abs(one.value - right.value) < 3.9 * one.error < 0.02


# Phase transitions


@pytest.mark.slow
def test_crossings_are_zeros_and_all_of_them():
    """Random basins with equal and different θ against a fine grid in log n."""
    rng = np.random.default_rng(19)
    t = np.linspace(1.0 + 1e-9, 60.0, 200_001)
    counts = set()
    for _ in range(400):
        one, other = (
            Basin(
                float(rng.choice([0.0, 1e-3, 0.1, 0.3, *rng.random(2)])),
                Fraction(int(rng.integers(0, 30)), 4),
                int(rng.integers(1, 6)),
                float(rng.choice([0.0, *rng.normal(size=2)])),
            )
            for _ in range(2)
        )
        gap = (
            (one.loss - other.loss) * np.exp(t)
            + float(one.lam - other.lam) * t
            - (one.theta - other.theta) * np.log(t)
            + one.constant
            - other.constant
        )
        if not gap.any():
            continue
        found = critical_sizes(one, other)
        seen = t[:-1][np.sign(gap[:-1]) * np.sign(gap[1:]) < 0]
        inside = [n for n in found if 1.001 < math.log(n) < 60]
        assert len(inside) >= len(seen)
        for place in seen:
            assert min(abs(math.log(n) - place) for n in inside) < 1e-3
        for n in inside:
            size = abs(n * (one.loss - other.loss)) + float(one.lam + other.lam) * math.log(n) + 9
            assert abs(one.free_energy(n) - other.free_energy(n)) < 1e-9 * max(size, n * one.loss)
        counts.add(len(inside))
    assert counts >= {0, 1, 2}


def test_equal_multiplicities_give_lambert():
    one, other = Basin(0.02, Fraction(1, 2), 2), Basin(0.0, 3, 2)
    right = math.exp(-lambertw(0.02 / (0.5 - 3), -1).real)
    assert critical_sizes(one, other)[-1] == pytest.approx(right, rel=1e-12)
    assert critical_sizes(other, one) == critical_sizes(one, other)
    # ΔL too large for its Δλ: the better fit wins from the start.
    assert critical_sizes(Basin(1.0, 1), Basin(0.0, 2)) == ()


def test_phases_are_the_least_free_energies():
    rng = np.random.default_rng(20)
    for _ in range(60):
        basins = [
            Basin(float(loss), Fraction(int(k), 2), int(m), name=str(i))
            for i, (loss, k, m) in enumerate(
                zip(
                    rng.random(4) * 0.3,
                    rng.choice(40, 4, replace=False),
                    rng.integers(1, 4, 4),
                    strict=True,
                )
            )
        ]
        found = phases(basins)
        assert len(found.critical) == len(found.basins) - 1
        assert list(found.critical) == sorted(found.critical)
        for n in np.geomspace(2.8, 1e9, 60):
            best = min(basins, key=lambda basin: basin.free_energy(n))
            values = sorted(basin.free_energy(n) for basin in basins)
            if values[1] - values[0] > 1e-6 * n:
                assert found.at(n) == best.name


@pytest.mark.parametrize(
    ("first", "second"),
    [(Basin(1e-180, 1), Basin(0.0, 2)), (Basin(1.0 + 2**-52, 0.5), Basin(1.0, 1.5))],
)
def test_phases_of_losses_that_are_nearly_equal(first, second):
    """Their n is where its square overflows, or where n·loss has no digits left for λ log n."""
    (critical,) = critical_sizes(first, second)
    assert phases([first, second]).critical == (critical,)
    assert phases([second, first]).basins == ("2", "1")


def test_the_transition_happens_where_it_is_predicted():
    """Truth N(0.15, 1): the point N(0, 1) against N(w, 1) with prior N(0, 1).

    E(F_point − F_line) = nμ²/2 − ½ log n − c, with c = ½ μ² − ½ from the prior and the fit, up to
    1/n: the means over data by quadrature change sign at the n of the basins.
    """
    mu = 0.15

    def difference(n):  # E over the mean of the data, exactly
        square = mu**2 + 1 / n
        return n**2 * square / (2 * (n + 1)) - math.log(n + 1) / 2

    point = Basin(mu**2 / 2, 0, name="point")
    line = Basin(0.0, Fraction(1, 2), constant=mu**2 / 2 - 0.5, name="line")
    critical = critical_sizes(point, line)[-1]
    low, high = (difference(n) for n in (0.97 * critical, 1.03 * critical))
    assert low < 0 < high
    assert phases([point, line]).basins[-2:] == ("point", "line")
    # Without log n, or with λ = 1, the prediction would be elsewhere.
    for wrong in (Basin(0.0, 0, constant=line.constant), Basin(0.0, 1, constant=line.constant)):
        others = critical_sizes(point, wrong)
        assert not others or abs(others[-1] / critical - 1) > 0.3


def test_basins_refuse():
    for arguments in (
        (math.nan, 1),
        (math.inf, 1),
        ("x", 1),
        (0.0, -1),
        (0.0, math.inf),
        (0.0, "1"),
        (0.0, 1, 0),
        (0.0, 1, 1.5),
        (0.0, 1, True),
    ):
        with pytest.raises(InputError):
            Basin(*arguments)
    with pytest.raises(InputError, match="same free energy"):
        phases([Basin(0.1, 1), Basin(0.1, 1)])
    with pytest.raises(InputError, match="two basins"):
        phases([Basin(0.1, 1)])


# Learning curves


def test_learning_curves():
    curve = learning_curve(Pair.of("1/2", 2), [10, 1000])
    assert curve.training is None
    assert curve.to_dict()["rows"][1]["generalisation"] == 0.0005
    assert curve.size_for(0.01) == 50
    assert "with_logarithm" in str(curve)
    assert learning_curve("1/2", np.array([10])).generalisation == Fraction(1, 2)
    regular = learning_curve(Fraction(3, 2), [10], nu=Fraction(3, 2), beta=2.0)
    assert (regular.generalisation, regular.training) == (1.5, -1.5)
    for arguments, options in (
        ((-1.0, [10]), {}),
        (("x", [10]), {}),
        (("1/0", [10]), {}),
        ((10**400, [10]), {}),
        ((True, [10]), {}),
        ((1, [10**19]), {}),
        ((math.nan, [10]), {}),
        ((1, []), {}),
        ((1, [0]), {}),
        ((1, [2.5]), {}),
        ((1, [10]), {"beta": 2.0}),
        ((1, [10]), {"beta": 0.0}),
        ((1, [10]), {"nu": -1}),
    ):
        with pytest.raises(InputError):
            learning_curve(*arguments, **options)
    for wrong in (lambda: curve.size_for(0), lambda: curve.with_logarithm(1)):
        with pytest.raises(InputError):
            wrong()


def test_an_expansion_is_not_used_where_n_is_too_small():
    """λ = 1/2, θ = 2: 1/log n is all of λ up to n = e² = 7.4, and half of it up to e⁴ = 54.6."""
    curve = learning_curve(Pair.of("1/2", 2), [1, 3, 7, 8, 54, 55])
    rows = curve.to_dict()["rows"]
    assert [row["n"] for row in rows if "with_logarithm" in row] == [8, 54, 55]
    assert all(row["with_logarithm"] > 0 for row in rows[3:])
    assert curve.warnings[0].startswith("n = 1, 3, 7, 8, 54: too small for the expansion")
    assert curve.to_dict()["warnings"] == list(curve.warnings)
    with pytest.raises(InputError, match="n = 7 is too small"):
        curve.with_logarithm(7)
    assert learning_curve(Pair.of("1/2", 2), [55]).warnings == ()
    assert learning_curve(Pair.of("1/2", 1), [3]).warnings == ()
    # At β = 2 the sum is ν/2 + (λ − 1/log n)/2, and positive from n = 3 on.
    warm = learning_curve(Pair.of("1/2", 2), [3, 55], beta=2.0, nu=1)
    assert warm.warnings[0].startswith("n = 3: too small for the expansion")
    assert [row["n"] for row in warm.to_dict()["rows"] if "with_logarithm" in row] == [3, 55]


@pytest.mark.parametrize("beta", [0.25, 0.5, 2.0])
@pytest.mark.parametrize("theta", [2, 3])
def test_the_second_term_of_a_learning_curve_at_other_temperatures(theta, beta):
    """N(u, 1) at u = 0, u a product of θ uniform factors on [−1, 1]: λ = 1/2.

    Given the mean of the data, which is normal, n E Bg and ν are integrals over u.  Without the
    second term the curve is off by ten times as much and more.
    """
    n = 10**5
    t = np.linspace(1e-6, 24.0, 6000)  # −log |u|
    u = np.concatenate([np.exp(-t), -np.exp(-t)])
    log_prior = np.tile((theta - 1) * np.log(t) - t, 2)
    means, chances = hermegauss(40)
    x, masses = hermegauss(30)
    error = fluctuation = 0.0
    for mean, chance in zip(means / np.sqrt(n), chances / chances.sum(), strict=True):
        log_mass = log_prior + beta * n * (u * mean - u**2 / 2)
        mass = np.exp(log_mass - log_mass.max())
        keep = mass > 1e-12 * mass.sum()
        v, p = u[keep], mass[keep] / mass[keep].sum()
        predictive = p @ np.exp(np.outer(v, x) - v[:, None] ** 2 / 2)
        error -= chance * n * (masses @ np.log(predictive)) / masses.sum()
        centred, squared = v - p @ v, v**2 - p @ v**2
        variance = p @ centred**2 + p @ squared**2 / 4 - mean * (p @ (centred * squared))
        fluctuation += chance * n * beta / 2 * variance
    curve = learning_curve(Pair.of("1/2", theta), n, beta=beta, nu=fluctuation)
    gap = abs(n * curve.with_logarithm(n) - error)
    assert 10 * gap < abs(float(curve.generalisation) - error)
    assert gap < 0.02


def test_the_public_names_are_these_functions():
    assert rlct.sbic is sbic
    assert rlct.waic is waic
    assert rlct.loo is loo
    assert rlct.wbic is wbic
    assert rlct.learning_curve is learning_curve
    assert {m.lam for m in EXACT_MODELS.values()} == {Fraction(1, 2), Fraction(1, 4)}
    assert exact_models.pair(EXACT_MODELS["product"]) == rlct.poly("a**2*b**2").pair
    assert exact_models.pair(EXACT_MODELS["normal-crossing"]) == rlct.poly("a**2*b**4").pair
