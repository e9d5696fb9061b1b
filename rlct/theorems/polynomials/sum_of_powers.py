"""Weighted homogeneous sums of even powers."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.polynomial_question import (
    PRIOR_COMPARABLE,
    PRIOR_EXPONENTS,
    at_most_quadratic,
    monomial_question,
    monomials_of_question,
    prior_findings,
    prior_of,
)
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import joined_terms, step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    k = arguments["powers"]
    return (
        Finding.of(
            "there is a variable and every power is positive", min(k, default=0) >= 1, f"k = {k}"
        ),
        *prior_findings(arguments, len(k)),
    )


def _value(arguments: Arguments) -> Pair:
    k = arguments["powers"]
    prior = prior_of(arguments, len(k))
    terms = [(h + 1) / (2 * e) for e, h in zip(k, prior, strict=True)]
    fractions = joined_terms(f"({h} + 1)/(2·{e})" for e, h in zip(k, prior, strict=True))
    return Pair(step(f"λ = {fractions} = {joined_terms(terms)}", sum(terms, Fraction(0))), 1)


def _question(arguments: Arguments) -> object | None:
    k = arguments["powers"]
    rows = [tuple(e if i == j else 0 for j in range(len(k))) for i, e in enumerate(k)]
    return monomial_question(rows, prior_of(arguments, len(k)))


def _recognise(question: object) -> Arguments | None:
    monomials = monomials_of_question(question)
    if monomials is None or any(sum(map(bool, row)) != 1 for row in monomials.exponents):
        return None
    powers = {next(j for j, e in enumerate(row) if e): max(row) for row in monomials.exponents}
    variables = sorted(powers)  # a variable that K does not see integrates to a constant
    return {
        "powers": tuple(powers[j] for j in variables),
        "prior": tuple(monomials.prior[j] for j in variables),
    }


THEOREM = Theorem(
    id="sum-of-powers",
    title="Weighted homogeneous sum of even powers",
    model="K comparable with Σ w_j^(2 k_j), prior Π |w_j|^(h_j)",
    where="at the origin",
    cites=("aoyagi2013 (homogeneous case)",),
    parameters=(
        Parameter("powers", Kind.INTEGERS, "k, half the exponents of K, all positive"),
        PRIOR_EXPONENTS,
        Parameter.given(
            "comparable",
            "K divided by the sum of powers lies between positive constants near the point",
            fallback_text="λ ≤ Σ (h_j + 1)/2",
        ),
        PRIOR_COMPARABLE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=at_most_quadratic("comparable", lambda arguments: len(arguments["powers"])),
    question=_question,
    recognise=_recognise,
    instances=(
        known_instance(((2, 3), (0, 0)), "5/12", 1, by_simulation()),
        known_instance(((1, 1, 1),), "3/2", 1),
        known_instance(((2,), (3,)), "1", 1),
        known_instance(((1, 2), (1, 0)), "5/4", 1),
    ),
    counterexamples=(
        Counterexample.against("comparable", ((1, 1),), "1/2", "x - y"),
        Counterexample.against("comparable", ((2, 2),), ("1/2", 2), "x**2 - y**2"),
        Counterexample.against("prior_comparable", ((1, 2),), "5/4", "x; y**2", prior="x"),
    ),
)
