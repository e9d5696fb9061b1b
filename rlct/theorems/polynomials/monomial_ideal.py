"""Monomial ideals, by listing the vertices of the dual polyhedron."""

from fractions import Fraction

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import only_open
from rlct.theorems.kit.polynomial_question import (
    PRIOR_EXPONENTS,
    at_most_quadratic,
    monomial_question,
    monomials_of_question,
    prior_findings,
    prior_of,
)
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.polynomials.dual_polyhedron import MAX_RAYS, MAX_ROWS, affine_rank, dual_vertices
from rlct.theorems.working import joined_terms, step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    rows = arguments["exponents"]
    lengths = {len(row) for row in rows}
    width = max(lengths, default=0)
    shape = Finding.of(
        "the rows are as long as each other",
        len(lengths) == 1 and width > 0,
        f"{len(rows)} rows of lengths {sorted(lengths)}",
    )
    if shape.truth is Truth.FALSE:
        return (shape,)
    least = min(min(row) for row in rows)
    findings = (
        shape,
        Finding.of("no exponent is negative", least >= 0, f"the smallest is {least}"),
        Finding.of(
            "K vanishes at the point, that is no row is zero",
            all(any(row) for row in rows),
            f"{sum(not any(row) for row in rows)} rows are zero",
        ),
        *prior_findings(arguments, width),
    )
    if any(finding.truth is Truth.FALSE for finding in findings):
        return findings
    vertices = dual_vertices(rows)
    listed = Finding(
        "every vertex of the dual polyhedron was listed",
        Truth.OPEN if vertices is None else Truth.TRUE,
        f"more than {MAX_ROWS} rows or {MAX_RAYS} rays"
        if vertices is None
        else f"{len(vertices)} vertices",
    )
    return (*findings, listed)


def _value(arguments: Arguments) -> Pair:
    rows = arguments["exponents"]
    vertices = dual_vertices(rows)
    if vertices is None:
        raise InputError("the dual polyhedron has too many vertices to list")
    weights = [h + 1 for h in prior_of(arguments, len(rows[0]))]
    costs = [sum(a * b for a, b in zip(vertex, weights, strict=True)) for vertex in vertices]
    least = min(costs)
    optimal = [vertex for vertex, cost in zip(vertices, costs, strict=True) if cost == least]
    terms = (f"{a}·{b}" for a, b in zip(optimal[0], weights, strict=True))
    lam = step(f"λ = ({joined_terms(terms)})/2", Fraction(least) / 2)
    return Pair(lam, step("independent minimisers, θ", affine_rank(optimal)))


_ANALYTIC_BOUND = at_most_quadratic("monomial", lambda arguments: len(arguments["exponents"][0]))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Equal weights from above; each monomial alone from below, as K is at least its square."""
    if not only_open(arguments):
        return _ANALYTIC_BOUND(arguments)
    rows = arguments["exponents"]
    weights = [h + 1 for h in prior_of(arguments, len(rows[0]))]
    upper = Fraction(sum(weights)) / (2 * min(map(sum, rows)))
    alone = []
    for row in rows:
        poles = [Fraction(w) / (2 * a) for a, w in zip(row, weights, strict=True) if a]
        alone.append(Pair(min(poles), poles.count(min(poles))))
    lower = max(alone)
    step("λ ≥", lower.lam)
    return TheoremBounds("one monomial; equal weights", lower, Pair(step("λ ≤", upper), 1))


def _question(arguments: Arguments) -> object | None:
    rows = arguments["exponents"]
    return monomial_question(rows, prior_of(arguments, len(rows[0])))


def _recognise(question: object) -> Arguments | None:
    found = monomials_of_question(question)
    return None if found is None else {"exponents": found.exponents, "prior": found.prior}


THEOREM = Theorem(
    id="monomial-ideal",
    title="Monomial ideal",
    model="K comparable with Σ w^(2α) over the rows α, prior Π |w_j|^(h_j)",
    where="at the origin",
    cites=("howald2001", "lin2011, theorem 3.20 ff"),
    parameters=(
        Parameter("exponents", Kind.ROWS, "one row of exponents per monomial"),
        PRIOR_EXPONENTS,
        Parameter.given(
            "monomial",
            "K divided by the sum of the squared monomials lies between positive constants near "
            "the point",
            fallback_text="λ ≤ Σ (h_j + 1)/2",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    recognise=_recognise,
    instances=(
        known_instance((((2, 0), (0, 3)),), "5/12", 1),
        known_instance((((1, 1),),), "1/2", 2, by_simulation()),
        known_instance((((1, 1, 0), (0, 1, 1), (1, 0, 1)),), "3/4", 1),
        known_instance((((2, 1), (1, 2)),), "1/3", 1),
        known_instance((((1, 1, 0, 0), (0, 0, 1, 1)),), "1", 3),
        known_instance((((1, 0, 1), (0, 1, 1)),), "1/2", 1),
        known_instance((((1, 0, 2), (0, 1, 2)),), "1/4", 1),
    ),
    counterexamples=(
        Counterexample.against("monomial", (((1, 0), (0, 1)),), "1/2", "x + y"),
        Counterexample.against("monomial", (((2, 0), (0, 2)),), ("1/2", 2), "x**2 - y**2"),
    ),
)
