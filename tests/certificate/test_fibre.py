"""Forged trees of cells: each is refused by the rule that it breaks."""

import copy
import json
from dataclasses import replace
from fractions import Fraction

import corpus
import pytest

import rlct
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.germs.independent import UnitCell
from rlct.certificate.rules import RuleScope, rules_about
from rlct.errors import CertificateError

TREE = "box, fibre: both signs"
GAUGE = "box, fibre: slide"
TURNED = "box, fibre: rotate"
SPLIT = "box, fibre: split-terms"
CHAIN = "box, fibre: subtract, solve"
UNITS = "box, fibre: cover, change"
FIELDS = "box, fibre: fields"
NAMES = (TREE, GAUGE, TURNED, CHAIN, UNITS, FIELDS)


def nodes(step, rule):
    """Steps of a proof by the name of their rule."""
    found = [step] if step["rule"] == rule else []
    return found + [inner for child in step.get("children", []) for inner in nodes(child, rule)]


def forged(name, rule, change, which=0):
    """The certificate with one node of the rule changed."""
    document = copy.deepcopy(corpus.certificate(name))
    change(nodes(document["proof"], rule)[which])
    return document


def refused(document, match):
    with pytest.raises(CertificateError, match=match):
        rlct.verify(document)


def test_a_dropped_leaf():
    document = forged(TREE, "normalise", lambda node: node["children"].pop())
    refused(document, "missing, or one too many")


def test_a_wrong_weight():
    def change(node):
        node["data"]["weights"][-1] += 1

    refused(forged(TREE, "contract", change), "not homogeneous")


def test_a_weight_that_lets_a_variable_grow():
    def change(node):
        node["data"]["weights"] = [-w for w in node["data"]["weights"]]

    refused(forged(TREE, "contract", change), "grows")


def test_a_literal_without_its_negation():
    def change(node):
        inner = node["children"][0]
        node.clear()
        node.update(inner)

    with pytest.raises(CertificateError):
        rlct.verify(forged(TREE, "branch", change))


def test_one_sign_of_two():
    def change(node):
        node["data"]["signs"] = [0] * len(node["data"]["weights"])
        node["data"]["signs"][node["data"]["variable"]] = 1
        node["children"].pop()

    refused(forged(TREE, "normalise", change), "signs change a generator")


def test_a_point_outside_the_support():
    document = copy.deepcopy(corpus.certificate(GAUGE))
    assert document["proof"]["data"]["points"]
    document["question"]["sides"][0] = ["3/2", "2"]
    refused(document, "a point is outside")
    # a ≥ 1 and e ≥ 1: at a wall the germ is that of the wall, and is proved as such or not.
    for k in (0, 4):
        document["question"]["sides"][k] = ["1", "2"]
    refused(document, "proof > ")


def test_the_tree_of_another_truth():
    document = copy.deepcopy(corpus.certificate(GAUGE))
    document["question"]["generators"] = corpus.certificate(CHAIN)["question"]["generators"]
    with pytest.raises(CertificateError):
        rlct.verify(document)
    other = copy.deepcopy(corpus.certificate(GAUGE))
    for g in other["question"]["generators"]:
        if ["-1", [0] * 6] not in g:
            g.append(["-2", [0] * 6])
    with pytest.raises(CertificateError):
        rlct.verify(other)


def test_terms_that_cancel_are_no_proof_that_a_cell_is_empty():
    question = {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}
    document = json.loads(json.dumps(rlct.ideal(["x*y-z**2", "x*z"], over=question).certificate))
    document["proof"]["children"] = [
        {"rule": "absent", "lower": ["3", 1], "upper": None, "data": {"generator": 0}}
    ]
    document["proof"]["data"] = {"walls": ["", "", ""]}
    refused(document, "may cancel")


def test_a_field_that_changes_the_ideal():
    def change(node):
        node["data"]["field"] = node["data"]["field"][:1]

    refused(forged(GAUGE, "slide", change), "ideal is not kept")


def test_a_slide_along_a_variable_that_may_vanish():
    def change(node):
        node["data"]["along"], node["data"]["variable"] = (
            node["data"]["variable"],
            node["data"]["along"],
        )

    refused(forged(GAUGE, "slide", change), "not moved")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda data: data["field"][1].__setitem__(2, "2"), "the ideal moves"),
        (lambda data: data.update(field=data["field"][:1]), "the ideal moves"),
        (lambda data: data["field"].append([0, 2, "1"]), "no plane"),
        (lambda data: data.update(along=2), "no plane"),
        (lambda data: data.update(along=data["variable"]), "not moved"),
    ],
)
def test_a_rotation_that_is_none(change, match):
    refused(forged(TURNED, "rotate", lambda node: change(node["data"])), match)


def test_a_rotation_that_moves_a_zero():
    """y = 0 on the cell is turned into y ≠ 0 by the field that takes x to 0."""
    circle = {(2, 0): Fraction(1), (0, 2): Fraction(1), (0, 0): Fraction(-1)}
    cell = FibreCell.whole([circle], [Fraction(0)] * 2)
    turn = {"variable": 0, "along": 1, "field": [[0, 1, "1"]]}
    (child,) = rules_about(RuleScope.CELL)["rotate"](replace(cell, nonzero=frozenset({0})), turn)
    assert (child.zeros, child.nonzero) == ({0}, {1})
    with pytest.raises(CertificateError, match="a zero moves"):
        rules_about(RuleScope.CELL)["rotate"](replace(cell, zeros=frozenset({1})), turn)
    with pytest.raises(CertificateError, match="prior"):
        rules_about(RuleScope.CELL)["rotate"](replace(cell, prior=(Fraction(1), Fraction(0))), turn)


def test_terms_that_may_cancel_are_not_split():
    def change(node):
        node["data"]["generators"] = [0, *node["data"]["generators"]]

    refused(forged(SPLIT, "split-terms", change), "may cancel")


def test_another_leaf():
    document = forged(TREE, "same", lambda node: node["data"].update(permutation=[0, 1, 2]))
    with pytest.raises(CertificateError):
        rlct.verify(document)


def test_a_root_that_is_left_out():
    def change(node):
        node["data"]["roots"].pop()
        node["children"].pop()

    refused(forged(TREE, "solve", change), "other roots|missing")


def test_functions_that_may_vanish_together():
    """Without the generator in the combination, Σ u_m is no unit."""

    def change(node):
        node["data"]["generators"] = [[] for _ in node["data"]["generators"]]

    refused(forged(UNITS, "cover", change), "may vanish together")


def test_a_part_of_a_cover_that_is_no_image_of_another():
    def change(node):
        node["data"]["images"][1] = list(range(len(node["data"]["images"][1])))

    refused(forged(UNITS, "cover", change), "cells are not the same|units are not the same")


def test_a_coordinate_with_a_factor_that_may_vanish():
    """1 + x in place of a number, where x takes all values but 0."""

    def change(node):
        width = len(node["data"]["scale"][0][1])
        data = node["data"]
        data["scale"] = [["1", [e * (k == 0) for k in range(width)]] for e in (0, 1)]
        assert data["variable"]

    refused(forged(UNITS, "change", change), "no coordinate on the cell")


def test_a_coordinate_that_involves_its_own_variable():
    def change(node):
        data = node["data"]
        width = len(data["scale"][0][1])
        data["shift"] = [["1", [2 * (k == data["variable"]) for k in range(width)]]]

    refused(forged(UNITS, "change", change), "its own coordinate")


def test_other_speeds_and_other_fields():
    def faster(node):
        node["data"]["fields"][0]["speed"][0] = "7"

    def shorter(node):
        node["data"]["fields"][0]["field"].pop()

    refused(forged(FIELDS, "fields", faster), "does not move at this speed")
    refused(forged(FIELDS, "fields", shorter), "does not move at this speed")


def test_a_field_twice_counts_once():
    def change(node):
        node["data"]["fields"][1] = node["data"]["fields"][0]

    refused(forged(FIELDS, "fields", change), "lower is")


def test_a_bound_by_exponents_on_a_cell_is_no_other():
    """More weights, as if the optimal face were larger; a generator less."""

    def larger(node):
        node["data"]["weights"].append(["1"] * len(node["data"]["weights"][0]))

    def fewer(node):
        node["data"]["generators"].pop()

    refused(forged(UNITS, "independent", larger), "does not attain|affinely independent")
    refused(forged(UNITS, "independent", fewer), "not an exponent|not as small")


def test_a_coefficient_that_may_vanish_on_the_cell_is_none():
    """(1 + t)·x − y with t free: at t = −1 the pair is that of y alone, of no binomial."""
    cell = UnitCell((0, 0, 0), frozenset({0, 1}))
    form = {(1, 0, 0): 1, (1, 0, 1): 1, (0, 1, 0): -1}
    assert cell.terms(form) is None
    unit = {(0, 0, 0): 1, (0, 0, 1): 1}
    assert set(replace(cell, units=(unit,)).terms(form)) == {(1, 0, 0), (0, 1, 0)}


def test_a_literal_is_lost_where_a_scaling_may_lead_to_its_zero():
    """1 + x ≠ 0 holds along t·x no longer than at the limit: it is dropped; x·y stays."""
    generators = [{(1, 1, 1): Fraction(1)}]
    cell = FibreCell.whole(generators, [Fraction(0)] * 3).where({(0, 0, 0): 1, (1, 0, 0): 1})
    (moved,) = rules_about(RuleScope.CELL)["contract"](cell, {"weights": [1, 0, 0]})
    assert not moved.units
    kept = FibreCell.whole(generators, [Fraction(0)] * 3).where({(0, 1, 0): 1, (0, 0, 1): 1})
    (moved,) = rules_about(RuleScope.CELL)["contract"](kept, {"weights": [1, 0, 0]})
    assert moved.units


@pytest.mark.parametrize("rule", rules_about(RuleScope.CELL | RuleScope.LEAF | RuleScope.END))
@pytest.mark.parametrize("lam", ["1/2", "17/16", "12"])
def test_another_pair_is_refused(rule, lam):
    """What a step records is recomputed by its rule, whatever stands above it."""
    written = [name for name in NAMES if nodes(corpus.certificate(name)["proof"], rule)]
    assert written
    for name in written:
        document = forged(name, rule, lambda node: node.update(lower=[lam, 1]))
        if document != corpus.certificate(name):
            refused(document, f"{rule}: lower is")
        refused(forged(name, rule, lambda node: node.update(upper=["1", 1])), f"{rule}: upper is")


@pytest.mark.parametrize("rule", sorted(rules_about(RuleScope.CELL).keys() - {"point"}))
def test_the_cells_that_a_rule_makes_are_those_that_are_proved(rule, monkeypatch):
    """With a rule that leaves the cell as it is, no true tree passes."""
    monkeypatch.setitem(rules_about(RuleScope.CELL), rule, lambda cell, data: [cell])
    documents = [corpus.certificate(name) for name in NAMES]
    used = [document for document in documents if nodes(document["proof"], rule)]
    assert used
    for document in used:
        with pytest.raises(CertificateError):
            rlct.verify(document)


def test_a_leaf_is_no_point_of_the_question():
    """The germ of a leaf may be that of no point: once it could be named as one."""
    document = copy.deepcopy(corpus.certificate(TREE))
    data = document["proof"]["data"]
    del data["points"]
    data["attained"] = 0
    document["proof"]["children"] = document["proof"]["children"][:1]
    refused(document, "earlier version.*make it again")


def test_0_is_a_root_that_leads_nowhere_where_the_variable_is_not_0():
    p = {(3,): Fraction(1), (2,): Fraction(-1)}  # x²(x − 1)
    cell = replace(FibreCell.whole([p], [Fraction(0)]), nonzero=frozenset({0}))
    data = {"generator": 0, "variable": 0}
    (child,) = rules_about(RuleScope.CELL)["solve"](cell, {**data, "roots": ["0", "1"]})
    assert child.zeros == {0}
    assert child.values
    for roots in (["1"], ["0"], ["0", "2"], ["0", "1", "1"], []):
        with pytest.raises(CertificateError, match="solve"):
            rules_about(RuleScope.CELL)["solve"](cell, {**data, "roots": roots})
