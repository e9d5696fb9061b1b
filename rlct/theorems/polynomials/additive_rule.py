"""Sums and products of losses in disjoint variables."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, TheoremBounds, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE, only_open
from rlct.theorems.kit.polynomial_question import small_question
from rlct.theorems.kit.sizes import rows_of_variables
from rlct.theorems.working import joined_terms, step


def _value(arguments: Arguments) -> Pair:
    rows = arguments["exponents"]
    parts = [Pair(Fraction(1, 2 * max(row)), row.count(max(row))) for row in rows]
    whole = Pair.sum(parts)
    step(f"λ = {joined_terms(f'1/(2·{max(row)})' for row in rows)}", whole.lam)
    step(f"θ = 1 + {joined_terms(f'({part.theta} − 1)' for part in parts)}", whole.theta)
    return whole


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """K is at least each of its parts."""
    if not only_open(arguments, "disjoint", "prior_positive"):
        return None
    most = max(
        Pair(Fraction(1, 2 * max(row)), row.count(max(row))) for row in arguments["exponents"]
    )
    return TheoremBounds("K is at least each part", lower=most)


def _question(arguments: Arguments) -> object | None:
    texts = [
        "*".join(f"x{i}_{j}**{k}" for j, k in enumerate(row, start=1))
        for i, row in enumerate(arguments["exponents"], start=1)
    ]
    return small_question(texts, provenance="disjoint variables")


_TWO_TERMS = (((1, 1), (1, 1)),)

THEOREM = Theorem(
    id="additive-rule",
    title="Sum of losses in disjoint variables",
    model="K = K₁(x₁) + … + K_n(x_n), here with monomials K_i = Π_j x_ij^(2 k_ij)",
    where="at the origin",
    cites=("aoyagi2025, theorem 5", "watanabe2009, chapter 7"),
    parameters=(
        Parameter("exponents", Kind.ROWS, "k, one row per part"),
        Parameter.stated(
            "disjoint",
            "no two parts share a variable, and the prior is a product",
            fallback_text="λ ≥ every λ_i",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=rows_of_variables("exponents", "part"),
    value=_value,
    fallback=_fallback,
    question=_question,
    instances=(
        Instance((((1,), (2,)),), Pair.of("3/4"), (BY_ENGINE, by_simulation())),
        Instance(_TWO_TERMS, Pair.of(1, 3), (BY_ENGINE,)),
        Instance((((1, 2), (3, 3), (1,)),), Pair.of("11/12", 2), (BY_ENGINE,)),
    ),
    counterexamples=(
        Counterexample.against("disjoint", _TWO_TERMS, "1/2", "x*y; x*z"),
        Counterexample.against("prior_positive", (((1,), (2,)),), "7/4", "x; y**2", prior="x**2"),
    ),
)
