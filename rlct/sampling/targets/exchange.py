"""Moves along which a linear network does not change: what one layer gains the next one loses."""

from typing import NamedTuple

import numpy as np

from rlct.sampling.targets.target import Floats

DRAW_ROUNDS = 4  # of moves of every kind in one draw; a convention
LEAST_DEVIATION, MOST_DEVIATION = 0.03, 30.0  # deviation of log c, log-uniform


def narrow_layer(outer: int, hidden: int, inner: int) -> bool:
    """Whether conditional draws are slow to move weight across a hidden layer.

    Given the other layer the length of what goes into a hidden unit is known up to a share
    1/√(2 · inputs): between wide layers such a walk takes thousands of sweeps.

    >>> narrow_layer(20, 3, 20), narrow_layer(5, 3, 5), narrow_layer(2, 8, 2)
    (True, False, False)
    """
    return 4 * hidden <= outer + inner


class LayerExchange(NamedTuple):
    """Draws of GA and BG⁻¹ in the place of A and B: the product BA does not change.

    G is of one-parameter groups, in directions that are random in each point: I + (c − 1)vvᵀ by a
    Metropolis step, and I + t uvᵀ, u ⟂ v, whose t has a Gaussian law.

    Liu, Sabatti (2000), Generalised Gibbs sampler and multigrid Monte Carlo for Bayesian
    computation, Biometrika 87, theorem 1.

    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.standard_normal((5, 2, 6)), rng.standard_normal((5, 6, 2))
    >>> before = b @ a
    >>> LayerExchange(a, b, (np.zeros((2, 6)), np.zeros((6, 2))), 1.0).draw(rng)
    >>> bool(np.allclose(b @ a, before))
    True
    """

    #: A and B, shapes (n, hidden, columns) and (n, rows, hidden), which are overwritten.
    lower: Floats
    upper: Floats
    #: Of the Gaussian prior of A and of B.
    centres: tuple[Floats, Floats]
    #: Precision of each entry.
    prior: float

    def draw(self, rng: np.random.Generator) -> None:
        """A few moves of every kind."""
        count, hidden, _ = self.lower.shape
        for _ in range(DRAW_ROUNDS):
            pair = rng.standard_normal((count, hidden, 2 if hidden > 1 else 1))
            basis = np.linalg.qr(pair)[0]
            self._stretch(basis[:, :, 0], rng)
            if hidden > 1:
                self._shear(basis[:, :, 0], basis[:, :, 1], rng)
                self._shear(basis[:, :, 1], basis[:, :, 0], rng)

    def _stretch(self, v: Floats, rng: np.random.Generator) -> None:
        scale = np.exp(rng.uniform(np.log(LEAST_DEVIATION), np.log(MOST_DEVIATION), len(v)))
        x = scale * rng.standard_normal(len(v))
        w_in, w_out = self._into(v), self._out(v)
        more, less = np.expm1(x), np.expm1(-x)
        change = more * (2 * _dot(w_in - v @ self.centres[0], w_in) + more * _dot(w_in, w_in))
        change += less * (
            2 * _dot(w_out - v @ self.centres[1].T, w_out) + less * _dot(w_out, w_out)
        )
        taken = _power(w_in, w_out) * x - 0.5 * self.prior * change > np.log(rng.random(len(v)))
        v, w_in, w_out, x = v[taken], w_in[taken], w_out[taken], x[taken, None]
        # Taken off as a whole, then added: of one unit nothing is left that would be rounding.
        self.lower[taken] -= _outer(v, w_in)
        self.lower[taken] += _outer(v, np.exp(x) * w_in)
        self.upper[taken] -= _outer(w_out, v)
        self.upper[taken] += _outer(np.exp(-x) * w_out, v)

    def _shear(self, u: Floats, v: Floats, rng: np.random.Generator) -> None:
        into, out = self._into(v), self._out(u)
        size = np.maximum(_dot(into, into) + _dot(out, out), 1e-290)
        pull = _dot(self._into(u) - u @ self.centres[0], into)
        pull -= _dot(self._out(v) - v @ self.centres[1].T, out)
        t = (rng.standard_normal(len(u)) / np.sqrt(self.prior * size) - pull / size)[:, None]
        self.lower[:] += _outer(t * u, into)
        self.upper[:] -= _outer(out, t * v)

    def _into(self, v: Floats) -> Floats:
        return np.asarray((v[:, None] @ self.lower)[:, 0])

    def _out(self, v: Floats) -> Floats:
        return np.asarray((self.upper @ v[:, :, None])[:, :, 0])


def _power(into: Floats, out: Floats) -> int:
    """Of c in the Jacobian: all columns of A grow by c, all rows of B shrink."""
    return int(into.shape[1] - out.shape[1])


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("ni,ni->n", a, b))


def _outer(a: Floats, b: Floats) -> Floats:
    return a[:, :, None] * b[:, None]
