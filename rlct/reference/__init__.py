"""A reference set: targets with exact (λ, θ) and tempered means, to score samplers with."""

from rlct.reference.answers import Answer, read_answers
from rlct.reference.document import export
from rlct.reference.problem import ReferenceProblem, TemperedMean, get, problems
from rlct.reference.score import Report, Score, score
from rlct.reference.tempered import Tempered

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
