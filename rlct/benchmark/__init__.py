"""A reference set: targets with exact (λ, θ) and tempered means, to score samplers with.

problem  how each problem is asked, what is proved and what is computed of it
document  the set as one JSON document, to be used without rlct
answers  what a sampler says about the set, read and checked
tempered  an answer at one nβ beside the tempered mean that it estimates
score  all answers beside the truth: errors, coverage, loss
prediction  tempered means at finite n from the poles of ζ, beside quadrature

It imports what is below it, from `rlct.answers` on: no picture, text or command.
"""

from rlct.benchmark.answers import SamplerAnswer, read_answers
from rlct.benchmark.document import export_problems
from rlct.benchmark.problem import ReferenceMean, ReferenceProblem, all_problems, get_problem
from rlct.benchmark.score import AnswerScore, ScoreReport, score_answers
from rlct.benchmark.tempered import TemperedScore

__all__ = [
    "AnswerScore",
    "ReferenceMean",
    "ReferenceProblem",
    "SamplerAnswer",
    "ScoreReport",
    "TemperedScore",
    "all_problems",
    "export_problems",
    "get_problem",
    "read_answers",
    "score_answers",
]
