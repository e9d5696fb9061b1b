"""Every rule of the checker opens with mathematics: what it bounds, under which condition."""

import re
from pathlib import Path

import pytest

from rlct.certificate.boxes import box
from rlct.certificate.families.resolution import FAMILY_RULES
from rlct.certificate.fibre.cell_rules import CELL_RULES
from rlct.certificate.ranks import factor_analysis, generic_rank, latent_class, linear_network
from rlct.certificate.rules import RULES

THEORY = Path(__file__).parents[2] / "theory"
TABLES = {"plain": RULES, "family": FAMILY_RULES, "box": box.RULES, "cell": CELL_RULES}
FUNCTIONS = {
    f"{table}: {name}": rule for table, rules in TABLES.items() for name, rule in rules.items()
}
FUNCTIONS["factor-analysis"] = factor_analysis.replay_heywood_ranks
FUNCTIONS["latent-class"] = latent_class.replay_class_rank
FUNCTIONS["linear-network"] = linear_network.replay_linear_network
FUNCTIONS["quadratic-network"] = generic_rank.replay_generic_rank


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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_rule_opens_with_what_it_bounds_and_why(name):
    assert not lacking(FUNCTIONS[name].__doc__ or "")


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
