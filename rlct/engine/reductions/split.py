"""Sum rule: generators that share no variables are solved apart."""

from rlct.algebra.polynomial import support, variable_groups
from rlct.engine.germs.generators import restrict_germ
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step, sum_bounds
from rlct.questions.problem import Germ


@germ_rule("sum", "smooth", RuleTrait.CHEAP | RuleTrait.ANY_FIELD)
def split_sum(germ: Germ) -> Step | None:
    """(f)(x) + (g)(y), no common variable: λ = λ_f + λ_g and θ = θ_f + θ_g − 1.

    Condition: the generators fall into groups without a common variable; ``theory/conventions.md``
    proves the sum rule.

    A variable that occurs in no generator only multiplies volumes by a constant and is
    dropped, which is the case of one group.
    """
    supports = [support(g) for g in germ.generators]
    groups = variable_groups(supports)
    if len(groups) == 1 and len(groups[0]) == germ.ring.ngens:
        return None
    children = []
    for group in groups:
        members = set(group)
        mine = [g for g, s in zip(germ.generators, supports, strict=True) if s <= members]
        children.append(restrict_germ(mine, germ, group, True))
    return Step("sum", tuple(children), sum_bounds, {"groups": groups})
