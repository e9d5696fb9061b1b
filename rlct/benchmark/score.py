"""Score the answers of any sampler against the reference set."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from rlct.benchmark.answers import SamplerAnswer, read_answers
from rlct.benchmark.problem import ReferenceProblem, all_problems, get_problem
from rlct.benchmark.tempered import (
    TemperedScore,
    binomial_interval,
    coverage_rate,
    error_of,
    score_interval,
    score_mean,
)

__all__ = ["AnswerScore", "ScoreReport", "binomial_interval", "score_answers"]

SMALL_PROBLEM = 100  # parameters up to which the median error is reported apart


@dataclass(frozen=True)
class AnswerScore:
    """One answer beside the truth."""

    problem: ReferenceProblem
    answer: SamplerAnswer
    #: (λ̂ − λ)/λ.
    relative: float
    #: (λ̂ − λ) in standard errors.
    z: float | None
    covered: bool | None
    #: |relative|, or with an interval its score (Gneiting and Raftery 2007) over 2λ: half the width
    #: and 1/(1 − level) times the distance by which it misses λ, in units of λ.
    loss: float
    #: The answer beside the tempered mean at its nβ, if that is known.
    tempered: TemperedScore | None = None

    @property
    def sampler(self) -> float | None:
        """λ̂ minus the tempered mean at the answer's nβ, the error of the sampler alone."""
        return None if self.tempered is None else self.tempered.gap

    @property
    def finite(self) -> float | None:
        """That tempered mean minus λ, the error of taking one nβ for λ."""
        if self.tempered is None:
            return None
        return self.tempered.mean.mean - float(self.problem.pair.lam)

    @property
    def _degrees(self) -> float | None:
        """Degrees of freedom of the z beside the tempered mean, if they are finite."""
        found = None if self.tempered is None else self.tempered.degrees
        return None if found is None or math.isinf(found) else found

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "id": self.problem.id,
            "lambda": str(self.problem.pair.lam),
            "theta": self.problem.pair.theta,
            "estimate": self.answer.lam,
            "relative_error": self.relative,
            "z": self.z,
            "covered": self.covered,
            "theta_right": _theta_right(self),
            "loss": self.loss,
            "n_beta": self.answer.n_beta,
            "level": None if self.covered is None else self.answer.level,
            "tempered_mean": None if self.tempered is None else self.tempered.mean.mean,
            "tempered_mean_error": None if self.tempered is None else self.tempered.mean.error,
            "sampler_error": self.sampler,
            "sampler_z": None if self.tempered is None else self.tempered.z,
            "sampler_degrees": self._degrees,
            "tempered_mean_covered": None if self.tempered is None else self.tempered.covered,
            "tempered_loss": None if self.tempered is None else self.tempered.loss,
            "finite_n_bias": self.finite,
        }


@dataclass(frozen=True)
class ScoreReport:
    """Scores of a file of answers."""

    #: In the order of the reference set; several for a problem with several runs.
    scores: tuple[AnswerScore, ...]
    missing: tuple[str, ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is odd about answers that are judged all the same, a line for each."""
        remark_lines = []
        for name, a in ((s.problem.id, s.answer) for s in self.scores):
            if not a.lam > 0:
                remark_lines.append(f"{name}: lambda {a.lam:g} is not positive, as every λ is")
            if a.interval is not None and not a.interval[0] <= a.lam <= a.interval[1]:
                low, high = a.interval
                remark_lines.append(
                    f"{name}: lambda {a.lam:g} is not in its interval [{low:g}, {high:g}]"
                )
            known = [mean.n_beta for mean in get_problem(name).means]
            if a.n_beta is not None and not any(map(partial(_same, a.n_beta), known)):
                listed = ", ".join(f"{n_beta:g}" for n_beta in known) or "none"
                remark_lines.append(
                    f"{name}: no mean is known at n_beta {a.n_beta:g}, so the error of "
                    f"the sampler is not separated; known: {listed}"
                )
        return tuple(remark_lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: a summary and one row per answer."""
        coverage_rates = _rates((s.answer.level, s.covered, s.problem.id, 0.0) for s in self.scores)
        at_one_temperature = [s.tempered for s in self.scores if s.tempered is not None]
        small_errors = [
            abs(s.relative) for s in self.scores if s.problem.dimension <= SMALL_PROBLEM
        ]
        theta_hits = [_theta_right(s) for s in self.scores if s.answer.theta is not None]
        return {
            "schema": "rlct/1",
            "kind": "score",
            "answers": len(self.scores),
            "problems": len({s.problem.id for s in self.scores}),
            "missing": list(self.missing),
            "median_error": median(abs(s.relative) for s in self.scores),
            "median_error_small": median(small_errors) if small_errors else None,
            "small": SMALL_PROBLEM,
            "intervals": sum(level_rate["intervals"] for level_rate in coverage_rates),
            "covered": sum(level_rate["covered"] for level_rate in coverage_rates),
            # Intervals of several levels have no rate in common to be compared with.
            "coverage_interval": coverage_rates[0]["rate_interval"]
            if len(coverage_rates) == 1
            else None,
            "coverage": coverage_rates,
            "one_temperature": self._one_temperature(at_one_temperature)
            if at_one_temperature
            else None,
            "thetas": len(theta_hits),
            "thetas_right": sum(bool(r) for r in theta_hits),
            "loss": sum(s.loss for s in self.scores) / len(self.scores),
            "remarks": list(self.remarks),
            "rows": [s.to_dict() for s in self.scores],
        }

    def _one_temperature(self, judged: list[TemperedScore]) -> dict[str, Any]:
        """Sum up the answers at one nβ, judged by what they estimate instead of λ."""
        coverage_rates = _rates(
            (s.answer.level, t.covered, (s.problem.id, t.mean.n_beta), t.share)
            for s in self.scores
            if (t := s.tempered) is not None
        )
        z = [t.z for t in judged if t.z is not None]
        return {
            "answers": len(judged),
            "median_error": median(abs(t.gap) / t.mean.mean for t in judged),
            "coverage": coverage_rates,
            "rms_z": math.sqrt(sum(value * value for value in z) / len(z)) if z else None,
            "loss": sum(t.loss for t in judged) / len(judged),
        }


def _rates(
    scores: Iterable[tuple[float, bool | None, object, float]],
) -> list[dict[str, Any]]:
    """How many intervals hold the truth, by their level."""
    by_level: dict[float, list[tuple[bool, object, float]]] = {}
    for level, covered, truth, share in scores:
        if covered is not None:
            by_level.setdefault(level, []).append((covered, truth, share))
    return [coverage_rate(level, held) for level, held in sorted(by_level.items())]


def _same(n_beta: float, asked_n_beta: float) -> bool:
    return math.isclose(n_beta, asked_n_beta, rel_tol=1e-9)


def _theta_right(score: AnswerScore) -> bool | None:
    if score.answer.theta is None:
        return None
    return score.answer.theta == score.problem.pair.theta


def score_answers(answers: Mapping[str, Any] | str) -> ScoreReport:
    """Score answers against the reference set.

    Answers are a mapping, or its JSON text, by id of the problem: a number; an object with
    ``lambda`` and perhaps ``interval``, ``level``, ``theta``, ``n_beta``, ``error``; an `rlct.llc`
    answer as a dict; or a list of these, one a run.  InputError if an answer cannot be read, or
    names no problem of the set.

    Intervals at one nβ are widened by the error of the tempered mean, and several runs of a
    problem share this error: how this is judged, and what the rate of coverage then means, is in
    `rlct.benchmark.tempered`.

    >>> report = score_answers({"xy2": {"lambda": 0.26, "interval": [0.24, 0.28]}, "xy": 0.4})
    >>> [(s.problem.id, s.covered, round(s.loss, 3)) for s in report.scores]
    [('xy', None, 0.2), ('xy2', True, 0.08)]
    """
    read = read_answers(answers)
    order = {problem.id: k for k, problem in enumerate(all_problems())}
    scores = [
        _score(get_problem(name), answer)
        for name in sorted(read, key=order.__getitem__)
        for answer in read[name]
    ]
    return ScoreReport(tuple(scores), tuple(name for name in order if name not in read))


def _score(problem: ReferenceProblem, answer: SamplerAnswer) -> AnswerScore:
    truth = float(problem.pair.lam)
    error, gap = error_of(answer), answer.lam - truth
    covered, loss = score_interval(answer, truth)
    tempered = None
    for mean in problem.means:
        if answer.n_beta is not None and _same(answer.n_beta, mean.n_beta):
            tempered = score_mean(answer, mean)
    z = gap / error if error else None
    return AnswerScore(problem, answer, gap / truth, z, covered, loss, tempered)
