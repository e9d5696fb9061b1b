"""Documents that are made to keep the checker busy: it ends, and says why."""

import math
import time

import pytest

import rlct
from rlct.certificate import cost
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.numbers.arithmetic import poly_quotient
from rlct.certificate.rules import RuleScope, rules_about
from rlct.errors import CertificateError, InputError

SECONDS = 15  # of the processor; the whole budget is a few


def certificate(question, proof):
    claim = {"status": "exact", "lambda": "1", "theta": 1, "lower": "1", "upper": "1"}
    return {
        "schema": "rlct/1",
        "kind": "certificate",
        "question": question,
        "claim": claim,
        "proof": proof,
    }


def box(generators, prior, rule, data, children=(), ideal=True):
    variables = [f"x_{i}" for i in range(len(prior))]
    question = {
        "kind": "box",
        "ideal": ideal,
        "variables": variables,
        "generators": generators,
        "prior": prior,
        "sides": [["-3", "3"]] * len(prior),
    }
    proof = {"rule": rule, "lower": ["1", 1], "upper": ["1", 1], "data": data}
    return certificate(question, {**proof, "children": list(children)})


def step(rule, data, *children):
    return {"rule": rule, "lower": None, "upper": None, "data": data, "children": list(children)}


def covered(units, multipliers):
    """A change by a variable below a cover by some functions."""
    change = step("change", {"variable": 0, "scale": [["1", [0, 1]]], "shift": []})
    below = step("branch", {"variable": 1}, change, step("point", {}))
    data = {"units": units, "multipliers": multipliers, "generators": [[], []]}
    data["images"] = [None] * len(units)
    generators = [[["1", [1, 0]], ["-1", [0, 1]]], [["1", [0, 2]]]]
    cover = step("cover", data, *[below] * len(units))
    return box(generators, ["0", "0"], "everywhere", {"walls": ["", ""]}, [cover])


def loadings(rows):
    """Factor analysis with no true factor, and as many pairs of rows as memory has bytes."""
    question = {"kind": "factor-analysis", "variables": rows, "factors": 1, "true_factors": 0}
    data = {"loadings": [[]] * rows}
    proof = {"rule": "heywood-ranks", "lower": ["1", 1], "upper": ["1", 1], "data": data}
    return certificate(question, proof)


def dependent(width):
    """An ideal of too many sets of generators, none of which has as many columns as rows."""
    rows = 2 * width
    generators = [[["1", [int(i == k % width) for i in range(width)]]] for k in range(rows)]
    prior = ["0"] * (width - 1) + ["-1/2"]
    return box(generators, prior, "cells", {"target": [f"{width}/2", 1]})


ZERO = [[], [["1", [0, 0]]]]
DOCUMENTS = {
    "a unit of a cover": covered(ZERO, ZERO),
    "a unit of a cover that is the only one": covered([[]], [[]]),
    "pairs of loadings": loadings(200_000),
    "sets of generators": dependent(13),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_checker_ends(name):
    began = time.process_time()
    with pytest.raises((CertificateError, InputError)) as raised:
        rlct.verify(DOCUMENTS[name])
    assert time.process_time() - began < SECONDS
    assert "\n" not in str(raised.value)


def test_a_division_is_paid_for_and_never_one_by_zero():
    p = {(1,): 1}
    with pytest.raises(CertificateError, match="by the zero polynomial"):
        poly_quotient(p, {})
    with pytest.raises(CertificateError, match="by the zero polynomial"):
        poly_quotient({}, {})
    with cost.budget(), pytest.raises(InputError, match="too large"):
        any(poly_quotient({}, p) for _ in range(cost.STEP_BUDGET))


def test_a_function_that_is_0_on_a_slice_is_no_unit_there():
    """x − 1 ≠ 0 where x = 1 is true of no point; a later step must not divide by it."""
    cell = FibreCell.whole([{(1, 2): 1, (0, 0): -1}], [0, 0]).where({(1, 0): 1, (0, 0): -1})
    (at_1, at_minus_1) = rules_about(RuleScope.CELL)["normalise"](
        FibreCell(cell.generators, cell.prior, cell.origin, cell.above, nonzero=frozenset({0})),
        {"variable": 0, "weights": [-2, 1]},
    )
    assert at_1.generators == ({(2,): 1, (0,): -1},)
    assert at_minus_1.generators == ({(2,): -1, (0,): -1},)
    assert cell.without(0, 1).units == ()
    assert cell.without(0, -1).units == ({(0,): -2},)


def test_the_sets_of_generators_are_more_than_the_budget():
    """Else the document above would end without the charge."""
    assert math.comb(26, 13) * 20 > cost.STEP_BUDGET
