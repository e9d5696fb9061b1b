"""Murfet et al., sections 5 and 6: the approximate posteriors and the family of truths."""

from __future__ import annotations

from math import cos, pi, sin

import sympy

from validation.audit._exact import integers
from validation.audit.row import Facts, Verdict, close, exact, row

__all__: list[str] = []


@row(
    "001-predictive-average",
    Verdict.CONFIRMED,
    claim="p̃(y|x, D_n) = ∫ p(y|x, (v_MAP, w)) p(w|D̃_n) dw ≈ (1/R) Σ p(y|x, (v_MAP, w_r))",
    statement="As printed: an unbiased average over posterior draws, for features that are frozen.",
    evidence="Mean over all pairs of draws from a posterior of two points, exactly.",
)
def predictive_average() -> Facts:
    R = sympy.Rational
    post, density = (R(1, 4), R(3, 4)), (R(1, 10), R(7, 10))
    pairs = [(i, j) for i in (0, 1) for j in (0, 1)]
    mean = sum(post[i] * post[j] * (density[i] + density[j]) / 2 for i, j in pairs)
    right = sum(a * b for a, b in zip(post, density, strict=True))
    yield exact("mean of the average of two draws", mean, right, control=sum(density) / 2)


@row(
    "001-laplace-covariance",
    Verdict.CONFIRMED,
    claim="Laplace in the last layers: N(w_MAP, Σ), Σ = (−∇² log p(w|D̃_n))⁻¹",
    statement="As printed where the Hessian is nonsingular. It is exact for the last layer alone "
    "(a Gaussian posterior) and does not exist at a degenerate maximum.",
    evidence="y = bx with b ~ N(0, 1) and three data: log posterior quadratic, so Σ = 1/(1 + Σx²). "
    "y = ab·x with truth 0: the Hessian of the loss at 0 vanishes.",
)
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


@row(
    "001-truths",
    Verdict.CONFIRMED,
    claim="s_m: w_i = g^{i−1}√g(1, 0), b_i = −1/3, q_i = 1: the decision boundaries meet "
    "X = [−1, 1]²",
    statement="As printed: lines at distance 1/3 from the origin, symmetric under rotation.",
    evidence="Σ w_i = 0 and |w_i| = 1 for m = 3, 4, 5, and the point w_i/3 of each boundary in X.",
)
def truths() -> Facts:
    for m in (3, 4, 5):
        w = [(cos(2 * pi * (i + 0.5) / m), sin(2 * pi * (i + 0.5) / m)) for i in range(m)]
        total = max(abs(sum(v[k] for v in w)) for k in (0, 1))
        yield close(f"|Σ w_i|, m = {m}", total, 0, 1e-12, control=0.1)
        inside = all(abs(c) / 3 < 1 for v in w for c in v)
        yield exact(f"every boundary meets X, m = {m}", inside, True)


@row(
    "001-other-components",
    Verdict.CORRECTED,
    claim="m = H: W₀ is a regular submanifold of dimension m",
    statement="Of dimension m, but of several components: besides permutations, all units can be "
    "reversed, since Σ w_i = 0 gives Σ ReLU(u_i) = Σ ReLU(−u_i) − m/3 (c = −m/3). λ is the same "
    "at each, by rank.",
    evidence="The identity for m = 5 at a grid of points; both networks are true parameters.",
)
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


@row(
    "001-feature-posterior",
    Verdict.CONFIRMED,
    claim="the last-layer-only posterior over B is regular, so its Laplace approximation is sound",
    statement="As printed when the frozen features have full rank.",
    evidence="Second moment of the features of six inputs in integers is positive definite.",
)
def feature_posterior() -> Facts:
    X = sympy.Matrix(integers(6, 6, 3))
    yield exact("positive definite", (X.T * X).is_positive_definite, True)
    dead = X.copy()
    dead[:, 2] = sympy.zeros(6, 1)  # a ReLU feature that is off on every input
    yield exact("with a dead feature", (dead.T * dead).is_positive_definite, False)
