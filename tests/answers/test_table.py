"""Tables of architectures: the same answers as one by one, and how they are shown."""

import csv
import io
import random
from fractions import Fraction

import pytest

import rlct
from rlct.answers.result import Route
from rlct.answers.table import Row, Table, compare
from rlct.errors import RoutesDisagreeError
from rlct.models import get_model
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures
from rlct.pair import Pair


def networks(count, seed):
    generator = random.Random(seed)
    found = []
    while len(found) < count:
        widths = tuple(generator.randint(1, 9) for _ in range(generator.randint(2, 6)))
        seen = generator.choice([None, generator.randint(1, widths[0])])
        rank = generator.randint(0, min((*widths[1:], seen or widths[0])))
        found.append(rlct.LinearNetwork(widths, rank, generator.random() < 0.4, seen))
    return found


def test_linear_networks_together_are_those_one_by_one():
    asked = networks(120, seed=4)
    for row, network in zip(compare(asked).rows, asked, strict=True):
        one = rlct.theorem(
            "deep-linear-rank-paths",
            widths=network.widths,
            rank=network.rank,
            bias=network.bias,
            **({} if network.input_rank is None else {"input_rank": network.input_rank}),
        )
        assert row.exact
        assert row.lower == one.pair, network
        assert row.parameters == sum(
            b * (a + network.bias) for a, b in zip(network.widths, network.widths[1:], strict=False)
        )


def test_networks_too_large_for_double_precision_are_exact():
    width = 10**9 + 1
    (row,) = compare([rlct.LinearNetwork((width, width), 0)]).rows
    assert row.lower.lam == Fraction(width**2, 2)
    assert row.half == Fraction(width**2, 2)


def test_mixed_questions_and_answers():
    law = QuadraticFeatures.density(4)
    table = compare(
        [
            rlct.QuadraticArchitecture(5, 3, law),
            rlct.LinearNetwork((5, 3, 5), 1),
            rlct.poly("x**2*y**2"),
            rlct.Problem.ideal(["x", "y**2"]),
        ],
        names=list("abcd"),
        sort="lambda",
    )
    assert [row.architecture for row in table.rows] == ["c", "d", "b", "a"]
    expected = [Pair.of("1/2", 2), Pair.of("3/4"), Pair.of(8), Pair.of("29/2")]
    assert [row.lower for row in table.rows] == expected
    assert [row.parameters for row in table.rows] == [None, None, 30, 35]
    assert table.status == "exact"


def row(name, lower, upper, parameters=None):
    return Row(name, {}, parameters, lower, upper, "method", "somewhere")


def test_the_more_singular_of_equal_lambda_comes_first():
    table = Table(
        (
            row("plain", Pair.of(1), Pair.of(1), 3),
            row("double", Pair.of(1, 2), Pair.of(1, 2), 9),
            row("open", Pair.of("1/2"), Pair.of(5), 1),
        )
    )
    assert [r.architecture for r in table.sorted("lambda").rows] == ["open", "double", "plain"]
    order = [r.architecture for r in table.sorted("parameters").rows]
    assert order == ["open", "plain", "double"]
    with pytest.raises(rlct.InputError, match="sorted by lambda or parameters"):
        table.sorted("theta")


def test_bounds_are_said():
    table = Table((row("open", Pair.of("1/2"), Pair.of(5)), row("top", None, None)))
    assert table.status == "bounds"
    assert "1/2..5" in str(table)
    assert "0..∞" in str(table)
    tie = Table((row("theta open", Pair.of(1, 3), Pair.of(1, 2)),))
    assert "2..3" in str(tie)
    assert tie.to_dict()["rows"][0]["lambda"] == "1"
    assert tie.to_dict()["rows"][0]["theta"] is None


def test_csv_is_the_json():
    nets = [rlct.LinearNetwork((5, h, 5), 1) for h in (1, 2)]
    table = compare(nets, names=["a,b", 'c"d'], coordinates=[{"width": 1}, {"width": 2}])
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert [r["architecture"] for r in rows] == ["a,b", 'c"d']
    for line, found in zip(rows, table.to_dict()["rows"], strict=True):
        assert line["lambda"] == found["lambda"]
        assert line["half_parameters"] == found["half_parameters"]
        assert int(line["width"]) == found["case"]["width"]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"names": ["one"]}, "1 names for 2"), ({"coordinates": []}, "0 coordinates for 2")],
)
def test_wrong_lengths_are_refused(options, message):
    with pytest.raises(rlct.InputError, match=message):
        compare([rlct.LinearNetwork((2, 2), 0)] * 2, **options)


def test_nothing_is_no_table():
    with pytest.raises(rlct.InputError, match="nothing to compare"):
        compare([])


@pytest.mark.parametrize(
    ("id", "sizes"),
    [
        ("mixture", {"components": 3, "true": 2, "dimension": 2}),
        ("nmf", {"rows": 2, "inner": 2, "columns": 3}),
        ("cp", {"dims": (2, 2, 3), "terms": 2}),
        ("tucker", {"dims": (2, 2, 3), "core": (1, 2, 2)}),
        ("rbm", {"visible": 3, "hidden": 2}),
        ("naive-bayes", {"features": 3}),
        ("concept-bottleneck", {"inputs": 2, "concepts": 2, "outputs": 3}),
        ("lda", {"words": 3, "topics": 2, "documents": 2}),
        ("hidden-markov", {"states": 2, "symbols": 3}),
        ("factor-analysis", {"variables": 3, "factors": 2}),
        ("tanh", {"inputs": 2, "hidden": 3, "outputs": 2}),
        ("power", {"hidden": 3, "degree": 2, "outputs": 2}),
        ("softmax", {"inputs": 2, "hidden": 2, "classes": 3}),
    ],
)
def test_parameters_are_the_variables_of_the_question(id, sizes):
    model = get_model(id)(**sizes)
    assert model.parameter_count == len(model.problem().variables)


def test_parameters_of_quadratic_networks_are_the_weights():
    """Also those that the inputs, of rank 9 in 10 dimensions, never see."""
    seen = rlct.quadratic(units=4, data="modular:5").question
    assert seen.parameter_count == 4 * (10 + 5)
    assert seen.parameters == 4 * (9 + 5)
    biased = rlct.quadratic(inputs=2, units=3, outputs=2, bias=True).question
    assert biased.parameter_count == 3 * (2 + 1 + 2) + 2


CHAIN = "1-7,2-7,3-8,4-8,5-7,5-6,6-8"


@pytest.mark.parametrize(("leaves", "edges"), [(2, "1-3,2-3"), (4, CHAIN)])
def test_tables_and_answers_notice_that_a_theorem_and_the_engine_disagree(
    leaves, edges, monkeypatch
):
    """Also beyond the size up to which the engine is asked, since the ideal is monomial."""
    forest = get_model("forest")(leaves, edges, "")
    right = rlct.solve(forest).pair
    assert compare([forest]).rows[0].lower == right
    wrong = Route("theorem", *[Pair(right.lam, right.theta + 1)] * 2, ())
    monkeypatch.setattr("rlct.answers.routes.theorem_routes", lambda *asked: [wrong])
    for ask in (rlct.solve, lambda question: compare([question])):
        with pytest.raises(RoutesDisagreeError, match="please report"):
            ask(forest)


def test_tables_notice_that_two_theorems_disagree(monkeypatch):
    bayes = get_model("naive-bayes")(3)
    one, other = (Route(f"theorem {n}", Pair(2, n), Pair(2, n), ()) for n in (1, 2))
    monkeypatch.setattr("rlct.answers.routes.theorem_routes", lambda question: [one, other])
    with pytest.raises(RoutesDisagreeError):
        compare([bayes])
