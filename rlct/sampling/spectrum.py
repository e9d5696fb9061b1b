"""How the loss bends at w₀ in every direction, and which of them chains are slow to fill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.sampling.posterior import TemperedPosterior
from rlct.sampling.target import DataTarget, Floats

__all__ = ["GRADIENTS", "Spectrum", "held", "spectrum", "units"]

GRADIENTS = 2000  # on all data, which a Hessian may take: a tenth of what chains of hmc do
PLAIN = 0.01  # share of the tempered mean that steps in plain coordinates may leave out
HELD = 0.2  # of a direction that γ takes: less is no news
FILLED = 0.1  # mean square over 1/precision: less has probability 1e-3 for 8 chains
SURE = 5.0  # errors of the mean bend of all samples; and two for each root of directions looked at
HIDDEN = 1e-12  # of the sharpest direction: what rounding leaves to one without γ


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
    """

    basis: Floats
    bend: Floats
    precision: Floats

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
        during = np.maximum(rate * count, 1e-12)
        absent = np.exp(-rate * before) * -np.expm1(-during) / during
        return float(0.5 * (self.bend / self.precision * absent).sum())

    def root(self) -> Floats:
        """Symmetric square root of the covariance, in whose units all directions are alike."""
        return np.asarray(self.basis / np.sqrt(self.precision) @ self.basis.T)


def spectrum(posterior: TemperedPosterior, gradients: float = GRADIENTS) -> Spectrum | None:
    """Hessian of L at w₀ on data, by differences; None where it takes long, or is not finite.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of one rung.
    gradients : float
        On all data that it may take, 2d.

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
    target, on, d = posterior.target, posterior.arrays, posterior.target.dimension
    n_beta = float(posterior.n_beta[0])
    if not isinstance(target, DataTarget) or 2 * d > gradients:
        return None
    size = min(target.scale, 1.0) * float(on.xp.finfo(on.dtype).eps) ** (1 / 3)
    rows: list[Floats] = []
    for first in range(0, d, posterior.rows):
        push = size * np.eye(d)[first : first + posterior.rows]
        ends = [on.numpy(target.gradient(on.asarray(end))) for end in (push, -push)]
        rows.extend((ends[0].astype(float) - ends[1]) / (2 * size))
    hessian = np.array(rows)
    if not np.isfinite(hessian).all():
        return None
    values, basis = np.linalg.eigh(0.5 * (hessian + hessian.T))
    bend = n_beta * np.abs(values)
    least = max(HIDDEN * float(bend.max()), 1e-300)
    return Spectrum(basis, bend, np.maximum(bend + posterior.localization, least))


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


def held(found: Spectrum, posterior: TemperedPosterior, w: Floats) -> float:
    """What γ takes from the tempered mean, ½ Σ γ/(nβh + γ), where the loss surely bends.

    Not of directions where chains stay nearer to w₀ than γ asks: there higher powers hold them.
    Nor of singular ones, along which λ̂ is what it is for any γ, but where h on n samples is of
    size 1/√n: only where samples bend the same way.  The directions were chosen by these samples,
    and of m of them the sharpest is about 2√m errors by chance.

    Parameters
    ----------
    found : Spectrum
    posterior : TemperedPosterior
        On data.
    w : array, shape (chains, d)
        Where chains ended.
    """
    target, on = posterior.target, posterior.arrays
    assert isinstance(target, DataTarget)
    taken = 1.0 - found.bend / found.precision
    square = ((w @ found.basis) ** 2).mean(axis=0) * found.precision
    asked = np.flatnonzero((taken > HELD) & (square > FILLED))
    least, total = SURE + 2.0 * len(asked) ** 0.5, 0.0
    rounding = 500 * float(on.xp.finfo(on.dtype).eps)  # of samples that are all the same
    together = max(1, posterior.rows // 2)
    for part in (asked[i : i + together] for i in range(0, len(asked), together)):
        steps = (0.01 / np.sqrt(found.precision[part]) * found.basis[:, part]).T
        losses = on.numpy(target.pointwise(on.asarray(np.concatenate([steps, -steps]))))
        ends = losses.astype(float).reshape(2, len(part), -1)
        bends, floor = ends.sum(axis=0), rounding * (1.0 + np.abs(ends).max(axis=(0, 2)))
        error = bends.std(axis=1) / np.sqrt(target.samples)
        sure = bends.mean(axis=1) > np.maximum(least * error, floor)
        total += 0.5 * float(taken[part[sure]].sum())
    return total
