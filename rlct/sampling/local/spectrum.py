"""Curvatures of the loss at w₀ in every direction, and which of these chains are slow to fill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rlct.sampling.arrays import Arrays, arrays_of
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import DataTarget, Floats

__all__ = [
    "MOST_GRADIENTS",
    "Spectrum",
    "Units",
    "precise_target",
    "prior_hold",
    "spectrum",
    "units",
]

MOST_GRADIENTS = 2000  # on all data, which a Hessian may take: a tenth of what chains of hmc do
PLAIN = 0.01  # share of the tempered mean that steps in plain coordinates may leave out
UNEVEN = 1e6  # of γ: a sharpest direction beyond which directions that γ alone confines count, too
CROSSED = 3.0  # times that a direction forgets in a run in which it counts as crossed
HELD = 0.2  # of a direction that γ takes: less is no news
FILLED = 0.1  # mean square over 1/precision: less has probability 1e-3 for 8 chains
SURE = 5.0  # errors of the mean curvature of all samples; and two by root of directions tested
SQUARE = 8.0  # times the loss at half the distance: more is a higher power than the second
HIDDEN = 1e-12  # of the sharpest direction: what rounding leaves to one that nothing confines


class Units(NamedTuple):
    """Units for steps, in place of those of w.

    Parameters
    ----------
    root : array, shape (d, d)
        Symmetric root of a covariance.
    flattest : float
        Precision in them of the flattest direction.
    """

    root: Floats
    flattest: float


@dataclass(frozen=True)
class Spectrum:
    """Eigenvectors of the Hessian of L at w₀, and the precisions of exp(−nβL − γ|w|²/2) there.

    Parameters
    ----------
    basis : array, shape (d, d)
        A column for each direction.
    curvatures : array, shape (d,)
        nβh, h the eigenvalue, in size; where w₀ is a saddle chains leave it either way.
    confining : float
        γ and the precision of the prior, which confine every direction.
    """

    basis: Floats
    curvatures: Floats
    confining: float

    @property
    def precision(self) -> Floats:
        """nβh + γ, with the prior's."""
        least = max(HIDDEN * float(self.curvatures.max()), 1e-300)
        return np.asarray(np.maximum(self.curvatures + self.confining, least))

    @property
    def regular(self) -> float:
        """Tempered mean of nβL if L were quadratic, ½ Σ nβh/(nβh + γ)."""
        return float(0.5 * (self.curvatures / self.precision).sum())

    @property
    def uneven(self) -> bool:
        """Whether steps that the sharpest direction bears are nothing beside what γ allows."""
        return bool(self.precision.max() > UNEVEN * self.confining > 0)

    def _absent(self, pace: float, before: int, count: int) -> Floats:
        """Share of its variance that each direction has not reached, see :meth:`lacking`."""
        rate = 2.0 * pace * self.precision
        during = np.maximum(rate * count, 1e-12)
        return np.asarray(np.exp(-rate * before) * -np.expm1(-during) / during)

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
        >>> one = Spectrum(np.eye(1), np.array([1.0]), 0.0)
        >>> round(one.lacking(0.01, 0, 1), 3), round(one.lacking(0.01, 1000, 1000), 3)
        (0.495, 0.0)
        """
        absent = self._absent(pace, before, count)
        return float(0.5 * (self.curvatures / self.precision * absent).sum())

    def unexplored(self, pace: float, before: int, count: int) -> int:
        """How many directions that γ confines, not L to second order, chains have hardly entered.

        Higher powers of L may bend there, and λ̂ lack up to 1/2 for each.

        Examples
        --------
        >>> both = Spectrum(np.eye(2), np.array([1e9, 0.0]), 1.0)
        >>> both.unexplored(1e-9, 1000, 1000), both.unexplored(1.0, 1000, 1000)
        (1, 0)
        """
        absent = self._absent(pace, before, count)
        return int(((self.curvatures < self.confining) & (absent > 1.0 - FILLED)).sum())

    def units(self, least: float = 0.0) -> Units:
        """Units of the root of the covariance, in which all directions are alike.

        Those of a precision below ``least`` count as if they had it.
        """
        taken = np.maximum(self.precision, least)
        flattest = float((self.precision / taken).min())
        return Units(self.basis / np.sqrt(taken) @ self.basis.T, flattest)


def spectrum(posterior: TemperedPosterior, gradients: float = MOST_GRADIENTS) -> Spectrum | None:
    """Hessian of L at w₀ on data, by differences; None where it takes long, or is not finite.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of one rung.
    gradients : float
        On all data that it may take, 2d.

    Examples
    --------
    >>> from rlct.sampling.targets.network import NetworkTarget
    >>> x = np.array([[1.0], [3.0]])
    >>> target = NetworkTarget([np.ones((1, 1))], x, x, "linear", sigma=1e6)  # L = 5(w − 1)²/2
    >>> rng = np.random.default_rng(0)
    >>> found = spectrum(
    ...     TemperedPosterior(target, 10.0, rng=rng, num_chains=2, localization=1.0)
    ... )
    >>> found.curvatures.round(6), round(found.regular, 3)
    (array([50.]), 0.49)
    """
    d, n_beta = posterior.target.dimension, float(posterior.n_beta[0])
    if not isinstance(posterior.target, DataTarget) or 2 * d > gradients:
        return None
    target, on = precise_target(posterior)
    size = min(target.scale, 1.0) * float(on.xp.finfo(on.dtype).eps) ** (1 / 3)
    rows: list[Floats] = []
    for first in range(0, d, posterior.rows):
        push = size * np.eye(d)[first : first + posterior.rows]
        ends = [on.asarray(end) for end in (push, -push)]
        above, below = (on.numpy(target.gradient(end)).astype(float) for end in ends)
        rows.extend((above - below) / (2 * size))
    hessian = np.array(rows)
    if not np.isfinite(hessian).all():
        return None
    values, basis = np.linalg.eigh(0.5 * (hessian + hessian.T))
    return Spectrum(basis, n_beta * np.abs(values), posterior.confining)


def precise_target(posterior: TemperedPosterior) -> tuple[DataTarget, Arrays]:
    """The target in double precision where it has a twin there: differences show rounding."""
    target = posterior.target
    assert isinstance(target, DataTarget)
    twin: DataTarget = getattr(target, "doubled", target)
    return twin, posterior.arrays if twin is target else arrays_of(twin, np.random.default_rng(0))


def units(hessian_spectrum: Spectrum | None, fastest: float, steps: int) -> Units | None:
    """Units for trajectories that would not cross the flattest directions in plain coordinates.

    Where the Hessian is 0 the loss may bend by higher powers.  So only those directions are made
    alike that are sharper than what plain steps can bear while they cross all that γ allows:
    between the others the loss far from w₀ decides, of which the Hessian at w₀ knows nothing.

    Parameters
    ----------
    hessian_spectrum : Spectrum, optional
    fastest : float
        Rate per step at which the sharpest direction forgets, were it slow.
    steps : int
        Of the burn-in, and as many that count.

    Returns
    -------
    Units or None
        None where plain coordinates do.

    Examples
    --------
    >>> units(Spectrum(np.eye(2), np.array([1e5, 0.0]), 1.0), fastest=200.0, steps=120) is None
    True
    >>> held = units(Spectrum(np.eye(2), np.array([1e9, 0.0]), 1.0), fastest=200.0, steps=120)
    >>> held.root.diagonal().round(4), f"{held.flattest:.0e}"
    (array([0.    , 0.0079]), '6e-05')
    """
    if hessian_spectrum is None:
        return None
    pace = fastest / float(hessian_spectrum.precision.max())
    if (
        not hessian_spectrum.uneven
        and hessian_spectrum.lacking(pace, steps, steps) <= PLAIN * hessian_spectrum.regular
    ):
        return None
    return hessian_spectrum.units(2.0 / CROSSED * fastest * steps * hessian_spectrum.confining)


def prior_hold(hessian_spectrum: Spectrum, posterior: TemperedPosterior, w: Floats) -> float:
    """What γ takes from the tempered mean, ½ Σ γ/(nβh + γ), where the loss is surely curved.

    γ with the precision of a normal prior.
    Not of directions where chains stay nearer to w₀ than γ asks: there higher powers hold them, or
    where the loss rises as such a power at once.
    Nor of singular ones, along which λ̂ is what it is for any γ, but where h on n samples is of
    size 1/√n: only where samples bend the same way.  The directions were chosen by these samples,
    and of m of them the sharpest is about 2√m errors by chance.

    Parameters
    ----------
    hessian_spectrum : Spectrum
    posterior : TemperedPosterior
        On data.
    w : array, shape (chains, d)
        Where chains ended.
    """
    target, on = precise_target(posterior)
    prior_share = hessian_spectrum.confining / hessian_spectrum.precision
    square = ((w @ hessian_spectrum.basis) ** 2).mean(axis=0) * hessian_spectrum.precision
    asked = np.flatnonzero((prior_share > HELD) & (square > FILLED))
    least_errors, total = SURE + 2.0 * len(asked) ** 0.5, 0.0
    rounding_share = 500 * float(on.xp.finfo(on.dtype).eps)  # of samples that are all the same
    smallest = float(on.xp.finfo(on.dtype).eps) ** 0.25  # of which the square shows in a loss
    block_size = max(1, posterior.rows // 4)
    for part in (asked[i : i + block_size] for i in range(0, len(asked), block_size)):
        apart = np.maximum(0.01 / np.sqrt(hessian_spectrum.precision[part]), smallest)
        steps = (apart * hessian_spectrum.basis[:, part]).T
        points = np.concatenate([steps, -steps, 2 * steps, -2 * steps])
        losses = on.numpy(target.pointwise(on.asarray(points))).astype(float)
        second_differences, wider = losses.reshape(2, 2, len(part), -1).sum(axis=1)
        floor = rounding_share * (1.0 + np.abs(losses).max())
        error = second_differences.std(axis=1) / np.sqrt(target.samples)
        sure = second_differences.mean(axis=1) > np.maximum(least_errors * error, floor)
        sure &= wider.mean(axis=1) < SQUARE * second_differences.mean(axis=1)
        total += 0.5 * float(prior_share[part[sure]].sum())
    return total
