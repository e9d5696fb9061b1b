"""The examples of the theory pages hold, and a changed one would be noticed.

The pages of theorems, whose tables are recomputed too, are in ``tests/theorems``.
"""

import doctest
import re
from pathlib import Path

import pytest

from rlct.theorems import all_theorems

THEORY = Path(__file__).parents[1] / "theory"
THEOREMS = {theorem.id for theorem in all_theorems()}
LISTS = {"index", "references"}  # checked in test_theory_index.py
PAGES = sorted(path for path in THEORY.glob("*.md") if path.stem not in THEOREMS | LISTS)


def failures(text):
    # A fence directly below an example would be read as its output.
    text = re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, "page", None, None)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, out=lambda _: None)
    return runner.failures, runner.tries


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page(path):
    failed, tried = failures(path.read_text(encoding="utf-8"))
    assert failed == 0
    assert tried or path.stem == "sampling", "a page without examples proves nothing"


def test_a_wrong_page_fails():
    text = (THEORY / "newton.md").read_text(encoding="utf-8")
    assert failures(text.replace("Pair(11/12, 1)", "Pair(11/12, 2)"))[0] == 1


@pytest.mark.parametrize("path", sorted(THEORY.glob("*.md")), ids=lambda path: path.stem)
def test_links_stay_inside_the_site(path):
    text = path.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    assert [link for link in links if not (THEORY / link).is_file() or ".." in link] == []


@pytest.mark.parametrize("path", sorted(THEORY.glob("*.md")), ids=lambda path: path.stem)
def test_a_star_inside_a_formula_is_escaped(path):
    """A* B is read as it stands, but a star before a letter begins emphasis: A\\*B*."""
    text = re.sub(
        r"```.*?```|`[^`\n]*`|^>>>.*$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M
    )
    assert re.findall(r".{0,9}(?<=[^\W_])(?<!\*)\*(?!\*)(?=\w).{0,9}", text) == []
