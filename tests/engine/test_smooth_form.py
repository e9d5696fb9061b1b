"""Smooth lowest forms: what the rule says, and that the checker holds it to its conditions."""

import copy
import itertools
import json
import random
from dataclasses import replace

import pytest

import rlct
from rlct.certificate.rules import RuleScope, rules_about
from rlct.engine import rules
from rlct.engine.nonnegative import nonnegativity_notes
from rlct.engine.reductions.smooth_form import smooth_form
from rlct.errors import CertificateError, NegativeError
from rlct.pair import Pair
from rlct.questions.problem import Problem

#: Sums of powers by `theory/brieskorn-pham.md`; then what it says nothing about: a definite form,
#: two with critical points, a prior, few variables, two generators.
VALUES = [
    (["x**3+y**3+z**3+w**3+v**3"], None, Pair.of("1/2")),
    (["x**3+y**3+z**3+w**3+x**2*y**2-z**7"], None, Pair.of("1/2")),
    (["x**4+y**4+z**4-w**4+x**5"], None, Pair.of("1/2", 2)),
    (["x*y-z*w+x**3"], None, Pair.of("1/2")),
    (["x**4+y**4+z**4+w**4"], None, None),
    (["x*y*z+w**3"], None, None),
    (["x**3+y**3+z**3+w**4"], None, None),
    (["x**3+y**3+z**3+w**3"], "x", None),
    (["x**3+y**3+z**3"], None, None),
    (["x**3+y**3+z**3+w**3", "x**4"], None, None),
]
QUARTIC = ["x**4+y**4+z**4-w**4+x*y*z*w+x**5"]


def certificate(generators, prior=None):
    """A certificate by this rule alone, whatever the engine would do."""
    problem = Problem.ideal(generators, prior=prior)
    document = json.loads(json.dumps(dict(rlct.ideal(generators, prior=prior).certificate)))
    return document | {"proof": smooth_form(problem.local).to_dict()}


@pytest.mark.parametrize(("generators", "prior", "pair"), VALUES)
def test_its_values(generators, prior, pair):
    proof = smooth_form(Problem.ideal(generators, prior=prior).local)
    assert (proof and proof.lower) == (proof and proof.upper) == pair
    if proof is not None:
        document = certificate(generators, prior)
        lower = {"lambda": str(pair.lam), "theta": pair.theta, "lower": str(pair.lam)}
        document["claim"] = {"status": "exact", **lower, "upper": str(pair.lam)}
        assert rlct.verify(document)


def dense(variables, degree, seed):
    """A form with all terms."""
    rng = random.Random(seed)
    rows = itertools.product(range(degree + 1), repeat=len(variables))
    return "+".join(
        f"({rng.choice((-3, -2, -1, 1, 2, 3))})*"
        + "*".join(f"{x}**{e}" for x, e in zip(variables, row, strict=True))
        for row in rows
        if sum(row) == degree
    )


@pytest.mark.parametrize("seed", range(3))
def test_newton_polyhedra_say_the_same(seed, monkeypatch):
    form = dense("xyzw", 3, seed)
    found = rlct.ideal([form])
    assert found.method == "engine: smooth-form"
    kept = tuple(rule for rule in rules.GERM_RULES if rule.name != "smooth-form")
    monkeypatch.setattr(rules, "GERM_RULES", kept)
    other = rlct.ideal([form])
    assert "smooth-form" not in other.method
    assert other.pair == found.pair


@pytest.mark.parametrize(("variables", "degree"), [("xyzwv", 3), ("xyzw", 4)])
def test_dense_forms_are_exact(variables, degree):
    found = rlct.ideal([dense(variables, degree, 5)])
    assert found.pair == Pair.of("1/2", 2 if degree == 4 else 1)
    assert rlct.verify(found.certificate)


def test_it_is_found_on_both_sides():
    assert "smooth-form" in {rule.name for rule in rules.GERM_RULES}
    assert "smooth-form" in rules_about(RuleScope.GERM)


X, Y, Z, W = ([4 * (k == i) for k in range(4)] for i in range(4))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        # Critical points where x = y = z = 0; none that is real but 0; another least degree.
        (
            ("question", "generators"),
            [[["1", X], ["1", Y], ["-1", Z], ["1", [0, 0, 0, 5]]]],
            "smooth-form",
        ),
        (
            ("question", "generators"),
            [[["1", X], ["2", [2, 2, 0, 0]], ["1", Y], ["1", Z], ["-1", W]]],
            "critical",
        ),
        (("question", "generators"), [[["1", X], ["1", [1, 0, 0, 1]], ["-1", W]]], "smooth-form"),
        (("question", "generators"), [[["1", X]], [["1", Y]]], "not principal"),
        (("question", "prior"), ["1", "0", "0", "0"], "prior"),
        (("proof", "data"), {}, "no real zero"),
        (("proof", "data", "signs"), [["1", "1", "1", "1"], ["2", "2", "2", "2"]], "prove nothing"),
        (("proof", "lower"), ["1/2", 1], "lower is"),
    ],
)
def test_forged_evidence_is_refused(path, value, message):
    document = copy.deepcopy(certificate(QUARTIC))
    assert rlct.verify(document)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(CertificateError, match=message):
        rlct.verify(document)


def test_a_definite_form_is_not_taken_for_one_with_zeros():
    """x⁴ + … + w⁴ has (1/2, 1): with a zero it would be (1/2, 2)."""
    document = certificate(QUARTIC)
    document["question"]["generators"] = [[["1", row] for row in (X, Y, Z, W)]]
    with pytest.raises(CertificateError, match="prove nothing"):
        rlct.verify(document)


@pytest.mark.parametrize(("K", "lam"), [("x**4+y**4+z**4", "3/8"), ("x**3", "1/6")])
def test_fewer_variables_than_the_degree_need_no_zero(K, lam):
    """The engine leaves these to other rules; the values are those of Brieskorn and Pham."""
    document = json.loads(json.dumps(dict(rlct.ideal([K]).certificate)))
    document["proof"] = {"rule": "smooth-form", "lower": [lam, 1], "upper": [lam, 1]}
    assert rlct.verify(document)
    assert document["claim"]["lambda"] == lam


def test_it_is_told_with_its_numbers():
    told = str(rlct.ideal(QUARTIC).explain())
    assert "A smooth lowest form" in told
    assert "θ = 2" in told


def test_a_form_that_changes_its_sign_is_no_K():
    """Reading K finds this one; were it not found, the proof would tell."""
    problem = Problem.ideal(["x**4+y**4+z**4-w**4+x*y*z*w"])
    proof = smooth_form(problem.local)
    assert nonnegativity_notes(problem, proof) == ()
    with pytest.raises(NegativeError):
        nonnegativity_notes(replace(problem, is_ideal=False), proof)
