"""Targets whose prior is pulled towards w₀, for populations that are cooled."""

import numpy as np

from rlct.sampling.targets.target import Floats, Target


class _Wrapped:
    """A target, of which those below change a part."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.dimension = target.dimension
        self.resolution = target.resolution
        self.scale = target.scale

    def divergence(self, w: Floats) -> Floats:
        return self.target.divergence(w)

    def gradient(self, w: Floats) -> Floats:
        return self.target.gradient(w)

    def log_prior(self, w: Floats) -> Floats:
        return self.target.log_prior(w)

    def log_prior_gradient(self, w: Floats) -> Floats:
        return self.target.log_prior_gradient(w)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        return self.target.sample_prior(count, rng)

    def reflect(self, w: Floats) -> Floats:
        return self.target.reflect(w)


class Distance(_Wrapped):
    """|w − w₀|²/2 in place of K: cooled to γ its population is that of a localized prior."""

    def divergence(self, w: Floats) -> Floats:
        """Half the square of the distance."""
        return np.asarray(0.5 * np.einsum("ni,ni->n", w, w))

    def gradient(self, w: Floats) -> Floats:
        """The point itself."""
        return w


class LocalizedTarget(_Wrapped):
    """A target under prior·exp(−γ|w − w₀|²/2).

    Its prior is not drawn from directly: a population of `Distance` is cooled to γ for that.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> target = LocalizedTarget(PolynomialTarget([{(2,): 1}], squared=True), 8.0)
    >>> target.log_prior(np.array([[0.5], [0.6]]))
    array([ -1., -inf])
    """

    def __init__(self, target: Target, localization: float) -> None:
        super().__init__(target)
        self.localization = localization

    def log_prior(self, w: Floats) -> Floats:
        """Log of prior and pull, up to a constant."""
        pull = 0.5 * self.localization * np.einsum("ni,ni->n", w, w)
        return np.asarray(super().log_prior(w) - pull)

    def log_prior_gradient(self, w: Floats) -> Floats:
        """Its gradient."""
        return super().log_prior_gradient(w) - self.localization * w
