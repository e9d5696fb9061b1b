"""What is known of a run at one nβ besides its draws: settings, and what was seen around w*."""

from dataclasses import dataclass

from rlct.sampling.local.spikes import SpikedRun


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
    by_localization : (float, float)
        dλ̂/d log γ with its standard error.  On data it is of the precision of a normal prior
        where that is larger than γ.
    excess : float
        What mini-batches add to the mean of nβL, which is taken off λ̂: the plain mean is
        λ̂ + excess.
    descent : float
        How far nβL falls in a short descent from w*, or is seen to lie lower nearby.
    curvature : float or None
        Sharpest curvature of the loss at w*.
    spiked : SpikedRun or None
        The steps on mini-batches, as planted weights would take them.
    """

    n_beta: float
    localization: float
    samples: int | None
    radius: float | None
    by_localization: tuple[float, float]
    excess: float = 0.0
    descent: float = 0.0
    curvature: float | None = None
    spiked: SpikedRun | None = None
