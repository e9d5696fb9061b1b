"""Products of losses in disjoint variables."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import PRIOR_POSITIVE, only_open
from rlct.theorems.kit.polynomial_question import small_question
from rlct.theorems.kit.sizes import rows_of_variables
from rlct.theorems.working import joined_terms, step


def _value(arguments: Arguments) -> Pair:
    lams = [sum(Fraction(1, 2 * k) for k in row) for row in arguments["powers"]]
    least = min(map(Fraction, lams))
    for number, (row, lam) in enumerate(zip(arguments["powers"], lams, strict=True), start=1):
        step(f"λ_{number} = {joined_terms(f'1/(2·{k})' for k in row)}", Fraction(lam))
    step(f"λ = min({joined_terms(lams, ', ')})", least)
    return Pair(least, step("number that reach it, θ", lams.count(least)))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """K is at most a multiple of each factor, near a common zero; Hölder's inequality."""
    if not only_open(arguments, "disjoint", "prior_positive"):
        return None
    lams = [sum((Fraction(1, 2 * k) for k in row), Fraction(0)) for row in arguments["powers"]]
    below = 1 / sum((1 / lam for lam in lams), Fraction(0))
    step(f"λ ≥ 1/({joined_terms(f'1/({lam})' for lam in lams)})", below)
    lower = TheoremBounds(
        "Hölder's inequality", lower=Pair(below, sum(map(len, arguments["powers"])))
    )
    if not only_open(arguments, "disjoint"):
        return lower
    least = Pair(step(f"λ ≤ min({joined_terms(lams, ', ')})", min(lams)), 1)
    return sharper_bounds(
        lower, TheoremBounds("K is at most a multiple of each factor", upper=least)
    )


def _question(arguments: Arguments) -> object | None:
    factors = [
        "(" + " + ".join(f"x{i}_{j}**{2 * k}" for j, k in enumerate(row, start=1)) + ")"
        for i, row in enumerate(arguments["powers"], start=1)
    ]
    return small_question("*".join(factors), provenance="product of sums of powers")


THEOREM = Theorem(
    id="product-rule",
    title="Product of losses in disjoint variables",
    model="K = K₁(x₁)⋯K_n(x_n), here with sums of powers K_i = Σ_j x_ij^(2 k_ij)",
    where="at the origin",
    cites=("watanabe2009, chapter 7",),
    parameters=(
        Parameter("powers", Kind.ROWS, "k, one row per factor"),
        Parameter.stated(
            "disjoint",
            "no two factors share a variable, and the prior is a product",
            fallback_text="1/Σ(1/λ_i) ≤ λ ≤ min λ_i",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=rows_of_variables("powers", "factor"),
    value=_value,
    fallback=_fallback,
    question=_question,
    instances=(
        Instance((((1,), (2,)),), Pair.of("1/4"), (BY_ENGINE, by_simulation())),
        Instance((((1, 1), (1, 1)),), Pair.of(1, 2), (BY_ENGINE,)),
        Instance((((2, 2), (1,)),), Pair.of("1/2", 2), (BY_ENGINE,)),
    ),
    counterexamples=(
        Counterexample.against("disjoint", (((1,), (1,)),), "1/4", "x**2"),
        Counterexample.against("prior_positive", (((1,), (2,)),), ("1/2", 2), "x*y**2", prior="y"),
    ),
)
