"""Networks f = h(g(x)) of section 5, many data sets at once, and inference over h alone.

g is a ReLU block with biases, 3 → 5 → … → 5 → 3; h is BAx or B·ReLU(Ax) without biases. All arrays
have the data set as their first axis.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rlct.sampling.targets.target import Floats

__all__ = ["Heads", "features", "head", "initial", "train"]

HEAD_SIZE = 3  # of inputs, outputs, and both matrices of h


def initial(sets: int, hidden: int, rng: np.random.Generator) -> list[Floats]:
    """Weights as PyTorch draws them: the layers of g with biases, then A and B."""
    widths = [HEAD_SIZE, *[5] * hidden, HEAD_SIZE]
    drawn = []
    for a, b in pairwise(widths):
        drawn.append(rng.uniform(-1, 1, (sets, b, a + 1)) / np.sqrt(a))
    return [*drawn, *(rng.uniform(-1, 1, (2, sets, HEAD_SIZE, HEAD_SIZE)) / np.sqrt(HEAD_SIZE))]


def _affine(x: Floats, layer: Floats) -> Floats:
    return np.asarray(x @ layer[:, :, :-1].transpose(0, 2, 1) + layer[:, None, :, -1])


def features(layers: Sequence[Floats], x: Floats) -> Floats:
    """g(x), shape (sets, n, 3)."""
    for k, layer in enumerate(layers[:-2]):
        x = _affine(x, layer)
        if k < len(layers) - 3:
            x = np.maximum(x, 0)
    return x


def head(A: Floats, B: Floats, x: Floats, relu: bool) -> Floats:
    """Apply h to features x."""
    u = x @ A.transpose(0, 2, 1)
    return np.asarray((np.maximum(u, 0) if relu else u) @ B.transpose(0, 2, 1))


def _gradient(layers: list[Floats], x: Floats, y: Floats, relu: bool) -> list[Floats]:
    """Of ½|y − f|², averaged over the observations."""
    inputs, before = [x], []
    for k, layer in enumerate(layers[:-2]):
        before.append(_affine(inputs[-1], layer))
        inputs.append(np.maximum(before[-1], 0) if k < len(layers) - 3 else before[-1])
    A, B = layers[-2:]
    u = inputs[-1] @ A.transpose(0, 2, 1)
    active = np.maximum(u, 0) if relu else u
    back = (active @ B.transpose(0, 2, 1) - y) / x.shape[1]
    slopes = [back.transpose(0, 2, 1) @ active]
    back = back @ B
    if relu:
        back = back * (u > 0)
    slopes.append(back.transpose(0, 2, 1) @ inputs[-1])
    back = back @ A
    for k in range(len(layers) - 3, -1, -1):
        if k < len(layers) - 3:
            back = back * (before[k] > 0)
        weight = back.transpose(0, 2, 1) @ inputs[k]
        slopes.append(np.concatenate([weight, back.sum(axis=1)[:, :, None]], axis=2))
        if k:
            back = back @ layers[k][:, :, :-1]
    return slopes[::-1]


def train(
    layers: Sequence[Floats],
    x: Floats,
    y: Floats,
    relu: bool,
    *,
    epochs: int,
    lr: float,
    batch: int | None,
    rng: np.random.Generator,
) -> list[Floats]:
    """Gradient descent on PyTorch's mean-squared error, all observations or batches at a time."""
    now = [a.astype(np.float32) for a in layers]
    x, y = x.astype(np.float32), y.astype(np.float32)
    step = np.float32(lr * 2 / HEAD_SIZE)  # the mean over outputs of the square, not half the sum
    n = x.shape[1]
    for _ in range(epochs):
        if batch is None or batch >= n:
            parts: list[Any] = [slice(None)]
        else:
            order = rng.permutation(n)
            parts = [order[i : i + batch] for i in range(0, n, batch)]
        for part in parts:
            slopes = _gradient(now, x[:, part], y[:, part], relu)
            now = [a - step * s for a, s in zip(now, slopes, strict=True)]
    return [a.astype(float) for a in now]


class Heads:
    """n·(mean of ½|y − h(x̃)|²) of several data sets as one target: a row of w is a chain of one.

    Rows are ordered data set by data set. Points are offsets from the given (A, B); the prior is
    N(0, 1) of A and B, of shape (sets, 3, 3). Features x and outputs y have shape (sets, n, 3);
    each data set has as many rows as chains.
    """

    dimension = 2 * HEAD_SIZE * HEAD_SIZE
    resolution = 1e12
    scale = 1.0

    def __init__(self, A: Floats, B: Floats, x: Floats, y: Floats, relu: bool, chains: int) -> None:
        self.relu, self.chains = relu, chains
        self.centre = np.concatenate([A.reshape(len(A), -1), B.reshape(len(B), -1)], axis=1)
        self._rows = np.repeat(self.centre, chains, axis=0)
        self.x, self.y = x, y
        self._start = 0.5 * ((y - head(A, B, x, relu)) ** 2).sum(axis=2).mean(axis=1)

    def matrices(self, w: Floats) -> tuple[Floats, Floats]:
        """A and B of each row, shape (rows, 3, 3)."""
        both = (w + self._rows).reshape(-1, 2, HEAD_SIZE, HEAD_SIZE)
        return both[:, 0], both[:, 1]

    def value_and_gradient(self, w: Floats) -> tuple[Floats, Floats]:
        """Mean loss less that at the centre, and its gradient."""
        sets, n = self.x.shape[:2]
        A, B = (m.reshape(sets, self.chains, HEAD_SIZE, HEAD_SIZE) for m in self.matrices(w))
        x = self.x[:, None]
        u = x @ A.swapaxes(2, 3)
        active = np.maximum(u, 0) if self.relu else u
        gap = active @ B.swapaxes(2, 3) - self.y[:, None]
        value = 0.5 * np.einsum("scnp,scnp->sc", gap, gap) / n - self._start[:, None]
        by_b = gap.swapaxes(2, 3) @ active / n
        back = gap @ B
        if self.relu:
            back *= u > 0
        by_a = back.swapaxes(2, 3) @ x / n
        slope = np.concatenate([by_a.reshape(len(w), -1), by_b.reshape(len(w), -1)], axis=1)
        return value.reshape(-1), slope

    def divergence(self, w: Floats) -> Floats:
        """Mean loss less that at the centre."""
        return self.value_and_gradient(w)[0]

    def gradient(self, w: Floats) -> Floats:
        """Its gradient."""
        return self.value_and_gradient(w)[1]

    def log_prior(self, w: Floats) -> Floats:
        """N(0, 1) of the matrices."""
        return np.asarray(-0.5 * ((w + self._rows) ** 2).sum(axis=1))

    def log_prior_gradient(self, w: Floats) -> Floats:
        """Its gradient."""
        return -(w + self._rows)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Draws, one for each row."""
        return rng.standard_normal((count, self.dimension)) - self._rows

    def reflect(self, w: Floats) -> Floats:
        """Nothing to fold."""
        return w
