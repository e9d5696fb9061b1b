"""Symmetric factorisation of a matrix of known rank, and probabilistic principal components."""

from fractions import Fraction

from rlct.models.generic.symmetric_factors import SymmetricFactors
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, by_simulation
from rlct.theorems.kit.general_truth import rank_at
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    model_of,
    positive_sizes,
)
from rlct.theorems.working import step

_MODEL_FIELDS = ("rows", "factors", "true_rank", "noise")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    n, k, r = (arguments[name] for name in _MODEL_FIELDS[:3])
    return (
        positive_sizes(arguments, "rows", "factors"),
        Finding.of("the rank is at most that of U", 0 <= r <= min(n, k), f"rank {r}"),
        Finding.of(
            "there are fewer factors than rows if s is a parameter",
            not arguments["noise"] or k < n,
            f"{k} factors, {n} rows",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    n, k, r = (arguments[name] for name in _MODEL_FIELDS[:3])
    rank = step("entries that are coordinates, r n − r(r − 1)/2", r * n - r * (r - 1) // 2)
    spare = step("(n − r)(k − r)/4", Fraction((n - r) * (k - r), 4))
    return Pair(step("λ", Fraction(rank, 2) + spare + Fraction(int(arguments["noise"]), 2)), 1)


THEOREM = Theorem(
    id="symmetric-factorisation",
    title="Symmetric factorisation at a truth of any rank",
    model="K = |U Uᵀ − S|², or |U Uᵀ + s I − S|² if noise is true; U is n × k",
    where="minimum over the fibre, which is one orbit of rotations of U",
    cites=("watanabe2009, chapter 1",),
    parameters=(
        integer_parameter("rows", "n, number of rows"),
        integer_parameter("factors", "k, number of factors"),
        integer_parameter("true_rank", "r, rank of the true U Uᵀ"),
        Parameter("noise", Kind.FLAG, "s I is added, with s a parameter", False),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    **model_links(SymmetricFactors),
    rank=lambda arguments: rank_at(model_of(SymmetricFactors, arguments)),
    instances=(
        known_instance((2, 1, 0, False), "1/2", 1, by_simulation()),
        known_instance((2, 2, 1), "5/4", 1),
        known_instance((2, 3, 0), "3/2", 1),
        known_instance((3, 2, 2), "5/2", 1, BY_RANK, engine=False),
        known_instance((2, 1, 0, True), "1", 1),
        known_instance((3, 2, 1, True), "5/2", 1),
    ),
    counterexamples=(
        Counterexample.against("fewer factors than rows", (1, 1, 0, True), "1/2", "x**2 + t"),
        squared_prior((1, 1, 1), "interior", "a"),
    ),
)
