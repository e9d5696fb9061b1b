"""What is known of how chains at one nβ went, besides λ̂."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlct.sampling.local.data_error import NO_DATA, DataError

if TYPE_CHECKING:
    from rlct.sampling.local.filling import UnfilledDirections

__all__ = ["Run"]


@dataclass(frozen=True)
class Run:
    """What is known of chains at one nβ besides their draws.

    Parameters
    ----------
    n_beta, localization : float
        nβ and γ.
    samples : int or None
        Size of the data set; None for a population.
    radius : float or None
        Half-width of the box around the point that the chains were confined to.
    dropped : int
        Draws of each chain dropped as burn-in.
    by_n_beta, by_localization : (float, float)
        dλ̂/d log nβ and dλ̂/d log γ, each with its standard error.  On data the latter is of the
        precision of a normal prior where that is larger than γ.
    growth : float
        By what share chains went farther from w₀ while draws were taken; 0 where that is no news,
        see `rlct.sampling.markov_chains.burnin.distance_growth`.
    step_share : float or None
        SGLD: the largest ε(nβh + γ)/4 where chains ended, h the sharpest curvature there.
    relaxations : float or None
        SGLD: all steps in relaxation times of that direction.
    gradient_noise : float or None
        Variance of mini-batch gradients over that of the injected noise, averaged over parameters.
    noise_in_lambda : float
        What that noise adds to the mean of nβL, about.
    excess : float
        What the step and the noise add to it, which is taken off λ̂: the plain mean is λ̂ + excess.
    unremoved : float
        What the step may add besides, where nβL grows slower than a square.
    nu_repeats : float or None
        How often a sample was seen for ν, if mini-batches were.
    nu_within : float or None
        Share of ν that the draws of single chains show; the other part is between chains.
    descent : float
        How far nβL falls in a short descent from w₀, or is seen to lie lower nearby.
    curvature : float or None
        Sharpest curvature of the loss at w₀.
    lacking : float
        What directions that are slow to fill take from λ̂, were the loss quadratic.
    unexplored : int
        Directions that chains have hardly entered, where higher powers than the second may bend.
    filling : Filling or None
        How many directions chains have not filled, and what that may take from λ̂.
    falling : float
        By how much nβL is lower where the farthest chain is, see
        `rlct.sampling.local.filling.outward_fall`.
    held : float
        What γ and a normal prior take from it in directions where the loss is surely curved.
    by_prior : bool
        Whether on data a normal prior confines chains more than γ does.
    data : DataError
        Scatter of λ̂ over data sets; 0 without data.
    rounding : float
        How far single precision moves nβL where chains ended, if that was looked at.
    undefined, undefined_at : int
        Points near the chains at which the loss is not a number, and the step of the first.
    """

    n_beta: float
    localization: float
    samples: int | None
    radius: float | None
    dropped: int
    by_n_beta: tuple[float, float]
    by_localization: tuple[float, float]
    growth: float = 0.0
    step_share: float | None = None
    relaxations: float | None = None
    gradient_noise: float | None = None
    noise_in_lambda: float = 0.0
    excess: float = 0.0
    unremoved: float = 0.0
    nu_repeats: float | None = None
    nu_within: float | None = None
    descent: float = 0.0
    curvature: float | None = None
    lacking: float = 0.0
    unexplored: int = 0
    filling: UnfilledDirections | None = None
    falling: float = 0.0
    held: float = 0.0
    by_prior: bool = False
    data: DataError = NO_DATA
    rounding: float = 0.0
    undefined: int = 0
    undefined_at: int = -1
