"""The page of ``rlct serve`` in a real browser."""

import json
import random
import re

import pytest

from rlct.certificate.verify import verify
from tests.browser.conftest import CUSP, address, wait_for_the_focus

PAGES = {
    "first": {},
    "polynomial": CUSP,
    "conditions": {"kind": "ideal", "generators": "x*y\ny*z", "at": "z=1", "prior": "x"},
    "matrices": {"kind": "ideal", "generators": "a*e+b*g\na*f+b*h\nc*e+d*g\nc*f+d*h"},
    "network": {"kind": "linear", "widths": "5 3 5", "rank": "1"},
    "bounds": {"kind": "quadratic", "inputs": "3", "units": "5", "outputs": "4", "bias": "on"},
    "error": {"kind": "poly", "K": "sin(x)"},
    "long": {"kind": "poly", "K": "W" * 3000},
    "model": {"kind": "hidden-markov", "states": "2", "symbols": "2"},
    "quiz": CUSP | {"quiz": "on", "guess_lambda": "1/2"},
}
REFUSED = "console: Failed to load resource: the server responded with a status of 400"


def value(page):
    return re.sub(r"\s+", "", page.locator(".value").text_content())


def test_type_ask_and_read(page, site):
    page.goto(site)
    page.get_by_label("K", exact=True).fill("(x^2 - y^3)^2")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**#answer")
    assert value(page) == "λ=512θ=1exact"
    assert page.title().startswith("λ = 5/12, θ = 1 · (x^2 - y^3)^2")
    picture = page.get_by_role("group", name="Blow-up tree", exact=True).locator("img")
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 100
    assert len(picture.get_attribute("alt")) > 30
    assert page.get_by_role("group", name="Newton polygon").is_visible()
    assert page.get_by_role("group", name="Command").text_content() == "rlct poly '(x^2 - y^3)^2'"


def test_with_the_keyboard_alone(page, site):
    page.goto(site)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the question"
    page.keyboard.press("Enter")
    page.locator("main:focus").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "K"
    page.keyboard.type("x^2*y^2")
    page.keyboard.press("Enter")
    page.wait_for_url("**#answer")
    # A screen reader goes on where the focus is: at the answer.
    wait_for_the_focus(page)
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.closest('section').id || 'after'")
    assert focused == "after"


def test_what_has_the_focus_is_seen(page, site):
    page.goto(address(site, CUSP))
    stops = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => {
                const e = document.activeElement, s = getComputedStyle(e);
                return [e.tagName, e.textContent.slice(0, 30), s.outlineStyle, e === document.body];
            }"""
        )
        if stop[3]:
            break
        assert stop[2] == "solid", stop
        stops.add((stop[0], stop[1]))
    assert len(stops) > 15


def test_the_address_is_the_question(opened, site):
    with opened() as page:
        page.goto(site + "?kind=linear")
        page.get_by_label("Widths").fill("5 3 5")
        page.get_by_label("Rank of the true map").fill("1")
        page.get_by_label("Every layer has a bias").check()
        page.keyboard.press("Enter")
        page.wait_for_url("**#answer")
        shared, found = page.url, value(page)
    with opened(java_script_enabled=False) as other:
        other.goto(shared)
        assert value(other) == found == "λ=212θ=1exact"
        assert other.get_by_label("Widths").input_value() == "5 3 5"
        assert other.get_by_label("Every layer has a bias").is_checked()


def test_without_scripts(opened, site):
    with opened(java_script_enabled=False) as page:
        page.goto(site)
        page.get_by_role("link", name="Ideal").click()
        page.get_by_label("Generators").fill("x*y\ny*z\nz*x")
        page.get_by_role("button", name="Ask").click()
        assert value(page) == "λ=34θ=1exact"


def test_conditions_are_found_when_they_are_needed(page, site):
    page.goto(site)
    assert not page.get_by_label("Prior").is_visible()
    page.get_by_text("Point, prior and box").click()
    page.get_by_label("K", exact=True).fill("x**2*y**4")
    page.get_by_label("Prior").fill("x*y**3")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**#answer")
    assert value(page) == "λ=1θ=2exact"
    assert page.get_by_label("Prior").is_visible()


def test_the_certificate_is_downloaded(page, site, tmp_path):
    page.goto(address(site, CUSP))
    with page.expect_download() as download:
        page.get_by_role("link", name="its certificate").click()
    download.value.save_as(tmp_path / "proof.json")
    assert download.value.suggested_filename == "certificate.json"
    assert verify(json.loads((tmp_path / "proof.json").read_text(encoding="utf-8")))


def test_a_picture_alone(page, site):
    page.goto(address(site, CUSP))
    page.get_by_role("link", name="This picture alone").first.click()
    assert page.evaluate("document.documentElement.tagName") == "svg"


def test_errors_are_read_out(opened, site):
    complaints = []
    with opened(complaints=complaints) as page:
        page.goto(address(site, PAGES["error"]))
        alert = page.get_by_role("alert")
        assert "sin(…) at position 1 is not a polynomial" in alert.text_content()
        assert page.get_by_label("K", exact=True).input_value() == "sin(x)"
    assert all(line.startswith(REFUSED) for line in complaints), complaints


def test_what_was_typed_is_not_run(opened, site):
    evil = "</textarea></title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    complaints, dialogs = [], []
    with opened(complaints=complaints) as page:
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        for question in (
            {"kind": "poly", "K": evil},
            {"kind": "ideal", "generators": evil},
            {"kind": evil},
            {evil: evil},
        ):
            page.goto(address(site, question))
            assert page.locator("img").count() == 0
        page.goto(address(site, {"kind": "ideal", "generators": evil}))
        assert page.get_by_label("Generators").input_value() == evil
    assert not dialogs
    assert all(line.startswith(REFUSED) for line in complaints), complaints


def slow():
    """Generators that keep the engine busy for minutes: 16 terms each in eight variables."""
    rng, names = random.Random(1), "abcdefgh"

    def term():
        powers = "*".join(f"{name}^{rng.randint(0, 3)}" for name in names)
        return f"{rng.randint(1, 9)}*{powers}*{rng.choice(names)}"

    return "\n".join("+".join(term() for _ in range(16)) for _ in range(3))


def test_long_work_says_so_and_can_be_stopped(page, site):
    page.goto(site + "?kind=ideal")
    page.get_by_label("Generators").fill(slow())
    # Playwright waits while a page is on its way, so what happens meanwhile is noted in the page.
    page.evaluate(
        """() => {
            const button = document.getElementById("ask");
            window.seen = [];
            new MutationObserver(() => {
                window.seen.push(button.closest(".send").textContent);
                if (button.textContent === "Stop" && window.seen.at(-1).includes("Working."))
                    button.click();
            }).observe(button.closest("form"), {childList: true, subtree: true});
            setTimeout(() => {
                button.click();
                // On a busy machine the clock of the page comes late: the first second is missed.
                for (const began = Date.now(); Date.now() < began + 2100; );
            });
        }"""
    )
    page.get_by_text("Stopped.").wait_for()
    seen = page.evaluate("window.seen.map((text) => text.replace(/\\s+/g, ' ').trim())")
    assert re.fullmatch(r"Stop \d s, at most 20 s Working\.", seen[0]), seen
    assert page.get_by_role("status").text_content() == "Stopped."
    assert page.get_by_role("button", name="Ask").is_visible()
    # The places of the server are free again.
    page.goto(address(site, PAGES["network"]))
    assert value(page) == "λ=8θ=1exact"


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1100, "dark")])
def test_everybody_can_use_it(opened, site, width, scheme):
    """No violation that axe finds, and nothing wider than the window, down to 320 pixels."""
    from axe_playwright_python.sync_playwright import Axe

    complaints = []
    with opened(width=width, color_scheme=scheme, complaints=complaints) as page:
        # Dark colours, which are the same on all pages, are looked at on some.
        names = PAGES if scheme == "light" else ("polynomial", "bounds", "error", "quiz")
        for name in names:
            page.goto(address(site, PAGES[name]))
            unfold = "document.querySelectorAll('details').forEach((d) => (d.open = true))"
            if name in ("polynomial", "model"):  # large trees take axe long
                page.evaluate(unfold)
            found = Axe().run(page)
            assert not found.violations_count, f"{name}: {found.generate_report()}"
            page.evaluate(unfold)
            scroll = page.evaluate("document.documentElement.scrollWidth")
            assert scroll <= width, f"{name}: {scroll} pixels"
        for path in ("models", "theory/conventions"):
            page.goto(site + path)
            assert not Axe().run(page).violations_count
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 20, 25)"
        assert dark == (scheme == "dark")
    assert all(line.startswith(REFUSED) for line in complaints), complaints


def test_axe_would_notice(page, site):
    from axe_playwright_python.sync_playwright import Axe

    page.goto(site)
    page.evaluate("document.querySelector('label').remove()")
    assert Axe().run(page).violations_count == 1
