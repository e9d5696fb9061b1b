"""How the loss bends at w₀ in every direction, and which of them chains are slow to fill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.sampling.posterior import TemperedPosterior
from rlct.sampling.target import DataTarget, Floats

__all__ = ["Spectrum", "spectrum", "units"]

# Numbers that the gradients of a Hessian touch: seconds at most, a few hundred parameters.
HESSIAN_WORK = 2e9
PLAIN = 0.01  # share of the tempered mean that steps in plain coordinates may leave out
FILLED = 0.3  # mean square over 1/precision: less has probability 3 % for 8 chains


@dataclass(frozen=True)
class Spectrum:
    """Eigenvectors of the Hessian of L at w₀, and the precisions of exp(−nβL − γ|w|²/2) there.

    Parameters
    ----------
    basis : array, shape (d, d)
        A column for each direction.
    bend : array, shape (d,)
        nβh, h the eigenvalue, in size; where w₀ is a saddle chains leave it either way.
    precision : array, shape (d,)
        nβh + γ.
    error : float
        Of ``bend``, by differences and rounding.
    """

    basis: Floats
    bend: Floats
    precision: Floats
    error: float = 0.0

    @property
    def regular(self) -> float:
        """Tempered mean of nβL if L were quadratic, ½ Σ nβh/(nβh + γ)."""
        return float(0.5 * (self.bend / self.precision).sum())

    def lacking(self, pace: float, before: int, count: int) -> float:
        """What chains from w₀ leave out of that mean, after ``before`` steps, in ``count`` more.

        The variance of a direction of precision c comes near 1/c as 1 − exp(−2·pace·c·steps).

        Parameters
        ----------
        pace : float
            Rate per step at which a direction of precision one forgets, if that is slow.
        before, count : int

        Examples
        --------
        >>> one = Spectrum(np.eye(1), np.array([1.0]), np.array([1.0]))
        >>> round(one.lacking(0.01, 0, 1), 3), round(one.lacking(0.01, 1000, 1000), 3)
        (0.495, 0.0)
        """
        rate = 2.0 * pace * self.precision
        absent = np.exp(-rate * before) * -np.expm1(-rate * count) / np.maximum(rate * count, 1e-12)
        return float(0.5 * (self.bend / self.precision * np.minimum(absent, 1.0)).sum())

    def held(self, w: Floats) -> float:
        """What γ takes from the tempered mean, ½ Σ γ/(nβh + γ), where the loss bends.

        Not of flat directions, along which λ̂ is as it is for any γ; nor of those where chains,
        at w, shape (chains, d), stay nearer to w₀: there higher powers hold them.

        Examples
        --------
        >>> both = Spectrum(np.eye(2), np.array([99.0, 1.0]), np.array([100.0, 2.0]), 1e-6)
        >>> round(both.held(np.array([[0.1, 0.7], [-0.1, -0.7]])), 3)
        0.255
        """
        square = ((w @ self.basis) ** 2).mean(axis=0) * self.precision
        counts = (self.bend > self.error) & (square > FILLED)
        return float(0.5 * (1.0 - self.bend / self.precision)[counts].sum())

    def root(self) -> Floats:
        """Symmetric square root of the covariance, in whose units all directions are alike."""
        return np.asarray(self.basis / np.sqrt(self.precision) @ self.basis.T)


def spectrum(posterior: TemperedPosterior) -> Spectrum | None:
    """Hessian of L at w₀ on data, by differences; None where it takes long, or is not finite.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of one rung.

    Examples
    --------
    >>> from rlct.sampling.network import NetworkTarget
    >>> x = np.array([[1.0], [3.0]])
    >>> target = NetworkTarget([np.ones((1, 1))], x, x, "linear")          # L = 5(w − 1)²/2
    >>> rng = np.random.default_rng(0)
    >>> found = spectrum(
    ...     TemperedPosterior(target, 10.0, rng=rng, num_chains=2, localization=1.0)
    ... )
    >>> found.bend.round(6), round(found.regular, 3)
    (array([50.]), 0.49)
    """
    target, n_beta = posterior.target, float(posterior.n_beta[0])
    if not isinstance(target, DataTarget):
        return None
    if 6.0 * target.dimension**2 * target.samples > HESSIAN_WORK:
        return None
    eps = float(posterior.arrays.xp.finfo(posterior.arrays.dtype).eps)
    coarse, middle, hessian = (_hessian(posterior, size) for size in (1e-2, 1e-3, eps ** (1 / 3)))
    if not all(np.isfinite(found).all() for found in (coarse, middle, hessian)):
        return None
    # Two errors that differences of fine steps have, of rounding and of the fourth derivative; long
    # steps round less, and of a quadratic loss have no other.
    sharpest = float(np.linalg.norm(hessian, 2))
    error = 100 * eps ** (2 / 3) * sharpest
    other = 10 * float(np.linalg.norm(coarse - middle, 2)) + 500 * eps * sharpest
    if other < error:
        hessian, error = middle, other
    values, basis = np.linalg.eigh(hessian)
    bend = n_beta * np.abs(values)
    error *= n_beta
    least = max(1e-4 * error, 1e-300)  # without γ, so that no direction is without end
    return Spectrum(basis, bend, np.maximum(bend + posterior.localization, least), error)


def _hessian(posterior: TemperedPosterior, size: float) -> Floats:
    target, on, d = posterior.target, posterior.arrays, posterior.target.dimension
    size *= min(target.scale, 1.0)
    rows: list[Floats] = []
    for first in range(0, d, posterior.rows):
        push = size * np.eye(d)[first : first + posterior.rows]
        ends = [on.numpy(target.gradient(on.asarray(end))) for end in (push, -push)]
        rows.extend((ends[0].astype(float) - ends[1]) / (2 * size))
    return np.asarray(0.5 * (np.array(rows) + np.transpose(rows)))


def units(found: Spectrum | None, fastest: float, steps: int) -> Floats | None:
    """Units for trajectories that would not cross the flattest directions in plain coordinates.

    Parameters
    ----------
    found : Spectrum, optional
    fastest : float
        Rate per step at which the sharpest direction forgets, were it slow.
    steps : int
        Of the burn-in, and as many that count.

    Returns
    -------
    array, shape (d, d), or None
        None where plain coordinates do.

    Examples
    --------
    >>> both = np.array([1e6, 1e2])
    >>> units(Spectrum(np.eye(2), both, both), fastest=200.0, steps=120) is None
    True
    >>> both = np.array([1e9, 1e2])
    >>> units(Spectrum(np.eye(2), both, both), fastest=200.0, steps=120).diagonal().round(6)
    array([3.2e-05, 1.0e-01])
    """
    if found is None:
        return None
    pace = fastest / float(found.precision.max())
    lacking = found.lacking(pace, steps, steps)
    return found.root() if lacking > PLAIN * found.regular else None
