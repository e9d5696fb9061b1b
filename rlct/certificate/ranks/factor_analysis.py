"""The checker's own value for factor analysis: ranks along a chain of Heywood parameters."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.linear import rank_modulo_prime
from rlct.certificate.rules import RuleScope, checked_rule, of_kind
from rlct.errors import CertificateError
from rlct.pair import Pair


@checked_rule(
    "heywood-ranks",
    "{loadings: [[integer]]}",
    RuleScope.SIZES,
    cites="λ and θ of factor analysis at a generic truth from the ranks at spare unit "
    "loadings, and the dimensions that bound these (Drton, Sturmfels and Sullivant 2007)",
)
def replay_heywood_ranks(
    question: Mapping[str, Any], proof: Mapping[str, Any]
) -> tuple[Pair, Pair]:
    """λ and θ of factor analysis = the product over m of the pairs at m spare unit loadings.

    (rank/2 + spare rows · spare columns/4, 1) each, until the derivative has full rank or no
    spare column is left.  If the ranks at the recorded loadings, modulo 2⁶¹ − 1 and so lower
    bounds, meet the dimensions that bound them from above, they are those of generic loadings; that
    the truth is generic is part of the question (``theory/factor-analysis.md``).
    """
    of_kind(question, "factor-analysis")
    p, k, r = (question[name] for name in ("variables", "factors", "true_factors"))
    if any(type(size) is not int for size in (p, k, r)) or p < 2 or not 0 <= r <= k:
        raise CertificateError("factor-analysis: the sizes are not possible")
    true_loadings = _read_loadings(proof["data"]["loadings"], p, min(r, p))
    full_rank = p * (p + 1) // 2
    pairs = []
    for m in range(min(k, p) - min(r, p) + 1):
        spare_rows, spare_columns = p - min(r, p) - m, k - min(r, p) - m
        # Rows of unit loadings meet every entry of theirs; the others are a model of p − m.
        entries = (p - m) * (p - m - 1) // 2
        missed = max(0, spare_rows * (spare_rows - 1) // 2 - r) if spare_rows > 0 else 0
        if _rank_of_products(true_loadings[m:]) != entries - missed:
            raise CertificateError(f"factor-analysis: the rank at {m} unit loadings is too small")
        if not missed:
            pairs.append(Pair(Fraction(full_rank, 2), 1))
            break
        scaled = Fraction(spare_rows * spare_columns, 4)
        pairs.append(Pair(Fraction(full_rank - missed, 2) + scaled, 1))
    pair = Pair.product(pairs)
    return pair, pair


def _read_loadings(rows: Any, variables: int, factors: int) -> list[list[int]]:
    if type(rows) is not list or len(rows) != variables:
        raise CertificateError(f"factor-analysis: the loadings are not {variables} rows")
    for row in rows:
        if type(row) is not list or len(row) != factors or any(type(x) is not int for x in row):
            raise CertificateError(f"factor-analysis: a row of loadings is not {factors} integers")
    return [list(row) for row in rows]


def _rank_of_products(loadings: Sequence[Sequence[int]]) -> int:
    """Rank of the derivative of the scalar products of two different rows."""
    width, count = len(loadings[0]) if loadings else 0, len(loadings)
    steps = cost.of_table(10 + 5 * count * width, 1 + count * (count - 1) // 2)
    cost.charge(steps, "scalar products of loadings")
    pairs = list(combinations(range(count), 2))
    derivative = [
        [loadings[b][column] if a == i else loadings[a][column] if b == i else 0 for a, b in pairs]
        for i in range(len(loadings))
        for column in range(width)
    ]
    return rank_modulo_prime(derivative)
