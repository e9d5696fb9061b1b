"""Elimination of a variable that occurs linearly in a generator."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, restrict_germ
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.engine.germs.step import Bounds, Step
from rlct.pair import Pair
from rlct.questions.problem import Germ

_REGULAR_PAIR = Pair(Fraction(1, 2), 1)


@germ_rule("eliminate", "product", RuleTrait.ANY_FIELD, sign=SignTrait.CHANGES)
def eliminate_variable(germ: Germ) -> Step | None:
    """(u·x + r, g₂, …): λ = 1/2 + λ′ and θ = θ′, those of (g₂, …) on x = −r/u.

    Condition: u(0) ≠ 0, u and r free of x, no prior on x.  ``theory/certificates.md`` proves it.

    On g = 0, x = −r/u; what the other generators become there, times powers of the unit u,
    generates the rest of the ideal, in one variable less: λ gains 1/2 and θ stays.  The prior
    must not involve x, or the new coordinate would not split off from it.
    """
    best_elimination: tuple[int, int, int, list[Polynomial]] | None = None
    for index, i, u, r in _candidates(germ):
        kept_generators = [g for k, g in enumerate(germ.generators) if k != index]
        cost = _cost(kept_generators, i, u, r)
        if best_elimination is not None and cost >= best_elimination[0]:
            continue
        if cost > limits.MOST_ELIMINATE_TERMS:
            continue
        best_elimination = (cost, index, i, [_substitute(g, i, u, r) for g in kept_generators])
    if best_elimination is None:
        return None
    _, index, i, reduced_generators = best_elimination
    other_variables = [k for k in range(germ.ring.ngens) if k != i]
    reduced_generators = [g for g in reduced_generators if g]
    data = {"generator": index, "variable": i}
    children = (
        (restrict_germ(reduced_generators, germ, other_variables, True),)
        if reduced_generators
        else ()
    )
    return Step("eliminate", children, _combine, data)


def _combine(bounds: Sequence[Bounds]) -> Bounds:
    if not bounds:
        return _REGULAR_PAIR, _REGULAR_PAIR
    ((lower, upper),) = bounds
    return lower + _REGULAR_PAIR, None if upper is None else upper + _REGULAR_PAIR


def _candidates(germ: Germ) -> Iterator[tuple[int, int, Polynomial, Polynomial]]:
    for index, g in enumerate(germ.generators):
        for i, x in enumerate(germ.ring.gens):
            if germ.prior[i] == 0 and g.degree(x) == 1:
                u = g.coeff_wrt(x, 1)
                if constant_term(u):
                    yield index, i, u, g - u * x


def _cost(kept_generators: Sequence[Polynomial], i: int, u: Polynomial, r: Polynomial) -> int:
    """Rough number of terms after the substitution."""
    cost = 0
    for g in kept_generators:
        n = max((m[i] for m in g.itermonoms()), default=0)
        for m in g.itermonoms():
            cost += max(1, len(r)) ** min(m[i], 12) * len(u) ** min(n - m[i], 12)
    return cost


def _substitute(g: Polynomial, i: int, u: Polynomial, r: Polynomial) -> Polynomial:
    """u^n · g at x = −r/u, where n is the degree of g in x."""
    x = g.ring.gens[i]
    n = max(0, g.degree(x))
    result = g.ring.zero
    for k in range(n + 1):
        coefficient = g.coeff_wrt(x, k)
        if coefficient:
            # 0⁰ is an error in these rings: r is 0 where g is a unit times x.
            result += coefficient * ((-r) ** k if k else 1) * u ** (n - k)
    return result
