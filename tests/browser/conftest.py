"""A real browser for the tests in this folder: ``page``, headless Chromium through Playwright.

Where the extra ``browser`` or a Chromium is missing the tests are skipped.  Where RLCT_CHROMIUM
names one, it must work: then nothing is skipped.
"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
CUSP = {"kind": "poly", "K": "(x^2 - y^3)^2"}

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LOCAL = {"127.0.0.1", "localhost"}
SCHEMES = {"about", "blob", "data", "file"}
PATIENCE = 60_000  # milliseconds that a machine with other work may take


def executable():
    """Path of the browser, None if there is none."""
    usual = Path("/usr/bin/chromium")
    found = os.environ.get("RLCT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return found or (str(usual) if usual.exists() else None)


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests; each gets its own profile in it."""
    required = "RLCT_CHROMIUM" in os.environ
    if not required:
        pytest.importorskip(
            "playwright", reason="a real browser needs: pip install -e '.[browser]'"
        )
    path = executable()
    if path is None:
        pytest.skip("no Chromium found: install one, or name it in RLCT_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # A container often has a small /dev/shm, which Chromium would crash in.
        found = driver.chromium.launch(
            executable_path=path,
            args=["--disable-dev-shm-usage", "--disable-background-networking"],
        )
        yield found
        found.close()


@pytest.fixture(scope="module")
def site():
    """Address of a server of the page that runs as it does for people."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rlct", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    yield process.stdout.readline().split()[0]
    process.terminate()
    assert process.wait(20) == 0
    process.stdout.close()


def address(site, question, path=""):
    """Address of a question."""
    return f"{site}{path}?{urlencode(question)}" if question else site


def wait_for_the_focus(page):
    """Wait until the browser has moved it to a new answer: keys pressed before may be lost."""
    page.locator("#answer:focus").wait_for()
    page.wait_for_load_state()


@pytest.fixture
def opened(browser):
    """Open pages: ``with opened(width=…, color_scheme=…, java_script_enabled=…) as page``.

    At the end the page must have been clean: no error in its console, no exception, nothing
    asked of another machine.  ``with opened(complaints=list) as page`` collects instead.
    """

    @contextmanager
    def open_page(width=1100, height=800, complaints=None, **options):
        found = [] if complaints is None else complaints
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: found.append(f"exception: {error}"))
        page.on(
            "console",
            lambda said: (
                said.type == "error"
                and found.append(f"console: {said.text} ({said.location['url']})")
            ),
        )

        def guard(route):
            asked = urlsplit(route.request.url)
            if asked.scheme in SCHEMES or asked.hostname in LOCAL:
                route.continue_()
            else:
                found.append(f"network: {route.request.url}")
                route.abort()

        context.route("**/*", guard)
        try:
            yield page
            if complaints is None:
                assert not found, found
        finally:
            context.close()

    return open_page


@pytest.fixture
def page(opened):
    """A page of a desktop; see `opened` for what it must not do."""
    with opened() as found:
        yield found
