"""Generators in echelon form: the same ideal, and the moments of mixtures of four components."""

from fractions import Fraction

import pytest
from sympy import groebner

import rlct
from rlct.engine.reductions import echelon
from rlct.questions.problem import Problem

WEIGHTS = ["p", "q", "s"]
PLACES = ["b", "c", "d", "e"]


def moments(highest, *, free=False):
    """Σ a_h b_h^k with a_1 = 1 − p − q − s, or with a_1 = 1: the other weights are quotients."""
    first = "1" if free else "(1 - p - q - s)"
    return [
        " + ".join(f"{a}*{b}**{k}" for a, b in zip([first, *WEIGHTS], PLACES, strict=True))
        for k in range(1, highest + 1)
    ]


def echelon_form(generators, **options):
    step = echelon.echelon_form(Problem.ideal(generators, **options).local)
    return None if step is None else step.children[0].generators


@pytest.mark.parametrize("generators", [moments(3), moments(4, free=True), moments(5)])
def test_the_ideal_stays(generators):
    before = Problem.ideal(generators).local
    after = [g.as_expr() for g in echelon_form(generators)]
    symbols = before.ring.symbols
    given = groebner([g.as_expr() for g in before.generators], *symbols, order="grevlex")
    found = groebner(after, *symbols, order="grevlex")
    assert given == found


def test_elimination_ends_in_a_product():
    *_, last = echelon_form(moments(4))
    assert len(last) == 1
    assert echelon_form(moments(4), nonneg=WEIGHTS)[-1].as_expr() == last.as_expr()


@pytest.mark.parametrize(
    "generators",
    [
        ["x*y"],
        ["x*y", "x*z + y"],  # one pivot
        ["a*c + b*e", "a*d + b*f"],  # no coefficient divides the other
        ["a**2 + a*y*z", "a*z**2 + y**2"],  # every variable to two powers
    ],
)
def test_nothing_to_eliminate(generators):
    assert echelon_form(generators) is None


@pytest.mark.parametrize("highest", [4, 7])
def test_four_components_on_the_simplex(highest):
    """½ + 3·¼: the weights are positive, so Σ a_h b_h² has only squares (theory/mixture.md)."""
    result = rlct.ideal(moments(highest), nonneg=WEIGHTS)
    assert (result.lam, result.theta) == (Fraction(5, 4), 1)
    assert rlct.verify(result.certificate)


@pytest.mark.study
def test_four_components_with_signed_weights():
    """½ + λ of three units from the second moment on: ½ + 2/3 (theory/signed-mixture.md)."""
    result = rlct.ideal(moments(7))
    assert (result.lam, result.theta) == (Fraction(7, 6), 1)
    assert rlct.verify(result.certificate)
