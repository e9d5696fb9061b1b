"""Experts and norms at a generic truth: ranks of the outputs themselves, and other values."""

from itertools import product

import numpy as np
import pytest

import rlct
from rlct.cli.main import main
from rlct.errors import InputError
from rlct.models import get_model
from rlct.theorems import get_theorem

EXPERTS = get_theorem("softmax-experts")
NORM = get_theorem("normalised-layer")


def half_the_rank(theorem, names, sizes):
    """Compare λ with the rank of the derivative at random weights, exponentials and roots too."""
    given = theorem.bind(dict(zip(names.split(), sizes, strict=True)))
    value = theorem.value(given)
    # Where norms have zeros of codimension two there is no pole, but the same λ.
    assert getattr(value, "lower", value) == rlct.Pair.of(f"{theorem.rank(given)}/2")


@pytest.mark.parametrize("sizes", [*product((1, 2), (1, 2, 3), (1, 2), (False, True))])
def test_experts(sizes):
    half_the_rank(EXPERTS, "inputs experts outputs bias", sizes)


@pytest.mark.parametrize(
    "sizes",
    [
        *product((2,), (3, 4, 5), *[(False, True)] * 3, (False,)),
        *product((1,), (3, 6), (False, True), (True,), (False, True), (True,)),
        (3, 2, False, True, False, False),
        (2, 7, True, True, False, False),  # more gains than squares
    ],
)
def test_norms(sizes):
    half_the_rank(NORM, "inputs units centred gains shifts bias", sizes)


def test_symmetries_lower_the_rank():
    """A shift of the gates, a scale before the norm: without them all weights would count."""
    for theorem, sizes, weights in (
        (EXPERTS, {"inputs": 2, "experts": 2, "outputs": 1}, 8),
        (NORM, {"inputs": 2, "units": 3}, 6),
    ):
        assert theorem.rank(theorem.bind(sizes)) < weights


def test_volumes_of_two_experts_agree_and_refute_another_value():
    """V(t) of K < t on a grid of w₁, w₂ and the difference of gates: 3/2, not 2."""
    x = np.linspace(-3, 3, 15).reshape(-1, 1, 1, 1)

    def output(first, second, gate):
        return x * (second + (first - second) / (1 + np.exp(-gate * x)))

    near = np.linspace(-0.5, 0.5, 80)
    grid = np.meshgrid(2 + 0.3 * near, -2 + 0.3 * near, 1 + near)
    difference = np.mean((output(*grid) - output(2, -2, 1)) ** 2, axis=0)
    volumes = [np.mean(difference < t) for t in (0.0005, 0.005)]
    found = np.log10(volumes[1] / volumes[0])
    value = EXPERTS.apply(inputs=1, experts=2, outputs=1).pair.lam
    assert abs(found - float(value)) < 0.1 < abs(found - 2)


def test_commands(capsys):
    assert main(["net", "experts", "64", "8", "64"]) == 0
    assert "λ = 16608, θ = 1   (exact if: " in capsys.readouterr().out
    assert main(["net", "norm", "4", "8", "--centred", "--gains", "--shifts"]) == 0
    assert "λ = 43/2, θ = 1   (exact if: " in capsys.readouterr().out
    assert main(["net", "norm", "4", "2", "--centred"]) == 2
    assert "take three or more" in capsys.readouterr().err
    assert main(["net", "norm", "1", "4", "--shifts"]) == 2
    assert "two inputs, or one and a bias" in capsys.readouterr().err
    assert main(["net", "experts", "6", "5", "4", "--check"]) == 3
    assert "not run: simulation is limited to 60 weights here" in capsys.readouterr().out


@pytest.mark.slow
def test_the_model_itself_is_sampled(capsys):
    assert main(["net", "experts", "1", "2", "1", "--check"]) == 0
    assert "agrees: λ = 3/2 fits and the planted wrong value" in capsys.readouterr().out


def test_there_are_no_polynomials():
    for name, sizes in (("experts", (1, 1, 1)), ("norm", (1, 2))):
        with pytest.raises(InputError, match="no polynomials"):
            get_model(name)(*sizes).problem()
