"""Softmax attention: dimensions of its functions without the formula, and special truths."""

from functools import partial
from itertools import product

import numpy as np
import pytest

import rlct
from rlct.cli.main import main
from rlct.models import get_model
from rlct.models.kit.derivative_rank import function_rank
from rlct.theorems import get_theorem
from rlct.theorems.activations.softmax_attention import _outputs
from rlct.theorems.arguments import Truth

THEOREM = get_theorem("softmax-attention")
ATTENTION = get_model("softmax-attention")


@pytest.mark.parametrize(
    ("inputs", "keys", "outputs", "values", "heads", "bias"),
    [
        *product((1, 2), (1, 2), (1, 2), (None, 1), (1,), (False, True)),
        *product((1, 2), (1,), (1, 2), (None,), (2, 3), (False, True)),
    ],
)
def test_a_generic_truth_has_half_the_rank(inputs, keys, outputs, values, heads, bias):
    """The rank of the derivative of the outputs themselves, for two tokens."""
    sizes = THEOREM.bind(
        {
            "inputs": inputs,
            "keys": keys,
            "outputs": outputs,
            "values": values,
            "heads": heads,
            "bias": bias,
        }
    )
    assert THEOREM.value(sizes) == rlct.Pair.of(f"{THEOREM.rank(sizes)}/2")


def rank_at(matrices):
    """Rank by V and A of heads with one input and output: A = q k with q = 1 given."""
    asked = ATTENTION(1, 1, 1, heads=len(matrices))
    weights = [number for a, v in matrices for number in (1, a, v)]
    return function_rank(partial(_outputs, asked), weights, 2)


@pytest.mark.parametrize(
    ("matrices", "rank"),
    [
        ([(2, 3)], 2),
        ([(0, 3)], 2),  # uniform weights
        ([(2, 0)], 1),  # V = 0
        ([(2, 3), (5, 1)], 4),
        ([(2, 3), (2, 1)], 2),  # the same scores
        ([(2, 3), (-2, 1)], 3),  # opposite ones, at two tokens
    ],
)
def test_special_weights(matrices, rank):
    assert rank_at(matrices) == rank


def test_the_engine_agrees_at_special_ranks():
    for sizes in ((2, 1, 1, 1, 1, False, 0, 1), (1, 1, 2, 1, 1, True, 0, 1), (1, 1, 1, 1, 2)):
        model = ATTENTION(*sizes)
        assert rlct.solve(model.problem()).pair == THEOREM.value(THEOREM.recognise(model))


def test_weights_that_are_seen_are_a_softmax_network():
    """One-hot tokens: the table softmax(Q K^T) at the uniform law, as in the theory."""
    uniform = rlct.model("softmax", inputs=4, hidden=2, classes=4)
    assert uniform.pair == rlct.linear([4, 2, 3], rank=0).pair


def test_heads_that_may_mix_have_bounds():
    for special in ({"value_rank": 0}, {"score_rank": 0}):
        found = rlct.model("softmax-attention", inputs=2, keys=1, outputs=2, heads=2, **special)
        assert found.status == "bounds"
    low, high = found.bounds
    assert (low.lam, high.lam) == (2, 6)
    opened = {"inputs": 2, "keys": 1, "outputs": 2, "distinct": Truth.OPEN}
    assert rlct.theorem("softmax-attention", **opened).bounds[0].lam == 7 / 2
    low, high = rlct.theorem("softmax-attention", **opened, heads=2).bounds
    assert (low.lam, high.lam) == (2, 7)


def volume_exponent(true_score, true_value):
    """Slope of log V(t), V the volume of K < t, of two tokens in one dimension, on a grid."""
    x, z = np.random.default_rng(0).uniform(-1, 1, (2, 60, 1, 1)) * 2
    near = np.linspace(-1, 1, 400)
    scores, values = np.meshgrid(true_score + near, true_value + near)

    def output(score, value):
        return value * (x + z / (1 + np.exp(-x * score * z)))

    difference = np.mean((output(scores, values) - output(true_score, true_value)) ** 2, axis=0)
    volumes = [np.mean(difference < t) for t in (0.0005, 0.005)]
    return np.log(volumes[1] / volumes[0]) / np.log(10)


@pytest.mark.parametrize(("score", "value", "rank"), [(1, 1, 1), (0, 1, 1), (1, 0, 0)])
def test_volumes_agree_and_refute_another_value(score, value, rank):
    """A and V themselves, without factors: the theorem less what it has for A = q k."""
    found = volume_exponent(score, value)
    (expected, wrong) = (1, 1 / 2) if rank else (1 / 2, 1)
    assert abs(found - expected) < 0.1 < abs(found - wrong)
    lam = THEOREM.apply(inputs=1, keys=1, outputs=1, value_rank=rank, score_rank=1).pair.lam
    assert lam == expected


def test_the_command(capsys):
    words = "net softmax-attention 8 2 8 --values 2 --heads 4 --bias"
    assert main(words.split()) == 0
    assert "λ = 120, θ = 1   (exact" in capsys.readouterr().out
    assert main([*words.split(), "--score-rank", "3"]) == 2
    assert "the rank of Q K^T is at most 2, not 3" in capsys.readouterr().err
