"""What a rule of the engine states above its function, and what nobody states."""

import pytest

from rlct.engine import rules
from rlct.engine.germs.rule import GermRule, SignTrait, germ_rule, in_order
from rlct.engine.rules import sign_of, sources_of
from rlct.pair import Pair
from rlct.proof.tree import Proof


def step(rule, data=None, *children):
    return Proof(rule, Pair.of(1), Pair.of(1), data or {}, children)


def test_two_rules_of_a_name_are_refused():
    with pytest.raises(ValueError, match="two rules of a name: newton"):
        germ_rule("newton")(print)


def test_a_rule_that_follows_no_other_is_refused():
    with pytest.raises(ValueError, match="follow no other"):
        in_order([GermRule("a", print, ""), GermRule("b", print, "c")])


def test_a_function_that_only_writes_steps_is_not_tried():
    assert {"hull", "squares"}.isdisjoint(rule.name for rule in rules.GERM_RULES)


def test_what_nobody_states_is_not_claimed():
    child = step("squares")
    assert sign_of(child) is SignTrait.NONNEGATIVE
    assert sign_of(step("of-nobody", None, child)) is SignTrait.OPEN
    (book,) = sources_of(step("of-nobody"))
    assert book.startswith("Watanabe")
    assert len(sources_of(step("newton", None, step("hull")))) == 3


@pytest.mark.parametrize(
    ("proof", "shown"),
    [
        (step("power", {"exponent": 3}, step("smooth")), SignTrait.CHANGES),
        (step("power", {"exponent": 2}, step("smooth")), SignTrait.OPEN),
        (step("positive", None, step("monomial")), SignTrait.NOWHERE_ZERO),
        (step("enclose", None, step("hull"), step("squares")), SignTrait.NONNEGATIVE),
        (step("product", {"unit": [["2", [0]]]}, *[step("squares")] * 2), SignTrait.NONNEGATIVE),
        (step("product", {"unit": [["-2", [0]]]}, *[step("squares")] * 2), SignTrait.OPEN),
        (step("product", {"unit": [["2", [0]]]}, step("squares"), step("hull")), SignTrait.OPEN),
        (step("product", {}, step("smooth"), step("monomial")), SignTrait.CHANGES),
        (step("linear", None, step("monomial")), SignTrait.OPEN),
    ],
)
def test_the_sign_that_a_step_shows(proof, shown):
    assert sign_of(proof) is shown
