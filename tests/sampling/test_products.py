"""Powers of sums, which keep the digits of the sums."""

import numpy as np
import pytest
import sympy

import rlct
from rlct.answers.targets import scaled_target, target_of
from rlct.errors import InputError, NegativeError
from rlct.sampling.ladders.quadrature import density_of_states
from rlct.sampling.ladders.run import estimate
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.products import FactoredProducts, integer_power
from rlct.sampling.targets.target import EXACT_RESOLUTION

SUM, DIFFERENCE = {(1, 0): 1.0, (0, 1): 1.0}, {(1, 0): 1.0, (0, 1): -1.0}
CUSP = {(2, 0): 1.0, (0, 3): -1.0}


@pytest.mark.parametrize("power", range(24))
def test_powers(power) -> None:
    assert integer_power(np.array([3.0]), power) == 3.0**power


@pytest.mark.parametrize("text", ["7*(x + y)**5*(x - y)**3", "-(x**2 - y**3)**4*x", "(x + y)**2"])
def test_values_and_slopes_are_those_of_the_generator(text) -> None:
    """At points within 10⁻⁹ of the zeros of the factors, in rational numbers."""
    target, scale = scaled_target(rlct.ideal(text))
    assert any(power > 1 for _, power in target.factors[0])
    w = np.random.default_rng(0).uniform(-0.5, 0.5, (40, 2))
    w[:20, 1] = -w[:20, 0] + np.linspace(1e-9, 2e-9, 20)
    names = sympy.symbols("x y")
    exact = sympy.sympify(text)
    derivatives = [exact, *(exact.diff(name) for name in names)]
    found = [target.values(w), target.slopes(w, 0), target.slopes(w, 1)]
    for expected, values in zip(derivatives, found, strict=True):
        points = [dict(zip(names, map(sympy.Rational, map(float, p)), strict=True)) for p in w]
        truth = [scale**0.5 * float(expected.subs(point)) for point in points]
        assert values[:, 0] == pytest.approx(truth, rel=1e-5, abs=0)
    # Control: expanded terms have lost it.
    if text.startswith("7"):
        expanded = PolynomialTarget(target.generators, squared=True).values(w)[:20]
        assert not np.allclose(expanded, found[0][:20], rtol=1.0, atol=0)


def test_several_generators() -> None:
    products = FactoredProducts([[(SUM, 2), (DIFFERENCE, 1)], [(CUSP, 3)]])
    w = np.array([[0.5, 0.25], [0.125, -1.0]])
    x, y = w.T
    assert np.allclose(products.rows(w), [(x + y) ** 2 * (x - y), (x**2 - y**3) ** 3])
    along = [2 * (x + y) * (x - y) + (x + y) ** 2, 6 * x * (x**2 - y**3) ** 2]
    assert np.allclose(products.slopes(w, 0).T, along)


def test_signs_within_rounding_are_not_known() -> None:
    """−(x − y)⁴ beside x = y, and (1 − 4x)²¹, which is small against 3²¹ where it is below zero."""
    minus = FactoredProducts([[({(0, 0): -1.0}, 1), (DIFFERENCE, 4)]])
    w = np.array([[0.3, 0.3], [0.3, 0.3 + 1e-12], [0.3, 0.3 + 1e-6]])
    assert minus.negative(w).tolist() == [[False, False, True]]
    with pytest.raises(NegativeError):
        scaled_target(rlct.poly("x**2*(1 - 4*x)**21"))
    assert target_of(rlct.poly("x**2*(1 - 4*x)**21")).radius < 0.25


def test_what_underflows_is_refused() -> None:
    with pytest.raises(InputError, match="too small for floats"):
        target_of(rlct.ideal("(x/3 + y/7)**300"))


def _resolution(*factors, squared=True, **options) -> float:
    expanded = [{(3, 3): 1.0, (2, 4): -1.0}]  # of which only the size matters here
    return PolynomialTarget(expanded, squared=squared, factors=[factors], **options).resolution


def test_where_rounding_hides_a_power() -> None:
    """As late as its power says; a factor of degree 1 as late as the highest such power."""
    assert _resolution((CUSP, 1)) == pytest.approx(1e20)
    assert _resolution((CUSP, 3)) == pytest.approx(1e60)
    assert _resolution((CUSP, 4), squared=False) == pytest.approx(1e40)
    assert _resolution((CUSP, 30)) == EXACT_RESOLUTION
    assert _resolution(({(4, 0): 2.0, (0, 2): 1.0}, 1)) == EXACT_RESOLUTION  # nothing cancels
    assert _resolution((CUSP, 1), (SUM, 5)) == pytest.approx(1e20)
    assert _resolution((DIFFERENCE, 1), (SUM, 5)) == pytest.approx(1e100)
    assert _resolution((DIFFERENCE, 1), ({(0, 1): 1.0}, 5)) == pytest.approx(1e100)
    # With walls x + y has its zero at the origin alone, with a prior less mass about its zeros.
    assert _resolution((DIFFERENCE, 1), (SUM, 5), nonneg=[True, True]) == pytest.approx(1e20)
    assert _resolution((DIFFERENCE, 1), (SUM, 5), prior=[1, 1]) == pytest.approx(1e20)


def test_only_what_rounding_hides_is_kept_in_factors() -> None:
    for text in ("x**2*y**3", "(x + y)*(x - y)*y", "x**2 - y**3"):
        assert [power for _, power in target_of(rlct.ideal(text)).factors[0]] == [1]


def test_quadrature_meets_the_zeros_of_factors() -> None:
    """(x + y)⁸(x − y)⁶ is u⁸v⁶ turned: on the square of u, v both have the same mean."""
    top = 1e12
    turned = density_of_states(target_of(rlct.ideal("(x + y)**4*(x - y)**3")), top=top)
    straight = density_of_states(target_of(rlct.ideal("x**4*y**3")), top=top)
    n_beta = np.array([1e8, 1e10, 1e12])
    # λ = 1/8, then 1/6: the rest is of order nβ^(1/8 − 1/6).
    gaps = turned.mean(n_beta) - straight.mean(n_beta)
    assert np.abs(gaps).max() < 0.01
    assert turned.error < 2e-3


@pytest.mark.study
def test_the_ladder_of_high_powers_is_long_enough() -> None:
    """λ = 1/22, of which ladders of expanded terms said 0.062 ± 0.006; false alarm 1e-4 each."""
    found = estimate(target_of(rlct.poly("(x+y)**20*(x-y)**22")), effort=0.2, seed=3, level=0.9999)
    assert found.interval[0] <= 1 / 22 <= found.interval[1]
    assert found.interval[1] < 1 / 16
    assert found.ladder.end > 1e100
    assert not found.warnings
