"""One target and the ladders that are run on it until its λ is known narrowly enough."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rlct.sampling.estimate import Estimate
from rlct.sampling.kernels import kernel_class
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.expansion import fit_exact
from rlct.sampling.ladders.gibbs_ladder import gibbs_ladder
from rlct.sampling.ladders.joint_fit import fit, theta_chances
from rlct.sampling.ladders.ladder import Fit, Ladder
from rlct.sampling.ladders.ladder_report import report
from rlct.sampling.ladders.quadrature import quadrature_ladder
from rlct.sampling.ladders.rungs import chain_ladder
from rlct.sampling.ladders.splitting import splitting_ladder
from rlct.sampling.ladders.tempering import LAST_N_BETA, tempering_ladder
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.targets.depth import HIGHEST_N_BETA
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Target

STOPPED_WARNING = "interrupted: more draws were to narrow the interval"
UNTRIED_THETAS = f"θ was tried up to {priors.MOST_THETAS} only, and may be larger: "
UNTRIED_THETAS += "name it, or λ̂ may be too low"
CUT_OFF = "interrupted when the ladder was whole: nothing was tried after it"


def fit_target(target: Target, ladder: Ladder, theta: int | None = None) -> Fit:
    """Fit (λ, θ) to a ladder of this target, for every θ that it may have if none is given."""
    thetas, layers, variables = pole_family(target)
    thetas = thetas if theta is None else [theta]
    fit_ladder = partial(fit, thetas=thetas, layers=layers, variables=variables)
    ladder_fit = fit_ladder(ladder) if ladder.error is None else fit_exact(ladder, thetas)
    if ladder.independent is not None:
        ladder_fit = ladder_fit.beside(fit_ladder(replace(ladder, slopes=ladder.independent)))
    return ladder_fit


def target_theta_chances(target: Target, ladder: Ladder, lam: float) -> dict[int, float]:
    """Chance of every θ that a target may have if λ is known; the better of two where there are.

    They need not add up to 1: a θ counts as unlikely if both estimates of the slopes say so.
    """
    thetas, layers, variables = pole_family(target)
    if ladder.error is not None:
        return fit_exact(ladder, thetas, lam).thetas
    chances_of = partial(theta_chances, thetas=thetas, lam=lam, layers=layers, variables=variables)
    chances = chances_of(ladder)
    if ladder.independent is None:
        return chances
    second_chances = chances_of(replace(ladder, slopes=ladder.independent))
    return {theta: max(chance, second_chances[theta]) for theta, chance in chances.items()}


def pole_family(target: Target) -> tuple[list[int], int, int]:
    """Orders θ that are tried for a target; layers and variables as `fit` takes them."""
    layers, most = 0, min(target.dimension, priors.MOST_THETAS)
    variables = most
    if isinstance(target, LinearNetworkTarget):
        variables = 0  # of their poles more is known
        highest = target.depth.highest_theta if target.depth.deep else priors.SHALLOW_THETA
        layers, most = target.depth.layers * target.depth.deep, min(most, highest)
    return list(range(1, most + 1)), layers, variables


@dataclass(frozen=True)
class LadderAttempt:
    """What one ladder says."""

    answer: Estimate
    ladder: Ladder
    misfit: float

    @property
    def width(self) -> float:
        """Half of the interval over λ̂."""
        low, high = self.answer.interval
        return (high - low) / 2 / self.answer.lam if self.answer.lam > 0 else float("inf")

    @property
    def highest(self) -> int:
        """Largest likely θ, and 1 where it was given."""
        return (self.answer.theta_interval or (1, 1))[1]

    @property
    def fits(self) -> bool:
        """Whether an asymptotic expansion fits the ladder."""
        return self.misfit <= priors.ALLOWED_MISFIT

    def far(self, target: Target) -> float:
        """Find nβ at which the first pole stands alone, λ̂ log nβ being large, or K is hidden."""
        turns = max(priors.WANTED_TURNS, priors.TURNS_BY_THETA * self.highest)
        steps = min(turns / max(self.answer.lam, 1e-300), priors.LONGEST_LADDER)
        return min(self.ladder.unit * float(np.exp(steps)), target.resolution)

    def warn(self, words: str) -> LadderAttempt:
        """Add a warning."""
        return replace(self, answer=self.answer.warn(words))


@dataclass
class LadderAttempts:
    """Ladders on one target; what is the same for all of them."""

    target: Target
    #: As in :func:`rlct.sampling.ladders.run.estimate`.
    seed: int
    level: float
    theta: int | None
    effort: float
    top: float | None
    checkpoint: str | Path | None
    progress: Progress | None
    rng: np.random.Generator = field(init=False)
    began: float = field(init=False, default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def narrowed(
        self,
        method: str,
        wanted_width: float,
        effort_shares: Sequence[float],
        *,
        method_remark: str = "",
        least_end: float = 0.0,
    ) -> LadderAttempt:
        """Make attempts with more and more draws, until the interval is as narrow as wanted.

        ``wanted_width`` is half of the interval over λ̂; of the usual draws each attempt has one of
        the ``effort_shares``.  ``least_end`` is the least end of tempering, if it is known from
        other attempts.
        """
        extends = method == "tempering" and self.top is None and self.checkpoint is None
        last_attempt: LadderAttempt | None = None
        for share in effort_shares:
            end = max(least_end, priors.FAR_TOP if share == priors.LAST_EFFORT else LAST_N_BETA)
            try:
                new_attempt = self.attempt(method, share, end, method_remark)
                if extends and not least_end and not new_attempt.answer.interrupted:
                    last_attempt, least_end = new_attempt, new_attempt.far(self.target)
                    if least_end > end:
                        new_attempt = self.attempt(method, share, least_end, method_remark)
                if last_attempt is not None and new_attempt.answer.interrupted:
                    raise KeyboardInterrupt
            except KeyboardInterrupt:
                if last_attempt is None:
                    raise
                return last_attempt.warn(STOPPED_WARNING)
            last_attempt = new_attempt
            if last_attempt.answer.interrupted or (
                last_attempt.width <= wanted_width and last_attempt.fits
            ):
                break
        assert last_attempt is not None
        return last_attempt

    def attempt(
        self, method: str, share: float = 1.0, end: float = LAST_N_BETA, remark: str = ""
    ) -> LadderAttempt:
        """Run one ladder with a share of the draws, to nβ = ``end`` if `top` says nothing."""
        ladder = self._run(method, share * self.effort, end)
        if isinstance(self.target, PolynomialTarget):
            ladder = replace(ladder, radius=self.target.radius)
        try:
            return self._told(ladder, method, remark)
        except KeyboardInterrupt:
            if ladder.warnings:  # it was stopped before, and is of no use or the user impatient
                raise
            return self._told(ladder, method, remark).warn(CUT_OFF)

    def _told(self, ladder: Ladder, method: str, remark: str) -> LadderAttempt:
        ladder_fit = fit_target(self.target, ladder, self.theta)
        seconds = time.perf_counter() - self.began
        answer = report(
            ladder_fit, ladder, self.theta, self.level, self.seed, method, remark, seconds
        )
        attempt = LadderAttempt(answer, ladder, ladder_fit.misfit)
        beyond_tried = self.theta is None and self.target.dimension > priors.MOST_THETAS
        if beyond_tried and ladder_fit.theta_range(self.level)[1] == priors.MOST_THETAS:
            return attempt.warn(UNTRIED_THETAS)
        return attempt

    def _run(self, method: str, effort: float, end: float) -> Ladder:
        if method == "quadrature":
            assert isinstance(self.target, PolynomialTarget)
            return quadrature_ladder(self.target, progress=self.progress)
        run_options: dict[str, Any] = {
            "rng": self.rng,
            "checkpoint": self.checkpoint,
            "progress": self.progress,
        }
        if method == "tempering":
            top, room = (self.top, 0.0) if self.top else (end, priors.LADDER_ROOM)
            particles = int(160 * effort)
            return tempering_ladder(
                self.target, particles=particles, top=top, spare_length=room, **run_options
            )
        if method == "gibbs":
            draws, chains = max(2, int(40 * effort)), int(np.clip(48 * effort, 8, 24))
            top = HIGHEST_N_BETA
            if isinstance(self.target, LinearNetworkTarget):
                top = self.target.depth.far
            return gibbs_ladder(
                self.target, num_chains=chains, num_draws=draws, top=top, **run_options
            )
        if method == "splitting":
            return splitting_ladder(self.target, particles=int(160 * effort), **run_options)
        kernel = kernel_class(method)
        draws = int(kernel.ladder_draws * effort)
        return chain_ladder(kernel, self.target, draws=draws, **run_options)
