"""The reference set: pairs proved again, targets described without rlct, means recomputed."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import least_squares, linprog

import rlct
from rlct.answers.routes import solve
from rlct.benchmark import ReferenceProblem, all_problems, export_problems, get_problem
from rlct.benchmark.document import describe_target
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Target
from rlct.theorems import get_theorem as theorem_of

PROBLEMS = all_problems()
NAMES = [problem.id for problem in PROBLEMS]


def test_the_set_is_wide():
    assert len(PROBLEMS) >= 60
    assert len(set(NAMES)) == len(NAMES)
    assert min(p.dimension for p in PROBLEMS) == 1
    assert max(p.dimension for p in PROBLEMS) >= 2000
    assert {p.pair.theta for p in PROBLEMS} >= {1, 2, 3, 5}
    assert sum(p.pair.theta > 1 for p in PROBLEMS) >= 25
    for word in ("prior", "nonneg", "copies", "theorem", "poly"):
        assert any(word in p.ask for p in PROBLEMS), word


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_pair_is_proved_again(name: str):
    """By the engine or by a theorem whose hypotheses hold, whatever the file says."""
    problem = get_problem(name)
    question = problem.question()
    if "theorem" in problem.ask:
        theorem = theorem_of(problem.ask["theorem"])
        given = theorem.parse(f"{k}={v}" for k, v in problem.ask["arguments"].items())
        assert theorem.apply(**given).pair in (problem.pair, None)
    if isinstance(question, Target):
        assert theorem.apply(**given).pair == problem.pair
        return
    result = solve(question, timeout=30)
    assert result.status == "exact"
    assert result.pair == problem.pair
    # Which rules of the engine are used may change, but not who proves it.
    assert any(route.method.startswith(problem.proof) for route in result.routes)


def weights_of(target: PolynomialTarget):
    """Positive weights for which every generator is homogeneous, by linear programming."""
    d = target.dimension
    rows = []
    for generator in target.generators:
        first, *others = generator
        rows += [np.subtract(other, first) for other in others]
    equal = np.array(rows).reshape(len(rows), d)
    found = linprog(np.ones(d), A_eq=equal, b_eq=np.zeros(len(rows)), bounds=[(1, None)] * d)
    return found.x if found.status == 0 else None


# Where no weights exist and the theorem is about one parameter: the derivative of the generators
# has rank 2λ at every zero, because the true function determines it (theory/reference.md).
CONSTANT_RANK = {
    "quadratic-6-units",
    "quadratic-generic-2-2-1",
    "quadratic-one-output",
    "relu-data-2",
}


@pytest.mark.parametrize("name", NAMES)
def test_no_zero_in_the_box_is_worse_than_the_origin(name: str):
    """λ and θ of a box are the least over it: where K is quasi-homogeneous, the origin's.

    A zero w ≠ 0 has the pair of all its images under the scaling, which come as close to the
    origin as one likes; the local pair there is the least over a neighbourhood.
    """
    problem = get_problem(name)
    target = problem.target()
    if not isinstance(target, PolynomialTarget) or weights_of(target) is not None:
        return  # linear networks: the least over the fibre; ReLU: the theorem is about the box
    if name == "cusp-close-pole":
        box = {"x": ("-1/2", "1/2"), "y": ("-1/2", "1/2")}
        assert rlct.ideal(problem.ask["ideal"], over=box).pair == problem.pair
    elif name == "linear-point-222":
        assert rlct.linear([2, 2, 2], rank=1).pair == problem.pair
    elif name not in CONSTANT_RANK:
        where = theorem_of(problem.ask["theorem"]).where
        assert where.startswith(("minimum over all", "at every parameter")), where


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CONSTANT_RANK))
def test_zeros_in_the_box_have_one_rank(name: str):
    """Zeros found from random points of the box by least squares; the origin is one of them."""
    problem = get_problem(name)
    target = problem.target()
    rng = np.random.default_rng(0)

    def residuals(w: np.ndarray) -> np.ndarray:
        return target.values(w[None])[0]

    def derivative(w: np.ndarray) -> np.ndarray:
        steps = 1e-5 * np.eye(target.dimension)
        return np.array([residuals(w + s) - residuals(w - s) for s in steps]) / 2e-5

    scale = np.linalg.norm(derivative(np.zeros(target.dimension)), 2)
    ranks = [np.linalg.matrix_rank(derivative(np.zeros(target.dimension)), tol=1e-6 * scale)]
    for start in target.sample_prior(15, rng):
        walls = (-target.radius, target.radius)
        tight = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15}
        found = least_squares(residuals, start, lambda w: derivative(w).T, bounds=walls, **tight)
        if np.abs(found.fun).max() < 1e-7 * scale:
            ranks.append(np.linalg.matrix_rank(derivative(found.x), tol=1e-5 * scale))
    assert len(ranks) > 5
    assert set(ranks) == {2 * problem.pair.lam}


def test_exported_targets_need_no_rlct():
    """Evaluate K from the text of the generators by Python itself."""
    rng = np.random.default_rng(0)
    document = export_problems()
    assert json.loads(json.dumps(document)) == document
    for entry in document["problems"]:
        target = get_problem(entry["id"]).target()
        assert entry["dimension"] == target.dimension
        spec = entry["target"]
        if spec["type"] != "polynomial":
            continue
        low, high = np.array(spec["box"]).T
        w = low + (high - low) * rng.random((2, target.dimension))
        for row in w:
            names = dict(zip(spec["variables"], row, strict=True))
            values = [eval(g, {"__builtins__": {}}, names) for g in spec["generators"]]
            total = sum(v * v for v in values) if spec["squared"] else values[0]
            assert total == pytest.approx(target.divergence(row[None])[0], rel=1e-9)
        prior = np.abs(w) ** np.array(spec["prior_exponents"])
        gaps = np.log(prior.prod(axis=1)) - target.log_prior(w)
        assert gaps[0] == pytest.approx(gaps[1])


def test_exported_networks_need_no_rlct():
    rng = np.random.default_rng(1)
    for name in ("linear-2-2-2-r1", "linear-2-2-2-r0-bias"):
        target = get_problem(name).target()
        spec = describe_target(target)
        w = rng.standard_normal(target.dimension)
        widths, position, product, bias = spec["widths"], 0, np.eye(spec["widths"][0]), 0.0
        for inner, outer in pairwise(widths):
            block = w[position : position + outer * (inner + spec["bias"])]
            block = block.reshape(outer, inner + spec["bias"])
            position += block.size
            layer = block[:, :inner] + np.diag([1.0] * spec["rank"] + [0.0] * 9)[:outer, :inner]
            bias = layer @ (np.zeros(inner) + bias) + (block[:, inner] if spec["bias"] else 0)
            product = layer @ product
        truth = np.diag([1.0] * spec["rank"] + [0.0] * 9)[: widths[-1], : widths[0]]
        loss = 0.5 * ((product - truth) ** 2).sum() + 0.5 * np.square(bias).sum()
        assert loss == pytest.approx(target.divergence(w[None])[0])
    target = get_problem("relu-density-2-apart").target()
    spec = describe_target(target)
    w, truth = rng.uniform(-0.2, 0.2, target.dimension), np.array(spec["weights"])
    x = np.linspace(*spec["interval"], 200_001)

    def f(parameters: np.ndarray) -> np.ndarray:
        rows = parameters.reshape(spec["units"], 2 + spec["outputs"])
        return sum(v * np.maximum(a * x + b, 0) for a, b, v in rows)

    loss = np.mean((f(truth + w) - f(truth)) ** 2)
    assert loss == pytest.approx(target.divergence(w[None])[0], rel=1e-3)


def test_means_by_another_quadrature():
    """K = x² and x⁴ on [−1/2, 1/2], by scipy; a mean at the wrong nβ is noticed."""
    for name, power in (("x", 2), ("x2", 4), ("x4", 8)):
        for mean in get_problem(name).means:
            top = min(0.5, (60 / mean.n_beta) ** (1 / power))

            def energy(x: float, n: float = mean.n_beta, k: int = power) -> float:
                return n * x**k

            z = quad(lambda x: math.exp(-energy(x)), 0, top, epsabs=0, epsrel=1e-10)[0]
            e = quad(lambda x: energy(x) * math.exp(-energy(x)), 0, top, epsabs=0, epsrel=1e-10)[0]
            assert abs(e / z - mean.mean) <= max(mean.error, 1e-6)


def test_every_problem_has_means():
    for problem in PROBLEMS:
        assert [mean.n_beta for mean in problem.means] == [1e2, 1e3, 1e4, 1e6], problem.id
        for mean in problem.means:
            assert 0 < mean.mean < math.inf
            assert 0 < mean.error < 0.02 * mean.mean + 0.02


def test_means_of_a_sum_are_sums():
    five, one = get_problem("xy2-5"), get_problem("xy2")
    for total, part in zip(five.means, one.means, strict=True):
        assert total.mean == pytest.approx(5 * part.mean, abs=2 * total.error)
    assert isinstance(five.block(), ReferenceProblem)
