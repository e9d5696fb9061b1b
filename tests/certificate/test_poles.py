"""Tables of poles beside a proof: what is replayed, and planted wrong decisions."""

import copy
import json
from fractions import Fraction

import pytest

import rlct
from rlct.blowup.pole_table import pole_evidence
from rlct.certificate.verify import replayed_poles
from rlct.cli.main import main


def certificate(f, **question):
    result = rlct.ideal([f], **question)
    poles = rlct.blow_up(result).poles
    document = {**result.certificate, **pole_evidence(result.question, poles)}
    return json.loads(json.dumps(document))


def entry(document, z):
    return next(entry for entry in document["poles"]["list"] if entry["z"] == z)


def refused(document, message):
    with pytest.raises(rlct.CertificateError, match=message):
        rlct.verify(document)


def test_every_reason_of_the_cusp_is_replayed():
    document = certificate("x**2-y**3")
    assert rlct.verify(document)
    replayed = replayed_poles(document)
    assert all(done for _, done in replayed)
    assert len(replayed) == 20


@pytest.mark.parametrize(
    ("f", "question", "open_numbers"),
    [
        ("x**2*y**2+x**5+y**5", {}, set()),
        ("x**4+x**2*y**3+y**6", {}, {"-7/24"}),  # its integral is enclosed
        # Gamma functions at integers, whose order would have to be counted.
        ("x**2-y**3", {"nonneg": ["y"]}, {"-3/4", "-5/4", "-7/4"}),
        # Sums over the real curves, and rational forms.
        ("x**2-y**2+x**3", {}, {"-1/2", "-1", "-3/2", "-2", "-5/2", "-3", "-7/2", "-4"}),
    ],
)
def test_what_is_replayed(f, question, open_numbers):
    document = certificate(f, **question)
    assert rlct.verify(document)
    assert open_numbers == {str(z) for z, done in replayed_poles(document) if z > -4.5 and not done}


@pytest.mark.parametrize(
    ("z", "changes", "message"),
    [
        ("-1/2", {"status": "none", "order": 0, "why": "odd rule"}, "a pole is said to be none"),
        ("-7/12", {"status": "none", "order": 0, "why": "odd rule"}, "an order is even"),
        ("-5/12", {"why": "vertex rule", "order": 2}, "no vertex has order 2"),
        ("-7/12", {"why": "curve rule"}, "neither a curve nor an axis"),
        ("-2/3", {"order": 1}, "unknown status"),
        ("-2/3", {"status": "proved"}, "unknown status"),
        ("-5/12", {"order": True}, "an order is no number"),
        ("-5/12", {"note": "trust me"}, "unknown evidence"),
        ("-5/12", {"z": "-6/12"}, "not a rational in lowest terms"),
        ("-5/12", {"z": "-1/3"}, "a candidate is left out"),
    ],
)
def test_planted_wrong_decisions_are_refused(z, changes, message):
    document = certificate("x**2-y**3")
    entry(document, z).update(changes)
    refused(document, message)


@pytest.mark.parametrize(
    ("z", "changes"),
    [
        ("-3/4", {"status": "pole", "order": 1, "why": "positive integral"}),
        ("-3/4", {"status": "pole", "order": 1, "why": "product of gamma functions"}),
        ("-7/12", {"status": "none", "order": 0, "why": "exact form", "forms": []}),
        ("-7/12", {"status": "pole", "order": 2}),
        ("-1/2", {"order": 2}),
        ("-2/3", {"status": "pole", "order": 1, "why": "positive integral"}),
        ("-3/4", {"forms": []}),
    ],
)
def test_others_are_not_replayed(z, changes):
    document = certificate("x**2-y**3")
    entry(document, z).update(changes)
    assert [str(s) for s, done in replayed_poles(document) if not done] == [z]


def test_primitives_and_the_list_are_checked():
    document = certificate("x**2-y**3")
    for form in entry(document, "-3/4")["forms"]:
        form[1] = [[k, str(2 * int(c) if "/" not in c else 1)] for k, c in form[1]]
    assert [str(s) for s, done in replayed_poles(document) if not done] == ["-3/4"]
    shorter = copy.deepcopy(document)
    del shorter["poles"]["list"][3]
    refused(shorter, "a candidate is left out")
    for function in ([["1", [2, 0]], ["1", [0, 3]]], [["1", [2, 0]], ["-2", [0, 3]]]):
        refused({**document, "poles": {**document["poles"], "function": function}}, "no power")
    assert rlct.verify(certificate("3*(x**2-y**3)**2"))
    document["poles"]["power"] = 1
    refused(document, "K is a square")


def test_a_vertex_has_its_order():
    document = certificate("x*y")
    entry(document, "-1/2")["order"] = 1
    refused(document, "a vertex has order 2")


def test_the_command_says_what_is_replayed(tmp_path, capsys):
    file = str(tmp_path / "cusp.json")
    assert main(["ideal", "x**2-y**3", "--poles", "--certificate", file]) == 0
    capsys.readouterr()
    assert main(["verify", file]) == 0
    assert "poles replayed: -5/12, -1/2, -7/12, -2/3" in capsys.readouterr().out
    assert main(["verify", file, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "poles_not_replayed" not in answer
    assert answer["poles_replayed"][:2] == ["-5/12", "-1/2"]


@pytest.mark.parametrize("f", ["x**2-y**3", "x**2*y**2+x**5+y**5", "x**3*y+y**5", "x**3-3*x*y**2"])
def test_no_wrong_status_or_order_is_ever_replayed(f):
    """Every other claim with every reason is refused, or left as not replayed."""
    document = certificate(f)
    whys = {e["why"].split(",")[0] for e in document["poles"]["list"]} | {
        *("odd rule", "exact form", "positive integral", "product of gamma functions"),
        *("vertex rule", "curve rule", "no monomial of this weight", "rational"),
    }
    for true in document["poles"]["list"]:
        before = dict(true)
        for status, order in [("pole", 1), ("pole", 2), ("pole", 3), ("none", 0)]:
            if (status, order) == (before["status"], before["order"]):
                continue
            for why in whys:
                true.update(status=status, order=order, why=why)
                try:
                    replayed = dict(replayed_poles(document))
                except rlct.CertificateError:
                    continue
                assert not replayed[Fraction(before["z"])], (before, status, order, why)
        true.clear()
        true.update(before)
