"""Certificates that were accepted once, and say what is false: refused in whatever way they come.

``forgeries/`` has them.  `prior` drops |x|^7 where x is 1 and goes back to x = 0; `slide` goes
along a variable that is 0 at the place it names; `sign` takes x for K ≥ 0 over −1..2; `same` takes
a cell for one with a variable less, whose exponents it forgets: (v, w³ − y⁷) for (v, w³ − 1).
"""

import copy
import json
import time
from fractions import Fraction
from pathlib import Path

import corpus
import pytest

import rlct
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.fibre.cell_rules import check_symmetry
from rlct.certificate.rules import all_rules, cited_theorems
from rlct.certificate.sign import shows_sign
from rlct.cli.main import main
from rlct.errors import CertificateError

FORGERIES = Path(__file__).parent / "forgeries"
#: Generators, box and prior of those that say λ = 1/4 where it is 1/2.
QUESTIONS = {
    "prior": (["x**3-x**2"], {"x": (-3, 3)}, "x**7"),
    "slide": (["(x-1)**2", "(x-1)*v", "v**2"], {"x": (-3, 3), "v": (-3, 3)}, None),
}
COMMAND = ["ideal", "x**3-x**2", "--over", "x=-3:3", "--prior", "x**7"]
NAMES = ("prior", "slide", "sign", "same")


def read(name):
    return json.loads((FORGERIES / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_verify_refuses_it_in_one_line(name, capsys):
    began = time.process_time()
    assert main(["verify", str(FORGERIES / f"{name}.json")]) == 1
    out, err = capsys.readouterr()
    assert time.process_time() - began < 5
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("rlct: error: invalid certificate: ")


def test_a_cell_with_more_variables_is_not_the_same():
    """λ = 1 at the zeros with y ≠ 0, and 31/42 at 0."""
    assert read("same")["claim"]["lambda"] == "1"
    box = dict.fromkeys("vwy", (-3, 3))
    assert str(rlct.ideal(["v", "w**3-y**7"], over=box).lam) == "31/42"
    few, more = (FibreCell.whole([{m: Fraction(1)}], [0] * len(m)) for m in ((1,), (1, 5)))
    check_symmetry(few, few, [0], "same")
    for cells in ((few, more), (more, few)):
        with pytest.raises(CertificateError, match="same: "):
            check_symmetry(*cells, [0], "same")


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_it_says_is_false(name):
    generators, box, prior = QUESTIONS[name]
    assert read(name)["claim"]["lambda"] == "1/4"
    assert str(rlct.ideal(generators, over=box, prior=prior).lam) == "1/2"


def test_no_search_goes_on_with_one(capsys):
    assert main([*COMMAND, "--resume", str(FORGERIES / "prior.json")]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "make it again; leave it out to ask anew" in err
    assert main(COMMAND) == 0
    assert capsys.readouterr().out.startswith("λ = 1/2, θ = 1 (exact")


@pytest.mark.parametrize("name", QUESTIONS)
def test_without_the_leaf_they_are_bounds_that_hold(name):
    """The tree itself bounds from below, and is right."""
    document = read(name)
    del document["proof"]["data"]["attained"]
    document["proof"]["upper"] = None
    document["claim"] |= {"status": "bounds", "lambda": None, "theta": None, "upper": None}
    if name == "prior":
        assert rlct.verify(document)
    else:
        # A false pair at the point that the leaf named: its germ is (x², v²) there.
        document["claim"]["lower"] = "3/4"
        with pytest.raises(CertificateError, match="lower is '1/4'"):
            rlct.verify(document)


def positive(K, sides):
    """A certificate by `positive` of K over a box, as the rule itself gives it at the point."""
    document = read("sign")
    document["question"] |= {"generators": [K], "sides": sides, "variables": ["x", "y"]}
    document["question"]["prior"] = ["0", "0"]
    return document


@pytest.mark.parametrize(
    ("K", "sides"),
    [
        ([["1", [1, 0]]], [["-1", "2"], ["0", "1"]]),
        ([["1", [1, 1]], ["1", [3, 1]]], [["-1", "2"], ["0", "1"]]),
        ([["1", [1, 1]]], [["-1", "2"], ["-1", "1"]]),
        ([["-1", [2, 0]]], [["-1", "2"], ["0", "1"]]),
        ([["1", [1, 0]]], [["-2", "0"], ["0", "1"]]),
        ([["-1", [1, 1]]], [["-2", "0"], ["-1", "0"]]),
    ],
)
def test_a_K_that_is_negative_in_the_box_is_no_K(K, sides):
    with pytest.raises(CertificateError, match="K < 0 at points of the box"):
        rlct.verify(positive(K, sides))


@pytest.mark.parametrize(
    ("K", "over"),
    [
        ("x*y*(1+z**2)", {"x": (0, 2), "y": (0, 1), "z": (-1, 1)}),
        ("-x*y*(1+z**2)", {"x": (-2, 0), "y": (0, 1), "z": (-1, 1)}),
        ("x**2*y+x**4*y**3*z**2", {"x": (-1, 1), "y": (0, 1), "z": (-1, 1)}),
    ],
)
def test_a_K_that_is_nowhere_negative_is_shown_to_be(K, over):
    document = rlct.poly(K, over=over).certificate
    assert rlct.verify(document)
    assert shows_sign(document) or document["proof"]["rule"] == "univariate-factors"


CITED = {rule.name: rule.cites for rule in all_rules() if rule.cites}


def test_what_rules_take_as_known_is_printed(capsys, tmp_path):
    path = tmp_path / "c.json"
    for name, rule in (("minors", "minors"), ("linear network", "theorem"), ("newton", None)):
        document = corpus.certificate(name if rule else "squares, sum, newton")
        path.write_text(json.dumps(document), "utf-8")
        assert main(["verify", str(path)]) == 0
        lines = [line for line in capsys.readouterr().out.splitlines() if "taken" in line]
        assert lines == ([f"taken as known: {CITED[rule]}; rule {rule}"] if rule else [])
        assert main(["verify", "--json", str(path)]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer.get("taken_as_known") == ({rule: CITED[rule]} if rule else None)


def test_a_rule_that_is_cited_deep_in_a_proof_is_seen():
    document = copy.deepcopy(corpus.certificate("enclose, initial, hull"))
    assert set(cited_theorems(document)) == {"initial"}
    assert document["proof"]["rule"] != "initial"
