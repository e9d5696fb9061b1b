"""Answers beside numbers that they should hold: tempered means, which have an error themselves."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rlct.benchmark.answers import SamplerAnswer
from rlct.benchmark.problem import ReferenceMean

_NARROWEST_INTERVAL = 1e-30  # width of an interval from which an error follows


@dataclass(frozen=True)
class TemperedScore:
    """An answer at one temperature beside the tempered mean, which is what it estimates."""

    mean: ReferenceMean
    #: λ̂ minus the mean.
    gap: float
    #: The gap over the root of the squares of both errors; None without an error.
    z: float | None
    #: Degrees of freedom of z (Student's t), by Satterthwaite's rule; inf where the error of the
    #: mean is as known.
    degrees: float | None
    #: Whether the interval holds the mean, after it has been widened by the error of the mean.
    covered: bool | None
    #: As of a `Score`, in units of the mean.
    loss: float
    #: What part the error of the mean, which several answers may have in common, has in the square
    #: of both errors; 0 without an interval.
    share: float = 0.0


def score_mean(answer: SamplerAnswer, mean: ReferenceMean) -> TemperedScore:
    """Judge an answer by the tempered mean at its nβ.

    The error of a Markov chain's mean has 11 degrees of freedom, that of both together more:

    >>> mean = ReferenceMean(1e3, 1.0, 0.01, "markov chain")
    >>> found = score_mean(SamplerAnswer(1.02, error=0.01), mean)
    >>> round(found.z, 3), round(found.degrees)
    (1.414, 44)
    """
    gap, error = answer.lam - mean.mean, error_of(answer)
    z, degrees, share = None, None, 0.0
    if error:
        z, degrees = gap / math.hypot(error, mean.error), _degrees(error, mean)
    if answer.interval is not None:
        share = _share(_of_interval(answer), mean)
    return TemperedScore(mean, gap, z, degrees, *score_interval(answer, mean.mean, mean), share)


def error_of(answer: SamplerAnswer) -> float | None:
    """Return the standard error of an answer, if need be from its interval."""
    if answer.error is not None or answer.interval is None:
        return answer.error
    low, high = answer.interval
    return _of_interval(answer) if high - low > _NARROWEST_INTERVAL else None


def score_interval(
    answer: SamplerAnswer, truth: float, mean: ReferenceMean | None = None
) -> tuple[bool | None, float]:
    """Whether the interval holds the truth, and the loss; a mean may have an error itself.

    A right interval misses a truth that is off itself. Both errors add in squares, and their sum
    has Student's t: the interval is widened to this quantile times their root.
    """
    if answer.interval is None:
        return None, abs(answer.lam - truth) / truth
    low, high = answer.interval
    half, slack = 0.5 * (high - low), 0.0
    if mean is not None and mean.error:
        from scipy.stats import t as student

        own = _of_interval(answer)
        quantile = float(student.isf((1 - answer.level) / 2, _degrees(own, mean)))
        slack = max(0.0, quantile * math.hypot(own, mean.error) - half)
    miss = max(low - truth - slack, truth - high - slack, 0.0)
    return miss == 0, (half + miss / (1 - answer.level)) / truth


def _of_interval(answer: SamplerAnswer) -> float:
    """Half the width of the interval over that of a Gaussian's of its level."""
    from scipy.special import erfinv

    assert answer.interval is not None
    low, high = answer.interval
    return 0.5 * (high - low) / (math.sqrt(2) * float(erfinv(answer.level)))


def _share(error: float, mean: ReferenceMean) -> float:
    return (mean.error / math.hypot(error, mean.error)) ** 2 if mean.error else 0.0


def _degrees(error: float, mean: ReferenceMean) -> float:
    """Degrees of freedom of both errors together (Satterthwaite 1946)."""
    share = _share(error, mean)
    return math.inf if mean.degrees is None or not share else mean.degrees / share**2


def coverage_rate(
    level: float, interval_hits: Iterable[tuple[bool, object, float]], rate_level: float = 0.95
) -> dict[str, Any]:
    """How many intervals hold the truth, and an interval of their rate.

    ``level`` is that of the intervals, ``rate_level`` that of the interval of the rate.
    ``interval_hits`` says for each interval whether it holds the truth, what truth this is, and the
    share that the error of this truth has in the square of both errors.  ``effective`` is the
    number of independent intervals with as much information.

    Of two answers with shares r and s of one truth, z have the correlation √(rs), and whether
    |z| is below a bound, an even function, at most its square rs (Mehler's formula). Then the
    variance of the rate is at most that of n²/(n + Σ rs) independent intervals, the sum over
    pairs in order; the binomial interval is taken for so many (Korn and Graubard 1998).

    >>> coverage_rate(0.95, [(True, "a", 1.0), (True, "a", 1.0), (True, "b", 0.0)])["effective"]
    1.8
    """
    hits = list(interval_hits)
    sums: dict[object, tuple[float, float]] = {}
    for _, truth, share in hits:
        first, second = sums.get(truth, (0.0, 0.0))
        sums[truth] = first + share, second + share**2
    pairs = sum(first**2 - second for first, second in sums.values())
    count, total = sum(hit for hit, _, _ in hits), len(hits)
    effective = total**2 / (total + pairs)
    interval = binomial_interval(count / total * effective, effective, rate_level)
    return {
        "level": level,
        "intervals": total,
        "covered": count,
        "effective": effective,
        "rate_interval": list(interval),
    }


def binomial_interval(count: float, total: float, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a rate (Clopper and Pearson 1934).

    >>> [round(end, 3) for end in binomial_interval(19, 20)]
    [0.751, 0.999]
    """
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = float(beta.ppf(tail, count, total - count + 1)) if count > 0 else 0.0
    high = float(beta.ppf(1 - tail, count + 1, total - count)) if count < total else 1.0
    return low, high
