"""(λ, θ): order, rules, refusals, and that the rules are monotone in the order."""

from fractions import Fraction
from itertools import product

import pytest

from rlct.errors import InputError
from rlct.pair import Pair

pytestmark = pytest.mark.light

LAMBDAS = [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)]
PAIRS = [Pair(lam, theta) for lam in LAMBDAS for theta in (1, 2, 3)]


def asymptotic_volume(pair, log):
    """log of t^λ (log 1/t)^(θ−1) at log 1/t = log: larger volume means more singular."""
    from math import log as ln

    return -float(pair.lam) * log + (pair.theta - 1) * ln(log)


def test_the_order_is_that_of_volumes():
    for p, q in product(PAIRS, repeat=2):
        if p != q:
            assert (p < q) is (asymptotic_volume(p, 1e4) > asymptotic_volume(q, 1e4)), (p, q)


def test_the_order_is_total():
    for p, q in product(PAIRS, repeat=2):
        assert (p < q) + (p == q) + (p > q) == 1
        assert (p <= q) is (p < q or p == q)
        assert (p >= q) is (q <= p)
    assert min(Pair(1, 1), Pair(1, 2), Pair(2, 5)) == Pair(1, 2)


@pytest.mark.parametrize("combine", [Pair.__add__, Pair.__mul__], ids=["sum", "product"])
def test_sum_and_product_are_commutative_associative_and_monotone(combine):
    for p, q in product(PAIRS, repeat=2):
        assert combine(p, q) == combine(q, p)
    for p, q, r in product(PAIRS, repeat=3):
        assert combine(combine(p, q), r) == combine(p, combine(q, r))
        if p <= q:
            assert combine(p, r) <= combine(q, r), (p, q, r)


def test_a_product_is_at_most_each_factor_and_a_sum_at_least():
    for p, q in product(PAIRS, repeat=2):
        assert p * q <= min(p, q)
        assert (p + q).lam > max(p.lam, q.lam)


def test_power_is_monotone_and_undone_by_its_inverse():
    for p, q in product(PAIRS, repeat=2):
        for m in (2, 3, Fraction(1, 2)):
            assert (p < q) is (p / m < q / m)
            assert p / m / (1 / Fraction(m)) == p


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Pair.of("1/2") + Pair.of("1/4"), Pair.of("3/4")),
        (Pair.of("1/2", 2) + Pair.of("1/2", 3), Pair.of(1, 4)),
        (Pair.of("1/2") * Pair.of("1/4", 2), Pair.of("1/4", 2)),
        (Pair.of("1/4", 2) * Pair.of("1/4", 3), Pair.of("1/4", 5)),
        (Pair.of("1/2", 2) / 4, Pair.of("1/8", 2)),
        (Pair.sum([Pair.of("1/2")] * 5), Pair.of("5/2")),
    ],
)
def test_rules_on_known_values(found, expected):
    assert found == expected


@pytest.mark.parametrize(
    ("lam", "theta"),
    [(0.5, 1), (0, 1), (-1, 1), (1, 0), (1, 1.0), (1, True), (True, 1), ("1/2", 1), (None, 1)],
)
def test_what_is_no_pair_is_refused(lam, theta):
    with pytest.raises(InputError, match="must be"):
        Pair(lam, theta)


def test_other_operands_are_refused():
    with pytest.raises(TypeError):
        Pair(1, 1) + 1
    with pytest.raises(TypeError):
        Pair(1, 1) * 2
    with pytest.raises(InputError, match="no pairs"):
        Pair.sum([])


def test_a_pair_unpacks():
    lam, theta = Pair.of("5/12", 2)
    assert (lam, theta) == (Fraction(5, 12), 2)
    assert isinstance(lam, Fraction)
    assert Pair(*Pair(3, 1)) == Pair(3, 1)


def test_a_pair_is_a_value():
    assert len({Pair(1, 1), Pair(Fraction(2, 2), 1)}) == 1
    assert repr(Pair.of("5/12", 2)) == "Pair(5/12, 2)"
    assert str(Pair.of("5/12", 2)) == "λ = 5/12, θ = 2"
    with pytest.raises(AttributeError):
        Pair(1, 1).lam = Fraction(2)
