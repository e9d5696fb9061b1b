"""Non-negative matrix factorisation of the zero matrix."""

from fractions import Fraction

from rlct.models.factorisations.nmf import NonnegativeFactorization
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import UNBOUNDED_PRIOR, only_open
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    size_checks,
)
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    M, H, N = arguments["rows"], arguments["inner"], arguments["columns"]
    lam = step(f"λ = {H}·min({M}, {N})/2", Fraction(H * min(M, N), 2))
    return Pair(lam, step(f"θ = {H} + 1" if M == N else "θ = 1", H + 1 if M == N else 1))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Between factors of any sign and these."""
    if arguments["nonneg"] is not Truth.OPEN or not only_open(arguments, "nonneg"):
        return None
    rows, inner, columns = (arguments[name] for name in ("rows", "inner", "columns"))
    signed = reduced_rank_pair(columns, inner, rows, 0)
    return TheoremBounds("some entries of any sign", signed, _value(arguments))


THEOREM = Theorem(
    id="nmf-zero",
    title="Non-negative matrix factorisation of zero",
    model="X = U V + Gaussian noise, U of M × H and V of H × N with entries ≥ 0, true UV = 0",
    where="at U = 0, V = 0, the deepest parameter of the zero matrix",
    cites=("hayashi2017 (λ; θ is derived on the theory page)",),
    parameters=(
        integer_parameter("rows", "M"),
        integer_parameter("inner", "H"),
        integer_parameter("columns", "N"),
        Parameter.stated(
            "nonneg",
            "all entries of U and V are non-negative",
            fallback_text="from the value for factors of any sign to this one",
        ),
        Parameter.stated(
            "interior",
            "the prior is positive and continuous near U = 0, V = 0",
            fallback_text=UNBOUNDED_PRIOR,
        ),
    ),
    hypotheses=size_checks("rows", "inner", "columns"),
    value=_value,
    fallback=_fallback,
    **model_links(NonnegativeFactorization, fixed={"true": 0}),
    instances=(
        known_instance((2, 1, 2), "1", 2),
        known_instance((2, 2, 2), "2", 3, by_simulation()),
        known_instance((2, 2, 1), "1", 1),
        known_instance((1, 2, 1), "1", 3),
    ),
    counterexamples=(
        Counterexample.against(
            "nonneg", (2, 2, 2), "3/2", "a*e + b*g; a*f + b*h; c*e + d*g; c*f + d*h"
        ),
        Counterexample.against(
            "interior", (1, 1, 1), ("1/4", 2), "a*b", nonneg=("a", "b"), prior="a**(-1/2)*b**(-1/2)"
        ),
    ),
)
