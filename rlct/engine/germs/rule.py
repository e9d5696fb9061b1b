"""What a rule of the engine is: how it is applied, when it is tried, and what its steps say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Any, Final, TypeVar

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


class SignTrait(Flag):
    """What a step shows near the point of K, or of the only generator of an ideal."""

    OPEN = 0
    NONNEGATIVE = auto()  # it is a sum or product of squares, but for a positive factor
    NOWHERE_ZERO = auto()  # it is not 0 where all coordinates are non-zero
    CHANGES = auto()  # some factor of it vanishes simply on a real hypersurface


Apply = TypeVar("Apply", bound=Callable[..., Step | Proof | None])
#: Takes a step, and what each of the steps below it shows.
SignRule = Callable[[Proof, Sequence[SignTrait]], SignTrait]


def has_positive_unit(data: Mapping[str, Any]) -> bool:
    """Whether the unit beside factors is positive at the point; not known over a field."""
    terms = data.get("unit", ())
    return any(not any(m) and isinstance(c, str) and Fraction(c) > 0 for c, m in terms)


@dataclass(frozen=True)
class GermRule:
    """One way to bound the germ of an ideal over the rationals, and what its steps say."""

    name: str
    #: Takes a germ, and a `ProofSearch` if its traits say so; gives a step to other germs, a proof,
    #: or None where its condition does not hold.
    apply: Callable[..., Step | Proof | None]
    #: Name of the rule that is tried before; of several after the same one, the first by name.
    #: None if the search does not try it in turn: then `apply` takes what it likes.
    after: str | None = None
    #: When it is tried, and what it needs.
    traits: RuleTrait = RuleTrait.USUAL
    #: Whom an answer cites for it, beside the pages of theory.
    sources: tuple[str, ...] = ()
    #: What each step shows of the sign of K, or how that is seen.
    sign: SignTrait | SignRule = SignTrait.OPEN
    #: What a step shows where one below it does.
    keeps: SignTrait = SignTrait.OPEN

    def __call__(self, germ: Germ, search: ProofSearch) -> Step | Proof | None:
        """Apply it to a germ."""
        return self.apply(germ, search) if RuleTrait.SEARCHES in self.traits else self.apply(germ)

    def sign_of(self, step: Proof, solve: Callable[[Proof], SignTrait]) -> SignTrait:
        """What a step of this rule shows; `solve` is asked about the steps below."""
        if isinstance(self.sign, SignTrait) and not self.keeps:
            return self.sign
        below = [solve(child) for child in step.children]
        sign = self.sign if isinstance(self.sign, SignTrait) else self.sign(step, below)
        return sign | reduce(or_, below, SignTrait.OPEN) & self.keeps


#: Those that stand above the functions of the modules that are imported.
STATED_RULES: Final[dict[str, GermRule]] = {}


def germ_rule(
    name: str,
    after: str | None = None,
    traits: RuleTrait = RuleTrait.USUAL,
    *,
    sources: tuple[str, ...] = (),
    sign: SignTrait | SignRule = SignTrait.OPEN,
    keeps: SignTrait = SignTrait.OPEN,
) -> Callable[[Apply], Apply]:
    """State that a function is a rule, or writes the steps of one; see `GermRule`."""

    def stated(apply: Apply) -> Apply:
        rule = GermRule(name, apply, after, traits, sources, sign, keeps)
        if STATED_RULES.setdefault(name, rule) is not rule:
            raise ValueError(f"two rules of a name: {name}")
        return apply

    return stated


def in_order(rules: Iterable[GermRule]) -> tuple[GermRule, ...]:
    """Put rules in an order in which each follows the one that it names.

    >>> rules = [GermRule("b", print, "a"), GermRule("c", print, "a"), GermRule("a", print, "")]
    >>> [rule.name for rule in in_order(rules)]
    ['a', 'b', 'c']
    """
    waiting_rules = sorted(rules, key=lambda rule: rule.name)
    ordered_rules: list[GermRule] = []
    names = {""}
    while waiting_rules:
        rule = next((rule for rule in waiting_rules if rule.after in names), None)
        if rule is None:
            raise ValueError(f"rules that follow no other: {waiting_rules}")
        ordered_rules.append(rule)
        names.add(rule.name)
        waiting_rules.remove(rule)
    return tuple(ordered_rules)
