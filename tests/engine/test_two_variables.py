"""Degenerate curves in the plane against blow-ups of points: no weights, no polyhedra."""

import random

import pytest
import sympy
from blow_up_oracle import SkipError, X, Y, pair_of_square

import rlct
from rlct.pair import Pair

KNOWN = [
    (X, (0, 0), Pair.of("1/2")),
    (X * Y, (0, 0), Pair.of("1/2", 2)),
    (X**2 - Y**3, (0, 0), Pair.of("5/12")),
    (X**2 - Y**3, (1, 0), Pair.of("1/2")),
    (X**3 - 2 * Y**3, (0, 0), Pair.of("1/3")),
    ((Y - X**2) ** 2 - X**5, (0, 0), Pair.of("7/20")),
    (X * (X + Y**2), (0, 0), Pair.of("3/8")),
]


@pytest.mark.parametrize(("f", "prior", "expected"), KNOWN, ids=str)
def test_the_oracle_on_values_known_by_hand(f, prior, expected):
    assert pair_of_square(f, prior) == expected


def random_curve(rng):
    u = rng.choice([X, Y, X - Y, X + 2 * Y, Y - X**2, Y + X**2 - X**3, X - Y**2, X + Y + X * Y])
    v = rng.choice([X, Y, X + Y, X - 3 * Y, X + Y**2])
    if rng.random() < 0.3:
        return u
    p, q = rng.choice([(2, 3), (2, 2), (2, 4), (3, 4), (3, 3), (1, 2), (2, 5)])
    return u**p + rng.choice([1, -1, 2, -2, -4]) * v**q


def questions(count, seed):
    rng = random.Random(seed)
    while count:
        powers = [rng.choice([1, 1, 1, 2]) for _ in range(rng.choice([1, 1, 2, 2]))]
        f = sympy.expand(sympy.prod([random_curve(rng) ** m for m in powers]))
        if rng.random() < 0.3:
            f = sympy.expand(f + rng.choice([X**7, X * Y**5, Y**9, X**4 * Y**4]))
        if len(f.free_symbols) == 2 and sympy.Poly(f, X, Y).total_degree() < 11:
            count -= 1
            yield f, (rng.choice([0, 0, 1, 2]), rng.choice([0, 0, 1]))


@pytest.mark.slow
def test_random_curves():
    exact = 0
    for f, prior in questions(20, seed=17):
        try:
            expected = pair_of_square(f, prior)
        except SkipError:
            continue
        result = rlct.ideal([f], prior={"x": prior[0], "y": prior[1]}, timeout=10)
        assert rlct.verify(result.certificate)
        (route, *_) = result.routes
        assert route.lower <= expected, (f, prior)
        assert route.upper is None or expected <= route.upper, (f, prior)
        if result.status == "exact":
            exact += 1
            assert result.pair == expected, (f, prior)
    assert exact > 15
