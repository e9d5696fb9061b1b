"""Norms where the weights have a kernel: E |x|²/|z|², its logarithm at codimension two."""

from itertools import pairwise

import numpy as np
import pytest

import rlct
from rlct.cli.main import main
from rlct.models import get_model
from rlct.theorems import get_theorem

NORM = get_theorem("normalised-layer")


def mean_square(change, kernel_change, directions=96, radii=1500):
    """E |N(y + A y + B k) − N(y)|² for normal y in the plane and k, by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    angles = 2 * np.pi * (np.arange(directions) + 0.5) / directions
    radius = np.exp(np.linspace(-20, 2.2, radii))
    masses = radius**2 * np.exp(-(radius**2) / 2)
    y = radius[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    total = 0.0
    for k, mass in zip(nodes, weights / weights.sum(), strict=True):
        moved = y + y @ change.T + k * kernel_change
        units = [z / np.linalg.norm(z, axis=-1, keepdims=True) for z in (moved, y)]
        errors = 2 * ((units[0] - units[1]) ** 2).sum(axis=-1).mean(axis=-1)
        total += mass * float(masses @ errors / masses.sum())
    return total


def test_one_direction_has_a_logarithm():
    """W = (e1; e2), dW = δ e1 e3ᵀ: K/δ² grows by log 10 a decade, as at no pole of order one."""
    still = np.zeros((2, 2))
    ratios = [
        mean_square(still, np.array([delta, 0.0])) / delta**2 for delta in (1e-1, 1e-2, 1e-3, 1e-4)
    ]
    assert ratios == pytest.approx([3.384, 5.694, 7.997, 10.299], rel=0.01)
    assert [b - a for a, b in pairwise(ratios)] == pytest.approx([np.log(10)] * 3, rel=0.01)


def test_k_is_comparable_with_the_form_of_the_law():
    """|v|² + |B|² log(1/|B|), v the changes of y but for the scale; |v|² + |B|² is not."""
    rng = np.random.default_rng(0)
    ratios, regular = [], []
    for _ in range(4):
        a, b = rng.normal(size=(2, 2)), rng.normal(size=2)
        across = a - np.trace(a) / 2 * np.eye(2)
        for delta in (1e-1, 1e-3, 1e-5):
            v, size = delta * np.linalg.norm(across), delta * np.linalg.norm(b)
            found = mean_square(delta * a, delta * b)
            ratios.append(found / (v**2 + size**2 * np.log(10 / size)))
            regular.append(found / (v**2 + size**2))
    assert max(ratios) < 4 * min(ratios)
    assert max(regular) > 5 * min(regular)


@pytest.mark.parametrize(
    ("words", "lam", "law"),
    [
        ("3 2", "5/2", "ε^(5/2)/log(1/ε))"),
        ("2 2 --bias", "5/2", "ε^(5/2)/log(1/ε))"),
        ("4 3 --centred", "7/2", "ε^(7/2)/log(1/ε)^2)"),
        ("64 3 --centred --gains --shifts", "133/2", "ε^(133/2)/log(1/ε)^62)"),
    ],
)
def test_at_codimension_two_there_is_a_law_and_no_theta(words, lam, law, capsys):
    assert main(["net", "norm", *words.split()]) == 3
    out = capsys.readouterr().out
    assert out.startswith(f"λ = {lam}, no θ   (bounds if: the inputs have a density and ")
    assert f"(no pole: V(ε) ≍ {law}" in out
    assert "true      z has no zero" not in out
    assert "|x|" not in "".join(line for line in out.splitlines() if " true " in line)


def test_json_explanation_and_page_have_no_theta(capsys):
    assert main(["net", "norm", "3", "2", "--json"]) == 3
    out = capsys.readouterr().out
    for part in ('"lambda": "5/2"', '"theta": null', '"status": "bounds"', '"upper": "5/2"'):
        assert part in out
    assert main(["net", "norm", "3", "2", "--explain"]) == 3
    out = capsys.readouterr().out
    assert "λ = 5/2, no θ (no pole: V(ε) ≍ ε^(5/2)/log(1/ε))" in out
    assert "θ = 1" not in out.partition("The theorem says")[0]
    table = rlct.compare([get_model("norm")(inputs=3, units=2)], names=["n"])
    assert table.rows[0].to_dict()["theta"] is None
    assert not table.rows[0].exact


@pytest.mark.parametrize("sizes", [(3, 3, False), (2, 3, True), (64, 64, False)])
def test_without_a_kernel_nothing_is_asked_of_zeros(sizes):
    inputs, units, centred = sizes
    answer = NORM.apply(inputs=inputs, units=units, centred=centred)
    assert answer.exact
    assert answer.assumptions == ("the inputs have a density",)


@pytest.mark.parametrize("sizes", [(4, 3, False), (64, 8, True), (3, 3, False, True)])
def test_from_codimension_three_on_the_value_is_exact_if(sizes):
    """E 1/|y|² over normal y in three dimensions is 1: K stays a sum of squares."""
    names = ("inputs", "units", "centred", "bias")
    answer = NORM.apply(**dict(zip(names, sizes, strict=False)))
    assert answer.exact
    assert any("(1 + |x|)" in text for text in answer.assumptions)
    opened = NORM.apply(**dict(zip(names, sizes, strict=False)), zeros="open")
    assert (opened.bounds.lower, opened.bounds.upper) == (answer.pair, None)


def test_a_special_truth_may_have_more_than_half_of_the_weights():
    """W = (e1; 0): K is comparable with δ₁² + |δ₂| + |α|, so λ is 5/2 where 3 weights are seen."""
    x = np.random.default_rng(0).standard_normal((400_000, 2))

    def loss(alpha, first, second):
        z = np.stack([x[:, 0] + alpha * x[:, 1], first * x[:, 0] + second * x[:, 1]], axis=1)
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        return 2 * ((z - np.stack([np.sign(x[:, 0]), 0 * x[:, 0]], axis=1)) ** 2).sum(axis=1).mean()

    for direction, power in (((1, 0, 0), 1), ((0, 0, 1), 1), ((0, 1, 0), 2)):
        losses = [loss(*(t * np.array(direction))) for t in (1e-1, 1e-2)]
        assert np.log10(losses[0] / losses[1]) == pytest.approx(power, abs=0.1)
    bounds = NORM.apply(inputs=2, units=2, generic="open").bounds
    assert bounds.hold(rlct.Pair.of("5/2"))
    assert not bounds.hold(rlct.Pair.of("7/2"))
