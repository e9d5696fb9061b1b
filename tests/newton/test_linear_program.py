"""λ and θ of monomial ideals against brute force, known values and a replayed certificate."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from newton_oracles import brute_force_pair, check_certificate

from rlct.errors import InputError
from rlct.newton import linear_program
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.rational import LARGE_PRIMES
from rlct.pair import Pair

pytestmark = pytest.mark.light


def edges(n, pairs):
    return [[int(k in pair) for k in range(n)] for pair in pairs]


def cycle(n):
    return edges(n, [(i, (i + 1) % n) for i in range(n)])


# Values by hand: sums of disjoint variables add, products take the minimum, and the three
# last follow from the programme itself on paper.
KNOWN = [
    ([[1, 0, 0], [0, 2, 0], [0, 0, 3]], (0, 0, 0), "11/12", 1),
    ([[1, 1, 0], [0, 1, 1], [1, 0, 1]], (0, 0, 0), "3/4", 1),
    ([[1, 1]], (0, 0), "1/2", 2),
    ([[2, 0], [0, 4]], (0, 0), "3/8", 1),
    ([[1, 0], [0, 1]], (1, 0), "3/2", 1),
    ([[2, 0], [1, 1], [0, 3]], (1, 0), "3/4", 1),
    ([[1, 2]], (0, 0), "1/4", 1),
    ([[3, 3, 3]], (0, 0, 0), "1/6", 3),
    ([[1, 1]], (Fraction(-1, 2), 0), "1/4", 1),
    ([[1]], (0,), "1/2", 1),
]


@pytest.mark.parametrize(("exponents", "prior", "lam", "theta"), KNOWN)
def test_known_pairs(exponents, prior, lam, theta):
    optimum = monomial_optimum(exponents, prior)
    assert optimum.pair == Pair.of(lam, theta)
    check_certificate(exponents, prior, optimum)


@pytest.mark.parametrize("seed", range(120))
def test_random_ideals_agree_with_brute_force(seed):
    rng = np.random.default_rng([1, seed])
    d, m = int(rng.integers(1, 5)), int(rng.integers(1, 7))
    exponents = rng.integers(0, rng.choice([2, 3, 8]), (m, d))
    exponents = exponents[exponents.any(axis=1)].tolist() or [[1] * d]
    prior = [Fraction(int(rng.integers(-3, 8)), 4) for _ in range(d)]
    if seed % 2:
        prior = [Fraction(0)] * d
    optimum = monomial_optimum(exponents, prior)
    assert (optimum.pair.lam, optimum.pair.theta) == brute_force_pair(exponents, prior)
    check_certificate(exponents, prior, optimum)


def test_the_random_ideals_reach_several_multiplicities():
    thetas = set()
    for seed in range(120):
        rng = np.random.default_rng([1, seed])
        d, m = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        exponents = rng.integers(0, rng.choice([2, 3, 8]), (m, d))
        exponents = exponents[exponents.any(axis=1)].tolist() or [[1] * d]
        thetas.add(monomial_optimum(exponents).pair.theta)
    assert thetas >= {1, 2, 3}


STRUCTURED = {
    # fractional vertex covers: odd cycles have one, ½ everywhere; even cycles a segment
    "cycle 9": (cycle(9), "9/4", 1),
    "cycle 10": (cycle(10), "5/2", 2),
    "complete 7": (edges(7, combinations(range(7), 2)), "7/4", 1),
    # König: λ is half the size of a maximum matching
    "complete bipartite 3 4": (
        edges(7, [(i, 3 + j) for i in range(3) for j in range(4)]),
        "3/2",
        1,
    ),
    "complete bipartite 4 4": (
        edges(8, [(i, 4 + j) for i in range(4) for j in range(4)]),
        "2",
        2,
    ),
    "perfect matching": (edges(8, [(0, 1), (2, 3), (4, 5), (6, 7)]), "2", 5),
    "one product of 30": ([[1] * 30], "1/2", 30),
    "the same 20 times": ([[1, 1, 2]] * 20, "1/4", 1),
    "power of the maximal ideal": (
        [[a, b, 4 - a - b] for a in range(5) for b in range(5 - a)],
        "3/8",
        1,
    ),
    "third power of (xy)": ([[3, 3]], "1/6", 2),
    "a variable that does not occur": ([[1, 0, 1]], "1/2", 2),
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_degenerate_families(name):
    exponents, lam, theta = STRUCTURED[name]
    optimum = monomial_optimum(exponents)
    assert optimum.pair == Pair.of(lam, theta)
    check_certificate(exponents, [0] * len(exponents[0]), optimum)


@pytest.mark.parametrize("name", STRUCTURED)
def test_the_float_guide_leads_to_the_same_pair(name, monkeypatch):
    monkeypatch.setattr(linear_program, "_SMALL_MATRIX", 0)
    exponents, lam, theta = STRUCTURED[name]
    optimum = monomial_optimum(exponents)
    assert optimum.pair == Pair.of(lam, theta)
    check_certificate(exponents, [0] * len(exponents[0]), optimum)


@pytest.mark.parametrize("seed", range(30))
def test_guided_and_exact_routes_agree(seed, monkeypatch):
    rng = np.random.default_rng([2, seed])
    d, m = int(rng.integers(3, 9)), int(rng.integers(5, 30))
    exponents = rng.integers(0, rng.choice([2, 3, 5]), (m, d))
    exponents = exponents[exponents.any(axis=1)]
    prior = [Fraction(int(rng.integers(-1, 4)), 2) for _ in range(d)]
    exact = monomial_optimum(exponents, prior)
    monkeypatch.setattr(linear_program, "_SMALL_MATRIX", 0)
    guided = monomial_optimum(exponents, prior)
    assert exact.pair == guided.pair
    check_certificate(exponents.tolist(), prior, exact)
    check_certificate(exponents.tolist(), prior, guided)


def test_a_wrong_float_basis_is_corrected(monkeypatch):
    monkeypatch.setattr(linear_program, "_SMALL_MATRIX", 0)
    monkeypatch.setattr("rlct.newton.warm_start._float_basis", lambda *_: ([0], [0]))
    assert monomial_optimum([[1, 1, 0], [0, 1, 1], [1, 0, 1]]).pair == Pair.of("3/4", 1)


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_added_until_none_is_violated(seed, monkeypatch):
    rng = np.random.default_rng([13, seed])
    exponents = np.array([np.bincount(rng.integers(0, 7, 9), minlength=7) for _ in range(150)])
    guided = monomial_optimum(exponents)
    monkeypatch.setattr(linear_program, "_SMALL_MATRIX", 0)
    monkeypatch.setattr(linear_program, "_ROWS_ADDED", 3)
    monkeypatch.setattr(linear_program, "guided_optimum", lambda *_: None)
    optimum = monomial_optimum(exponents)
    assert optimum.pair == guided.pair
    check_certificate(exponents.tolist(), [0] * 7, optimum)


@pytest.mark.parametrize("big", [10**6, 10**9, 10**18, 10**30])
def test_huge_exponents(big, monkeypatch):
    assert monomial_optimum([[big]]).pair == Pair(Fraction(1, 2 * big), 1)
    exponents = [[big, 0, 0], [0, big, 0], [1, 1, 1]]
    optimum = monomial_optimum(exponents)
    assert optimum.pair == Pair.of("1/2", 3)
    check_certificate(exponents, [0, 0, 0], optimum)
    # 1/big apart: a float cannot tell the two values of v·(1+h) from each other
    close = [[big, 0], [0, big + 1]]
    expected = Fraction(1, 2 * big) + Fraction(1, 2 * (big + 1))
    assert monomial_optimum(close).pair == Pair(expected, 1)
    monkeypatch.setattr(linear_program, "_SMALL_MATRIX", 0)
    assert monomial_optimum(exponents).pair == Pair.of("1/2", 3)
    assert monomial_optimum(close).pair == Pair(expected, 1)


@pytest.mark.parametrize("small", [0, 2500])
def test_exponents_that_vanish_modulo_every_prime_in_use(small, monkeypatch):
    monkeypatch.setattr(linear_program, "_SMALL_MATRIX", small)
    big = math.prod(LARGE_PRIMES)
    assert monomial_optimum([[big]]).pair == Pair(Fraction(1, 2 * big), 1)
    optimum = monomial_optimum([[big, 0, big], [0, 2 * big, big]])
    assert optimum.pair == Pair(Fraction(1, 2 * big), 1)
    check_certificate([[big, 0, big], [0, 2 * big, big]], [0, 0, 0], optimum)


def test_multiplicity_is_not_a_matter_of_tolerance():
    tiny = Fraction(1, 10**20)
    assert monomial_optimum([[1, 1]], (0, tiny)).pair == Pair.of("1/2", 1)
    assert monomial_optimum([[1, 1]], (tiny, tiny)).pair == Pair((1 + tiny) / 2, 2)


def test_multipliers_refer_to_the_rows_as_given():
    optimum = monomial_optimum([[5, 5], [2, 0], [2, 0], [7, 1], [0, 4]])
    assert set(optimum.multipliers) <= {1, 2, 4}
    assert optimum.pair == Pair.of("3/8", 1)


def test_a_larger_random_instance_is_certified():
    rng = np.random.default_rng(3)
    exponents = rng.integers(0, 6, (400, 40)) * (rng.random((400, 40)) < 0.4)
    exponents[:, 0] += 1
    optimum = monomial_optimum(exponents)
    check_certificate(exponents.tolist(), [0] * 40, optimum)


def test_the_checker_rejects_wrong_claims():
    exponents, prior = [[2, 0], [1, 1], [0, 2]], [0, 0]
    optimum = monomial_optimum(exponents)
    check_certificate(exponents, prior, optimum)
    wrong = [
        replace(optimum, pair=Pair(optimum.pair.lam, 2)),
        replace(optimum, pair=Pair(optimum.pair.lam * 2, 1)),
        replace(optimum, multipliers={1: Fraction(1, 2)}),
        replace(optimum, points=((Fraction(1), Fraction(0)),)),
    ]
    for claim in wrong:
        with pytest.raises(AssertionError):
            check_certificate(exponents, prior, claim)


@pytest.mark.parametrize(
    ("exponents", "prior", "word"),
    [
        ([[0, 0]], None, "unit"),
        ([[1, 0], [0, 0]], None, "unit"),
        ([], None, "at least one"),
        ([[]], None, "at least one"),
        ([[1, -1]], None, "non-negative"),
        ([[1, 0.5]], None, "integers"),
        ([[True, False]], None, "integers"),
        ([["1", "2"]], None, "integers"),
        ([[1, 2], [1]], None, "same length"),
        ([[1, 2]], (0,), "2 variables"),
        ([[1, 2]], (0, -1), "exceed -1"),
        ([[1, 2]], (0, 0.5), "exact rational"),
    ],
)
def test_bad_input(exponents, prior, word):
    with pytest.raises(InputError, match=word) as caught:
        monomial_optimum(exponents, prior)
    assert "\n" not in str(caught.value)
