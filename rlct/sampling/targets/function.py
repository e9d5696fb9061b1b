"""Functions of weights in NumPy: K of the model itself, with no polynomial between."""

from collections.abc import Callable

import numpy as np

from rlct.errors import InputError
from rlct.sampling.targets.target import BoxTarget, Floats

_CHUNK_NUMBERS = 2**22  # of outputs that are held at once
_INPUTS_PER_WEIGHT = 2  # over the outputs of each: fixed inputs see all that their law does
_SPARE_INPUTS = 4  # beside them


class FunctionTarget(BoxTarget):
    """K = ½ mean |f(x, w* + w) − f(x, w*)|² over fixed normal inputs, with a uniform prior.

    Parameters are offsets from weights w*, which are drawn from a normal law where none are given:
    a generic truth.

    The function takes weights ``(n, parameters)`` and inputs ``(m, width)`` to outputs ``(n, m,
    outputs)``.

    >>> target = FunctionTarget(lambda w, x: np.tanh(w[:, None, :1] * x), 1, 1)
    >>> k = target.divergence(np.array([[0.0], [0.1], [0.2]]))
    >>> k[0], bool(0 < k[1] < k[2])
    (np.float64(0.0), True)
    """

    resolution = 1e24  # rounding leaves outputs right to 1e−15, a thousandth of √K there

    def __init__(
        self,
        function: Callable[[Floats, Floats], Floats],
        parameters: int,
        input_width: int,
        *,
        truth: Floats | None = None,
        radius: float = 0.25,
    ) -> None:
        super().__init__(parameters, radius)
        rng = np.random.default_rng(20_261)  # any: the same truth and inputs each time
        self._function = function
        self.truth = rng.standard_normal(parameters) if truth is None else truth
        outputs = function(self.truth[None], np.ones((1, input_width))).shape[2]
        count = _SPARE_INPUTS + _INPUTS_PER_WEIGHT * parameters // outputs
        self.inputs = rng.standard_normal((count, input_width))
        self._true_outputs = function(self.truth[None], self.inputs)

    def divergence(self, w: Floats) -> Floats:
        """K at each point; infinite where the function is not finite, outside of the box."""
        rows = max(1, _CHUNK_NUMBERS // self._true_outputs.size)
        parts = []
        for start in range(0, len(w), rows):
            moved = self.truth + np.asarray(w[start : start + rows], dtype=float)
            with np.errstate(all="ignore"):
                gaps = self._function(moved, self.inputs) - self._true_outputs
                parts.append((gaps**2).sum(axis=(1, 2)) / (2 * len(self.inputs)))
        k = np.concatenate(parts) if parts else np.zeros(0)
        return np.where(np.isfinite(k), k, np.inf)

    def gradient(self, w: Floats) -> Floats:
        """Refuse: only samplers without gradients are offered.

        InputError, always.
        """
        raise InputError("this model has no gradient here: take method tempering or splitting")
