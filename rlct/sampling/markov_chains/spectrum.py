"""Curvatures of the loss at w₀ in every direction, and which of these chains have not filled."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rlct.sampling.arrays import Arrays, arrays_of
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import DataTarget, Floats

MOST_GRADIENTS = 2000  # on all data, which a Hessian may take: a tenth of what chains of hmc do
PLAIN_SHARE = 0.01  # share of the tempered mean that steps in plain coordinates may leave out
UNEVEN_RATIO = 1e6  # to γ: beyond such a sharpest direction those that γ alone confines count, too
CROSSED_RATE = 3.0  # times that a direction forgets in a run in which it counts as crossed
FILLED_SQUARE = 0.1  # mean square over 1/precision: less has probability 1e-3 for 8 chains
HIDDEN_SHARE = 1e-12  # of the sharpest direction: what rounding leaves to one that nothing confines


class Units(NamedTuple):
    """Units for steps, in place of those of w."""

    #: Shape (d, d): symmetric root of a covariance.
    root: Floats
    #: Precision in them of the flattest direction.
    flattest: float


@dataclass(frozen=True)
class Curvatures:
    """Eigenvalues of the Hessian of L, and how fast chains fill their directions."""

    #: Shape (k,): nβh, h the eigenvalue, in size; where w₀ is a saddle chains leave it either way.
    curvatures: Floats
    #: γ and the precision of the prior, which confine every direction; shape (k,) where a curvature
    #: is the sum over several directions: what precision there is beside it.
    confining: float | Floats

    @property
    def precision(self) -> Floats:
        """nβh + γ, with the prior's."""
        least = max(HIDDEN_SHARE * float(self.curvatures.max(initial=0.0)), 1e-300)
        return np.asarray(np.maximum(self.curvatures + self.confining, least))

    @property
    def regular(self) -> float:
        """Tempered mean of nβL if L were quadratic, ½ Σ nβh/(nβh + γ)."""
        return float(0.5 * (self.curvatures / self.precision).sum())

    def lacking(self, pace: float, before: int, count: int) -> float:
        """What chains from w₀ leave out of that mean, after ``before`` steps, in ``count`` more.

        The variance of a direction of precision c comes near 1/c as 1 − exp(−2·pace·c·steps).
        ``pace`` is the rate per step at which a direction of precision one forgets, if that is
        slow.

        >>> one = Curvatures(np.array([1.0]), 0.0)
        >>> round(one.lacking(0.01, 0, 1), 3), round(one.lacking(0.01, 1000, 1000), 3)
        (0.495, 0.0)
        """
        rate = 2.0 * pace * self.precision
        during = np.maximum(rate * count, 1e-12)
        absent = np.exp(-rate * before) * -np.expm1(-during) / during
        return float(0.5 * (self.curvatures / self.precision * absent).sum())


@dataclass(frozen=True)
class Spectrum(Curvatures):
    """All of them at w₀, with their directions."""

    confining: float
    #: Shape (d, d): a column for each direction.
    basis: Floats

    @property
    def uneven(self) -> bool:
        """Whether steps that the sharpest direction bears are nothing beside what γ allows."""
        return bool(self.precision.max() > UNEVEN_RATIO * self.confining > 0)

    def unentered(self, w: Floats) -> float:
        """What of that mean lies in directions that chains at ``w`` have hardly entered.

        They ended at ``w``, shape (chains, d).

        >>> both = Spectrum(np.array([99.0, 99.0]), 1.0, basis=np.eye(2))
        >>> round(both.unentered(np.array([[0.1, 1e-9]] * 8)), 3)
        0.495
        """
        filled = ((w @ self.basis) ** 2).mean(axis=0) * self.precision
        absent = np.where(filled < FILLED_SQUARE, 1.0 - filled, 0.0)
        return float(0.5 * (self.curvatures / self.precision * absent).sum())

    def units(self, least: float = 0.0) -> Units:
        """Units of the root of the covariance, in which all directions are alike.

        Those of a precision below ``least`` count as if they had it.
        """
        taken = np.maximum(self.precision, least)
        flattest = float((self.precision / taken).min())
        return Units(self.basis / np.sqrt(taken) @ self.basis.T, flattest)


def spectrum(posterior: TemperedPosterior, gradients: float = MOST_GRADIENTS) -> Spectrum | None:
    """Hessian of L at w₀ on data, by differences; None where it takes long, or is not finite.

    The posterior has one rung; 2d gradients on all data are taken.

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
    precision = getattr(target, "dtype", on.dtype)  # of a module, that of its evaluation
    size = min(target.scale, 1.0) * float(on.xp.finfo(precision).eps) ** (1 / 3)
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
    return Spectrum(n_beta * np.abs(values), posterior.confining, basis=basis)


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

    ``fastest`` is the rate per step at which the sharpest direction forgets, were it slow,
    ``steps`` those of the burn-in, and as many that count.  None where plain coordinates do.

    >>> flat = Spectrum(np.array([1e5, 0.0]), 1.0, basis=np.eye(2))
    >>> units(flat, fastest=200.0, steps=120) is None
    True
    >>> uneven = Spectrum(np.array([1e9, 0.0]), 1.0, basis=np.eye(2))
    >>> held = units(uneven, fastest=200.0, steps=120)
    >>> held.root.diagonal().round(4), f"{held.flattest:.0e}"
    (array([0.    , 0.0079]), '6e-05')
    """
    if hessian_spectrum is None:
        return None
    pace = fastest / float(hessian_spectrum.precision.max())
    if (
        not hessian_spectrum.uneven
        and hessian_spectrum.lacking(pace, steps, steps) <= PLAIN_SHARE * hessian_spectrum.regular
    ):
        return None
    return hessian_spectrum.units(2.0 / CROSSED_RATE * fastest * steps * hessian_spectrum.confining)
