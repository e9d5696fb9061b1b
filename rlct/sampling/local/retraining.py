"""Scatter of λ̂ over data sets of which each has trained weights of its own."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.optimize import minimize

from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.local.data_error import chain_groups, common_square
from rlct.sampling.local.spectrum import precise_target
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.length import SECONDS_WORK
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import DataTarget, Floats

__all__ = ["RetrainedHalves"]

HALVES = 32  # of the data, each beside the other half
STEPS = 50  # of a descent on one of them
OFF = 0.1  # of the width of chains where the loss is like w²/2: w₀ may be a saddle
UNEVEN = 1.0  # variance of log-weights of draws that reweighting bears
NEARLY = 0.05  # in nβL, that w₀ may lie above its minimum to be taken as there but for rounding
LEAST = 0.03  # of ε: with less of the data's scatter it sees what the first order does, and noise


class RetrainedHalves:
    """λ̂ on halves of the data, from draws on all data, counted from minima of these halves.

    The loss on a half scatters about that on all data as this does about its expectation.  So λ̂
    of a data set with trained weights w₀ scatters as it does from half to half: draws are
    reweighted by exp(−nβ(L_half − L)), and w₀ moves to the minimum of nβL_half + γ|w − w₀|²/2,
    which keeps it from where training would not come.  First order (infinitesimal jackknife) is
    wrong near a singular point, where λ̂ is no linear function of the data: of a·b·x it is one of
    |z|, z the error of ab in standard errors, whose slope at 0 is none.

    Where so much of the loss is at stake that few draws would weigh all, L_half is replaced by
    L + ε(L_half − L), and what λ̂ moves by is divided by ε; ε → 0 is the first order, which is
    left to say what small ε could.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of a single rung, on a target with data.

    Examples
    --------
    >>> from rlct.sampling.targets.network import NetworkTarget
    >>> x = np.random.default_rng(0).normal(size=(400, 1))
    >>> y = 0.1 * x + np.random.default_rng(1).normal(size=x.shape)
    >>> target = NetworkTarget([x.T @ y / (x.T @ x)], x, y, "linear")
    >>> n_beta = 400 / np.log(400)
    >>> rng = np.random.default_rng(2)
    >>> posterior = TemperedPosterior(target, n_beta, rng=rng, num_chains=8, localization=1.0)
    >>> retraining, energies = RetrainedHalves(posterior), []
    >>> width = 1 / np.sqrt(n_beta * (x**2).mean())
    >>> for draws in width * rng.normal(size=(100, 8, 1)):
    ...     retraining.look(target.pointwise(draws))
    ...     energies.append(n_beta * target.divergence(draws))
    >>> square, _ = retraining.square(np.array(energies))
    >>> square < 0.05**2                          # λ̂ of a regular model is that of any data
    True
    """

    def __init__(self, posterior: TemperedPosterior) -> None:
        assert isinstance(posterior.target, DataTarget)
        self.posterior = posterior
        n, work = posterior.target.samples, data_work(posterior.target)
        # Of its own, so that chains are the same with and without it.
        rng = posterior.arrays.rng.spawn(1)[0]
        known = n > 1 and posterior.rows > 1 and HALVES * STEPS * work <= SECONDS_WORK
        self._pull = posterior.localization or 1.0
        self._quick = STEPS * work <= SECONDS_WORK
        half = np.ones((HALVES // 2 if known else 0, n))
        half[:, : n // 2] = -1.0
        half = rng.permuted(half, axis=1)
        self._signs = np.concatenate([half, -half])
        self._seed = int(rng.integers(2**62))  # of where descents start
        self._changes: list[Floats] = []  # nβ(L_half − L) at each look, shape (chains, HALVES)
        self._minima: tuple[float, Floats] | None = None
        #: Whether descents that are not made yet are not to be made, as after Ctrl-C.
        self.left_out = False

    def look(self, losses: Floats) -> None:
        """Look at one draw of all chains, by ℓ_i(w) − ℓ_i(w₀), shape (chains, n)."""
        n_beta = float(self.posterior.n_beta[0])
        self._changes.append(n_beta / losses.shape[1] * (losses @ self._signs.T))

    @property
    def lacking(self) -> bool:
        """Whether descents could be made, and are not yet."""
        return bool(len(self._signs)) and self._minima is None

    @property
    def changes(self) -> Floats:
        """nβ(L_half − L), shape (looks, chains, HALVES)."""
        shape = (len(self._changes), self.posterior.rows, len(self._signs))
        return np.array(self._changes).reshape(shape)

    def restore(self, changes: Floats) -> None:
        """Go back to these :attr:`changes`."""
        self._changes = list(changes)

    def square(self, energies: Floats) -> tuple[float, bool] | None:
        """Variance of λ̂ from half to half, and whether it stands out of the noise of the draws.

        None where descents took longer than seconds or are :attr:`left_out`, of a single chain or
        sample, and where only a small part of what halves differ by could be put on.

        Parameters
        ----------
        energies : array, shape (looks, chains)
            nβL.
        """
        loss_changes = self.changes
        if not loss_changes.size or (self.left_out and self.lacking):
            return None
        if self._minima is None:
            variance = float(loss_changes.var(axis=(0, 1)).mean())
            half_weight = min(1.0, float(np.sqrt(UNEVEN / max(variance, UNEVEN))))
            if half_weight < LEAST:
                return None
            self._minima = half_weight, self._descents(half_weight)
        half_weight, lowest = self._minima
        parts = []
        for part in chain_groups(self.posterior.rows):
            energy, change = energies[:, part].reshape(-1), half_weight * loss_changes[:, part]
            change = change.reshape(-1, HALVES)
            weights = np.exp(change.min(axis=0) - change)
            moved = (weights * (energy[:, None] + change)).sum(axis=0) / weights.sum(axis=0)
            parts.append((moved - lowest) / half_weight)
        # About their mean: what all halves have in common all data sets have, too.
        apart = np.array(parts) - np.mean(parts, axis=1, keepdims=True)
        common_part = common_square(apart / np.sqrt(HALVES - 1))
        return common_part if np.isfinite(common_part[0]) else None

    @cached_property
    def minimum(self) -> tuple[Floats, bool]:
        """Minimum of nβL + γ|w − w₀|²/2, and whether w₀ is there but for rounding: that of L then.

        w₀ itself where a descent takes long.
        """
        target, _ = precise_target(self.posterior)
        w: Floats = np.zeros(target.dimension)
        shares = [(float(self.posterior.n_beta[0]), target)]
        if not self._quick:
            return w, False
        lowest, w = self._lowest(shares, w, self._pull)
        near = bool(-lowest < NEARLY)
        return self._lowest(shares, w, 0.0)[1] if near else w, near

    def start(self) -> Floats:
        """ℓ_i − ℓ_i(w₀) there."""
        target, on = precise_target(self.posterior)
        minimum_losses = target.pointwise(on.asarray(self.minimum[0][None]))
        return np.asarray(on.numpy(minimum_losses)[0], dtype=float)

    def _descents(self, half_weight: float) -> Floats:
        """Minima of nβ(L + ε(L_half − L)), as near to w₀ as γ has them."""
        target, _ = precise_target(self.posterior)
        n_beta, n = float(self.posterior.n_beta[0]), target.samples
        start = np.random.default_rng(self._seed).normal(size=target.dimension)
        start *= OFF / np.sqrt(n_beta)
        half_minima = []
        for signs in self._signs:
            rows = np.flatnonzero(signs > 0)
            half = (2 * half_weight * n_beta * len(rows) / n, target.part(rows))
            whole = [((1 - half_weight) * n_beta, target)] if half_weight < 1 else []
            half_minima.append(self._lowest([half, *whole], start, self._pull)[0])
        return np.array(half_minima)

    def _lowest(
        self, shares: list[tuple[float, DataTarget]], start: Floats, pull: float
    ) -> tuple[float, Floats]:
        """Minimum of a sum of losses as near to w₀ as a pull towards it has it, and where."""
        _, on = precise_target(self.posterior)

        def both(w: Floats) -> tuple[float, Floats]:
            value, slope, rows = 0.5 * pull * float((w * w).sum()), pull * w, on.asarray(w[None])
            for share, part in shares:
                v, g = (on.numpy(found)[0] for found in value_and_gradient(part, rows))
                value, slope = value + share * float(v), slope + share * g.astype(float)
            return value, slope

        with np.errstate(over="ignore", invalid="ignore"):  # a step may go too far
            options = {"maxiter": STEPS, "ftol": 1e-15, "gtol": 1e-12}
            w = minimize(both, start, jac=True, method="L-BFGS-B", options=options).x
            return both(w)[0] - 0.5 * pull * float(w @ w), w
