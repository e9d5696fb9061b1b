"""The bound by initial monomials, forged, and in families with parameters."""

import json
from fractions import Fraction

import pytest
import sympy
from forging import consistent, refused

from rlct.algebra.polynomial import make_ring
from rlct.answers.document import problem_document
from rlct.certificate import family as checker
from rlct.certificate.rules import RuleScope, rules_about
from rlct.engine.germs import uniform
from rlct.engine.germs.family import Family
from rlct.engine.germs.initial import initial_bound, initial_bound_of_family
from rlct.engine.resolution.charts import charts
from rlct.errors import CertificateError
from rlct.pair import Pair
from rlct.questions.problem import Problem


def with_prior(generators, density, **data):
    """A certificate of the bound alone, with other evidence."""
    problem = Problem.ideal(generators, None, density)
    made = json.loads(json.dumps(problem_document(problem, initial_bound(problem.local))))
    made["proof"]["data"].update(data)
    return made


def test_more_of_the_prior_is_refused():
    """y·(x − y) with |y|³: with all of the prior the programme of y² would prove λ ≥ 1."""
    forged = with_prior(["y*(x - y)"], "y**3", order=[2, 1], outer=[], prior=["0", "1"])
    forged["proof"]["data"].update(weights=[["0", "1/2"]], multipliers=[[[0, 2], "1"]])
    assert consistent(forged)["claim"]["lower"] == "1/2"
    forged["proof"]["data"].update(prior=["0", "3"], multipliers=[[[0, 2], "2"]])
    refused(forged, "more of the prior than the common monomial takes away")


def test_an_outer_variable_of_an_initial_monomial_is_refused():
    """The same with y outer: (1 + 3)/2 would be its only candidate."""
    forged = with_prior(["y*(x - y)"], "y**3", order=[2, 1], outer=[1])
    refused(forged, "an outer variable is not one of the common monomial alone")


def test_an_outer_variable_is_not_counted_twice():
    forged = with_prior(["s**4*(x - y*s)", "s**4*(y**2 + s*x)"], "s**4")
    forged["proof"]["data"]["outer"] *= 2
    refused(forged, "a variable twice")


# --- families -----------------------------------------------------------------------------------

MONOMIAL = {"weights": [["1"]], "multipliers": [[[1], "1"]]}


def family(texts, locals_, fixed, units=()):
    names = [*locals_, *fixed]

    def read(text):
        terms = sympy.Poly(sympy.sympify(text), *sympy.symbols(names)).terms()
        return {tuple(m): Fraction(int(c.p), int(c.q)) for m, c in terms}

    return checker.GermFamily(
        tuple(map(read, texts)),
        (Fraction(0),) * len(locals_),
        (),
        len(fixed),
        tuple(map(read, units)),
    )


def test_a_coefficient_has_to_be_a_unit():
    """t·x + x² has λ = 1/2 only where t ≠ 0."""
    data = {"order": [1], "kept": [0], **MONOMIAL}
    rule = rules_about(RuleScope.FAMILY)["initial"]
    found = rule(family(["t*x + x**2"], "x", "t", units=["t"]), data, None)
    assert found == (Pair.of("1/2", 2), None)
    with pytest.raises(CertificateError, match="not known to be a unit"):
        rule(family(["t*x + x**2"], "x", "t"), data, None)


def test_parts_of_a_sum_do_not_share_parameters():
    """Bounds that hold after integration do not add: u·x and u·y are no example of the sum rule.

    The leaf is refused in parts that share u; if one part alone involves it, or none, it is not.
    """
    data = {"order": [1], "kept": [0], **MONOMIAL}
    total = rules_about(RuleScope.FAMILY)["sum"]

    def solve(part):
        return rules_about(RuleScope.FAMILY)["initial"](part, data, None)

    groups = {"groups": [[0], [1]]}
    shared = family(["x + u*x**2", "y + u*y**2"], "xy", "u")
    with pytest.raises(CertificateError, match="not uniform"):
        total(shared, groups, solve)
    apart = family(["x + u*x**2", "y + y**2"], "xy", "u")
    assert total(apart, groups, solve) == (Pair.of("1", 3), None)


def test_the_engine_knows_what_sums_share():
    """Charts, strata and parts of a part stay uniform."""
    names = ["x", "y", "z", "u"]
    ring = make_ring(names)
    x, y, z, u = ring.gens
    zero = Fraction(0)
    shared = Family((x**2 + u * y**3, u * z**2 - z**3), (zero,) * 3, (), (u,))
    parts = uniform.split_family(shared).children
    assert [part.uniform for part in parts] == [True, True]
    assert all(initial_bound_of_family(part) is None for part in parts)
    assert all(chart.uniform for chart in charts(parts[0], [3, 2], [[0], [1]]))
    alone = Family((x**2 + u * y**3, z**2 - z**3), (zero,) * 3, (), (u,))
    assert [part.uniform for part in uniform.split_family(alone).children] == [False, False]
    assert initial_bound_of_family(uniform.split_family(alone).children[0]).lower.lam == Fraction(
        1, 4
    )
