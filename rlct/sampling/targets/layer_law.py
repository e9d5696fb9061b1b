"""The Gaussian law of one layer of a linear network, given all others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rlct.sampling.arrays import Array

DIRECT_ROWS = 25  # rows up to which LAPACK's eigh iterates directly (SMLSIZ of its ilaenv)


def gram_resolution(norms: Sequence[float], rows: int) -> float:
    """Return the nβ up to which draws of a layer in the eigenbases of QᵀQ and PPᵀ are exact enough.

    Eigenvectors of a Gram matrix are arbitrary among eigenvalues below ε‖Q‖².  From 26 rows on
    LAPACK divides and conquers, with small eigenvalues an order of magnitude worse: [32,32,32] was
    0.3 % too high at 10¹³.  ``norms`` are ‖A_j‖² of each layer, as large as chains may meet it, and
    ``rows`` those of the largest Gram matrix of hidden units.

    >>> f"{gram_resolution([8, 8, 8], rows=8):.2g}"
    '1e+13'
    >>> f"{gram_resolution([32, 32], rows=32):.2g}"
    '4.9e+11'
    """
    size = math.prod(max(1.0, norm) for norm in norms) * (20 if rows > DIRECT_ROWS else 1)
    return min(1e13, 1e16 / size)


def product_resolution(norms: Sequence[float]) -> float:
    """Return the nβ up to which draws in the singular vectors of Q and P are exact enough.

    Singular vectors are arbitrary below ε‖Q‖, and entries of the product of all layers are rounded
    by as much: both are to be small beside (nβ)^{−1/2}.

    >>> f"{product_resolution([8, 8, 8]):.2g}"
    '2e+26'
    """
    return 1e29 / math.prod(max(1.0, norm) for norm in norms)


class LayerLaw(NamedTuple):
    """Law of the change of a layer, U (best + noise/√precision) Vᵀ.

    From where the layer is, not from its centre: the residual is small there, and a rounding error
    of it times nβ would else send directions away that K does not depend on.  U and V are the
    eigenbases of QᵀQ and P S Pᵀ, Q the product of the layers above it, P that of
    those below and S the second moment of the inputs; None stands for a unit matrix.
    """

    u: Array | None
    v: Array | None
    qu: Array | None
    vp: Array | None
    seen: Array
    precision: Array
    best: Array
    n_beta: float

    @classmethod
    def given(
        cls,
        q: Array | None,
        p: Array,
        slope: Array,
        moment: Array | None,
        n_beta: float,
        prior: float,
        offset: Array,
        *,
        use_svd: bool = False,
    ) -> LayerLaw:
        """Law between P, shape (n, columns, inputs), and Q, shape (n, outputs, rows).

        ``slope`` (n, outputs, inputs) is the derivative of the loss by the product of all layers,
        ``moment`` is S, ``prior`` the precision of each entry beforehand around the centre, and
        ``offset`` (n, rows, columns) where the layer is from there.  Beyond `gram_resolution`,
        where ``moment`` is None, singular vectors have to do, which take up to twice as long.

        >>> w = np.array([[[0.5]]])                                      # K = (w + 1)²/2
        >>> law = LayerLaw.given(None, None, w + 1, None, 3.0, 1.0, w)
        >>> law.precision, w + law.best
        (array([[[4.]]]), array([[[-0.75]]]))
        """
        s, u, qu = np.ones_like(slope[:1, :, 0]), None, None
        if q is not None:
            # Lengths of Q u, not eigenvalues, whose rounding errors a large nβ would send far away.
            u = np.linalg.svd(q)[2].mT if use_svd else np.linalg.eigh(q.mT @ q)[1]
            qu = q @ u
            s = np.einsum("nij,nij->nj", qu, qu)
        t, v, vp = np.ones_like(slope[:1, 0]), None, None
        if p is not None or moment is not None:
            half = matrix_product(moment, None if p is None else p.mT)
            v = np.linalg.svd(p)[0] if use_svd else np.linalg.eigh(matrix_product(p, half))[1]
            v = v if v.ndim == 3 else v[None]
            vp = matrix_product(v.mT, p)
            t = np.einsum("nij,nji->ni", vp, half @ v)
        seen = n_beta * s[:, :, None] * t[:, None, :]
        precision = seen + prior
        pull = n_beta * matrix_product(_turned(qu), slope, _turned(vp)) + prior * matrix_product(
            _turned(u), offset, v
        )
        return cls(u, v, qu, vp, seen, precision, -pull / precision, n_beta)

    def draw(self, rng: np.random.Generator) -> Array:
        """Changes of the layer at each of n points."""
        noise = rng.standard_normal(self.best.shape)
        return matrix_product(self.u, self.best + noise / self.precision**0.5, _turned(self.v))

    def mean(self, residual: Array, loss: Callable[[Array], Array]) -> Array:
        """E[nβK], ``residual`` being that of the layer as it is.

        From the residual at the mean: differences of K would show rounding.
        """
        rest = residual + matrix_product(self.qu, self.best, self.vp)
        return self.n_beta * loss(rest) + 0.5 * (self.seen / self.precision).sum((-2, -1))


def _turned(matrix: Array | None) -> Array | None:
    return None if matrix is None else matrix.mT


def matrix_product(*factors: Array | None) -> Array:
    """Product of matrices, of which None are unit matrices; not all are."""
    product: Array | None = None
    for factor in factors:
        if factor is not None:
            product = factor if product is None else product @ factor
    return product


def products_above(layers: Sequence[Array]) -> list[Array | None]:
    """Product of the layers above each, from the first layer to the last, which has none.

    >>> first, last = np.array([[[2.0]]]), np.array([[[3.0]]])
    >>> products_above([first, last])
    [array([[[3.]]]), None]
    """
    above: list[Array | None] = [None]
    for layer in layers[:0:-1]:
        above.append(matrix_product(above[-1], layer))
    return above[::-1]
