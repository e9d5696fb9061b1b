"""Every rule of the checker opens with mathematics: what it bounds, under which condition."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from rlct.certificate import rules
from rlct.certificate.family import GermFamily
from rlct.certificate.rules import CheckedRule, RuleScope, all_rules
from rlct.certificate.statement import Statement
from rlct.errors import CertificateError

THEORY = Path(__file__).parents[2] / "theory"


def lacking(text: str) -> str:
    """What the opening of a rule does not have."""
    first, *others = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    if not others:
        return "a second line"
    if not re.search(r"[λθ]|\b(pairs?|bounds?)\b|\(1/", first):
        return "what is bounded"
    if not re.search(r"\b(If|if|Without a condition)\b", " ".join(others)):
        return "a condition"
    pages = re.findall(r"theory/([\w-]+\.md)", text)
    return "" if pages and all((THEORY / page).exists() for page in pages) else "its theory page"


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: f"{rule.scope.name}-{rule.name}")
def test_a_rule_opens_with_what_it_bounds_and_why(rule):
    assert not lacking(rule.replay.__doc__ or "")


def test_two_rules_of_one_name_and_scope_are_refused(monkeypatch):
    monkeypatch.setattr(rules, "all_rules", lambda: (*all_rules(), CheckedRule("sum", len)))
    with pytest.raises(ValueError, match="two rules of a name"):
        rules.rules_about.__wrapped__(RuleScope.GERM)


def test_a_rule_of_families_takes_no_others():
    """`fix` needs free parameters, and `blowup` none; a germ is a family without parameters."""
    by_name = rules.rules_about(RuleScope.FAMILY)
    fixed = GermFamily(({(1,): Fraction(1)},), (Fraction(0),), (), 0, ())
    with pytest.raises(CertificateError, match="not a rule for such a family"):
        by_name["fix"](fixed, {}, None)
    with pytest.raises(CertificateError, match="not a rule for such a family"):
        by_name["blowup"](replace(fixed, zero={(0,): Fraction(1)}), {}, None)
    seen = []
    germ = Statement(fixed.generators, fixed.prior, True)
    replace(by_name["blowup"], replay=lambda about, data: seen.append(about))(germ, {})
    assert seen == [fixed]


@pytest.mark.parametrize(
    ("planted", "missing"),
    [
        ("λ = 1/2.", "a second line"),
        ("Sum rule.\n\nIf disjoint (``theory/conventions.md``).", "what is bounded"),
        ("pair = (1/2, 1).\n\nBy comparison (``theory/conventions.md``).", "a condition"),
        ("pair = (1/2, 1).\n\nIf smooth (``theory/nowhere.md``).", "its theory page"),
    ],
)
def test_a_planted_opening_is_found(planted, missing):
    assert lacking(planted) == missing
