"""The documentation in a real browser, where RLCT_SITE names the site that was built."""

import os
import random
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).parents[2]
#: One page of each kind; dark colours, which are the same on all, are looked at on some.
SAMPLE = (
    *("docs/index", "docs/tutorial", "docs/llc", "docs/notebooks/cusp", "docs/gallery"),
    *("docs/python", "docs/api/rlct.llc", "docs/api/rlct.Result", "docs/schema"),
    *("docs/commands", "docs/command/rlct-check-poly", "docs/errors-found", "CHANGELOG"),
    *("theory/index", "theory/deep-linear", "theory/newton", "theory/audit"),
    *("docs/validation", "validation/README", "validation/coverage/README", "search"),
)


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a line for each request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder():
    built = os.environ.get("RLCT_SITE")
    if built is None:
        pytest.skip("RLCT_SITE names no site: make docs builds one in build/docs")
    return ROOT / built


@pytest.fixture(scope="module")
def site(folder):
    """Address of the site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def typeset(page):
    """Wait for MathJax, where the page has formulas."""
    page.wait_for_load_state("load")
    page.evaluate("window.MathJax?.startup?.promise")


def serious(page):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        (v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened, site, scheme):
    with opened(width=390, color_scheme=scheme) as page:
        for name in SAMPLE if scheme == "light" else SAMPLE[:: len(SAMPLE) // 6]:
            page.goto(f"{site}{name}.html")
            typeset(page)
            assert serious(page) == [], name
        # A picture without words is noticed.
        page.evaluate("document.querySelector('article').append(new Image(9, 9))")
        assert [rule for rule, _ in serious(page)] == ["image-alt"]


@pytest.mark.slow
def test_no_page_is_wider_than_a_telephone(opened, site, folder):
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    chosen = {f"{name}.html" for name in SAMPLE} | set(random.Random(390).sample(pages, 12))
    with opened(width=390) as page:
        for name in sorted(chosen - {"index.html"}):
            page.goto(f"{site}{name}")
            typeset(page)
            wide, wrong = page.evaluate(
                "[document.documentElement.scrollWidth,"
                " document.querySelectorAll('mjx-merror').length]"
            )
            assert (wide, wrong) == (390, 0), name
        page.evaluate("document.body.innerHTML += '<div style=\"width: 500px\">wide</div>'")
        assert page.evaluate("document.documentElement.scrollWidth") > 390


def test_formulas_are_typeset(page, site):
    page.goto(f"{site}theory/deep-linear.html")
    typeset(page)
    assert page.locator("article mjx-container").count() > 50
    assert page.locator(".statement div.math mjx-mfrac").count() == 2


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("deep linear", "theory/deep-linear.html"),
        ("deep-linear", "theory/deep-linear.html"),
        ("tanh network", "theory/tanh-network.html"),
        ("reduced rank regression", "theory/reduced-rank-regression.html"),
        ("SGLD", "docs/sgld.html"),
    ],
)
def test_the_search_finds_the_page_first(page, site, query, first):
    page.goto(f"{site}docs/index.html")
    page.locator(".sidebar-search").fill(query)
    page.keyboard.press("Enter")
    found = page.locator("#search-results ul.search li a").first
    found.wait_for()
    page.wait_for_function(
        "document.querySelector('#search-results p')?.innerText.includes('found')"
    )
    assert found.get_attribute("href").split("#")[0].removeprefix("../") == first


def test_a_name_is_found_at_its_page(page, site):
    page.goto(f"{site}search.html?q=llc_trajectory")
    page.locator("#search-results a[href*='docs/api/rlct.llc_trajectory.html']").first.wait_for()
