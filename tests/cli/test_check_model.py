"""``rlct check model``: a model in all its parameters, and claims on trial."""

import json

import pytest

RBM = ["check", "model", "rbm", "--visible", "2", "--hidden", "1"]


@pytest.mark.slow
def test_a_value_agrees_and_a_planted_one_does_not(call):
    """K = a²b²: λ = 1/2, θ = 2; wrongly refuted in 1 of 100 seeds, and this one is the default."""
    code, out, _ = call(*RBM, "--json")
    found = json.loads(out)
    assert (code, found["verdict"]) == (0, "agrees")
    assert found["claim"] == {"lambda": "1/2", "theta": 2}
    assert found["control"]["rejected"]
    code, out, _ = call(*RBM, "--claim", "3/4", "--json")
    found = json.loads(out)
    assert (code, found["verdict"]) == (1, "refuted")
    assert abs(found["z"]) > found["critical"], "by the data, not by theory alone"


@pytest.mark.slow
def test_its_options_may_stand_anywhere(call):
    first = call("check", "model", "--seed", "3", "--json", *RBM[2:], "--claim=1/2,2")
    second = call(*RBM, "--claim", "1/2,2", "--json", "--seed", "3")
    ours, theirs = (json.loads(out) for _, out, _ in (first, second))
    for found in (ours, theirs):
        found.pop("seconds")
    assert ours == theirs


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "model", "nothing"], "invalid choice"),
        ([*RBM[:-1], "1..2"], "leave out ranges"),
        ([*RBM, "--explain"], "no option of check"),
        ([*RBM, "--claim", "x"], "is not λ or λ,θ"),
        ([*RBM, "--method", "guess"], "invalid choice"),
    ],
)
def test_bad_input_is_one_line(call, words, message):
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1
    assert message in err
