"""Hypotheses that the caller vouches for are called given, in every form of an answer."""

import csv
import json

import pytest

import rlct
from rlct.cli.main import main
from rlct.report.page import result_html
from rlct.theorems import all_theorems, get_theorem
from rlct.theorems.arguments import Kind, Truth, first_sentence

THEOREMS = all_theorems()
NETS = {
    "linear": ("net", "linear", "5", "3", "5", "--rank", "1"),
    "softmax": ("net", "softmax", "3", "2", "3"),
    "norm": ("net", "norm", "4", "3"),
}
LINEAR = "the inputs have second moments and span all dimensions"


def given_names(theorem):
    return [p.name for p in theorem.parameters if p.kind is Kind.GIVEN]


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.id)
@pytest.mark.parametrize("said", [None, True, "true", "given", Truth.TRUE])
def test_no_given_hypothesis_is_called_true(theorem, said):
    """Whoever says that it is true: only what the arguments decide is."""
    arguments = theorem.instances[0].arguments
    names = given_names(theorem)
    vouched = {} if said is None else dict.fromkeys(names, said)
    bound = theorem.bind({**arguments, **vouched})
    decided = theorem.decided(bound)
    truths = {f.statement: f.truth for f in theorem.findings(**{**arguments, **vouched})}
    stated = theorem.statements(bound)
    for parameter in theorem.parameters:
        if parameter.kind is Kind.GIVEN:
            computed = parameter.name in decided
            statement = stated.get(parameter.name, parameter.help)
            assert truths[statement] is (Truth.TRUE if computed else Truth.GIVEN)


@pytest.mark.parametrize(
    ("theorem", "decided", "given", "name"),
    [
        ("factor-analysis", "3 1 0", "3 1 1", "generic"),
        ("normalised-layer", "3 3", "3 2", "zeros"),
        ("normalised-layer", "64 64", "64 8", "zeros"),
        ("partial-concept-bottleneck", "1 1 0 1", "1 1 1 1", "independent"),
    ],
)
def test_what_the_sizes_decide_is_computed(theorem, decided, given, name):
    """And at other sizes the same hypothesis is given."""
    theorem = get_theorem(theorem)
    for sizes, truth in ((decided, Truth.TRUE), (given, Truth.GIVEN)):
        arguments = dict(zip([p.name for p in theorem.parameters], sizes.split(), strict=False))
        applied = theorem.apply(**arguments)
        assert applied.arguments[name] is truth
        (parameter,) = (p for p in theorem.parameters if p.name == name)
        statement = theorem.statements(applied.arguments).get(name, parameter.help)
        assert (first_sentence(statement) in applied.assumptions) is (truth is Truth.GIVEN)


def test_data_and_one_head_decide_a_hypothesis():
    quadratic = get_theorem("quadratic-generic")
    data = {"inputs": 2, "outputs": 1, "units": 2, "data": ((1, 0), (0, 1))}
    assert quadratic.apply(**data).assumptions == ()
    assert quadratic.apply(inputs=2, outputs=1, units=2).assumptions != ()
    heads = [
        get_theorem("softmax-attention").apply(inputs=2, keys=1, outputs=2, heads=h).arguments
        for h in (1, 2)
    ]
    assert [found["distinct"] for found in heads] == [Truth.TRUE, Truth.GIVEN]
    forest = {"leaves": 3, "edges": "1-4,2-4,3-4"}
    truths = [
        get_theorem("gaussian-latent-forest").apply(**forest, true_edges=edges).arguments["generic"]
        for edges in ("", "1-4,2-4")
    ]
    assert truths == [Truth.TRUE, Truth.GIVEN]


def test_who_denies_what_the_sizes_decide_is_not_overruled():
    answer = get_theorem("normalised-layer").apply(inputs=2, units=3, zeros="open")
    assert not answer.exact


@pytest.mark.parametrize("words", NETS.values(), ids=NETS)
def test_text_and_json_say_given(words, capsys):
    assert main([*words]) == 0
    text = capsys.readouterr().out
    head, *lines = text.splitlines()
    assert "(exact if: " in head
    rows = [line for line in lines if line[13:].startswith(("true ", "given "))]
    assert any("given" in row[:20] for row in rows)
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["assumptions"]
    given = {h["statement"] for h in document["hypotheses"] if h["truth"] == "given"}
    assert set(document["assumptions"]) < given
    for statement in given:
        assert f"true      {statement}" not in text
        assert f"given     {statement}" in text


def test_explanations_pages_and_catalogue_say_given(capsys):
    answer = rlct.linear([5, 3, 5], rank=1)
    explained = answer.explain()
    assert "second_moment" in explained
    assert "taken as given" in explained
    assert f"exact if: {LINEAR}" in result_html(answer)
    assert f"(exact if: {LINEAR}" in str(answer)
    assert main(["theorem", "show", "deep-linear"]) == 0
    assert "Hypotheses that you vouch for" in capsys.readouterr().out
    assert main(["theorem", "eval", "deep-linear", "widths=5,3,5", "rank=1"]) == 0
    text = capsys.readouterr().out
    assert f"[exact if: {LINEAR}" in text
    assert "  given: the deepest parameter" in text
    assert "true: the deepest" not in text


def test_exports_of_sweeps_say_what_they_assume(tmp_path, monkeypatch):
    """From the stored answer, and of linear networks, which are answered as arrays."""
    monkeypatch.chdir(tmp_path)
    for name, ask in (("linear", "net linear 5 {n} 5 --rank 1"), ("norm", "net norm 3 {n}")):
        grid = tmp_path / f"{name}.toml"
        grid.write_text(f'ask = "{ask}"\n[grid]\nn = "2..3"\n', encoding="utf-8")
        assert main(["sweep", grid.name, "--jobs", "1"]) == (3 if name == "norm" else 0)
        assert main(["sweep", "export", grid.name, "--out", f"{name}.csv"]) == 0
    with (tmp_path / "linear.csv").open(encoding="utf-8", newline="") as file:
        assert all(LINEAR in row["assumptions"] for row in csv.DictReader(file))
    with (tmp_path / "norm.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["theta"] for row in rows] == ["", "1"]
    assert ["(1 + |x|)" in row["assumptions"] for row in rows] == [True, False]


def test_tables_and_their_exports_say_what_they_assume():
    nets = [rlct.LinearNetwork((5, 3, 5), 1), rlct.Problem.poly("x**2")]
    table = rlct.compare(nets, names=["linear", "polynomial"])
    assert f"if: {LINEAR}" in str(table)
    assert "(not every row needs all)" in str(table)
    assert [bool(row["assumptions"]) for row in table.to_dict()["rows"]] == [True, False]
    head, linear, polynomial = table.to_csv().splitlines()
    assert head.endswith(",assumptions")
    assert LINEAR in linear
    assert polynomial.endswith(",")
    assert "if:" not in str(rlct.compare(nets[1:], names=["polynomial"]))


@pytest.mark.parametrize("text", ["x**2*y**4", "x**2 + y**4", "x**2 + y**2", "x*y + z*w"])
def test_a_polynomial_says_all_that_a_theorem_needs(text):
    """K and its prior are the question: nothing is assumed, and nothing is given."""
    answer = rlct.poly(text) if "*w" not in text else rlct.ideal([text])
    assert answer.assumptions == ()
    assert "(exact; " in str(answer)
    truths = {h["truth"] for route in answer.routes for h in route.hypotheses}
    assert truths == {"true"}


def test_the_engine_on_a_model_assumes_what_its_theorem_does():
    answer = rlct.quadratic(weights={"hidden": [[1, 0], [0, 0]], "outer": [[1, 0], [1, 0]]})
    assert answer.method.startswith("engine")
    assert "inputs have a density" in answer.standing


def test_left_open_is_called_open(capsys):
    words = ("theorem", "eval", "deep-linear", "widths=5,3,5", "rank=1")
    for word in ("open", "undecided"):
        assert main([*words, f"second_moment={word}"]) == 3
        out = capsys.readouterr().out
        assert f"  open: {LINEAR}" in out
        assert "exact if" not in out
