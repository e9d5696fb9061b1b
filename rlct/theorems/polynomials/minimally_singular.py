"""Minimally singular models: K is a quadratic form across a manifold of true parameters."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, BY_RANK, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE, by_dimension
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.working import step


def _rank(arguments: Arguments) -> int:
    return sum(c > 0 for c in arguments["coefficients"])


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    c = arguments["coefficients"]
    good = bool(c) and min(c) >= 0 and max(c) > 0
    text = f"{_rank(arguments)} of {len(c)} positive"
    return (Finding.of("no coefficient is negative and one is positive", good, text),)


def _value(arguments: Arguments) -> Pair:
    seen = step("d′", _rank(arguments))
    return Pair(step(f"λ = {seen}/2", Fraction(seen, 2)), 1)


def _question(arguments: Arguments) -> object | None:
    terms = [f"({c})*w{i}**2" for i, c in enumerate(arguments["coefficients"], 1) if c]
    return pose_question(" + ".join(terms)) if len(terms) <= 100 else None


THEOREM = Theorem(
    id="minimally-singular",
    title="Minimally singular model",
    model="K = Σ c_i w_i² in suitable coordinates, c_i > 0 for d′ of the d coordinates",
    where="at a true parameter",
    cites=("murfet2020, equation (4)",),
    parameters=(
        Parameter("coefficients", Kind.FRACTIONS, "c_1, …, c_d, some of them 0"),
        Parameter.given(
            "comparable",
            "K divided by Σ c_i w_i² lies between positive constants near the parameter",
            fallback_text="λ ≤ d/2",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension("comparable", lambda arguments: len(arguments["coefficients"])),
    question=_question,
    rank=_rank,
    instances=(
        Instance(((1, 0),), Pair.of("1/2"), (BY_ENGINE, BY_RANK, by_simulation())),
        Instance(((3, "1/2", 0),), Pair.of(1), (BY_ENGINE, BY_RANK)),
        Instance(((1, 2, 3, 0, 0),), Pair.of("3/2"), (BY_ENGINE, BY_RANK)),
    ),
    counterexamples=(
        Counterexample.against("comparable", ((1, 0),), "3/4", "x; y**2"),
        squared_prior(((1, 0),), "prior_positive", "x"),
    ),
)
