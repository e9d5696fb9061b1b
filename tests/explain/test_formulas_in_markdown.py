"""Formulas of the pages, as Markdown readers with mathematics take them: GitHub's among others."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += sorted((ROOT / "theory").glob("*.md"))


def complaints(text):
    """What would not be read as the formula that is meant."""
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for line in re.sub(r"`[^`\n]*`", "code", plain).splitlines():
        for found in re.finditer(r"\$([^$]+)\$", line):
            formula = found[1]
            around = line[: found.start()][-1:] + line[found.end() :][:1]
            if re.search(r"\w", around):
                yield f"a letter, digit or _ beside {found[0]}"
            if formula != formula.strip():
                yield f"a space inside of the dollars of {found[0]}"
            if re.search(r"\\[!-/:-@\[-`{-~]", formula):
                yield f"Markdown takes the backslash before a sign in {found[0]}"
            if line.startswith("|") and "|" in formula:
                yield f"the cell of a table ends within {found[0]}"
            if re.search(r"<[a-zA-Z/!?][^<]*>", formula):
                yield f"a tag of HTML in {found[0]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_pages(page):
    assert list(complaints(page.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "the n$x$ of",
        "$x$_half",
        "see $ x$",
        r"a set $\{x\}$",
        r"two, $a\,b$",
        "| $|x|$ | 1 |",
        "if $a<b$ and $c>d$ in $a<b>c$",
    ],
)
def test_what_would_not_be_read(text):
    assert list(complaints(text))


@pytest.mark.parametrize(
    "text", ["`a $x$b`", "$|x|$, $a<b$", "```\nn$x$\n```", r"$\lbrace x\rbrace$."]
)
def test_what_is_read(text):
    assert not list(complaints(text))
