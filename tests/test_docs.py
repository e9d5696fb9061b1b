"""The site is whole: every name, command and page is there, every link leads somewhere."""

import importlib.util
import inspect
import os
import pkgutil
import re
import runpy
import subprocess
import sys
from argparse import _SubParsersAction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import rlct
import rlct.criteria
from rlct.cli.commands import build_parser
from rlct.report import plots
from rlct.theorems import all_theorems

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.md"))


def listed(page, directive):
    """Lines of a directive that makes an index and a page for each line."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(rf"```\{{{directive}\}}\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(set(lines)) == len(lines)
    return lines


def described():
    """Objects that the reference of Python describes, by the names that it gives them."""
    names = listed("python.md", "python-names")
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
            assert returned is None or returned[1] in classes | {"Any"}, name


def test_every_statistic_is_described():
    found = set(described().values())
    for info in pkgutil.iter_modules(rlct.criteria.__path__, "rlct.criteria."):
        parts = ("draws", "inputs", "pointwise", "reading", "statistic", "evidence_equations")
        if info.name.rpartition(".")[2] in (*parts, "loo", "fit_comparison"):
            continue  # what the others are made of; rlct has loo and compare themselves
        module = importlib.import_module(info.name)
        assert {getattr(module, name) for name in module.__all__} <= found, info.name


def test_every_command_is_described():
    groups = [a for a in build_parser()._actions if isinstance(a, _SubParsersAction)]
    names = [name for name in groups[0].choices if not name.startswith("_")]
    assert sorted(listed("commands.md", "commands")) == sorted(names)


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


class Page(HTMLParser):
    """Targets and anchors of a page, and what it loads: scripts, styles, fonts, pictures."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.loaded = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        self.links |= {found[name] for name in ("href", "src") if found.get(name)}
        if tag in ("script", "img", "iframe", "source", "video", "audio"):
            self.loaded |= {found.get("src") or "", found.get("srcset") or ""}
        if tag == "link" and not {"search", "canonical"} & set((found.get("rel") or "").split()):
            self.loaded.add(found.get("href") or "")


@cache
def pages_of(site):
    """Every page of a site by its path."""
    return {str(p): Page(p.read_text(encoding="utf-8")) for p in site.resolve().rglob("*.html")}


def broken(site):
    """Links of a built site that lead nowhere, as (page, link)."""
    pages, files = pages_of(site), {str(p) for p in [site.resolve(), *site.resolve().rglob("*")]}
    found = set()
    for page, content in pages.items():
        for link in content.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            path = os.path.join(os.path.dirname(page), unquote(parts.path))
            target = os.path.normpath(path) if parts.path else page
            anchor = unquote(parts.fragment)
            lost = target not in files or (
                anchor and target in pages and anchor not in pages[target].anchors
            )
            if lost:
                found.add((os.path.relpath(page, site.resolve()), link))
    return found


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#x">x</a><a href="c.html">y</a><p id="z">')
    (tmp_path / "b.html").write_text('<a href="a.html#z">z</a><a href="#no">n</a>')
    assert broken(tmp_path) == {("a.html", "b.html#x"), ("a.html", "c.html"), ("b.html", "#no")}


def in_lines(tex):
    """The transform of the theory pages."""
    pytest.importorskip("sphinx", reason="the extra docs")
    path = DOCS / "extension" / "statements.py"
    spec = importlib.util.spec_from_file_location("statements", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.in_lines(tex))


def test_a_narrow_screen_may_break_a_long_formula():
    expansion = r"F = n\cdot L(w_{0}) + \lambda\cdot\log n"
    rest = r"(\theta - 1)\cdot\log \log n"
    first = rf"{expansion} + O_{{p}}(1)"
    assert in_lines(f"{first} - {rest}") == [rf"{first}\: -", rest]
    assert in_lines(expansion) == [expansion]
    inside = r"\min(r(H - r) + \lambda_{1} + \lambda_{2} + \lambda_{3}, \lbrace a + b\rbrace)"
    assert in_lines(inside) == [inside]


@pytest.fixture(name="site")
def fixture_site(tmp_path):
    """The site: where it was built without warnings, or else built here."""
    if built := os.environ.get("RLCT_SITE"):
        return ROOT / built
    for name in (
        *("sphinx", "furo", "sphinx_copybutton", "sphinx-mathjax-offline"),
        *("myst_nb", "numpydoc", "sphinxcontrib.bibtex", "ipykernel"),
    ):
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
    assert "Copyright &#169; The rlct authors" in read["cusp"]
    assert (site / "_static" / "custom.css").is_file()
    for anchor in ("rlct-net-linear", "rlct-evidence-sbic"):
        assert f'id="{anchor}"' in read["commands"]
        assert "usage: rlct" in read[anchor]
    for name in described():
        name = name if "." in name else f"rlct.{name}"
        assert f'id="{name}"' in read["python"]
        assert f'id="{name}"' in read[name]
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")
    for page in [*NOTEBOOKS, DOCS / "gallery.md"]:
        assert read[page.stem].count("cell_output") >= 4
        assert "<img" in read[page.stem]
    for plot in plots.__all__:
        assert f"plots.{plot}(" in re.sub(r"<[^>]*>", "", read["gallery"]), plot
    assert r"R^{d}_{\geq 0}" in read["newton"]
    assert "errors-found.html" in read["validation"]
    assert "[0.1.0]" in re.sub(r"<[^>]*>", "", read["CHANGELOG"])
    for theorem in all_theorems():
        statement = read[theorem.id].partition('<div class="statement docutils container">')[2]
        assert '<span class="math' in statement.partition("</div>")[0], theorem.id
    for page in (ROOT / "theory").glob("*.md"):
        names = re.findall(r"\b[a-z]{3,}(?:_[a-z]{2,})+\b", page.read_text(encoding="utf-8"))
        written = (site / "theory" / f"{page.stem}.html").read_text(encoding="utf-8")
        shown = re.sub(r"<[^>]*>", "", written)
        assert [name for name in names if name not in shown] == []


def foreign(site):
    """What pages and styles of a site load from a network, as (file, address)."""
    pages = pages_of(site).items()
    found = {(os.path.basename(path), each) for path, page in pages for each in page.loaded}
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        addresses = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", text)
        found |= {(path.name, each) for each in addresses}
    return {(name, each) for name, each in found if re.match(r"(https?:)?//", each)}


def test_what_is_loaded_from_a_network_is_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<script src="https://example.org/a.js"></script><a href="https://example.org">x</a>'
        '<link rel="stylesheet" href="//example.org/a.css"><img src="here.png">'
    )
    (tmp_path / "a.css").write_text("@font-face { src: url(http://example.org/f.woff) }")
    assert foreign(tmp_path) == {
        ("a.html", "https://example.org/a.js"),
        ("a.html", "//example.org/a.css"),
        ("a.css", "http://example.org/f.woff"),
    }


def test_the_site_loads_nothing_from_a_network(site):
    assert foreign(site) == set()
    assert (site / "_static" / "mathjax" / "tex-chtml.js").is_file()
    assert '"../_static/mathjax/tex-chtml.js' in (site / "theory" / "deep-linear.html").read_text(
        encoding="utf-8"
    )
