"""What generators leave when leading terms cancel: elements of the ideal, none of them 0."""

import numpy as np
import pytest
import sympy

from rlct import Problem
from rlct.answers.targets import target_of
from rlct.sampling.ladders.run import estimate
from rlct.sampling.targets.remainders import remainders


@pytest.mark.slow
def test_they_lie_in_the_ideal() -> None:
    """Of differences of monomials, whose coefficients stay 1 and −1."""
    rng = np.random.default_rng(0)
    symbols = sympy.symbols("x:3")
    seen = 0
    for _ in range(30):
        generators = [
            dict(zip(map(tuple, rng.choice(4, (2, 3)).tolist()), (1, -1), strict=True))
            for _ in range(3)
        ]
        ideal = [sympy.Poly(dict(g), symbols).as_expr() for g in generators]
        basis = sympy.groebner(ideal, *symbols, order="grevlex")
        for rest in remainders(generators):
            whole = {e: round(c) for e, c in rest.items()}
            assert whole == rest
            assert basis.contains(sympy.Poly(whole, symbols).as_expr())
            assert not basis.contains(sympy.Poly(whole, symbols).as_expr() + symbols[0])
            seen += 1
    assert seen > 50


def test_syzygies_multiples_and_rounding_leave_nothing() -> None:
    assert remainders([{(1, 1, 0): 1}, {(1, 0, 1): 1}]) == []
    assert remainders([{(1, 0): 1, (0, 1): -1}, {(2, 0): 2, (1, 1): -2}]) == []
    assert remainders([{(1, 0): 0.1, (0, 1): 0.3}, {(1, 0): 0.7, (0, 1): 2.1}]) == []
    # 0.1 and 0.3 are no exact multiples of 0.7 and 2.1, but 2.2 is none at all.
    assert {(0, 1): 1.0} in remainders([{(1, 0): 0.1, (0, 1): 0.3}, {(1, 0): 0.7, (0, 1): 2.2}])
    assert remainders([{(1,): 1}]) == []


@pytest.mark.study
def test_what_a_second_round_shows() -> None:
    """(x − y²)(1 + y) and (x − y²)(1 + 2y) + y⁴/10⁶: no multiple of one by a number leaves y⁴.

    x²(1 + y) is one of y⁴, as x − y² is in the ideal at 0.  The fit has λ = 1/2 for 5/8.
    """
    target = target_of(Problem.ideal(["(x - y^2)*(1 + y)", "(x - y^2)*(1 + 2*y) + y^4/10^6"]))
    assert {(2, 0): 1.0, (2, 1): 1.0} in remainders(target.exact)
    found = estimate(target)
    assert found.interval[1] < 5 / 8
    assert "is still growing" in found.warnings[0]


def test_targets_keep_what_was_given() -> None:
    """In floats (x − y/3)(1 + 3y) would leave what rounding does to 1/3."""
    target = target_of(Problem.ideal(["x - y/3", "(x - y/3)*(1 + 3*y)"]))
    assert remainders(target.exact) == []


@pytest.mark.slow
def test_divisions_that_take_too_long_are_left_out() -> None:
    """x²⁰⁰ by x − y − z − w has a million terms; what was found before stays."""
    line = {(1, 0, 0, 0): 1, (0, 1, 0, 0): -1, (0, 0, 1, 0): -1, (0, 0, 0, 1): -1}
    high, low = {(200, 0, 0, 0): 1}, {(2, 0, 0, 0): 1}
    assert remainders([line, high]) == []
    assert remainders([line, low])[0].keys() == {
        e for e in remainders([line, low, high])[0] if sum(e) == 2
    }
