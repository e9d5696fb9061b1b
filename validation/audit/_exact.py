"""Exact ranks and Jacobians that several rows share."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

__all__ = [
    "generic_rank",
    "integers",
    "modular_inputs",
    "quadratic_features",
    "quadratic_jacobian",
    "quadratic_rank",
    "rank",
    "rank_on",
]

Matrix = Sequence[Sequence[Any]]


def rank(matrix: Matrix) -> int:
    """Rank of a matrix of rational numbers, exactly.

    >>> rank([[1, 2], [2, 4]])
    1
    """
    if not matrix or not matrix[0]:
        return 0
    rows = [[QQ(Fraction(x).numerator, Fraction(x).denominator) for x in r] for r in matrix]
    return int(DomainMatrix(rows, (len(rows), len(rows[0])), QQ).rank())


def integers(seed: int, *shape: int) -> Any:
    """Small random integers, none of them 0, as nested lists."""
    rng = np.random.default_rng(seed)
    return (rng.integers(1, 10, shape) * rng.choice([-1, 1], shape)).tolist()


def quadratic_features(x: Sequence[int]) -> list[int]:
    """Values at x of a basis of quadratic forms: x·Qx is their pairing with Q's entries a ≤ b."""
    n = len(x)
    return [(1 if a == b else 2) * x[a] * x[b] for a in range(n) for b in range(a, n)]


def quadratic_jacobian(W: Matrix, V: Matrix) -> list[list[int]]:
    """Jacobian of (W, V) ↦ (Σ_j v_kj w_j w_jᵀ)_k; a row per output k and entry a ≤ b."""
    units, d, p = len(W), len(W[0]), len(V)
    rows = []
    for k in range(p):
        for a in range(d):
            for b in range(a, d):
                line = []
                for j in range(units):
                    part = [0] * d
                    part[a] += V[k][j] * W[j][b]
                    part[b] += V[k][j] * W[j][a]
                    line += part
                for m in range(p):
                    line += [W[j][a] * W[j][b] if m == k else 0 for j in range(units)]
                rows.append(line)
    return rows


def quadratic_rank(d: int, p: int, units: int, seed: int = 1) -> int:
    """Rank of that Jacobian at a random integer parameter: at most the generic rank."""
    return rank(quadratic_jacobian(integers(seed, units, d), integers(seed + 1, p, units)))


def modular_inputs(p: int) -> list[list[int]]:
    """One-hot inputs (e_a, e_b) of addition modulo p."""
    return [
        [int(i == a) for i in range(p)] + [int(i == b) for i in range(p)]
        for a in range(p)
        for b in range(p)
    ]


def rank_on(inputs: Matrix, W: Matrix, V: Matrix, centred: bool = False) -> int:
    """Rank of the derivative of the outputs on a finite data set.

    The outputs are linear in the quadratic forms, so it is that of (features ⊗ 1) · Jacobian,
    which is built here from the units: ∂f_k/∂w_j = 2 v_kj (w_j·x) x and ∂f_k/∂v_kj = (w_j·x)².
    """
    p, units = len(V), len(W)
    blocks: list[list[list[Fraction]]] = []
    for k in range(p):
        block = []
        for x in inputs:
            s = [sum(a * b for a, b in zip(w, x, strict=True)) for w in W]
            line = [2 * V[k][j] * s[j] * xi for j in range(units) for xi in x]
            for m in range(p):
                line += [s[j] ** 2 if m == k else 0 for j in range(units)]
            block.append([Fraction(v) for v in line])
        if centred:
            n = len(block)
            means = [sum(column) / n for column in zip(*block, strict=True)]
            block = [[v - m for v, m in zip(line, means, strict=True)] for line in block]
        blocks.append(block)
    return rank([line for block in blocks for line in block])


def generic_rank(expressions: Iterable[Any], variables: Sequence[Any], seed: int = 3) -> int:
    """Rank of a Jacobian at a random integer point."""
    point = dict(zip(variables, integers(seed, len(variables)), strict=True))
    jacobian = sympy.Matrix(list(expressions)).jacobian(list(variables)).subs(point)
    return rank(jacobian.tolist())
