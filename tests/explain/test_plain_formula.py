"""LaTeX of the theory pages as text: every formula is read, and what is unknown is refused."""

import re

import pytest

from rlct.errors import InputError
from rlct.explain.pages import theorem_statement
from rlct.report import mathematics
from rlct.report.plain_formula import plain_formula
from rlct.system.bibliography import theory_folder

PAGES = sorted(theory_folder().glob("*.md"))


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\lambda = r(H_{0}+H_{L}-r)/2", "λ = r(H₀+H_L−r)/2"),
        (r"\frac{a + b}{2} - \frac{Mn}{2k} \geq \tfrac{1}{2}", "(a + b)/2 − Mn/(2k) ≥ ½"),
        (r"x_{ij}^{2} t^{-1} e^{-n\beta K} y^{(j)} s^{1/2}", "x_ij² t⁻¹ e^(−nβK) y^(j) s^(1/2)"),
        (r"A^{\ast T} \hat{\lambda} \bar{x}'", "A∗ᵀ λ̂ x̄′"),
        (r"\alpha b, \sum_{1\leq i\leq n} a_{i}, \log n", "αb, Σ_{1≤i≤n} a_i, log n"),
        (r"\lbrace w : |w| \leq C \sqrt{x + y} \rbrace", "{w : |w| ≤ C √(x + y) }"),
        (
            r"K = \vert A x\vert^{2} < \vert y\vert + 1, P(v \vert w)",
            "K = |A x|² < |y| + 1, P(v | w)",
        ),
        (r"y = \pm b, \mathrm{rank}\ F, \text{least of } n", "y = ±b, rank F, least of n"),
    ],
)
def test_what_a_terminal_shows(latex, text):
    assert plain_formula(latex) == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_formula_of_a_page_is_read(page):
    """It is LaTeX alone, which needs no sign of Unicode; and its brackets are in pairs."""
    source = re.sub(
        r"^ *```.*?^ *```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S
    )
    formulas = re.findall(r"\$\$?([^$]+)\$\$?", source)
    assert formulas or page.stem == "references"
    for formula in formulas:
        text = plain_formula(formula)
        assert formula.isascii(), formula
        assert not re.search(r"[\\$]|  ", text), formula


@pytest.mark.parametrize(
    "latex", [r"\frac{1}", r"\foo{x}", "x^{2", "x}", r"a \pmod 2", r"\frac", "x^"]
)
def test_what_is_unknown_is_refused(latex):
    with pytest.raises(InputError) as error:
        plain_formula(latex)
    assert "formula" in str(error.value)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (r"so $\lambda \foo 1$.", r"\foo is unknown in the formula \lambda \foo 1"),
        (r"so $\lambda = 1, yes.", r"a formula has no closing dollar: $\lambda = 1"),
    ],
)
def test_a_page_that_cannot_be_read_is_named(statement, said, monkeypatch, tmp_path):
    (tmp_path / "planted.md").write_text(f"# Planted\n\n**Statement.** {statement}\n")
    monkeypatch.setattr("rlct.explain.pages.theory_folder", lambda: tmp_path)
    with pytest.raises(InputError, match=r"^theory/planted\.md: " + re.escape(said)):
        theorem_statement("planted")


def test_a_formula_is_shown_in_every_format():
    sentence = r"So $\lambda_{1} \leq \frac{1}{2}$ & more"
    assert mathematics.text(sentence) == "So λ₁ ≤ 1/2 & more"
    assert mathematics.markdown(sentence) == sentence
    assert mathematics.latex(sentence) == sentence.replace("&", r"\&")
    assert mathematics.html(sentence) == (
        'So <span class="math"><i>λ</i><sub>1</sub> ≤ 1/2</span> &amp; more'
    )
