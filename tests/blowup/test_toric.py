"""Toric charts: their pair is that of the linear programme, and wrong charts are noticed."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from rlct.algebra.polynomial import value_at
from rlct.blowup.check import ChartError, check_charts
from rlct.blowup.fan import TooManyChartsError, simplicial_fan
from rlct.blowup.regular import integer_determinant
from rlct.blowup.toric import ToricChart, toric_blow_up
from rlct.errors import InputError
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair

PRIORS = st.sampled_from([Fraction(h) for h in ("0", "0", "1", "2", "1/2", "-1/3")])


@st.composite
def questions(draw):
    width = draw(st.integers(1, 4))
    rows = st.lists(st.integers(0, 7 - width), min_size=width, max_size=width).filter(any)
    exponents = draw(st.lists(rows, min_size=1, max_size=4))
    return exponents, draw(st.lists(PRIORS, min_size=width, max_size=width))


def repeat(examples):
    """The same examples every time, and no search for smaller ones."""
    return settings(max_examples=examples, deadline=None, derandomize=True, phases=[Phase.generate])


def charts_of(exponents, prior):
    """Few enough charts to check them all; other questions are passed over."""
    try:
        return toric_blow_up(exponents, prior, limit=100)
    except TooManyChartsError:
        assume(False)


def monomials(exponents):
    return [{tuple(row): Fraction(1)} for row in exponents]


@pytest.mark.slow
@repeat(150)
@given(questions())
def test_charts_have_the_pair_of_the_linear_programme(question):
    exponents, prior = question
    found = charts_of(exponents, prior)
    check_charts(monomials(exponents), prior, found.charts)
    assert found.pair == monomial_optimum(exponents, prior).pair


@pytest.mark.slow
@repeat(60)
@given(questions(), st.data())
def test_substitution_at_random_points(question, data):
    """K∘π = y^(2k)·(1 + …) by numbers: another way than the expansion in the check."""
    exponents, prior = question
    width = len(prior)
    number = st.fractions(-2, 2, max_denominator=5)
    for chart in charts_of(exponents, prior).charts[:20]:
        y = data.draw(st.lists(number, min_size=width, max_size=width))
        x = [value_at({row: Fraction(1)}, y) for row in chart.matrix]
        value = sum(value_at({tuple(row): Fraction(1)}, x) ** 2 for row in exponents)
        factor = value_at({tuple(2 * k for k in chart.k): Fraction(1)}, y)
        assert value >= factor
        if factor and all(abs(v) <= 1 for v in y):
            assert value <= factor * len(exponents)


def one_exponent_is_least(exponents, weights):
    def value(w, row):
        return sum(a * b for a, b in zip(w, row, strict=True))

    return any(
        all(value(w, row) == min(value(w, e) for e in exponents) for w in weights)
        for row in exponents
    )


@repeat(60)
@given(questions(), st.integers(0, 2**32))
def test_random_weights_lie_in_the_fan(question, seed):
    exponents, _ = question
    width = len(exponents[0])
    rng = random.Random(seed)
    coarse = simplicial_fan(exponents, 100)
    for fan in (coarse, charts_of(exponents, None).fan):
        for _ in range(5):
            w = tuple(rng.randint(1, 10**6) for _ in range(width))
            inside = []
            for cone in fan.cones:
                rays = [fan.rays[i] for i in cone]
                parts = [integer_determinant([*rays[:j], w, *rays[j + 1 :]]) for j in range(width)]
                if all(part * integer_determinant(rays) >= 0 for part in parts):
                    inside.append(all(parts))
                    assert one_exponent_is_least(exponents, [*rays, w])
            assert inside
            assert len(inside) == 1 or not any(inside)


CUSP = [[2, 0], [0, 3]]


def spoilt(change):
    charts = list(toric_blow_up(CUSP).charts)
    change(charts)
    return charts


def edit(index, **fields):
    def change(charts):
        charts[index] = replace(charts[index], **fields)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit(0, k=(6, 3)), "does not divide"),
        (edit(0, k=(5, 2)), "not y.* times a unit"),
        (edit(0, h=(Fraction(4), Fraction(2))), "prior exponents"),
        (edit(0, h=(Fraction(9, 2), Fraction(1))), "prior exponents"),
        (edit(0, matrix=((3, 2), (2, 2)), k=(6, 4)), "not invertible"),
        (edit(0, matrix=((3, 1), (2,))), "no matrix"),
        (lambda charts: charts.pop(), "no other side"),
        (lambda charts: charts.pop(0), "no other side"),
        (lambda charts: charts.append(charts[0]), "overlap"),
        (lambda charts: charts.clear(), "cover 0 "),
    ],
)
def test_a_wrong_chart_is_noticed(change, message):
    check_charts(monomials(CUSP), [Fraction(0)] * 2, spoilt(lambda charts: None))
    with pytest.raises(ChartError, match=message):
        check_charts(monomials(CUSP), [Fraction(0)] * 2, spoilt(change))


def test_two_fans_at_once_are_noticed():
    charts = [*toric_blow_up([[1, 0], [0, 1]]).charts]
    whole = ToricChart(((1, 0), (0, 1)), (0, 0), (Fraction(0), Fraction(0)))
    with pytest.raises(ChartError, match="overlap"):
        check_charts([{(1, 1): Fraction(1), (0, 0): Fraction(1)}], [0, 0],
                     [whole, *(replace(c, k=(0, 0)) for c in charts)])  # fmt: skip


def test_the_strict_transform_of_the_cusp():
    """f = x² − y³ becomes y₁⁶y₂²(1 − y₂) where the exceptional divisor of weight 5/12 is."""
    generators = [{(2, 0): Fraction(1), (0, 3): Fraction(-1)}]
    check_charts(generators, [0, 0], toric_blow_up(CUSP).charts)


@pytest.mark.slow
def test_limits_are_said_in_one_line():
    with pytest.raises(TooManyChartsError, match="more than 1000 charts"):
        toric_blow_up([[1, 0], [0, 100_003]])
    with pytest.raises(TooManyChartsError, match="more than 5 "):
        toric_blow_up([[3, 0, 0], [0, 5, 0], [0, 0, 7]], limit=5)
    with pytest.raises(InputError, match="unit"):
        toric_blow_up([[0, 0]])


def test_normal_crossings_need_one_chart():
    found = toric_blow_up([[2, 3]], (1, 0))
    assert found.charts == (ToricChart(((1, 0), (0, 1)), (2, 3), (Fraction(1), Fraction(0))),)
    assert found.pair == Pair(Fraction(1, 6), 1)
    assert found.charts[0].attained == (1,)
