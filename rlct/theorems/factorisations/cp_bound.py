"""CP decomposition, bounds."""

from fractions import Fraction
from math import prod

from rlct.models.factorisations.cp import CpDecomposition
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import (
    at_most,
    bounded_instance,
    integer_parameter,
    model_links,
    positive_sizes,
)
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import joined_terms, step


def tensor_sizes(arguments: Arguments) -> tuple[Finding, Finding]:
    """Check the dimensions and the number of terms."""
    dims = arguments["dims"]
    possible = len(dims) >= 2 and min(dims) >= 1
    statement = "there are at least two positive dimensions"
    return Finding.of(statement, possible, f"dims {dims}"), positive_sizes(arguments, "terms")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    dims = arguments["dims"]
    return (
        *tensor_sizes(arguments),
        at_most(arguments, "true", "terms"),
        Finding.of(
            "true is at most Π dims/max(dims), enough terms for any tensor",
            arguments["true"] * max(dims, default=0) <= prod(dims),
            f"true {arguments['true']}, dims {dims}",
        ),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    dims, H, r = arguments["dims"], arguments["terms"], arguments["true"]
    if len(dims) == 2:
        pair = reduced_rank_pair(dims[0], H, dims[1], r)
        return TheoremBounds("a product of two matrices", pair, pair)
    lower = _lower(dims, H) if r == 0 else cone_pair(dims)
    low = "one factor given the others; " if r == 0 else "one term moved; "
    upper = Fraction(r * (sum(dims) - len(dims) + 1) + (H - r) * min(dims), 2)
    entries = prod(dims)
    if entries // max(dims) <= H and Fraction(entries, 2) < upper:
        upper = step(f"λ ≤ {joined_terms(dims, '·')}/2", Fraction(entries, 2))
        return TheoremBounds(f"{low}all entries coordinates", lower, Pair(upper, 1))
    one = f"({sum(dims)} − {len(dims)} + 1)"
    step(f"λ ≤ ({r}·{one} + ({H} − {r})·{min(dims)})/2", upper)
    return TheoremBounds(f"{low}spare terms set to 0", lower, Pair(upper, 1))


def _lower(dims: tuple[int, ...], terms: int) -> Pair:
    """K for given other factors: at least the size of their products, in n coordinates."""
    found = [(n, terms * min(dims[:i] + dims[i + 1 :])) for i, n in enumerate(dims)]
    n, others = max(found, key=min)
    lam = step(f"λ ≥ min({n}, {others})/2", Fraction(min(n, others), 2))
    return Pair(lam, terms * (len(dims) - 2) + 2)


def cone_pair(dims: tuple[int, ...]) -> Pair:
    """Half the dimension of the cone of tensors of rank one: one term that is not 0 moves so."""
    rank = sum(dims) - len(dims) + 1
    return Pair(step(f"λ ≥ ({sum(dims)} − {len(dims)} + 1)/2", Fraction(rank, 2)), 1)


_CONE_PAIR = ("2", 1)  # rank of the derivative of one term of 2 × 2 × 2


THEOREM = Theorem(
    id="cp-bound",
    title="CP decomposition, bounds",
    model="tensor Σ_h a_h ⊗ b_h ⊗ … + Gaussian noise, H terms, the truth needs r",
    where="minimum over all parameters of the true tensor",
    cites=("yoshida2023 (a bound of this kind; this one is proved on the theory page)",),
    parameters=(
        Parameter("dims", Kind.INTEGERS, "dimensions of the tensor"),
        integer_parameter("terms", "H, number of terms"),
        integer_parameter("true", "r, number of terms that the truth needs, its rank", default=0),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    **model_links(CpDecomposition, fixed={"nonneg": False}),
    kind="bound",
    instances=(
        bounded_instance(((2, 2, 2), 1, 1), _CONE_PAIR, "2", "2", by_simulation()),
        bounded_instance(((2, 2, 2), 2, 0), ("1", 4), "2", ("2", 6)),
        bounded_instance(((2, 2), 2, 0), "3/2", "3/2", "3/2"),
        bounded_instance(((2, 2), 2, 1), ("2", 2), ("2", 2), ("2", 2)),
        bounded_instance(((3, 3, 2), 1, 0), ("1", 3), "1", "1"),
        bounded_instance(((2, 2, 2), 9, 1), _CONE_PAIR, "4", None),
        bounded_instance(((4, 5, 6), 3, 2), "13/2", "15", None),
    ),
    counterexamples=(squared_product(((1, 1), 1, 0), "interior", "a*b"),),
)
