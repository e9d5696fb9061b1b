"""Approximations of the Bayes predictive distribution, and their generalisation error."""

from typing import Any

import numpy as np

from rlct.sampling.markov_chains.chains import sample_chains
from rlct.sampling.targets.target import Floats
from validation.experiments.singular._heads import HEAD_SIZE, Heads, head

__all__ = ["generalisation", "laplace_both", "last_layer", "mcmc_both"]


def generalisation(means: Floats, truth: Floats, rng: np.random.Generator) -> Floats:
    """KL divergence from N(truth, I) to the mixture of N(mean_r, I), averaged over the inputs.

    Means have shape (sets, draws, n, 3), truths (sets, n, 3), and there is a value for each set,
    infinite where the density underflows. Each drawn output comes with its mirror image, so that
    the error of the average is of second order in the distances.
    """
    errors = np.empty(len(truth))
    for s, (own, right) in enumerate(zip(means, truth, strict=True)):
        noise = rng.standard_normal(right.shape)
        gap = own - right
        total = np.zeros(len(right))
        square = 0.5 * (gap**2).sum(axis=2)
        cross = (gap * noise).sum(axis=2)
        for sign in (1.0, -1.0):
            # log of the mixture less log q
            log = sign * cross - square
            top = log.max(axis=0)
            total += top + np.log(np.exp(log - top).mean(axis=0))
        errors[s] = -0.5 * total.mean()
    return errors


def last_layer(
    hidden: Floats, y: Floats, test: Floats, count: int, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Exact posterior of B given the inputs of the last layer: draws, mean and covariance root.

    The model is linear in B with prior N(0, 1): nothing has to be approximated. Draws are outputs
    on the test inputs, shape (sets, count, n', 3); R Rᵀ of the root R is the covariance of each
    row of B.
    """
    precision = hidden.transpose(0, 2, 1) @ hidden + np.eye(HEAD_SIZE)
    covariance = np.linalg.inv(precision)
    centre = (covariance @ hidden.transpose(0, 2, 1) @ y).transpose(0, 2, 1)
    root = np.linalg.cholesky(covariance)
    return around(centre, root, test, count, rng), centre, root


def around(
    centre: Floats, root: Floats, test: Floats, count: int, rng: np.random.Generator
) -> Floats:
    """Outputs of draws of B from the Gaussian around a centre."""
    noise = rng.standard_normal((len(centre), count, HEAD_SIZE, HEAD_SIZE))
    B = centre[:, None] + noise @ root.transpose(0, 2, 1)[:, None]
    return np.asarray(test[:, None] @ B.swapaxes(2, 3))


def mcmc_both(
    A: Floats,
    B: Floats,
    x: Floats,
    y: Floats,
    test: Floats,
    relu: bool,
    *,
    chains: int,
    draws: int,
    burnin: int,
    rng: np.random.Generator,
) -> tuple[Floats, dict[str, Any]]:
    """Outputs at draws of (A, B) by Hamiltonian trajectories from the given matrices."""
    target = Heads(A, B, x, y, relu, chains)
    predictions: list[Floats] = []

    class Keep:
        def __call__(self, w: Floats, k: Floats) -> None:
            a, b = (m.reshape(len(x), chains, HEAD_SIZE, HEAD_SIZE) for m in target.matrices(w))
            u = test[:, None] @ a.swapaxes(2, 3)
            predictions.append((np.maximum(u, 0) if relu else u) @ b.swapaxes(2, 3))

        def state(self) -> dict[str, Floats]:
            return {}

        def restore(self, state: dict[str, Floats]) -> None:
            pass

    run = sample_chains(
        "hmc",
        target,
        float(x.shape[1]),
        rng=rng,
        num_chains=chains * len(x),
        num_draws=draws,
        num_burnin=burnin,
        spread=False,
        leapfrog_steps=8,
        thin=2,
        observer=Keep(),
    )
    means = run.draws[0].reshape(len(x), chains, draws)
    within = means.var(axis=2, ddof=1).mean(axis=1)
    between = means.mean(axis=2).var(axis=1, ddof=1)
    rhat = np.sqrt((within * (draws - 1) / draws + between) / within)
    return np.concatenate(predictions, axis=1), {
        "acceptance": float(run.acceptance.mean()),
        "rhat": float(np.median(rhat)),
    }


def laplace_both(
    A: Floats,
    B: Floats,
    x: Floats,
    y: Floats,
    test: Floats,
    relu: bool,
    count: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Outputs at draws from the Gaussian at (A, B) with the inverse Hessian as covariance.

    They have shape (sets, count, n', 3), NaN where the Hessian is not positive definite. With them
    comes its smallest eigenvalue; the prior adds 1 to the Hessian of the likelihood.
    """
    sets = len(A)
    square = HEAD_SIZE * HEAD_SIZE
    means = np.full((sets, count, *test.shape[1:]), np.nan)
    smallest = np.empty(sets)
    for s in range(sets):
        u = x[s] @ A[s].T
        on = (u > 0).astype(float) if relu else np.ones_like(u)
        active = u * on
        n = len(u)
        by_a = np.einsum("pk,nk,nj->npkj", B[s], on, x[s]).reshape(n, HEAD_SIZE, square)
        by_b = np.einsum("pq,nk->npqk", np.eye(HEAD_SIZE), active).reshape(n, HEAD_SIZE, square)
        J = np.concatenate([by_a, by_b], axis=2).reshape(-1, 2 * square)
        gap = head(A[s][None], B[s][None], x[s][None], relu)[0] - y[s]
        cross = np.einsum("np,nk,nj->kjp", gap, on, x[s])
        mixed = np.zeros((HEAD_SIZE, HEAD_SIZE, HEAD_SIZE, HEAD_SIZE))
        for k in range(HEAD_SIZE):
            mixed[k, :, :, k] = cross[k]
        hessian = J.T @ J + np.eye(2 * square)
        hessian[:square, square:] += mixed.reshape(square, square)
        hessian[square:, :square] += mixed.reshape(square, square).T
        values, vectors = np.linalg.eigh(hessian)
        smallest[s] = values[0]
        if values[0] <= 0:
            continue
        w = (rng.standard_normal((count, 2 * square)) / np.sqrt(values)) @ vectors.T
        both = w.reshape(count, 2, HEAD_SIZE, HEAD_SIZE)
        a, b = A[s] + both[:, 0], B[s] + both[:, 1]
        means[s] = head(a, b, np.broadcast_to(test[s], (count, *test.shape[1:])), relu)
    return means, smallest
