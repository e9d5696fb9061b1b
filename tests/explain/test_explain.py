"""Explanations: every rule has words, and they quote the numbers of the instance."""

import json
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest

import rlct
from rlct.certificate.boxes import box
from rlct.certificate.families.resolution import FAMILY_RULES
from rlct.certificate.fibre.cell_rules import CELL_RULES
from rlct.certificate.rules import RULES
from rlct.cli.main import main
from rlct.explain import cite
from rlct.explain.argument import steps_of
from rlct.explain.explanation import Explanation
from rlct.explain.pages import theorem_statement
from rlct.explain.words import BOX_WORDS, STEP_WORDS
from rlct.report import mathematics
from rlct.system.bibliography import full_citation
from rlct.theorems import all_theorems
from rlct.theorems.base import Theorem

from corpus import QUESTIONS, answer, certificate, rules_of  # isort: skip


@pytest.fixture(scope="module")
def answers():
    found = {name: answer(name) for name in QUESTIONS}
    found["quadratic network"] = rlct.quadratic(inputs=2, units=2, outputs=1)
    found["latent classes"] = rlct.model("latent-class", classes=2, true=2, categories=(2, 3))
    found["factor analysis"] = rlct.model("factor-analysis", variables=4, factors=2, true_factors=1)
    return found


@pytest.fixture(scope="module")
def explanations(answers):
    return {name: Explanation.of(result, 1000) for name, result in answers.items()}


def test_every_rule_has_words():
    networks = {"theorem", "generic-rank", "heywood-ranks", "class-rank"}
    ends_of_cells = {"absent", "same", "point", "fields"}
    assert set(STEP_WORDS) == {
        *RULES,
        *FAMILY_RULES,
        *CELL_RULES,
        *ends_of_cells,
        "enclose",
        *networks,
    }
    assert set(BOX_WORDS) == set(box.RULES)


def test_the_corpus_uses_all_words(answers, explanations):
    """But `open`: nothing that the engine proves ends with it today."""
    used = {step.rule for found in explanations.values() for step in found.walk()}
    assert {*STEP_WORDS, *BOX_WORDS} - used <= {"open"}, {*STEP_WORDS, *BOX_WORDS} - used
    for name, result in answers.items():
        inside = list(rules_of(result.certificate["proof"]))
        shown = [step.rule for step in told(result)]
        # A change from a family to a germ that no reader notices is left out.
        assert [r for r in inside if r != "forget"] == [r for r in shown if r != "forget"], name


def told(result):
    """All steps of the certificate, with those that stand for others once for each."""
    first = steps_of(result.certificate, 1000)
    by_label = {}

    def walk(step):
        by_label[step.label] = step
        yield by_label[step.same_as] if step.same_as else step
        for inner in (by_label[step.same_as] if step.same_as else step).steps:
            yield from walk(inner)

    return list(walk(first))


def numbers(text):
    return {Fraction(n) for n in re.findall(r"\d+(?:/\d+)?", text)}


@pytest.mark.parametrize("name", QUESTIONS)
def test_steps_quote_the_numbers_of_their_evidence(name, answers):
    """λ of every step, and the weights and multipliers that prove it."""
    result = answers[name]
    for step, node in zip(
        [step for step in told(result) if step.rule != "forget"],
        [n for n in nodes(result.certificate["proof"]) if n["rule"] != "forget"],
        strict=True,
    ):
        assert step.rule == node["rule"]
        said = numbers(" ".join((*step.words.text, *step.words.then)))
        assert Fraction(node["lower"][0]) in numbers(step.claim)
        if not node.get("children") or step.words.then:
            assert Fraction(node["lower"][0]) in said, (step.rule, step.words)
        data = node.get("data", {})
        if step.rule in ("newton", "monomials", "hull") and len(data["multipliers"]) < 9:
            assert {Fraction(y) for _, y in data["multipliers"]} <= said
            assert {Fraction(x) for x in data["weights"][0]} <= said


def nodes(node):
    yield node
    for child in node.get("children", []):
        yield from nodes(child)


def test_other_numbers_are_told_otherwise():
    one = rlct.poly("x**2*y**4").explain()
    other = rlct.poly("x**2*y**6").explain()
    assert "1/4" in one
    assert "1/6" not in one
    assert "1/6" in other
    assert "1/4" not in other


def test_a_network_is_explained_with_its_numbers():
    said = " ".join(rlct.linear([10, 10, 10, 10], rank=5).explain().split())
    assert "λ = 46, θ = 3" in said
    assert "ℓ = 3; S = 5 + 5 + 5 + 5 = 20; M = ⌈20/3⌉ = 7; a = 20 − (7 − 1)·3 = 2" in said
    assert "θ = 2·(3 − 2) + 1 = 3" in said


def test_other_theorems_show_their_numbers():
    for id, arguments, shown in (
        ("normal-crossing", {"exponents": [2, 1], "prior": [1, 0]}, "(1 + 1)/(2·2) = 1/2"),
        ("sum-of-powers", {"powers": [1, 2, 3]}, "1/2 + 1/4 + 1/6 = 11/12"),
        (
            "reduced-rank-regression",
            {"inputs": 2, "hidden": 1, "outputs": 2, "rank": 0},
            "M + H + N + r = 5 is odd, ε = 1",
        ),
        (
            "reduced-rank-regression",
            {"inputs": 9, "hidden": 2, "outputs": 3, "rank": 2},
            "N + H = 5 < M + r = 11",
        ),
    ):
        assert shown in " ".join(rlct.theorem(id, **arguments).explain().split()), id


INSTANCES = [pytest.param(t, t.instances[0], id=t.id) for t in all_theorems()]


@pytest.mark.parametrize(("theorem", "instance"), INSTANCES)
def test_every_theorem_is_told_with_its_hypotheses(theorem: Theorem, instance):
    result = rlct.theorem(theorem.id, **instance.arguments)
    said = result.explain()
    flat = " ".join(said.split())
    assert mathematics.text(theorem_statement(theorem.id)) in flat
    for finding in theorem.findings(**instance.arguments):
        assert " ".join(finding.statement.split()) in flat
    for source in theorem.sources:
        (key,) = cite.keys_of(source)
        assert cite.short_citation(key) in flat
        assert f"{{{key}," in result.cite()
    assert not strange(result.explain("latex"))
    assert result.explain("markdown").count("$") % 2 == 0
    assert "`" not in result.explain("html")


def test_an_undecided_hypothesis_is_named(capsys):
    code = main(
        [
            "theorem",
            "eval",
            "regular",
            "dimension=2",
            "smooth=undecided",
            "--explain",
        ]
    )
    assert code == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "left open (smooth)" in said
    assert "the theorem proves nothing here" in said


def test_bounds_say_which_steps_are_open(capsys):
    """Where the search ends after a second; an exact answer names none."""
    question = ["ideal", "(x*y-z*w)**2+x**5+u**7*x", "y**3*z+w**4", "--explain", "--timeout", "1"]
    assert main(question) == 3
    said = " ".join(capsys.readouterr().out.split())
    label, ends = re.search(r"sharper bounds at step (\d+) \(([^)]*)\)", said).groups()
    assert f"Result: {ends}" in said
    assert re.search(rf"(^| ){label}\. ", said)
    main(["ideal", "x*y", "--explain"])
    assert "sharper bounds" not in capsys.readouterr().out


# Places


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "place"),
    [
        (
            "net tanh --inputs 2 --hidden 3 --outputs 1 --true-hidden 1 --timeout 4",
            "with the spare units at",
        ),
        (
            "model mixture --components 3 --true 2 --trials 3 --concentration 1/2",
            "with spare weights 0",
        ),
    ],
)
def test_a_bound_at_one_parameter_names_it(command, place, capsys):
    """The question is about the minimum; the engine looked at one parameter."""
    assert main(command.split()) == 3
    said = capsys.readouterr().out
    assert "\nWhere        minimum over all parameters of the truth\n" in said
    assert f"engine {place}" in said
    assert main([*command.split(), "--explain"]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert f"about one parameter of the truth, the one {place}" in told
    assert "the minimum over all parameters can be smaller and is only bounded from above" in told
    assert main([*command.split(), "--json"]) == 3
    routes = json.loads(capsys.readouterr().out)["routes"]
    assert any(route["method"].startswith(f"engine {place}") for route in routes)


def test_exact_answers_speak_of_no_other_place(capsys):
    assert main(["model", "mixture", "--components", "2", "--true", "1", "--explain"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "one parameter of the truth" not in told
    assert "of this model: finite mixture: components 2, true 1" in told


# Sources


def test_all_that_can_be_cited_is_an_entry(explanations):
    for found in explanations.values():
        for key in found.sources:
            assert full_citation(key).startswith(cite.entries()[key].surnames[0])
        for step in found.walk():
            # What names no source is proved on the page of the project.
            assert step.words.sources or step.words.title.startswith("Why")
            assert set(step.words.sources) <= set(found.sources) <= set(cite.entries())


def test_bibtex_is_that_of_the_file(answers):
    printed = answers["power"].cite()
    assert re.findall(r"^@\w+\{(\w+),$", printed, re.M) == list(
        Explanation.of(answers["power"]).sources
    )
    for entry in printed.split("\n\n"):
        assert entry.count("{") == entry.count("}")


def test_a_page_for_every_rule(explanations):
    from pathlib import Path

    pages = {step.words.page for found in explanations.values() for step in found.walk()}
    for page in pages | {theorem.id for theorem in all_theorems()}:
        name = {"two-units": "two-hidden-units"}.get(page, page)
        assert (Path(__file__).parents[2] / "theory" / f"{name}.md").exists(), page


# Formats


class Balanced(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.slow
def test_html_is_balanced_and_runs_nothing(explanations, answers):
    for result in answers.values():
        page = result.explain("html")
        reader = Balanced()
        reader.feed(page)
        reader.close()
        assert not reader.open
        assert not re.search(r"<script|\son\w+=|javascript:|https?://", page)
        assert "`" not in page
        assert "K < t" in reader.text


@pytest.mark.slow
def test_latex_is_read_by_a_reader_of_formulas(answers):
    parser = pytest.importorskip("matplotlib.mathtext", reason="the extra plot").MathTextParser
    reader = parser("path")
    shapes: dict[str, str] = {}
    for name, result in answers.items():
        page = result.explain("latex")
        assert page.count("$") % 2 == 0
        assert "$$" not in page
        formulas = set(re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", page, re.DOTALL))
        assert formulas
        # One of all formulas that differ in numbers only.
        shapes |= {re.sub(r"\d+", "0", f): f for f in formulas if len(f) < 120}
        assert not strange(page), name
    assert len(shapes) > 100
    for formula in sorted(shapes.values())[::3]:
        formula = formula.replace(r"\tfrac", r"\frac")  # unknown to this reader
        reader.parse(f"${formula}$".replace("\\{", "\\lbrace ").replace("\\}", "\\rbrace "))


def strange(page):
    """Signs outside formulas that LaTeX does not know as letters."""
    prose = re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", page, flags=re.DOTALL)
    greek = {c for c in prose if "Α" <= c <= "ω"}
    return greek | {c for c in prose if ord(c) > 127 and not c.isalpha()} - set("–—’")


def test_a_broken_formula_is_noticed():
    parser = pytest.importorskip("matplotlib.mathtext", reason="the extra plot").MathTextParser
    with pytest.raises(ValueError, match="Expected"):
        parser("path").parse(r"$\frac{1}{$")


def test_markdown_has_formulas_and_no_stray_marks(answers):
    page = answers["monomial, prior, orthant"].explain("markdown")
    assert page.count("$") % 2 == 0
    assert r"\lambda" in page
    assert not re.search(r"(?<![\\*$\w])_\w", re.sub(r"\$.*?\$", "", page))


def test_text_has_no_marks_and_keeps_to_its_width(answers):
    for result in answers.values():
        page = result.explain(width=72)
        assert "`" not in page
        assert max(len(line) for line in page.splitlines() if " " in line.strip()) <= 90


@pytest.mark.slow
def test_formulas_in_latex_have_no_sign_of_unicode(answers):
    """And words between them keep their distance."""
    for name, result in answers.items():
        page = result.explain("latex")
        formulas = re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", page, re.DOTALL)
        assert all(formula.isascii() for formula in formulas), name
        for formula in formulas:
            assert "mathrm{with}" not in formula or r"\ \mathrm{with}\ " in formula
    assert any("mathrm{with}" in r.explain("latex") for r in answers.values())


def test_coordinates_and_units_of_charts_are_named(explanations):
    """A change of coordinates says which; what is divided away is known not to vanish."""
    said: dict[str, list[str]] = {}
    for found in explanations.values():
        for step in found.walk():
            said.setdefault(step.rule, []).append(" ".join((*step.words.why, *step.words.text)))
    assert not [text for texts in said.values() for text in texts if "``" in text]
    for rule in ("coordinate", "compose", "linear"):
        assert all(re.search(r"`\w+ = [^`]+`|through `\w+ = ", text) for text in said[rule]), rule
    assert any(
        re.search(r"at any value where the units? `.+` (is|are) not 0", t) for t in said["fix"]
    )
    assert all("≠ 0`, a unit from there on" in text for text in said["stratify"])
    assert all("is a unit: near each of them it lies between" in text for text in said["blowup"])


def test_one_generator_is_no_plural():
    said = rlct.poly("(x + y**2)**2").explain() + rlct.poly("x**2+y**2").explain()
    said += rlct.ideal(["x + x*y + z**2"], at={}).explain()
    assert "the 1 generator" not in said
    assert "1 coordinate" not in said


def test_formulas_with_strange_names():
    assert mathematics.latex_math("w_1_2^2*alpha*λ_") == (r"w_{1,2}^{2}\,\mathrm{alpha}\,\lambda'")


# Length


def test_long_proofs_are_cut_where_nothing_is_decided(answers):
    result = answers["stratify, smooth"]
    whole = list(Explanation.of(result, 1000).walk())
    short = Explanation.of(result, 8)
    steps = list(short.walk())
    assert len(steps) <= 8 < len(whole)
    said = result.explain(most=8)
    assert re.search(r"\d+ more steps below it not shown", said)
    assert [step.label for step in steps] == [str(k + 1) for k in range(len(steps))]
    # What decides the pair is among what is left.
    assert any(step.claim == short.answer and not step.steps for step in steps)


def test_no_such_format(answers):
    with pytest.raises(rlct.InputError, match="no format 'docx': there are text, markdown"):
        answers["power"].explain("docx")


# The command line


@pytest.mark.parametrize(
    "command",
    [
        ["poly", "x**2*y**4"],
        ["ideal", "x*y", "z"],
        ["net", "linear", "2", "1", "2", "--rank", "0"],
        ["net", "quadratic", "--inputs", "2", "--units", "2", "--outputs", "1"],
        ["model", "naive-bayes", "--features", "3"],
        ["theorem", "eval", "sum-of-powers", "powers=1,2,3"],
    ],
    ids=lambda command: command[0],
)
def test_commands(command, capsys):
    assert main([*command, "--explain"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("λ = ")
    assert "\nSources\n" in said
    assert main([*command, "--explain", "--format", "latex", "--cite"]) == 0
    said = capsys.readouterr().out
    assert r"\cite{" in said
    assert "@book{watanabe2009" in said or "@" in said
    assert main([*command, "--explain", "--cite", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["explanation"]["steps"]
    assert set(re.findall(r"@\w+\{(\w+)", found["bibtex"])) == set(found["explanation"]["sources"])
    assert main([*command, "--cite"]) == 0
    assert capsys.readouterr().out.startswith("@")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["poly", "x**2", "--format", "html"], "add --explain"),
        (["net", "linear", "5", "1..3", "5", "--rank", "0", "--explain"], "leave out ranges"),
    ],
)
def test_options_that_do_not_fit(command, message, capsys):
    assert main(command) == 2
    assert message in capsys.readouterr().err


# Notebooks


def test_notebooks(answers):
    result = answers["squares, sum, newton"]
    assert "<table" in result._repr_html_()
    assert r"\lambda = \frac{11}{12}" in result._repr_latex_()
    assert result._repr_latex_().startswith("$")


def test_certificates_are_not_changed(answers):
    before = certificate("power")
    answers["power"].explain()
    assert json.loads(json.dumps(answers["power"].certificate)) == before
