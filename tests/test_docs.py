"""The site is whole: every name, command and page is there, every link leads somewhere."""

import importlib.util
import inspect
import os
import pkgutil
import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import rlct
import rlct.criteria

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.md"))


def described():
    """Objects that the page of Python describes, by the names that it gives them."""
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    names = re.findall(r"^\.\. auto(?:function|class|exception):: ([\w.]+)$", text, re.MULTILINE)
    assert sorted(names) == sorted(re.findall(r"^   ~?([\w.]+)$", text, re.MULTILINE))
    return {name: pkgutil.resolve_name(name if "." in name else f"rlct.{name}") for name in names}


def test_every_public_name_is_described():
    short = {name for name in described() if "." not in name}
    assert short == set(rlct.__all__) - {"__version__"}


def test_what_public_functions_return_is_described():
    found = described()
    classes = {one.__name__ for one in found.values() if inspect.isclass(one)}
    assert {"Result", "Estimate", "Statistic", "Phases"} <= classes
    for name, one in found.items():
        if inspect.isfunction(one):
            returned = re.match(r"([A-Z]\w+)", str(inspect.signature(one).return_annotation))
            assert returned is None or returned[1] in classes, name


def test_every_statistic_is_described():
    found = set(described().values())
    for info in pkgutil.iter_modules(rlct.criteria.__path__, "rlct.criteria."):
        parts = ("draws", "inputs", "reading", "statistic", "loo", "evidence_equations")
        if info.name.rpartition(".")[2] in parts:
            continue  # what the others are made of; rlct has loo itself
        module = importlib.import_module(info.name)
        assert {getattr(module, name) for name in module.__all__} <= found, info.name


def test_every_page_is_reached():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in [*DOCS.glob("*.md"), *NOTEBOOKS]:
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        assert name == "index" or f"\n{name}\n" in index


@pytest.mark.parametrize("page", [*sorted(DOCS.glob("*.md")), *NOTEBOOKS], ids=lambda p: p.stem)
def test_links_of_the_sources(page):
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert "://" in link or (page.parent / link).is_file(), link


def test_every_error_that_was_found_names_the_test_that_holds_it():
    text = (DOCS / "errors-found.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "held by" not in line]
    assert len(rows) > 50
    for row in rows:
        path, name = re.fullmatch(r"\|(?: .+ \|){3} `(tests/\S+\.py)::(test_\w+)` \|", row).groups()
        code = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", code, re.MULTILINE), row


def test_the_site_has_an_owner_and_a_style():
    settings = runpy.run_path(str(DOCS / "conf.py"))
    assert settings["project_copyright"] == settings["author"]
    (style,) = settings["html_static_path"]
    assert ".cell_output pre {\n  white-space: pre-wrap;" in (
        DOCS / style / "custom.css"
    ).read_text(encoding="utf-8")


class Links(HTMLParser):
    """Targets and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        self.links |= {found[name] for name in ("href", "src") if found.get(name)}


def broken(site):
    """Links of a built site that lead nowhere, as (page, link)."""
    pages = {p.resolve(): Links(p.read_text(encoding="utf-8")) for p in site.rglob("*.html")}
    found = set()
    for page, content in pages.items():
        for link in content.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            anchor = unquote(parts.fragment)
            lost = not target.exists() or (
                anchor and target in pages and anchor not in pages[target].anchors
            )
            if lost:
                found.add((page.relative_to(site.resolve()).as_posix(), link))
    return found


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#x">x</a><a href="c.html">y</a><p id="z">')
    (tmp_path / "b.html").write_text('<a href="a.html#z">z</a><a href="#no">n</a>')
    assert broken(tmp_path) == {("a.html", "b.html#x"), ("a.html", "c.html"), ("b.html", "#no")}


def formulas():
    """The transform of the theory pages."""
    pytest.importorskip("sphinx", reason="the extra docs")
    path = DOCS / "extension" / "formulas.py"
    spec = importlib.util.spec_from_file_location("formulas", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "in R^d_≥0",
            "in <inline><emphasis>R</emphasis><superscript><emphasis>d</emphasis></superscript>"
            "<subscript>≥0</subscript></inline>",
        ),
        (
            "Σ y_i α_ij",
            "<inline>Σ <emphasis>y</emphasis><subscript><emphasis>i</emphasis></subscript> "
            "<emphasis>α</emphasis><subscript><emphasis>ij</emphasis></subscript></inline>",
        ),
        (
            "say e^(−2T),",
            "say <inline><emphasis>e</emphasis><superscript>−2<emphasis>T</emphasis>"
            "</superscript></inline>,",
        ),
        ("prior_positive in base_rules.py, a word", "prior_positive in base_rules.py, a word"),
        ("of rlct theorem eval --json", "of rlct theorem eval --json"),
    ],
)
def test_formulas_of_a_page_are_set(text, shown):
    found = "".join(str(node) for node in formulas().in_nodes(text))
    assert re.sub(r' classes="formula"', "", found) == shown


@pytest.fixture(name="site")
def fixture_site(tmp_path):
    """The site: where it was built without warnings, or else built here."""
    if built := os.environ.get("RLCT_SITE"):
        return ROOT / built
    for name in ("sphinx", "myst_nb", "numpydoc", "sphinxcontrib.bibtex", "ipykernel"):
        pytest.importorskip(name, reason="the extra docs")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-c", "docs", ".", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_the_site_is_whole(site):
    assert broken(site) == set()
    read = {p.stem: p.read_text(encoding="utf-8") for p in site.rglob("*.html")}
    assert "Multiplier ideals" in read["references"]
    assert "quiver of type A_m" in read["references"]
    assert "&#169;The rlct authors" in read["cusp"]
    assert (site / "_static" / "custom.css").is_file()
    assert "rlct net linear" in read["commands"]
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")
    for page in NOTEBOOKS:
        assert read[page.stem].count("cell_output") >= 4
        assert "<img" in read[page.stem]
    assert "<em>R</em><sup><em>d</em></sup><sub>≥0</sub>" in read["newton"]
    for page in (ROOT / "theory").glob("*.md"):
        names = re.findall(r"\b[a-z]{3,}(?:_[a-z]{2,})+\b", page.read_text(encoding="utf-8"))
        shown = re.sub(r"<[^>]*>", "", read[page.stem])
        assert [name for name in names if name not in shown] == []
