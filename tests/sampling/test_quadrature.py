"""Quadrature against closed forms, an independent integrator, and a ridge it must flag."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf, gammainc

from rlct.errors import InputError
from rlct.sampling.ladders.quadrature import (
    UnresolvedIntegral,
    density_of_states,
    quadrature_ladder,
)
from rlct.sampling.ladders.run import estimate
from rlct.sampling.targets.lines import Lines
from rlct.sampling.targets.polynomial import PolynomialTarget

pytestmark = pytest.mark.light


def squares(*generators, **options) -> PolynomialTarget:
    return PolynomialTarget(generators, squared=True, **options)


def test_k_that_no_n_beta_shows_is_not_resolved() -> None:
    """x⁶⁰⁰ is below 10⁻¹⁸⁰ in the box: nothing of it lies above the lowest level."""
    with pytest.raises(UnresolvedIntegral, match="so small"):
        density_of_states(PolynomialTarget([{(600,): 1}], squared=False), top=1e10)


def test_one_variable_has_a_closed_form() -> None:
    """K = x² on [−1, 1]: nβ E[K] = 1/2 − √(n/π) e^{−n} / erf √n."""
    states = density_of_states(squares({(1,): 1}, radius=1.0))
    for n in (0.5, 3.0, 40.0, 1e6):
        exact = 0.5 - np.sqrt(n / np.pi) * np.exp(-n) / erf(np.sqrt(n))
        assert states.mean(np.array([n]))[0] == pytest.approx(exact, abs=5e-5)


@pytest.mark.parametrize(("n", "exact"), [(1e3, 0.387), (1e6, 0.437)])
def test_double_pole_at_finite_n(n: float, exact: float) -> None:
    """x²y² on [0,1]²: λ = 1/2 is far from the tempered mean; published to three digits."""
    states = density_of_states(squares({(1, 1): 1}, radius=1.0, nonneg=[True, True]))
    assert states.mean(np.array([n]))[0] == pytest.approx(exact, abs=5e-4)


def test_monomial_against_a_one_dimensional_integral() -> None:
    """x²y² on [0,1]²: ∫dx alone is an error function; SciPy integrates the rest in log y."""
    states = density_of_states(squares({(1, 1): 1}, radius=1.0, nonneg=[True, True]))

    def partition(n: float) -> float:
        def inner(s: float) -> float:
            a = np.sqrt(n) * np.exp(-s)
            return float(np.exp(-s) * np.sqrt(np.pi) / 2 * erf(a) / a)

        return quad(inner, 0.0, 60.0, limit=400, epsabs=0, epsrel=1e-10)[0]

    for n in (1e2, 1e4, 1e8):
        slope = -(np.log(partition(n * 1.01)) - np.log(partition(n / 1.01))) / (2 * np.log(1.01))
        assert states.mean(np.array([n]))[0] == pytest.approx(slope, abs=1e-4)


@pytest.mark.parametrize("n", [1e4, 1e7, 1e10])
def test_oblique_ridge(n: float) -> None:
    """(x−y)² on [−1,1]²: with u = x−y of density (2−|u|)/4, Z and E are explicit."""
    states = density_of_states(squares({(1, 0): 1, (0, 1): -1}, radius=1.0))
    # ∫₀² (2−u) e^{−nu²} and the same with n u²; the tails beyond 2 are below 1e−100.
    z = np.sqrt(np.pi / n) - 1 / (2 * n)
    energy = 0.5 * np.sqrt(np.pi / n) - 1 / (2 * n)
    assert states.mean(np.array([n]))[0] == pytest.approx(energy / z, abs=1e-4)


@pytest.mark.parametrize("n", [1e2, 1e4, 1e6])
def test_cusp_against_nested_integration(n: float) -> None:
    """(x²−y³)² on [−1,1]²: Gauss rules on cells laid around the known ridge x = y^{3/2}."""
    states = density_of_states(squares({(2, 0): 1, (0, 3): -1}, radius=1.0))
    nodes, weights = np.polynomial.legendre.leggauss(8)

    def line(y: float) -> np.ndarray:
        root = np.sqrt(max(y, 0.0) ** 3)
        reach = np.logspace(-9, 0, 120)
        cuts = np.unique(np.clip(np.concatenate([[0, 1], root + reach, root - reach]), 0, 1))
        width = 0.5 * np.diff(cuts)[:, None]
        x = cuts[:-1, None] + width * (1 + nodes)
        k = n * (x * x - y**3) ** 2
        mass = np.exp(-k) * width * weights
        return np.array([mass.sum(), (mass * k).sum()])

    ends = np.exp(-np.linspace(0.0, 14.0, 81))
    total = np.zeros(2)
    for high, low in itertools.pairwise(ends):
        for node, weight in zip(nodes, weights, strict=True):
            y = 0.5 * (low + high) + 0.5 * (high - low) * node
            total += 0.5 * (high - low) * weight * (line(y) + line(-y))
    assert states.mean(np.array([n]))[0] == pytest.approx(total[1] / total[0], abs=1e-4)


def test_prior_exponent_and_orthant() -> None:
    """x⁴ with prior x^{3/2} on [0, 1]: λ = 5/8 up to exponentially small terms."""
    target = squares({(2,): 1}, prior=[1.5], nonneg=[True], radius=1.0)
    states = density_of_states(target)
    assert states.mean(np.array([1e6]))[0] == pytest.approx(0.625, abs=1e-4)
    # Mass of the prior: ∫ w^{3/2} = 2/5 in units of the radius.
    assert states.mass.sum() == pytest.approx(0.4, rel=1e-4)


@pytest.mark.study
def test_a_ridge_across_the_outer_variable_is_flagged() -> None:
    """Zeros at isolated points off the axes are invisible to log-uniform nodes."""
    off = [{(0, 6): 1.0, (0, 3): -0.1}, {(4, 0): 1.0, (1, 0): -0.2}]
    target = PolynomialTarget(off, squared=True, radius=1.0)
    with pytest.raises(UnresolvedIntegral, match="finest step"):
        density_of_states(target)


def test_three_variables_within_the_stated_error() -> None:
    """K = x²+y²+z² on a box is a product of closed forms."""
    target = squares({(1, 0, 0): 1}, {(0, 1, 0): 1}, {(0, 0, 1): 1}, radius=1.0)
    ladder = quadrature_ladder(target)
    n = ladder.unit * np.exp(ladder.start)
    exact = 3 * (0.5 - np.sqrt(n / np.pi) * np.exp(-n) / erf(np.sqrt(n)))
    assert ladder.error is not None
    late = ladder.start > 3
    assert np.abs(ladder.slopes[0] - exact)[late].max() < 2 * ladder.error.max()


def test_four_variables_are_refused() -> None:
    with pytest.raises(InputError, match="three variables"):
        density_of_states(squares({(1, 1, 1, 1): 1}))


def test_a_longer_ladder_that_rounding_errors_end_is_not_used() -> None:
    """x²(1000x−1)⁴ expanded, on |x| ≤ 1/200: its means tend to λ = 1/4, not to 0."""
    # K = x² − 4000x³ + 6·10⁶x⁴ − 4·10⁹x⁵ + 10¹²x⁶
    terms = {(2,): 1.0, (3,): -4e3, (4,): 6e6, (5,): -4e9, (6,): 1e12}
    ladder = quadrature_ladder(PolynomialTarget([terms], squared=False, radius=0.005))
    assert ladder.slopes[0, -1] == pytest.approx(0.25, abs=0.01)


@pytest.mark.study
@pytest.mark.parametrize(
    ("generators", "lam", "theta"),
    [
        ([{(2, 2): 1}, {(5, 0): 1}, {(0, 5): 1}], 1 / 4, 2),
        ([{(2, 3): 1}, {(6, 0): 1}, {(0, 6): 1}], 7 / 36, 1),
    ],
    ids=["thin cone at the diagonal", "beside it"],
)
def test_facets_that_meet_in_a_thin_cone(generators, lam, theta) -> None:
    """The logarithm of the first is late, and no close pole: θ = 1 missed λ by 3.5 %."""
    found = estimate(squares(*generators))
    low, high = found.interval
    assert low <= lam <= high
    assert high - low < lam / 8
    assert found.theta_interval[0] <= theta <= found.theta_interval[1]


@pytest.mark.parametrize(("inner", "outer", "b"), [(2, 5, 20.0), (3, 7, 42.0)])
def test_how_late_the_logarithm_of_a_thin_cone_is(inner, outer, b) -> None:
    """x²y², x⁵, y⁵ on [0, 1]²: E[nβK] = λ − 1/(L + b), b near 1/(φλ), φ = 1 − 2·inner/outer.

    The corners take a little off; twice that b is no match.
    """
    ideal = [{(inner, inner): 1}, {(outer, 0): 1}, {(0, outer): 1}]
    target = PolynomialTarget(ideal, squared=True, nonneg=[True, True], radius=1.0)
    lam, share, length = 0.5 / inner, 1 - 2 * inner / outer, 30.0
    assert 1 / (share * lam) == pytest.approx(b)
    found = 1 / (lam - density_of_states(target).mean(np.exp(length))) - length
    assert found == pytest.approx(b, rel=0.06)
    assert found != pytest.approx(2 * b, rel=0.4)


@pytest.mark.parametrize("power", [8, 12, 20, 30, 40])
def test_means_of_high_powers(power) -> None:
    """Of K = x^p, E[nβK] = P(1 + 1/p, X)/p P(1/p, X) with X = nβ/2^p, at all nβ.

    Along an octave K grows by 2^p, and with a single Gauss rule there x³⁰ was a third off.
    """
    target = PolynomialTarget([{(power // 2,): 1}], squared=True)
    states = density_of_states(target, top=1e40)
    n_beta = 2.0**power * np.exp(np.linspace(1.0, 30.0, 200))
    part = [gammainc(shift + 1 / power, n_beta / 2.0**power) for shift in (1, 0)]
    assert np.abs(states.mean(n_beta) * power * part[1] / part[0] - 1).max() < 1e-4


def test_few_octaves_reach_high_powers() -> None:
    """x³⁰ is below all that matters at 2⁻⁷, and at 2⁻⁸ of those where its factor is not known."""
    lowest = -np.log(1e12) - 17
    power, plain = (
        Lines(squares({(15, 0): 1, (0, 15): last}), 0.0, lowest).nodes for last in (0, 1)
    )
    assert power < plain / 3


def test_nothing_of_k_shows_at_small_n_beta() -> None:
    """K = x³⁰ at nβK < 1/10: E[nβK] = P(1 + 1/p, X)/p P(1/p, X) again."""
    n_beta = 1e8
    states = density_of_states(squares({(15,): 1}), top=n_beta)
    part = [gammainc(shift + 1 / 30, n_beta / 2.0**30) for shift in (1, 0)]
    assert states.mean(np.array([n_beta]))[0] == pytest.approx(part[0] / part[1] / 30, rel=1e-3)


@pytest.mark.study
@pytest.mark.parametrize(
    ("variables", "power", "n_beta"), [(2, 2, 1e30), (3, 2, 1e24), (2, 8, 1e150)]
)
def test_products_at_large_n_beta(variables: int, power: int, n_beta: float) -> None:
    """K = Πx^p: Σ −log 2|x| has a Gamma law, so E[nβK] is a ratio of integrals in one variable.

    Lines that end 2⁻³⁵ from 0 had said 1/2 for x²y² at 10³⁰, where it is 0.48535.
    """
    end = np.log(n_beta) - variables * power * np.log(2.0)

    def moment(order: int) -> float:
        def density(z: float) -> float:  # z = pt − end, e^{−z} = nβK
            return ((z + end) / end) ** (variables - 1) * np.exp(
                -z / power - np.exp(-z) - order * z
            )

        return float(quad(density, -5.0, 40.0 * power, points=[0.0, power], limit=500)[0])

    states = density_of_states(squares({(power // 2,) * variables: 1}), top=n_beta)
    found = float(states.mean(np.array([n_beta]))[0])
    assert found == pytest.approx(moment(1) / moment(0), abs=1e-5)


@pytest.mark.study
@pytest.mark.parametrize(
    "target",
    [
        PolynomialTarget([{(2, 2): 1, (4, 6): 1}], squared=False),
        squares({(2, 0): 1, (1, 2): -1}),
        squares({(1, 0, 1): 1, (0, 1, 1): -1}),
    ],
    ids=["beside a factor that is never 0", "curve", "planes"],
)
def test_a_ridge_narrower_than_the_cells_is_not_resolved(target: PolynomialTarget) -> None:
    """Means tend to λ from below, as 1/log nβ or a power; at 10³⁰ they were λ, or more."""
    with pytest.raises(UnresolvedIntegral, match="as near to a zero"):
        density_of_states(target, top=1e30 if target.dimension == 2 else 1e21)
    if target.dimension == 2:
        density_of_states(target, top=1e14)


@pytest.mark.parametrize("exponent", [-0.5, -0.9, -0.95])
@pytest.mark.parametrize("n_beta", [1e6, 1e30])
def test_priors_that_are_infinite_at_the_zero(exponent: float, n_beta: float) -> None:
    """K = x² with |x|^h: E[nβK] = P(a + 1, X) a/P(a, X) with a = (1 + h)/2; −0.9 had 0.0576."""
    states = density_of_states(squares({(1,): 1}, prior=[exponent]), top=n_beta)
    assert states.mean(np.array([n_beta]))[0] == pytest.approx((1 + exponent) / 2, abs=1e-5)
