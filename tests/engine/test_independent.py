"""Sums of monomials with independent exponents: by hand, and against the rules before it."""

import random
from fractions import Fraction

import pytest

import rlct
from rlct.engine import limits
from rlct.engine.newton_polyhedra.independent import IndependentForms, independent_ideal
from rlct.pair import Pair
from rlct.questions.problem import Problem


def proved(generators, prior=None):
    return independent_ideal(Problem.ideal(generators, prior=prior).local)


#: Generators, prior, pair.
BY_HAND = {
    # An indefinite form of rank 4: 1/2, less than the 1 of its terms.
    "a quadric": (["x*y-z*w"], None, "1/2", 1),
    # One sign: no zero off the planes, so that v·a ≥ 1 for both.
    "one sign": (["x**2+y**4"], None, "3/8", 1),
    # In the plane: weights (3, 2), sum 5, degree 6.
    "a cusp": (["x**2-y**3"], None, "5/12", 1),
    # The prior |x|: (2·3 + 2)/12 is more than 1/2.
    "a cusp with a prior": (["x**2-y**3"], "x", "1/2", 1),
    # Three binomials in 12 variables, by hand: v = 0, s = 1, and weights with pair sums ≤ 1.
    "parallel terms": (["a*b*r+d*e*u", "a*c*s+d*f*v", "b*c*t+e*f*w"], None, "3/2", 4),
    # Coordinates: x + y² and z + w².
    "coordinates": (["x+y**2", "z+w**2"], None, "1", 1),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name):
    generators, prior, lam, theta = BY_HAND[name]
    proof = proved(generators, prior)
    assert (proof.lower, proof.upper) == (Pair.of(lam, theta), Pair.of(lam, theta))


def test_one_term_that_divides_all_others_counts_once():
    """x + xy is x times a unit: (1/2, 1), where x·z would have θ = 2."""
    forms = IndependentForms({0: {(1, 0): Fraction(1)}}, [Fraction(0)] * 2, range(2))
    pair, _, attained = forms.bound([[(1, 0), (1, 1)]])
    assert (pair, attained) == (Pair.of("1/2", 1), True)
    assert proved(["x+x*y"]) is None


def test_dependent_exponents_are_left_to_others():
    """(x − y)² has 1/4, and the programme of its terms says 1/2."""
    assert proved(["x**2-2*x*y+y**2"]) is None
    assert rlct.ideal(["x**2-2*x*y+y**2"]).pair == Pair.of("1/4", 1)


@pytest.mark.study
@pytest.mark.parametrize("seed", range(8))
def test_against_the_rules_before_it(seed, monkeypatch):
    """Random sums in three to five variables: the answers with and without the rule agree."""
    rng = random.Random(seed)
    agreed = 0
    while agreed < 3:
        names = "xyzwv"[: rng.choice([3, 3, 4, 4, 5])]
        generators = []
        for _ in range(rng.choice([1, 2, 2, 3])):
            terms = []
            for _ in range(rng.choice([1, 2, 2, 3])):
                powers = [rng.choice([0, 0, 0, 1, 1, 2, 3]) for _ in names]
                powers[rng.randrange(len(names))] += not any(powers)
                term = "*".join(f"{x}**{e}" for x, e in zip(names, powers, strict=True) if e)
                terms.append(rng.choice(["+", "-", "+2*", "-3*"]) + term)
            generators.append("".join(terms))
        with monkeypatch.context() as patch:
            patch.setattr(limits, "MOST_POLYHEDRA_VARIABLES", 0)
            result = rlct.ideal(generators, timeout=20)
        if "independent" not in result.method:
            continue
        assert rlct.verify(result.certificate)
        before = rlct.ideal(generators, timeout=20)
        assert result.bounds[0] <= before.bounds[1], generators
        assert before.bounds[0] <= result.bounds[1], generators
        agreed += 1
