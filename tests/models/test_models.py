"""Models build the right questions: the point is a zero, and the ideals are those of the corpus."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sympy

import rlct
from rlct.errors import InputError
from rlct.models import all_models, get_model
from rlct.models.base import Model
from rlct.models.kit.positive import exact_matrix_product, positive_factors, widened_factors
from rlct.questions.problem import Problem

CORPUS = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parents[2] / "validation" / "reference" / "engine.json").read_text("utf-8")
    )
}

SIZES: list[tuple[str, dict[str, Any]]] = [
    *(
        ("tanh", {"inputs": n, "hidden": h, "outputs": m, "true_hidden": r, "step": q})
        for n, h, m, r, q in product((1, 2), (1, 2, 3), (1, 2), (0, 1, 2), (1, 2))
        if r <= h and n * h < 6
    ),
    *(("power", {"hidden": h, "degree": d}) for h, d in product((1, 3), (1, 2, 3))),
    *(
        ("mixture", {"components": h, "true": r, "dimension": d, "concentration": alpha})
        for h, r, d, alpha in product((1, 2, 3), (1, 2, 3), (1, 2), (1, "1/2"))
        if r <= h
    ),
    *(("mixture", {"components": h, "true": r, "signed": True}) for h, r in [(2, 1), (3, 2)]),
    *(("mixture", {"components": 2, "true": 1, "trials": n}) for n in (1, 2, 3)),
    *(
        ("naive-bayes", {"features": n, "dependent": d})
        for n, d in product((1, 2, 3, 4), (0, 2, 3, 4))
        if d <= n
    ),
    *(("rbm", {"visible": m, "hidden": n}) for m, n in product((2, 3, 4), (1, 2, 4))),
    *(
        ("factor-analysis", {"variables": p, "factors": k, "true_factors": r})
        for p, k, r in product((2, 3, 4), (1, 2, 3), (0, 1, 2))
        if r <= k
    ),
    *(
        (name, dict(zip(fields, (m, h, n, r), strict=True)))
        for name, fields in [
            ("nmf", ("rows", "inner", "columns", "true")),
            ("lda", ("words", "topics", "documents", "true_topics")),
        ]
        for m, h, n, r in product((2, 3), (1, 2, 4), (1, 2, 3), (1, 2))
        if r <= min(m, h, n)
    ),
    ("nmf", {"rows": 2, "inner": 2, "columns": 3}),
    ("forest", {"leaves": 3, "edges": "1-4,2-4,3-4"}),
    ("forest", {"leaves": 4, "edges": "1-5,2-5,5-6,3-6,4-6", "true_edges": "1-5,2-5"}),
    *(("hidden-markov", {"states": k, "symbols": m}) for k, m in product((1, 2, 3), (2, 3))),
    *(
        ("grammar", {"nonterminals": h, "terminals": 2, "true": r})
        for h, r in [(1, 1), (2, 1), (3, 2)]
    ),
    ("cp", {"dims": (2, 3), "terms": 2, "true": 2}),
    ("cp", {"dims": (2, 2, 2), "terms": 3, "true": 1, "nonneg": True}),
    ("tucker", {"dims": (2, 2, 3), "core": (2, 1, 1), "true": 1}),
    ("tucker", {"dims": (2, 2), "core": (2, 2), "true": 0}),
    *(
        ("concept-bottleneck", {"inputs": n, "concepts": k, "outputs": 2, "rank": r})
        for n, k, r in [(1, 1, None), (2, 3, 1), (3, 2, 0)]
    ),
    *(
        ("convolution", {"filters": f, "real_roots": real, "complex_pairs": pairs})
        for f, real, pairs in [((2, 3), None, 0), ((2, 3), (2, 1), 0), ((3, 3, 2), (2, 1), 1)]
    ),
    *(
        (
            "partial-concept-bottleneck",
            {"inputs": n, "tacit": k, "observed": o, "outputs": 2, "rank": r},
        )
        for n, k, o, r in [(2, 1, 1, 1), (1, 2, 1, 0), (3, 2, 1, 2)]
    ),
    ("markov", {"symbols": 3, "support": (1, 2, 3), "concentration": "1/2"}),
    *(
        ("markov-mixture", {"components": h, "true": 1, "states": k, "transitions": t})
        for h, k, t in [(1, 2, 1), (2, 2, 3), (2, 3, 2)]
    ),
    *(
        ("latent-class", {"classes": h, "true": r, "categories": c, "concentration": "1/2"})
        for h, r, c in [(1, 1, (2,)), (2, 1, (2, 3)), (3, 1, (3, 2, 2)), (3, 2, (2, 2, 2))]
    ),
    *(
        ("binary-tree", {"leaves": 4, "edges": "1-5,2-5,5-6,3-6,4-6", "root": root})
        for root in (5, 6)
    ),
    *(
        ("bayesian-network", {"arrows": "a->h, h->x, h->y, x->y", "hidden": "h", **more})
        for more in (
            {},
            {"states": "h=3,y=3", "truth": "independent"},
            {"states": "h=3", "truth": "generic", "true_states": "h=2"},
            {"truth": "h=1/3 2/3, 1/2 1/2; x=1/4 3/4, 1/5 4/5", "inputs": "a"},
        )
    ),
    *(("softmax", {"inputs": 2, "hidden": 2, "classes": 3, "rank": r}) for r in (0, 1, 2)),
    *(
        ("softmax-attention", {"inputs": 2, "keys": 1, "outputs": 2, "score_rank": r, **more})
        for r, more in product((0, 1), ({}, {"values": 1, "bias": True}, {"value_rank": 0}))
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sizes"), SIZES)
def test_the_point_is_a_zero(name: str, sizes: dict[str, Any]) -> None:
    """`Problem` refuses a point where a generator does not vanish."""
    model = get_model(name)(**sizes)
    assert isinstance(model.problem(), Problem)
    assert model.where
    assert model.title in str(model)


RENAMED = [
    ("vandermonde_m1_h3_q2", "tanh", {"inputs": 1, "hidden": 3, "outputs": 1}, {"b1_": "b"}),
    ("vandermonde_m1_h4_q2", "tanh", {"inputs": 1, "hidden": 4, "outputs": 1}, {"b1_": "b"}),
    (
        "vandermonde_m2_n2_h2_q1",
        "tanh",
        {"inputs": 2, "hidden": 2, "outputs": 2, "step": 1},
        {"b1_": "x", "b2_": "y"},
    ),
    ("power_activation_h2_m3", "power", {"hidden": 2, "degree": 3}, {"a1_": "a"}),
    ("rbm_3_2", "rbm", {"visible": 3, "hidden": 2}, {}),
    ("rbm_4_2", "rbm", {"visible": 4, "hidden": 2}, {}),
    ("factor_3_2", "factor-analysis", {"variables": 3, "factors": 2}, {}),
    ("bayes_2_edge", "naive-bayes", {"features": 2}, {}),
    ("bayes_3_edge", "naive-bayes", {"features": 3}, {}),
    ("mixture_4_simplex", "mixture", {"components": 4, "true": 1}, {"b1_": "b"}),
    ("mixture_4_signed", "mixture", {"components": 4, "true": 1, "signed": True}, {"b1_": "b"}),
    (
        "mixture_2_dim_3",
        "mixture",
        {"components": 2, "true": 1, "dimension": 3},
        {"b1_": "x", "b2_": "y", "b3_": "z"},
    ),
    ("nmf_2_2_2_zero", "nmf", {"rows": 2, "inner": 2, "columns": 2}, {}),
    ("lda_3_2_2", "lda", {"words": 3, "topics": 2, "documents": 2}, {}),
    ("cp_2x2x2_h2", "cp", {"dims": (2, 2, 2), "terms": 2}, {}),
    ("cp_2x2x2_h1_rank_1", "cp", {"dims": (2, 2, 2), "terms": 1, "true": 1}, {"1_1": "1"}),
]


def renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return re.sub(r"(\d)_(\d)", r"\1\2", text)


@pytest.mark.parametrize(("case", "name", "sizes", "names"), RENAMED)
def test_the_ideal_is_that_of_the_corpus(
    case: str, name: str, sizes: dict[str, Any], names: dict[str, str]
) -> None:
    asked = get_model(name)(**sizes).polynomials()
    if case == "cp_2x2x2_h1_rank_1":
        names = {"1_1": "1", "2_1": "2"}
    known = CORPUS[case]
    assert {sympy.expand(renamed(g, names)) for g in asked.generators} == {
        sympy.expand(g) for g in known["generators"]
    }
    assert {renamed(n, names) for n in asked.nonneg} == set(known["options"].get("nonneg", ()))
    at = {renamed(n, names): Fraction(v) for n, v in asked.at.items() if v}
    assert at == {n: Fraction(v) for n, v in known["options"].get("at", {}).items() if v != "0"}


def rank(rows: list[list[Fraction]]) -> int:
    return int(sympy.Matrix(rows).rank())


@pytest.mark.parametrize(("m", "h", "n", "r"), [(3, 5, 4, 2), (4, 4, 3, 3), (2, 6, 2, 1)])
def test_positive_factors_of_the_true_rank(m: int, h: int, n: int, r: int) -> None:
    first, second = positive_factors(m, r, n)
    left, right = widened_factors(first, second, h)
    assert exact_matrix_product(left, right) == exact_matrix_product(first, second)
    assert rank(left) == rank(right) == rank(exact_matrix_product(first, second)) == r
    assert min(min(row) for row in (*left, *right)) > 0
    for matrix in (left, right):
        assert all(sum(column) == 1 for column in zip(*matrix, strict=True))


@pytest.mark.parametrize(
    ("name", "sizes", "message"),
    [
        ("mixture", {"components": 2, "true": 3}, "3 true components exceed 2"),
        ("mixture", {"components": 2, "true": 1, "signed": True, "dimension": 2}, "signed"),
        ("mixture", {"components": 2, "true": 1, "concentration": 0}, "positive"),
        ("mixture", {"components": 2, "true": 1, "concentration": 0.5}, "exact fraction"),
        ("mixture", {"components": 2, "true": 1, "concentration": "1e99999999"}, "exact fraction"),
        ("mixture", {"components": 2.0, "true": 1}, "integer"),
        ("mixture", {"components": True, "true": 1}, "integer"),
        ("mixture", {"components": 2}, "true is missing"),
        ("mixture", {"components": 2, "true": 1, "colour": 3}, "colour is unknown"),
        ("tanh", {"inputs": 0, "hidden": 1, "outputs": 1}, "at least 1"),
        ("tanh", {"inputs": 1, "hidden": 1, "outputs": 1, "true_hidden": 2}, "exceed"),
        ("naive-bayes", {"features": 3, "dependent": 1}, "0 or from 2"),
        ("forest", {"leaves": 2, "edges": "1-3,2-3,1-2"}, "cycle"),
        ("forest", {"leaves": 2, "edges": "1-3"}, "hidden node 3 has degree 1"),
        ("forest", {"leaves": 3, "edges": "1-2,2-3"}, "observed node 2"),
        ("forest", {"leaves": 2, "edges": "1-3,2-3", "true_edges": "1-2"}, "among"),
        ("forest", {"leaves": 2, "edges": "1+3"}, "not an edge"),
        ("nmf", {"rows": 2, "inner": 1, "columns": 2, "true": 2}, "exceeds"),
        ("lda", {"words": 2, "topics": 2, "documents": 1, "true_topics": 2}, "exceed"),
        ("cp", {"dims": (2,), "terms": 1}, "2 to 20"),
        ("cp", {"dims": "2,x", "terms": 1}, "dims must be integers"),
        ("tucker", {"dims": (2, 2), "core": (1,)}, "equally many"),
        ("softmax", {"inputs": 1, "hidden": 1, "classes": 2, "rank": 2}, "exceeds"),
        ("softmax-attention", {"inputs": 1, "keys": 1, "outputs": 1, "score_rank": 2}, "at most 1"),
        ("concept-bottleneck", {"inputs": 1, "concepts": 1, "outputs": 1, "rank": 2}, "exceeds"),
        ("factor-analysis", {"variables": 3, "factors": 1, "true_factors": 2}, "exceed"),
        ("nothing", {}, "no model 'nothing'"),
    ],
)
def test_bad_sizes_give_one_line(name: str, sizes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        rlct.model(name, **sizes)
    assert "\n" not in str(error.value)


def test_what_is_too_large_is_refused_before_it_is_written() -> None:
    with pytest.raises(InputError, match="too many"):
        get_model("rbm")(visible=40, hidden=40).problem()


def test_answers_agree_on_all_routes() -> None:
    """`Result` refuses routes that contradict each other; several are exact here."""
    result = rlct.model("naive-bayes", features=3)
    assert [route.exact for route in result.routes] == [True, True]
    assert result.pair == rlct.Pair(Fraction(2), 1)


def test_a_model_without_a_theorem_is_left_to_the_engine() -> None:
    result = rlct.model("mixture", components=2, true=1, trials=1)
    assert result.pair == rlct.Pair(Fraction(1, 2), 1)  # one equation, at all parameters alike
    assert rlct.verify(result.certificate)


def test_large_models_are_answered_by_the_theorem_alone() -> None:
    assert rlct.model("lda", words=1000, topics=50, documents=300).status == "exact"
    assert rlct.model("tanh", inputs=1, hidden=10**6, outputs=1).pair == rlct.Pair(Fraction(500), 2)
    assert rlct.model("rbm", visible=1000, hidden=500).pair == rlct.Pair(Fraction(125_000), 1)


@pytest.mark.slow
def test_simulation_takes_a_model() -> None:
    model = get_model("power")(hidden=1, degree=2)
    assert rlct.check(model).verdict == "agrees"
    assert rlct.check(model, claim="1/2").verdict == "refuted"


def test_models_are_listed_once() -> None:
    models = all_models()
    assert len({model.id for model in models}) == len(models)
    assert all(issubclass(model, Model) for model in models)
    assert {model.group for model in models} == {"model", "net"}
