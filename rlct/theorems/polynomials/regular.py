"""Regular models: a positive definite Fisher information."""

from fractions import Fraction
from typing import Any

from rlct.algebra.positivity.definite import is_positive_definite
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE
from rlct.theorems.kit.polynomial_question import monomial_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    d = arguments["dimension"]
    return (Finding.of("the dimension is at least one", d >= 1, f"dimension {d}"),)


def _value(arguments: Arguments) -> Pair:
    d = step("d", arguments["dimension"])
    return Pair(step(f"λ = {d}/2", Fraction(d, 2)), 1)


def _question(arguments: Arguments) -> object | None:
    d = arguments["dimension"]
    if d > 40:
        return None
    rows = [tuple(int(i == j) for j in range(d)) for i in range(d)]
    return monomial_question(rows, [Fraction(0)] * d)


def _recognise(question: object) -> Arguments | None:
    germ = getattr(question, "germ", None)
    if germ is None:
        return None
    local = germ()
    d = len(local.prior)
    if any(local.prior) or not is_positive_definite(_quadratic_part(local, d)):
        return None
    return {"dimension": d}


def _quadratic_part(local_germ: Any, d: int) -> list[list[Any]]:
    """Twice the matrix of the terms of K of degree two, over the field of the point."""
    from rlct.questions.problem import signed_terms  # imports sympy

    matrix: list[list[Any]] = [[Fraction(0)] * d for _ in range(d)]
    for generator in local_germ.generators:
        terms = signed_terms(generator, local_germ.field)
        if local_germ.is_ideal:
            linear = [(e.index(1), c) for e, c in terms.items() if sum(e) == 1]
            for i, a in linear:
                for j, b in linear:
                    matrix[i][j] += 2 * a * b
        else:
            for exponents, c in terms.items():
                if sum(exponents) == 2:
                    i, j = [k for k, e in enumerate(exponents) for _ in range(e)]
                    matrix[i][j] += c
                    matrix[j][i] += c
    return matrix


THEOREM = Theorem(
    id="regular",
    title="Regular model",
    model="any model whose Fisher information at the true parameter is positive definite",
    where="at the true parameter",
    cites=("schwarz1978", "watanabe2009, chapter 1"),
    parameters=(
        Parameter("dimension", Kind.INTEGER, "number of parameters d"),
        Parameter.given(
            "fisher",
            "the Fisher information at the true parameter is positive definite",
            upper="half the number of parameters",
        ),
        Parameter.given(
            "smooth",
            "K is twice continuously differentiable near the true parameter, the Fisher "
            "information being its second derivative there",
            fallback_text="nothing: K = |w|^a has λ = d/a for every a > 0",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=_question,
    recognise=_recognise,
    instances=(
        Instance((1,), Pair.of("1/2"), confirmed=(BY_ENGINE, by_simulation())),
        Instance((2,), Pair.of(1)),
        Instance((3,), Pair.of("3/2"), (BY_ENGINE, by_simulation())),
    ),
    counterexamples=(
        Counterexample.against("fisher", (2,), "3/4", "x; y**2"),
        Counterexample.against("smooth", (1,), "1", "x", prior="x"),
        squared_prior((1,), "prior_positive", "x"),
    ),
)
