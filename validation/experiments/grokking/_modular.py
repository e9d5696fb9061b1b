"""Modular addition and the quadratic network that is trained on it, in NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Task:
    """All pairs (a, b) modulo p, with the answers c = a + b, and which of them are trained on."""

    p: int
    a: Ints
    b: Ints
    c: Ints
    train: Ints
    test: Ints

    @classmethod
    def split(cls, p: int, fraction: float, rng: np.random.Generator) -> Task:
        """Draw a share of all pairs without replacement."""
        a, b = np.divmod(np.arange(p * p), p)
        order = rng.permutation(p * p)
        count = round(fraction * p * p)
        return cls(p, a, b, (a + b) % p, order[:count], np.sort(order[count:]))

    @classmethod
    def for_steps(cls, common: dict[str, Any], own: dict[str, Any]) -> tuple[Task, Training]:
        """A task, and a training of about so many steps that keeps only its last checkpoint."""
        chosen = {"fraction": 0.4, "batch": 128, **common, **own}
        steps = chosen.pop("steps")
        count = round(chosen["fraction"] * chosen["p"] ** 2)
        epochs = -(-steps // -(-count // chosen["batch"]))
        training = Training(**chosen, epochs=epochs, every=max(1, epochs // 50))
        rng = np.random.default_rng(training.seed)
        return cls.split(training.p, training.fraction, rng), training

    def shuffled(self, rng: np.random.Generator) -> Task:
        """The same pairs with permuted answers, which no rule explains."""
        return replace(self, c=rng.permutation(self.c))

    def inputs(self, rows: Ints) -> Floats:
        """(e_a, e_b), shape (rows, 2p)."""
        eye = np.eye(self.p, dtype=np.float32)
        return np.concatenate([eye[self.a[rows]], eye[self.b[rows]]], axis=1)

    def outputs(self, rows: Ints) -> Floats:
        """e_c, shape (rows, p)."""
        return np.eye(self.p, dtype=np.float32)[self.c[rows]]


@dataclass(frozen=True)
class Training:
    """Settings of a run; Adam with its usual moments, weight decay added to the gradient.

    The loss is ½|P(y − f(x))|² averaged over the samples of a batch, P taking away the mean over
    the batch; weights start uniform between ±1/√inputs of their layer.
    """

    p: int
    units: int
    lr: float
    weight_decay: float
    epochs: int
    fraction: float = 0.4
    batch: int = 128
    seed: int = 0
    every: int = 10


@dataclass(frozen=True)
class Checkpoint:
    """Weights at an epoch, W of shape (2p, K) and V of shape (p, K), and how good they are."""

    epoch: int
    W: Floats
    V: Floats
    train_loss: float
    test_loss: float
    train_accuracy: float
    test_accuracy: float


def evaluate(task: Task, W: Floats, V: Floats) -> tuple[float, float, float, float]:
    """Losses and accuracies on the training and the test pairs.

    The centred loss leaves the mean of each output open; what the training pairs say of it is
    used on both.
    """
    shift: Floats | None = None
    measures: list[float] = []
    for rows in (task.train, task.test):
        gap = (W[task.a[rows]] + W[task.p + task.b[rows]]) ** 2 @ V.T
        target = task.outputs(rows)
        gap -= target
        shift = gap.mean(axis=0) if shift is None else shift
        gap -= shift
        right = (gap + target).argmax(axis=1) == task.c[rows]
        measures += [float(0.5 * (gap**2).sum(axis=1).mean()), float(right.mean())]
    return measures[0], measures[2], measures[1], measures[3]


def train(settings: Training, task: Task) -> Iterator[Checkpoint]:
    """Yield a checkpoint every so many epochs, the first before training."""
    p, K = settings.p, settings.units
    rng = np.random.default_rng([settings.seed, 1])
    cut = 2 * p * K
    w = np.concatenate(
        [rng.uniform(-1, 1, cut) / np.sqrt(2 * p), rng.uniform(-1, 1, p * K) / np.sqrt(K)]
    ).astype(np.float32)
    slope, spare = np.empty_like(w), np.empty_like(w)
    mean, square = np.zeros_like(w), np.zeros_like(w)
    W, V = w[:cut].reshape(2 * p, K), w[cut:].reshape(p, K)
    slope_W, slope_V = slope[:cut].reshape(2 * p, K), slope[cut:].reshape(p, K)
    X, Y = task.inputs(task.train), task.outputs(task.train)
    first, second = task.a[task.train], task.p + task.b[task.train]
    steps = 0
    for epoch in range(settings.epochs + 1):
        if epoch % settings.every == 0:
            yield Checkpoint(epoch, W.copy(), V.copy(), *evaluate(task, W, V))
        if epoch % 10 == 0:
            # Weights that decay to nothing end as denormal numbers, which cost fifteen times as
            # much; against gradients and steps in single precision these are zeros.
            for part, least in ((w, 1e-10), (mean, 1e-20), (square, 1e-30)):
                part[np.abs(part) < least] = 0
        order = rng.permutation(len(X))
        x, y, a, b = X[order], Y[order], first[order], second[order]
        for start in range(0, len(order), settings.batch):
            rows = slice(start, start + settings.batch)
            z = W[a[rows]]
            z += W[b[rows]]
            f = z * z
            gap = f @ V.T
            gap -= y[rows]
            gap -= gap.mean(axis=0)
            gap /= len(gap)
            np.matmul(gap.T, f, out=slope_V)
            back = gap @ V
            z *= 2
            back *= z
            np.matmul(x[rows].T, back, out=slope_W)
            # In place and in single precision: half of the time goes into these lines.
            slope += np.multiply(w, settings.weight_decay, out=spare)
            steps += 1
            np.subtract(slope, mean, out=spare)
            mean += np.multiply(spare, 0.1, out=spare)
            slope *= slope
            slope -= square
            square += np.multiply(slope, 0.001, out=slope)
            size = settings.lr * math.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
            np.sqrt(square, out=spare)
            spare += 1e-8
            np.divide(mean, spare, out=spare)
            w -= np.multiply(spare, size, out=spare)


def final(settings: Training, task: Task, *, calm: int | None = None) -> Checkpoint:
    """The last checkpoint; with ``calm``, as soon as so many in a row are accurate on all pairs."""
    count = 0
    for point in train(settings, task):
        accurate = min(point.train_accuracy, point.test_accuracy) > 0.999
        count = count + 1 if accurate else 0
        if count == calm:
            break
    return point
