"""A change of coordinates that does not lead walls to 0 is refused."""

import copy
import random
from fractions import Fraction

import pytest

import rlct
from rlct.errors import CertificateError
from rlct.pair import Pair

AT_POINT = rlct.poly(
    "x*z+(1-x-y)**2", at={"x": 0, "y": 1}, nonneg=["x", "z", "1-x-y", "2-x-2*y"]
).certificate
AXES = [["1", "0", "0", "0"], ["0", "0", "1", "0"]]
OVER_SIMPLEX = rlct.poly("z**2*(y-x)", over={"z": (-1, 1)}, nonneg=["0 <= x <= y <= 1"]).certificate
CORNER = rlct.ideal(["1-x+y**2+z**4"], over=(-1, 1)).certificate


def leaves(value, path=()):
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def changed(document, path, value):
    document = copy.deepcopy(dict(document))
    *way, last = path
    item = document
    for key in way:
        item = item[key]
    item[last] = value
    return document


def others(value):
    if isinstance(value, str):
        return [*{"0", "1", "-1", "2", "1/2"} - {value}, "x"]
    return [value + 1, value - 1, str(value), None]


@pytest.mark.parametrize("document", [AT_POINT, OVER_SIMPLEX], ids=["point", "simplex"])
def test_each_entry_of_a_change_counts(document):
    assert rlct.verify(document)
    question = document["question"]
    entries = [name for name in ("frame", "images", "simplices") if name in question]
    assert entries
    refused = 0
    for entry in entries:
        for path, value in leaves(question[entry], ("question", entry)):
            for forged in others(value):
                with pytest.raises(CertificateError):
                    rlct.verify(changed(document, path, forged))
                refused += 1
    assert refused > 40


@pytest.mark.parametrize(
    ("document", "walls"),
    [
        (AT_POINT, [*AXES, ["-1", "-1", "0", "1"], ["-1", "-2", "0", "1"]]),  # the point is outside
        (AT_POINT, [*AXES, ["-1", "-1", "0", "1"], ["1", "0", "-1", "0"]]),  # z ≤ x, too
        (AT_POINT, [AXES[0], ["-1", "-1", "0", "1"], ["0", "0", "0", "0"]]),
        (OVER_SIMPLEX, [["-1", "1", "0", "0"], ["0", "0", "0", "-1"]]),  # −1 ≥ 0: no domain
        (OVER_SIMPLEX, [["-1", "1", "0", "1/2"]]),  # x ≤ y + 1/2
        (OVER_SIMPLEX, [["-1", "1", "0", "0"], ["-1", "0", "0", "1/2"]]),  # x ≤ 1/2, too
        (OVER_SIMPLEX, [["-1", "1", "0", "0"], ["0", "0", "1", "0"]]),  # z ≥ 0, too
    ],
)
def test_walls_that_the_change_leaves_out_are_refused(document, walls):
    forged = changed(document, ("question", "walls"), walls)
    with pytest.raises(CertificateError, match="walls"):
        rlct.verify(forged)


def test_signs_of_variables_are_given_for_each():
    for nonneg in ([False], [], [True, False, False]):
        with pytest.raises(CertificateError, match="one of the walls"):
            rlct.verify(changed(AT_POINT, ("question", "question", "nonneg"), nonneg))


def test_a_zero_is_the_worst_of_a_cell_where_no_terms_cancel_seen_from_it():
    assert CORNER["proof"]["rule"] == "cells"
    assert rlct.verify(CORNER)
    (point,) = CORNER["proof"]["data"]["points"]
    assert point["at"] == ["1", "0", "0"]
    # With 3/4·(1 − x) − (1 − x)² a smooth surface of zeros is in the box; with 2·(1 − x) it is not.
    for factor, lam in (("3/4", "1/2"), ("2", "7/8"), ("5", "7/8")):
        K = f"{factor}*(1-x) - (1-x)**2 + y**2 + z**4"
        answer = rlct.ideal([K], over={"x": (0, 1), "y": (-1, 1), "z": (-1, 1)})
        assert answer.lam == Fraction(lam)
        assert rlct.verify(answer.certificate)
        forged = changed(
            CORNER, ("question", "generators"), answer.certificate["question"]["generators"]
        )
        forged["proof"]["data"]["factors"] = answer.certificate["proof"]["data"].get("factors", [])
        forged["question"]["sides"][0] = ["0", "1"]
        if lam == "1/2":
            with pytest.raises(CertificateError):
                rlct.verify(forged)
    # |x|^(-1/2) is not bounded where x is 0, which are other cells; |z|^(-1/2) is not at the zero.
    assert rlct.verify(changed(CORNER, ("question", "prior"), ["-1/2", "0", "0"]))
    with pytest.raises(CertificateError):
        rlct.verify(changed(CORNER, ("question", "prior"), ["0", "0", "-1/2"]))


@pytest.mark.parametrize("seed", range(10))
def test_zeros_at_walls_have_the_pairs_of_their_exponents(seed):
    # Σ of powers of distances to walls: at its zeros λ = Σ 1/(2e), 1/e for the power 2e inside.
    rng = random.Random(seed)
    terms, lam = [], Fraction(0)
    for name in "xyz":
        power, where = rng.randint(1, 2), rng.choice(["low", "high", "both", "inside"])
        form = {"low": f"({name}+1)", "high": f"(1-{name})", "both": f"(1-{name}**2)"}
        terms.append(f"{name}**{2 * power}" if where == "inside" else f"{form[where]}**{power}")
        lam += Fraction(1, 2 * power) / (2 if where == "inside" else 1)
    answer = rlct.ideal(["+".join(terms)], over=(-1, 1), timeout=20)
    assert answer.pair == Pair(lam, 1)
    assert rlct.verify(answer.certificate)


def test_a_question_behind_walls_is_one_about_polynomials():
    forged = changed(AT_POINT, ("question", "question"), dict(AT_POINT["question"]))
    with pytest.raises(CertificateError, match="question about polynomials"):
        rlct.verify(forged)


@pytest.mark.parametrize(
    "simplices",
    [
        [],  # y − x ≥ 0 is forgotten
        [
            {
                "variables": [0, 1],
                "walls": [0, 0, 3],
                "vertices": [["0", "0"], ["0", "1"], ["1", "1"]],
            }
        ],
        [
            {
                "variables": [0, 0],
                "walls": [0, 6, 3],
                "vertices": [["0", "0"], ["0", "1"], ["1", "1"]],
            }
        ],
        # A larger triangle, and the half of it where y ≤ 1/2.
        [
            {
                "variables": [0, 1],
                "walls": [3, 0, 6],
                "vertices": [["0", "0"], ["0", "2"], ["2", "2"]],
            }
        ],
        [
            {
                "variables": [0, 1],
                "walls": [3, 0, 6],
                "vertices": [["0", "0"], ["0", "1/2"], ["1/2", "1/2"]],
            }
        ],
    ],
)
def test_simplices_are_those_of_the_walls(simplices):
    right = OVER_SIMPLEX["question"]["simplices"]
    assert simplices != right
    with pytest.raises(CertificateError):
        rlct.verify(changed(OVER_SIMPLEX, ("question", "simplices"), simplices))
    with pytest.raises(CertificateError):
        rlct.verify(changed(OVER_SIMPLEX, ("question", "simplices"), right * 2))
