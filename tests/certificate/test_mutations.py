"""A fault of the engine alone is refused; a fault of the checker alone changes no answer.

Every rule of every table of the checker gets a fault of its own: the engine writes another pair,
and all that it builds on this step fits.  Faults of single decisions follow.
"""

import importlib
import inspect
import json
import pkgutil
import time
from dataclasses import replace
from fractions import Fraction

import corpus
import pytest

import rlct
from rlct import certificate
from rlct.answers import refused_proof
from rlct.certificate.rules import RuleScope, rules_about
from rlct.engine import limits
from rlct.engine.newton_polyhedra import joint_bounds
from rlct.errors import CertificateError, RoutesDisagreeError
from rlct.newton.nondegeneracy import FaceZeros
from rlct.pair import Pair
from rlct.proof.tree import Proof

KINDS = {"plain": RuleScope.GERM, "family": RuleScope.FAMILY, "box": RuleScope.BOX}
TABLES = {kind: rules_about(scope) for kind, scope in KINDS.items()}
ALL = [(table, rule) for table, rules in TABLES.items() for rule in rules]
ALL.remove(("family", "enclose"))  # that of germs; nothing encloses a family today
#: What the corpus does not use: nodes of a search for blow-ups, and a question.
MORE = {
    "hyperdeterminant": (
        4000,
        "ideal",
        [
            "a**2*h**2+b**2*g**2+c**2*f**2+d**2*e**2+4*(a*d*f*g+b*c*e*h)"
            "-2*(a*b*g*h+a*c*f*h+a*d*e*h+b*c*f*g+b*d*e*g+c*d*e*f)"
        ],
        {},
    ),
    "subideal": (0, "ideal", ["(y+x)*x", "(z+y)**2*(y+2*z)**2*y"], {}),
    "coordinate of a chart": (4000, "ideal", ["(y-x)*(z-2*y)", "(z-x)*(x+y)*y"], {}),
    "open, hull": (8, "ideal", ["(x**2+y**2-3*z**2)**2+x**5"], {}),
    "product of a box": (
        4000,
        "poly",
        "((x-y)*(x+y-1))**2*(z**2-w**3)**2",
        {"over": {"x": (0, 1), "y": (-1, 1), "z": (-1, 1), "w": (-1, 1)}},
    ),
}
#: Of a false λ; with 1 it is θ that is false, by one.
FACTORS = (Fraction(2), Fraction(1, 2), Fraction(17, 16), Fraction(15, 16), Fraction(1))
PLANTED = ["(x-y)*(x-z)", "(y-z)**2*x"]  # 1/2; 2/3 if no zero of an initial form were singular
VANISHING = ["3*x**2*z-x*y*z", "-x**3-y*z**2-3*y*z"]  # 5/8; 2/3 if no initial form had a zero


def document(name, **limit):
    """The certificate of a question of the corpus or of this file, asked anew."""
    if name in corpus.QUESTIONS:
        return json.loads(json.dumps(corpus.asked(name).certificate))
    if name == "factor analysis":
        sizes = {"variables": 6, "factors": 3, "true_factors": 2}
        return rlct.model("factor-analysis", **sizes).certificate
    if name == "latent classes":
        return rlct.model("latent-class", classes=3, true=3, categories=(2, 2, 2, 2)).certificate
    if name == "quadratic network":
        return rlct.quadratic(inputs=4, units=5, outputs=3).certificate
    nodes, kind, inputs, options = MORE[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MOST_FAMILIES", nodes)
        patch.setattr(limits, "MOST_DIVISION_CELLS", 0)
        return json.loads(json.dumps(getattr(rlct, kind)(inputs, **options, **limit).certificate))


@pytest.fixture(scope="module")
def truth():
    """Certificates, the rules that each of them uses, and the seconds that it took."""
    answers = {}
    for name in corpus.QUESTIONS:
        proved = corpus.certificate(name)
        answers[name] = proved, rules_used(proved), corpus.SECONDS[name]
    for name in MORE:
        began = time.perf_counter()
        proved = document(name)
        answers[name] = proved, rules_used(proved), time.perf_counter() - began
    return answers


def rules_used(proved):
    """Tables and rules that the checker looks up."""
    used = set()

    def noted(key, function):
        def applied(*arguments):
            used.add(key)
            return function(*arguments)

        return applied

    with pytest.MonkeyPatch.context() as patch:
        for table, rules in TABLES.items():
            for name, rule in list(rules.items()):
                patch.setitem(rules, name, replace(rule, replay=noted((table, name), rule.replay)))
        assert rlct.verify(proved)
    return used


def refusal(proved):
    """Why the checker refuses a document, empty if it does not."""
    try:
        rlct.verify(proved)
    except CertificateError as error:
        return str(error)
    return ""


@pytest.mark.slow
def test_each_rule_is_written(truth):
    assert set(ALL) <= set().union(*(used for _, used, _ in truth.values()))


def shows(name, rule, factor):
    """Whether the checker refuses what the engine says if the pair of a rule is false."""
    write = Proof.__init__

    def mistaken(self, step, lower, upper, *evidence, **named):
        if step == rule:
            lower, upper = (
                pair and Pair(factor * pair.lam, pair.theta + (factor == 1))
                for pair in (lower, upper)
            )
        write(self, step, lower, upper, *evidence, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Proof, "__init__", mistaken)
        patch.setattr(refused_proof, "_SHORT_SEARCH", float("inf"))  # which would see it, too
        try:
            proved = document(name, timeout=6)  # with another θ a search may go on
        except RoutesDisagreeError:  # another route saw it
            return False
    message = refusal(proved)
    return f"{rule}: lower is" in message or f"{rule}: upper is" in message


@pytest.mark.study
@pytest.mark.parametrize(("table", "rule"), sorted(ALL))
def test_another_pair_is_refused(truth, table, rule):
    questions = sorted(
        (seconds, name) for name, (_, used, seconds) in truth.items() if (table, rule) in used
    )
    assert any(shows(name, rule, factor) for _, name in questions[:4] for factor in FACTORS)


def test_another_pair_of_a_network_is_refused():
    for name in ("linear network", "linear network with bias"):
        assert shows(name, "theorem", Fraction(2))
    assert shows("quadratic network", "generic-rank", Fraction(2))
    assert shows("factor analysis", "heywood-ranks", Fraction(2))
    assert shows("latent classes", "class-rank", Fraction(2))


def say_yes(*arguments, **named):
    return True


def no_zeros(generators, face):
    return FaceZeros(face, None, False)


def full_rank(germ, columns):
    return len(germ.generators)


#: Deciding functions of the engine, what they say instead, a question, λ, and λ as then claimed.
DECISIONS = [
    (["newton_polyhedra.joint_bounds.independent_differentials"], say_yes, PLANTED, "1/2", "2/3"),
    (["newton_polyhedra.joint_bounds.never_together"], say_yes, VANISHING, "5/8", "2/3"),
    (
        ["newton_polyhedra.joint_bounds.has_one_sign", "newton_polyhedra.division.has_one_sign"],
        say_yes,
        VANISHING,
        "5/8",
        "2/3",
    ),
    (["newton_polyhedra.newton.face_zeros"], no_zeros, ["(x**2-2*y*z)**2"], "1/4", "3/8"),
    (
        ["germs.leaves._rank"],
        full_rank,
        ["x+y", "x+2*y+z**2", "2*x+3*y+z**2+z**3"],
        "7/6",
        "3/2",
    ),
    (["reductions.crossings.independent"], say_yes, ["(x-y)*(x+y)*x*z"], "1/3", "1/2"),
    (["germs.monomials._independent"], say_yes, ["x*(x+y)*(x-y)*z", "z**2*x"], "2/5", "1/2"),
]


@pytest.mark.parametrize(("functions", "says", "generators", "right", "wrong"), DECISIONS)
def test_a_false_decision_is_refused(functions, says, generators, right, wrong, monkeypatch):
    monkeypatch.setattr(refused_proof, "_SHORT_SEARCH", float("inf"))  # which would see it, too
    monkeypatch.setattr(limits, "MOST_LINEAR_TERMS", 0)  # else other coordinates come first
    answer = rlct.ideal(generators)
    assert str(answer.pair.lam) == right
    assert rlct.verify(answer.certificate)
    for function in functions:
        monkeypatch.setattr(f"rlct.engine.{function}", says)
    answer = rlct.ideal(generators)
    assert str(answer.pair.lam) == wrong
    assert refusal(answer.certificate)


@pytest.mark.slow
def test_the_engine_does_not_listen_to_the_checker(truth, monkeypatch):
    """All functions of the checker say yes, and its rules with them."""
    for info in pkgutil.walk_packages(certificate.__path__, "rlct.certificate."):
        module = importlib.import_module(info.name)
        for name, _ in inspect.getmembers(module, inspect.isfunction):
            monkeypatch.setattr(module, name, say_yes)
    for rules in TABLES.values():
        for rule in rules:
            monkeypatch.setitem(rules, rule, say_yes)
    assert rlct.ideal(PLANTED).pair == Pair.of("1/2")
    for name, (proved, _, seconds) in truth.items():
        if seconds < 0.5:
            assert document(name) == proved


def test_both_have_to_fail_for_a_false_answer(monkeypatch):
    """What refuses the planted ideal is the decision, and no accident of its proof."""
    monkeypatch.setattr(refused_proof, "_SHORT_SEARCH", float("inf"))
    monkeypatch.setattr(limits, "MOST_LINEAR_TERMS", 0)
    monkeypatch.setattr(joint_bounds, "independent_differentials", say_yes)
    false = rlct.ideal(PLANTED)
    assert "dependent at a common zero" in refusal(false.certificate)
    monkeypatch.setattr("rlct.certificate.germs.polyhedra.have_independent_differentials", say_yes)
    assert rlct.verify(false.certificate)
    monkeypatch.undo()
    monkeypatch.setattr("rlct.certificate.germs.polyhedra.have_independent_differentials", say_yes)
    assert rlct.ideal(PLANTED).pair == Pair.of("1/2")
