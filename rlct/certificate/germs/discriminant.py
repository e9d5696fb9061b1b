"""A lower bound by the discriminant with respect to one variable."""

from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, poly_product, poly_scale, poly_sum
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    need,
    read_index,
)
from rlct.pair import Pair


@checked_rule(
    "discriminant",
    "{variable: index}",
    wording="Discriminant [stein1993]\n"
    "The generator is `f = A*{variable}^2 + B*{variable} + C`, and its discriminant is "
    "{child}.\n"
    "For given other variables the set of `{variable}` with `|f| < ε` has length at most "
    "`8ε/√|B^2 - 4AC|`, so the integral of `1/√|B^2 - 4AC|` bounds the volume: it is "
    "finite if `λ > 1/4` for the discriminant.\n"
    "→ There {pair}; so {result}.",
)
def discriminant_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """λ > 1/4 for Δ = B² − 4AC gives (1/2, 1) ≤ pair of f = A·x² + B·x + C, nothing from above.

    If the prior is bounded in x: |{x : |f| < ε}| ≤ 8ε/√|Δ|.  A lower bound (1/4, θ) of Δ gives
    (1/2, θ + 1), and (λ, θ) with λ < 1/4 gives (2λ, θ) (``theory/discriminants.md``).
    """
    need(statement.is_ideal and len(statement.generators) == 1, "discriminant: not principal")
    need(statement.field is None, "discriminant: not over Q")
    i = read_index(data["variable"], statement.width, "discriminant: no such variable")
    need(statement.prior[i] >= 0, "discriminant: the prior is not bounded")
    (f,) = statement.generators
    cost.charge(len(f) * (10 + statement.width), "the powers of a variable")
    parts: list[Poly] = [{}, {}, {}]
    for m, c in f.items():
        need(m[i] <= 2, "discriminant: the degree is more than 2")
        parts[m[i]][(*m[:i], *m[i + 1 :])] = c
    tail, middle, lead = parts
    square = poly_product(middle, middle)
    discriminant = poly_sum(square, poly_scale(poly_product(lead, tail), Fraction(-4)))
    need(bool(discriminant), "discriminant: it is 0")
    need(all(any(m) for m in discriminant), "discriminant: it does not vanish at the point")
    prior = (*statement.prior[:i], *statement.prior[i + 1 :])
    lower, _ = solve_child(Statement((discriminant,), prior, True))
    quarter = Fraction(1, 4)
    if lower.lam > quarter:
        return Pair(Fraction(1, 2), 1), None
    if lower.lam == quarter:
        return Pair(Fraction(1, 2), lower.theta + 1), None
    return Pair(2 * lower.lam, lower.theta), None
