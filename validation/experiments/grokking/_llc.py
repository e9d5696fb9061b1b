"""The local learning coefficient at a checkpoint: the source's estimator and what is beside it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import DivergedError
from rlct.sampling.arrays import arrays_of
from rlct.sampling.markov_chains.traces import DIVERGED_LOSS
from rlct.sampling.targets.network import NetworkTarget
from validation.experiments.grokking._modular import Checkpoint, Task

Floats = NDArray[np.floating[Any]]

#: Appendix H.1 of the source.
STEP_SIZE, N_BETA, PULL_STRENGTH, CHAIN_COUNT, BURNIN_DRAWS, KEPT_DRAWS, BATCH_SIZE = (
    1e-4,
    30.0,
    5.0,
    3,
    100,
    600,
    128,
)


class CentredTarget(NetworkTarget):
    """L_n of the source: outputs less their mean over the samples; of a batch, over the batch."""

    def _gap(self, outputs: Floats, y: Floats) -> Floats:
        gap = super()._gap(outputs, y)
        gap -= gap.mean(axis=-1, keepdims=True)
        return gap

    def _slices(self, points: int) -> list[slice]:
        return [slice(0, self.samples)]  # the mean is over all of them


def target_at(task: Task, point: Checkpoint, dtype: Any = np.float32) -> CentredTarget:
    """The training loss around a checkpoint."""
    layers, rows = [point.W.T, point.V], task.train
    return CentredTarget(layers, task.inputs(rows), task.outputs(rows), "quadratic", dtype=dtype)


def published(
    task: Task,
    point: Checkpoint,
    rng: np.random.Generator,
    *,
    lr: float = STEP_SIZE,
    localization: float = PULL_STRENGTH,
    n_beta: float = N_BETA,
) -> tuple[float, float]:
    """λ̂ of the source's estimator, w ← w − (ε/2)(nβ∇L_B + γw) + √ε ξ, and its deviation by chain.

    The package averages the noise of two steps, which takes away the error that is studied here.
    """
    target = target_at(task, point)
    arrays = arrays_of(target, rng)
    offset = arrays.zeros((CHAIN_COUNT, target.dimension))
    draws = []
    for step in range(BURNIN_DRAWS + KEPT_DRAWS):
        loss, slope = target.batch(offset, min(BATCH_SIZE, len(task.train)), arrays)
        if not n_beta * loss.max() < DIVERGED_LOSS * target.dimension:
            raise DivergedError(f"a chain diverged at step {step}")
        if step >= BURNIN_DRAWS:
            draws.append(n_beta * loss)
        offset = (
            offset
            - (0.5 * lr) * (n_beta * slope + localization * offset)
            + arrays.noise(tuple(offset.shape), lr**0.5)
        )
    means = np.mean(draws, axis=0)
    return float(means.mean()), float(means.std(ddof=1))


def blind_walk(
    task: Task,
    point: Checkpoint,
    rng: np.random.Generator,
    *,
    lr: float = STEP_SIZE,
    localization: float = PULL_STRENGTH,
    n_beta: float = N_BETA,
    times: int = 12,
) -> float:
    """λ̂ of the same chain if its drift did not know the loss: w* plus Gaussian noise.

    After t steps each coordinate then has variance (1 − (1 − εγ/2)^{2t}) / (γ(1 − εγ/4)).
    """
    target = target_at(task, point)
    shrink = 1 - 0.5 * lr * localization
    steps = np.linspace(BURNIN_DRAWS, BURNIN_DRAWS + KEPT_DRAWS, times)
    variance = lr * (1 - shrink ** (2 * steps)) / (1 - shrink**2)
    noise = rng.standard_normal((times, target.dimension), dtype=np.float32)
    loss = [
        target.divergence(np.sqrt(v, dtype=np.float32) * row[None])[0]
        for v, row in zip(variance.astype(np.float32), noise, strict=True)
    ]
    return float(n_beta * np.mean(loss))


def active_units(point: Checkpoint) -> NDArray[np.bool_]:
    """Units whose share |v||w|² is above a thousandth of the largest."""
    share = np.linalg.norm(point.V, axis=0) * (point.W**2).sum(axis=0)
    return np.asarray(share > 1e-3 * share.max())


def half_rank(units: int, p: int, fraction: float = 0.4) -> float:
    """Half of the rank that so many active units can have on a share of all pairs."""
    return 0.5 * min(units * (3 * p - 2), p * (round(fraction * p * p) - 1))


def gauss_newton(task: Task, point: Checkpoint) -> Floats:
    """Eigenvalues of JᵀJ/N on the training pairs, largest first, from the Gram matrix JJᵀ/N."""
    rows, p = task.train, task.p
    W, V, n = point.W.astype(float), point.V.astype(float), len(task.train)
    z = W[task.a[rows]] + W[p + task.b[rows]]
    x = task.inputs(rows).astype(float)
    outer, features = 4 * (x @ x.T), (z * z) @ (z * z).T
    gram = np.empty((p, n, p, n))
    for k in range(p):
        for j in range(k, p):
            block = outer * ((z * (V[k] * V[j])) @ z.T)
            if j == k:
                block += features
            block -= block.mean(axis=0)
            block -= block.mean(axis=1, keepdims=True)
            gram[k, :, j], gram[j, :, k] = block, block.T
    return np.asarray(np.linalg.eigvalsh(gram.reshape(p * n, p * n) / n)[::-1])
