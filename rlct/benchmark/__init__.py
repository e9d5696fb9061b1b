"""A reference set: targets with exact (λ, θ) and tempered means, to score samplers with."""

from rlct.benchmark.answers import Answer, read_answers
from rlct.benchmark.document import export
from rlct.benchmark.problem import ReferenceProblem, TemperedMean, get, problems
from rlct.benchmark.score import Report, Score, score
from rlct.benchmark.tempered import Tempered

__all__ = [
    "Answer",
    "ReferenceProblem",
    "Report",
    "Score",
    "Tempered",
    "TemperedMean",
    "export",
    "get",
    "problems",
    "read_answers",
    "score",
]
