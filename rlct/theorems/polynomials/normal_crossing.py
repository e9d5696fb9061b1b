"""Normal crossings: K is a monomial times a unit."""

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
    k = arguments["exponents"]
    return (
        Finding.of("no exponent is negative", min(k, default=0) >= 0, f"k = {k}"),
        Finding.of("K vanishes at the point", max(k, default=0) > 0, f"k = {k}"),
        *prior_findings(arguments, len(k)),
    )


def _value(arguments: Arguments) -> Pair:
    k = arguments["exponents"]
    ratios = [
        step(f"({h} + 1)/(2·{e})", (h + 1) / (2 * e))
        for e, h in zip(k, prior_of(arguments, len(k)), strict=True)
        if e
    ]
    least = step(f"λ = min({joined_terms(ratios, ', ')})", min(ratios))
    return Pair(least, step("number that reach it, θ", ratios.count(least)))


def _question(arguments: Arguments) -> object | None:
    k = arguments["exponents"]
    return monomial_question([k], prior_of(arguments, len(k)))


def _recognise(question: object) -> Arguments | None:
    found = monomials_of_question(question)
    if found is None or len(found.exponents) > 1:
        return None
    return {"exponents": found.exponents[0], "prior": found.prior}


THEOREM = Theorem(
    id="normal-crossing",
    title="Normal crossing",
    model="K = unit · Π w_j^(2 k_j) with prior unit · Π |w_j|^(h_j)",
    where="at the origin",
    cites=("watanabe2009, theorem 6.6",),
    parameters=(
        Parameter("exponents", Kind.INTEGERS, "k, half the exponents of K"),
        PRIOR_EXPONENTS,
        Parameter.given(
            "coordinates",
            "K is this monomial times a positive function, in coordinates centred at the point",
            fallback_text="λ ≤ Σ (h_j + 1)/2",
        ),
        PRIOR_COMPARABLE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=at_most_quadratic("coordinates", lambda arguments: len(arguments["exponents"])),
    question=_question,
    recognise=_recognise,
    instances=(
        known_instance(((1, 1), (0, 0)), "1/2", 2, by_simulation()),
        known_instance(((3,),), "1/6", 1),
        known_instance(((2, 1), (1, 0)), "1/2", 2),
        known_instance(((1, 2),), "1/4", 1),
    ),
    counterexamples=(
        Counterexample.against("coordinates", ((1, 1, 1),), "1/3", "x*y*(x + y)"),
        Counterexample.against("prior_comparable", ((2, 1),), ("1/2", 2), "x**2*y", prior="x"),
    ),
)
