"""Deep linear networks: K = ½‖A_L⋯A_1 − B‖², with exact draws of one layer at a time."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from rlct.errors import InputError
from rlct.sampling.checks import check_scale
from rlct.sampling.targets.depth import Depth
from rlct.sampling.targets.exchange import LayerExchange, narrow_layer
from rlct.sampling.targets.layer_law import (
    LayerLaw,
    gram_resolution,
    matrix_product,
    product_resolution,
    products_above,
)
from rlct.sampling.targets.target import EXACT_RESOLUTION, Floats, NormalPriorTarget


class LinearNetworkTarget(NormalPriorTarget):
    """Deep linear network at the deepest point of its fibre, with a Gaussian prior.

    Parameters are offsets from w₀ = (A_j = diag(I_r, 0), biases 0), where the learning
    coefficient of the whole fibre is attained.  Biases are carried by one extra
    coordinate that every layer maps to itself, so both cases share the same formulas.

    Parameters
    ----------
    widths : sequence of int
        From input to output.
    rank : int
        Rank of the true product B = diag(I_r, 0).
    bias : bool
        A bias in every layer; adds ½|total bias|² to K.
    sigma : float
        Standard deviation of the Gaussian prior around w₀.

    Examples
    --------
    >>> target = LinearNetworkTarget([2, 2, 2], rank=0)
    >>> target.dimension
    8
    >>> target.divergence(np.ones((1, 8)))
    array([8.])
    """

    def __init__(
        self, widths: Sequence[int], rank: int, *, bias: bool = False, sigma: float = 1.0
    ) -> None:
        if len(widths) < 2 or any(h < 1 for h in widths):
            raise InputError("a network needs at least two positive widths, input to output")
        if not 0 <= rank <= min(widths):
            raise InputError(f"rank {rank} is impossible: the narrowest width is {min(widths)}")
        check_scale("sigma", sigma, zero=False)
        self.widths = tuple(int(h) for h in widths)
        self.rank = int(rank)
        self.bias = bool(bias)
        self.sigma = float(sigma)
        self._extra = int(bias)
        self._shapes = [
            (outer, inner + self._extra)
            for inner, outer in zip(self.widths[:-1], self.widths[1:], strict=True)
        ]
        self._ends = np.cumsum([rows * columns for rows, columns in self._shapes])
        self._centres = [self._diagonal(*shape) for shape in self._shapes]
        self.truth = self._diagonal(self.widths[-1], self.widths[0] + self._extra)

    def _diagonal(self, rows: int, columns: int) -> Floats:
        matrix = np.zeros((rows, columns))
        matrix[range(self.rank), range(self.rank)] = 1.0
        return matrix

    @property
    def dimension(self) -> int:
        """Number of weights and biases."""
        return int(self._ends[-1])

    @property
    def resolution(self) -> float:
        """Where rounding hides what the redraw must tell apart: see `product_resolution`."""
        return EXACT_RESOLUTION if self._exact else product_resolution(self._norms)

    @property
    def depth(self) -> Depth:
        """What the number of layers asks of a ladder."""
        return Depth(len(self._shapes), self.resolution, self._gram_resolution)

    @cached_property
    def _gram_resolution(self) -> float:
        """Beyond which Gram matrices are too coarse for the redraw."""
        if self._exact:
            return EXACT_RESOLUTION
        return gram_resolution(self._norms, max(self.widths[1:-1], default=0))

    @property
    def _exact(self) -> bool:
        """One hidden unit a layer has Gram matrices of one number; beside B = 0 nothing cancels."""
        return not (self.truth.any() or self.bias) and max(self.widths[1:-1], default=1) == 1

    @property
    def _norms(self) -> list[float]:
        """‖A_j‖² of each layer, as large as chains may meet it."""
        return [self.sigma**2 * width for width in (*self.widths[1:-1], max(self.widths))]

    def layers(self, w: Floats) -> list[Floats]:
        """Layers A_1, …, A_L at each point, each ``(n, rows, columns)``, biases as a column.

        With biases a last row (0, …, 0, 1) is added so that layers multiply.
        """
        matrices: list[Floats] = []
        start = 0
        for shape, end, centre in zip(self._shapes, self._ends, self._centres, strict=True):
            rows, columns = shape
            layer = w[:, start:end].reshape(-1, rows, columns) + centre
            if self._extra:
                last = np.zeros((len(w), 1, columns))
                last[:, 0, -1] = 1.0
                layer = np.concatenate([layer, last], axis=1)
            matrices.append(layer)
            start = int(end)
        return matrices

    def product(self, w: Floats) -> Floats:
        """Product of all layers at each point, ``(n, rows, columns)``."""
        layers = self.layers(w)
        product = layers[0]
        for layer in layers[1:]:
            product = layer @ product
        return product

    def _residual(self, product: Floats) -> Floats:
        return np.asarray(product[:, : self.widths[-1]] - self.truth)

    def divergence(self, w: Floats) -> Floats:
        """½‖product − B‖², plus ½|total bias|² where there are biases."""
        return self._loss(self._residual(self.product(w)))

    def _loss(self, residual: Floats) -> Floats:
        """K from product − B."""
        return np.asarray(0.5 * np.einsum("nij,nij->n", residual, residual))

    def gradient(self, w: Floats) -> Floats:
        """Back-propagated gradient: Qᵀ R Pᵀ for the layer between P below and Q above."""
        return self.backpropagate(w, self._residual)

    def backpropagate(self, w: Floats, output_gradient: Callable[[Floats], Floats]) -> Floats:
        """Gradient of any function of the product, from its derivative by the product.

        Weights have the shape (n, d); ``output_gradient`` leads from products (n, rows, columns) to
        derivatives by their upper ``widths[-1]`` rows.
        """
        layers = self.layers(w)
        product = layers[0]
        products_below: list[Floats] = []
        for layer in layers[1:]:
            products_below.append(product)
            product = layer @ product
        product_gradient = np.zeros_like(product)
        product_gradient[:, : self.widths[-1]] = output_gradient(product)
        slopes = np.empty_like(w, dtype=float)
        for j in range(len(layers) - 1, -1, -1):
            rows = self._shapes[j][0]
            slope = (
                product_gradient @ products_below[j - 1].transpose(0, 2, 1)
                if j
                else product_gradient
            )[:, :rows]
            first = int(self._ends[j - 1]) if j else 0
            slopes[:, first : self._ends[j]] = slope.reshape(len(w), -1)
            if j:
                product_gradient = layers[j].transpose(0, 2, 1) @ product_gradient
        return slopes

    def redraw(self, w: Floats, n_beta: float, rng: np.random.Generator) -> Floats:
        """Draw each layer from its exact Gaussian conditional, in turn.

        Given the others, K = ½‖Q A P − B‖² is quadratic in the layer A, and the
        precision nβ QᵀQ ⊗ PPᵀ + 1/σ² is diagonal in the eigenbases of QᵀQ and PPᵀ.
        Such a draw crosses ridges of any length in one step, which neither random walks
        nor gradient steps of size (nβ)^{−1/2} can.
        Other inputs enter by their second moment S: P S Pᵀ for PPᵀ.
        """
        return self._sweep(w, n_beta, rng, mean=False)[0]

    def sweep(self, w: Floats, n_beta: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Redraw, and the mean over layers of E[nβK | all other layers], shape ``(n,)``.

        Its expectation is that of nβK.  A layer of p weights that the others determine takes the
        share p/2 of it without any noise: with few hidden layers little is left that scatters.

        Gelfand, Smith (1990), Sampling-based approaches to calculating marginal densities, section
        2.6; the theorem of Rao and Blackwell.
        """
        return self._sweep(w, n_beta, rng, mean=True)

    def _sweep(
        self, w: Floats, n_beta: float, rng: np.random.Generator, *, mean: bool
    ) -> tuple[Floats, Floats]:
        w = np.array(w, dtype=float)
        use_svd = n_beta > self._gram_resolution
        expected_loss = np.zeros(len(w))
        layers = self.layers(w)
        above = products_above(layers)
        product_below: Floats | None = None
        start = 0
        for j, (shape, end) in enumerate(zip(self._shapes, self._ends, strict=True)):
            rows, q, target_product = shape[0], above[j], self.truth[None]
            if q is not None:
                if self._extra:
                    # The last column of Q is the bias of the layers above; it multiplies the
                    # constant row (0, …, 0, 1) of the layers below.
                    target_product = np.repeat(target_product, len(w), axis=0)
                    target_product[:, :, -1] -= q[:, : self.widths[-1], rows]
                q = q[:, : self.widths[-1], :rows]
            offset = w[:, start:end].reshape(-1, *shape)
            residual = matrix_product(q, layers[j][:, :rows], product_below) - target_product
            slope = self._outer_gradient(residual)
            layer_law = LayerLaw.given(
                q,
                product_below,
                slope,
                self._second_moment(),
                n_beta,
                self.sigma**-2,
                offset,
                use_svd=use_svd,
            )
            if mean:
                expected_loss += layer_law.mean(residual, self._loss) / len(layers)
            offset = offset + layer_law.draw(rng)
            w[:, start:end] = offset.reshape(len(w), -1)
            layers[j][:, :rows] = offset + self._centres[j]
            product_below = matrix_product(layers[j], product_below)
            start = int(end)
        self._exchange(w, layers, rng)
        return w, expected_loss

    def _exchange(self, w: Floats, layers: list[Floats], rng: np.random.Generator) -> None:
        """Move weight across narrow hidden layers, which conditional draws do too slowly."""
        changed = set()
        for j, hidden in enumerate(self.widths[1:-1]):
            if not narrow_layer(self.widths[j + 2], hidden, self.widths[j]):
                continue
            lower, upper = layers[j][:, :hidden], layers[j + 1][:, : self.widths[j + 2], :hidden]
            centres = self._centres[j], self._centres[j + 1][:, :hidden]
            LayerExchange(lower, upper, centres, self.sigma**-2).draw(rng)
            changed |= {j, j + 1}
        for k in changed:
            first = int(self._ends[k - 1]) if k else 0
            offset = layers[k][:, : self._shapes[k][0]] - self._centres[k]
            w[:, first : self._ends[k]] = offset.reshape(len(w), -1)

    def _second_moment(self) -> Floats | None:
        """Second moment of the inputs, (1, x) reversed where there are biases; None for unit."""
        return None

    def _outer_gradient(self, residual: Floats) -> Floats:
        """Derivative of the loss by the product, from product − B."""
        return residual
