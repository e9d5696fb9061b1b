"""Formulas in strings of the code are found, and words, names and files are left alone."""

import json
import re
from fractions import Fraction

import pytest

import rlct
from rlct.cli.main import main
from rlct.explain.explanation import Explanation
from rlct.explain.pages import argument, theorem_statement
from rlct.explain.prose import mark_formulas
from rlct.explain.proved_step import polynomials_text
from rlct.explain.theorems import proof_reasons
from rlct.report import mathematics
from rlct.system.bibliography import theory_folder
from rlct.theorems import all_theorems

THEOREMS = [pytest.param(theorem, id=theorem.id) for theorem in all_theorems()]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("So A = {α_1, …, α_m} ⊂ N^d lies in R^d_≥0.", ["A = {α_1, …, α_m} ⊂ N^d", "R^d_≥0"]),
        ("with e^(−(T/2) min) and Σ y_i α_ij ≤ 1", ["e^(−(T/2) min)", "Σ y_i α_ij ≤ 1"]),
        ("λ = min Σ v_j (1 + h_j) over v ≥ 0", ["λ = min Σ v_j (1 + h_j)", "v ≥ 0"]),
        ("a unit has a = b or a(ℓ−a) + 1 choices", ["a = b", "a(ℓ−a) + 1"]),
        ("if r = 0 (spare units at zero) and HM − Hr", ["r = 0", "HM − Hr"]),
        ("the product BA − B*A* with U*V*", ["BA − B∗A∗", "U∗V∗"]),
        ("minors b_1b_2 and δ_ipδ_jq", ["b_1b_2", "δ_ipδ_jq"]),
        ("the volume of |w|^h ≤ ‖A − A*‖²", ["|w|^h ≤ ‖A − A∗‖²"]),
        ("true_hidden, second_moment and input_rank=3 in net_work.py", []),
        ("see theory/a_b.md, arXiv:1912.13289 or --at x", ["x"]),
        ("Kähler's K-theory of two d-dimensional models, e.g. a ReLU", []),
        ("Aoyagi and Watanabe (2005), table 1, is it? No: case (ii), 2 units", []),
    ],
)
def test_formulas_are_found(sentence, found):
    assert re.findall("`([^`]*)`", mark_formulas(sentence)) == found


@pytest.mark.parametrize("theorem", THEOREMS)
def test_marks_change_nothing(theorem):
    """What is marked reads as before, and brackets stay in pairs."""
    findings = theorem.findings(**theorem.instances[0].arguments)
    for text in (theorem.where, theorem.title, *(finding.statement for finding in findings)):
        assert mathematics.text(mark_formulas(text)) == text.replace("∗", "*")
        for formula in re.findall("`([^`]*)`", mark_formulas(text)):
            for left, right in ("()", "[]", "{}"):
                assert formula.count(left) == formula.count(right), formula


@pytest.mark.parametrize(
    ("formula", "latex", "html"),
    [
        ("A∗_i", "A^{*}_{i}", "<i>A</i><sup>∗</sup><sub><i>i</i></sub>"),
        ("B⁻¹", "B^{-1}", "<i>B</i><sup>−1</sup>"),
        ("a∗²", "a^{*2}", "<i>a</i><sup>∗</sup><sup>2</sup>"),
        ("k_{j−1}", "k_{j-1}", "<i>k</i><sub><i>j</i>−1</sub>"),
        ("H_in", r"H_{\mathrm{in}}", "<i>H</i><sub><i>in</i></sub>"),
        ("σ^(j)", r"\sigma^{(j)}", "<i>σ</i><sup>(<i>j</i>)</sup>"),
        ("t^(j+1)", "t^{j+1}", "<i>t</i><sup><i>j</i>+1</sup>"),
        ("Σ_h a_h", r"\sum_{h} a_{h}", "Σ<sub><i>h</i></sub> <i>a</i><sub><i>h</i></sub>"),
        ("2*x", r"2\,x", "2\u2009<i>x</i>"),
        ("√t", r"\sqrt{t}", "√<i>t</i>"),
        ("√|Δ|", r"\sqrt{|\Delta|}", "√|<i>Δ</i>|"),
        ("y^h'", "y^{h'}", "<i>y</i><sup><i>h</i></sup>&#x27;"),
        (
            "fᵢ^aᵢ",
            "f_{i}^{a_{i}}",
            "<i>f</i><sub><i>i</i></sub><sup><i>a</i></sup><sub><i>i</i></sub>",
        ),
        (
            "f_θ₀",
            r"f_{\theta_{0}}",
            "<i>f</i><sub><i>θ</i></sub><sub>0</sub>",
        ),
        ("w₀_i", r"w_{0\,i}", "<i>w</i><sub>0</sub><sub><i>i</i></sub>"),
        ("S := a_1", "S := a_{1}", "<i>S</i> := <i>a</i><sub>1</sub>"),
        ("B̃", r"\tilde{B}", "<i>B</i>\u0303"),
    ],
)
def test_formulas_are_set(formula, latex, html):
    assert mathematics.latex_math(formula) == latex
    assert mathematics.html(f"`{formula}`") == f'<span class="math">{html}</span>'


# Why theorems are true


def flat(text):
    return " ".join(text.split())


def bare(text):
    """Words and signs without marks, spaces and the targets of links."""
    return re.sub(r"\W", "", re.sub(r"\]\([^)]*\)", "]", text))


@pytest.mark.parametrize("theorem", THEOREMS)
def test_every_theorem_says_why(theorem):
    """In the words of its page, which are not those of the statement."""
    passages = argument(theorem.id)
    said = [mathematics.text(line) for passage in passages for line in passage.text]
    assert sum(map(len, said)) > 80
    page = (theory_folder() / f"{theorem.id}.md").read_text(encoding="utf-8")
    stated = mathematics.text(page.replace("$$", "$").partition("**Statement.**")[2])
    argued = bare(stated.partition("**")[2])
    for line in said:
        assert bare(theorem_statement(theorem.id)) not in bare(line)
        assert bare(line) in argued
    for reason in proof_reasons(theorem):
        assert reason.page == theorem.id
        assert reason.title.startswith("Why")


def test_the_answer_comes_with_the_reasons():
    result = rlct.theorem("tanh-network", hidden=4, true_hidden=1, outputs=1, step=2)
    assert not {"$", "`"} & set(json.dumps(Explanation.of(result, 9).to_dict()))
    said = result.explain()
    assert "2. Why: K as an ideal" in said
    assert "Group the units of a parameter of the fibre by their b" in flat(said)
    assert "[theory/tanh-network.md]" in said
    latex = rlct.theorem("monomial-ideal", exponents=[[1, 0], [0, 2]]).explain("latex")
    assert r"\lambda = \tfrac{1}{2} \min v\cdot(1+h)$ over the polyhedron" in latex


def test_another_route_names_the_command_that_says_why(capsys):
    sizes = ["--inputs", "1", "--hidden", "4", "--outputs", "1", "--true-hidden", "1"]
    assert main(["net", "tanh", *sizes, "--explain"]) == 0
    said = capsys.readouterr().out
    (other,) = re.findall(r"this command prints it: rlct ([^\[]*--explain)", flat(said))
    assert main(other.split()) == 3  # a bound
    assert "2. Why" in capsys.readouterr().out


@pytest.mark.parametrize("most", [10**7, 0])
def test_the_engine_beside_a_theorem_is_told_if_short(monkeypatch, most):
    """How far it gets, and by which steps, hangs on the machine."""
    monkeypatch.setattr("rlct.explain.explanation._ASIDE_LENGTH", most)
    said = flat(rlct.model("mixture", components=4, true=2).explain(most=10**6))
    assert ("Each step is one rule of the certificate" in said) == (most > 0)
    assert ("Its steps are long, and the theorem decides" in said) == (most == 0)


def test_a_missing_page_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr("rlct.explain.pages.theory_folder", lambda: tmp_path)
    with pytest.raises(rlct.InputError, match=r"lacks theory/no-such-page\.md"):
        argument("no-such-page")


# What is told otherwise


def test_a_wall_is_a_substitution_with_its_prior():
    said = flat(rlct.ideal(["x", "y**2"], nonneg=["x"], prior="x").explain())
    assert "The substitution x = x_^2 makes x ≥ 0 hold by itself" in said
    assert "2*|x_|, so the prior |x| in x becomes the prior |x_|^3, up to a constant" in said
    assert "Coordinates that are 0" not in said


@pytest.mark.parametrize(("low", "told"), [(0, True), (-1, False)])
def test_walls_of_boxes_are_told(low, told):
    said = flat(rlct.poly("(y**2-x**3)**2", over={"x": (-1, 1), "y": (low, 1)}).explain())
    assert ("becomes a factor of the prior" in said) == told


def test_a_point_is_a_shift():
    said = flat(rlct.poly("(x-1)**2", at={"x": 1}).explain())
    assert "Coordinates that are 0 at the point: x = 1 + x_." in said
    assert "substitution" not in said


def test_a_polyhedron_has_its_vertices():
    said = flat(rlct.poly("(y**3+x**2+x**3+y**4+x*y**2)**2").explain())
    assert "Its vertices are (0, 3) and (2, 0); 3 more exponents lie in it." in said


def test_conjugate_points_are_told_once():
    box = {"x": (-2, 2), "y": (-2, 2)}
    said = flat(rlct.poly("((x**2-2)**2-(y**2-3)**3)**2", over=box).explain())
    assert said.count("Newton polyhedron: the ideal") == 1
    assert said.count("The argument of step 2 holds here word for word.") == 3


def test_points_that_differ_are_told_each():
    box = {"x": (-2, 2), "y": (-2, 2)}
    said = flat(rlct.poly("((x**2-y**3)*((x-1)**2-(y-1)**5))**2", over=box).explain())
    assert said.count("Newton polyhedron: the ideal") >= 2
    assert "word for word" not in said


def test_long_lists_of_generators_are_cut():
    long = [{(k,): Fraction(7, 9), (k + 1,): Fraction(3, 11)} for k in range(100)]
    said = polynomials_text(long, ["x"])
    assert said.startswith("7/9 + 3/11*x, ")
    assert said.endswith(", …")
    assert len(said) < 250
