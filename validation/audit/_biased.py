"""Quadratic networks with one output and biases."""

from typing import Any

__all__ = ["dimension", "jacobian"]


def jacobian(W: Any, v: Any, b: Any) -> list[list[int]]:
    """Derivative of Q = Σ v wwᵀ (entries a ≤ b), r = Σ v b w, s = Σ v b² + c in (w, b, v), c."""
    K, d = len(W), len(W[0])
    rows = []
    for p in range(d):
        for q in range(p, d):
            line = []
            for j in range(K):
                part = [0] * d
                part[p] += v[j] * W[j][q]
                part[q] += v[j] * W[j][p]
                line += [*part, 0, W[j][p] * W[j][q]]
            rows.append([*line, 0])
    for p in range(d):
        line = []
        for j in range(K):
            part = [v[j] * b[j] if q == p else 0 for q in range(d)]
            line += [*part, v[j] * W[j][p], b[j] * W[j][p]]
        rows.append([*line, 0])
    line = []
    for j in range(K):
        line += [*([0] * d), 2 * v[j] * b[j], b[j] ** 2]
    rows.append([*line, 1])
    return rows


def dimension(d: int, K: int) -> int:
    return K * (2 * d - K + 1) // 2 + K + 1
