"""Stochastic-gradient Langevin chains: the published local learning coefficient estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlct.errors import DivergedError, InputError
from rlct.sampling.arrays import Array, value_and_gradient
from rlct.sampling.checks import check_count, real_array
from rlct.sampling.markov_chains.kernel import Kernel, RunSettings
from rlct.sampling.markov_chains.langevin_step import LangevinStep
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import Spectrum
from rlct.sampling.markov_chains.traces import DIVERGED_LOSS
from rlct.sampling.markov_chains.tuning import (
    LossLandscape,
    bearable_step,
    curvature,
    recommended_step,
    spaced_chains,
    wall_pressure,
)
from rlct.sampling.targets.target import DataTarget, Floats

EXCESS_EVERY = 8  # steps between two measurements of what batches add
MIRRORED_SHARE = 1e-6  # of half a step's noise: what a wall moves by less is rounding
SHORTER_STEP = 0.25  # of a step that was found, where chains run away in the burn-in
CURVATURE_STEPS = frozenset(
    {1, 2, 3} | {int(1.6**k) for k in range(3, 24)}
)  # steps of the burn-in at which the curvature of a population is measured


class Sgld(Kernel):
    """Δw = (ε/2)[−nβ∇L(w) − γ w + ∇log φ(w)] + √ε(ξ + ξ')/2 without a Metropolis test.

    ε is ``lr``, broadcastable to (rungs, chains); ``batch_size`` samples per gradient are drawn
    anew for each chain and step.  With ``use_prior`` the prior of the target acts beside γ; the
    published estimator has none.  ``step_limit`` gives the largest ε for chains at given points, of
    a step that was found.  All steps are lowered to it before draws are made, as where chains start
    the loss is often flatter than where they go; of populations, whose curvature is cheap, every
    now and then in the burn-in, too.  Chains that run away there begin anew with a quarter of ε.

    Welling, Teh (2011), ICML; Lau, Furman, Wang, Murfet, Wei (2023), arXiv:2308.12108.
    """

    name = "sgld"
    usual_chains, ladder_draws, on_batches, langevin = 16, 4000, True, True
    changing = ("_sizes", "excess", "_virial", "cut_pushes")

    def __init__(
        self,
        posterior: TemperedPosterior,
        *,
        lr: Floats | float,
        batch_size: int | None = None,
        use_prior: bool = True,
        step_limit: Callable[[Array], float] | None = None,
    ) -> None:
        steps = real_array("lr", lr)
        if not (steps > 0).all():
            raise InputError("sgld needs a positive step size lr")
        target = posterior.target
        self._data = target if isinstance(target, DataTarget) else None
        if batch_size is not None:
            if self._data is None:
                raise InputError("mini-batches need a target with data")
            check_count("batch_size", batch_size, 1)
        super().__init__(posterior)
        self.batch_size, self.use_prior = batch_size, use_prior
        try:
            sizes = np.broadcast_to(steps, posterior.shape)
        except ValueError:
            raise InputError(
                f"lr must be one step, or fit {posterior.shape[0]} nβ by {posterior.shape[1]} "
                f"chains, not the shape {steps.shape}"
            ) from None
        self._sizes = np.ascontiguousarray(sizes).reshape(-1)
        self._limit = step_limit
        self._resize(1.0)
        self._bound = 1e6 * (1.0 + posterior.target.scale) * posterior.target.dimension**0.5
        # Between mirrors no chain runs away: a step longer than their distance has lost its place.
        self._side = 2.0 * getattr(posterior.target, "radius", np.inf)
        #: See `LangevinStep.gauge`.
        self.excess: Floats = np.zeros(posterior.rows)
        self._virial: Floats = np.zeros(posterior.rows)
        self._due = False
        self._strength = self._column(np.repeat(posterior.n_beta, posterior.shape[1]))
        self.w = self._proposed = posterior.start(spread=False)
        self.k = self.arrays.zeros((posterior.rows,))

    @classmethod
    def begin(
        cls,
        posterior: TemperedPosterior,
        run_settings: RunSettings,
        landscape: LossLandscape | None,
        spectrum: Spectrum | None,
    ) -> Sgld:
        """Make the kernel, with a step by the curvature at w₀ where none is named."""
        lr, batch_size = run_settings.lr, run_settings.batch_size
        if lr is not None:
            return cls(posterior, lr=lr, batch_size=batch_size)
        assert landscape is not None
        noise = landscape.noise

        def limit(w: Array) -> float:
            top_curvature = float(curvature(posterior, spaced_chains(posterior, w)).max())
            return recommended_step(
                posterior, top_curvature, noise, batch_size, wall_pressure(posterior, w)
            )

        full = recommended_step(posterior, landscape.curvature, noise, batch_size)
        top_curvature = float(posterior.n_beta[0]) * landscape.curvature
        if not posterior.localization or top_curvature <= posterior.confining:
            full = bearable_step(posterior, full)
        if not full > 0:
            raise InputError(
                "the loss is too steep at w* for any step: scale inputs or targets down"
            )
        return cls(posterior, lr=full, batch_size=batch_size, step_limit=limit)

    @property
    def virial(self) -> Floats:
        """w·∇U, as last seen."""
        return self._virial

    def _resize(self, factor: float) -> None:
        self._sizes = self._sizes * factor
        self._rule = LangevinStep(self._column(self._sizes), None, self.arrays.xp.linalg.vecdot)

    def _column(self, values: Floats) -> Array:
        """One factor per row; a number, which is faster, if all are the same."""
        if (values == values[0]).all():
            return float(values[0])
        return self.arrays.asarray(values)[:, None]

    def step(self, number: int, in_burnin: bool) -> None:
        """One step of every chain: ``w`` and ``k`` are where slopes are taken, and the loss there.

        Where a wall mirrors a chain it mirrors its noise, of which the second half is to come.
        """
        if in_burnin and self._data is None and number in CURVATURE_STEPS:
            self._look()
        on, target, rule = self.arrays, self.posterior.target, self._rule
        noise = on.noise(tuple(self._proposed.shape), rule.half_root)
        moved = self._proposed + noise
        self.w = target.reflect(moved)
        if self.w is not moved:
            noise = on.xp.where(abs(self.w - moved) > MIRRORED_SHARE * abs(noise), -noise, noise)
        if self.batch_size is not None and self._data is not None:
            self.k, slopes = self._data.batch(self.w, self.batch_size, on)
        else:
            self.k, slopes = value_and_gradient(target, self.w)
        self.posterior.gradients += 1
        highest = float((self.posterior.strength * self.k).max())
        if np.isnan(highest) or (not in_burnin and highest > DIVERGED_LOSS * target.dimension):
            raise self._diverged(number, f" to nβL = {highest:.2g}")
        slopes = self._strength * slopes
        pull = self.posterior.localization * self.w
        gauged = not in_burnin and (self._due or number % EXCESS_EVERY == 0)
        if self.use_prior:
            self._add_prior(pull, gauged)
        if gauged:
            self._due = False
            seen = rule.gauge(self.w, slopes, pull, noise)
            self.excess, self._virial = (on.numpy(part).astype(float) for part in seen)
        proposed_w = self.w + 0.0
        rule.finish(proposed_w, slopes + pull, noise)
        finding = in_burnin and self._limit is not None  # a step that bears the chains
        farthest = float(abs(proposed_w - self.w).max()) if self._side < np.inf else 0.0
        if not finding and not farthest <= self._side:
            raise self._diverged(number, ", farther than its box is wide")
        if not bool(on.lengths(proposed_w).max() < self._bound):
            if not finding:
                raise self._diverged(number)
            self._resize(SHORTER_STEP)
            proposed_w = self.posterior.start(spread=False)
        self._proposed = target.reflect(proposed_w)

    def _add_prior(self, force: Array, counted: bool) -> None:
        """Add −∇log φ: a power of w pushes infinitely hard at w = 0; no farther here than noise."""
        full_push = self.posterior.target.log_prior_gradient(self.w)
        most = 1.0 / self._rule.half_root
        push = self.arrays.xp.clip(full_push, -most, most)
        force -= push
        if counted:
            counts = [float((full_push != part).sum()) for part in (push, 0.0)]
            self.cut_pushes = self.cut_pushes + np.array(counts)

    def _diverged(self, number: int, how: str = "") -> DivergedError:
        if bool(self.arrays.xp.isnan(self.k).any()):
            how = ", where the loss is not a number"
        advice = f"lower lr, now up to {self._sizes.max():.2g}"
        if self._limit is not None:  # the step was found
            advice = "name a small lr, a localization, or another method"
        return DivergedError(f"a chain diverged at step {number}{how}: {advice}")

    def _look(self) -> None:
        """Lower all steps to what chains bear where they are."""
        if self._limit is not None:
            self._resize(min(1.0, self._limit(self._proposed) / float(self._sizes.max())))

    def settle(self) -> None:
        """Look around before draws are made."""
        self._look()
        self._due = True

    def sizes(self) -> Floats:
        """ε per row, the variance of the injected noise."""
        return self._sizes

    def notes(self) -> dict[str, Any]:
        """Size of the batches."""
        return {"batch_size": self.batch_size}

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step."""
        return super().state() | {"place": self.arrays.numpy(self._proposed)}

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        super().restore(state)
        self._proposed = self.arrays.asarray(state["place"])
        self._resize(1.0)


KERNEL = Sgld
