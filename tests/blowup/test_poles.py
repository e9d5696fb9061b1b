"""Candidate poles and leading coefficients against expansions computed by quadrature."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rlct
from rlct.blowup.fan import TooManyChartsError
from rlct.blowup.leading import leading_coefficient
from rlct.blowup.poles import PoleProgression, facet_candidates
from rlct.newton.linear_program import monomial_optimum

ONCE = settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])


@ONCE
@given(
    st.integers(1, 4).flatmap(
        lambda d: st.lists(
            st.lists(st.integers(0, 5), min_size=d, max_size=d).filter(any), min_size=1, max_size=5
        )
    ),
    st.booleans(),
)
def test_the_largest_candidate_is_the_pair(exponents, even):
    prior = [Fraction(i, 2) for i in range(len(exponents[0]))]
    try:
        found = facet_candidates(exponents, prior, even=even, limit=300)
    except TooManyChartsError:
        return
    pair = monomial_optimum(exponents, prior).pair
    assert found.down_to(-pair.lam) == [(-pair.lam, pair.theta)]


QUESTIONS = [
    ["x**2-y**3"],
    ["x*y-z**3"],
    ["x**2+y**2", "x*y"],
    ["(x*y)**2*(x+y)"],
    ["(x+y)**3*x**2"],
    ["(y-x**2)**2-x**5"],
    ["x*y*(1+x)"],
    ["(x**2+y**4)*(z**2+w**2)"],
    ["x", "y-z"],
    ["x**3-3*x*y**2+y**5"],
    ["x-y**2", "x*y"],
    ["x**2-y**3", "z**3-w**2"],
    ["z**3-2*x**2", "3*x*y-x**2*y**2"],
    ["(x+y)**2-w**3", "(x-y)**2-z**3"],
    ["(x+y*z)*((y+x**2)**2-z**3)**2"],
]


@pytest.mark.parametrize("generators", QUESTIONS, ids=str)
def test_the_tree_has_the_pair_among_its_candidates(generators):
    found = rlct.blow_up(generators)
    pair = found.result.pair
    assert found.candidates is not None
    ((z, order),) = found.candidates.down_to(-pair.lam)
    assert z == -pair.lam
    assert order >= pair.theta
    assert found.poles[0].proved
    assert (found.poles[0].z, found.poles[0].order) == (-pair.lam, pair.theta)
    allowed = dict(found.candidates.down_to(found.poles[-1].z))
    assert all(pole.order <= allowed.get(pole.z, 0) for pole in found.poles[1:] if pole.proved)


#: Where a chart is only bounded from below.
OPEN = ["(x**2+y**2-2*z**2)**2+z**5", "x*z"]


def test_no_candidates_where_a_leaf_only_bounds():
    found = rlct.blow_up(OPEN)
    assert found.result.status == "exact"
    assert found.candidates is None
    assert len(found.poles) == 1
    assert "not read off this tree" in str(found)
    bounds = rlct.blow_up(["x**9999+y**7777+x**5000*y**3000"])
    assert bounds.poles == ()
    assert bounds.leading is None


def test_progressions():
    assert PoleProgression(Fraction(5), Fraction(12), (2, 3)).down_to(Fraction(-3, 4)) == [
        Fraction(-5, 12),
        Fraction(-7, 12),
        Fraction(-2, 3),
        Fraction(-3, 4),
    ]
    assert PoleProgression(Fraction(1), Fraction(2), (2,)).down_to(Fraction(-1, 3)) == []
    power = PoleProgression(Fraction(1), Fraction(2), (2,)).power(Fraction(1, 2))
    assert power.down_to(Fraction(-3)) == [-1, -3]


def test_odd_orders_give_no_poles():
    """On a divisor of weight v a sum of odd order in signed coordinates is odd."""
    cusp = [[2, 0], [0, 3]]
    steps = [facet_candidates(cusp, None, even=False, signed=s).cones[0][0].steps for s in (1, 0)]
    assert steps == [(2,), (2, 3)]
    # In a product of separate variables the rule holds in each factor, and orders add.
    product = rlct.blow_up(["(x**2-y**3)*z**6"]).candidates
    factors = [rlct.blow_up([f]).candidates for f in ("x**2-y**3", "z**6")]
    assert product.down_to(Fraction(-2)) == factors[0].times(factors[1]).down_to(Fraction(-2))
    assert dict(product.down_to(Fraction(-2)))[Fraction(-5, 12)] == 2
    assert Fraction(-2, 3) not in dict(product.down_to(Fraction(-2)))


def test_a_monomial():
    """On a box ζ = 2·2·2/((2z+1)(4z+1)(4z+4)): x²y⁴z⁴ with prior |z|³."""
    found = rlct.blow_up(rlct.poly("x**2*y**4*z**4", prior="z**3"))
    first = [(pole.z, pole.order) for pole in found.poles if pole.proved][:4]
    assert first == [(Fraction(-1, 4), 1), (Fraction(-1, 2), 1), (Fraction(-3, 4), 1), (-1, 1)]
    # C = lim (z + 1/4)·ζ at −1/4
    assert found.leading.exact == 8 * Fraction(1, 4) / (Fraction(1, 2) * 3)


def cusp_volume(t):
    """∫_{(x²−y³)² < t} e^(−x²−y²), the inner integral in closed form."""
    root = mpmath.sqrt(t)

    def length(y):
        inside = [mpmath.erf(mpmath.sqrt(max(y**3 + s, 0))) for s in (root, -root)]
        return mpmath.exp(-y * y) * mpmath.sqrt(mpmath.pi) * (inside[0] - inside[1])

    c = mpmath.cbrt(root)
    return mpmath.quad(length, [-c, -c / 2, 0, c / 2, c]) + mpmath.quad(
        length, [c, 2 * c, 4 * c, 8 * c, 0.5, 1, 2, 4, 8]
    )


def fit(exponents, volume=cusp_volume):
    """Coefficients of t^p through as many points, and the relative error at one more."""
    size = len(exponents)
    times = [mpmath.mpf(2) ** -(24 + 5 * i) for i in range(size + 1)]
    powers = [mpmath.mpf(p.numerator) / p.denominator for p in exponents]
    matrix = mpmath.matrix(size, size)
    right = mpmath.matrix(size, 1)
    for i, t in enumerate(times[:size]):
        right[i] = volume(t) / t ** powers[0]
        for j, p in enumerate(powers):
            matrix[i, j] = t ** (p - powers[0])
    c = mpmath.lu_solve(matrix, right)
    t = times[size]
    value = volume(t)
    return c[0], abs(value - sum(c[j] * t**p for j, p in enumerate(powers))) / value


@pytest.mark.slow
def test_the_expansion_of_the_cusp():
    """V(t) is a sum of t^p, −p among the candidates, with the leading coefficient found."""
    found = rlct.blow_up(["x**2-y**3"])
    exponents = [-pole.z for pole in found.poles if pole.order]
    assert all(pole.order == 1 for pole in found.poles if pole.status != "none")
    with mpmath.workdps(40):
        leading, error = fit(exponents)
        assert error < 1e-15
        assert float(leading) == pytest.approx(found.leading.volume, rel=1e-9)
        # Without one of them the expansion fails.
        assert fit([p for p in exponents if p != Fraction(1, 2)])[1] > 1e-6


def dirichlet(t, x, y):
    """Area of a^(2x) + b^(2y) < t, by quadrature."""

    def width(b):
        return 2 * max(t - b ** (2 * y), 0) ** (mpmath.mpf(1) / (2 * x))

    return 2 * mpmath.quad(width, [0, t ** (mpmath.mpf(1) / (2 * y))])


@pytest.mark.parametrize(("x", "y"), [(1, 1), (2, 3), (1, 4)])
def test_sums_of_powers(x, y):
    problem = rlct.Problem.poly(f"x**{2 * x}+y**{2 * y}")
    found = leading_coefficient(problem, rlct.solve(problem).pair)
    area = dirichlet(mpmath.mpf("0.01"), x, y) / mpmath.mpf("0.01") ** float(found.pair.lam)
    assert found.volume == pytest.approx(float(area), rel=1e-7)


@pytest.mark.parametrize(
    ("plain", "mixed", "ratio"),
    [
        ("x**2+3*y**2", "x**2+2*x*y+4*y**2", 1),  # (x + y)² + 3y²
        # ((x+y)/√2)⁴ + ((x−y)/√2)⁴ = (x⁴ + 6x²y² + y⁴)/2
        ("x**4+y**4", "(x**4+6*x**2*y**2+y**4)/2", 1),
        ("x**4+y**4", "2*x**4+12*x**2*y**2+2*y**4", Fraction(1, 2)),  # C scales as a^(−1/2)
    ],
)
def test_gamma_functions_against_the_integral(plain, mixed, ratio):
    values = []
    for text in (plain, mixed):
        problem = rlct.Problem.poly(text)
        values.append(leading_coefficient(problem, rlct.solve(problem).pair))
    assert [v.method for v in values] == ["gamma functions", "integral over the exceptional curve"]
    assert values[1].value == pytest.approx(float(ratio) * values[0].value, rel=1e-10)


@pytest.mark.slow
def test_scaling_and_constraints():
    """y ↦ 2^(1/3) y multiplies C by 2^(−1/3); half of a symmetric domain halves it."""

    def value(text, **place):
        problem = rlct.Problem.poly(text, **place)
        return leading_coefficient(problem, rlct.solve(problem).pair).value

    base = value("(x**2-y**3)**2")
    assert value("(x**2-2*y**3)**2") == pytest.approx(base * 2 ** (-1 / 3), rel=1e-10)
    assert value("(x**2-y**3)**2", nonneg=["x"]) == pytest.approx(base / 2, rel=1e-10)
    shifted = value("((x-1)**2-y**3)**2", at={"x": 1})
    assert shifted == pytest.approx(base, rel=1e-10)
    # ∫_0^t 2√(t−x) dx = 4/3 t^(3/2), and C = 3/2 of that
    assert value("x+y**2", nonneg=["x"]) == pytest.approx(2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(x**2-y**2)**2", 1 / 2),  # a linear image of x²y² with Jacobian 2, and that has 1
        ("x**2*y**2+x**6+y**6", 4 * 3 / 36),  # 4·det/(N·N″) at the vertex (2, 2)
        ("(x*y-z**3)**2", None),  # three variables
        ("((x**2-y**3)**2+x*y**5)**2", 1.658799241),  # degenerate, mildly; by tanh-sinh rules
        ("((x**2-y**3)**2*(x+y))**2", 1.302718366),
    ],
)
def test_coefficients_where_divisors_meet_and_none_without_conditions(text, value):
    problem = rlct.Problem.poly(text)
    found = leading_coefficient(problem, rlct.solve(problem).pair)
    assert (found and found.value) == (value and pytest.approx(value, rel=1e-9))


SUMS = st.tuples(
    st.lists(st.integers(0, 4), min_size=1, max_size=3).filter(any),
    st.lists(st.integers(0, 4), min_size=1, max_size=2).filter(any),
)


@ONCE
@given(SUMS, st.booleans())
def test_separate_variables_against_the_polyhedron_of_the_sum(parts, even):
    """x^α and y^β: sums of the candidates of both are the candidates of one polyhedron."""
    a, b = parts
    both = [[*a, *([0] * len(b))], [*([0] * len(a)), *b]]
    one, other = (facet_candidates([part], None, even=even) for part in parts)
    bound = -monomial_optimum(both, None).pair.lam - 2
    found = one.plus(other).down_to(bound)
    of_sum = [z for z, _ in facet_candidates(both, None, even=even).down_to(bound)]
    # Each part is reflected alone: that leaves fewer odd numbers than a reflection of both.
    assert {z for z, _ in found} <= {*of_sum}
    one, other = (facet_candidates([part], None, even=even, signed=False) for part in parts)
    assert even or [z for z, _ in one.plus(other).down_to(bound)] == [
        z for z, _ in facet_candidates(both, None, even=False, signed=False).down_to(bound)
    ]
    pair = monomial_optimum(both, None).pair
    assert found[0] == (-pair.lam, pair.theta)


def bent_volume(t):
    """∫_{K<t} e^(x+y), K = (x − y²)² + x²y² = (1 + y²)(x − c)² + y⁶/(1 + y²)."""

    def length(y):
        c, rest = y**2 / (1 + y**2), t - y**6 / (1 + y**2)
        w = mpmath.sqrt(max(rest, 0) / (1 + y**2))
        return mpmath.exp(y + c) * 2 * mpmath.sinh(w)

    end = mpmath.findroot(lambda y: y**6 - t * (1 + y**2), mpmath.mpf(t) ** (mpmath.mpf(1) / 6))
    return mpmath.quad(length, [-end, -end / 2, 0, end / 2, end])


def test_the_expansion_after_an_elimination():
    found = rlct.blow_up(["x-y**2", "x*y"])
    assert "eliminate" in found.result.method
    exponents = [-pole.z for pole in found.poles if pole.order]
    assert all(pole.order == 1 for pole in found.poles if pole.status != "none")
    with mpmath.workdps(40):
        assert fit(exponents, bent_volume)[1] < 1e-13
        assert fit([p for p in exponents if p != 1], bent_volume)[1] > 1e-8


def matrix_zeta(z):
    """E|AB|^(2z) for Gaussian 2 × 2 matrices, up to a factor without zeros and poles.

    Given the eigenvalues a > b of AAᵀ, |AB|² = aX + bY with X, Y exponential, and the density
    of (a, b) is (a − b)(ab)^(−1/2) e^(−(a+b)/2).
    """
    p = z + mpmath.mpf(3) / 2
    half = mpmath.mpf(1) / 2
    lower = half**p / p * mpmath.hyp2f1(p, half, p + 1, half)
    return mpmath.gamma(z + 1) * mpmath.gamma(z + 2) * (mpmath.beta(p, half) - 2 * lower)


def order_of_pole(function, z):
    """Growth of a function of one variable next to a rational number."""
    with mpmath.workdps(60):
        at = mpmath.mpf(z.numerator) / z.denominator
        values = [abs(function(at + mpmath.mpf(10) ** -k)) for k in (12, 15)]
        return max(0, round(float(mpmath.log10(values[1] / values[0])) / 3))


def test_products_of_matrices_against_their_zeta_function():
    found = rlct.blow_up(["a*e+b*g", "a*f+b*h", "c*e+d*g", "c*f+d*h"])
    assert {"blowup", "stratify", "sum"} <= set(
        found.result.method.removeprefix("engine: ").split(", ")
    )
    candidates = dict(found.candidates.down_to(Fraction(-9, 2)))
    poles = {
        Fraction(-n, 4): order
        for n in range(1, 19)
        if (order := order_of_pole(matrix_zeta, Fraction(-n, 4)))
    }
    assert max(poles) == -found.result.lam
    assert set(poles.values()) == {1, 2}
    assert all(candidates.get(z, 0) >= order for z, order in poles.items())
