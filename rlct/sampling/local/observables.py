"""Running moments of the draws: response of λ̂ to nβ, γ and the data, and functional variance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from rlct.sampling.arrays import Array
from rlct.sampling.local.data_error import DataError, covariance_traces, data_error, first_order
from rlct.sampling.local.fluctuation import (
    BatchFluctuation,
    FluctuationEstimate,
    unbiased_fluctuation,
)
from rlct.sampling.local.retraining import RetrainedHalves
from rlct.sampling.local.spectrum import precise_target
from rlct.sampling.markov_chains.burnin import chain_mean
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import DataTarget, Floats

__all__ = ["DataMoments", "Response", "response"]


@dataclass(frozen=True)
class Response:
    """Derivatives of λ̂ = E[nβK], each with its standard error from the chains.

    Parameters
    ----------
    log_n_beta : (float, float)
        dλ̂/d log nβ = E[nβK] − Var(nβK): zero once λ̂ has reached its limit.
    log_localization : (float, float)
        dλ̂/d log γ = −(γ/2) Cov(nβK, |w − w₀|²): how far λ̂ follows γ.
    """

    log_n_beta: tuple[float, float]
    log_localization: tuple[float, float]


def response(draws: Floats, distance: Floats, localization: float) -> Response:
    """Fluctuation–response: derivatives of a tempered mean are covariances of the same draws.

    Parameters
    ----------
    draws, distance : array, shape (chains, draws)
        nβK and |w − w₀|.
    localization : float
        γ.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(8, 4000)) / np.sqrt(101)     # K = x²/2, nβ = 100, γ = 1
    >>> found = response(50 * x**2, np.abs(x), 1.0)
    >>> abs(found.log_n_beta[0] - 0.5 * 100 / 101**2) < 0.02
    True
    """
    # About the mean of all chains, which is right however few draws a single chain has.
    own, square = draws - draws.mean(), distance**2
    covariance = (own * (square - square.mean())).mean(axis=1)
    by_temperature = chain_mean(draws.mean(axis=1) - (own**2).mean(axis=1))
    return Response(by_temperature, chain_mean(-0.5 * localization * covariance))


class DataMoments:
    """Posterior mean, variance and response of every sample's loss, accumulated draw by draw.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of a single rung, on a target with data.
    every : int
        Of so many draws one is looked at.
    batches : BatchFluctuation, optional
        Looks at mini-batches of every draw.
    pull : callable, optional
        w·∇U of all chains as the kernel knows it; by a gradient on all data without it.
    descent : float
        By how much a descent from w₀ lowers nβL.
    trained : bool, optional
        Whether w₀ was found on these data; by default, whether it seems so by ``descent``.
    """

    def __init__(
        self,
        posterior: TemperedPosterior,
        look_every: int = 1,
        batches: BatchFluctuation | None = None,
        kernel_pull: Callable[[], Array] | None = None,
        *,
        descent: float = 0.0,
        trained: bool | None = None,
    ) -> None:
        assert isinstance(posterior.target, DataTarget)
        self.posterior, self.every, self.batches = posterior, look_every, batches
        self._pull, self._descent, self.trained = kernel_pull, descent, trained
        self.target, self._precise = posterior.target, precise_target(posterior)
        chains, n = posterior.rows, self.target.samples
        self._seen = self._count = 0
        self._mean = np.zeros((chains, n))
        self._square = np.zeros((chains, n))
        self._even = np.zeros((2, chains, n))  # losses and their products with nβL, see `_pair`
        self._traces: Floats = np.zeros(2)  # sums over looks
        self._before: Floats = np.zeros((chains if chains < 4 else 0, n))  # βℓ at the last
        self._energy: Floats = np.zeros(chains)
        self._energies: list[Floats] = []
        self._retraining = RetrainedHalves(posterior)
        centre, self._near = self._retraining.minimum
        self._centre = posterior.arrays.asarray(centre[None])
        self._distances: list[Floats] = []
        self._pulls: list[Floats] = []

    def __call__(self, w: Array, k: Array) -> None:
        """Look at one draw of all chains."""
        if self.batches is not None:
            self.batches(w)
        self._seen += 1
        if (self._seen - 1) % self.every:
            return
        losses = self._losses(w)
        energy = self.posterior.n_beta[0] * losses.mean(axis=1)
        self._count += 1
        self._mean += losses
        self._square += losses**2
        for share, own, level in self._pair(w, losses, energy):
            weighted = share[:, None] * own
            self._even += weighted, weighted * level[:, None]
            self._energy += share * level
        strength = self._beta * losses
        self._traces += covariance_traces(strength, self._before)
        self._before = strength[: len(self._before)]
        self._energies.append(energy)
        self._retraining.look(losses)
        far = (w * w).sum(-1)
        self._distances.append(np.sqrt(np.asarray(self.posterior.arrays.numpy(far), dtype=float)))
        pull = self._pull() if self._pull is not None else self._pull_at(w)
        self._pulls.append(np.asarray(self.posterior.arrays.numpy(pull), dtype=float))

    def _losses(self, w: Array) -> Floats:
        """ℓ_i(w) − ℓ_i(w₀), shape (chains, n), in double precision: L is below rounding of each."""
        target, on = self._precise
        if target is not self.target:
            w = on.asarray(np.asarray(self.posterior.arrays.numpy(w), dtype=float))
        return np.asarray(on.numpy(target.pointwise(w)), dtype=float)

    def _pair(self, w: Array, losses: Floats, energy: Floats) -> list[tuple[Floats, ...]]:
        """A draw and its mirror image about the minimum: chances given both, losses and nβL.

        A mean over them is the conditional one of what the posterior draws, and has less noise.
        Losses of samples are linear near the minimum, where those of all cancel; so do they in
        the pair, however large they are.  Had w₀ no rounding, γ would pull to the minimum.
        """
        image, at = 2.0 * self._centre - w, self._centre if self._near else 0.0
        numpy, pull = self.posterior.arrays.numpy, 0.5 * self.posterior.localization
        mirrored_losses = self._losses(image)
        level = self.posterior.n_beta[0] * mirrored_losses.mean(axis=1)
        own, other = (
            np.asarray(numpy(self.target.log_prior(v) - pull * (u * u).sum(-1)), dtype=float)
            for v, u in ((w, w - at), (image, image - at))
        )
        with np.errstate(invalid="ignore", over="ignore"):
            draw_share = expit(level - energy + own - other)
        is_finite = (
            np.isfinite(draw_share) & np.isfinite(level) & np.isfinite(mirrored_losses).all(axis=1)
        )
        draw_share = np.where(is_finite, draw_share, 1.0)
        mirrored_losses, level = (
            np.where(is_finite[:, None], mirrored_losses, 0.0),
            np.where(is_finite, level, 0.0),
        )
        return [(draw_share, losses, energy), (1.0 - draw_share, mirrored_losses, level)]

    def _pull_at(self, w: Array) -> Array:
        force = self.target.log_prior_gradient(w) - self.posterior.localization * w
        return (w * (float(self.posterior.n_beta[0]) * self.target.gradient(w) - force)).sum(-1)

    def settings(self) -> dict[str, Any]:
        """What identifies it in a file."""
        size = None if self.batches is None else self.batches.size
        return {"looks": self.every, "nu_batch_size": size, "mirrored": True}

    def state(self) -> dict[str, Floats]:
        """All it holds."""
        batch_state = {} if self.batches is None else {"batches": self.batches.sums}
        return batch_state | {
            "sums": np.array([self._mean, self._square, *self._even]),
            "energy": self._energy,
            "changes": self._retraining.changes,
            "energies": self._looked_energies(),
            "distances": np.array(self._distances).reshape(-1, len(self._energy)),
            "traces": self._traces,
            "before": self._before,
            "pulls": np.array(self._pulls).reshape(-1, len(self._energy)),
            "counts": np.array([self._seen, self._count], dtype=float),
        }

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        if self.batches is not None:
            self.batches.sums = state["batches"]
        self._mean, self._square, *even = state["sums"]
        self._even = np.array(even)
        self._traces, self._before = state["traces"], state["before"]
        self._retraining.restore(state["changes"])
        self._energies, self._distances = list(state["energies"]), list(state["distances"])
        self._pulls = list(state["pulls"])
        self._energy = state["energy"]
        self._seen, self._count = (int(x) for x in state["counts"])

    @property
    def count(self) -> int:
        """Draws looked at."""
        return self._count

    def response(self, excess: float = 0.0) -> Response:
        """As :func:`response`, from losses on all data: those of mini-batches fluctuate more.

        Less what steps add, as in :meth:`singular_fluctuation`.
        """
        energies, distances = self._looked_energies().T, np.array(self._distances).T
        found = response(energies, distances, self.posterior.stronger)
        mean, share = float(energies.mean()), self.share_without_step(excess) ** 2
        (slope, error), (pull, pull_error) = found.log_n_beta, found.log_localization
        return Response(
            (mean - excess - share * (mean - slope), error), (share * pull, share * pull_error)
        )

    def share_without_step(self, excess: float) -> float:
        """What share of the variance of a weight is left without that which steps add.

        They add ``excess`` to ½E[w·∇nβL], which of a quadratic loss is ½Σ h/a/(1 − εa/4), a = h + γ
        being the curvatures: it is right where the directions that bend bend alike.
        """
        if not excess:
            return 1.0
        square = np.array(self._distances) ** 2
        inward = 0.5 * float((np.array(self._pulls) - self.posterior.confining * square).mean())
        return float(np.clip(1.0 - excess / inward, 0.0, 1.0)) if inward > 0 else 1.0

    def unfilled(self, dropped: int = 0) -> tuple[float, float]:
        """Of d directions those that chains have not filled, d − E[w·∇U], and its standard error.

        U = nβL + γ|w|²/2 − log prior.  Chains that know all of exp(−U) have E[w·∇U] = d, whatever
        L is (integration by parts, w being counted from w₀).  A direction in which they are still
        near w₀ has no part in it.  ``dropped`` are draws, of which those looked at are left out.
        """
        pulls = np.array(self._pulls[dropped // self.every :]).T
        value, error = chain_mean(pulls.mean(axis=1))
        return self.target.dimension - value, error

    def singular_fluctuation(self, excess: float = 0.0) -> FluctuationEstimate | None:
        """ν = (β/2) Σ Var_w(ℓ_i), less what steps add, by ``excess`` to nβL; None if unseen."""
        if self.batches is not None:
            variance = self.batches.variance()
        else:
            often = np.broadcast_to(float(self._count), self._mean.shape)
            variance = unbiased_fluctuation([often, self._mean, self._square])
        half = 0.5 * self._beta * self.share_without_step(excess)
        return variance and variance._replace(
            value=half * variance.value, error=half * variance.error
        )

    def _looked_energies(self) -> Floats:
        """nβL, shape (looks, chains)."""
        return np.array(self._energies).reshape(-1, len(self._energy))

    @property
    def _beta(self) -> float:
        return float(self.posterior.n_beta[0]) / self.target.samples

    @property
    def descent(self) -> float:
        """nβ times what L lies above its minimum at w₀, by a descent and by the lowest draw.

        A descent does not leave a flat saddle as a·b·c = 0; draws do.
        """
        return max(self._descent, -float(self._looked_energies().min(initial=0.0)))

    def skip_descents(self) -> bool:
        """Leave out what of :meth:`data_error` takes long; whether it misses that."""
        self._retraining.left_out = True
        return self.trained is not False and self._retraining.lacking

    def data_error(self) -> DataError:
        """Scatter of λ̂ over data sets, see :func:`rlct.sampling.local.data_error.data_error`."""
        traces = self._traces / max(self._count, 1)
        if len(self._energy) < 2 or not self._count:
            return data_error((0.0, True), traces, self.descent, self.trained)
        sums = self._beta, self._count, self._even[0], self._energy, self._even[1]
        return data_error(
            first_order(*sums),
            traces,
            self.descent,
            self.trained,
            lambda: self._retraining.square(self._looked_energies()),
            (lambda: first_order(*sums, self._retraining.start())) if self._near else None,
        )
