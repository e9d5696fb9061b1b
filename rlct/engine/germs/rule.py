"""What a rule of the engine is: how it is applied to a germ, and when it is tried."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Flag, auto

from rlct.engine.germs.step import Step
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ
from rlct.system.time_limit import Budget


@dataclass(frozen=True)
class ProofSearch:
    """What a rule may use besides the germ."""

    #: Proves another germ without blow-ups, within a budget.
    solve: Callable[[Germ, Budget], Proof]
    #: Whether the germ will be blown up where no rule is exact.
    blowups_follow: bool


class RuleTrait(Flag):
    """When a rule is tried, and what it needs."""

    USUAL = 0
    CHEAP = auto()  # costs next to nothing, so that it is tried even out of time
    OUTERMOST = auto()  # looks for hidden structure; over divisors that costs more than it finds
    NO_CHARTS = auto()  # says nothing of charts, of which a resolution is made
    MOVES = auto()  # changes coordinates without an end: another may undo what it does
    ANY_FIELD = auto()  # holds over a field of numbers, too
    SMALL_FIELD = auto()  # likewise, but it factorises, which is slow over a large field
    SEARCHES = auto()  # takes a `ProofSearch` after the germ


@dataclass(frozen=True)
class GermRule:
    """One way to bound the germ of an ideal over the rationals."""

    name: str
    #: Takes a germ, and a `ProofSearch` if its traits say so; gives a step to other germs, a proof,
    #: or None where its condition does not hold.
    apply: Callable[..., Step | Proof | None]
    #: Name of the rule that is tried before; of several after the same one, the first by name.
    after: str = ""
    #: When it is tried, and what it needs.
    traits: RuleTrait = RuleTrait.USUAL

    def __call__(self, germ: Germ, search: ProofSearch) -> Step | Proof | None:
        """Apply it to a germ."""
        return self.apply(germ, search) if RuleTrait.SEARCHES in self.traits else self.apply(germ)


def in_order(rules: Iterable[GermRule]) -> tuple[GermRule, ...]:
    """Put rules in an order in which each follows the one that it names.

    >>> rules = [GermRule("b", print, "a"), GermRule("c", print, "a"), GermRule("a", print)]
    >>> [rule.name for rule in in_order(rules)]
    ['a', 'b', 'c']
    """
    waiting_rules = sorted(rules, key=lambda rule: rule.name)
    ordered_rules: list[GermRule] = []
    names = {""}
    while waiting_rules:
        rule = next((rule for rule in waiting_rules if rule.after in names), None)
        if rule is None or rule.name in names:
            raise ValueError(f"rules that follow no other, or twice: {waiting_rules}")
        ordered_rules.append(rule)
        names.add(rule.name)
        waiting_rules.remove(rule)
    return tuple(ordered_rules)
