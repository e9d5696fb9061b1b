"""Ideals that are those of a theorem under other names, and ideals that only look like them."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

import rlct
from rlct.answers.confirm_theorem import confirm_case
from rlct.answers.renamed_ideal import _classes, renamed_theorem
from rlct.errors import OutOfTimeError
from rlct.questions.problem import Problem
from rlct.theorems import get_theorem
from rlct.theorems.evidence import BY_ENGINE

CASES = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parents[2] / "validation" / "reference" / "engine.json").read_text("utf-8")
    )
}
BEYOND_THE_ENGINE = {
    "quadratic_4": "quadratic-truth",
    "quadratic_5": "quadratic-truth",
    "product_3_3_3_3_r0": "deep-linear",
    "vandermonde_m1_h5_q2": "vandermonde",
    "rbm_4_3": "rbm",
}
FAMILIES = {
    "deep-linear": {"widths": (2, 3, 1, 2), "rank": 0},
    "cp-zero": {"dims": (2, 2, 3), "terms": 2},
    "rbm": {"visible": 4, "hidden": 3},
    "quadratic-truth": {"inputs": 3, "units": 2, "true_units": 0},
    "vandermonde": {"hidden": 4, "outputs": 2, "step": 2},
}


def generators(theorem_id):
    theorem = get_theorem(theorem_id)
    question = theorem.question(theorem.bind(FAMILIES[theorem_id]))
    problem = question if isinstance(question, Problem) else question.problem()
    return [g.as_expr() for g in problem.generators]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "theorem_id"), BEYOND_THE_ENGINE.items())
def test_what_the_engine_leaves_open(name, theorem_id):
    case = CASES[name]
    found = rlct.ideal(case["generators"], timeout=1)
    assert (found.lam, found.theta) == (Fraction(case["lambda"]), case["theta"])
    assert [r.method for r in found.routes if r.exact] == [f"theorem {theorem_id}"]


@pytest.mark.parametrize("theorem_id", FAMILIES)
@pytest.mark.parametrize("seed", range(3))
def test_other_names_order_and_factors(theorem_id, seed):
    draw = random.Random(seed)
    given = generators(theorem_id)
    names = sorted({symbol.name for g in given for symbol in g.free_symbols})
    others = [f"{draw.choice(['', '-'])}x{k}" for k in range(len(names))]
    draw.shuffle(others)
    renamed = [
        str(g.subs(dict(zip(names, others, strict=True)), simultaneous=True).expand())
        for g in given
    ]
    draw.shuffle(renamed)
    texts = [f"{draw.choice([1, -3, '2/5'])}*({text})" for text in renamed]
    application = renamed_theorem(Problem.ideal(texts))
    assert application.theorem.id == theorem_id
    assert application.pair == get_theorem(theorem_id).apply(**FAMILIES[theorem_id]).pair
    assert len(application.findings[0].evidence.split(", ")) == len(names)


@pytest.mark.parametrize("theorem_id", FAMILIES)
def test_what_only_looks_like_it(theorem_id):
    given = generators(theorem_id)
    texts = [str(g) for g in given]
    first, second = sorted(given[0].free_symbols, key=str)[:2]
    last = max(given[-1].free_symbols, key=str)
    doubled = [str(g.subs(first, second).expand()) for g in given]
    monomials = str(given[-1]).split(" + ")
    coefficient = " + ".join([f"2*{monomials[0]}", *monomials[1:]])
    sign = f"{texts[-1]} - 2*{monomials[0]}"
    for other in (texts[1:], doubled, [*texts[:-1], coefficient], [*texts[:-1], sign]):
        found = renamed_theorem(Problem.ideal(other))
        assert found is None or found.theorem.id != theorem_id or len(other) < len(texts)
    assert renamed_theorem(Problem.ideal([*texts, f"{first}**2"])) is None
    assert renamed_theorem(Problem.ideal(texts, prior={str(first): 1})) is None
    assert renamed_theorem(Problem.ideal(texts, nonneg=[str(first)])) is None
    assert renamed_theorem(Problem.ideal(texts, at={str(last): 0})) is not None
    assert renamed_theorem(Problem.poly(f"({texts[0]})**2")) is None


@pytest.mark.parametrize(
    "texts",
    [
        ["a + b", "c + d"],
        ["a*b*c + d*e*f + g*h*i"],  # three terms, which cp-zero does not have
        ["a**2 + b**2", "c**2 + d**2"],
        ["a + b", "a**2 + b**2"],
        ["a*b + c*d", "a*b**2 + c*d**2", "a*b**4 + c*d**4"],
        ["a*b + c*d", "a*b**2 + c*d**2", "a*b**2 + c*d**2"],
        ["x + y"],
    ],
)
def test_counts_that_fit_no_size(texts):
    found = rlct.ideal(texts, timeout=20)
    assert found.routes[0].method.startswith("engine: ")


def test_zeros_that_are_not_the_origin():
    """x ↦ 1 at a zero of the ideal is another germ."""
    assert renamed_theorem(Problem.ideal(["a*b + c*d"], at={"a": 1})) is None


def test_graphs_with_the_same_counts():
    """The entries of a product of matrices with two terms of a row exchanged."""
    texts = ["a*e + b*g", "a*f + b*h", "c*e + d*g", "c*f + d*h"]
    assert renamed_theorem(Problem.ideal(texts)) is not None
    texts[0], texts[1] = "a*e + b*h", "a*f + b*g"
    assert renamed_theorem(Problem.ideal(texts)) is None


@pytest.mark.parametrize(
    ("widths", "twisted"), [((3, 3, 3, 3), True), ((4, 4, 3, 3), True), ((4, 4, 3, 3), False)]
)
def test_no_pair_of_names_is_tried_twice(monkeypatch, widths, twisted):
    """With one variable at another place, a search that goes back would take minutes."""
    rows, inner, others, columns = widths

    def column(q, *place):
        return (q + 1) % columns if twisted and place == (0, 0, 0) else q

    texts = [
        " + ".join(
            f"a{i}_{j}*b{j}_{k}*c{k}_{column(q, i, j, k)}"
            for j in range(inner)
            for k in range(others)
        )
        for i in range(rows)
        for q in range(columns)
    ]
    calls = []
    monkeypatch.setattr(
        "rlct.answers.renamed_ideal._classes", lambda *given: calls.append(0) or _classes(*given)
    )
    problem = Problem.ideal(texts)
    assert (renamed_theorem(problem) is None) == twisted
    assert 0 < len(calls) < 100


@pytest.mark.parametrize("widths", [(2, 3, 2, 3), (3, 3, 3, 3), (2, 1, 2, 1, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_layers_that_look_alike(widths, seed):
    """Each entry is in as many terms: the first partner may be of another layer."""
    theorem = get_theorem("deep-linear")
    problem = theorem.question(theorem.bind({"widths": widths, "rank": 0})).problem()
    ring = problem.generators[0].ring
    others = [f"x{k}" for k in range(ring.ngens)]
    random.Random(seed).shuffle(others)
    texts = [
        " + ".join(
            "*".join(others[v] for v, e in enumerate(m) if e) for m in generator.itermonoms()
        )
        for generator in problem.generators
    ]
    found = renamed_theorem(Problem.ideal(texts))
    assert found is not None
    assert found.pair == theorem.apply(widths=widths, rank=0).pair


@pytest.mark.parametrize("order", [4, 5, 6])
def test_latin_squares(order):
    """Every term and variable is alike, and no names make the sums a product of matrices."""
    texts = [
        " + ".join(f"a{i}_{k}*b{k}_{(i * j + k) % order}" for k in range(order))
        for i in range(order)
        for j in range(order)
    ]
    assert renamed_theorem(Problem.ideal(texts)) is None


def test_signs_of_variables():
    texts = ["a*e - b*g", "a*f + b*h", "c*e - d*g", "-c*f - d*h"]
    application = renamed_theorem(Problem.ideal(texts))
    assert application.arguments["widths"] == (2, 2, 2)
    negated = [
        pair.split(" is ")[0]
        for pair in application.findings[0].evidence.split(", ")
        if "-" in pair
    ]
    assert negated
    for text in texts:
        changed = sympy.sympify(text).subs({name: -sympy.Symbol(name) for name in negated})
        assert len({c for _, c in sympy.Poly(changed).terms()}) == 1
    texts[0] = "a*e + b*g"
    assert renamed_theorem(Problem.ideal(texts)) is None


@pytest.mark.parametrize("theorem_id", FAMILIES)
def test_theorems_are_not_confirmed_by_themselves(monkeypatch, theorem_id):
    """The engine that recomputes their values never asks for names."""

    def refuse(problem):
        raise AssertionError("a theorem was asked")

    monkeypatch.setattr("rlct.answers.renamed_ideal.renamed_theorem", refuse)
    theorem = get_theorem(theorem_id)
    case = next(i for i in theorem.instances if BY_ENGINE in i.confirmed)
    assert confirm_case(theorem, case, BY_ENGINE).verdict == "confirmed"
    with pytest.raises(AssertionError, match="a theorem was asked"):
        rlct.ideal(["a*b + c*d"])


def test_a_theorem_outlives_the_time(monkeypatch):
    """What the engine is late with costs its bounds alone."""

    def late(*given):
        raise OutOfTimeError

    monkeypatch.setattr("rlct.answers.routes.routes", late)
    found = rlct.ideal(CASES["rbm_4_3"]["generators"], timeout=20)
    assert (found.status, found.pair) == ("exact", rlct.Pair(3, 4))
    assert [route.method for route in found.routes] == ["theorem rbm"]


def test_the_command_line_says_which_variable_is_which():
    found = rlct.ideal(["a*e + b*g", "a*f + b*h", "c*e + d*g", "c*f + d*h"])
    (route,) = [r for r in found.to_dict()["routes"] if r["method"] == "theorem deep-linear"]
    assert route["hypotheses"][0]["statement"].startswith("the generators are those of the theorem")
    assert found.routes[0].method.startswith("engine: ")
    assert found.routes[0].exact
    assert rlct.verify(found.certificate)
