"""Non-negative matrix factorisation at a product of positive factors."""

from dataclasses import replace
from fractions import Fraction

from rlct.models.factorisations.nmf import NonnegativeFactorization
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.factorisations import nmf_bound
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, SMALLER_SET, UNBOUNDED_PRIOR, only_open
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    sizes = {name: arguments[name] for name in ("rows", "inner", "columns")}
    rank, smallest = arguments["true"], min(sizes.values())
    return (
        positive_sizes(arguments, "rows", "inner", "columns"),
        Finding.of(
            "the rank is from 1 to the smallest dimension",
            1 <= rank <= smallest,
            f"rank {rank}, smallest dimension {smallest}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    M, H, N = arguments["rows"], arguments["inner"], arguments["columns"]
    return reduced_rank_pair(N, H, M, arguments["true"])


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Every term has one scaling that K does not see, or is 0 and K of order four in it."""
    if not only_open(arguments, "factors"):
        return None
    M, H, N = arguments["rows"], arguments["inner"], arguments["columns"]
    upper = step(f"λ ≤ {H}·({M} + {N} − 1)/2", Fraction(H * (M + N - 1), 2))
    return TheoremBounds("the terms one by one", upper=Pair(upper, 1))


THEOREM = Theorem(
    id="nmf-positive",
    title="Non-negative matrix factorisation of a positive product",
    model="X = U V + Gaussian noise, U, V ≥ 0; the truth is U*V* with positive U*, V* of rank r",
    where="minimum over all non-negative factors of the truth",
    cites=("hayashi2017 (bounds; the value is proved on the theory page)", "aoyagi2005rrr"),
    parameters=(
        integer_parameter("rows", "M"),
        integer_parameter("inner", "H"),
        integer_parameter("columns", "N"),
        integer_parameter("true", "r, rank of the truth"),
        Parameter.given(
            "factors",
            "the truth is U*V* with r columns in U*, all entries positive",
            lower=SMALLER_SET,
            fallback_text="λ ≤ H(M + N − 1)/2",
        ),
        replace(INTERIOR_PARAMETERS, lower="", fallback_text=UNBOUNDED_PRIOR),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(NonnegativeFactorization, when=lambda model: model.true > 0),
    instances=(
        known_instance((2, 1, 2, 1), "3/2", 1, by_simulation()),
        known_instance((2, 2, 2, 1), "2", 2),
        known_instance((3, 2, 3, 1), "7/2", 2),
        known_instance((2, 2, 2, 2), "2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "factors",
            (2, 2, 2, 2),
            "3",
            "a + c + a*c + p*y; (1 + a)*x + p*(1 + d); q*(1 + c) + (1 + b)*y; b + d + b*d + q*x",
            nonneg=("p", "q", "x", "y"),
        ),
        *nmf_bound.THEOREM.counterexamples,
    ),
)
