"""Cells of a fibre as they are shown: what the certificate says, and nothing else."""

import copy
import json
from dataclasses import replace
from fractions import Fraction

import pytest

import rlct
from rlct.cli.main import main
from rlct.pair import Pair

HYPERBOLA = ["x*y-1", "y*z**2", "x*z*w"]
SIDES = dict.fromkeys("xyzw", (-2, 2))
WORDS = ["strata", "ideal", *HYPERBOLA, "--over", "x=-2:2,y=-2:2,z=-2:2,w=-2:2"]


@pytest.fixture(scope="module")
def hyperbola():
    return rlct.ideal(HYPERBOLA, over=SIDES)


def ends_of(proof):
    """Bounds at the ends of a tree of cells, in the order of the certificate."""
    cells = {"contract", "slide", "normalise", "solve", "subtract", "branch"}
    if proof["rule"] not in cells:
        return [Pair.of(*proof["lower"])]
    return [pair for child in proof["children"] for pair in ends_of(child)]


def test_the_cells_are_those_of_the_certificate(hyperbola):
    """By hand: z = w = 0, then x = 1 and y = 1 with the germ (y, z², zw), or x = 0 and no zero."""
    found = rlct.strata(hyperbola)
    tree = hyperbola.certificate["proof"]["children"][0]
    assert [cell.lower for cell in found.ends] == ends_of(tree)
    point, empty = found.ends
    assert set(point.literals) == {"x = 1", "y = 1", "z = 0", "w = 0"}
    assert set(empty.literals) == {"x = 0", "z = 0", "w = 0"}
    assert (point.lower, point.upper, point.deepest) == (Pair.of(1, 2), Pair.of(1, 2), True)
    assert (empty.settled, empty.deepest) == ("no zero", False)
    assert found.deepest == (point,)


def test_the_cells_of_a_branch_exclude_each_other(hyperbola):
    found = rlct.strata(hyperbola)
    (branch,) = [cell for cell in found.cells if cell.rule == "branch"]
    first, second = found.below(branch)
    assert first.new == ("x ≠ 0",)
    assert second.new == ("x = 0",)


def test_a_planted_bound_is_shown_where_it_is(hyperbola):
    """What is printed is read, not known: another number in the certificate is another there."""
    forged = copy.deepcopy(hyperbola.certificate)
    node = forged["proof"]["children"][0]
    while node["rule"] != "branch":
        (node,) = node["children"]
    node["children"][1]["lower"] = ["7/3", 1]
    found = rlct.strata(replace(hyperbola, _document=forged))
    assert found.ends[-1].lower == Pair.of("7/3")
    assert rlct.strata(hyperbola).ends[-1].lower != Pair.of("7/3")


def test_a_rule_that_is_not_known_here_is_shown_with_its_evidence(hyperbola):
    forged = copy.deepcopy(hyperbola.certificate)
    node = forged["proof"]["children"][0]
    while node["rule"] != "branch":
        (node,) = node["children"]
    node["children"][1] |= {"rule": "novel", "data": {"exponent": 3, "minors": [[1, 2]]}}
    text = str(rlct.strata(replace(hyperbola, _document=forged)))
    assert "(novel: exponent 3)" in text
    assert "[[1, 2]]" not in text


def test_parts_with_separate_variables_have_a_tree_each():
    found = rlct.strata(rlct.model("hidden-markov", states=2, symbols=2))
    assert found.cells[0].rule == "sum"
    assert len(found.below(found.cells[0])) == 2
    assert sum(cell.lower.lam for cell in found.deepest) == found.result.lam == 1


def test_leaves_that_are_alike_name_the_earlier_one():
    found = rlct.strata(
        rlct.ideal(["x*y-1", "x*z*v", "y*z*w"], over=dict.fromkeys("vwxyz", (-2, 2)))
    )
    by_number = {cell.number: cell for cell in found.cells}
    for cell in found.ends:
        if cell.rule == "same":
            earlier = by_number[int(cell.settled.removeprefix("as cell "))]
            assert earlier.number < cell.number
            assert earlier.lower == cell.lower


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: rlct.poly("x**2"), "--over"),
        (lambda: rlct.linear([5, 3, 5], rank=1), "theorem deep-linear decides"),
        (lambda: rlct.poly("x**2", over={"x": (-1, 1)}), "settled the box without cells"),
    ],
)
def test_what_has_no_cells_says_what_to_ask(question, message):
    with pytest.raises(rlct.InputError, match=message):
        rlct.strata(question())


def test_json_and_latex(capsys, hyperbola):
    assert main([*WORDS, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == rlct.strata(hyperbola).to_dict()
    assert [cell["id"] for cell in shown["cells"]] == list(range(1, len(shown["cells"]) + 1))
    parents = {cell["id"]: cell["parent"] for cell in shown["cells"]}
    assert all(parent is None or parent < number for number, parent in parents.items())
    assert Fraction(shown["lambda"]) == 1
    assert main([*WORDS, "--latex"]) == 0
    table = capsys.readouterr().out
    assert table.count(r"\\") == 1 + len(rlct.strata(hyperbola).ends)
    assert table.count("$") % 2 == 0


def test_a_picture(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra plot")
    path = tmp_path / "cells.svg"
    assert main([*WORDS, f"--plot={path}"]) == 0
    assert path.read_text("utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["strata"], "the question is missing"),
        (["strata", "verify", "x.json"], "asks for no λ"),
        ([*WORDS, "--json", "--latex"], "exclude each other"),
        ([*WORDS, "--plot", "x.gif"], "does not end in"),
        ([*WORDS, "--explain"], "no option of strata"),
        (["strata", "model", "cp", "--dims", "2,2,2", "--terms", "1..2"], "leave out ranges"),
    ],
)
def test_bad_input_is_one_line(words, message, capsys):
    try:
        code = main(words)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_the_explanation_of_cells_is_short(hyperbola):
    """Each literal is told where it is new, and the ideal once."""
    told = " ".join(hyperbola.explain().split())
    assert told.count("x ≠ 0") <= 2
    assert "Rules lead each cell to simpler ones, up to 1 single point and 1 without a zero" in told
    assert "As `" not in told


CLASSES = ["model", "latent-class", "--classes", "3", "--true", "1", "--categories", "2,2"]


@pytest.mark.slow
def test_equations_with_a_coordinate_more_say_so(capsys):
    """λ of the model is 3/2, of the equations of its cells 2."""
    main(["strata", *CLASSES])
    text = capsys.readouterr().out
    assert "λ = 3/2, θ = 1" in text
    assert "1 coordinate more than the model: its λ is less by 1/2" in text
    main(["strata", *CLASSES, "--json"])
    assert json.loads(capsys.readouterr().out)["excess"] == "1/2"
    main(["strata", *CLASSES, "--latex"])
    assert "1 coordinate more" in capsys.readouterr().out
    main([*CLASSES, "--explain"])
    assert "their λ is larger by 1/2" in " ".join(capsys.readouterr().out.split())


def test_a_changed_coordinate_has_a_name_of_its_own():
    found = rlct.strata(rlct.model("latent-class", classes=3, true=1, categories=(2, 2)))
    assert "a1′ = 0 (change" in str(found)
    assert "(change: a1′ = -1 + a1 + a2 + a3)" in str(found)
    assert r"$a_{1}' = -1 + a_{1} + a_{2} + a_{3}$" in found.to_latex()
    charts = [data["chart"] for _, data in found.graph.nodes(data=True)]
    assert any("a1′ = -1 + a1 + a2 + a3" in chart for chart in charts)
