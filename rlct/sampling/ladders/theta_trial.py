"""A claimed θ on trial beside planted wrong ones, at the claimed λ."""

import math
from dataclasses import replace

import numpy as np

from rlct.pair import Pair
from rlct.sampling.comparison import ThetaTrial
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.attempts import pole_family, target_theta_chances
from rlct.sampling.ladders.joint_fit import theta_chances
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.targets.target import Target

_LENGTH_FACTORS = np.geomspace(1.25, 40.0, 12)  # of longer ladders that are tried


def theta_trial(target: Target, ladder: Ladder, claim: Pair) -> ThetaTrial:
    """Put the θ of a claim on trial.

    >>> from fractions import Fraction
    >>> from rlct.sampling.ladders.run import estimate
    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> target = PolynomialTarget([{(1, 1): 1}], squared=True)
    >>> trial = theta_trial(target, estimate(target).ladder, Pair(Fraction(1, 2), 2))
    >>> trial.refuted, trial.planted, trial.survivors
    (False, (1,), ())
    """
    chances = target_theta_chances(target, ladder, float(claim.lam))
    likeliest = max(chances.values())
    odds = {theta: chance / likeliest for theta, chance in chances.items()}
    rejected = tuple(theta for theta, each in odds.items() if each < priors.REJECTED_ODDS)
    if claim.theta not in odds:
        rejected = (*rejected, claim.theta)
    trial = ThetaTrial(claim.theta, odds, rejected)
    if trial.refuted or not trial.survivors or ladder.error is not None:
        return trial
    return replace(trial, deciding_n_beta=_deciding_n_beta(target, ladder, claim, trial))


def _deciding_n_beta(
    target: Target, ladder: Ladder, claim: Pair, trial: ThetaTrial
) -> float | None:
    """Last nβ at which expected slopes λ − (θ−1)/(L + b), b = (θ + 2/3)/λ, reject the planted θ."""
    thetas, layers, variables = pole_family(target)
    lam = float(claim.lam)
    log_shift = (claim.theta + 2 / 3) / lam
    length, step = float(ladder.stop[-1]), float(np.median(ladder.stop - ladder.start))
    error = float(np.median(ladder.slope_error[len(ladder.start) // 2 :]))
    if step <= 0 or error <= 0:
        return None
    for end in length * _LENGTH_FACTORS:
        if end > priors.LONGEST_LADDER:
            break
        start = np.arange(0.0, end, step)
        logarithm = (claim.theta - 1) * np.log1p(step / (start + log_shift))
        longer_ladder = Ladder(
            start=start,
            stop=start + step,
            slopes=(lam - logarithm / step)[None],
            unit=ladder.unit,
            kind=ladder.kind,
            error=np.full(len(start), error),
            late=ladder.late,
        )
        chances = theta_chances(longer_ladder, thetas, lam, layers=layers, variables=variables)
        likely = max(chances.values()) * priors.REJECTED_ODDS
        if all(chances[theta] < likely for theta in trial.survivors):
            return ladder.unit * math.exp(end)
    return None
