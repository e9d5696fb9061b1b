"""The browser itself: what makes a page unclean is noticed."""

import time

import pytest

from tests.browser.conftest import PATIENCE


def test_a_page_is_shown(page):
    page.set_content("<title>A page</title><p>λ = <b>5/12</b></p>")
    assert page.title() == "A page"
    assert page.inner_text("p") == "λ = 5/12"


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("throw new Error('lost')", "exception"),
        ("console.error('wrong')", "console"),
        ("fetch('https://example.org/count').catch(() => {})", "network"),
    ],
)
def test_what_a_page_must_not_do_is_noticed(opened, script, kind):
    complaints = []
    with opened(complaints=complaints) as page:
        page.set_content(f"<p>shown</p><script>{script}</script>")
        last = time.monotonic() + PATIENCE / 1000
        while not complaints and time.monotonic() < last:
            page.wait_for_timeout(20)
    assert any(line.startswith(kind) for line in complaints), complaints


def test_an_unclean_page_fails_its_test(opened):
    def show():
        with opened() as page, page.expect_console_message():
            page.set_content("<script>console.error('wrong')</script>")

    with pytest.raises(AssertionError, match="console: wrong"):
        show()


def test_without_scripts(opened):
    with opened(java_script_enabled=False, color_scheme="dark", width=360) as page:
        page.set_content("<p>plain</p><script>document.body.textContent = 'scripted'</script>")
        assert page.inner_text("p") == "plain"
