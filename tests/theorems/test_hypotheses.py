"""Every theory page of a theorem states its hypotheses; lists are those that the code checks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis_lists import HEADING, given_parameters, in_prose, read, section

from rlct.theorems import all_theorems, get_theorem

THEORY = Path(__file__).parents[2] / "theory"
IDS = [theorem.id for theorem in all_theorems()]


@pytest.mark.parametrize("name", IDS)
def test_page(name: str) -> None:
    page = (THEORY / f"{name}.md").read_text(encoding="utf-8")
    if in_prose(page):
        assert HEADING not in page
    else:
        assert read(section(get_theorem(name))) in read(page)


def test_every_counterexample_denies_a_hypothesis_of_the_page() -> None:
    for theorem in all_theorems():
        findings = theorem.findings(**theorem.instances[0].arguments)
        told = [f.statement for f in findings] + [p.name for p in given_parameters(theorem)]
        for example in theorem.counterexamples:
            assert any(example.hypothesis in text for text in told), (
                theorem.id,
                example.hypothesis,
            )
