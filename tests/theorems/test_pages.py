"""Every number of a theory page is recomputed: tables through the theorem, the rest by doctest."""

from __future__ import annotations

import doctest
import functools
import re
import traceback
from fractions import Fraction
from pathlib import Path

import pytest

from rlct.explain.pages import failure_reasons, value_origins
from rlct.pair import Pair
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.base import AppliedTheorem
from rlct.theorems.evidence import TheoremBounds

THEORY = Path(__file__).parents[2] / "theory"
THEOREMS = {theorem.id for theorem in all_theorems()}
PAGES = sorted(
    path for path in THEORY.glob("*.md") if path.stem in THEOREMS or path.stem == "conventions"
)
CHECKER, RAISED = doctest.OutputChecker(), "Traceback: "
ROW = re.compile(r"\| `([^`]*)` \|(.*)\|$")


def rows(text: str) -> list[tuple[str, list[str], str]]:
    """Arguments, cells and header of every table row that starts with arguments."""
    found, header = [], ""
    for line in text.splitlines():
        if line.startswith("| arguments |"):
            header = line
        match = ROW.match(line)
        if match:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", match[2])]
            found.append((match[1], cells, header))
    return found


def pair(text: str) -> Pair:
    """``1/2, 1``; an upper end without θ is that of a law without a pole."""
    lam, theta = map(str.strip, text.split(","))
    return Pair.no_pole(Fraction(lam)) if theta == "–" else Pair.of(lam, int(theta))


def ends(value: Pair | TheoremBounds) -> tuple[Pair | None, Pair | None]:
    """Lower and upper pair of a claim."""
    return (value, value) if isinstance(value, Pair) else (value.lower, value.upper)


def end(text: str) -> Pair | None:
    """A pair, or – where there is no bound on this side."""
    return None if text == "–" else pair(text)


def claim(text: str) -> tuple[Pair | None, Pair | None]:
    """``1/2, 1`` is a pair, ``3/2, 1 to –`` bounds."""
    low, to, high = text.partition(" to ")
    return end(low), end(high if to else low)


class _Printed(doctest.DocTestRunner):
    """What examples print, whatever was expected."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.printed: list[str] = []

    def report_success(self, out, test, example, got) -> None:
        self.printed.append(got)

    report_failure = report_success

    def report_unexpected_exception(self, out, test, example, exc_info) -> None:
        self.printed.append(RAISED + traceback.format_exception_only(exc_info[1])[-1])


# Of a page and of its copies with another number the questions are the same.
@functools.cache
def printed(name: str, sources: tuple[str, ...]) -> list[str]:
    runner = _Printed()
    examples = [doctest.Example(source, "") for source in sources]
    runner.run(doctest.DocTest(examples, {}, name, None, None, None))
    return runner.printed


@functools.cache
def formula(name: str, arguments: str) -> Pair | TheoremBounds:
    theorem = get_theorem(name)
    return theorem.formula(**theorem.parse(arguments.split()))


@functools.cache
def applied(name: str, arguments: str) -> AppliedTheorem:
    theorem = get_theorem(name)
    return theorem.apply(**theorem.parse(arguments.split()))


def check(name: str, text: str) -> int:
    """Recompute a page; returns how many rows and examples it holds."""
    count = 0
    for arguments, cells, header in rows(text):
        if "| formula |" in header:
            theorem = get_theorem(name)
            values = theorem.parse(arguments.split())
            matching = [
                example
                for example in theorem.counterexamples
                if theorem.bind(example.arguments) == theorem.bind(values)
                and ends(example.truth) == claim(cells[1])
            ]
            assert ends(formula(name, arguments)) == claim(cells[0]), arguments
            assert matching, arguments
        elif "| lower | upper |" in header:
            found = applied(name, arguments).bounds
            assert found is not None, arguments
            assert ends(found) == (end(cells[0]), end(cells[1])), arguments
        else:
            assert applied(name, arguments).pair == pair(",".join(cells[:2])), arguments
        count += 1
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    examples = doctest.DocTestParser().get_examples("\n".join(blocks), name)
    found = printed(name, tuple(example.source for example in examples))
    for example, got in zip(examples, found, strict=True):
        want = RAISED + example.exc_msg if example.exc_msg else example.want
        assert CHECKER.check_output(want, got, 0), example.source
    return count + len(examples)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_is_right(page: Path) -> None:
    assert check(page.stem, page.read_text(encoding="utf-8")) >= 4


def mutations(text: str) -> list[str]:
    """Copies of a page with one checked number changed."""
    changed = []
    lines = text.splitlines()
    inside = False
    for i, line in enumerate(lines):
        if line.startswith("```"):
            inside = line == "```python"
        answer = inside and not line.startswith((">>>", "...")) and not line.startswith("```")
        match = ROW.match(line)
        if match:
            start, stop = match.start(2), match.start(2) + len("|".join(match[2].split("|")[:2]))
        elif answer:
            start, stop = 0, len(line)
        else:
            continue
        for number in re.finditer(r"\d+", line[start:stop]):
            at = start + number.start()
            new = line[:at] + str(int(number[0]) + 1) + line[start + number.end() :]
            changed.append("\n".join([*lines[:i], new, *lines[i + 1 :]]))
    return changed


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_changed_number_is_noticed(page: Path) -> None:
    copies = mutations(page.read_text(encoding="utf-8"))
    assert copies
    for copy in copies:
        with pytest.raises(AssertionError):
            check(page.stem, copy)


def test_pages_exist_and_cite_the_sources() -> None:
    for theorem in all_theorems():
        text = (THEORY / f"{theorem.id}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {theorem.title}\n")
        for source in theorem.sources:
            assert source.partition(",")[0] in text, source
        # every instance is shown, with how it is known
        listed = [
            theorem.bind(theorem.parse(words.split())) for words, _ in value_origins(theorem.id)
        ]
        assert all(why for _, why in value_origins(theorem.id))
        assert all(theorem.bind(instance.arguments) in listed for instance in theorem.instances)
        # every counterexample is shown, in the order in which a reason is looked up
        shown = [row[0] for row in rows(text) if "| formula |" in row[2]]
        assert [theorem.bind(theorem.parse(words.split())) for words in shown] == [
            theorem.bind(example.arguments) for example in theorem.counterexamples
        ]
        assert len(failure_reasons(theorem.id)) == len(shown)
