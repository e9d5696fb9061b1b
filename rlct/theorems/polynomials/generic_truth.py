"""Polynomial maps at a generic truth: the rank of the derivative, and linear symmetries."""

from typing import Any

from rlct.errors import InputError
from rlct.models.base import GENERIC_TRUTH
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, TheoremBounds, by_simulation
from rlct.theorems.kit.general_truth import regular_pair
from rlct.theorems.kit.given import PRIOR_POSITIVE, half_dimension, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _asked(arguments: Arguments) -> Any:
    from rlct.models.generic.generic_map import GenericMap  # imports sympy

    return GenericMap(arguments["coefficients"])


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    statement = "the coefficients are polynomials in weights"
    try:
        generic_map = _asked(arguments)
    except InputError as error:
        return (Finding.of(statement, False, str(error)),)
    rank = generic_map.rank
    if rank.lower == rank.upper:
        evidence = f"at most {rank.upper}: {rank.upper_rule}; at least: {rank.lower_rule}"
    else:
        evidence = f"between {rank.lower} ({rank.lower_rule}) and {rank.upper} ({rank.upper_rule})"
    known = Truth.TRUE if rank.lower == rank.upper else Truth.OPEN
    return (
        Finding.of(statement, True, f"{len(generic_map.variables)} weights"),
        Finding("the largest rank of the derivative is known", known, evidence),
    )


def _value(arguments: Arguments) -> Pair:
    rank = _asked(arguments).rank
    return regular_pair(step(f"R, {rank.upper_rule}", rank.upper))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    asked = _asked(arguments)
    if only_open(arguments):
        rank = asked.rank
        rule = f"rank of the derivative between {rank.lower} and {rank.upper}"
        return TheoremBounds(rule, regular_pair(rank.lower), regular_pair(rank.upper))
    if only_open(arguments, "generic"):
        return half_dimension(len(asked.variables))
    if only_open(arguments, "prior_positive"):
        return TheoremBounds("rank of the derivative", regular_pair(asked.rank.lower))
    return None


def _question(arguments: Arguments) -> object | None:
    try:
        problem: object = _asked(arguments).problem()
    except InputError:
        return None
    return problem


def _rank(arguments: Arguments) -> int:
    """Exact rank over Q at other weights than those of the hypothesis."""
    from rlct.engine.germs.leaves import jacobian_rank

    return jacobian_rank(_asked(arguments).problem(seed=99, size=50).local)


def _recognise(question: object) -> Arguments | None:
    from rlct.models.generic.generic_map import GenericMap  # imports sympy

    if not isinstance(question, GenericMap):
        return None
    return {"coefficients": question.coefficients}


THEOREM = Theorem(
    id="generic-truth",
    title="Polynomial map at a generic truth",
    model="K = |F(w) − F(w*)|², F polynomials in the weights: coefficients of a network, say",
    where=GENERIC_TRUTH,
    cites=("watanabe2009, chapter 1", "alexander1995"),
    parameters=(
        Parameter(
            "coefficients",
            Kind.TEXT,
            "polynomials such as a*c;b*c, or a network of the table with its sizes, glu:2,1,1",
        ),
        Parameter.stated("generic", "the truth is generic", fallback_text="λ ≤ d/2"),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    rank=_rank,
    recognise=_recognise,
    instances=(
        known_instance(("a*c;a*d;b*c;b*d",), "3/2", 1, BY_RANK, by_simulation()),
        known_instance(("gram:3,2",), "5/2", 1, BY_RANK, engine=False),
        known_instance(("glu:2,1,1",), "3/2", 1, BY_RANK, engine=False),
        known_instance(("attention:3,2,2,1",), "13/2", 1, BY_RANK, engine=False),
        known_instance(("tensor:2,2,2,2",), "4", 1, BY_RANK, engine=False),
        known_instance(("diagonal-state-space:2,1,1,4",), "2", 1, BY_RANK, engine=False),
        known_instance(("state-space:3,2,2,3",), "11/2", 1, BY_RANK, engine=False),
        known_instance(("powers:3,5,4",), "7", 1, BY_RANK, engine=False),
    ),
    counterexamples=(
        Counterexample.against("generic", ("a*b",), ("1/2", 2), "a*b"),
        Counterexample.against("generic", ("a**2+b**2+c**2",), "3/4", "a**2+b**2+c**2"),
        squared_prior(("a",), "prior_positive", "a"),
    ),
)
