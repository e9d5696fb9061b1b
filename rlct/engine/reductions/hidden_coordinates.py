"""Coordinates that show only once another is taken."""

from collections.abc import Iterator
from itertools import islice

from rlct.algebra.polynomial import Polynomial, content_and_factors
from rlct.engine import limits
from rlct.engine.germs.compose import curved_coordinate
from rlct.engine.germs.coordinate import change_coordinate, family_complexity
from rlct.engine.germs.family import Family, family_of_germ, local_terms
from rlct.engine.germs.function_field import coefficient
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.engine.germs.uniform import forget_parameters
from rlct.engine.reductions.adapt import Chain
from rlct.questions.problem import Germ


@germ_rule("hidden-coordinate", "inner", RuleTrait.OUTERMOST)
def coefficient_coordinate(germ: Germ) -> Step | None:
    """(G(b, c, z, …)) has the pair of (G(x, y, z, …)) if b and c are coordinates: c first, then b.

    Condition: c = a·y + r with a number a ≠ 0 is a factor of a coefficient of some z^k, without a
    prior on y; b is one of `curved_coordinate`.  As g² − c·z³ with g and c polynomials
    (``theory/blowups.md``, Coordinates).
    """
    if germ.field is not None or germ.ring.ngens < 3 or len(germ.generators) > 1:
        return None
    family = family_of_germ(germ)
    size_before = family_complexity(family)
    for i, a, r in islice(_coefficient_factors(family), limits.MOST_COORDINATE_CANDIDATES):
        coefficient_step = change_coordinate(family, i, a, r)
        (moved,) = coefficient_step.children
        assert isinstance(moved, Family)
        if sum(map(len, moved.generators)) > limits.MOST_CHANGED_TERMS:
            continue
        curved_step = curved_coordinate(moved)
        if curved_step is None or curved_step.rule != "compose":
            continue
        (last,) = curved_step.children
        assert isinstance(last, Family)
        if family_complexity(last) < size_before:
            forget = forget_parameters(last)
            assert forget is not None
            return Chain(
                coefficient_step.rule,
                forget.children,
                same_bounds,
                coefficient_step.data,
                (curved_step, forget),
            )
    return None


def _coefficient_factors(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors a·x_i + r, a number, no x_i in r, of coefficients of powers of a variable."""
    d = len(family.prior)
    for g in family.generators:
        if not 2 < len(g) <= limits.MOST_COMPOSE_TERMS:
            continue
        powers = [(k, e) for k in range(d) for e in sorted({m[k] for m in g.itermonoms()} - {0})]
        for f in [f for k, e in powers for f, _ in content_and_factors(coefficient(g, k, e))[1]]:
            for i in range(d):
                a, r = coefficient(f, i, 1), coefficient(f, i, 0)
                linear = bool(a) and a.is_ground and f == a * f.ring.gens[i] + r
                if linear and r and not family.prior[i] and (0,) * d not in local_terms(r, d):
                    yield i, a, r
