"""README and the guides show what the program prints; the recipes are those of the Makefile.

``make index`` renews the outputs; read the difference before committing it.
"""

import doctest
import re
import runpy
import struct
import tomllib
from pathlib import Path

import pytest
from printed_outputs import CONSOLE, PAGES, commands, programs, run, same

from rlct.theorems import all_theorems

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: Where the recipes without ``make`` stand; ``.ci/run`` reads the same three.
RECIPES = [README, ROOT / "CONTRIBUTING.md", ROOT / "docs" / "tutorial.md"]


@pytest.fixture(scope="module", name="shims")
def fixture_shims():
    with programs() as folder:
        yield folder


PASTED = [
    (page.stem, block)
    for page in PAGES
    for block in CONSOLE.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(
    ("page", "block"), PASTED, ids=[f"{page}: {commands(block)[0][0]}" for page, block in PASTED]
)
def test_outputs(page, block, tmp_path, shims):
    found = run(block, tmp_path, shims)
    for (command, shown), (_, printed) in zip(commands(block), found, strict=True):
        assert same(shown, printed), f"$ {command}\n{printed}"


def test_a_wrong_output_would_be_noticed():
    (shown,) = (
        output
        for _, block in PASTED
        for command, output in commands(block)
        if command == "rlct net linear 5 3 5 --rank 1 --check"
    )
    assert same(shown, re.sub(r"\d+\.\d s", "123.4 s", shown))
    for old, new in (
        ("λ = 8,", "λ = 9,"),
        ("θ = 1 ", "θ = 2 "),
        ("agrees", "refuted"),
        ("λ̂ = 8.0", "λ̂ = 8.4"),
        ("[7.", "[6."),
        (", rejected", ", not rejected"),
        ("rank 1", "rank 2"),
    ):
        assert old in shown
        assert not same(shown, shown.replace(old, new, 1)), old
    chains = "λ̂ ≈ 0.37 [0.34, 0.40] at 95%"
    assert same(chains, "λ̂ ≈ 0.39 [0.34, 0.44] at 95%")
    for other in ("0.44 [0.41, 0.47]", "0.37 [0.27, 0.47]", "0.37 [0.365, 0.375]"):
        assert not same(chains, f"λ̂ ≈ {other} at 95%"), other


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples(page):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.stem, None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    output = []
    runner.run(example, out=output.append)
    assert runner.tries > 15 or page.stem != "examples"
    assert runner.failures == 0, "".join(output)


def recipes_of(target):
    """Blocks of commands that a marker names, on all pages with such blocks."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in RECIPES)
    return re.findall(rf"^<!-- {target} -->\n```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_front_page_is_one_screen_and_its_recipes_are_known():
    text = README.read_text(encoding="utf-8")
    assert text.count("\n") <= 150
    assert len(recipes_of("newcomer")) == 1
    for target in ("demo", "test"):
        assert f"<!-- {target} -->" in text
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    read = re.search(r"^pages=\((.*)\)$", script, re.MULTILINE)[1].split()
    assert [ROOT / name for name in read] == RECIPES
    for target in re.findall(r"(?:follow|\$\(lines|^lines) (\w+)", script, re.MULTILINE):
        assert len(recipes_of(target)) == 1, target


def test_contributing_is_short_and_the_map_of_the_tests_is_whole():
    assert (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").count("\n") <= 130
    shown = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    assert shown.count("\n") <= 40  # a screen
    folders = {path.name for path in (ROOT / "tests").iterdir() if any(path.glob("*.py"))}
    assert {
        name for name in folders if f"`{name}`" not in shown and f"`{name}/" not in shown
    } == set()
    marks = PYPROJECT["tool"]["pytest"]["ini_options"]["markers"]
    assert all(f"pytest.mark.{mark.partition(':')[0]}`" in shown for mark in marks)


@pytest.mark.slow
def test_the_picture_is_drawn_by_its_script(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra plot")
    program = runpy.run_path(str(ROOT / "docs" / "pictures" / "hero.py"))
    program["draw"](tmp_path / "hero.png", method="quadrature")
    drawn, shown = (
        struct.unpack(">II", path.read_bytes()[16:24])
        for path in (tmp_path / "hero.png", program["PICTURE"])
    )
    assert drawn == shown


@pytest.mark.parametrize(
    "target",
    [
        "demo",
        "docs",
        "index",
        "static",
        "test",
        "test_slow",
        "test_study",
        "test_torch",
        "test_browser",
        "test_lowest",
    ],
)
def test_lines_without_make_are_those_of_make(target):
    (shown,) = recipes_of(target)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"^(\w+):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE))
    lines = (recipes["venv"] + recipes[target]).replace("$(PYTHON)", "python3")
    assert shown == lines.replace("\t", "")
    assert f"{target}: venv\n" in makefile


@pytest.mark.parametrize(
    "page", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "validation/README.md", "docs/rule.md"]
)
def test_links(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in link:
            assert (ROOT / page).parent.joinpath(link).exists(), link


@pytest.mark.slow
def test_every_theory_page_is_listed():
    # The table of theorems, which a new one edits no other file to join, has a test of its own.
    index = (ROOT / "theory" / "index.md").read_text(encoding="utf-8")
    theorems = {theorem.id for theorem in all_theorems()}
    for path in (ROOT / "theory").glob("*.md"):
        assert path.name == "index.md" or path.stem in theorems or f"({path.name})" in index
