"""ReLU networks in rational numbers, with exact directional derivatives."""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import cos, pi, sin
from typing import Any

import numpy as np
from scipy.special import expit

__all__ = [
    "Layer",
    "basis",
    "derivative",
    "random_network",
    "scaling_direction",
    "star_features",
    "star_loss",
]

Layer = tuple[list[list[Fraction]], list[Fraction]]  # weights (out × in) and biases


def random_network(widths: Sequence[int], seed: int) -> list[Layer]:
    """Small random rational weights and biases, none of them 0."""
    rng = np.random.default_rng(seed)

    def draw() -> Fraction:
        return Fraction(int(rng.integers(1, 12) * rng.choice([-1, 1])), 4)

    return [
        ([[draw() for _ in range(a)] for _ in range(b)], [draw() for _ in range(b)])
        for a, b in itertools.pairwise(widths)
    ]


def derivative(
    network: Sequence[Layer], direction: Sequence[Layer], x: Sequence[Fraction]
) -> list[Fraction]:
    """Derivative of the output at x along a direction in the parameters, exactly."""
    value, slope = list(x), [Fraction(0)] * len(x)
    for i, ((A, b), (dA, db)) in enumerate(zip(network, direction, strict=True)):
        u = [
            sum((p * q for p, q in zip(row, value, strict=True)), c)
            for row, c in zip(A, b, strict=True)
        ]
        du = [
            sum((p * q for p, q in zip(drow, value, strict=True)), dc)
            + sum((p * q for p, q in zip(row, slope, strict=True)), Fraction(0))
            for row, drow, dc in zip(A, dA, db, strict=True)
        ]
        if i < len(network) - 1:
            if any(v == 0 for v in u):
                raise ValueError("the input lies on a decision boundary")
            du = [d if v > 0 else Fraction(0) for v, d in zip(u, du, strict=True)]
            u = [max(v, Fraction(0)) for v in u]
        value, slope = u, du
    return slope


def _zero(network: Sequence[Layer]) -> list[Layer]:
    return [([[Fraction(0)] * len(r) for r in A], [Fraction(0)] * len(b)) for A, b in network]


def scaling_direction(
    network: Sequence[Layer], layer: int, unit: int, sign: int = -1
) -> list[Layer]:
    """Incoming weights and bias of a hidden unit, and ``sign`` times its outgoing weights."""
    direction = _zero(network)
    direction[layer][0][unit] = list(network[layer][0][unit])
    direction[layer][1][unit] = network[layer][1][unit]
    for row, source in zip(direction[layer + 1][0], network[layer + 1][0], strict=True):
        row[unit] = sign * source[unit]
    return direction


def basis(network: Sequence[Layer]) -> list[list[Layer]]:
    """Unit directions of every parameter."""
    functions = []
    for i, (A, b) in enumerate(network):
        for j in range(len(A)):
            for k in range(len(A[j])):
                direction = _zero(network)
                direction[i][0][j][k] = Fraction(1)
                functions.append(direction)
            direction = _zero(network)
            direction[i][1][j] = Fraction(1)
            functions.append(direction)
        assert len(A) == len(b)
    return functions


def star_features(m: int, units: int, points: Any, activation: str = "relu") -> Any:
    """Derivatives of c + Σ q σ(w·x + b) at the regular m-gon of unit normals, b = −1/3, q = 1.

    σ is ReLU, or the SiLU x/(1 + exp(−100x)).  Units beyond m are zero. One row per point, one
    column per parameter (4·units + 1).
    """
    columns = [np.ones(len(points))]
    for i in range(units):
        if i >= m:
            columns += [np.zeros(len(points))] * 4
            continue
        angle = 2 * pi * (i + 0.5) / m
        u = points @ np.array([cos(angle), sin(angle)]) - 1 / 3
        share = (u > 0).astype(float) if activation == "relu" else expit(100 * u)
        slope = share * (1 + 100 * u * (1 - share))  # the second term is 0 for ReLU
        columns += [slope * points[:, 0], slope * points[:, 1], slope, share * u]
    return np.stack(columns, axis=1)


def star_loss(m: int, step: Any) -> float:
    """Mean squared difference on a grid when the parameters of the m-gon network move by a step.

    The step lists (w₁, w₂, b, q) of each unit after the constant.
    """
    axis = (np.arange(400) + 0.5) / 200 - 1
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    gap = np.full(len(points), float(step[0]))
    for i in range(m):
        angle = 2 * pi * (i + 0.5) / m
        w = np.array([cos(angle), sin(angle)])
        dw, db, dq = step[4 * i + 1 : 4 * i + 3], step[4 * i + 3], step[4 * i + 4]
        before = np.maximum(points @ w - 1 / 3, 0)
        gap += (1 + dq) * np.maximum(points @ (w + dw) - 1 / 3 + db, 0) - before
    return float(gap @ gap) / len(points)
