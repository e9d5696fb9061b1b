"""Two rules that bound λ from below over the complex numbers and not over the reals.

Restriction to a hyperplane H: λ(K) ≥ λ(K|H).  Semicontinuity in a family: λ(K_s) ≥ λ(K_0) for
small s.  Both are false over R.  (Over C, with a monomial as the special member, semicontinuity
is used: `rlct.engine.germs.initial`.)  Each rule is written out here; it contradicts the
true value on
every question below, so that an engine that used it, even if only where time is short, would
report a lower bound above the truth.  The true values follow from one line each, without either
rule: by elimination of t, and by the weights given.
"""

from fractions import Fraction

import pytest

import rlct
from rlct.certificate.rules import RuleScope, rules_about
from rlct.errors import CertificateError
from rlct.pair import Pair

HALF = Fraction(1, 2)
#: Generators and their truth.  Where t or s is linear it is a coordinate: 1/2 for each.
RESTRICTIONS = {
    "cone": (["x**2 + y**2 + z**2 + t"], HALF),
    "five variables": (["x**2 + y**2 + z**2 + u**2 + v**2 + t"], HALF),
    "other quadric": (["x**2 + x*y + y**2 + 3*z**2 - t"], HALF),
    "quartic": (["(x**2 + y**2)**2 + (z**2 + w**2 + u**2)**2 + v**2 + t"], HALF),
    "two cones": (["x**2 + y**2 + z**2 + t", "u**2 + v**2 + w**2 + s"], Fraction(1)),
    # A quadratic cone with real points: λ = 1/2 by one blow-up, min(d/4, 1/2).
    "hyperbolic": (["x**2 + y**2 + z**2 - t**2"], HALF),
    "hyperbolic, double": (["x**2 + y**2 + z**2 + u**2 - 2*t**2"], HALF),
}
SECONDS = (None, 0.02, 1e-6)


def restricted(generators):
    """The false rule: λ of the restriction to the t (and s) that is 0."""
    on_wall = [g.replace("2*t**2", "0").replace("t**2", "0") for g in generators]
    return rlct.ideal([g.replace("t", "0").replace(" s", " 0") for g in on_wall]).lam


@pytest.mark.parametrize("name", RESTRICTIONS)
@pytest.mark.parametrize("seconds", SECONDS)
def test_restriction_is_not_used(name, seconds):
    generators, truth = RESTRICTIONS[name]
    result = rlct.ideal(generators, timeout=seconds)
    assert rlct.verify(result.certificate)
    assert result.lower <= truth
    assert result.upper >= truth
    assert result.lam == truth or seconds is not None


@pytest.mark.parametrize("name", RESTRICTIONS)
def test_restriction_would_be_wrong(name):
    generators, truth = RESTRICTIONS[name]
    assert restricted(generators) > truth


#: λ of (s·x² + x⁴ + y² + z²)² and of relatives at s = 0 and at the s named, where it is less.
FAMILIES = {
    # Weights (1, 2, 2), order 4: (1 + 2 + 2)/8.  Below, a cone of zeros: 1/2.
    "Varchenko": ("x**4 + y**2 + z**2", "-{s}*x**2", Fraction(5, 8), HALF),
    # Definite form in four variables: 4/4; with one sign changed it is a cone.
    "sphere": ("x**4 + y**2 + z**2 + w**2", "-{s}*x**2", Fraction(7, 8), HALF),
    # Weights (1, 3, 3), order 6: 7/12.
    "longer": ("x**6 + y**2 + z**2", "-{s}*x**4", Fraction(7, 12), HALF),
}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("s", ["1", "1/1000", "1/1000000000"])
@pytest.mark.parametrize("seconds", SECONDS)
def test_semicontinuity_in_families_is_not_used(name, s, seconds):
    special, change, at_zero, below = FAMILIES[name]
    member = rlct.ideal([special + change.format(s=s)], timeout=seconds)
    assert rlct.verify(member.certificate)
    assert member.lower <= below < at_zero
    assert member.upper >= below
    assert member.lam == below or seconds is not None
    # And not as an upper bound for the special member, from the members nearby.
    limit = rlct.ideal([special], timeout=seconds)
    assert limit.lower <= at_zero <= limit.upper
    assert limit.lam == at_zero or seconds is not None


EVIDENCE = ({}, {"variable": 0}, {"index": 0, "value": "0"}, {"by": [["1", [1, 0, 0, 0]]]})


def test_the_checker_knows_neither_rule():
    """A proof that appeals to a hyperplane, in any of the checker's words, is refused."""
    wrong = Pair.of("3/4")
    cone = rlct.ideal(["x**2 + y**2 + z**2"])
    assert cone.pair == wrong
    good = rlct.ideal(["x**2 + y**2 + z**2 + t"])
    assert rlct.verify(good.certificate)
    words = [
        "restriction",
        "hyperplane",
        "semicontinuity",
        "limit",
        "special",
        *rules_about(RuleScope.GERM),
    ]
    refused = 0
    for rule in words:
        for data in EVIDENCE:
            forged = {**good.certificate, "claim": cone.certificate["claim"]}
            forged["proof"] = {
                "rule": rule,
                "lower": ["3/4", 1],
                "upper": ["3/4", 1],
                "data": data,
                "children": [cone.certificate["proof"]],
            }
            with pytest.raises(CertificateError):
                rlct.verify(forged)
            refused += 1
    assert refused == len(EVIDENCE) * len(words)
