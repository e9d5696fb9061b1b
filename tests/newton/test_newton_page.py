"""The examples of theory/newton.md hold, and a changed one would be noticed."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "theory" / "newton.md"


def failures(text):
    example = doctest.DocTestParser().get_doctest(text, {}, "newton.md", None, None)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, out=lambda _: None)
    return runner.failures, runner.tries


def test_the_page():
    failed, tried = failures(PAGE.read_text(encoding="utf-8"))
    assert failed == 0
    assert tried >= 10


def test_a_wrong_page_fails():
    text = PAGE.read_text(encoding="utf-8")
    assert failures(text.replace("Pair(11/12, 1)", "Pair(11/12, 2)"))[0] == 1
