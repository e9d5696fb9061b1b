"""Exact linear algebra, cones and facets against plain Fractions."""

import numpy as np
import pytest
from newton_oracles import dot, rank, row_reduce

from rlct.newton.cone import cone
from rlct.newton.double_description import newton_facets
from rlct.newton.exponents import minimal_rows
from rlct.newton.padic import solve_exactly
from rlct.newton.rational import exact_product, independent_rows, integer_kernel, rank_at_least

pytestmark = pytest.mark.light


@pytest.mark.parametrize("seed", range(40))
def test_solve(seed):
    rng = np.random.default_rng([8, seed])
    n, high = int(rng.integers(1, 9)), 10 ** int(rng.integers(1, 12))
    matrix = rng.integers(-high, high, (n, n))
    rhs = rng.integers(-high, high, (n, 3))
    if rank(matrix.tolist()) < n:
        with pytest.raises(ArithmeticError):
            solve_exactly(matrix, rhs)
        return
    numerators, denominator = solve_exactly(matrix, rhs)
    reduced, _ = row_reduce(np.hstack([matrix, rhs]).tolist())
    assert denominator > 0
    for i in range(n):
        assert [int(x) for x in numerators[i]] == [x * denominator for x in reduced[i][n:]]


def test_a_singular_system_is_refused():
    with pytest.raises(ArithmeticError, match="singular"):
        solve_exactly(np.array([[1, 2], [2, 4]]), np.array([[1], [1]]))


@pytest.mark.parametrize("seed", range(40))
def test_rank_and_kernel(seed):
    rng = np.random.default_rng([9, seed])
    n, k, inner = (int(x) for x in rng.integers(1, 6, 3))
    matrix = rng.integers(-3, 4, (n, inner)) @ rng.integers(-3, 4, (inner, k))
    expected = rank(matrix.tolist())
    rows = independent_rows(matrix)
    assert len(rows) == expected
    for i in range(n):  # first come, first kept
        assert (i in rows) == (rank(matrix[: i + 1].tolist()) > rank(matrix[:i].tolist()))
    kernel = integer_kernel(matrix)
    assert kernel.shape == (k - expected, k)
    assert not exact_product(matrix, kernel.T).any()
    assert len(kernel) == 0 or rank(kernel.tolist()) == len(kernel)
    assert rank_at_least(matrix, expected)
    assert not rank_at_least(matrix, expected + 1)


def test_products_do_not_overflow():
    big = np.array([[2**62, 2**62]], dtype=object)
    assert exact_product(big, big.T)[0, 0] == 2**125
    small = np.full((1, 8), 2**31)
    assert exact_product(small, small.T)[0, 0] == 2**65


@pytest.mark.parametrize("seed", range(60))
def test_cones_carry_their_proof(seed):
    rng = np.random.default_rng([10, seed])
    r, c = (int(x) for x in rng.integers(1, 6, 2))
    core = rng.integers(-2, 3, (r, c))
    found = cone(core)
    u, values = found.interior[:r].tolist(), found.interior[r:].tolist()
    slack, w = found.proof[:r].tolist(), found.proof[r:].tolist()
    assert values == [sum(int(core[i, j]) * u[i] for i in range(r)) for j in range(c)]
    assert slack == [-sum(int(core[i, j]) * w[j] for j in range(c)) for i in range(r)]
    assert min(u + values + slack + w) >= 0
    assert dot(u, slack) + dot(values, w) == 0
    # The equations that the proof enforces leave a space of the dimension claimed; the
    # interior point is strict elsewhere, which reaches that dimension.
    equations = [[int(i == k) for k in range(r)] for i in range(r) if slack[i]]
    equations += [core[:, j].tolist() for j in range(c) if w[j]]
    dimension = r - rank(equations)
    assert len(found.kernel) == dimension
    vanishing = [[int(i == k) for k in range(r)] for i in range(r) if not u[i]]
    vanishing += [core[:, j].tolist() for j in range(c) if not values[j]]
    assert r - rank(vanishing) == dimension


@pytest.mark.parametrize("seed", range(30))
def test_facets_are_valid_and_span(seed):
    rng = np.random.default_rng([11, seed])
    d = int(rng.integers(1, 5)) if seed < 20 else 6
    high, count = (6, int(rng.integers(1, 9))) if seed < 20 else (3, 14)
    points = np.unique(rng.integers(0, high, (count, d)), axis=0)
    for *normal, level in newton_facets(points, 10_000).tolist():
        values = [int(dot(point, normal)) for point in points.tolist()]
        assert min(values) == level
        assert min(normal) >= 0
        base = points[values.index(level)]
        span = [(p - base).tolist() for p, v in zip(points, values, strict=True) if v == level]
        span += [[int(i == j) for j in range(d)] for i in range(d) if normal[i] == 0]
        assert rank(span) == d - 1


@pytest.mark.parametrize("seed", range(40))
def test_minimal_rows(seed):
    rng = np.random.default_rng([12, seed])
    d = int(rng.integers(1, 20))
    matrix = rng.integers(0, 4, (int(rng.integers(1, 40)), d)) * (
        rng.random((1, d)) < rng.choice([0.2, 1])
    )
    expected = [
        i
        for i, row in enumerate(matrix)
        if not any(
            (other <= row).all() and ((other != row).any() or k < i)
            for k, other in enumerate(matrix)
        )
    ]
    assert minimal_rows(matrix) == expected
    assert minimal_rows(matrix.astype(object) * 10**40) == expected
