"""Ladders of exact draws of linear layers: their means, what stops them, and clear errors."""

import json
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import rlct
from rlct.errors import InputError
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget


def test_a_population_is_a_regression_on_its_moments() -> None:
    """d samples √d·eᵢ without noise have the loss of the population, and its means at two nβ.

    False alarm 1e-4 in all; λ of the next rank is rejected.
    """
    population = LinearNetworkTarget([4, 4, 4], 1)
    x = 2.0 * np.eye(4)
    regression = RegressionTarget([4, 4, 4], 1, samples=1).on(x, x @ population.truth.T)
    w = 0.3 * np.random.default_rng(2).standard_normal((5, 32))
    assert regression.divergence(w) == pytest.approx(population.divergence(w))
    options = {"num_chains": 32, "num_draws": 60}
    a = gibbs(population, np.array([1e2, 1e6]), rng=np.random.default_rng(0), **options).draws
    b = gibbs(regression, np.array([1e2, 1e6]), rng=np.random.default_rng(1), **options).draws
    means = a.mean(axis=2), b.mean(axis=2)
    error = np.sqrt(sum(m.var(axis=1, ddof=1) for m in means) / 32)
    gap = means[0].mean(axis=1) - means[1].mean(axis=1)
    assert (np.abs(gap) < 5.0 * error).all()
    # λ = 7 at rank 1; 6 at rank 0, 15/2 at rank 2
    top = means[1][1]
    own = top.std(ddof=1) / np.sqrt(32)
    assert abs(top.mean() - 7.0) < 5.0 * own + 0.1
    assert abs(top.mean() - 6.0) > 5.0 * own + 0.1


@pytest.mark.parametrize(("width", "depth", "sigma"), [(6, 3, 1.0), (14, 3, 3.0), (26, 2, 1.0)])
def test_draws_are_right_as_far_as_rounding_is_said_to_allow(width, depth, sigma) -> None:
    """With σ = 3 chains of the narrower one left for 10¹⁰ where eigenvalues were taken."""
    widths = [width] * (depth + 1)
    target = LinearNetworkTarget(widths, 0, sigma=sigma)
    levels = np.geomspace(1e3, target.depth.far, 6)
    found = gibbs(target, levels, rng=np.random.default_rng(0), num_chains=3, num_draws=10)
    lam = float(rlct.linear(widths, rank=0).lam)
    assert abs(found.draws[-1].mean() / lam - 1) < 0.1


def test_same_seed_same_draws() -> None:
    target = RegressionTarget([3, 2, 4, 3], 1, samples=30, seed=3)
    runs = [
        gibbs(target, [1.0, 10.0], rng=np.random.default_rng(2), num_chains=3, num_draws=5)
        for _ in range(2)
    ]
    assert (runs[0].draws == runs[1].draws).all()
    assert runs[0].draws.shape == (2, 3, 5)


def test_bad_ladders_are_refused() -> None:
    target = LinearNetworkTarget([1, 1], 1)
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="rounding"):
        gibbs(target, 1e30, rng=rng)
    with pytest.raises(InputError, match="drawn exactly"):
        gibbs(PolynomialTarget([{(1,): 1}], squared=True), 1.0, rng=rng)


def alike(value, other) -> bool:
    """Equal but for the last digits of numbers, which processors compute differently."""
    if isinstance(value, list):
        return len(value) == len(other) and all(map(alike, value, other))
    if isinstance(value, dict):
        return value.keys() == other.keys() and all(alike(value[k], other[k]) for k in value)
    return value == (pytest.approx(other, rel=1e-9) if isinstance(value, float) else other)


def test_the_ladder_to_a_million_is_what_its_rows_say() -> None:
    """The report follows from the rows, λ from the package as it is now."""
    folder = Path(__file__).parents[2] / "validation" / "linear"
    spec = spec_from_file_location("ladder", folder / "ladder.py")
    ladder = module_from_spec(spec)
    spec.loader.exec_module(ladder)
    rows = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))["rows"]
    sizes = {row["widths"][0]: (row["burnin"], row["draws"]) for row in rows}
    assert sizes == ladder.WIDTH_SWEEPS
    assert rows[-1]["parameters"] > 10**6
    for row in rows:
        exact = rlct.linear(row["widths"], rank=row["rank"])
        assert (exact.lam, exact.theta) == (Fraction(row["lambda"]), 1)
        found = ladder.judged(row)
        for name, value in json.loads(json.dumps(found)).items():
            assert alike(value, row[name]), name
        assert abs(row["off"]) < 0.02
        assert abs(row["half_of_parameters"]["z"]) > row["critical"]
    assert (folder / "ladder.md").read_text(encoding="utf-8") == ladder.table(rows)
