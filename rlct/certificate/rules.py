"""What a rule of certificates is; those of the folders below are found."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache
from typing import Any, Final

from rlct.certificate.family import GermFamily, family_without_parameters
from rlct.certificate.statement import Statement, need

_RULE_FOLDERS: Final = ("germs", "families", "boxes", "fibre", "ranks")


class RuleScope(Flag):
    """What a rule is a statement about."""

    GERM = auto()  # a germ at a point
    FIXED = auto()  # a family of germs whose parameters are all fixed
    FREE = auto()  # one with free parameters
    ZEROS = auto()  # one near the zeros of a polynomial in the parameters
    FAMILY = FIXED | FREE | ZEROS
    BOX = auto()
    CELL = auto()  # all zeros in a cell, which it leads to other cells
    LEAF = auto()  # all zeros in a cell, which it bounds
    END = auto()  # likewise; it is given the leaves before it, and is none
    SIZES = auto()  # a model of which the question holds the sizes alone


class ChildTrait(Flag):
    """What a rule tells of its children beside bounds, for who draws a proof or reads its poles."""

    USUAL = 0
    SAME_STATEMENT = auto()  # each is about what the step is about: the rule takes their bounds
    SAME_VARIABLES = auto()  # each is in the variables of the step
    EQUAL = auto()  # K is that of the child, but for numbers > 0, perhaps in other coordinates
    COMPARABLE = auto()  # K lies between multiples of that of the child, likewise
    ABOVE = auto()  # each is about points above, where K is comparable with that of the child


class Sign(Flag):
    """What a step shows near the point, or in the box, of K or of the only generator."""

    OPEN = 0
    NONNEGATIVE = auto()  # it is nowhere negative
    NOWHERE_ZERO = auto()  # it is not 0 where all coordinates are non-zero


#: Takes a step of a verified proof, and what each of the steps below it shows.
SignRule = Callable[[Mapping[str, Any], Iterable[Sign]], Sign]


@dataclass(frozen=True)
class CheckedRule:
    """A rule as the checker replays it, with all that is said about it."""

    name: str
    #: Takes what it is about, its evidence, and a function that solves the next child; gives
    #: bounds, or raises.  Its docstring says what it bounds, under which condition, and where that
    #: is proved.  Those of boxes, cells and sizes take what these have.
    replay: Callable[..., Any]
    #: Its form, as in ``{exponent: positive, root: polynomial, field?: field}``; empty for none, or
    #: where a rule of the same name has it.  ``tests/renew/rule_forms.py`` reads it.
    evidence: str = ""
    scope: RuleScope = RuleScope.GERM
    #: How a step is told: a title, with keys of the bibliography in brackets, sentences in lines of
    #: their own, then those that begin with → after the steps below, and with ∵ a reason.
    #: ``{child}`` and the like, or an entry of the evidence, stand for parts of the step. Without
    #: it, and without a function in `rlct.explain`, the docstring is told.
    wording: str = ""
    #: A theorem that it takes as known, which the checker does not replay.
    cites: str = ""
    #: What each step shows of the sign of K, or how that is seen.
    sign: Sign | SignRule = Sign.OPEN
    #: What a step shows where one below it does, if `sign` does not say how it is seen.
    keeps: Sign = Sign.OPEN
    #: What it tells of its children beside bounds.
    child: ChildTrait = ChildTrait.USUAL

    def __call__(self, about: Any, *evidence: Any) -> Any:
        """Replay it; a rule for families takes a germ as one without parameters."""
        if isinstance(about, Statement) and self.scope & RuleScope.FAMILY:
            about = family_without_parameters(about)
        if isinstance(about, GermFamily):
            free = RuleScope.FREE if about.free else RuleScope.FIXED
            scope = free if about.zero is None else RuleScope.ZEROS
            need(scope in self.scope, f"{self.name}: not a rule for such a family")
        return self.replay(about, *evidence)


def checked_rule(
    name: str,
    evidence: str = "",
    scope: RuleScope = RuleScope.GERM,
    wording: str = "",
    cites: str = "",
    sign: Sign | SignRule = Sign.OPEN,
    keeps: Sign = Sign.OPEN,
    child: ChildTrait = ChildTrait.USUAL,
) -> Callable[[Callable[..., Any]], CheckedRule]:
    """Make a rule of a function, which is what replays it; see `CheckedRule`."""
    return lambda replay: CheckedRule(
        name, replay, evidence, scope, wording, cites, sign, keeps, child
    )


def of_kind(question: Mapping[str, Any], kind: str) -> None:
    """Raise unless the question is about models of this kind."""
    need(question["kind"] == kind, f"{question['kind']}: the rule is one for {kind}")


@cache
def all_rules() -> tuple[CheckedRule, ...]:
    """List the rules of all folders."""
    rules: list[CheckedRule] = []
    for folder in _RULE_FOLDERS:
        package = importlib.import_module(f"rlct.certificate.{folder}")
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            rules += [rule for rule in vars(module).values() if isinstance(rule, CheckedRule)]
    return tuple(dict.fromkeys(rules))


@cache
def rules_about(scope: RuleScope) -> dict[str, CheckedRule]:
    """Rules of a scope by name.

    >>> sorted(rules_about(RuleScope.SIZES))
    ['class-rank', 'generic-rank', 'heywood-ranks', 'theorem']
    """
    rules = [rule for rule in all_rules() if rule.scope & scope]
    table = {rule.name: rule for rule in rules}
    if len(table) < len(rules):
        raise ValueError(f"two rules of a name: {[rule.name for rule in rules]}")
    return table


def rules_for(state: Statement | GermFamily) -> dict[str, CheckedRule]:
    """Rules about a germ, or about a family, by name."""
    return rules_about(RuleScope.FAMILY if isinstance(state, GermFamily) else RuleScope.GERM)


def cited_theorems(document: Mapping[str, Any]) -> dict[str, str]:
    """What the rules of a verified certificate take as known, by rule.

    >>> import rlct
    >>> cited_theorems(rlct.poly("x**2*y**4").certificate)
    {}
    >>> list(cited_theorems(rlct.linear([5, 3, 5], rank=1).certificate))
    ['theorem']
    """
    rules_used, steps_left = set[str](), [document["proof"]]
    while steps_left:  # each step of the document once
        step = steps_left.pop()
        rules_used.add(step["rule"])
        steps_left += step.get("children", [])
    return {rule.name: rule.cites for rule in all_rules() if rule.cites and rule.name in rules_used}
