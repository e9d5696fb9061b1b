"""The fit of (λ, θ) on ladders whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from mpmath import mp
from scipy.linalg import expm
from scipy.optimize import brentq
from scipy.stats import gamma

from rlct.errors import InputError
from rlct.sampling.ladders import leading, priors
from rlct.sampling.ladders.expansion import fit_exact, slope
from rlct.sampling.ladders.joint_fit import fit
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.ladders.ladder_report import report


def synthetic(
    rng: np.random.Generator,
    lam: float,
    theta: int,
    delta: float,
    rho: float,
    noise: float,
    shift: float = 2.0,
) -> Ladder:
    """Increments of −log Z of λ, θ and a next pole, with independent noise by island."""
    edges = np.arange(0.0, 24.0, 0.5)
    height = lam * edges - np.log((edges + shift) ** (theta - 1) + rho * np.exp(-delta * edges))
    slopes = np.diff(height) / 0.5 + noise * rng.standard_normal((16, len(edges) - 1))
    return Ladder(edges[:-1], edges[1:], slopes, 1.0, "synthetic")


@pytest.mark.parametrize(
    ("lam", "theta", "delta", "rho"),
    [(0.25, 1, 0.25, 0.7), (1.5, 2, 0.5, 1.0), (8.0, 1, 0.5, 5.0), (0.5, 3, 1.0, -1.0)],
)
def test_interval_holds_lambda_and_near_miss_falls_outside(
    lam: float, theta: int, delta: float, rho: float
) -> None:
    """40 ladders; a 95 % interval missing 7 of 40 has probability 0.3 % a case."""
    rng = np.random.default_rng(21)
    held = wrong = 0
    for _ in range(40):
        found = fit(synthetic(rng, lam, theta, delta, rho, noise=0.08), [theta])
        held += abs(found.lam - lam) < 1.96 * found.error
        wrong += abs(found.lam - 1.25 * lam) < 1.96 * found.error
    assert held >= 34
    # Control: the near miss of a check is outside of most intervals.
    assert wrong <= 6


def product(rng: np.random.Generator, lam: float, theta: int, noise: float) -> Ladder:
    """−log V of θ coordinates alike: −log K has a Gamma distribution; L from the median of K."""
    edges = np.arange(0.0, 30.0, 0.5)
    height = -gamma.logsf(lam * edges + gamma.median(theta), theta)
    slopes = np.diff(height) / 0.5 + noise * rng.standard_normal((12, len(edges) - 1))
    return Ladder(edges[:-1], edges[1:], slopes, 1.0, "volume")


def test_the_interval_holds_lambda_whichever_order_it_has() -> None:
    """λ = 1/4, θ = 4 unknown: 20 ladders; missing more than 4 has probability 0.3 % at 95 %."""
    rng = np.random.default_rng(5)
    found = [fit(product(rng, 0.25, 4, 0.04), range(1, 6)) for _ in range(20)]
    spans = [one.interval(0.95) for one in found]
    assert sum(low <= 0.25 <= high for low, high in spans) >= 16
    assert sum(one.theta_range(0.95)[1] >= 4 for one in found) >= 16
    # Controls: the near miss above, and what θ = 1 alone says of the right value.
    assert sum(low <= 0.3125 <= high for low, high in spans) <= 4
    alone = [one.by_theta[1] for one in found]
    assert sum(abs(lam - 0.25) < 2.2 * error for lam, error in alone) <= 4


def powers(
    rng: np.random.Generator, exponents: list[int], noise: float, turns: float = 12.0
) -> Ladder:
    """−log V of K = ∏ x_j^{k_j}, whose −log is a sum of exponential times: a phase-type law."""
    rates = 1 / np.array(exponents)
    jumps = np.diag(-rates) + np.diag(rates[:-1], 1)

    def height(length: float) -> float:
        return -float(np.log(expm(jumps * length)[0].sum()))

    median = brentq(lambda length: height(length) - np.log(2), 0.0, 1e3)
    edges = np.linspace(0.0, turns / rates.min(), 100)
    slopes = np.diff([height(median + edge) for edge in edges]) / edges[1]
    scatter = noise * rng.standard_normal((16, len(slopes)))
    return Ladder(edges[:-1], edges[1:], slopes + scatter, 1.0, "volume")


@pytest.mark.parametrize("exponents", [[8, 6, 4, 2], [12, 10, 8, 6], [10, 8, 8, 8], [6, 4, 4, 4]])
def test_poles_of_any_order_close_to_the_first_are_within_the_interval(
    exponents: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """10 ladders; missing more than 3 has probability 0.1 % at 95 %."""
    rng = np.random.default_rng(8)
    lam = 1 / max(exponents)
    ladders = [powers(rng, exponents, 0.05 * lam) for _ in range(10)]

    def held(value: float) -> int:
        spans = [fit(ladder, range(1, 5)).interval(0.95) for ladder in ladders]
        return sum(low <= value <= high for low, high in spans)

    assert held(lam) >= 7
    assert held(1.25 * lam) <= 3  # control: the near miss of a check
    monkeypatch.setattr(priors, "ORDER_ODDS", {})
    assert held(lam) <= 3  # control: where the next pole is a small correction


@pytest.mark.slow
@pytest.mark.parametrize("exponents", [[8] + 10 * [6], [12] + 10 * [10], [8] + 20 * [6]])
def test_ten_coordinates_close_to_the_first_are_within_the_interval(exponents: list[int]) -> None:
    """10 ladders; missing more than 3 has probability 0.1 % at 95 %."""
    rng, lam, variables = np.random.default_rng(8), 1 / max(exponents), len(exponents)
    ladders = [powers(rng, exponents, 0.05 * lam, turns=44.0) for _ in range(10)]

    def held(value: float, variables: int) -> int:
        thetas = range(1, len(exponents) + 1)
        spans = [fit(one, thetas, variables=variables).interval(0.95) for one in ladders]
        return sum(low <= value <= high for low, high in spans)

    assert held(lam, variables) >= 7
    assert held(1.5 * lam, variables) <= 3  # control
    assert held(lam, 0) <= 3  # control: where at most three others may be close


def test_parts_of_a_sum_that_show_late() -> None:
    """(xy)² + 10⁸(zw)², λ = 1 and θ = 3: the slopes of both parts, one log 10⁸ = 18 older.

    20 ladders; missing more than 4 has probability 0.3 % at 95 %.
    """
    rng, late = np.random.default_rng(9), 18.0
    edges = np.arange(0.0, 26.0, 0.5)
    old, new = ((edges + shift) for shift in (3.7 + late, 3.7))
    rises = np.diff(edges - np.log(old) - np.log(new)) / 0.5
    spans = []
    for counted in (late, 0.0):  # control: L counted from the part that shows first
        begin = edges[:-1] + late - counted
        ladders = (
            Ladder(
                begin,
                begin + 0.5,
                rises + 0.01 * rng.standard_normal((12, len(rises))),
                1.0,
                "synthetic",
                late=counted,
            )
            for _ in range(20)
        )
        spans.append([fit(ladder, range(1, 5)).interval(0.95) for ladder in ladders])
    held = [sum(low <= 1.0 <= high for low, high in one) for one in spans]
    assert held[0] >= 16
    assert held[1] <= 4
    assert sum(low <= 1.25 <= high for low, high in spans[0]) <= 4  # control: a near miss


def test_a_ladder_that_nothing_fits_is_not_sure() -> None:
    """A step in the middle of the window: the interval is at least as wide as the misfit."""
    plain = synthetic(np.random.default_rng(3), 0.5, 1, 1.0, 0.0, noise=0.01)
    bent = plain.slopes + np.where(plain.start > 17, 0.03, 0.0)
    found = fit(Ladder(plain.start, plain.stop, bent, 1.0, "synthetic"), [1])
    assert found.misfit > 2.5
    assert found.error > 1.5 * fit(plain, [1]).error
    for ladder, theta in ((plain, 1), (replace(plain, slopes=bent), None)):
        one = fit(ladder, range(1, 5))
        told = report(one, ladder, None, 0.95, 0, "synthetic", "", 0.0)
        assert told.theta == theta
        assert told.theta_interval == (1, 1 if theta else 4)


@pytest.mark.parametrize(
    ("lam", "theta", "delta", "rho", "shift"),
    [
        (5 / 24, 1, 1 / 24, -0.4, 2.0),  # a pole as close as that of (x² − y³)⁴ + …
        (7.5, 5, 0.5, 1.0, -6.5),  # a logarithm as late as in a network of four layers
        (0.25, 2, 0.5, 1.0, 8.0),
    ],
)
def test_a_close_pole_and_a_late_logarithm_are_within_the_interval(
    lam: float, theta: int, delta: float, rho: float, shift: float
) -> None:
    """40 ladders; a 95 % interval missing 7 of 40 has probability 0.3 % a case."""
    rng = np.random.default_rng(4)
    noise = 0.06 * lam**0.5
    found = [
        fit(synthetic(rng, lam, theta, delta, rho, noise, shift), range(1, 7)) for _ in range(40)
    ]
    spans = [one.interval(0.95) for one in found]
    assert sum(low <= lam <= high for low, high in spans) >= 34
    # Control: as many intervals do not hold a value half of λ away.
    assert sum(low <= 3 / 2 * lam <= high for low, high in spans) <= 6


@pytest.mark.parametrize("theta", [1, 3, 8])
def test_the_leading_part_is_the_derivative_of_its_logarithm(theta: int) -> None:
    """log x^{θ+m−1} ₁F₁(m; θ+m; −δx), by mpmath, at points and over steps of a ladder."""
    family = leading.LeadingTerm.of(theta, shows_late=True)
    lam = np.full(len(family.beside), 2.0)  # δ is the place itself
    rows = range(len(lam))
    x = np.array([0.5, 3.0, 40.0, 900.0])
    low = np.tile(x, (len(lam), 1))
    points, steps = (family.log_slope(low, low + step, lam) for step in (0.0, 0.7))
    for row, m, place in zip(rows, family.beside.tolist(), family.places.tolist(), strict=True):

        def logarithm(at: float, m: int = m, place: float = place) -> float:
            order = theta + m
            return (order - 1) * mp.log(at) + mp.log(mp.hyp1f1(m, order, -place * at))

        slopes = [float(mp.diff(logarithm, at)) for at in x]
        means = [float((logarithm(at + 0.7) - logarithm(at)) / 0.7) for at in x]
        np.testing.assert_allclose(points[row], slopes, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(steps[row], means, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("weight", [-0.6, 0.6])
def test_a_pole_closer_than_those_of_the_family_is_within_the_error(
    weight: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """9/10 after 5/6; 40 ladders, a 95 % interval missing 7 has probability 0.3 % a case."""
    lam, delta, rng = 5 / 6, 1 / 15, np.random.default_rng(11)
    edges = np.arange(0.0, 41.0, 0.5)
    slopes = np.diff(lam * edges - weight * np.exp(-delta * edges)) / 0.5
    ladders = [
        Ladder(edges[:-1], edges[1:], slopes + scatter, 1.0, "synthetic")
        for scatter in 0.05 * rng.standard_normal((40, 16, len(slopes)))
    ]

    def held(value: float) -> int:
        spans = [fit(ladder, [1]).interval(0.95) for ladder in ladders]
        return sum(low <= value <= high for low, high in spans)

    assert held(lam) >= 34
    assert held(1.25 * lam) <= 6  # control: the near miss of a check
    monkeypatch.setattr(priors, "UNSEEN_POLE", (0.08, 0.0))
    assert held(lam) <= 28  # control, 2e-7 at 95 %: an error that knows the family alone


def test_a_ladder_that_shows_no_close_pole_has_nothing_to_fear_from_one() -> None:
    """Slopes of a regular K: the less they scatter the less of such a pole is in the error."""
    usual, little, none = (
        fit(synthetic(np.random.default_rng(6), 0.5, 1, 1.0, 0.0, noise), [1]).error
        for noise in (0.1, 0.01, 1e-5)
    )
    assert none < 2e-4
    assert 10 * none < little < usual / 2


def test_the_logarithm_of_a_thin_cone_is_within_the_error(monkeypatch) -> None:
    """V = e^{−T/4}(1 + T/40), T = log 1/t: a cone with a tenth of the line, λ = 1/4.

    Ten ladders with θ given; |z| of their mean above 4 has probability 1e-4.  With the usual b
    alone λ̂ is too large, and its error as well.
    """
    edges = np.arange(0.0, 60.0, 1.0)
    begin = brentq(lambda t: np.exp(-t / 4) * (1 + t / 40) - 0.5, 0.0, 10.0)

    def measured(seed: int) -> tuple[float, float]:
        length = edges + begin
        slopes = -np.diff(-length / 4 + np.log1p(length / 40))
        noise = 1e-3 * np.random.default_rng(seed).standard_normal((12, len(slopes)))
        ladder = Ladder(edges[:-1], edges[1:], slopes + noise, 1.0, "volume")
        return fit(ladder, [2]).by_theta[2]

    found = np.array([measured(seed) for seed in range(10)])
    monkeypatch.setattr(priors, "THIN_CHANCE", 1e-12)
    usual = np.array([measured(seed) for seed in range(10)])
    assert abs(((found[:, 0] - 0.25) / found[:, 1]).mean()) < 4 / np.sqrt(10)
    assert abs(found[:, 0].mean() - 0.25) < 0.0005 < 0.0015 < usual[:, 0].mean() - 0.25
    assert found[:, 1].mean() < 0.9 * usual[:, 1].mean()


def test_ignoring_the_logarithm_gives_a_wrong_lambda() -> None:
    """θ = 2 fitted as θ = 1 is off by several errors: the ladder does use θ."""
    ladder = synthetic(np.random.default_rng(2), 2.0, 2, 1.0, 0.0, noise=0.02)
    right, wrong = fit(ladder, [2]), fit(ladder, [1])
    assert abs(right.lam - 2.0) < 3 * right.error
    assert abs(wrong.lam - 2.0) > 3 * right.error
    assert fit(ladder, [1, 2, 3]).thetas[2] > 0.5


def test_theta_range_widens_with_noise() -> None:
    rng = np.random.default_rng(3)
    clear = fit(synthetic(rng, 0.5, 3, 1.0, 0.0, noise=0.003), [1, 2, 3, 4])
    vague = fit(synthetic(rng, 0.5, 3, 1.0, 0.0, noise=0.3), [1, 2, 3, 4])
    low, high = clear.theta_range(0.95)
    assert low <= 3 <= high
    assert vague.theta_range(0.95)[1] - vague.theta_range(0.95)[0] >= high - low


def test_slope_is_the_derivative_of_log_z() -> None:
    length = np.array([4.0, 9.0])
    for theta, bend in ((1, 0.0), (2, 0.0), (3, 2.0), (5, -1.0)):

        def height(x: np.ndarray, order: int = theta - 1, v: float = bend) -> np.ndarray:
            lead = (x + 1.5) ** order + (v * (x + 1.5) ** (order - 2) if order >= 2 else 0)
            return 0.7 * x - np.log(lead + 0.4 * np.exp(-0.3 * x))

        numeric = (height(length + 1e-5) - height(length - 1e-5)) / 2e-5
        assert slope(length, theta, 0.7, 0.3, 0.4, 1.5, bend) == pytest.approx(numeric, rel=1e-7)


def test_exact_fit_recovers_two_poles() -> None:
    """Z = n^{−5/12} + 0.8 n^{−1/2}: the slope itself is still 0.02 away at nβ = 1e10."""
    levels = np.arange(0.0, 23.0, 0.5)
    values = slope(levels, 1, 5 / 12, 1 / 12, 0.8)
    ladder = Ladder(levels, levels, values[None], 1.0, "exact", error=np.full(len(levels), 1e-6))
    found = fit_exact(ladder, [1])
    assert abs(values[-1] - 5 / 12) > 5e-3
    assert abs(found.lam - 5 / 12) < max(3 * found.error, 1e-4)
    assert found.window == pytest.approx(0.4 * levels[-1])  # in L
    # A double pole could hide 0.006; the control of a check stands at λ/4 = 0.1.
    assert found.error < 1e-2


@pytest.mark.parametrize("length", [12.0, 29.0])
def test_poles_close_to_the_first_are_in_the_error(length: float) -> None:
    """Poles at 5/24, 1/4 and 1/3, as (x²−y³)⁴ + …: one further pole alone is too sure.

    At the length that the ladder of such a λ has, 6/λ, a claim at 5/4 of the truth stays
    refutable, so that the error is not merely large.
    """
    levels = np.arange(0.0, length, 0.5)
    z = [np.exp(-pole * levels) for pole in (5 / 24, 1 / 4, 1 / 3)]
    residues = (1.0, -0.4, 0.3)
    total = sum(r * part for r, part in zip(residues, z, strict=True))
    poles = (5 / 24, 1 / 4, 1 / 3)
    values = sum(r * p * part for r, p, part in zip(residues, poles, z, strict=True)) / total
    ladder = Ladder(levels, levels, values[None], 1.0, "exact", error=np.full(len(levels), 2e-5))
    found = fit_exact(ladder, [1])
    assert abs(found.lam - 5 / 24) < 2.58 * found.error
    if length * 5 / 24 > 6:
        assert abs(found.lam - 5 / 24 * 5 / 4) > 2.58 * found.error


def test_short_ladders_are_refused() -> None:
    short = Ladder(np.arange(3.0), np.arange(1.0, 4.0), np.ones((4, 3)), 1.0, "short")
    with pytest.raises(InputError, match="too short"):
        fit(short, [1])
    with pytest.raises(InputError, match="at least 1"):
        fit(short, [0])
    with pytest.raises(InputError, match="numerical error"):
        fit_exact(short, [1])


def test_degrees_count_what_was_measured() -> None:
    """The scatter of 16 islands has 15 degrees; an error that is mostly a prior has many more."""
    rng = np.random.default_rng(0)
    measured, prior = (
        fit(synthetic(rng, 0.5, 1, 0.5, 0.0, noise), thetas)
        for noise, thetas in ((1.0, [1]), (3e-3, [1, 2, 3]))
    )
    assert measured.noise > 0.9 * measured.error
    assert 15 <= measured.degrees < 25
    assert prior.noise < 0.4 * prior.error
    assert prior.degrees > 500
