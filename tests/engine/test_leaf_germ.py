"""The germ at the point of a leaf: the way to it as rules of germs, and where that is no way."""

from fractions import Fraction

import pytest

import rlct
from rlct.answers.document import problem_document
from rlct.engine.boxes.everywhere import _cell
from rlct.engine.fibre.leaf_germ import prove_leaf_germ
from rlct.engine.fibre.search import FibreTree
from rlct.engine.strategy import prove_problem
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget


def tree_of(generators, kind, prior=None, walls=None, side=(-3, 3)):
    problem = BoxProblem.of(generators, side, prior, is_ideal=True)
    tree = FibreTree(_cell(problem, walls or [""] * len(problem.sides)), kind)
    tree.prove_points(Budget(20))
    return problem, tree


def proofs(problem, tree):
    """Each bound from above of a leaf, its point, and the proof of the germ of the question there.

    The checker replays the proof for the question at the point.
    """
    for pair, number in tree.uppers:
        place = tree.place_of(number)
        question = problem.at(tuple(place))
        proof = tree.germ_proof(number, question.local, place)
        if proof is not None:
            assert rlct.verify(problem_document(question, proof))
        yield pair, place, proof


def rules(step):
    return {step.rule}.union(*map(rules, step.children))


@pytest.mark.parametrize(
    ("generators", "kind", "cell_rules", "germ_rules", "pair"),
    [
        (["x*y-1", "y*z**2", "x*z*w"], "plain", {"normalise", "solve"}, {"transverse"}, (1, 2)),
        (
            ["a*b**2+c*d**2-1", "a*b*e+c*d*f", "a*e**2+c*f**2"],
            "completing",
            {"cover", "change"},
            {"coordinate", "simplify", "forget"},
            ("5/4", 1),
        ),
        (
            ["a*e+b*g-1", "a*f+b*h", "c*e+d*g", "c*f+d*h"],
            "plain",
            {"slide", "normalise"},
            {"transverse"},
            (2, 2),
        ),
        (["a**2+b**2-1", "a*c+b*d", "c**2+d**2"], "plain", {"rotate"}, set(), ("5/4", 1)),
    ],
)
def test_the_way_to_a_leaf_is_a_proof_at_its_point(generators, kind, cell_rules, germ_rules, pair):
    problem, tree = tree_of(generators, kind)
    assert cell_rules <= {step.rule for step in steps(tree._root)}
    found = list(proofs(problem, tree))
    assert min(upper for upper, *_ in found) == Pair.of(*pair)
    for upper, _, proof in found:
        assert (proof.lower, proof.upper) == (upper, upper)
        assert germ_rules <= rules(proof)


def steps(step):
    return [step, *(inner for child in step.children for inner in steps(child))]


@pytest.mark.parametrize("x", [0, 1, -2])
def test_a_slide_along_a_variable_that_is_0_is_no_way(x):
    """y + s·x in place of y moves nothing at x = 0: there the slice y = 0 has another germ."""
    problem = BoxProblem.of(["x*z", "z**2+0*y"], (-3, 3), is_ideal=True)
    whole = _cell(BoxProblem.of(["x*z+0*y", "z**2"], (-3, 3), is_ideal=True), [""] * 3)
    place = [Fraction(x), Fraction(0), Fraction(0)]
    field = {"field": [[1, [[0, "1"]]]], "matrix": [["0", "0"], ["0", "0"]]}
    way = [("slide", {"variable": 1, "along": 0, **field})]
    leaf = Proof("independent", Pair.of(1), None)
    question = problem.at(tuple(place))
    proof = prove_leaf_germ(question.local, place, (whole, whole), way, leaf, solved)
    assert (proof is None) == (x == 0)
    if proof is not None:
        assert proof.rule == "transverse"
        assert rlct.verify(problem_document(question, proof))


def solved(germ):
    count = germ.ring.ngens
    free = (False,) * count, (Fraction(0),) * count
    return prove_problem(Problem(germ.generators, True, germ.prior, *free, None, "cell"))


def test_another_point_is_no_zero_of_the_question():
    problem, tree = tree_of(["x*y-1", "y*z**2", "x*z*w"], "plain")
    ((_, number),) = tree.uppers
    place = tree.place_of(number)
    germ = problem.at(tuple(place)).local
    assert tree.germ_proof(number, germ, place) is not None
    assert tree.germ_proof(number, germ, [2 * a for a in place]) is None


def test_a_wall_that_the_cells_do_not_have_is_no_way():
    """At x = 1 the box ends: the germ there is that of x = 1 + y², and not the one of the cell."""
    generators = ["x*y-1", "y*z**2", "x*z*w"]
    _, tree = tree_of(generators, "plain")
    inside = BoxProblem.of(
        generators, {v: (1, 3) if v in "xy" else (-3, 3) for v in "wxyz"}, is_ideal=True
    )
    for _, number in tree.uppers:
        place = tree.place_of(number)
        assert tree.germ_proof(number, inside.at(tuple(place)).local, place) is None


def test_a_prior_at_the_point_is_kept():
    """x³ − x² with |x|⁷: at 1 the prior is a unit and λ = 1/2, at 0 it is 2."""
    problem, tree = tree_of(["x**3-x**2"], "plain", "x**7")
    found = {place[0]: proof.upper.lam for _, place, proof in proofs(problem, tree)}
    assert found == {0: 2, 1: Fraction(1, 2)}
