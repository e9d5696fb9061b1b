"""Pictures of the page that move: their numbers, mouse and keyboard."""

import math
import random

import pytest

from rlct.newton.linear_program import monomial_optimum
from tests.browser.conftest import CUSP, address, wait_for_the_focus


def drawn(rng):
    """A random monomial ideal in two variables, a prior and whether K is the sum of squares."""
    count, top = rng.randint(1, 7), rng.choice([3, 9, 40])
    exponents = [[rng.randint(0, top), rng.randint(0, top)] for _ in range(count)]
    prior = [rng.randint(0, 3) for _ in range(2)] if rng.random() < 0.5 else [0, 0]
    return [e for e in exponents if any(e)] or [[1, 2]], prior, rng.choice([1, 2])


def test_the_pair_of_a_moved_polygon_is_the_exact_one(page, site):
    """By linear programming, which shares nothing with the sides of a polygon."""
    rng = random.Random(22)
    cases = [drawn(rng) for _ in range(300)]
    page.goto(site)
    found = page.evaluate(
        """async (cases) => {
            const { monomialPair } = await import("/newton.js");
            return cases.map(([exponents, prior, factor]) => {
                const ray = prior.map((h) => 1 + h);
                const { lambda, theta } = monomialPair(exponents, ray, 1, factor);
                return [lambda, theta];
            });
        }""",
        cases,
    )
    for (exponents, prior, factor), got in zip(cases, found, strict=True):
        pair = monomial_optimum(exponents, prior).pair
        want = [str(pair.lam * (2 if factor == 1 else 1)), pair.theta]
        assert got == want, (exponents, prior, factor)
    assert len({theta for _, theta in found}) == 2


def test_coordinates_of_a_wall(page, site):
    """x = u², whose Jacobian is a prior |u|."""
    page.goto(address(site, {"kind": "ideal", "generators": "x^2\ny^3", "nonneg": "x"}))
    said = page.locator("[data-picture=newton] [role=status]").text_content()
    assert said.startswith(f"λ = {monomial_optimum([[4, 0], [0, 3]], [1, 0]).pair.lam}, θ = 1")
    assert "stands for √x" in moving(page).text_content()


def moving(page):
    return page.locator("[data-picture=newton]")


def test_exponents_move_by_keyboard(page, site):
    page.goto(address(site, CUSP))
    said = moving(page).get_by_role("status")
    assert said.text_content() == "λ = 5/12, θ = 1 for the ideal y^3, x^2."
    page.get_by_role("button", name="Exponent (0, 3)").focus()
    page.keyboard.press("ArrowDown")
    assert said.text_content() == "λ = 1/2, θ = 1 for the ideal y^2, x^2."
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert said.text_content() == "λ = 1/2, θ = 2 for the ideal x*y, x^2."
    for _ in range(9):  # never to (0, 0), where K is not 0
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
    assert said.text_content() == "λ = 1/2, θ = 1 for the ideal x, x^2."
    page.keyboard.press("Delete")
    assert said.text_content() == "λ = 1/4, θ = 1 for the ideal x^2."
    page.keyboard.press("Delete")  # the last one stays
    page.get_by_role("button", name="Add an exponent").press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Exponent")
    page.get_by_role("link", name="Ask the program this").click()
    page.wait_for_url("**kind=ideal**")
    assert "λ = 1/4, θ = 1" in page.title()


def test_exponents_move_by_mouse(page, site):
    page.goto(address(site, CUSP))
    grip = page.get_by_role("button", name="Exponent (0, 3)")
    grip.scroll_into_view_if_needed()
    at, other = (
        page.get_by_role("button", name=f"Exponent {name}").locator(".handle").bounding_box()
        for name in ("(0, 3)", "(2, 0)")
    )
    unit = (other["x"] - at["x"]) / 2
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    page.mouse.move(at["x"] + at["width"] / 2 + unit, at["y"] + at["height"] / 2 + unit, steps=4)
    page.mouse.up()
    status = moving(page).get_by_role("status")
    assert status.text_content() == "λ = 3/8, θ = 1 for the ideal x*y^2, x^2."
    page.get_by_role("button", name="Back to the question").click()
    assert status.text_content() == "λ = 5/12, θ = 1 for the ideal y^3, x^2."


def test_a_polygon_that_is_only_a_bound_says_so(page, site):
    page.goto(address(site, {"kind": "ideal", "generators": "(x+y)^2\nx^3"}))
    assert "its λ is at most the value at the start" in moving(page).text_content()
    page.goto(address(site, CUSP))
    assert "it is the λ and θ of the question" in moving(page).text_content()
    assert "√" not in moving(page).text_content()


@pytest.mark.parametrize(
    ("exponent", "prior", "lam", "theta"),
    [([2, 0], [0, 0], 0.5, 1), ([2, 2], [0, 0], 0.5, 2), ([2, 2], [1, 1], 1.0, 2)],
)
def test_the_share_is_the_integral(page, site, exponent, prior, lam, theta):
    """On the square: s = t^λ for one variable, s (1 + log 1/s) for two.

    No share is below 4000 of the samples, for which random ones would be off by 1.6 %.
    """
    page.goto(site)
    levels = [0.1, 1e-2, 1e-3]
    found = page.evaluate(
        """async ([exponent, prior, levels]) => {
            const { sample, share } = await import("/volume.js");
            const numbers = { generators: [[[1, exponent]]], prior, ideal: false };
            const { sorted } = sample(numbers, 1);
            return levels.map((t) => share(sorted, t));
        }""",
        [exponent, prior, levels],
    )
    for t, got in zip(levels, found, strict=True):
        s = t**lam
        assert got == pytest.approx(s if theta == 1 else s * (1 + math.log(1 / s)), rel=0.03), t


def test_the_level_moves_by_keyboard(page, site):
    page.goto(address(site, CUSP))
    level = page.get_by_label("Level t")
    page.locator("[data-picture=volume]").scroll_into_view_if_needed()
    level.wait_for()
    before = level.get_attribute("aria-valuetext")
    line = page.locator("[data-picture=volume] .marker")
    place = line.get_attribute("x1")
    level.press("Home")
    assert level.get_attribute("aria-valuetext") != before
    assert float(line.get_attribute("x1")) < float(place)
    for _ in range(40):
        level.press("ArrowRight")
    assert level.get_attribute("aria-valuetext").startswith("t = ")
    slope = float(level.get_attribute("aria-valuetext").rsplit(" ", 1)[1])
    assert slope == pytest.approx(5 / 12, rel=0.1)
    assert "filled" in page.locator("canvas").get_attribute("aria-label")


def test_the_cost_of_parameters(page, site):
    page.goto(address(site, {"kind": "linear", "widths": "5 3 5", "rank": "1"}))
    count = page.get_by_label("Number of data n")
    count.press("End")
    log = 9 * math.log(10)
    costs = [
        float(word) for word in count.get_attribute("aria-valuetext").split(": ")[1].split(" and ")
    ]
    assert costs == pytest.approx([8 * log, 15 * log], rel=0.005)
    page.goto(address(site, {"kind": "poly", "K": "x^2*y^2"}))
    page.get_by_label("Number of data n").press("End")
    words = page.get_by_label("Number of data n").get_attribute("aria-valuetext")
    assert float(words.split(": ")[1].split(" and ")[0]) == pytest.approx(
        log / 2 - math.log(log), rel=0.005
    )


def test_charts_unfold_by_keyboard(page, site):
    page.goto(address(site, CUSP))
    chart = page.locator("summary", has_text="Chart 1")
    assert not chart.is_visible()
    page.locator("summary", has_text="newton").focus()
    page.keyboard.press("Enter")
    assert chart.is_visible()
    chart.press("Enter")
    assert page.locator("details[open] dd", has_text="times functions").first.is_visible()
    # The browser typesets: the exponent stands higher than its base.
    power = chart.locator("msup").first
    base, above = (power.locator(f"> :nth-child({k})").bounding_box() for k in (1, 2))
    assert above["y"] < base["y"]


def test_a_quiz_by_keyboard(page, site):
    page.goto(site)
    page.get_by_label("K", exact=True).fill("x^2*y^2")
    page.get_by_label("Quiz: hide the answer").press("Space")
    page.get_by_label("K", exact=True).press("Enter")
    wait_for_the_focus(page)
    page.get_by_label("Your λ").fill("1/4")
    page.get_by_label("Your λ").press("Enter")
    wait_for_the_focus(page)
    page.get_by_text("λ is larger than 1/4. No guess of θ yet.").wait_for()
    # The slope may be measured; what it tends to is not said.
    page.get_by_label("Level t").wait_for()
    assert page.locator("[data-picture=volume] .exact").count() == 0
    page.get_by_label("Your λ").fill("1/2")
    page.get_by_label("Your θ").fill("2")
    page.get_by_label("Your θ").press("Enter")
    wait_for_the_focus(page)
    page.get_by_text("λ = 1/2 is right. θ = 2 is right.").wait_for()
    page.get_by_role("link", name="Show the answer").press("Enter")
    page.get_by_role("heading", name="Why").wait_for()
    assert page.title().startswith("λ = 1/2, θ = 2")
