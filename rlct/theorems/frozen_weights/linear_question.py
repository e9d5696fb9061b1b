"""The question of a model that is linear in its parameters."""

from collections.abc import Sequence
from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.theorems.arguments import Parameter
from rlct.theorems.kit.polynomial_question import small_question

DENSE_COLUMNS = Parameter.given(
    "density",
    "the columns of W are independent and have a density",
    upper="features that span less",
)


def feature_rank(rows: Sequence[Sequence[Fraction | int]], copies: int) -> int:
    """Rank of the derivative of that model."""
    return copies * int(matrix_rank(rows))


def linear_problem(rows: Sequence[Sequence[Fraction | int]], copies: int = 1) -> object | None:
    """Build K = Σ (row·w)², once for each of output; None if K is zero or too large."""
    texts = [
        " + ".join(f"({value})*w{k}_{j}" for j, value in enumerate(row, start=1) if value)
        for k in range(1, copies + 1)
        for row in rows
    ]
    texts = [text for text in texts if text]
    if not texts or len(texts) > 200:
        return None
    return small_question(texts, provenance="linear model")
