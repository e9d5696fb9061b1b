"""Non-negative matrix factorisation, bounds."""

from fractions import Fraction

from rlct.models.factorisations.nmf import NonnegativeFactorization
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import UNBOUNDED_PRIOR
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    bounded_instance,
    integer_parameter,
    model_links,
    size_checks,
)
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import step


def _value(arguments: Arguments) -> TheoremBounds:
    M, H, N = arguments["rows"], arguments["inner"], arguments["columns"]
    r = arguments["true"]
    upper = Fraction((H - r) * min(M, N) + r * (M + N - 1), 2)
    # The rank may be less than the non-negative rank, but not 0 unless that is.
    lower = min(reduced_rank_pair(N, H, M, rank) for rank in range(min(r, 1), min(r, M, N) + 1))
    step("λ ≥ that of factors of any sign,", lower.lam)
    if r and min(M, N) <= H and Fraction(M * N, 2) < upper:
        upper = step(f"λ ≤ {M}·{N}/2", Fraction(M * N, 2))
        rule = "all entries coordinates"
    else:
        step(f"λ ≤ (({H} − {r})·min({M}, {N}) + {r}·({M} + {N} − 1))/2", upper)
        rule = "spare inner columns set to 0"
    return TheoremBounds(f"factors of any sign; upper: {rule}", lower, Pair(upper, 1))


THEOREM = Theorem(
    id="nmf-bound",
    title="Non-negative matrix factorisation, bounds",
    model="X = U V + noise, U, V ≥ 0; the truth is a product with r inner columns",
    where="minimum over all non-negative factors of the truth",
    cites=("hayashi2017",),
    parameters=(
        integer_parameter("rows", "M"),
        integer_parameter("inner", "H"),
        integer_parameter("columns", "N"),
        integer_parameter("true", "r, non-negative rank of the truth"),
        Parameter.given(
            "interior",
            "the truth has factors with positive entries and r columns (or is 0), and the prior "
            "is positive and continuous near them",
            fallback_text=UNBOUNDED_PRIOR,
        ),
    ),
    hypotheses=size_checks("rows", "inner", "columns", true=("true", "inner")),
    value=_value,
    **model_links(NonnegativeFactorization),
    kind="bound",
    instances=(
        bounded_instance((2, 2, 2, 0), "3/2", "2", ("2", 3)),
        bounded_instance((2, 1, 2, 1), "3/2", "3/2", "3/2", by_simulation()),
        bounded_instance((3, 2, 3, 1), ("7/2", 2), "4", ("7/2", 2)),
        bounded_instance((2, 2, 2, 1), ("2", 2), "2", ("2", 2)),
        bounded_instance((2, 5, 2, 2), "2", "2", "2"),
    ),
    counterexamples=(squared_prior((1, 1, 1, 1), "interior", "a"),),
)
