"""The smallest sizes, hidden Markov models at more true states, and tables without the engine."""

from itertools import product

import pytest

import rlct
from rlct.answers.model_kinds import is_monomial
from rlct.answers.table import compare
from rlct.cli.main import main
from rlct.models import get_model
from rlct.pair import Pair
from rlct.theorems.kit.general_truth import rank_at

#: Regular models: λ is half the number of coordinates, each counted here.
SMALLEST = {
    "p variances": ("factor-analysis", {"variables": 3, "factors": 0}, Pair.of("3/2")),
    "one class, 1 + 2 probabilities": (
        "latent-class",
        {"classes": 1, "true": 1, "categories": (2, 3)},
        Pair.of("3/2"),
    ),
    "one state, 2 probabilities": ("hidden-markov", {"states": 1, "symbols": 3}, Pair.of(1)),
    "one component in 3 dimensions": (
        "mixture",
        {"components": 1, "true": 1, "dimension": 3},
        Pair.of("3/2"),
    ),
    "one chain, 2 transitions": (
        "markov-mixture",
        {"components": 1, "true": 1, "states": 2, "transitions": 2},
        Pair.of(1),
    ),
    "one chain, its first row": (
        "markov-mixture",
        {"components": 1, "true": 1, "states": 3, "transitions": 1},
        Pair.of(1),
    ),
    "one topic, 2 probabilities": ("lda", {"words": 3, "topics": 1, "documents": 2}, Pair.of(1)),
    "only observed concepts": (
        "partial-concept-bottleneck",
        {"inputs": 3, "tacit": 0, "observed": 1, "outputs": 2},
        Pair.of("5/2"),
    ),
}


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_sizes_are_regular_models(name):
    model, sizes, pair = SMALLEST[name]
    assert rlct.model(model, **sizes).pair == pair
    # The engine alone, which knows no formula.
    assert rlct.solve(get_model(model)(**sizes).problem()).pair == pair


@pytest.mark.slow
def test_no_observed_concepts_is_reduced_rank_regression():
    for n, k, m in product((1, 2, 3), repeat=3):
        for rank in range(min(n, k, m) + 1):
            sizes = {"inputs": n, "tacit": k, "observed": 0, "outputs": m, "rank": rank}
            linear = rlct.linear([n, k, m], rank=rank)
            assert rlct.model("partial-concept-bottleneck", **sizes).pair == linear.pair


def test_no_parameters_are_no_model(capsys):
    words = "model partial-concept-bottleneck --inputs 2 --tacit 0 --observed 0 --outputs 1"
    assert main(words.split()) == 2
    assert "no parameters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("states", "symbols", "true"), [(2, 2, 2), (3, 2, 2), (3, 3, 3), (4, 3, 2)]
)
def test_the_truth_of_a_hidden_chain_is_a_law_and_a_zero(states, symbols, true):
    model = get_model("hidden-markov")(states, symbols, true=true)
    moves, emissions = model._truth()
    assert all(sum(row) == 1 and min(row) > 0 for row in (*moves, *emissions))
    assert len(set(map(tuple, emissions))) == true
    problem = model.problem()
    for g in problem.local.generators:
        assert not any(not any(m) for m in g.itermonoms()), "0 at the point"
    # Coming to a spare state from a true one is at a wall, and nothing else.
    assert sum(problem.nonneg) == true * (states - true)


@pytest.mark.slow
def test_as_many_true_states_as_there_are_is_regular_at_the_truth():
    """K(K + M − 2) coordinates, seen by words of four symbols."""
    assert rank_at(get_model("hidden-markov")(2, 2, 4, true=2)) == 4
    found = rlct.model("hidden-markov", states=2, symbols=2, length=4, true=2)
    assert found.pair == Pair.of(2)


def test_more_true_states_than_states_are_refused(capsys):
    assert main(["model", "hidden-markov", "--states", "2", "--symbols", "2", "--true", "3"]) == 2
    assert "3 true states exceed 2" in capsys.readouterr().err


def test_a_table_asks_the_engine_only_where_no_formula_decides(monkeypatch):
    """Sizes of factor analysis and of latent classes, as criteria compare them."""
    factor, latent = get_model("factor-analysis"), get_model("latent-class")
    decided = [factor(4, k, r) for k in range(4) for r in range(k + 1)]
    decided += [latent(h, r, (2, 2, 2)) for h, r in ((1, 1), (2, 1), (3, 3), (5, 2))]

    def refuse(question, **options):
        # An ideal of monomials costs the engine nothing.
        assert is_monomial(question), "the engine was asked"

    monkeypatch.setattr("rlct.answers.routes.solve", refuse)
    table = compare(decided)
    assert table.status == "exact"
    with pytest.raises(AssertionError, match="was asked"):
        compare([latent(3, 2, (2, 2, 2, 2))])
