"""Murfet et al., sections 5 and 6: the approximate posteriors and the family of truths."""

from math import cos, pi, sin

import sympy

from validation.audit._exact import integers
from validation.audit.row import Facts, close, exact, row


@row("001-predictive-average")
def predictive_average() -> Facts:
    R = sympy.Rational
    post, density = (R(1, 4), R(3, 4)), (R(1, 10), R(7, 10))
    pairs = [(i, j) for i in (0, 1) for j in (0, 1)]
    mean = sum(post[i] * post[j] * (density[i] + density[j]) / 2 for i, j in pairs)
    right = sum(a * b for a, b in zip(post, density, strict=True))
    yield exact("mean of the average of two draws", mean, right, control=sum(density) / 2)


@row("001-laplace-covariance")
def laplace_covariance() -> Facts:
    a, b = sympy.symbols("a b")
    data = ((1, 2), (2, 1), (-1, 0))
    log_post = -sum((y - b * x) ** 2 for x, y in data) / 2 - b**2 / 2
    yield exact("third derivative", sympy.diff(log_post, b, 3), 0)
    yield exact(
        "Σ", -1 / sympy.diff(log_post, b, 2), sympy.Rational(1, 7), control=sympy.Rational(1, 6)
    )
    loss = sum((a * b * x) ** 2 for x, _ in data) / 2
    at = sympy.hessian(loss, (a, b)).subs({a: 0, b: 0})
    yield exact("Hessian of the loss of ab·x at 0", at, sympy.zeros(2))


@row("001-truths")
def truths() -> Facts:
    for m in (3, 4, 5):
        w = [(cos(2 * pi * (i + 0.5) / m), sin(2 * pi * (i + 0.5) / m)) for i in range(m)]
        total = max(abs(sum(v[k] for v in w)) for k in (0, 1))
        yield close(f"|Σ w_i|, m = {m}", total, 0, 1e-12, control=0.1)
        inside = all(abs(c) / 3 < 1 for v in w for c in v)
        yield exact(f"every boundary meets X, m = {m}", inside, True)


@row("001-other-components")
def other_components() -> Facts:
    import numpy as np

    m = 5
    angles = 2 * pi * (np.arange(m) + 0.5) / m
    axis = np.linspace(-1, 1, 41)
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    u = points @ np.stack([np.cos(angles), np.sin(angles)]) - 1 / 3
    gap = np.maximum(u, 0).sum(axis=1) - (np.maximum(-u, 0).sum(axis=1) - m / 3)
    yield close("largest difference of the two networks", float(np.abs(gap).max()), 0, 1e-12)
    distinct = float(np.abs(u - (-u)).max()) > 0
    yield exact("only one parameter up to scaling and order", not distinct, False, printed=True)


@row("001-feature-posterior")
def feature_posterior() -> Facts:
    X = sympy.Matrix(integers(6, 6, 3))
    yield exact("positive definite", (X.T * X).is_positive_definite, True)
    dead = X.copy()
    dead[:, 2] = sympy.zeros(6, 1)  # a ReLU feature that is off on every input
    yield exact("with a dead feature", (dead.T * dead).is_positive_definite, False)
