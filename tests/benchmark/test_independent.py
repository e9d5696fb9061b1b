"""Means by independent draws: against quadrature, and weights that are densities."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from rlct.benchmark import all_problems, export_problems, get_problem

FOLDER = Path(__file__).parents[2] / "validation" / "coverage"
N_BETAS = (1e2, 1e3, 1e4, 1e6)


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("independent", FOLDER / "independent.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize("name", ["xy", "x2-prior-x3", "cusp", "sum-quadrant", "tanh-1-1"])
def test_draws_agree_with_quadrature(program, name):
    problem = get_problem(name)
    rng = np.random.default_rng(0)
    found = program.estimate(problem.target(), N_BETAS, 12 * program.CHUNK_DRAWS, rng)
    for ratio, known in zip(found, problem.means, strict=True):
        assert ratio.error < 0.03 * ratio.mean
        assert abs(ratio.mean - known.mean) < 4 * np.hypot(ratio.error, known.error)


@pytest.mark.parametrize(
    "name", ["x2-prior-x3", "sum-octant", "relu-density-1", "linear-2-2-2-r1", "naive-bayes-2"]
)
def test_weights_are_densities(program, name):
    """They are at most 3, one on average, and give the moments of the prior."""
    target = get_problem(name).target()
    w, weights = program.weighted(target, 90_000, np.random.default_rng(0))
    assert weights.max() <= 3
    prior = target.sample_prior(90_000, np.random.default_rng(1))
    for moment in (lambda w: np.ones(len(w)), lambda w: np.abs(w[:, 0]), lambda w: (w**2).sum(1)):
        mine, theirs = weights * moment(w), moment(prior)
        error = np.hypot(mine.std(), theirs.std()) / np.sqrt(len(w))
        assert abs(mine.mean() - theirs.mean()) < 4 * error


def test_a_pilot_leaves_to_chains_what_draws_cannot_do(program, monkeypatch):
    """Two of the regions that few draws meet: the scatter of those says nothing."""
    monkeypatch.setattr(program, "MOST_DRAWS", program.PILOT_DRAWS)
    monkeypatch.setattr(program, "ENOUGH_ERROR", 0.05)
    rows = program.by_draws(get_problem("linear-point-222"), N_BETAS)
    assert rows[0][3] == "independent draws"
    assert rows[2:] == [None, None]
    assert program.by_draws(get_problem("linear-10-10-10-r3"), N_BETAS) == [None] * 4
    few = program.Ratio(1.0, 1e-9, 1e9, program.FEWEST_DRAWS - 1)
    unseen = program.Ratio(1.0, 1e-9, 1e-9, 1e9)
    assert min(r.needed(program.PILOT_DRAWS, program.ENOUGH_ERROR) for r in (few, unseen)) > 1e15


def test_methods_are_named_and_degrees_with_them():
    found = {m.method for p in all_problems() for m in p.means}
    assert found == {"quadrature", "independent draws", "markov chain"}
    for problem in export_problems()["problems"]:
        for mean in problem["means"]:
            assert mean["degrees_of_freedom"] == (11 if mean["method"] == "markov chain" else None)
            if mean["method"] == "independent draws":
                assert mean["error"] < 0.006 * mean["mean"]


def test_a_mean_in_four_dimensions():
    """By Gauss and Legendre with 20 points an axis, where 16 and 32 give the same ten digits."""
    x, share = np.polynomial.legendre.leggauss(20)
    target, r = get_problem("tanh-2-0").target(), 0.5
    x, share = r * x, share / 2
    grid = np.stack(np.meshgrid(x, x, x, x, indexing="ij"), axis=-1).reshape(-1, 4)
    weights = np.einsum("i,j,k,l->ijkl", share, share, share, share).ravel()
    energy = 100 * target.divergence(grid)
    mass = weights * np.exp(-energy)
    mean = get_problem("tanh-2-0").means[0]
    exact = (mass @ energy) / mass.sum()
    assert mean.error < 0.002 * exact
    assert abs(mean.mean - exact) < 4 * mean.error
