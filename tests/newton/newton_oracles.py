"""Independent checks: plain Fractions, no code of the package."""

from fractions import Fraction
from itertools import combinations


def row_reduce(rows):
    """Reduced row echelon form over Q and its pivot columns."""
    work = [[Fraction(int(x)) if not isinstance(x, Fraction) else x for x in r] for r in rows]
    pivots = []
    for column in range(len(work[0]) if work else 0):
        at = len(pivots)
        found = next((i for i in range(at, len(work)) if work[i][column]), None)
        if found is None:
            continue
        work[at], work[found] = work[found], work[at]
        work[at] = [x / work[at][column] for x in work[at]]
        for i in range(len(work)):
            if i != at and work[i][column]:
                factor = work[i][column]
                work[i] = [x - factor * y for x, y in zip(work[i], work[at], strict=True)]
        pivots.append(column)
    return work, pivots


def rank(rows):
    return len(row_reduce(rows)[1]) if rows else 0


def affine_rank(points):
    """Dimension of the affine hull."""
    return rank([[x - y for x, y in zip(p, points[0], strict=True)] for p in points[1:]])


def dot(left, right):
    return sum((Fraction(int(x)) if not isinstance(x, Fraction) else x) * y
               for x, y in zip(left, right, strict=True))  # fmt: skip


def brute_force_pair(exponents, prior):
    """λ and θ from all vertices of {v ≥ 0, v·α ≥ 1}.

    Costs are positive, so that the optimal face is a polytope: the hull of its vertices.
    """
    d = len(prior)
    costs = [1 + Fraction(h) for h in prior]
    walls = [(row, 1) for row in exponents]
    walls += [([int(i == j) for i in range(d)], 0) for j in range(d)]
    vertices = set()
    for chosen in combinations(walls, d):
        reduced, pivots = row_reduce([[*row, rhs] for row, rhs in chosen])
        if pivots != list(range(d)):
            continue
        v = tuple(reduced[i][d] for i in range(d))
        if all(dot(row, v) >= rhs for row, rhs in walls):
            vertices.add(v)
    best = min(dot(v, costs) for v in vertices)
    return best / 2, 1 + affine_rank([v for v in vertices if dot(v, costs) == best])


def check_certificate(exponents, prior, optimum):
    """Replay the two-sided proof of a MonomialOptimum; the assertion that fails says where."""
    costs = [1 + Fraction(h) for h in prior]
    lam, theta = optimum.pair.lam, optimum.pair.theta
    for point in optimum.points:
        assert all(isinstance(x, Fraction) and x >= 0 for x in point)
        assert all(dot(row, point) >= 1 for row in exponents), "a point is not feasible"
        assert dot(point, costs) == 2 * lam, "a point is not optimal"
    assert len(optimum.points) == theta
    assert affine_rank(optimum.points) == theta - 1, "the points are affinely dependent"
    y = optimum.multipliers
    assert all(value > 0 for value in y.values())
    assert sum(y.values()) == 2 * lam, "the multipliers do not reach λ"
    rest = [c - sum(y[i] * int(exponents[i][j]) for i in y) for j, c in enumerate(costs)]
    assert all(r >= 0 for r in rest), "the multipliers exceed the costs"
    d = len(costs)
    equations = [[int(x) for x in exponents[i]] for i in y]
    equations += [[int(i == j) for i in range(d)] for j in range(d) if rest[j] > 0]
    assert rank(equations) == d - theta + 1, "the face may be larger than θ − 1"
