"""The page as files, where RLCT_STATIC names them: in node, and in a browser from a file server."""

import json
import os
import re
import shutil
import subprocess
from functools import partial
from http.server import ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlencode

import pytest

from tests.browser.conftest import PATIENCE, ROOT
from tests.browser.test_serve import value
from tests.browser.test_site import Quiet

LINEAR = {"kind": "linear", "widths": "5 3 5", "rank": "1"}
UNKNOWN = {"kind": "latent-class", "classes": "2", "true": "1", "categories": "2,2"}
START = 120_000  # milliseconds until Python runs and has answered, beside other work

# Where there is no browser: what the worker expects of one, from node.
SHIM = """
import { readFile } from "node:fs/promises";
globalThis.fetch = async (url) => new Response(await readFile(new URL(url)));
globalThis.postMessage = (message) => console.log(JSON.stringify(message));
await import(process.argv[2]);
for (const query of process.argv.slice(3)) await onmessage({ data: { path: "/", query } });
"""


@pytest.fixture(scope="module")
def folder():
    """The page's files."""
    built = os.environ.get("RLCT_STATIC")
    if built is None:
        pytest.skip("RLCT_STATIC names no folder: make static builds one in build/static")
    return ROOT / built


@pytest.fixture(scope="module")
def files(folder):
    """Address of a server of these files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder.parent))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    # Not at the root of its server: the page may lie anywhere.
    yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
    server.shutdown()
    thread.join()
    server.server_close()


def packages_of(folder):
    """Compiled packages that the page has, such as numpy."""
    return json.loads((folder / "files.json").read_text(encoding="utf-8"))["packages"]


@pytest.mark.slow
def test_theorems_in_node(folder, tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing")
    (tmp_path / "shim.mjs").write_text(SHIM, encoding="utf-8")
    questions = [urlencode(LINEAR), urlencode(UNKNOWN)]
    done = subprocess.run(
        [node, tmp_path / "shim.mjs", folder / "worker.mjs", *questions],
        capture_output=True,
        text=True,
        check=True,
    )
    start, *replies = map(json.loads, done.stdout.splitlines())
    assert start["seconds"] > 0
    titles = [re.search("<title>(.*?)</title>", r["reply"][1])[1] for r in replies]
    assert titles[0] == "λ = 8, θ = 1 · 5 3 5 · rlct"
    answer = "λ = 3/2, θ = 3" if packages_of(folder) else "No answer"
    assert titles[1] == f"{answer} · Latent class model, categorical features 2 1 2,2 · rlct"


@pytest.mark.slow
def test_the_address_is_the_question(page, files, folder):
    from playwright.sync_api import expect

    page.goto(f"{files}?{urlencode(LINEAR)}#answer")
    page.locator(".value").wait_for(timeout=START)
    assert value(page) == "λ=8θ=1exact"
    assert re.fullmatch(r"Python started in \d+\.\d s\.", page.locator("#state").text_content())
    assert page.evaluate("document.activeElement.id") == "answer"
    assert page.get_by_label("Widths").input_value() == "5 3 5"
    # Another question, without loading anything again.
    page.get_by_label("Rank of the true map").fill("3")
    page.get_by_role("button", name="Ask").click()
    expect(page).to_have_title(re.compile("λ = 21/2"), timeout=PATIENCE)
    assert page.url.startswith(f"{files}?kind=linear&widths=5+3+5&rank=3")
    with page.expect_download() as download:
        page.get_by_role("link", name="its certificate").click()
    assert download.value.suggested_filename == "certificate.json"
    page.go_back()
    expect(page).to_have_title(re.compile("λ = 8"), timeout=PATIENCE)
    # The pages around it.
    page.get_by_role("link", name="More models").click()
    page.get_by_role("heading", name="Models of the literature").wait_for()
    assert page.url == f"{files}?page=models"
    page.get_by_role("link", name="Polynomial").click()
    page.get_by_label("K", exact=True).wait_for()
    assert page.url == f"{files}?kind=poly"
    if packages_of(folder):
        return
    page.get_by_role("link", name="More models").click()
    page.get_by_role("link", name="Latent class").click()
    for label, text in {"Classes": "2", "True": "1", "Categories": "2,2"}.items():
        page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("alert").wait_for()
    assert "needs numpy, which does not load here" in page.get_by_role("alert").text_content()
    command = page.get_by_role("group", name="Command").text_content()
    assert command == "rlct model latent-class --classes 2 --true 1 --categories 2,2"
