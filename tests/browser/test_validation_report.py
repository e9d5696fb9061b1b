"""The report of `rlct validate` in a real browser: from disk, without network, on a phone."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from validation.framework import catalogue
from validation.framework.claim import Verdict
from validation.framework.html import write_html
from validation.framework.record import read, verdicts
from validation.framework.report import assess, build, picture
from validation.framework.work import Done

ROOT = Path(__file__).parents[2] / "validation"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of the committed results, with one that no longer reproduces."""
    pytest.importorskip("matplotlib", reason="the extra plot")
    assessed, pictures = [], {}
    for entry in catalogue.all_entries(ROOT).values():
        held = read(entry)
        if held is None:
            continue
        assessed.append(assess(entry, "full", Done(held["rows"], held["seconds"])))
        drawn = picture(entry, "full", held["rows"])
        if drawn is not None:
            pictures[entry.experiment.id] = drawn
    assessed[0] = json.loads(json.dumps(assessed[0]))
    assessed[0]["status"] = "refuted"
    assessed[0]["findings"][0]["reproduced"] = False
    path = tmp_path_factory.mktemp("report") / "report.html"
    found = build(ROOT, "full", assessed)
    path.write_text(write_html(found, pictures), encoding="utf-8")
    return path, found, pictures


def test_pictures_verdicts_and_commands(page, report):
    path, found, pictures = report
    page.goto(path.as_uri())
    assert page.locator("article img").count() == len(pictures) > 0
    widths = page.eval_on_selector_all("img", "all => all.map(one => one.naturalWidth)")
    assert all(width > 100 for width in widths), "a picture is broken"
    assert not page.locator(".pan").first.is_visible()
    assert all(page.eval_on_selector_all("img", "all => all.map(one => one.alt.length > 10)"))
    for one in found["experiments"]:
        card = page.locator(f"article[id='{one['id']}']")
        assert card.locator("section pre").inner_text() == one["command"]
        assert card.locator("section h4").count() == len(one["findings"])
    assert page.get_by_text("1 of our experiments refuted").is_visible()
    assert page.get_by_text("ours is refuted").count() == 1


def test_texts_are_there_and_words_are_explained(page, report):
    path, found, _ = report
    page.goto(path.as_uri())
    for one in found["experiments"]:
        card = page.locator(f"article[id='{one['id']}']")
        told = card.locator("summary", has_text="What is simulated")
        assert told.count() == 1, one["id"]
    page.locator("summary", has_text="What is simulated").first.click()
    page.locator("article a", has_text="Words").first.click()
    words = page.locator("dl#words")
    words.wait_for()  # following the link opens it
    text = page.content().replace(words.inner_html(), "")
    terms = [term for told in words.locator("dt").all_inner_texts() for term in told.split(", ")]
    unused = {term for term in terms if term not in text}
    assert unused <= {"piece of work"}, "explained, and not used"  # a word of quick runs


@pytest.mark.parametrize("width", [320, 360])
def test_on_a_phone(opened, report, width):
    with opened(width=width, height=740) as page:
        page.goto(report[0].as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # A picture that is cut at the right says that it scrolls.
        cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
        hints = page.locator(".pan")
        assert hints.count() >= page.eval_on_selector_all(".picture", cut) > 0
        assert hints.first.is_visible()
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        size = "all => Math.min(...all.map(one => parseFloat(getComputedStyle(one).fontSize)))"
        assert page.eval_on_selector_all("p, dd, li, pre, dt, td", size) >= 13


@pytest.fixture(scope="module")
def turned(tmp_path_factory):
    """The claim of most parts, each of which is recorded as its opposite."""
    opposite = {Verdict.CONFIRMED: Verdict.DIFFERS, Verdict.DIFFERS: Verdict.CONFIRMED}
    entry = catalogue.all_entries(ROOT)["state-equations"]
    held, recorded = read(entry), verdicts(entry)
    recorded = {
        place: replace(
            one, parts=tuple((what, opposite.get(word, word)) for what, word in one.parts)
        )
        for place, one in recorded.items()
    }
    answer = assess(entry, "full", Done(held["rows"], held["seconds"]), recorded)
    assert max(len(one["against"]) for one in answer["findings"]) > 40
    path = tmp_path_factory.mktemp("turned") / "report.html"
    path.write_text(write_html(build(ROOT, "full", [answer]), {}), encoding="utf-8")
    return path


def test_what_fails_is_read_on_a_phone(opened, turned):
    """The claim's mark and what refutes it first, the rest folded: not a screen after another."""
    with opened(width=360, height=740) as page:
        page.goto(turned.as_uri())
        for card in page.locator("section", has=page.locator("h4")).all():
            assert card.bounding_box()["height"] < 2 * 740
            marks = card.locator(".mark").all_inner_texts()
            assert marks[0] == "ours is refuted"
            assert card.locator("dt").first.inner_text() == "Refuted by"
            lists = card.locator("details ul").first
            assert not lists.is_visible()
            card.locator("summary").click()
            assert lists.is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_it_needs_no_script(opened, report):
    with opened(java_script_enabled=False) as page:
        page.goto(report[0].as_uri())
        settings = page.locator(
            "article details", has=page.get_by_text("Settings", exact=True)
        ).first
        settings.locator("summary").click()
        settings.locator("table").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_structure(opened, report, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the extra browser")
    with opened(color_scheme=scheme) as page:
        page.goto(report[0].as_uri())
        page.locator("summary", has_text="Words").click()
        for fold in page.locator("article").first.locator("summary").all():
            fold.click()
        back = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall("[0-9]+", back))) < 200) == (scheme == "dark")
        assert page.eval_on_selector("img", "one => getComputedStyle(one).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        found = axe.Axe().run(page)
    told = [(one["id"], one["nodes"][0]["html"][:200]) for one in found.response["violations"]]
    assert not told
